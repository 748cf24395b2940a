"""Players that need no person: a bot answers one question of one seat (engine 7)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from oaknet.kernel import Game, Option, Rng
from oaknet.mcts import EASY, HARD, NORMAL, More, Strength, think
from oaknet.registry import package

Bot: TypeAlias = Callable[[Game[Any], int, Rng], Option]
"""``bot(game, seat, rng)`` answers the question that waits for ``seat``. The game is its own to play with."""

STRENGTHS = {"easy": EASY, "normal": NORMAL, "hard": HARD}
"""The bots that look ahead."""

BOTS = ("easy", "greedy", "hard", "normal", "random")


class UnknownBot(ValueError):
    """No bot has that name."""


def random(game: Game[Any], seat: int, rng: Rng) -> Option:
    """Any option, each equally likely."""
    ask = game.asked(seat)
    assert ask is not None, f"seat {seat} is not asked"
    return ask.options[rng.below(len(ask.options))]


@dataclass(frozen=True, slots=True)
class Thinker:
    """A bot that looks ahead, by playing on as ``base`` would; ``more`` may end its thinking early."""

    base: Bot
    strength: Strength
    more: More | None = None

    def __call__(self, game: Game[Any], seat: int, rng: Rng) -> Option:
        """Answer the question that waits for ``seat``."""
        return think(game, seat, rng, self.base, self.strength, self.more)


def bot(name: str, game: str) -> Bot:
    """The bot of that name for a game; raises `UnknownBot` or `oaknet.registry.UnknownGame`."""
    if name == "random":
        return random
    if name in STRENGTHS:
        return Thinker(bot("greedy", game), STRENGTHS[name])
    if name == "greedy":
        found: Bot = importlib.import_module(f"{package(game)}.greedy").greedy
        return found
    raise UnknownBot(f"There is no bot {name!r}; the bots are {', '.join(BOTS)}.")
