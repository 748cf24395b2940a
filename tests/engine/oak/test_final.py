"""oak 12: the last potion, the winners, the breakdown."""

from __future__ import annotations

from oaknet.kernel import Game
from oaknet.oak.state import FINAL, OVER, State
from oaknet.oak.tables import BRANCHES, OTHER
from tests.engine.oak.positions import RULES, asked, day, give, on_branch


def last(*points: int) -> State:
    """The final scoring of seats with so many points."""
    s = day(*("fox", "wild", "bee")[: len(points)])
    s.phase = FINAL
    for p, n in zip(s.players, points, strict=True):
        p.ledger[OTHER] = n
    return s


def test_each_seat_may_brew_darkwood_once_more() -> None:
    s = last(0, 0)
    give(s, 0, "bark", "root", "acorn", "mushroom", "mushroom")
    give(s, 1, "bark", "root", "acorn")
    game = Game(RULES, s)
    assert asked(game) == (0, "last", [4, 3, "decline"])
    game.play(4)
    assert asked(game) == (1, "last", [3, "decline"])
    game.play("decline")
    assert game.over
    assert game.state.phase == OVER
    assert RULES.score(game.state) == (5, 0)
    assert game.state.players[0].markers == 1


def test_without_a_set_nobody_is_asked() -> None:
    assert Game(RULES, last(1, 2)).over


def test_most_points_win() -> None:
    assert RULES.winners(last(10, 12, 11)) == (1,)


def test_a_tie_goes_to_most_steps_tips_included() -> None:
    s = last(10, 10, 9)
    on_branch(s.players[0], 0, 4)
    on_branch(s.players[0], 1, 1)
    on_branch(s.players[1], 0, 3)
    on_branch(s.players[1], 2, 1)
    on_branch(s.players[2], 0, 6)
    assert RULES.winners(s) == (0,)
    s.players[1].space[s.players[1].place.index(8)] = 6
    assert RULES.winners(s) == (1,)


def test_who_ties_in_steps_too_wins_together() -> None:
    s = last(10, 10)
    on_branch(s.players[0], 0, 4)
    on_branch(s.players[1], 2, 5)
    assert RULES.winners(s) == (0, 1)


def test_the_breakdown_adds_up_to_the_score() -> None:
    s = last(7, 0)
    s.players[0].ledger[BRANCHES] = 8
    assert RULES.breakdown(s, 0) == {
        "branches": 8,
        "tips": 0,
        "creatures": 0,
        "shrines and menhirs": 0,
        "potions": 0,
        "artifacts": 0,
        "other": 7,
    }
    assert RULES.score(s)[0] == 15
