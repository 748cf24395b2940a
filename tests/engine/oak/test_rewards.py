"""oak 10.6–10.20: the potion tiles, one by one, brewed on the board of the Order of the Wild."""

from __future__ import annotations

import pytest

from oaknet.kernel import Deck, Game
from oaknet.oak.queries import artifact_places, slots
from oaknet.oak.state import State
from oaknet.oak.tables import (
    ABOVE,
    BELOW,
    HEART_CARD,
    KNOWLEDGE,
    MYSTICISM,
    OTHER,
    POTIONS,
    RITUAL,
    RUNE,
    STORYTELLING,
)
from tests.engine.oak.positions import (
    RULES,
    all_pass,
    asked,
    day,
    druids,
    give,
    offered,
    on_branch,
    play,
    rests,
)

INGREDIENTS = {
    1: ("acorn", "acorn"),
    2: ("blueberry", "acorn"),
    3: ("bark", "acorn"),
    4: ("mushroom", "acorn"),
    5: ("root", "acorn"),
    6: ("acorn", "blueberry"),
    7: ("blueberry", "bark"),
    8: ("bark", "mushroom"),
    9: ("mushroom", "root"),
    10: ("acorn", "root"),
    11: ("acorn", "acorn", "bark"),
    12: ("blueberry", "blueberry", "mushroom"),
    13: ("bark", "bark", "root"),
    14: ("acorn", "mushroom", "mushroom"),
    15: ("blueberry", "root", "root"),
}


def brewing(tile: int, vp: int = 0) -> State:
    """Seat 0 has what this tile takes; it alone is in play."""
    s = day("wild", "fox")
    give(s, 0, *INGREDIENTS[tile])
    s.potions, s.players[0].ledger[OTHER] = [tile], vp
    s.players[0].hand = [STORYTELLING]
    return s


def brewed(game: Game[State]) -> None:
    """The ingredients are gone, the marker is there, one druid stands on the order's board."""
    p = game.state.players[0]
    assert p.ingredients == [0] * 5
    assert game.state.bag == [8] * 5
    assert p.markers == 1
    assert len(druids(p, "order")) == 1


@pytest.mark.parametrize("tile", [*POTIONS])
def test_a_tile_takes_what_it_shows(tile: int) -> None:
    s = brewing(tile)
    s.players[1].artifacts, s.players[1].uses = [12], [0]
    s.players[0].played = [KNOWLEDGE]
    assert "order-brew" in offered(Game(RULES, s))
    s.players[0].ingredients = [0] * 5
    give(s, 0, *INGREDIENTS[tile][1:])
    assert "order-brew" not in offered(Game(RULES, s))


# -- level I -------------------------------------------------------------------------------------------------


def test_inspiration_upgrades_a_druid() -> None:
    game = play(brewing(1), "order-brew", "roots", "bard")
    brewed(game)
    assert "bard" in druids(game.state.players[0], "roots")


def test_bolt_of_taranis_turns_artifacts_back() -> None:
    s = brewing(2, vp=7)
    p = s.players[0]
    p.artifacts, p.uses, p.extension, p.flipped = [1, 4, 9], [2, 1, 0], 1, [2]
    game = play(s, "order-brew")
    assert asked(game) == (0, "recharge", [1, 4, "done"])
    game.play(4)
    assert asked(game) == (0, "recharge", [1, "done"])
    game.play(1)
    brewed(game)
    assert game.state.players[0].uses == [0, 0, 0]
    assert game.state.players[0].vp == 7
    assert play(s, "order-brew", "done").state.players[0].uses == [2, 1, 0]


def test_bolt_of_taranis_is_brewed_for_its_marker_alone() -> None:
    brewed(play(brewing(2), "order-brew"))


def test_natures_gift_moves_one_marker_twice_or_both_once() -> None:
    s = brewing(3)
    game = play(s, "order-brew")
    assert asked(game) == (0, "limits", ["above", "below", "both"])
    assert game.clone().play("above").state.players[0].limits == [3, 1]
    assert game.clone().play("below").state.players[0].limits == [1, 3]
    assert game.play("both").state.players[0].limits == [2, 2]
    brewed(game)
    s.players[0].limits = [3, 4]
    assert "order-brew" not in offered(Game(RULES, s))


def test_lughs_touch_uses_anybodys_artifact() -> None:
    s = brewing(4)
    s.players[1].artifacts, s.players[1].uses = [4, 12], [2, 1]
    game = play(s, "order-brew")
    assert asked(game) == (0, "lugh", [4, 12])
    game.play(12)
    brewed(game)
    assert game.state.players[0].vp == 2
    assert game.state.players[1].uses == [2, 1]
    s.players[1].artifacts, s.players[1].uses = [], []
    assert "order-brew" not in offered(Game(RULES, s))


def test_belenos_boon_is_a_festival_for_one() -> None:
    """The rulebook's example: Ian's Bard brews it with a root and a mushroom, for his own Festival."""
    s = brewing(5, vp=99)
    s.players[0].ingredients = [0] * 5
    give(s, 0, "root", "mushroom")
    rests(s.players[0], "bard")
    for p in s.players:
        on_branch(p, RUNE, 3)
        p.resources = [0, 0, 0]
    s.players[0].creatures, s.players[1].creatures = [14], [15]
    s.eclipse = 1
    game = play(s, "order-brew")
    assert game.state.players[0].resources == [0, 0, 3]
    assert game.state.players[1].resources == [0, 0, 0]
    assert game.state.sun == 1
    assert game.state.players[0].markers == 1


# -- level II ------------------------------------------------------------------------------------------------


def test_runic_power_builds_a_menhir_without_a_druid() -> None:
    s = brewing(6)
    s.players[0].resources = [6, 1, 0]
    game = play(s, "order-brew")
    assert asked(game) == (0, "pay", [(6, 0, 0), (5, 1, 0)])
    game.play((5, 1, 0))
    assert game.state.players[0].vp == 6
    assert game.state.players[0].shrines == [2]
    assert druids(game.state.players[0], "menhir") == []
    s.players[0].resources, s.players[0].creatures = [0, 3, 0], [26]
    assert play(s, "order-brew").state.players[0].vp == 6
    s.players[0].resources = [0, 2, 0]
    assert "order-brew" not in offered(Game(RULES, s))


def test_summon_dryad_takes_two_steps_with_a_festival_between() -> None:
    """Worked case 2: the first step gives no points, but its Festival comes before the second."""
    s = brewing(7, vp=14)
    on_branch(s.players[0], RUNE, 2)
    on_branch(s.players[1], 1, 3)
    s.players[0].resources, s.players[1].resources, s.players[1].ledger[OTHER] = [0, 0, 0], [0, 0, 0], 16
    s.sun = 2
    game = play(s, "order-brew", "rune")
    assert asked(game) == (0, "again", ["step", "stop"])
    assert game.state.sun == 3
    stopped = game.clone().play("stop").state.players[0]
    assert (stopped.vp, stopped.resources) == (14, [0, 0, 2])
    game.play("step", "left")
    assert game.state.players[0].vp == 16
    assert game.state.players[0].resources == [0, 0, 2]
    assert game.state.players[1].resources == [0, 0, 0]
    assert game.state.tokens == [2, 2, 1]


def test_summon_dryad_scores_nothing_for_a_tip_of_its_first_step() -> None:
    s = brewing(7, vp=14)
    on_branch(s.players[0], RUNE, 4)
    s.players[0].shrines, s.players[0].limits = [0, 0], [4, 4]
    game = play(s, "order-brew", "rune")
    assert game.state.players[0].vp == 14
    assert asked(game)[:2] == (1, "turn")


def test_arduinnas_grant_enters_a_locked_tip() -> None:
    """Worked case 3, and what could not have moved the druid there."""
    s = brewing(8, vp=20)
    p = s.players[0]
    on_branch(p, RUNE, 5)
    for branch in (0, 1):
        on_branch(p, branch, 6)
    s.locked = [1, 1, 1, 1, 1, 1]
    p.artifacts, p.uses, p.flipped = [6], [0], [1]
    game = play(s, "order-brew")
    p = game.state.players[0]
    assert p.vp == 26
    assert p.space[p.place.index(8 + RUNE)] == 7
    assert "artifact-6" not in offered(Game(RULES, s))  # Carnyx
    s.players[0].hand, s.players[0].resources = [RITUAL], [9, 9, 9]
    assert "oak" not in offered(play(s, "ritual"))
    for tile in (7, 11):
        s.potions = [tile]
        s.players[0].ingredients = [0] * 5
        give(s, 0, *INGREDIENTS[tile])
        after = play(s, "order-brew").state.players[0]
        assert (after.vp, after.markers) == (20, 1)


def test_renewal_repeats_an_action_played_this_day() -> None:
    s = brewing(9)
    s.players[0].played, s.players[0].resources = [KNOWLEDGE], [0, 0, 0]
    game = play(s, "order-brew", "upgrade", "roots", "bard")
    brewed(game)
    s.players[0].played = []
    assert "order-brew" not in offered(Game(RULES, s))


def test_renewal_gives_an_ovate_no_power() -> None:
    """Brewed by an Ovate with one ingredient fewer; what it repeats, Ritual's brew, costs three kinds."""
    s = brewing(9)
    p = s.players[0]
    p.ingredients = [0] * 5
    give(s, 0, "root", "bark", "acorn")
    rests(p, "ovate", "regular", "regular")
    p.played, p.kind[8] = [RITUAL], 2
    game = play(s, "order-brew", "ovate")
    assert asked(game)[1] == "potion"
    game.play(9)
    assert asked(game)[1] == "replay"
    assert "brew" not in offered(game)


def test_bloom_by_a_replay_as_in_worked_case_1() -> None:
    """6 runes for Mysticism and none for Ritual's brew; its space and its second druid have no part in it."""
    s = brewing(10)
    p = s.players[0]
    p.hand, p.played, p.resources, s.neutrals = [MYSTICISM], [RITUAL], [0, 2, 7], [7]
    rests(p, "regular")
    game = play(s, "mysticism", "temple", 3, "brew", "mistletoe")
    p = game.state.players[0]
    assert (p.resources, p.ingredients, p.markers) == ([0, 9, 1], [0] * 5, 1)
    assert game.state.bag == [8] * 5
    assert game.state.neutrals == [7]
    assert druids(p, "temple") == ["regular"]
    s.players[0].ingredients[1] = 0
    assert "brew" not in offered(play(s, "mysticism", "temple", 3))


def test_bloom_fills_a_resource() -> None:
    s = brewing(10)
    s.players[0].resources = [2, 9, 3]
    game = play(s, "order-brew")
    assert asked(game) == (0, "bloom", ["feather", "rune"])
    assert game.play("feather").state.players[0].resources == [9, 9, 3]
    s.players[0].resources = [9, 9, 9]
    assert "order-brew" not in offered(Game(RULES, s))


# -- level III -----------------------------------------------------------------------------------------------


def test_warp_wood_steps_on_each_branch_from_left_to_right() -> None:
    s = brewing(11)
    p = s.players[0]
    on_branch(p, 1, 2)
    on_branch(p, RUNE, 6)
    p.place = [2 if place == 1 else place for place in p.place]
    p.place[p.place.index(2)] = 1  # a single druid on the roots enters the feather branch
    p.resources, s.sun = [0, 0, 0], 2
    game = play(s, "order-brew")
    brewed(game)
    p = game.state.players[0]
    assert p.vp == 4
    assert p.resources == [1, 2, 0]  # the Festival of the second step sees the first
    assert [p.space[p.place.index(8 + branch)] for branch in range(3)] == [1, 3, 6]


def test_animal_companion_takes_any_creature_from_the_deck() -> None:
    s = brewing(12)
    game = play(s, "order-brew")
    assert asked(game)[1] == "creature"
    assert 1 not in offered(game)  # on display
    assert 34 not in offered(game)  # costs points
    game.play(35)
    brewed(game)
    assert game.state.players[0].creatures == [35]
    assert game.state.players[0].vp == 5
    assert game.state.creatures == [1, 2, 5]
    assert len(game.state.creature_deck.layers) == 1
    s.players[0].creatures, s.players[0].resources = [9], [2, 2, 2]
    assert "order-brew" not in offered(Game(RULES, s))  # no slot, and no step can be paid


def test_gift_from_the_gods_brings_an_extension_once() -> None:
    """Worked case 7: three active after the first, a freed place for the second, never four."""
    s = brewing(13, vp=10)
    p = s.players[0]
    p.artifacts, p.uses = [9, 10], [0, 2]
    game = play(s, "order-brew")
    assert asked(game) == (0, "artifact", [2, 3, 5, 7, 8, 9, 10, 11, 12])
    s.artifact_stack = Deck(layers=[[tile] for tile in (2, 3, 5, 7, 8, 11, 12)])
    game = play(s, "order-brew", 12)
    brewed(game)
    p = game.state.players[0]
    assert (p.artifacts, p.uses, p.vp, p.extension) == ([9, 10, 12], [0, 2, 0], 14, 1)
    assert game.state.artifacts == [1, 4, 6]
    assert game.state.artifact_stack == Deck([2, 3, 5, 7, 8, 11])
    after = game.state.copy()
    after.mover, after.players[0].place = 0, [0, 0, 0, 1, 1, 1, 1, 1, 1]
    give(after, 0, *INGREDIENTS[13])
    assert "order-brew" not in offered(Game(RULES, after))
    all_pass(after)
    after.players[0].passed = 0
    game = play(after, "artifact-10", "feather", "rune", 1)  # its last use frees a place
    game.play("order-brew", 5)
    p = game.state.players[0]
    assert (p.artifacts, p.flipped, p.extension) == ([9, 12, 5], [10], 1)
    assert artifact_places(game.state, 0) == 3
    assert p.vp == 14 - 1 + 4


def test_chosen_of_the_oak_makes_the_ancient_once() -> None:
    s = brewing(14)
    game = play(s, "order-brew", "rest")
    brewed(game)
    assert "ancient" in druids(game.state.players[0], "rest")
    assert (slots(game.state, 0, ABOVE), slots(game.state, 0, BELOW)) == (2, 2)
    s.players[0].kind[8] = 6
    assert "order-brew" not in offered(Game(RULES, s))


def test_heart_of_the_oak_brings_its_card_once() -> None:
    s = brewing(15)
    s.players[1].passed = 1
    game = play(s, "order-brew")
    assert game.state.players[0].hand == [STORYTELLING, HEART_CARD]
    assert "heart" in offered(game)
    s.players[0].hand.append(HEART_CARD)
    assert "order-brew" not in offered(Game(RULES, s))
