"""Tables without anybody at the keyboard."""

from __future__ import annotations

import json

from oaknet import registry
from oaknet.kernel import CHANCE, Game
from tests.client.conftest import Run

PLAY = ("play", "five_towers", "--headless", "--players", "3", "--seed", "s")


def test_words(run: Run) -> None:
    result = run(*PLAY)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("5 Towers: A greedy 1, B greedy 2, C greedy 3\n· reveals ")
    assert "wins.\n" in result.stdout


def test_json_is_one_object_a_line_and_plays_the_game_again(run: Run) -> None:
    events = [json.loads(line) for line in run(*PLAY, "--json").stdout.splitlines()]
    start, *steps, result = events
    assert [event["event"] for event in events] == ["start", *["step"] * len(steps), "result"]
    assert start["game"] == result["game"] == "five_towers"
    assert start["seats"] == result["seats"]
    assert [seat["seat"] for seat in start["seats"]] == [0, 1, 2]
    assert {seat["bot"] for seat in start["seats"]} == {"greedy"}
    assert [step["step"] for step in steps] == list(range(len(steps)))
    assert set(result) == {
        *("event", "table", "game", "seats", "scores", "winner", "how", "transcript", "digest", "log"),
    }
    assert result["how"] == "finished"
    best = max(result["scores"])
    assert result["winner"] == [seat for seat, score in enumerate(result["scores"]) if score == best]
    game = Game.new(registry.rules("five_towers"), 3)
    for step in steps:
        for answer in step["answers"]:
            option = tuple(answer) if isinstance(answer, list) else answer
            game.answer(step["seat"], option)
    assert game.over
    assert game.digest().hex() == result["digest"]
    assert any(step["seat"] == CHANCE and step["answers"] for step in steps)


def test_a_game_of_every_kind_of_bot(run: Run) -> None:
    result = run("play", "market", "--headless", "--json", "--bot", "random", "--seat", "bot:greedy")
    assert result.exit_code == 0
    seats = json.loads(result.stdout.splitlines()[0])["seats"]
    assert [seat["bot"] for seat in seats] == ["greedy", "random"]


def test_a_table_option(run: Run) -> None:
    slow = run("play", "market", "--headless", "--seed", "s").stdout.count(": tip")
    fast = run("play", "market", "--headless", "--seed", "s", "--option", "pace=fast").stdout.count(": tip")
    assert (slow, fast) == (4, 2)


def test_alone_where_the_game_can_be_played_alone(run: Run) -> None:
    result = run("play", "oak", "--headless", "--json", "--players", "1", "--seed", "s")
    assert (result.exit_code, result.stderr) == (0, "")
    end = json.loads(result.stdout.splitlines()[-1])
    assert len(end["seats"]) == 1
    assert len(end["scores"]) == 2
    assert end["winner"] in ([], [0])
    assert "against you" in run("play", "oak", "--headless", "--players", "1", "--seed", "s").stdout


def test_in_company_unless_told_otherwise(run: Run) -> None:
    seats = json.loads(run("play", "oak", "--headless", "--json").stdout.splitlines()[0])["seats"]
    assert len(seats) == 2
