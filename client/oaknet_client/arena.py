"""Bots against bots: games, and what they say about who is stronger."""

from __future__ import annotations

import hashlib
import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from oaknet import registry
from oaknet.bots import Bot, Thinker, bot
from oaknet.kernel import CHANCE, Game, Option, Rng
from oaknet.kernel.rng import sample
from oaknet.kernel.statistics import Facts

Z95 = 1.959964
"""Standard deviations on either side of the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: the bots in seat order, the seed of its draws and of the bots, and how many seconds
    of processor time a bot that looks ahead has at most for an answer (0: as many as it takes)."""

    game: str
    data: str | None
    options: tuple[tuple[str, str], ...]
    bots: tuple[str, ...]
    seed: bytes
    seconds: float = 0


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: the bots in seat order, their scores, and the seats that won."""

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    facts: tuple[Facts, ...] = ()  # by seat


def pairings(
    game: str,
    data: str | None,
    options: Mapping[str, str],
    bots: Sequence[str],
    games: int,
    seed: bytes,
    *,
    seats: int = 0,
    seconds: float = 0,
) -> Iterator[Pairing]:
    """The games of an arena: so many for each choice of ``seats`` of the bots (0: all of them at one table).

    Each bot moves on by one seat from game to game, and the draws are the same until every bot has had every
    seat once: neither seats nor luck favour anybody.
    """
    settings = tuple(sorted(options.items()))
    for company in itertools.combinations(bots, seats or len(bots)):
        for number in range(games):
            luck, shift = divmod(number, len(company))
            line_up = (*company[shift:], *company[:shift])
            drawn = hashlib.sha256(seed + luck.to_bytes(8, "big")).digest()
            yield Pairing(game, data, settings, line_up, drawn, seconds)


def timed(mind: Bot, seconds: float) -> Bot:
    """The bot, ending its thought about an answer after so many seconds of processor time (0: never)."""
    if not isinstance(mind, Thinker) or not seconds:
        return mind

    def answer(game: Game[Any], seat: int, rng: Rng) -> Option:
        end = time.thread_time() + seconds
        return replace(mind, more=lambda: time.thread_time() < end)(game, seat, rng)

    return answer


def play(pairing: Pairing) -> Played:
    """Play one game to its end."""
    rules = registry.rules(pairing.game, pairing.data)
    minds = [timed(bot(name, pairing.game), pairing.seconds) for name in pairing.bots]
    thoughts = [Rng(pairing.seed + b"bot" + bytes([seat])) for seat in range(len(minds))]
    chance = Rng(pairing.seed + b"chance")
    game = Game[Any].new(rules, len(minds), dict(pairing.options))
    answers: list[list[tuple[str, Option]]] = [[] for _ in minds]
    while not game.over:
        seat = game.pending[0].seat
        if seat == CHANCE:
            game.answer(CHANCE, sample(chance, game.pending[0]))
        else:
            option = minds[seat](game.clone(), seat, thoughts[seat])
            answers[seat].append((game.pending[0].about, option))
            game.answer(seat, option)
    scores, winners = rules.score(game.state), rules.winners(game.state)
    told = registry.statistics(pairing.game)
    facts = [
        _facts(told(game.state, seat, answers[seat]), rules.breakdown(game.state, seat))
        for seat in range(len(minds))
    ]
    return Played(pairing.bots, scores, winners, tuple(facts))


def _facts(facts: Facts, breakdown: Mapping[str, int]) -> Facts:
    """The game's facts and where the points come from."""
    return Facts(facts.groups, {**facts.counts, **{f"from {name}": n for name, n in breakdown.items()}})


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of one bot. ``wins`` counts a shared victory by its share; ``low`` and ``high`` bound the
    share of games won (95 %, Wilson), ``spread`` the mean score (95 %, normal)."""

    bot: str
    games: int
    wins: float
    low: float
    high: float
    score: float
    spread: float

    @property
    def share(self) -> float:
        """The share of games won, 0 … 1."""
        return self.wins / self.games

    def record(self) -> dict[str, object]:
        """The documented JSON object."""
        return {
            "bot": self.bot,
            "games": self.games,
            "wins": round(self.wins, 3),
            "share": round(self.share, 4),
            "share_95": [round(self.low, 4), round(self.high, 4)],
            "score": round(self.score, 2),
            "score_95": [round(self.score - self.spread, 2), round(self.score + self.spread, 2)],
        }


def standings(results: Sequence[Played]) -> list[Standing]:
    """One line a bot, the strongest first. A bot in several seats of a game counts once for each."""
    names = list(dict.fromkeys(name for played in results for name in played.bots))
    table: list[Standing] = []
    for name in names:
        wins: list[float] = []
        scores: list[int] = []
        for played in results:
            for seat, there in enumerate(played.bots):
                if there == name:
                    wins.append(1 / len(played.winners) if seat in played.winners else 0.0)
                    scores.append(played.scores[seat])
        count, total = len(wins), sum(wins)
        low, high = wilson(total, count)
        mean = sum(scores) / count
        variance = sum((score - mean) ** 2 for score in scores) / (count - 1) if count > 1 else 0.0
        table.append(Standing(name, count, total, low, high, mean, Z95 * math.sqrt(variance / count)))
    return sorted(table, key=lambda standing: (-standing.share, standing.bot))


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share."""
    share, z = wins / games, Z95 * Z95 / games
    middle = (share + z / 2) / (1 + z)
    reach = Z95 * math.sqrt(share * (1 - share) / games + z / games / 4) / (1 + z)
    return max(0.0, middle - reach), min(1.0, middle + reach)
