"""Building (five towers 4)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oaknet.five_towers import FiveTowers
from oaknet.five_towers.building import EMPTY, fits, longest, may_tear_down
from oaknet.five_towers.scoring import topped_cards
from oaknet.kernel import IllegalChoice
from oaknet.registry import data_text
from tests.engine.five_towers.positions import RULES, asked, auction, cards, towers

NUMBERS = RULES.data.box.building
NEXT = "sand 1, sand 2, sand 3, sand 4, sand 5"


@pytest.mark.parametrize("value", range(16))
def test_any_card_begins_a_tower(value: int) -> None:
    assert fits(NUMBERS, EMPTY, value)


@pytest.mark.parametrize("value", range(16))
def test_nothing_lies_on_a_0(value: int) -> None:
    assert not fits(NUMBERS, 0, value)


@pytest.mark.parametrize("value", range(16))
def test_any_card_lies_on_an_8(value: int) -> None:
    assert fits(NUMBERS, 8, value)


@pytest.mark.parametrize("top", range(1, 16))
def test_a_9_lies_on_any_card_but_a_0(top: int) -> None:
    assert fits(NUMBERS, top, 9)


@pytest.mark.parametrize("top", [top for top in range(1, 16) if top != 8])
def test_other_cards_lie_on_greater_ones_only(top: int) -> None:
    assert [v for v in range(16) if v != 9 and fits(NUMBERS, top, v)] == [v for v in range(top) if v != 9]


def test_after_a_9_the_next_card_must_be_smaller_than_9() -> None:
    assert [value for value in range(16) if fits(NUMBERS, 9, value)] == [*range(9), 9]


def test_the_special_values_are_those_of_the_box() -> None:
    """Every other value has no power, be it lower or higher."""
    text = data_text("five_towers")
    for old, new in (
        ("takes_any = { value = 8", 5),
        ("goes_on_any = { value = 9", 7),
        ("tops = { value = 0", 3),
    ):
        assert old in text
        text = text.replace(old, f"{old.rpartition(' ')[0]} {new}")
    numbers = FiveTowers(text).data.box.building
    lie = {top: [value for value in range(10) if fits(numbers, top, value)] for top in range(10)}
    anything = {5: [*range(10)], 3: []}
    assert lie == {top: anything.get(top, sorted({*range(top), 7})) for top in range(10)}
    assert [top for top in range(10) if may_tear_down(numbers, (9, top))] == [0, 1, 2, *range(4, 10)]
    state = auction({"candy": (9, 3), "tree": (9, 2), "sand": (9, 4)}, {}, display=NEXT).state
    state.box = replace(state.box, building=numbers)
    assert topped_cards(state, state.players[0]) == 2


def test_a_higher_card_on_an_8_starts_a_new_descent() -> None:
    game = auction({"tree": (10, 8)}, {}, display="tree 15, tree 14, tree 3").play(3)
    # only one order builds all three, and without tearing down, so nothing was asked
    assert towers(game, 0) == {"tree": (10, 8, 15, 14, 3)}


def test_a_9_lies_on_a_low_card_and_the_tower_goes_on_below_9() -> None:
    game = auction({"tree": (10, 2)}, {}, display="tree 9, tree 7, candy 1, tree 12").play(3, "pass")
    game.play("none", ("tree", 9))
    assert asked(game) == (0, "card", [("candy", 1), ("tree", 7)])
    game.play(("tree", 7))
    assert towers(game, 0) == {"candy": (1,), "tree": (10, 2, 9, 7)}


def test_a_card_goes_on_the_tower_of_its_type_or_begins_it() -> None:
    game = auction({"tree": (10,)}, {}, display="tree 5, sand 12").play(2)
    game.play("none", ("tree", 5))
    assert towers(game, 0) == {"tree": (10, 5), "sand": (12,)}


def test_an_equal_card_does_not_fit() -> None:
    game = auction({"candy": (12, 5)}, {}, display="candy 5, tree 3, sand 2").play(2, "pass", "none")
    assert asked(game) == (0, "card", [("tree", 3), ("sand", 2)])


def test_of_two_equal_cards_one_is_offered() -> None:
    game = auction({}, {}, display="candy 5, candy 5, tree 3").play(1, "pass")
    assert asked(game) == (0, "card", [("candy", 5), ("tree", 3)])
    game.play(("candy", 5))
    assert game.state.discards == cards("candy 5, tree 3")


def test_two_equal_cards_cannot_both_be_built() -> None:
    assert asked(auction({}, {}, display="candy 5, candy 5, tree 3"))[2] == ["pass", 0, 1, 2]


def test_exactly_as_many_cards_as_bid_are_built_and_the_rest_discarded() -> None:
    game = auction({}, {}, display="candy 1, scary 2, tree 3, scrap 4, sand 5", deck=NEXT).play(2, "pass")
    game.play(("sand", 5), ("scary", 2))
    assert towers(game, 0) == {"sand": (5,), "scary": (2,)}
    assert game.state.discards == cards("candy 1, tree 3, scrap 4")
    assert game.state.owed == 0


def test_the_order_of_building_is_free() -> None:
    for first, second in ((("tree", 9), ("tree", 4)), (("tree", 4), ("tree", 9))):
        game = auction({}, {}, display="tree 4, tree 9", deck=NEXT).play(2, first)
        assert towers(game, 0) == {"tree": (first[1], second[1])}


def test_a_card_that_would_make_the_bid_unbuildable_is_not_offered() -> None:
    game = auction({}, {}, display="tree 2, tree 5, tree 11").play(3)
    assert towers(game, 0) == {"tree": (11, 5, 2)}  # one order only, so nothing was asked
    game = auction({}, {}, display="tree 2, tree 5, tree 11").play(2, "pass")
    assert asked(game) == (0, "card", [("tree", 5), ("tree", 11)])
    with pytest.raises(IllegalChoice):
        game.play(("tree", 2))


def test_a_0_may_not_come_before_what_the_bid_still_needs() -> None:
    game = auction({}, {}, display="tree 0, tree 9, candy 4").play(3)
    assert asked(game)[2] == [("candy", 4), ("tree", 9)]


def test_building_can_be_taken_back_until_it_is_done() -> None:
    game = auction({}, {}, display="candy 1, scary 2, tree 3", deck=NEXT).play(2, "pass")
    before = game.digest()
    game.play(("tree", 3))
    game.undo(0)
    assert game.digest() == before


# -- the look-ahead against trying everything ----------------------------------------------------------------


def stands(tower: tuple[int, ...]) -> bool:
    """Whether a tower is in order, read off the whole tower."""
    for below, above in pairwise(tower):
        if below == 0 or not (above == 9 or below == 8 or above < below):
            return False
    return True


@given(st.sampled_from([EMPTY, *range(16)]), st.lists(st.integers(0, 15), max_size=5))
def test_longest_is_the_longest_tower_of_all_orders(top: int, values: list[int]) -> None:
    base = () if top == EMPTY else (top,)
    every = [
        order for n in range(len(values) + 1) for order in permutations(values, n) if stands(base + order)
    ]
    assert longest(NUMBERS, top, tuple(values)) == max(map(len, every))
