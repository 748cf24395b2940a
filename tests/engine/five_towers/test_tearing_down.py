"""Tearing down (five towers 5)."""

from __future__ import annotations

from oaknet.five_towers.state import BUILD
from tests.engine.five_towers.positions import asked, auction, cards, towers

NEXT = "sand 1, sand 2, sand 3, sand 4, sand 5"


def test_it_is_offered_even_if_it_is_not_needed() -> None:
    game = auction({"candy": (9, 4), "sand": (7,)}, {}, display="tree 3, scrap 4").play(1, "pass")
    assert asked(game) == (0, "tear down", ["none", "candy", "sand"])


def test_none_is_not_offered_if_the_bid_needs_it() -> None:
    game = auction({"candy": (12, 4), "sand": (7,)}, {}, display="candy 5, tree 3", deck=NEXT).play(2)
    # candy alone makes room for the 5, so nothing is asked
    assert game.state.players[0].torn_down == cards("candy 4")
    assert asked(game) == (0, "card", [("candy", 5), ("tree", 3)])


def test_only_what_leaves_the_bid_buildable_is_offered() -> None:
    game = auction({"candy": (4,), "tree": (4,)}, {}, display="candy 5, tree 5", deck=NEXT)
    assert asked(game)[2] == ["pass", 0, 1]
    game.play(1, "pass")
    assert asked(game) == (0, "tear down", ["candy", "tree"])


def test_the_card_goes_before_the_new_cards_come() -> None:
    game = auction({"candy": (12, 4)}, {}, display="candy 5, tree 3", deck=NEXT).play(1, "pass")
    game.play("candy")
    assert (game.state.phase, game.state.display) == (BUILD, cards("candy 5, tree 3"))
    assert towers(game, 0) == {"candy": (12,)}
    game.play(("candy", 5))
    assert towers(game, 0) == {"candy": (12, 5)}


def test_only_one_card_may_be_torn_down_in_an_auction() -> None:
    game = auction({"candy": (9, 4, 3)}, {}, display="tree 3, scrap 4, sand 2").play(2, "pass", "candy")
    assert asked(game)[1] == "card"
    game.play(("tree", 3))
    assert asked(game)[1] == "card"


def test_a_0_is_never_torn_down() -> None:
    game = auction({"candy": (4, 0), "sand": (7,), "tree": (0,)}, {}, display="scary 3, scrap 4").play(
        1, "pass"
    )
    assert asked(game) == (0, "tear down", ["none", "sand"])


def test_only_own_cards_may_be_torn_down() -> None:
    game = auction({}, {"candy": (4,)}, display="scary 3, scrap 4").play(1, "pass")
    assert asked(game)[1] == "card"


def test_a_tower_of_one_card_may_be_torn_down_and_begun_anew() -> None:
    game = auction({"candy": (4,)}, {}, display="candy 15, scrap 4", deck=NEXT).play(1, "pass", "candy")
    game.play(("candy", 15))
    assert towers(game, 0) == {"candy": (15,)}


def test_tearing_down_an_8_takes_its_freedom_away() -> None:
    game = auction({"candy": (12, 8)}, {}, display="candy 15, scrap 4").play(1, "pass", "candy")
    assert game.state.players[0].torn_down == cards("candy 8")
    assert towers(game, 0) == {"candy": (12,), "scrap": (4,)}  # 15 does not fit on 12


def test_nothing_is_torn_down_for_a_card_that_could_not_follow() -> None:
    game = auction({"candy": (12, 8)}, {}, display="candy 15, tree 4").play(2)
    assert game.state.players[0].torn_down == []  # the 15 needs the 8: "none" is the only way


def test_a_torn_down_card_is_set_aside_for_good() -> None:
    game = auction({"candy": (9, 4)}, {}, display="tree 3, scrap 4", discards=NEXT, times_through=1)
    game.play(1, "pass", "candy", ("tree", 3))
    assert game.state.players[0].torn_down == cards("candy 4")
    assert game.state.deck.cards() == cards(NEXT + ", scrap 4")


def test_cards_may_be_torn_down_again_in_later_rounds() -> None:
    game = auction({"candy": (9, 4)}, {}, display="tree 3, scrap 4", deck="sand 1, sand 2")
    game.play(1, "pass", "candy", ("tree", 3))
    game.play(*cards("sand 1"))
    game.play("pass", 1, "candy", ("sand", 2))
    assert game.state.players[0].torn_down == cards("candy 4, candy 9")


def test_the_set_aside_cards_are_kept_sorted() -> None:
    game = auction({"candy": (2,), "tree": (3,)}, {}, display="sand 3, scrap 4", deck="sand 1, sand 2")
    game.play(1, "pass", "tree", ("scrap", 4), *cards("sand 1"), "pass", 1, "candy", ("sand", 2))
    assert game.state.players[0].torn_down == cards("candy 2, tree 3")
