"""The auction (five towers 3)."""

from __future__ import annotations

import pytest

from oaknet.five_towers.state import BUILD
from oaknet.kernel import IllegalChoice
from tests.engine.five_towers.positions import asked, auction, cards, towers

FIVE = "candy 1, scary 2, tree 3, scrap 4, sand 5"
NEXT = "candy 15, scary 15, tree 15, scrap 15, sand 15"
CLOSED = {"candy": (0,), "scary": (0,), "tree": (0,), "scrap": (0,), "sand": (0,)}


def test_each_is_asked_once_from_the_start_player_clockwise() -> None:
    game = auction({}, {}, {}, display=FIVE, start_player=1)
    seats: list[int] = []
    for answer in ("pass", 1, 2):
        seats.append(asked(game)[0])
        game.play(answer)
    assert seats == [1, 2, 0]
    assert game.state.phase == BUILD


def test_the_first_bid_may_be_anything_from_0_to_5() -> None:
    assert asked(auction({}, {}, display=FIVE)) == (0, "bid", ["pass", 0, 1, 2, 3, 4, 5])


def test_a_bid_must_be_higher_than_all_before() -> None:
    game = auction({}, {}, {}, display=FIVE).play(3, "pass")
    assert asked(game) == (2, "bid", ["pass", 4, 5])


def test_0_may_be_bid_after_passes() -> None:
    assert asked(auction({}, {}, display=FIVE).play("pass")) == (1, "bid", ["pass", 0, 1, 2, 3, 4, 5])


def test_0_may_not_be_bid_after_0() -> None:
    assert asked(auction({}, {}, display=FIVE).play(0)) == (1, "bid", ["pass", 1, 2, 3, 4, 5])


def test_only_what_can_be_built_may_be_bid() -> None:
    game = auction({"candy": (0,), "scary": (2,), "tree": (5, 4)}, {}, display=FIVE)
    assert asked(game) == (0, "bid", ["pass", 0, 1, 2, 3, 4])  # candy is topped; 2 fits on 2 with a tear-down
    with pytest.raises(IllegalChoice):
        game.play(5)


def test_a_bid_may_count_on_one_tear_down_but_not_on_two() -> None:
    stuck = {"candy": (1,), "scary": (1,), "tree": (0,), "scrap": (0,), "sand": (0,)}
    game = auction(stuck, {}, display=FIVE)
    assert asked(game) == (0, "bid", ["pass", 0, 1])


def test_a_topped_tower_cannot_be_counted_on() -> None:
    assert asked(auction(CLOSED, {}, display=FIVE)) == (0, "bid", ["pass", 0])


def test_who_can_only_pass_is_not_asked() -> None:
    game = auction({}, CLOSED, {}, display=FIVE).play(1)
    assert asked(game)[0] == 2
    assert game.state.bids == [1, -1]


def test_5_ends_the_auction_at_once() -> None:
    game = auction({}, {}, {}, display=FIVE).play(5)
    assert game.state.bids == [5]
    assert asked(game)[:2] == (0, "card")


def test_the_size_of_a_short_display_is_the_highest_bid_and_ends_the_auction() -> None:
    game = auction({}, {}, {}, display="candy 3, tree 4")
    assert asked(game) == (0, "bid", ["pass", 0, 1, 2])
    game.play(2)
    assert game.state.bids == [2]
    assert asked(game)[:2] == (0, "card")


def test_the_highest_bid_wins_even_if_others_pass_after_it() -> None:
    game = auction({}, {}, {}, display=FIVE, start_player=2).play(1, 3, "pass")
    assert asked(game)[:2] == (0, "card")
    assert game.state.owed == 3


@pytest.mark.parametrize("bids", [("pass", "pass"), (0, "pass"), ("pass", 0)])
def test_without_a_bid_above_0_nothing_is_built_or_torn_down(bids: tuple[int | str, ...]) -> None:
    standing = {"candy": (9, 4)}
    game = auction(standing, standing, display=FIVE, deck=NEXT).play(*bids)
    assert asked(game)[1] == "reveal"
    assert game.state.discards == cards(FIVE)
    assert game.state.start_player == 1
    assert [towers(game, seat) for seat in range(2)] == [standing, standing]
    assert [player.torn_down for player in game.state.players] == [[], []]


def test_a_bid_names_no_cards() -> None:
    game = auction({}, {}, display=FIVE).play(1, "pass")
    assert asked(game) == (0, "card", [("candy", 1), ("scary", 2), ("tree", 3), ("scrap", 4), ("sand", 5)])
