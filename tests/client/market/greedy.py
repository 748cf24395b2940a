"""A bot for the toy: always the last option."""

from __future__ import annotations

from typing import Any

from oaknet.kernel import Game, Option, Rng


def greedy(game: Game[Any], seat: int, rng: Rng) -> Option:
    """The last option offered."""
    ask = game.asked(seat)
    assert ask is not None
    return ask.options[-1]
