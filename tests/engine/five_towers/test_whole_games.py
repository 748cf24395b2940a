"""Whole games under random answers: conservation, the look-ahead, the end."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from oaknet.five_towers import State
from oaknet.five_towers.building import buildable
from oaknet.five_towers.state import Player, kind_of, value_of
from oaknet.kernel import Game, Rng
from oaknet.kernel.rng import sample
from tests.engine.five_towers.positions import RULES, everything, new_game, whole_deck
from tests.engine.five_towers.test_building import stands

seats = st.integers(2, 5)
seeds = st.binary(min_size=1, max_size=8)


def step(game: Game[State], rng: Rng) -> None:
    """Answer the question that waits at random, chance by its weights."""
    (ask,) = game.pending
    game.answer(ask.seat, sample(rng, ask) if ask.weights else ask.options[rng.below(len(ask.options))])


def in_order(s: State) -> bool:
    return all(stands(tower) for player in s.players for tower in player.towers)


def most_by_trying_all(s: State, player: Player) -> int:
    """The most displayed cards that can be built: every tear-down, every order of every choice of cards."""
    most = 0
    ways = [player.towers]
    for kind, tower in enumerate(player.towers):
        if tower and tower[-1] != 0:
            ways.append([tower[:-1] if k == kind else t for k, t in enumerate(player.towers)])
    for towers in ways:
        for number in range(most + 1, len(s.display) + 1):
            for order in permutations(s.display, number):
                built = [(*t, *(value_of(c) for c in order if kind_of(c) == k)) for k, t in enumerate(towers)]
                if all(map(stands, built)):
                    most = number
                    break
    return most


@settings(max_examples=40, deadline=None)
@given(seats, seeds)
def test_every_game_ends_with_all_cards_in_place(players: int, seed: bytes) -> None:
    game, rng, deck = new_game(players), Rng(seed), whole_deck(players)
    questions = 0
    while game.pending:
        step(game, rng)
        questions += 1
        assert everything(game.state) == deck
        assert in_order(game.state)
        assert 0 <= game.state.owed <= len(game.state.display) <= 5
    assert questions < 1000
    assert not game.state.display
    assert not len(game.state.deck)
    assert game.state.times_through == 2 or not game.state.discards


@settings(max_examples=25, deadline=None)
@given(seats, seeds, st.integers(0, 250))
def test_the_look_ahead_finds_what_trying_everything_finds(players: int, seed: bytes, questions: int) -> None:
    game, rng = new_game(players), Rng(seed)
    while game.pending and (questions > 0 or game.pending[0].about != "bid"):
        step(game, rng)
        questions -= 1
    for player in game.state.players:
        assert buildable(game.state, player) == most_by_trying_all(game.state, player)


@settings(max_examples=10, deadline=None)
@given(seats, seeds)
def test_points_are_those_of_the_towers(players: int, seed: bytes) -> None:
    game, rng = new_game(players), Rng(seed)
    while game.pending:
        step(game, rng)
    for seat, player in enumerate(game.state.players):
        expected = -sum(range(1, len(player.torn_down) + 1)) + max(len(tower) for tower in player.towers)
        expected += sum(len(tower) * (2 if 0 in tower else 1) for tower in player.towers)
        assert RULES.score(game.state)[seat] == expected
    best = max(RULES.score(game.state))
    assert RULES.winners(game.state) == tuple(
        seat for seat in range(players) if RULES.score(game.state)[seat] == best
    )


@settings(max_examples=10, deadline=None)
@given(seats, seeds, st.integers(0, 250))
def test_a_copy_shares_nothing_but_the_numbers(players: int, seed: bytes, questions: int) -> None:
    game, rng = new_game(players), Rng(seed)
    while game.pending and questions:
        step(game, rng)
        questions -= 1
    before = game.digest()
    twin = game.clone()
    assert twin.state == game.state
    while twin.pending:
        step(twin, rng)
    assert game.digest() == before
