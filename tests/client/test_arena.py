"""Bots against bots."""

from __future__ import annotations

import json

import pytest

from oaknet_client import arena
from oaknet_client.arena import Played
from tests.client.conftest import Run


def test_the_table_has_every_bot_the_strongest_first(run: Run) -> None:
    result = run("arena", "five_towers", "--bots", "random,greedy", "--games", "6", "--workers", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    title, _, first, second = result.stdout.splitlines()
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
    assert len({game.seed for game in games}) == 4


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
