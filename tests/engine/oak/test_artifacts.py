"""oak 17: using artifacts, and what each of them does."""

from __future__ import annotations

import pytest

from oaknet.kernel import Deck, Game
from oaknet.oak import potions
from oaknet.oak.box import Cost
from oaknet.oak.state import State
from oaknet.oak.tables import ARTIFACT_TILES, KNOWLEDGE, OTHER, STORYTELLING
from tests.engine.oak.positions import (
    BOX,
    RULES,
    asked,
    day,
    druids,
    give,
    grow,
    offered,
    on_branch,
    play,
    rests,
)


def with_tile(tile: int, uses: int = 0, points: int = 20, order: str = "bee") -> State:
    """Seat 0 has this artifact, used so many times, and no resources."""
    s = day(order, "fox")
    p = s.players[0]
    p.artifacts, p.uses, p.ledger[OTHER], p.resources = [tile], [uses], points, [0, 0, 0]
    p.hand = [STORYTELLING]
    return s


# -- using one -----------------------------------------------------------------------------------------------


def test_each_use_turns_the_tile_and_costs_its_points() -> None:
    for uses, lost in enumerate(BOX.artifacts.loss[1 - 1]):
        p = play(with_tile(1, uses), "artifact-1").state.players[0]
        assert p.vp == 20 - lost
        assert (p.uses, p.flipped) == (([uses + 1], []) if uses < 2 else ([], [1]))
        assert p.ledger[ARTIFACT_TILES] == -lost
        assert druids(p, "artifact") == ["regular"]


def test_the_points_must_be_there() -> None:
    assert "artifact-6" not in offered(Game(RULES, with_tile(6, 2, points=1)))
    assert play(with_tile(6, 2, points=2), "artifact-6", "rune").state.players[0].vp == 2


def test_a_druid_on_it_closes_it_until_dusk() -> None:
    game = play(with_tile(1), "artifact-1", "pass")
    assert "artifact-1" not in offered(game)


def test_a_flipped_tile_frees_its_place_and_keeps_its_druid() -> None:
    s = with_tile(1, 2)
    p = s.players[0]
    p.artifacts, p.uses = [1, 2], [2, 0]
    s.players[1].passed = 1
    game = play(s, "artifact-1")
    p = game.state.players[0]
    assert (p.artifacts, p.uses, p.flipped) == ([2], [0], [1])
    assert druids(p, "artifact") == ["regular"]
    assert p.resources == [6, 0, 0]
    assert 3 in offered(play(game.state.copy(), "storytelling", "temple"))  # a place for another


def test_an_artifact_needs_an_active_druid() -> None:
    s = with_tile(1)
    rests(s.players[0])
    assert "artifact-1" not in offered(play(s))


def test_no_effect_no_use() -> None:
    s = with_tile(1)
    s.players[0].resources = [9, 0, 0]
    assert "artifact-1" not in offered(Game(RULES, s))


# -- each of them --------------------------------------------------------------------------------------------


def test_moonstone_necklace_gains_six_feathers() -> None:
    s = with_tile(1)
    s.players[0].resources = [5, 1, 1]
    assert play(s, "artifact-1").state.players[0].resources == [9, 1, 1]


def test_arduinnas_pendant_gains_six_mistletoe() -> None:
    assert play(with_tile(2), "artifact-2").state.players[0].resources == [0, 6, 0]


def test_bag_of_runestones_gains_six_runes() -> None:
    assert play(with_tile(3), "artifact-3").state.players[0].resources == [0, 0, 6]


def test_plaque_of_cernunnos_takes_a_creature() -> None:
    game = play(with_tile(4), "artifact-4", 5)
    assert game.state.players[0].creatures == [5]
    s = with_tile(4)
    s.players[0].creatures = [9]  # the slot is taken, and no step can be paid
    assert "artifact-4" not in offered(Game(RULES, s))


def test_plaque_of_cernunnos_counts_the_loss_before_carw_gwyns() -> None:
    s = with_tile(4, 1, points=3)
    s.creatures, s.creature_deck = [34], Deck()
    assert "artifact-4" not in offered(Game(RULES, s))
    s.players[0].ledger[OTHER] = 4
    assert play(s, "artifact-4").state.players[0].vp == 0


def test_wyrdwood_shaper_takes_a_shrine() -> None:
    game = play(with_tile(5), "artifact-5", "regular")
    assert game.state.players[0].shrines == [1]


def test_carnyx_takes_a_step_on_any_branch() -> None:
    game = play(with_tile(6), "artifact-6")
    assert asked(game) == (0, "branch", ["feather", "mistletoe", "rune"])
    assert game.play("mistletoe").state.players[0].vp == 22


def test_antler_headdress_upgrades_a_druid() -> None:
    game = play(with_tile(7), "artifact-7", "artifact-7", "bard")
    assert druids(game.state.players[0], "artifact") == ["bard"]


def test_golden_kettle_brews_with_one_fewer() -> None:
    s = with_tile(8)
    give(s, 0, "bark", "root")
    p = play(s, "artifact-8").state.players[0]
    assert (p.vp, p.markers, p.ingredients) == (23, 1, [0] * 5)


def test_golden_kettle_and_ovate_save_two_but_never_the_last() -> None:
    s = with_tile(8)
    rests(s.players[0], "ovate")
    give(s, 0, "bark")
    s.potions = [6]
    game = play(s, "artifact-8")
    assert game.state.players[0].vp == 23  # Darkwood of one
    s.players[0].resources = [2, 2, 2]
    game = play(s, "artifact-8")  # Runic Power has no bark: Darkwood alone
    assert game.state.players[0].vp == 23
    s.players[0].ingredients = [0, 0, 0, 1, 0]
    game = play(s, "artifact-8")
    assert asked(game) == (0, "potion", ["darkwood", 6])
    assert game.play(6).state.players[0].vp == 26


def test_golden_sickle_draws_three_ingredients() -> None:
    game = play(with_tile(9), "artifact-9", "bark", "bark", "acorn")
    assert game.state.players[0].ingredients == [2, 0, 0, 1, 0]
    s = with_tile(9)
    s.bag = [0, 1, 0, 0, 0]
    assert play(s, "artifact-9").state.players[0].ingredients == [0, 1, 0, 0, 0]
    s.bag = [0] * 5
    assert "artifact-9" not in offered(Game(RULES, s))


def test_cornucopia_exchanges_and_adds_three() -> None:
    s = with_tile(10)
    s.players[0].resources = [4, 0, 9]
    game = play(s, "artifact-10", "feather")  # runes are full: mistletoe is the only choice
    game.play(2)
    assert game.state.players[0].resources == [2, 5, 9]
    s.players[0].resources = [0, 0, 0]
    assert "artifact-10" not in offered(Game(RULES, s))


def test_ring_of_the_seer_repeats_an_action() -> None:
    """The rulebook's example: Shona's third use costs 3 points; the druid on the tile becomes a Bard, whose
    board lies beside hers, and stays there until Dusk though the tile is flipped."""
    s = with_tile(11, 2, points=5)
    s.players[0].played = [KNOWLEDGE]
    game = play(s, "artifact-11", "upgrade", "artifact-11", "bard")
    p = game.state.players[0]
    assert p.vp == 2
    assert (p.artifacts, p.flipped) == ([], [11])
    assert druids(p, "artifact") == ["bard"]


def test_shield_of_toutatis_gains_two_points() -> None:
    assert play(with_tile(12), "artifact-12").state.players[0].vp == 22


# -- house limits --------------------------------------------------------------------------------------------


def test_no_artifact_is_used_twice_in_a_turn() -> None:
    """Kettle, Lugh's Touch: the Kettle itself is not to be had again, the other's Shield is."""
    s = with_tile(8)
    s.potions = [4]
    give(s, 0, "mushroom")
    s.players[1].artifacts, s.players[1].uses = [12, 8], [1, 0]
    s.players[0].artifacts = [8]
    s.players[1].artifacts = [12, 9]
    game = play(s, "artifact-8")
    assert asked(game) == (0, "lugh", [9, 12])
    game.play(12)
    assert game.state.players[0].vp == 22
    assert game.state.players[1].uses == [1, 0]
    assert game.state.used == 0  # the turn is over


def test_a_chain_of_brewings_ends() -> None:
    """Lugh's Touch, the Ring, Ritual's brew, Renewal, the Kettle: each tile once, each artifact once."""
    s = with_tile(11)
    p = s.players[0]
    p.artifacts, p.uses, p.played, p.creatures = [11, 8], [0, 0], [4], [17, 29]
    s.potions = [4, 9]
    give(s, 0, "mushroom", "mushroom", "root", "mushroom", "root")
    grow(s, "acorn")
    for branch in range(3):
        on_branch(p, branch, 6)
    game, questions = play(s, "artifact-11"), 0
    wanted = ("brew", 4, 9, 8, "mushroom")
    while game.pending[0].seat == 0:
        options = game.pending[0].options
        game.play(next((option for option in wanted if option in options), options[0]))
        questions += 1
    assert questions < 20
    assert game.state.players[0].markers > 2


def test_looking_ahead_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Renewal, Lugh's Touch, Kettle and Ring nest, and Fear Dearg has three resources to split: what cannot
    be paid is not looked into."""
    asked_for = 0
    reward_can = potions.reward_can

    def counted(s: State, seat: int, tile: int, owed: Cost) -> bool:
        nonlocal asked_for
        asked_for += 1
        return reward_can(s, seat, tile, owed)

    monkeypatch.setattr(potions, "reward_can", counted)
    s = with_tile(8, order="wild")
    p = s.players[0]
    p.artifacts, p.uses, p.creatures, p.limits = [8, 11], [0, 0], [17, 18, 20], [4, 4]
    p.resources, p.played, p.hand, s.potions = [1, 1, 1], [3, 4], [0, 1, 2, 3, 4, 5, 6], [4, 9, 6]
    s.players[1].artifacts, s.players[1].uses = [6, 7], [0, 0]
    for ingredients in ((), ("bark", "root", "acorn", "mushroom", "blueberry")):
        give(s, 0, *ingredients)
        play(s)
    assert asked_for < 5000
