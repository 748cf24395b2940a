"""oak 9: slots, limits, displays, creatures, artifacts, shrines; oak 8.3: menhirs."""

from __future__ import annotations

import pytest

from oaknet.kernel import Deck, Game
from oaknet.oak.queries import rest_places, slot_free
from oaknet.oak.state import State
from oaknet.oak.tables import (
    ABOVE,
    ARTIFACT_TILES,
    BELOW,
    CREATURE_CARDS,
    KNOWLEDGE,
    MENHIR_SIDE,
    OTHER,
    SHRINES,
    STORYTELLING,
)
from tests.engine.oak.positions import RULES, asked, day, druids, offered, play, put, rests


def storytelling(stone: int, **shown: list[int]) -> State:
    """Seat 0 can only play Storytelling; 7 feathers."""
    s = day("bee", "fox")
    s.players[0].hand, s.players[0].resources = [STORYTELLING], [7, 0, 0]
    s.creatures = shown.get("creatures", s.creatures)
    assert stone in offered(play(s, "storytelling", "temple"))
    return s


# -- slots and limits ----------------------------------------------------------------------------------------


def test_a_full_row_must_be_widened_before_another_card() -> None:
    """The rulebook's example: two creatures with room for a third, the row above full until its marker
    moves."""
    s = day("bee", "fox")
    p = s.players[0]
    p.creatures, p.shrines, p.limits = [7, 8], [1], [1, 3]
    assert slot_free(s, 0, BELOW)
    assert not slot_free(s, 0, ABOVE)
    p.limits[ABOVE] += 1
    assert slot_free(s, 0, ABOVE)


def test_erin_buys_the_slot_for_her_menhir_as_a_free_action() -> None:
    """The rulebook's example: Fox, 3 of each, then 1 of each for the marker, the menhir, 6 points."""
    s = day("fox", "wild")
    p = s.players[0]
    rests(p, "talon-master", "regular", "regular")
    p.resources, p.shrines = [5, 4, 5], [0]
    game = play(s, "menhir")
    assert asked(game)[1] == "pay"
    assert (1, 1, 1) in offered(game)
    game.play((1, 1, 1))
    p = game.state.players[0]
    assert p.resources == [1, 0, 1]
    assert p.limits == [2, 1]
    assert p.shrines == [0, MENHIR_SIDE]
    assert p.vp == p.ledger[SHRINES] == 6
    assert druids(p, "menhir") == ["talon-master"]


def test_the_fox_pays_any_three_and_the_others_three_of_a_kind() -> None:
    s = day("fox", "bee")
    s.players[0].resources = s.players[1].resources = [2, 2, 2]
    assert "limit" in offered(Game(RULES, s))
    s.mover = 1
    assert "limit" not in offered(Game(RULES, s))


def test_on_the_cairns_board_two_shrines_share_a_slot_and_a_menhir_none() -> None:
    s = day("cairns", "fox")
    s.players[0].shrines = [0]
    assert slot_free(s, 0, ABOVE)
    assert not slot_free(s, 0, ABOVE, MENHIR_SIDE)
    s.players[0].shrines = [0, 1]
    assert not slot_free(s, 0, ABOVE)
    s.players[0].limits[ABOVE] = 3
    s.players[0].shrines = [0, 1, 1, 2]
    assert not slot_free(s, 0, ABOVE, MENHIR_SIDE)
    assert slot_free(s, 0, ABOVE)
    s.players[0].shrines += [1]
    assert not slot_free(s, 0, ABOVE)


# -- creatures -----------------------------------------------------------------------------------------------


def test_a_creature_gives_its_points_and_is_replaced_at_once() -> None:
    game = play(storytelling(2, creatures=[1, 35, 5]), "storytelling", "temple", 2, 35)
    p = game.state.players[0]
    assert p.creatures == [35]
    assert p.vp == p.ledger[CREATURE_CARDS] == 5
    assert game.state.creatures == [1, 5, 3]


def test_a_creature_that_costs_points_needs_them() -> None:
    s = storytelling(2, creatures=[1, 34, 5])
    s.players[0].ledger[OTHER] = 2
    assert offered(play(s, "storytelling", "temple", 2)) == [1, 5]
    s.players[0].ledger[OTHER] = 3
    game = play(s, "storytelling", "temple", 2, 34)
    assert game.state.players[0].vp == 0
    assert game.state.players[0].ledger[CREATURE_CARDS] == -3


def test_no_creature_that_can_be_had_closes_the_space() -> None:
    s = storytelling(2)
    s.creatures, s.creature_deck = [34], Deck()
    assert offered(play(s, "storytelling", "temple")) == [1, 3]


def test_refreshing_puts_the_display_under_the_deck_in_the_chosen_order() -> None:
    """Worked case 6, without the Arch-Druid."""
    s = storytelling(2, creatures=[1, 2, 3])
    s.players[0].resources = [7, 1, 0]
    s.creature_deck = Deck(layers=[[10], [11], [12], [13]])
    game = play(s, "storytelling", "temple", 2)
    assert asked(game) == (0, "creature", [1, 2, 3, "refresh"])
    game.play("refresh")
    assert asked(game) == (0, "creature-under", [1, 2, 3])
    game.play(3, 1)
    assert asked(game) == (0, "creature", [10, 11, 12])
    game.play(11)
    assert game.state.creatures == [10, 12, 13]
    assert game.state.creature_deck == Deck(layers=[[3], [1], [2]])
    assert game.state.players[0].resources == [1, 0, 0]
    assert game.state.refreshed == [0, 0]  # the turn is over


def test_a_display_is_refreshed_once_a_turn_and_not_from_an_empty_deck() -> None:
    s = storytelling(2)
    s.players[0].resources = [7, 1, 0]
    s.refreshed = [1, 0]
    assert "refresh" not in offered(play(s, "storytelling", "temple", 2))
    s.refreshed, s.creature_deck = [0, 0], Deck()
    assert "refresh" not in offered(play(s, "storytelling", "temple", 2))


# -- artifacts -----------------------------------------------------------------------------------------------


def test_an_artifact_gives_four_points_and_is_replaced() -> None:
    game = play(storytelling(3), "storytelling", "temple", 3, 4)
    p = game.state.players[0]
    assert p.vp == p.ledger[ARTIFACT_TILES] == 4
    assert game.state.artifacts == [1, 6, 2]


def test_artifacts_are_refreshed_for_a_rune() -> None:
    s = storytelling(3)
    s.players[0].resources = [7, 0, 1]
    game = play(s, "storytelling", "temple", 3, "refresh", 6, 4, 5)
    assert game.state.players[0].resources == [1, 0, 0]
    assert game.state.players[0].artifacts == [5]
    assert game.state.artifacts == [2, 3, 7]
    assert game.state.artifact_stack.layers[-3:] == ((6,), (4,), (1,))


def test_two_active_artifacts_leave_no_place() -> None:
    s = storytelling(3)
    s.players[0].artifacts, s.players[0].uses = [9, 10], [0, 0]
    assert offered(play(s, "storytelling", "temple")) == [1, 2]
    s.players[0].flipped, s.players[0].artifacts, s.players[0].uses = [10], [9], [0]
    assert offered(play(s, "storytelling", "temple")) == [1, 2, 3]


def test_without_artifacts_the_space_is_closed() -> None:
    s = storytelling(3)
    s.artifacts = []
    assert offered(play(s, "storytelling", "temple")) == [1, 2]


# -- shrines and menhirs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "points", "places"), [("elder", 2, (2, 2)), ("regular", 4, (1, 3))])
def test_a_shrine_lies_in_one_of_two_ways(side: str, points: int, places: tuple[int, int]) -> None:
    game = play(day(), "knowledge", "temple", 2, side)
    p = game.state.players[0]
    assert p.vp == p.ledger[SHRINES] == points
    assert rest_places(game.state, 0) == places


def test_a_menhir_needs_an_active_elder() -> None:
    s = day()
    s.players[0].resources = [9, 9, 9]
    assert "menhir" not in offered(Game(RULES, s))
    put(s.players[0], "bard", "roots")
    assert "menhir" not in offered(Game(RULES, s))
    rests(s.players[0], "recluse")
    assert "menhir" in offered(Game(RULES, s))


def test_one_menhir_a_round() -> None:
    s = day()
    s.players[0].resources, s.players[0].limits = [9, 9, 9], [4, 4]
    rests(s.players[0], "bard", "recluse")
    game = play(s, "menhir", "recluse", "pass")
    assert druids(game.state.players[0], "menhir") == ["recluse"]
    assert game.state.players[0].resources == [6, 6, 6]
    assert "menhir" not in offered(game)


def test_another_seats_menhir_space_is_another() -> None:
    s = day()
    for p in s.players:
        p.resources = [9, 9, 9]
        rests(p, "recluse")
    game = play(s, "menhir", "menhir")
    assert [p.vp for p in game.state.players] == [6, 6]


def test_the_shrine_cards_can_run_out() -> None:
    s = day()
    s.players[0].hand = [KNOWLEDGE]
    s.players[1].shrines = [2] * 24
    assert offered(play(s, "knowledge", "temple")) == [1, 3]
