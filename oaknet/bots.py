"""Players that need no person: a bot answers one question of one seat (engine 7)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from oaknet.kernel import Game, Option, Rng
from oaknet.kernel.statistics import Prospects
from oaknet.mcts import EASY, HARD, HARD_JUDGED, NORMAL, NORMAL_JUDGED, More, Strength, think
from oaknet.registry import package, prospects

Bot: TypeAlias = Callable[[Game[Any], int, Rng], Option]
"""``bot(game, seat, rng)`` answers the question that waits for ``seat``. The game is its own to play with."""

STRENGTHS = {"easy": EASY, "normal": NORMAL, "hard": HARD}
"""The bots that look ahead."""

JUDGED = {"easy": EASY, "normal": NORMAL_JUDGED, "hard": HARD_JUDGED}
"""The same in games that have prospects."""

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
    """A bot that looks ahead, by playing on as ``base`` would and judging what comes of it by ``prospects``,
    where the game has them; ``more`` may end its thinking early."""

    base: Bot
    strength: Strength
    prospects: Prospects | None = None
    more: More | None = None

    def __call__(self, game: Game[Any], seat: int, rng: Rng) -> Option:
        """Answer the question that waits for ``seat``."""
        return think(game, seat, rng, self.base, self.strength, self.prospects, self.more)


def bot(name: str, game: str) -> Bot:
    """The bot of that name for a game; raises `UnknownBot` or `oaknet.registry.UnknownGame`."""
    if name == "random":
        return random
    if name in STRENGTHS:
        judge = prospects(game)
        return Thinker(bot("greedy", game), (JUDGED if judge else STRENGTHS)[name], judge)
    if name == "greedy":
        found: Bot = importlib.import_module(f"{package(game)}.greedy").greedy
        return found
    raise UnknownBot(f"There is no bot {name!r}; the bots are {', '.join(BOTS)}.")
