"""Words: inert, and right about who wins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oaknet import registry
from oaknet.kernel import Game
from oaknet.oak.words import SENTENCES
from oaknet_client.feed import Result, Seat
from oaknet_client.headings import HEADINGS, question
from oaknet_client.words import counted, inert, kept_lines, listed, result_lines, score_table, turn_line

SEATS = (Seat("Ann", place=0), Seat("Ben", place=1), Seat("Cleo", place=2))


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain [/] text", "plain [/] text"),
        ("\x1b[2J", "?[2J"),
        ("\x1b]52;c;eA==\x1b\\", "?]52;c;eA==?\\"),
        ("\x9b31m", "?31m"),
        ("a\u202eb\u200bc\u2066d", "a?b?c?d"),
        ("a\r\nb\tc", "a??b?c"),
        ("\ud800", "?"),
    ],
)
def test_nothing_that_a_terminal_obeys_is_left(given: str, shown: str) -> None:
    assert inert(given) == shown


def test_lists() -> None:
    assert [listed("ABC"[:n]) for n in (1, 2, 3)] == ["A", "A and B", "A, B and C"]


def test_numbers_of_things() -> None:
    assert [counted(n, "point") for n in (1, 2)] == ["1 point", "2 points"]


def test_questions_are_called_what_is_to_be_chosen() -> None:
    assert question(registry.rules("oak"), "way") == "Temple or Oak action"
    assert question(registry.rules("five_towers"), "tear_down") == "Tear down"


def test_every_question_of_oak_has_a_heading() -> None:
    asked = [about for about in SENTENCES if about not in ("order", "turn", "gather")]
    asked = asked[: asked.index("bag")]  # what chance answers comes from there on
    assert sorted(HEADINGS["oak"]) == sorted(asked)


def _result(winner: tuple[int, ...], how: str = "finished", extra: tuple[int, ...] = ()) -> list[str]:
    return result_lines(Result("market", SEATS, (3, 5, 5, *extra), winner, how, "00"))


@pytest.mark.parametrize(
    ("winner", "how", "first"),
    [
        ((1,), "finished", "B Ben wins."),
        ((1, 2), "finished", "B Ben and C Cleo share the victory."),
        ((), "finished", "Nobody wins."),
        ((), "unfinished", "The game is not finished; the points so far:"),
    ],
)
def test_results(winner: tuple[int, ...], how: str, first: str) -> None:
    assert _result(winner, how) == [first, "  A Ann      3", "  B Ben      5", "  C Cleo     5"]


def test_how_it_ended_is_said_where_it_is_not_as_usual() -> None:
    assert _result((0,), "resigned")[-1] == "The game ended because seats resigned."


def test_a_score_beside_the_seats_has_a_line_of_its_own() -> None:
    assert _result((0,), extra=(9,))[-1] == "  against you     9"


def test_where_the_logs_are_is_said_if_there_are_any() -> None:
    result = Result("market", SEATS, (3, 5, 5), (1,), "finished", "00")
    assert kept_lines(result) == []
    assert kept_lines(replace(result, log="a\x1b.oak")) == ["Its log: a?.oak"]
    both = replace(result, log="a.oak", logs=("a.oak", "b.oak"))
    assert kept_lines(both) == ["All 2 logs agree and verify:", "  a.oak", "  b.oak"]


def test_whose_turn() -> None:
    game = Game.new(registry.rules("market"), 3)
    assert turn_line(game, SEATS) == "Waiting for A Ann, B Ben and C Cleo."
    game.answer(1, 0)
    assert turn_line(game, SEATS) == "Waiting for A Ann and C Cleo."
    assert turn_line(Game.new(registry.rules("five_towers"), 3), SEATS) == "Drawing."


def test_scores_say_where_they_come_from() -> None:
    game = Game.new(registry.rules("market"), 3)
    assert score_table(game, SEATS)[0] == "A Ann      0  (market 0)"
