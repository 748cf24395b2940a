"""Which of several answers is best, from playouts that all meet the same luck (engine 7.5).

The answers take turns, so that the n-th playout of each can be compared with the n-th of every other. Who
falls clearly behind the leader drops out, and an answer not tried yet takes its place. All in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from oaknet.kernel import Option

PERCENT = 100
FEWEST = 4
"""Playouts that two answers need before one of them can be clearly worse."""
CLEAR = 200
"""Standard errors, in percent, by which a difference is clear enough to drop an answer."""


@dataclass(slots=True)
class Runner:
    """An answer in the race and what its playouts were worth, in the order of the luck they met."""

    option: Option
    worths: list[int] = field(default_factory=list[int])


class Race:
    """The race between the answers of one question: at most ``breadth`` at a time, the first ones first."""

    def __init__(self, options: Iterable[Option], breadth: int) -> None:
        self._waiting = [Runner(option) for option in options][::-1]
        self.running: list[Runner] = []
        self._breadth = breadth
        self._fill()
        self.favourite = self.running[0]

    @property
    def decided(self) -> bool:
        """Whether a single answer is left."""
        return len(self.running) == 1

    def next(self) -> Runner:
        """Whose turn it is: the answer with the fewest playouts, of several the earliest."""
        return min(self.running, key=lambda runner: len(runner.worths))

    def note(self, runner: Runner, worth: int) -> None:
        """What its next playout was worth; after each round of all, those who are clearly worse drop out."""
        runner.worths.append(worth)
        if len({len(each.worths) for each in self.running}) == 1 and len(runner.worths) >= FEWEST:
            leader = self._leader()
            self.running = [each for each in self.running if not beats(leader, each, CLEAR)]
            self._fill()

    def best(self, doubt: int) -> Option:
        """The answer that leads, if it is ``doubt`` percent of a standard error better than the favourite;
        otherwise the favourite."""
        leader = self._leader()
        if self.favourite not in self.running or leader is self.favourite:
            return leader.option
        return leader.option if beats(leader, self.favourite, doubt) else self.favourite.option

    def _fill(self) -> None:
        while self._waiting and len(self.running) < self._breadth:
            self.running.append(self._waiting.pop())

    def _leader(self) -> Runner:
        """Who is worth most by the playouts that all have had; of several the earliest."""
        tried = [runner for runner in self.running if runner.worths] or self.running
        rounds = min(len(runner.worths) for runner in tried)
        return max(tried, key=lambda runner: sum(runner.worths[:rounds]))


def beats(one: Runner, other: Runner, errors: int) -> bool:
    """Whether one is worth more than the other by more than so many hundredths of a standard error of the
    difference, over the luck that both have met (a paired t statistic)."""
    differences = [a - b for a, b in zip(one.worths, other.worths, strict=False)]
    n, total = len(differences), sum(differences)
    if total <= 0:
        return False
    scatter = n * sum(d * d for d in differences) - total * total  # n (n - 1) times the variance
    return n >= FEWEST and total * total * (n - 1) * PERCENT * PERCENT > errors * errors * scatter
