"""Elo ratings from games."""

from __future__ import annotations

import pytest

from oaknet.kernel import Rng
from oaknet_client.arena import Played
from oaknet_client.ratings import ratings


def games(one: str, other: str, won: int, lost: int) -> list[Played]:
    return [Played((one, other), (1, 0), (0,))] * won + [Played((other, one), (1, 0), (0,))] * lost


def test_three_in_four_are_a_difference_of_about_191_points() -> None:
    found = ratings(games("a", "b", 750, 250), 2)
    assert found["a"].elo - found["b"].elo == pytest.approx(190.8, abs=1)
    assert found["a"].elo + found["b"].elo == pytest.approx(0)


def test_strength_is_carried_over_from_those_whom_both_have_met() -> None:
    found = ratings(games("a", "b", 75, 25) + games("b", "c", 75, 25), 1)
    assert found["a"].elo - found["c"].elo == pytest.approx(380, abs=12)


def test_who_has_won_all_has_a_rating_all_the_same() -> None:
    found = ratings(games("a", "b", 20, 0), 1)
    assert 400 < found["a"].elo - found["b"].elo < 1000


def test_of_those_who_did_not_win_the_points_decide_and_shared_victories_are_drawn() -> None:
    found = ratings([Played(("a", "b", "c"), (9, 5, 2), (0,))] * 40, 1)
    assert found["a"].elo > found["b"].elo > found["c"].elo
    drawn = ratings([Played(("a", "b"), (7, 7), (0, 1))] * 40, 1)
    assert drawn["a"].elo == pytest.approx(0)
    assert (drawn["a"].low, drawn["a"].high) == pytest.approx((0, 0))


def test_the_interval_holds_the_truth_about_19_times_in_20() -> None:
    draw, held = Rng(b"truth"), 0
    for _ in range(40):
        won = sum(draw.below(4) > 0 for _ in range(100))
        found = ratings(games("a", "b", won, 100 - won), 1)["a"]
        held += found.low <= 190.8 / 2 <= found.high
    assert 33 <= held <= 40


def test_one_bot_alone_has_no_rating_but_nought() -> None:
    found = ratings([Played(("a",), (3,), (0,)), Played(("a", "a"), (3, 4), (1,))], 1)
    assert found["a"].elo == found["a"].low == found["a"].high == 0
