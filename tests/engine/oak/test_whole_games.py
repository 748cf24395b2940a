"""Whole games: what must hold at every decision, and at the end; `survey` looks at 20,000 in this way."""

from __future__ import annotations

import pytest

from oaknet import bots
from oaknet.kernel import CHANCE, Game, Rng, resolve
from oaknet.oak.state import State
from tests.engine.oak.positions import RULES, day, grow, play
from tests.engine.oak.random_games import decisions, eager, faults

GAMES = 16


@pytest.mark.parametrize("bot", [bots.random, eager, bots.bot("greedy", "oak")])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_lost_or_out_of_range_in_random_games(seats: int, bot: bots.Bot) -> None:
    questions = 0
    for game in decisions(seats, b"whole", GAMES, bot=bot):
        assert faults(game.state) == []
        questions += 1
        if not game.over:
            (ask,) = game.pending
            assert len(dict.fromkeys(ask.options)) == len(ask.options) >= 2, ask
    assert questions > GAMES * 80


def test_a_fault_is_found() -> None:
    s = next(decisions(2, b"fault", 1)).state.copy()
    s.bag[0] -= 1
    s.players[1].resources[2] = 10
    s.players[0].kind[:2] = [1, 1]
    assert len(faults(s)) == 3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_absent_table_plays_to_the_end(seats: int) -> None:
    game, rng = Game[State].new(RULES, seats), Rng(b"absent")
    while not game.over:
        resolve(game, rng)
        if game.pending:
            seat = game.pending[0].seat
            game.answer(seat, RULES.stand_in(game, seat))
    assert RULES.winners(game.state) == tuple(range(seats))
    assert RULES.score(game.state) == (0,) * seats


def test_an_absent_seat_does_no_more_than_it_must() -> None:
    s = day()
    s.players[0].creatures, s.players[0].limits = [7, 25], [2, 4]
    game = play(s, "storytelling", "temple", 1)
    assert RULES.stand_in(game, 0) == "no"
    grow(s, "bark", "acorn")
    game = play(s, "pass", "acorn")
    assert RULES.stand_in(game, 0) == "nobody"


@pytest.mark.parametrize("seats", [2, 4])
def test_the_breakdown_always_adds_up(seats: int) -> None:
    for game in decisions(seats, b"sum", 10, draws=False):
        s = game.state
        for seat, points in enumerate(RULES.score(s)):
            assert sum(RULES.breakdown(s, seat).values()) == points


def test_a_copy_is_independent_in_every_part() -> None:
    for game in decisions(4, b"copy", 2, draws=False):
        s = game.state
        twin = s.copy()
        assert twin == s
        assert twin.box is s.box
        for part, other in [(s, twin), *zip(s.players, twin.players, strict=True)]:
            for name in part.__slots__:
                value = getattr(part, name)
                assert not isinstance(value, list) or value is not getattr(other, name)


def test_chance_asks_only_for_the_bag_and_the_decks() -> None:
    abouts = [
        game.pending[0].about
        for game in decisions(3, b"draws", 3)
        if game.pending and game.pending[0].seat == CHANCE
    ]
    assert sorted(dict.fromkeys(abouts)) == [
        "artifact-display",
        "bag",
        "creature-display",
        "first-player",
        "potion-tile",
    ]
