"""Bots against bots."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from oaknet.bots import bot
from oaknet.kernel import Game, Option, Rng
from oaknet.registry import rules
from oaknet_client import arena
from oaknet_client.arena import Played, timed
from tests.client.conftest import Run


def test_the_table_has_every_bot_the_strongest_first(run: Run) -> None:
    result = run("arena", "five_towers", "--bots", "random,greedy", "--games", "6", "--workers", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    title, heads, first, second = result.stdout.splitlines()
    assert heads.split() == ["bot", "won", "Elo", "points"]
    assert title == "5 Towers, 6 games, 2 seats; in brackets: 95 %"
    assert first.startswith("greedy   100.0%")
    assert second.startswith("random     0.0%")


def test_the_table_as_json_is_the_same_on_any_number_of_workers(run: Run) -> None:
    args = ("arena", "five_towers", "--games", "4", "--seed", "s", "--json")
    one, two = (run(*args, "--workers", n) for n in (1, 2))
    assert one.exit_code == two.exit_code == 0
    assert one.stdout == two.stdout
    facts = json.loads(one.stdout)
    assert (facts["game"], facts["games"]) == ("five_towers", 4)
    assert sum(row["wins"] for row in facts["bots"]) == 4
    assert {row["bot"] for row in facts["bots"]} == {"greedy", "random"}


def test_bots_change_seats() -> None:
    games = list(arena.pairings("market", None, {}, ("a", "b", "c"), 4, b"s"))
    assert [game.bots for game in games] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
        ("a", "b", "c"),
    ]
    one, two, three, four = (game.seed for game in games)
    assert one == two == three != four


def test_every_choice_of_bots_plays_where_there_are_more_than_seats() -> None:
    games = list(arena.pairings("market", None, {}, ("a", "b", "c"), 2, b"s", seats=2))
    line_ups = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]
    assert [game.bots for game in games] == line_ups


def test_shared_victories_and_seats_of_one_bot_are_shared_out() -> None:
    results = [Played(("a", "b", "a"), (5, 5, 1), (0, 1)), Played(("b", "a", "a"), (1, 2, 3), (2,))]
    first, second = sorted(arena.standings(results), key=lambda row: row.bot)
    assert (first.bot, first.games, first.wins) == ("a", 4, 1.5)
    assert (second.bot, second.games, second.wins) == ("b", 2, 0.5)
    assert first.score == pytest.approx(2.75)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"), [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)]
)
def test_wilson_intervals_as_published(wins: float, games: int, low: float, high: float) -> None:
    assert arena.wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_as_csv(run: Run) -> None:
    result = run("arena", "market", "--bots", "greedy,random", "--games", "2", "--workers", "1", "--csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["bot"] for row in rows} == {"greedy", "random"}
    for row in rows:
        assert float(row["share_95_low"]) <= float(row["share"]) <= float(row["share_95_high"])
        assert float(row["elo_95_low"]) <= float(row["elo"]) <= float(row["elo_95_high"])


def test_an_arena_goes_on_where_it_stopped(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.jsonl"
    args = ("arena", "market", "--games", "6", "--workers", "1", "--json")
    whole = run(*args, "--results", path).stdout
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 7
    path.write_text("".join(lines[:4]) + lines[4][:20])  # killed while writing the fourth game
    played: list[object] = []
    play = arena.play

    def counted(pairing: arena.Pairing) -> Played:
        played.append(pairing)
        return play(pairing)

    monkeypatch.setattr("oaknet_client.runners.play", counted)
    assert run(*args, "--results", path).stdout == whole
    assert len(played) == 3
    assert sorted(path.read_text().splitlines()) == sorted(line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("not json\n", "is not a file of arena results"),
        ('{"seed": "x"}\n[1, 2]\n', "is not a file of arena results"),
        ('{"seed": "x", "plan": "another"}\n', "has the results of another arena"),
    ],
)
def test_another_file_is_refused_and_left_alone(run: Run, tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)
    result = run("arena", "market", "--games", "2", "--workers", "1", "--results", path)
    assert result.exit_code == 2
    assert result.stderr == f"oaknet: notes.txt {why}; give another name.\n"
    assert path.read_text() == content


def test_more_seats_than_bots_are_refused(run: Run) -> None:
    result = run("arena", "market", "--bots", "greedy,random", "--seats", "3")
    assert (result.exit_code, result.stderr) == (
        2,
        "oaknet: 2 bots cannot fill 3 seats; name more in --bots.\n",
    )


def test_a_bot_that_looks_ahead_has_its_time_and_no_more() -> None:
    game = Game[Any].new(rules("oak"), 2)
    while game.pending[0].seat < 0:
        game.answer(-1, game.pending[0].options[0])
    ticks: list[float] = []

    def clock() -> float:
        ticks.append(len(ticks))
        return ticks[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(time, "thread_time", clock)
        option: Option = timed(bot("hard", "oak"), 4.5)(game, game.pending[0].seat, Rng(b"x"))
    assert option in game.pending[0].options
    assert ticks == [0, 1, 2, 3, 4, 5]
    greedy = bot("greedy", "oak")
    assert timed(greedy, 4.5) is greedy
