"""oak 14: Broichan's set-up, his turns, his cards, his gathering, Dusk and the end."""

from __future__ import annotations

import pytest

from oaknet.kernel import CHANCE, Deck, Game, Rng, resolve
from oaknet.oak.broichan import HIM, YOU
from oaknet.oak.state import DAWN, FINAL, HOME, OVER, State, move
from oaknet.oak.tables import (
    CREATURE_CARDS,
    DRUIDS,
    ELDER_SHRINE,
    FOREST,
    KNOWLEDGE,
    OTHER,
    REGULAR_SHRINE,
    ROOTS,
    STORYTELLING,
    TEMPLE,
)
from tests.engine.oak.positions import RULES, all_pass, asked, druids, give, grow, on_branch, temple
from tests.engine.oak.solo import after_his_turn, bag, has, him, his_roots, holds, solo, yours

# -- set-up (14.1, 14.2) -------------------------------------------------------------------------------------


def test_the_table_is_that_for_two_and_broichan_goes_first() -> None:
    game = Game[State].new(RULES, 1)
    resolve(game, Rng(b"solo"))
    s = game.state
    assert len(s.forest) == 4
    assert s.neutrals == [0, 4, 8]
    assert s.tokens == [2, 2, 2]
    assert s.first == HIM
    assert druids(s.players[HIM], "roots") == ["regular"] * 9
    assert druids(s.players[YOU], "roots") == ["regular"] * 6
    assert s.players[HIM].resources == [0, 0, 0]
    assert s.broichan[0].deck.layers == ((0, 1, 2, 3, 4, 5),)
    assert RULES.score(s) == (0, 0)


def test_you_alone_choose_an_order_and_then_he_draws() -> None:
    game = Game[State].new(RULES, 1)
    resolve(game, Rng(b"solo"))
    assert asked(game) == (YOU, "order", ["bee", "blackbird", "cairns", "fox", "wild"])
    game.play("cairns")
    assert asked(game) == (CHANCE, "broichan-card", [0, 1, 2, 3, 4, 5])
    assert him(game).order == -1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_he_is_not_at_tables_of_several(seats: int) -> None:
    assert Game[State].new(RULES, seats).state.broichan == []


# -- where he places a druid (14.4, 14.5) --------------------------------------------------------------------


def test_a_druid_goes_to_the_space_clockwise_from_the_neutral_one() -> None:
    """The rulebook's example: with the neutral druid on 3 stones he takes the 1-stone space."""
    s = solo("ritual")
    s.neutrals = [1, 4, 8]
    assert temple(him(after_his_turn(s))) == [6]


def test_occupied_spaces_are_left_out() -> None:
    s = solo("ritual")  # neutral on 2: the next are 3, then 1
    yours(s, 8)
    assert temple(him(after_his_turn(s))) == [6]


def test_his_own_druid_occupies_a_space_too() -> None:
    s = solo("ritual")
    move(s.players[HIM], 0, TEMPLE, 8)
    assert temple(him(after_his_turn(s))) == [6, 8]


def test_in_a_full_temple_he_steps_up_the_branch_instead_and_leaves_the_action_out() -> None:
    """Worked case 10."""
    s = solo("storytelling", points=7)
    yours(s, 0, 2)
    on_branch(s.players[HIM], 0, 1)
    his_roots(s, 6)
    game = after_his_turn(s)
    p = him(game)
    assert p.vp == 9
    assert 2 in [space for place, space in zip(p.place, p.space, strict=True) if place == 8]
    assert p.place.count(ROOTS) == 6
    assert temple(p) == []
    assert game.state.broichan[0].discards == [STORYTELLING]


def test_in_a_full_temple_he_may_enter_the_branch() -> None:
    s = solo("knowledge")
    yours(s, 3, 5)
    p = him(after_his_turn(s))
    assert p.place.count(9) == 1
    assert p.vp == 2
    assert p.creatures == []


def test_where_he_cannot_step_either_he_joins_the_neutral_druid_and_acts() -> None:
    s = solo("knowledge")
    yours(s, 3, 5)
    on_branch(s.players[HIM], 1, 6)  # on a tip
    p = him(after_his_turn(s))
    assert temple(p) == [4]
    assert p.creatures == [5]


def test_without_a_druid_on_the_roots_he_draws_no_card_and_passes() -> None:
    s = solo("knowledge")
    his_roots(s, 0)
    game = after_his_turn(s)
    assert him(game).passed == 1
    assert len(game.state.broichan[0].deck) == 1


def test_after_you_have_passed_he_passes_with_druids_left() -> None:
    s = solo("knowledge")
    s.players[YOU].passed = 1
    grow(s, "bark", "root", "root")
    game = after_his_turn(s)
    assert him(game).passed == 1
    assert him(game).place.count(ROOTS) == 9
    assert len(game.state.broichan[0].deck) == 1


def test_a_used_up_deck_is_shuffled_anew_before_he_draws() -> None:
    s = solo()
    s.broichan[0].discards = [STORYTELLING, KNOWLEDGE]
    game = Game(RULES, s)
    assert asked(game) == (CHANCE, "broichan-card", [STORYTELLING, KNOWLEDGE])
    game.play(KNOWLEDGE)
    assert game.state.broichan[0].deck.cards() == [STORYTELLING]
    assert game.state.broichan[0].discards == [KNOWLEDGE]


# -- his cards (14.6) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "left"), [(9, 5), (4, 0), (3, 0)])
def test_storytelling_costs_4_points_but_never_below_0(points: int, left: int) -> None:
    assert him(after_his_turn(solo("storytelling", points=points))).vp == left


def test_worship_makes_an_elder_of_a_regular_druid() -> None:
    s = solo("worship")
    s.players[HIM].kind[:2] = [1, 3]
    assert [DRUIDS[kind] for kind in him(after_his_turn(s)).kind if kind] == ["arch-druid", "ovate", "bard"]


def test_worship_never_makes_the_ancient() -> None:
    s = solo("worship")
    s.players[HIM].kind[:5] = [1, 2, 3, 4, 5]
    assert him(after_his_turn(s)).kind == [1, 2, 3, 4, 5, 0, 0, 0, 0]


def test_knowledge_takes_the_creature_with_the_highest_number() -> None:
    s = solo("knowledge")
    s.creatures = [13, 29, 5]
    s.creature_deck = Deck(layers=[[9], [10]])
    game = after_his_turn(s)
    assert him(game).creatures == [29]
    assert him(game).vp == 3
    assert game.state.creatures == [13, 5, 9]


@pytest.mark.parametrize(("points", "left"), [(5, 2), (1, 0), (0, 0)])
def test_carw_gwyn_costs_him_3_points_but_never_below_0(points: int, left: int) -> None:
    s = solo("knowledge", points=points)
    s.creatures = [34]
    game = after_his_turn(s)
    assert him(game).vp == left
    assert him(game).creatures == [34]
    assert him(game).ledger[CREATURE_CARDS] == left - points


def test_knowledge_finds_nothing_where_no_creature_is_left() -> None:
    s = solo("knowledge")
    s.creatures, s.creature_deck = [], Deck()
    assert him(after_his_turn(s)).creatures == []


@pytest.mark.parametrize(
    ("held", "points", "left"),
    [
        (("bark", "root", "acorn"), 3, ["bark"] * 0),
        (("bark", "bark", "root", "acorn", "mushroom"), 5, ["bark"]),
        (("bark", "root", "blueberry", "acorn", "mushroom", "mushroom"), 7, ["mushroom"]),
    ],
)
def test_wisdom_brews_the_largest_darkwood(held: tuple[str, ...], points: int, left: list[str]) -> None:
    s = solo("wisdom")
    bag(s)
    holds(s, *held)
    p = him(after_his_turn(s))
    assert (p.vp, p.markers) == (points, 1)
    assert has(p) == left


def test_wisdom_draws_2_ingredients_where_there_is_no_darkwood() -> None:
    s = solo("wisdom")
    bag(s, "root", "root", "root")
    holds(s, "bark", "bark", "acorn")
    game = after_his_turn(s)
    assert has(him(game)) == ["bark", "bark", "root", "root", "acorn"]
    assert (him(game).vp, him(game).markers) == (0, 0)


def test_wisdom_draws_what_there_is() -> None:
    s = solo("wisdom")
    bag(s, "root")
    assert has(him(after_his_turn(s))) == ["root"]


def test_a_set_that_wisdom_draws_is_used_after_both_tokens() -> None:
    s = solo("wisdom")
    bag(s, "acorn", "acorn")
    holds(s, "acorn", "acorn")
    game = after_his_turn(s)
    assert has(him(game)) == ["acorn"]
    assert him(game).vp == 2
    assert sum(game.state.bag) == 3


def test_mysticism_takes_the_artifact_with_the_highest_number() -> None:
    s = solo("mysticism")
    s.artifacts = [3, 11, 7]
    game = after_his_turn(s)
    p = him(game)
    assert (p.flipped, p.artifacts, p.vp) == ([11], [], 4)
    assert game.state.artifacts == [3, 7, 2]


def test_mysticism_finds_nothing_where_no_artifact_is_left() -> None:
    s = solo("mysticism")
    s.artifacts, s.artifact_stack = [], Deck()
    assert him(after_his_turn(s)).vp == 0


def test_ritual_lays_shrines_for_2_and_4_points_in_turn() -> None:
    s = solo("ritual")
    points = []
    for _ in range(4):
        s.broichan[0].deck = Deck([4])
        game = after_his_turn(s)
        s = game.state.copy()
        s.mover = HIM
        s.players[HIM].place = [ROOTS] * 9
        points.append(s.players[HIM].vp)
    assert points == [2, 6, 8, 12]
    assert s.players[HIM].shrines == [ELDER_SHRINE, REGULAR_SHRINE] * 2


def test_ritual_finds_nothing_where_no_shrine_is_left() -> None:
    s = solo("ritual")
    s.players[YOU].shrines = [ELDER_SHRINE] * 24
    p = him(after_his_turn(s))
    assert (p.shrines, p.vp) == ([], 0)


# -- gathering (14.7) ----------------------------------------------------------------------------------------


def test_passing_he_gathers_from_the_top_left_and_needs_no_druid() -> None:
    s = solo("knowledge")
    his_roots(s, 0)
    grow(s, "mushroom", "bark", "acorn")
    s.forest[0] = -1
    game = after_his_turn(s)
    assert has(him(game)) == ["bark"]
    assert game.state.forest == [-1, -1, 3, -1]
    assert druids(him(game), "forest") == ["regular"] * 9  # where they were
    game.play("pass", "decline")  # you decline to gather; it is his turn again
    assert has(him(game)) == ["bark", "acorn"]


def test_he_gathers_until_the_forest_is_empty_while_anybody_is_on_the_roots() -> None:
    s = solo("knowledge", turn=YOU)
    s.players[YOU].place = [FOREST] * 9  # you have nobody to send
    bag(s)
    grow(s, "bark", "root", "acorn")
    s.bag = [0] * 5
    game = Game(RULES, s).play("pass")  # he passes as well and takes all
    assert has(him(game)) == ["bark", "root", "acorn"]
    assert game.state.round == 2


def test_the_day_ends_at_once_when_nobody_is_on_the_roots() -> None:
    s = solo("knowledge")
    s.players[YOU].place, s.players[YOU].passed = [FOREST] * 9, 1
    his_roots(s, 0)
    bag(s)
    grow(s, "bark", "root", "acorn")
    s.bag = [0] * 5
    game = Game(RULES, s)
    assert has(him(game)) == ["bark"]  # that of the turn on which he passed
    assert game.state.round == 2


def test_with_an_empty_forest_he_gathers_nothing() -> None:
    s = solo("knowledge")
    s.players[YOU].passed = 1
    bag(s)
    game = Game(RULES, s)
    assert has(him(game)) == []
    assert game.state.round == 2


# -- Dusk and Dawn (14.3, 14.5, 14.12) -----------------------------------------------------------------------


def test_at_dusk_his_druids_return_to_the_roots_and_his_cards_stay_as_they_are() -> None:
    s = solo("knowledge", "worship", turn=YOU)
    s.broichan[0].discards = [STORYTELLING]
    p = s.players[HIM]
    p.place[:3], p.kind[:3] = [3, 3, 3], [4, 1, 0]
    on_branch(p, 1, 6)
    s.phase, s.mover = HOME, s.first
    bag(s)
    game = Game(RULES, s)
    p = him(game)
    assert druids(p, "roots") == ["arch-druid", "recluse", *["regular"] * 6]
    assert game.state.locked == [0, 0, 1, 0, 0, 0]
    assert game.state.neutrals == [2, 5, 8]
    assert game.state.first == YOU
    assert (len(game.state.broichan[0].deck), game.state.broichan[0].discards) == (2, [STORYTELLING])


def test_he_has_no_income_at_dawn_whatever_lies_before_him() -> None:
    s = solo("storytelling", turn=YOU)
    s.first, s.phase = YOU, DAWN
    s.players[YOU].resources = [0, 0, 0]
    s.players[HIM].creatures = [10, 11, 12, 13]
    game = Game(RULES, s)
    assert him(game).resources == [0, 0, 0]
    assert has(him(game)) == []
    assert game.state.players[YOU].resources == [3, 3, 3]


# -- the end (14.11, 14.13) ----------------------------------------------------------------------------------


def last(yours: int, his: int) -> State:
    s = solo(points=his)
    s.players[YOU].ledger[OTHER] = yours
    s.phase, s.mover = FINAL, s.first
    all_pass(s)
    return s


def test_he_too_brews_a_last_darkwood() -> None:
    s = last(0, 0)
    holds(s, "bark", "bark", "root", "acorn", "mushroom")
    give(s, YOU, "bark", "root", "acorn")
    game = Game(RULES, s)
    assert him(game).vp == 5
    assert asked(game) == (YOU, "last", [3, "decline"])
    game.play(3)
    assert game.over
    assert game.state.phase == OVER
    assert RULES.score(game.state) == (3, 5)
    assert RULES.breakdown(game.state, HIM)["potions"] == 5


def test_carw_gwyn_brings_him_nothing_at_the_end() -> None:
    s = last(1, 5)
    s.players[HIM].creatures = [34]
    assert RULES.score(Game(RULES, s).state) == (1, 5)


@pytest.mark.parametrize(
    ("points", "heights", "winners"),
    [
        ((30, 29), (1, 3), (YOU,)),
        ((29, 30), (3, 1), ()),
        ((30, 30), (3, 2), (YOU,)),
        ((30, 30), (2, 3), ()),
        ((30, 30), (2, 2), (YOU,)),  # shared
    ],
)
def test_who_wins(points: tuple[int, int], heights: tuple[int, int], winners: tuple[int, ...]) -> None:
    s = last(*points)
    for p, height in zip(s.players, heights, strict=True):
        on_branch(p, 0, height)
    assert RULES.winners(Game(RULES, s).state) == winners
