"""oak 16: the creatures, one by one, by the numbers printed on them."""

from __future__ import annotations

import pytest

from oaknet.kernel import CHANCE, Deck, Game, Option
from oaknet.oak.queries import rest_places, slot_free, slots
from oaknet.oak.state import DAWN, DUSK, FINAL, OVER, State
from oaknet.oak.tables import BELOW, CREATURE_CARDS, KNOWLEDGE, OTHER, RITUAL, RUNE, STORYTELLING, WORSHIP
from tests.engine.oak.positions import (
    RULES,
    all_pass,
    asked,
    day,
    druids,
    give,
    grow,
    offered,
    on_branch,
    play,
    rests,
    temple,
)


def owning(*creatures: int, order: str = "bee", hand: int = STORYTELLING) -> State:
    """Seat 0 owns these creatures and can play one moot card only; the second seat is a Fox."""
    s = day(order, "fox")
    p = s.players[0]
    p.creatures, p.hand, p.limits = list(creatures), [hand], [4, 4]
    return s


def resources(game: Game[State], seat: int = 0) -> list[int]:
    return game.state.players[seat].resources


# -- exchanging (16.1) ---------------------------------------------------------------------------------------


def exchanges(card: int, given: int) -> None:
    """Any amount of one resource for another, each way once a turn, and one by one at a shortage."""
    names = ["feather", "mistletoe", "rune"]
    first, second = (name for name in names if name != names[given])
    s = owning(card, hand=RITUAL)
    game = play(s, f"creature-{card}")
    assert asked(game)[1:] == ("take", [first, second])
    game.play(first, 4)
    assert resources(game)[given] == 2
    assert resources(game)[names.index(first)] == 9  # one is lost
    game.play(f"creature-{card}")
    assert asked(game)[1] == "amount"  # the other way alone is left
    game.play(1)
    assert f"creature-{card}" not in offered(game)
    s.players[0].resources = [0, 0, 0]
    s.players[0].resources[given] = 5
    s.players[0].hand = [next(c for c, kind in ((KNOWLEDGE, 1), (RITUAL, 2)) if kind != given)]
    game = play(s, ["knowledge", "ritual"][s.players[0].hand == [RITUAL]], "oak")
    assert resources(game)[given] == 2
    assert game.state.players[0].vp == 2


def test_sluagh_na_marbh_exchanges_feathers() -> None:
    exchanges(1, 0)


def test_bodach_exchanges_mistletoe() -> None:
    exchanges(2, 1)


def test_selkie_exchanges_runes() -> None:
    exchanges(3, 2)


def test_an_exchange_at_a_shortage_leaves_what_else_is_to_be_paid() -> None:
    """Slúagh with feathers for a menhir's mistletoe: the feathers of the menhir itself are kept."""
    s = owning(1)
    rests(s.players[0], "bard")
    s.players[0].resources = [5, 1, 3]
    game = play(s, "menhir")
    assert game.state.players[0].vp == 6
    assert resources(game) == [0, 0, 0]
    s.players[0].resources = [4, 1, 3]
    assert "menhir" not in offered(Game(RULES, s))


def test_what_is_to_be_paid_itself_is_not_exchanged() -> None:
    """Runic Power with (3, 1, 2): the mistletoe is due, so the missing rune comes for ingredients."""
    s = owning(2, order="wild", hand=STORYTELLING)
    s.potions, s.players[0].resources = [6], [8, 1, 1]
    give(s, 0, "acorn", "blueberry", "bark", "blueberry")
    game = play(s, "order-brew", 6, (3, 1, 2))
    assert resources(game) == [5, 0, 0]
    assert game.state.players[0].ingredients == [0] * 5


def test_at_a_shortage_one_says_what_to_give() -> None:
    """All three exchangers: feathers or runes for mistletoe; mistletoe itself is no answer."""
    s = owning(1, 2, 3, hand=KNOWLEDGE)
    s.players[0].resources = [2, 2, 2]
    game = play(s, "knowledge", "oak")
    assert asked(game) == (0, "trade", ["feather", "rune"])
    assert resources(game.play("rune")) == [2, 0, 1]


# -- temple spaces (16.2, 16.3) ------------------------------------------------------------------------------


def test_boggart_makes_any_space_a_1_stone_space() -> None:
    s = owning(4, hand=KNOWLEDGE)
    s.neutrals = [3]  # on the 1-stone space itself
    game = play(s, "knowledge", "temple", 2)
    assert asked(game) == (0, "as", [1, 2])
    game.play(1, "acorn")
    assert temple(game.state.players[0]) == [4]
    assert druids(game.state.players[0], "rest") == ["regular"] * 2  # no second druid was sent
    assert resources(game) == [6, 3, 6]


def test_dobhar_chu_makes_any_space_a_2_stone_space() -> None:
    s = owning(5)
    game = play(s, "storytelling", "temple", 3)
    assert asked(game) == (0, "as", [2, 3])
    game.play(2, 1)
    assert game.state.players[0].creatures == [5, 1]
    assert resources(game) == [0, 6, 6]
    assert temple(game.state.players[0]) == [2]


def test_each_uisge_makes_any_space_a_3_stone_space() -> None:
    s = owning(6, hand=KNOWLEDGE)
    s.players[0].hand = [KNOWLEDGE]
    s.neutrals = [3]
    rests(s.players[0], "regular", "regular")
    game = play(s, "knowledge", "temple", 1, 3)  # occupied as it is: a second druid is due
    assert asked(game)[1] == "upgrade"
    assert resources(game) == [6, 0, 6]
    assert temple(game.state.players[0]) == [3]
    assert druids(game.state.players[0], "rest") == []


@pytest.mark.parametrize(
    ("card", "hand", "answers", "left"),
    [
        (7, STORYTELLING, ["storytelling", "temple", 1, "yes", "above"], [4, 6, 6]),
        (8, KNOWLEDGE, ["knowledge", "temple", 1, "yes", "bark"], [6, 2, 6]),
        (9, RITUAL, ["ritual", "temple", 1, "yes"], [6, 6, 2]),
    ],
)
def test_a_rider_adds_the_oak_action(card: int, hand: int, answers: list[Option], left: list[int]) -> None:
    s = owning(card, hand=hand)
    rests(s.players[0], "regular")
    s.players[0].limits = [3, 4] if hand != STORYTELLING else [3, 3]
    game = Game(RULES, s).play(*answers)
    while game.pending and asked(game)[:2] == (0, "recruit"):
        game.play("done")
    assert resources(game) == left
    assert game.state.players[0].ledger[:2] == [2, 0]
    assert game.state.rider == -1
    refused = Game(RULES, s).play(*["no" if answer == "yes" else answer for answer in answers])
    assert refused.state.players[0].vp == 0


def test_cu_sith_adds_the_feather_oak_action() -> None:
    game = play(owning(7, hand=WORSHIP), "worship", "temple", 2, "yes", "rune")
    p = game.state.players[0]
    assert p.vp == 4
    assert resources(game) == [4, 6, 6]
    assert [p.place.count(8 + branch) for branch in range(3)] == [1, 0, 1]


def test_buggane_adds_the_mistletoe_oak_action() -> None:
    s = owning(8, hand=KNOWLEDGE)
    game = play(s, "knowledge", "temple", 2, "yes", "elder")
    assert game.state.players[0].vp == 4
    assert resources(game) == [6, 0, 6]
    s.players[0].resources = [6, 5, 6]  # no sixth to pay with
    assert play(s, "knowledge", "temple", 2, "elder").state.players[0].vp == 2


def test_yan_gant_y_tan_adds_the_rune_oak_action() -> None:
    s = owning(9, hand=RITUAL)
    game = play(s, "ritual", "temple", 3, "yes", "worship")
    assert game.state.players[0].vp == 2
    assert resources(game) == [6, 6, 1]


def test_movements_of_one_turn_go_from_left_to_right() -> None:
    """Worship's step on the rune branch comes after the feather Oak action, whose token brings the
    Festival."""
    s = owning(7, hand=WORSHIP)
    p = s.players[0]
    on_branch(p, 0, 2)
    on_branch(p, RUNE, 1)
    p.resources, s.sun = [2, 0, 0], 2
    game = play(s, "worship", 2, "yes", "rune")
    assert resources(game) == [2, 0, 1]  # the rune druid still stood on space 1
    assert game.state.players[0].vp == 4


def test_a_movement_further_left_does_not_take_the_other_ones_druid() -> None:
    """A single druid on the roots: it goes where Worship sends it, and the Oak action lapses."""
    s = owning(7, hand=WORSHIP)
    p = s.players[0]
    p.place = [0, 0, 0, 1, 2, 2, 2, 2, 2]
    game = play(s, "worship", "temple", 2, "yes", "rune")
    p = game.state.players[0]
    assert [p.place.count(8 + branch) for branch in range(3)] == [0, 0, 1]
    assert p.vp == 2


# -- Dawn (16.8) ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "kind"), [(10, 0), (11, 1), (12, 2)])
def test_dawn_creatures_bring_resources(card: int, kind: int) -> None:
    s = owning(card)
    s.phase, s.players[0].resources = DAWN, [0, 0, 0]
    assert resources(Game(RULES, s)) == [5 if k == kind else 3 for k in range(3)]


def test_ceiliog_lugus_brings_feathers() -> None:
    test_dawn_creatures_bring_resources(10, 0)


def test_korrigan_brings_mistletoe() -> None:
    test_dawn_creatures_bring_resources(11, 1)


def test_pixie_queen_brings_runes() -> None:
    test_dawn_creatures_bring_resources(12, 2)


def test_aos_si_draws_an_ingredient() -> None:
    s = owning(13)
    s.phase = DAWN
    game = Game(RULES, s)
    assert asked(game)[:2] == (CHANCE, "bag")
    game.play("mushroom")
    assert game.state.players[0].ingredients == [0, 0, 0, 0, 1]
    assert game.state.bag[4] == 7
    s.bag = [0] * 5
    assert asked(Game(RULES, s))[1] == "turn"


# -- Festivals (16.9, 16.10) ---------------------------------------------------------------------------------


def at_a_festival(*creatures: int) -> State:
    """Seat 0 steps onto the rune fork with ritual's Oak action: the sun moves to 3, level with 15."""
    s = owning(*creatures, hand=RITUAL)
    on_branch(s.players[0], RUNE, 2)
    s.sun = 2
    return s


def test_aonbharr_gains_one_more_of_each_kind() -> None:
    s = at_a_festival(14)
    on_branch(s.players[0], 0, 4)
    s.players[0].resources = [0, 0, 3]
    assert resources(play(s, "ritual", "oak")) == [4, 0, 3]


def test_bugul_noz_gains_two_of_a_kind_whoever_is_ahead() -> None:
    s = at_a_festival(15)
    s.players[0].ledger[OTHER] = 99
    s.players[0].resources = [9, 1, 3]
    game = play(s, "ritual", "oak")
    assert asked(game) == (0, "festival", ["mistletoe", "rune"])
    game.play("rune")
    assert resources(game) == [9, 1, 2]


def test_bugul_noz_is_asked_in_anothers_turn_and_aonbharr_adds_to_it() -> None:
    s = at_a_festival()
    s.players[1].creatures, s.players[1].resources = [15, 14], [0, 0, 0]
    game = play(s, "ritual", "oak")
    assert asked(game) == (1, "festival", ["feather", "mistletoe", "rune"])
    game.play("mistletoe")
    assert resources(game, 1) == [0, 3, 0]
    s.players[1].resources = [9, 9, 9]
    assert asked(play(s, "ritual", "oak"))[1] == "turn"


# -- discounts (16.4) ----------------------------------------------------------------------------------------


def test_caoineag_lowers_temple_actions() -> None:
    game = play(owning(16, hand=KNOWLEDGE), "knowledge", "temple", 2, "elder")
    assert resources(game) == [6, 2, 6]
    game = play(owning(16, hand=KNOWLEDGE), "knowledge", "oak")
    assert resources(game) == [6, 3, 6]  # no Oak action
    assert resources(play(owning(16, hand=WORSHIP), "worship", "temple", 2, "rune")) == [6, 6, 6]


def test_fear_gorta_lowers_taking_a_creature() -> None:
    game = play(owning(20), "storytelling", "temple", 2, 1)
    assert resources(game) == [2, 6, 6]
    assert resources(play(owning(20), "storytelling", "temple", 3, 1)) == [0, 6, 6]


def test_fachan_lowers_a_menhir_by_any_three() -> None:
    s = owning(26)
    rests(s.players[0], "bard")
    game = play(s, "menhir")
    assert (3, 3, 0) in offered(game)
    assert (2, 2, 2) in offered(game)
    assert len(offered(game)) == 10
    assert resources(game.play((3, 3, 0))) == [3, 3, 6]


def test_the_unseelie_court_lowers_limit_steps() -> None:
    s = owning(30)
    s.players[0].limits, s.players[0].resources = [1, 1], [1, 0, 2]
    game = play(s, "limit", "below")
    assert offered(game) == [(1, 0, 0), (0, 0, 1)]
    assert resources(game.play((0, 0, 1))) == [1, 0, 1]
    game = play(s, "storytelling", "below")  # Storytelling's step costs nothing
    assert resources(game) == [1, 0, 2]
    assert game.state.players[0].limits == [1, 2]


def test_discounts_add_up_and_stop_at_nothing() -> None:
    s = owning(16, 20)
    rests(s.players[0], "arch-druid")
    s.players[0].resources = [1, 0, 0]
    assert resources(play(s, "storytelling", 2)) == [0, 0, 0]  # 6 - 2 - 1 - 2
    s.players[0].resources = [0, 0, 0]
    s.players[0].hand = [WORSHIP]
    assert resources(play(s, "worship", 2, "rune")) == [0, 0, 0]


# -- brewing (16.5, 16.6) ------------------------------------------------------------------------------------


def test_clurichaun_gives_an_ingredient_back() -> None:
    s = owning(17, order="wild")
    give(s, 0, "bark", "root", "acorn")
    game = play(s, "order-brew")
    assert asked(game) == (0, "reclaim", ["bark", "root", "acorn"])
    game.play("acorn")
    p = game.state.players[0]
    assert p.ingredients == [0, 0, 0, 1, 0]
    assert (p.vp, p.markers) == (3, 1)
    assert game.state.bag == [8, 8, 8, 7, 8]


def test_clurichaun_may_give_back_what_the_reward_needs() -> None:
    """Renewal of Ritual's brew, with nothing else to repeat: it is possible only with what comes back."""
    s = owning(17, order="wild", hand=RITUAL)
    give(s, 0, "mushroom", "root", "acorn", "bark")
    p = s.players[0]
    p.played, p.hand, s.potions = [RITUAL], [0, 1, 2, 3, 4, 5], [9]
    rests(p, *["regular"] * 3)
    for branch in range(3):
        on_branch(p, branch, 6)
    p.place = [2 if place == 1 else place for place in p.place]
    game = play(s, "order-brew")
    assert asked(game)[:2] == (0, "potion")
    game.play(9)
    assert asked(game) == (0, "reclaim", ["root", "mushroom"])
    game.play("root")  # Darkwood of root, acorn, bark follows: there is no other way
    assert asked(game)[1] == "reclaim"
    assert game.state.players[0].markers == 2


def test_fear_dearg_lets_resources_stand_for_ingredients() -> None:
    s = owning(18, order="wild")
    give(s, 0, "bark", "root")
    s.players[0].resources = [2, 1, 1]
    game = play(s, "order-brew")
    assert asked(game)[1] == "ingredients"
    assert ("bark", "root", "resources") in offered(game)
    assert ("bark", "root", "resources", "resources") in offered(game)
    assert ("bark", "resources", "resources", "resources") not in offered(game)
    game.play(("bark", "root", "resources"))
    assert asked(game)[1] == "pay"
    game.play((1, 0, 1))
    p = game.state.players[0]
    assert (p.vp, p.resources, p.ingredients) == (3, [1, 1, 0], [0] * 5)


def test_fear_dearg_replaces_any_ingredient_of_a_tile_and_clurichaun_returns_no_resources() -> None:
    s = owning(17, 18, order="wild")
    s.potions, s.players[0].resources = [10], [4, 0, 0]
    game = play(s, "order-brew")  # Bloom for 4 feathers
    assert asked(game)[1] == "bloom"
    game.play("rune")
    assert game.state.players[0].resources == [0, 0, 9]
    assert game.state.players[0].markers == 1


def test_fear_dearg_helps_with_the_last_darkwood() -> None:
    s = owning(18, 17)
    give(s, 0, "bark", "root", "acorn")
    s.players[0].resources = [1, 1, 2]
    s.phase = FINAL
    game = Game(RULES, s)
    assert asked(game) == (0, "last", [5, 4, 3, "decline"])
    game.play(5)
    assert game.state.players[0].vp == 7
    assert resources(game) == [0, 0, 0]


# -- free actions (16.7, 16.17) ------------------------------------------------------------------------------


def test_abhartach_takes_one_ingredient_for_a_resource() -> None:
    s = owning(19)
    give(s, 0, "bark", "root")
    game = play(s, "creature-19", "rune")
    assert asked(game) == (0, "trade", [("bark",), ("root",)])
    game.play(("root",))
    assert resources(game) == [6, 6, 7]
    assert game.state.bag[1] == 8
    game.play("creature-19", "rune")
    assert resources(game) == [6, 6, 8]


def test_abhartach_at_a_shortage() -> None:
    s = owning(19, hand=KNOWLEDGE)
    give(s, 0, "bark", "root")
    s.players[0].resources = [0, 1, 0]
    game = play(s, "knowledge", "oak")
    assert asked(game) == (0, "trade", [("bark",), ("root",)])
    game.play(("bark",))
    assert game.state.players[0].vp == 2
    assert game.state.players[0].ingredients == [0] * 5


def test_carw_gwyn_is_discarded_for_six_points() -> None:
    s = owning(34, 1)
    s.players[0].limits = [1, 2]
    assert not slot_free(s, 0, BELOW)
    game = play(s, "creature-34")
    assert game.state.players[0].ledger[CREATURE_CARDS] == 6
    assert game.state.players[0].creatures == [1]
    assert game.state.gone == [34]
    assert slot_free(game.state, 0, BELOW)
    assert "creature-34" not in offered(game)


def test_carw_gwyn_costs_three_points_and_gives_six_at_the_end() -> None:
    s = owning(34)
    s.phase, s.players[0].ledger[OTHER] = FINAL, 5
    assert play(s).state.phase == OVER
    assert [p.vp for p in play(s).state.players] == [11, 0]


# -- taking a creature (16.11, 16.18, 16.20) -----------------------------------------------------------------


def test_cailleach_looks_at_the_top_six() -> None:
    """Worked case 8: not the display, not what cannot be paid for, the rest under the deck."""
    s = owning(21)
    p = s.players[0]
    p.hand, p.resources, p.ledger[OTHER] = [3], [0, 4, 0], 2
    s.creature_deck = Deck(layers=[[7], [34], [20], [3], [15], [28], [9]])
    game = play(s, "wisdom", "temple", 3)
    assert asked(game) == (0, "creature", [1, 2, 5, 0])
    game.play(0)
    assert asked(game) == (0, "creature", [7, 20, 3, 15, 28])
    assert game.state.looked == [7, 34, 20, 3, 15, 28]
    game.play(20)
    assert game.state.players[0].creatures == [21, 20]
    assert game.state.creatures == [1, 2, 5]
    assert game.state.looked == []
    assert game.state.creature_deck == Deck(layers=[[9], [3, 7, 15, 28, 34]])
    assert game.state.players[0].vp == 5


def test_cailleach_does_not_look_where_nothing_might_be_had() -> None:
    s = owning(21, hand=STORYTELLING)
    s.creature_deck = Deck([34])
    assert 0 not in offered(play(s, "storytelling", "temple", 2))
    s.creatures = []
    assert 2 not in offered(play(s, "storytelling", "temple"))
    s.creature_deck = Deck([34, 9])
    assert offered(play(s, "storytelling", "temple", 2)) == [0, "refresh"]


def test_the_seelie_court_keeps_a_potion_for_its_owner() -> None:
    s = owning()
    s.creatures, s.potions = [32, 1, 2], [1, 6, 11]
    for pile, tile in zip(s.potion_piles, s.potions, strict=True):
        pile.search(tile)
    game = play(s, "storytelling", "temple", 2, 32)
    assert asked(game) == (0, "seelie", [2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15])
    game.play(10)
    s = game.state.copy()
    s.potions = []
    assert s.players[0].seelie == 10
    assert all(10 not in pile.cards() for pile in s.potion_piles)
    s.players[0].order, s.players[1].order = 4, 4
    for seat in (0, 1):
        give(s, seat, "acorn", "root")
        s.mover = seat
        assert ("order-brew" in offered(Game(RULES, s))) is (seat == 0)


def test_ellen_trechend_gives_five_points_and_nothing_else() -> None:
    s = owning()
    s.creatures = [35, 1, 2]
    game = play(s, "storytelling", "temple", 2, 35)
    assert game.state.players[0].vp == 5
    assert not slot_free(game.state, 0, BELOW) or slots(game.state, 0, BELOW) == 4


# -- druids (16.12, 16.19) -----------------------------------------------------------------------------------


def test_fuath_lets_any_druid_use_elders_spaces() -> None:
    s = owning(22, order="blackbird")
    game = play(s, "menhir")
    assert druids(game.state.players[0], "menhir") == ["regular"]
    assert play(s, "order-creature", 5).state.players[0].creatures == [22, 5]
    s.players[0].creatures = []
    assert "menhir" not in offered(Game(RULES, s))
    assert "order-creature" not in offered(Game(RULES, s))


def test_groac_h_lets_elders_join() -> None:
    s = owning(23, hand=KNOWLEDGE)
    rests(s.players[0], "bard")
    s.neutrals = [3, 4, 5]
    game = play(s, "knowledge", "temple", 2, "elder")
    assert temple(game.state.players[0]) == [4]
    s.players[0].creatures = []
    assert asked(play(s, "knowledge"))[:2] == (1, "turn")  # its Oak action alone


def test_gancanagh_adds_two_regular_resting_spaces() -> None:
    s = owning(31, order="fox")
    assert rest_places(s, 0) == (1, 4)


def test_puca_adds_two_creature_slots_and_needs_one() -> None:
    s = owning(33)
    s.players[0].limits = [1, 1]
    assert (slots(s, 0, BELOW), slots(s, 0, 0)) == (3, 1)
    assert slot_free(s, 0, BELOW)
    s.players[0].creatures = [33, 1, 2]
    assert not slot_free(s, 0, BELOW)


# -- gathering (16.14–16.16) ---------------------------------------------------------------------------------


def test_ghillie_dhu_takes_from_the_bag_instead() -> None:
    s = owning(24)
    s.bag = [0, 8, 0, 8, 8]
    grow(s, "mushroom", "acorn")
    game = play(s, "pass")
    assert offered(game)[:5] == ["acorn", "mushroom", "bag-root", "bag-acorn", "bag-mushroom"]
    game.play("bag-root")
    assert asked(game) == (0, "discard", ["acorn", "mushroom"])
    game.play("acorn")
    p = game.state.players[0]
    assert p.ingredients == [0, 1, 0, 0, 0]
    assert game.state.forest == [4, -1, -1, -1]
    assert game.state.bag == [0, 7, 0, 8, 7]
    assert druids(p, "forest") == ["regular"]


def test_ghillie_dhu_needs_something_in_the_forest() -> None:
    s = owning(24)
    assert asked(play(s, "pass"))[:2] == (1, "turn")


def test_unicorn_gathers_without_a_druid() -> None:
    s = owning(25)
    grow(s, "mushroom", "acorn", "bark")
    s.players[0].place = [0, 0, 0, 2, 2, 2, 2, 2, 2]
    game = play(s, "pass", "acorn")
    assert game.state.players[0].ingredients == [0, 0, 0, 1, 0]
    s.players[0].place[8] = 1
    game = play(s, "pass", "acorn")
    assert asked(game) == (0, "gatherer", ["nobody", "regular"])
    assert druids(game.clone().play("nobody").state.players[0], "roots") == ["regular"]
    assert druids(game.play("regular").state.players[0], "roots") == []


def test_the_day_goes_on_for_the_unicorn_while_anybody_is_on_the_roots() -> None:
    s = owning(25)
    grow(s, "mushroom", "acorn", "bark")
    s.players[0].place = [0, 0, 0, 2, 2, 2, 2, 2, 2]
    all_pass(s)
    game = play(s, "acorn")
    assert asked(game)[:2] == (1, "gather")
    s.players[1].place = [0, 0, 0, 2, 2, 2, 2, 2, 2]
    assert play(s, "acorn").state.phase == DUSK  # nobody is on the roots


def test_glaistig_gathers_with_a_shrine_or_menhir() -> None:
    s = owning(27, hand=KNOWLEDGE)
    grow(s, "acorn", "bark")
    game = play(s, "knowledge", "temple", 2, "elder")
    assert asked(game) == (0, "gather-too", ["bark", "acorn", "decline"])
    game.play("acorn")
    assert game.state.players[0].ingredients == [0, 0, 0, 1, 0]
    assert game.state.forest == [-1, 0, -1, -1]
    assert len(druids(game.state.players[0], "roots")) == 6
    rests(s.players[0], "bard")
    game = play(s, "menhir", "decline")
    assert game.state.players[0].ingredients == [0] * 5


def test_leanan_sidhe_gathers_with_recruiting_once_an_action() -> None:
    s = owning(28, hand=RITUAL)
    rests(s.players[0], "regular")
    grow(s, "acorn", "bark")
    game = play(s, "ritual", "temple", 1, "regular")
    assert asked(game)[1] == "gather-too"
    game.play("bark")
    assert game.state.players[0].ingredients == [1, 0, 0, 0, 0]
    assert asked(game)[:2] == (1, "turn")
    s.players[0].hand = [WORSHIP]
    assert asked(play(s, "worship", "temple", 1))[1] == "gather-too"


def test_tarw_cernunnos_scores_every_artifact() -> None:
    s = owning(29)
    s.players[0].artifacts, s.players[0].uses = [12], [0]
    game = play(s, "artifact-12")
    assert game.state.players[0].vp == 3
    assert game.state.players[0].ledger[CREATURE_CARDS] == 1


def test_tarw_cernunnos_does_not_pay_the_loss() -> None:
    s = owning(29)
    s.players[0].artifacts, s.players[0].uses, s.players[0].resources = [1], [1], [0, 0, 0]
    assert "artifact-1" not in offered(Game(RULES, s))
    s.players[0].ledger[OTHER] = 1
    assert play(s, "artifact-1").state.players[0].vp == 1
