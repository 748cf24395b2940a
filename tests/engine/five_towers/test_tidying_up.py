"""Tidying up, the second time through the deck, and the end (five towers 6)."""

from __future__ import annotations

from oaknet.five_towers.state import REVEAL
from oaknet.kernel import CHANCE
from tests.engine.five_towers.positions import asked, auction, cards, towers

FIVE = "candy 1, scary 2, tree 3, scrap 4, sand 5"
NEXT = "candy 15, scary 15, tree 15, scrap 15, sand 15"


def test_the_rest_of_the_display_is_discarded() -> None:
    game = auction({}, {}, display=FIVE, deck=NEXT, discards="sand 9").play(4, "pass")
    game.play(("candy", 1), ("tree", 3), ("scrap", 4), ("sand", 5))
    assert game.state.discards == cards("scary 2, sand 9")
    assert game.state.display == []
    assert game.state.bids == []


def test_the_start_player_moves_to_the_left_whoever_won() -> None:
    for answers in (
        ("pass", "pass", "pass"),
        (1, "pass", "pass", ("candy", 1)),
        ("pass", 1, "pass", ("candy", 1)),
    ):
        game = auction({}, {}, {}, display=FIVE, deck=NEXT, start_player=1).play(*answers)
        assert game.state.start_player == 2


def test_the_last_seat_hands_the_start_to_the_first() -> None:
    game = auction({}, {}, {}, display=FIVE, deck=NEXT, start_player=2).play("pass", "pass", "pass")
    assert game.state.start_player == 0


def test_the_discards_become_the_deck_in_an_order_nobody_knows() -> None:
    game = auction({}, {}, display=FIVE, discards="sand 9, sand 8", times_through=1).play("pass", "pass")
    assert game.state.deck.layers == (tuple(cards(FIVE + ", sand 9, sand 8")),)
    assert game.state.discards == []
    assert game.state.times_through == 2
    assert asked(game)[:2] == (CHANCE, "reveal")


def test_the_deck_is_not_refilled_before_it_is_used_up() -> None:
    game = auction({}, {}, display=FIVE, deck="candy 7", times_through=1).play("pass", "pass")
    assert game.state.display == cards("candy 7")  # one card is left, so it is revealed unasked
    assert game.state.discards == cards(FIVE)
    assert game.state.times_through == 1


def test_the_last_display_may_be_short() -> None:
    game = auction({}, {}, display=FIVE, deck="candy 7, candy 6, candy 5").play("pass", "pass")
    game.play(*cards("candy 6, candy 7"))
    assert game.state.display == cards("candy 5, candy 6, candy 7")
    assert asked(game) == (1, "bid", ["pass", 0, 1, 2, 3])


def test_the_game_ends_when_the_deck_is_used_up_for_the_second_time() -> None:
    game = auction({}, {}, display=FIVE, discards="sand 9").play(1, "pass", ("candy", 1))
    assert game.over
    assert towers(game, 0) == {"candy": (1,)}
    assert game.state.discards == cards("scary 2, tree 3, scrap 4, sand 5, sand 9")


def test_the_game_ends_after_the_first_time_if_nothing_was_discarded() -> None:
    game = auction({}, {}, display="candy 4, sand 4", times_through=1).play(2, ("candy", 4))
    assert game.over
    assert game.state.discards == []


def test_each_card_nobody_builds_is_auctioned_twice() -> None:
    game = auction({}, {}, display=FIVE, deck=NEXT, times_through=1)
    rounds = 0
    while game.pending:
        ask = game.pending[0]
        rounds += ask.about == "bid" and ask.seat == game.state.start_player
        game.answer(ask.seat, ask.options[0])
    assert rounds == 4  # ten cards, five a round, twice
    assert game.state.phase == REVEAL
