"""How strong bots are: ratings by the Bradley–Terry model, with intervals, on Elo's scale.

Each game is a comparison of every two seats that different bots have: who won stands above who did not, of
two who did not the one with more points; otherwise they share the comparison. One more, drawn, between every
two bots keeps ratings finite where one has won all.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from oaknet_client.arena import Played

SCALE = 400 / math.log(10)
"""Elo's points for one unit of the logarithm of strength: 400 points are odds of 10 to 1."""
RESAMPLES = 200
SWEEPS = 200
CLOSE = 1e-4
"""The fit ends when no strength changes by more than this part of it: a hundredth of an Elo point."""

Tally = tuple[tuple[tuple[str, str], float], ...]
"""Of each ordered two bots, how often the first stood above the second."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo points of a bot, the mean of all being 0; ``low`` to ``high`` hold it with 95 %."""

    bot: str
    elo: float
    low: float
    high: float

    def record(self) -> dict[str, object]:
        """What it adds to the documented JSON object of a bot."""
        return {"elo": round(self.elo, 1), "elo_95": [round(self.low, 1), round(self.high, 1)]}


def ratings(results: Sequence[Played], together: int) -> dict[str, Rating]:
    """The rating of every bot by name.

    ``together`` games in a row have the same luck and are resampled as one (the bootstrap's blocks).
    """
    names = list(dict.fromkeys(name for played in results for name in played.bots))
    blocks = Counter(_tally(results[i : i + together]) for i in range(0, len(results), together))
    kinds, counts = list(blocks), list(blocks.values())
    found = _fit(names, blocks)
    draw = random.Random(0)  # noqa: S311 - for the intervals only, which should be the same every time
    resampled = [Counter(draw.choices(kinds, counts, k=sum(counts))) for _ in range(RESAMPLES)]
    samples = [_fit(names, each) for each in resampled]
    table: dict[str, Rating] = {}
    for name in names:
        spread = sorted(sample[name] for sample in samples)
        low, high = spread[RESAMPLES * 25 // 1000], spread[-1 - RESAMPLES * 25 // 1000]
        table[name] = Rating(name, found[name], low, high)
    return table


def _tally(games: Sequence[Played]) -> Tally:
    """What became of all comparisons in some games."""
    above: dict[tuple[str, str], float] = {}
    for played in games:
        places = [(seat in played.winners, played.scores[seat]) for seat in range(len(played.bots))]
        for one, mine in zip(played.bots, places, strict=True):
            for other, its in zip(played.bots, places, strict=True):
                if one != other:
                    gain = 0.5 if mine == its else float(mine > its)
                    above[one, other] = above.get((one, other), 0.0) + gain
    return tuple(sorted(above.items()))


def _fit(names: Sequence[str], tallies: Mapping[Tally, int]) -> dict[str, float]:
    """Elo points by name: the maximum of the likelihood, by Hunter's minorisation-maximisation."""
    above = {(a, b): 0.5 for a in names for b in names if a != b}
    for tally, times in tallies.items():
        for pair, gain in tally:
            above[pair] += gain * times
    strength = dict.fromkeys(names, 1.0)
    for _ in range(SWEEPS):
        before = dict(strength)
        for name in names:
            others = [other for other in names if other != name]
            won = sum(above[name, other] for other in others)
            met = sum(
                (above[name, other] + above[other, name]) / (strength[name] + strength[other])
                for other in others
            )
            strength[name] = won / met if others else 1.0
        if all(abs(strength[name] / before[name] - 1) < CLOSE for name in names):
            break
    logs = {name: math.log(value) for name, value in strength.items()}
    mean = sum(logs.values()) / len(logs)
    return {name: SCALE * (value - mean) for name, value in logs.items()}
