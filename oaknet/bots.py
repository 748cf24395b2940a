"""Players that need no person: a bot answers one question of one seat (engine 7)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeAlias

from oaknet.kernel import Game, Option, Rng
from oaknet.registry import package

Bot: TypeAlias = Callable[[Game[Any], int, Rng], Option]
"""``bot(game, seat, rng)`` answers the question that waits for ``seat``. The game is its own to play with."""

BOTS = ("greedy", "random")


class UnknownBot(ValueError):
    """No bot has that name."""


def random(game: Game[Any], seat: int, rng: Rng) -> Option:
    """Any option, each equally likely."""
    ask = game.asked(seat)
    assert ask is not None, f"seat {seat} is not asked"
    return ask.options[rng.below(len(ask.options))]


def bot(name: str, game: str) -> Bot:
    """The bot of that name for a game; raises `UnknownBot` or `oaknet.registry.UnknownGame`."""
    if name == "random":
        return random
    if name == "greedy":
        found: Bot = importlib.import_module(f"{package(game)}.greedy").greedy
        return found
    raise UnknownBot(f"There is no bot {name!r}; the bots are {', '.join(BOTS)}.")
