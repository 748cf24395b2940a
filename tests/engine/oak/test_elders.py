"""oak 15: the powers of the elders; oak 6.8: the Heart of the Oak card."""

from __future__ import annotations

import pytest

from oaknet.kernel import Deck, Game
from oaknet.oak.queries import rest_places, slot_free, slots
from oaknet.oak.state import HOME, State
from oaknet.oak.tables import ABOVE, BELOW, HEART_CARD, KNOWLEDGE, MYSTICISM, RITUAL, STORYTELLING
from tests.engine.oak.positions import (
    RULES,
    asked,
    day,
    druids,
    give,
    offered,
    on_branch,
    play,
    rests,
    temple,
)


def elder(kind: str, *others: str, hand: int = KNOWLEDGE, order: str = "bee") -> State:
    """Seat 0 has this elder and others at rest, and one moot card."""
    s = day(order, "fox")
    rests(s.players[0], kind, *others)
    s.players[0].hand = [hand]
    return s


# -- Arch-Druid ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["arch-druid", "ancient"])
def test_arch_druid_saves_two_resources_of_its_action(kind: str) -> None:
    s = elder(kind)
    s.players[0].resources = [0, 3, 0]
    game = play(s, "knowledge", "temple", 2, "elder")  # 5 - 2
    assert game.state.players[0].resources == [0, 0, 0]
    assert play(s, "knowledge", "temple", 1, "bark").state.players[0].resources == [0, 2, 0]


def test_arch_druid_saves_any_two_of_a_menhir_but_nothing_of_an_oak_action() -> None:
    s = elder("arch-druid")
    s.players[0].resources = [3, 2, 2]
    game = play(s, "menhir")
    assert game.state.players[0].resources == [0, 0, 0]
    s.players[0].resources = [0, 2, 0]
    assert "oak" not in offered(play(s, "knowledge"))


def test_arch_druid_does_not_save_what_refreshing_costs() -> None:
    """Worked case 6."""
    s = elder("arch-druid", hand=STORYTELLING)
    s.creatures, s.players[0].resources = [1, 2, 3], [7, 1, 0]
    s.creature_deck = Deck(layers=[[10], [11], [12], [13]])
    game = play(s, "storytelling", "temple", 2, "refresh", 3, 1, 11)
    assert game.state.players[0].resources == [3, 0, 0]
    assert game.state.creatures == [10, 12, 13]
    assert game.state.creature_deck == Deck(layers=[[3], [1], [2]])


def test_arch_druid_must_be_the_druid_that_is_placed() -> None:
    s = elder("arch-druid", "regular")
    s.neutrals, s.players[0].resources = [4], [0, 5, 0]
    game = play(s, "knowledge", "temple", 2, "regular", "elder")
    assert game.state.players[0].resources == [0, 0, 0]  # sent to the roots it saves nothing
    assert druids(game.state.players[0], "roots").count("arch-druid") == 1


# -- Bard, Recluse, Ancient ----------------------------------------------------------------------------------


def test_bard_adds_a_slot_in_each_row_at_once() -> None:
    s = elder("regular")
    s.players[0].shrines, s.players[0].creatures = [0], [9]
    assert not slot_free(s, 0, ABOVE)
    game = play(s, "order-upgrade", "roots", "bard")
    assert (slots(game.state, 0, ABOVE), slots(game.state, 0, BELOW)) == (2, 2)
    assert slot_free(game.state, 0, ABOVE)
    assert slot_free(game.state, 0, BELOW)


def test_recluse_takes_up_no_other_resting_space() -> None:
    s = elder("recluse", "regular", "bard", order="fox")
    s.players[0].kind[8] = 3
    s.players[0].hand = [1]
    game = play(s, "worship", "temple", 1)
    assert asked(game)[1] in ("druid", "turn")
    s.phase = HOME
    s.players[0].place = [3 if place == 0 else place for place in s.players[0].place]
    home = Game(RULES, s).state.players[0]
    assert druids(home, "rest") == ["bard", "recluse", "regular"]


def test_ancient_rests_on_its_own_space_and_adds_slots() -> None:
    s = elder("ancient", "bard", order="fox")
    assert (slots(s, 0, ABOVE), slots(s, 0, BELOW)) == (3, 3)
    assert rest_places(s, 0) == (1, 2)
    s.players[0].place = [3 if place == 0 else place for place in s.players[0].place]
    s.phase = HOME
    assert druids(Game(RULES, s).state.players[0], "rest") == ["ancient", "bard"]


def test_ancient_uses_several_powers_at_once() -> None:
    """Alone on an occupied space, 2 runes less, one ingredient less."""
    s = elder("ancient", hand=RITUAL)
    s.neutrals, s.players[0].resources = [6, 7, 8], [0, 0, 1]
    give(s, 0, "bark", "root")
    game = play(s, "ritual", 2)
    p = game.state.players[0]
    assert (p.vp, p.resources, p.ingredients) == (3, [0, 0, 0], [0] * 5)
    assert temple(p) == [7]


# -- Ovate ---------------------------------------------------------------------------------------------------


def test_ovate_brews_with_one_ingredient_fewer() -> None:
    s = elder("ovate", "regular", hand=RITUAL)
    give(s, 0, "bark", "root", "acorn", "mushroom")
    game = play(s, "ritual", "temple", 2, "ovate")
    assert ("bark", "root", "acorn", "mushroom") in offered(game)
    assert ("bark", "root") in offered(game)
    game.play(("bark", "root", "acorn", "mushroom"))
    assert game.state.players[0].vp == 7
    game = play(s, "ritual", "temple", 2, "regular", ("bark", "root", "acorn", "mushroom"))
    assert game.state.players[0].vp == 5


def test_ovate_leaves_out_an_ingredient_of_choice() -> None:
    s = elder("ovate", hand=RITUAL)
    s.potions = [11]
    give(s, 0, "bark", "acorn", "acorn")
    game = play(s, "ritual", "temple", 2, 11)
    assert offered(game) == [("bark", "acorn"), ("acorn", "acorn")]


def test_ovate_counts_on_the_space_that_repeats_a_brewing() -> None:
    s = elder("ovate", hand=MYSTICISM)
    s.players[0].played = [RITUAL]
    give(s, 0, "bark", "root")
    game = play(s, "mysticism", "temple", 3)
    assert "brew" in offered(game)
    assert game.play("brew").state.players[0].vp == 3


def test_ovate_pays_at_least_one_ingredient() -> None:
    s = elder("ovate", hand=RITUAL)
    s.potions = [10]
    s.players[0].resources = [0, 0, 3]
    assert 2 not in offered(play(s, "ritual", "temple"))
    give(s, 0, "acorn")
    game = play(s, "ritual", "temple", 2, "rune")
    assert game.state.players[0].resources == [0, 0, 9]


# -- Talon-Master --------------------------------------------------------------------------------------------


def test_talon_master_joins_without_a_second_druid() -> None:
    s = elder("talon-master")
    s.neutrals = [3, 4, 5]
    game = play(s, "knowledge", "temple", 2, "elder")
    assert temple(game.state.players[0]) == [4]
    assert "temple" not in offered_ways(elder("bard"))


def offered_ways(s: State) -> list[object]:
    """What knowledge could be played for with every space occupied."""
    s.neutrals = [3, 4, 5]
    s.players[0].resources = [0, 9, 0]
    game = play(s, "knowledge")
    return offered(game) if asked(game)[1] == "way" else ["oak"]


# -- Heart of the Oak ----------------------------------------------------------------------------------------


def heart(*kinds: str, resources: tuple[int, int, int] = (3, 3, 3)) -> State:
    s = day("fox", "wild")
    p = s.players[0]
    p.hand, p.resources = [HEART_CARD], list(resources)
    rests(p, *kinds)
    s.neutrals = list(range(9))
    return s


def test_heart_of_the_oaks_own_temple() -> None:
    """Worked case 5: 3 - 2 - 1 runes, no second druid, the board's temples unchanged, home at Dusk."""
    s = heart("arch-druid", "regular", "regular", resources=(0, 0, 0))
    s.players[0].creatures = [16]
    game = play(s, "heart", "shrine", "regular")
    p = game.state.players[0]
    assert (p.vp, p.resources, p.shrines) == (4, [0, 0, 0], [1])
    assert druids(p, "heart") == ["arch-druid"]
    assert druids(p, "rest") == ["regular", "regular"]
    assert temple(p) == []
    assert "heart" not in offered(play(game.state.copy(), "pass"))
    s = game.state.copy()
    s.phase, s.mover, s.first = HOME, 0, 0
    assert "arch-druid" in druids(Game(RULES, s).state.players[0], "rest")


def test_heart_of_the_oak_has_five_actions() -> None:
    s = heart("regular")
    give(s, 0, "bark", "root", "acorn")
    game = play(s, "heart", "temple")
    assert asked(game) == (0, "heart", ["upgrade", "creature", "brew", "shrine", "artifact"])
    for answers, left in (
        (("upgrade", "heart", "bard"), [0, 3, 3]),
        (("creature", 1), [3, 0, 3]),
        (("brew",), [3, 0, 3]),
        (("shrine", "elder"), [3, 3, 0]),
        (("artifact", 4), [3, 3, 0]),
    ):
        assert play(s, "heart", "temple", *answers).state.players[0].resources == left


def test_heart_of_the_oak_climbs_any_branch_for_any_three() -> None:
    s = heart("regular", resources=(1, 1, 1))
    s.players[0].shrines = [2] * 4
    game = play(s, "heart")
    assert asked(game) == (0, "branch", ["feather", "mistletoe", "rune"])
    game.play("mistletoe")
    p = game.state.players[0]
    assert (p.vp, p.resources) == (2, [0, 0, 0])


def test_heart_of_the_oak_is_repeated_like_any_card() -> None:
    s = day()
    p = s.players[0]
    p.hand, p.played, p.resources = [MYSTICISM, HEART_CARD], [HEART_CARD], [0, 0, 6]
    game = play(s, "mysticism", "temple", 3)
    assert "advance" in offered(game)
    assert "upgrade" in offered(game)
    game.play("advance", "rune")
    assert game.state.players[0].vp == 2
    for branch in range(3):
        on_branch(p, branch, 6)
    assert "advance" not in offered(play(s, "mysticism", 3))
