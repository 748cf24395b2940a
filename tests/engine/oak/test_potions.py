"""oak 10: brewing."""

from __future__ import annotations

import pytest

from oaknet.oak.box import Cost
from oaknet.oak.potions import tile_sets
from oaknet.oak.state import State
from oaknet.oak.tables import POTIONS, POTIONS_BREWED, RITUAL, RUNE, Action
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


def test_tiles_without_a_reward_are_not_brewed() -> None:
    s = brewing("acorn", "bark")
    s.potions = [1, 6, 11]
    assert offered(play(s, "ritual", "temple")) == [1, 3]


def test_a_tile_with_a_reward_is_brewed_by_its_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    def runes_short(s: State, seat: int, owed: Cost) -> bool:
        return s.players[seat].resources[RUNE] - owed[RUNE] < 9

    async def runes_to_the_end(s: State, seat: int) -> None:
        s.players[seat].resources[RUNE] = 9

    reward = Action(runes_short, runes_to_the_end)
    monkeypatch.setitem(POTIONS, 10, POTIONS[10]._replace(reward=reward))
    s = brewing("acorn", "root", "bark")
    s.potions = [1, 10, 11]
    game = play(s, "ritual", "temple", 2)
    assert asked(game) == (0, "potion", ["darkwood", 10])
    game.play(10)
    p = game.state.players[0]
    assert p.resources == [0, 0, 9]
    assert p.ingredients == [1, 0, 0, 0, 0]
    assert p.markers == 1
    assert p.vp == 0
    s.players[0].ingredients[0] = 0
    s.bag[0] += 1
    game = play(s, "ritual", "temple", 2)  # no Darkwood, one tile, one way: no question
    assert game.state.players[0].resources == [0, 0, 9]
    s.players[0].resources[RUNE] = 9
    assert offered(play(s, "ritual", "temple")) == [1, 2, 3]


def test_a_wild_ingredient_is_any() -> None:
    s = brewing("acorn", "acorn", "bark")
    assert tile_sets(s, s.players[0], 1) == [(0, 3), (3, 3)]
    assert tile_sets(s, s.players[0], 10) == []
