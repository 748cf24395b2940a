"""Tables of every game, seat count and table option."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from oaknet import bots, registry
from oaknet.kernel import Ask, Game, Option, Rng, Rules
from tests.engine.toys import Market

TOY = "market"
LONGEST = 4000
"""No game asks more often than this, chance included."""


@cache
def rules(name: str) -> Rules[Any]:
    return Market() if name == TOY else registry.rules(name)


@cache
def bot(kind: str, name: str) -> bots.Bot:
    """The bot of a game; the toy has no greedy one, a random one stands for it."""
    return bots.bot("random" if name == TOY else kind, name)


@cache
def thinker(kind: str, name: str) -> bots.Thinker:
    """The bot of a game that looks ahead; at the toy it plays on at random."""
    found = bots.Thinker(bots.random, bots.STRENGTHS[kind]) if name == TOY else bots.bot(kind, name)
    assert isinstance(found, bots.Thinker)
    return found


@dataclass(frozen=True)
class Table:
    """A game, its number of seats, and the table options that are not the default."""

    game: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.game, str(self.seats), *(f"{name}={value}" for name, value in self.options)])

    @property
    def rules(self) -> Rules[Any]:
        return rules(self.game)

    def new(self) -> Game[Any]:
        return Game.new(self.rules, self.seats, dict(self.options))

    def rng(self, what: str) -> Rng:
        """A generator for one purpose at this table."""
        return Rng(f"{self} {what}".encode())


def all_tables() -> Iterator[Table]:
    """Every game and seat count with default options; every other option value with the fewest seats, and
    where that is one, with two."""
    for name in (TOY, *registry.games()):
        for seats in rules(name).seats:
            yield Table(name, seats)
        for option in rules(name).options:
            for value in option.values[1:]:
                for seats in dict.fromkeys((rules(name).seats[0], max(2, rules(name).seats[0]))):
                    yield Table(name, seats, ((option.name, value),))


def one_of(rng: Rng, ask: Ask) -> Option:
    return ask.options[rng.below(len(ask.options))]


def random_walk(table: Table, what: str) -> Iterator[Game[Any]]:
    """The game before each answer, and at its end; answers are drawn, in a phase the next seat too."""
    game, rng = table.new(), table.rng(what)
    for _ in range(LONGEST):
        yield game
        if game.over:
            return
        ask = game.pending[rng.below(len(game.pending))]
        game.answer(ask.seat, one_of(rng, ask))
    raise AssertionError(f"{table} is not over after {LONGEST} questions")


def play_out(game: Game[Any], rng: Rng) -> Game[Any]:
    """Play a game to its end with drawn answers; returns it."""
    for _ in range(LONGEST):
        if game.over:
            return game
        ask = game.pending[rng.below(len(game.pending))]
        game.answer(ask.seat, one_of(rng, ask))
    raise AssertionError(f"not over after {LONGEST} questions")
