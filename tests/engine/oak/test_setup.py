"""oak 3: the table, the draws, the orders."""

from __future__ import annotations

import pytest

from oaknet.kernel import CHANCE, Game, IllegalChoice, Rng, WrongSeats, resolve
from oaknet.oak.state import CHOOSING, DAY, State
from oaknet.oak.tables import KNOWLEDGE, POTIONS, REST, RITUAL, ROOTS, STORYTELLING
from tests.engine.oak.positions import RULES, asked


def drawn(seats: int) -> Game[State]:
    game = Game[State].new(RULES, seats)
    resolve(game, Rng(b"set-up"))
    return game


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_forest_and_the_displays_are_drawn_and_nothing_is_lost(seats: int) -> None:
    s = drawn(seats).state
    assert len(s.forest) == seats + 2
    assert -1 not in s.forest
    assert sum(s.bag) + len(s.forest) == 40
    assert [POTIONS[tile].level for tile in s.potions] == [1, 2, 3]
    assert sorted(s.creatures + s.creature_deck.cards()) == list(range(1, 36))
    assert sorted(s.artifacts + s.artifact_stack.cards()) == list(range(1, 13))
    assert len(s.creatures) == len(s.artifacts) == 3
    assert s.sun == 1


@pytest.mark.parametrize(("seats", "tokens"), [(2, 2), (3, 2), (4, 1)])
def test_solar_tokens_go_by_the_number_of_players(seats: int, tokens: int) -> None:
    assert drawn(seats).state.tokens == [tokens] * 3


@pytest.mark.parametrize(("seats", "spaces"), [(2, [0, 4, 8]), (3, [0]), (4, [])])
def test_neutral_druids_stand_on_pictured_spaces(seats: int, spaces: list[int]) -> None:
    assert drawn(seats).state.neutrals == spaces


def test_each_seat_begins_with_druids_resources_and_starting_cards() -> None:
    for p in drawn(3).state.players:
        assert p.place.count(REST) == 3
        assert p.place.count(ROOTS) == 6
        assert p.resources == [6, 6, 6]
        assert p.limits == [1, 1]
        assert p.hand == [STORYTELLING, KNOWLEDGE, RITUAL]
        assert p.vp == 0


def test_orders_are_chosen_from_the_first_players_right_counterclockwise() -> None:
    """Worked case 12: with start player 1 seats 0, 2, 1 choose."""
    s = Game[State].new(RULES, 3).state
    s.first, s.mover, s.phase = 1, 0, CHOOSING
    game = Game(RULES, s)
    assert asked(game) == (0, "order", ["bee", "blackbird", "cairns", "fox", "wild"])
    game.play("fox")
    assert asked(game) == (2, "order", ["bee", "blackbird", "cairns", "wild"])
    game.play("bee")
    assert asked(game) == (1, "order", ["blackbird", "cairns", "wild"])
    game.play("wild")
    assert game.state.phase == DAY
    assert asked(game)[:2] == (1, "turn")


def test_an_order_that_another_has_chosen_is_refused_and_nothing_is_lost() -> None:
    game = drawn(3)
    (first,) = game.pending
    game.answer(first.seat, "fox")
    before = game.digest()
    (second,) = game.pending
    with pytest.raises(IllegalChoice, match="fox"):
        game.answer(second.seat, "fox")
    with pytest.raises(IllegalChoice, match="is not asked anything"):
        game.answer(first.seat, "bee")  # a second order for who has one
    assert game.digest() == before
    assert game.pending == (second,)


def test_seat_zero_starts_and_the_first_draw_is_a_question_to_chance() -> None:
    game = Game[State].new(RULES, 4, {"start": "first-seat"})
    assert game.pending[0].about == "bag"
    assert game.pending[0].seat == CHANCE
    resolve(game, Rng(b"x"))
    assert asked(game)[:2] == (3, "order")
    assert game.state.first == 0


@pytest.mark.parametrize("seats", [0, 5])
def test_the_game_is_for_one_to_four(seats: int) -> None:
    with pytest.raises(WrongSeats, match="1 to 4 players"):
        Game.new(RULES, seats)
