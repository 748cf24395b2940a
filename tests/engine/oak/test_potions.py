"""oak 10: brewing."""

from __future__ import annotations

import pytest

from oaknet.oak.potions import tile_payments
from oaknet.oak.state import State
from oaknet.oak.tables import POTIONS_BREWED, RITUAL
from tests.engine.oak.positions import asked, day, give, offered, play


def brewing(*ingredients: str) -> State:
    """Seat 0 can only play Ritual."""
    s = day()
    s.players[0].hand, s.players[0].resources = [RITUAL], [0, 0, 4]
    give(s, 0, *ingredients)
    return s


@pytest.mark.parametrize(
    ("ingredients", "points"),
    [
        (("bark", "root", "acorn"), 3),
        (("bark", "root", "acorn", "mushroom"), 5),
        (("bark", "root", "blueberry", "acorn", "mushroom"), 7),
    ],
)
def test_darkwood_is_worth_more_with_more_kinds(ingredients: tuple[str, ...], points: int) -> None:
    game = play(brewing(*ingredients), "ritual", "temple", 2)
    if len(ingredients) > 3:
        assert asked(game)[1] == "ingredients"
        game.play(ingredients)
    p = game.state.players[0]
    assert p.vp == p.ledger[POTIONS_BREWED] == points
    assert p.markers == 1
    assert p.ingredients == [0] * 5
    assert game.state.bag == [8] * 5
    assert p.resources == [0, 0, 1]


def test_darkwood_takes_one_set_of_different_ingredients() -> None:
    game = play(brewing("bark", "bark", "root", "root", "acorn", "acorn"), "ritual", "temple", 2)
    assert game.state.players[0].ingredients == [1, 1, 0, 1, 0]
    assert game.state.players[0].vp == 3


def test_two_kinds_are_too_few() -> None:
    assert offered(play(brewing("bark", "bark", "root", "root"), "ritual", "temple")) == [1, 3]


def test_a_smaller_set_may_be_chosen() -> None:
    game = play(brewing("bark", "root", "acorn", "mushroom"), "ritual", "temple", 2)
    sets = offered(game)
    assert sets[0] == ("bark", "root", "acorn", "mushroom")
    assert len(sets) == 5
    game.play(("bark", "root", "mushroom"))
    assert game.state.players[0].ingredients == [0, 0, 0, 1, 0]


def test_a_wild_ingredient_is_any() -> None:
    s = brewing("acorn", "acorn", "bark")
    assert tile_payments(s, 0, 1) == [(0, 3), (3, 3)]
    assert tile_payments(s, 0, 10) == []
