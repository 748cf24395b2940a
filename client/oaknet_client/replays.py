"""A game to look over: every position of a log with its points, and the verdict on the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from oaknet.kernel import CHANCE, Game
from oaknet_client import boards, logs
from oaknet_client.feed import Result, Seat
from oaknet_client.logs import Opened
from oaknet_client.words import counted, inert, listed, result_lines, scorer, seat_name
from oaknet_protocol.signing import fingerprint

SET = "The table is set."
"""What is told of the position before the first step."""

LEADS, LEAPS = 4, 3
"""How many turning points of each kind are told."""


@dataclass(frozen=True, slots=True)
class Position:
    """The game after a step: ``lines`` tell the step, ``seats`` made it (none: chance), ``chapter`` is the
    part of the game that it belongs to."""

    number: int
    seats: tuple[int, ...]
    lines: tuple[str, ...]
    game: Game[Any]
    scores: tuple[int, ...]
    chapter: str


@dataclass(frozen=True, slots=True)
class Turning:
    """Where the game turned: the index of the position, and what happened there, in words."""

    at: int
    line: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game, played: ``chapters`` has the index of the first position of each part of it, ``turnings``
    are where it was decided."""

    title: str
    seats: tuple[Seat, ...]
    positions: tuple[Position, ...]
    chapters: tuple[int, ...]
    verdict: tuple[str, ...]
    turnings: tuple[Turning, ...] = ()

    @property
    def history(self) -> tuple[tuple[int, ...], ...]:
        """The points of all seats after each step."""
        return tuple(position.scores for position in self.positions)

    def chapter(self, at: int, steps: int) -> int:
        """The beginning of the part of the game so many parts away, or the last or first position."""
        if steps < 0:
            return max((first for first in self.chapters if first < at), default=0)
        return min((first for first in self.chapters if first > at), default=len(self.positions) - 1)

    def step_of(self, seat: int, at: int, steps: int) -> int:
        """The next (``steps`` 1) or the previous (-1) step of a seat; where it has none, the same."""
        found = at + steps
        while 0 <= found < len(self.positions):
            if seat in self.positions[found].seats:
                return found
            found += steps
        return at


def replay(opened: Opened) -> Replay:
    """Play a log once and keep every position, the one before the first step included."""
    reading = opened.reading
    terms, rules = reading.transcript.opening.terms, reading.transcript.opening.rules
    seats = logs.rules_seats(reading)
    game = Game[Any].new(rules, terms.seats, dict(terms.options))
    found = [position(-1, (), (SET,), game.clone())]
    for step in logs.steps(reading):
        movers = tuple(dict.fromkeys(given.seat for given in step.given if given.seat != CHANCE))
        found.append(position(step.number, movers, step.lines, step.game.clone()))
    return of_positions(rules.title, seats, found, verdict(opened, seats))


def of_positions(
    title: str, seats: Sequence[Seat], positions: Sequence[Position], verdict: Sequence[str]
) -> Replay:
    """The replay of a game of which every position is there."""
    named = [one.chapter for one in positions]
    chapters = tuple(i for i, name in enumerate(named) if name and (not i or name != named[i - 1]))
    found = turnings(positions, seats)
    return Replay(title, tuple(seats), tuple(positions), chapters, tuple(verdict), found)


def position(number: int, seats: tuple[int, ...], lines: tuple[str, ...], game: Game[Any]) -> Position:
    """A position with its points; ``game`` is kept."""
    return Position(number, seats, lines, game, game.rules.score(game.state), boards.chapter(game))


# -- where it was decided ------------------------------------------------------------------------------------


def turnings(positions: Sequence[Position], seats: Sequence[Seat]) -> tuple[Turning, ...]:
    """Where another one took the lead (of these at most the last `LEADS`), and the `LEAPS` steps at which the
    distance between the first in the end and the best of the others changed most; in their order."""
    history = [one.scores for one in positions]
    if len(history[0]) < 2:
        return ()
    found = dict(_leads(history, seats)[-LEADS:])
    first = history[-1].index(max(history[-1]))
    ahead = [scores[first] - max(scores[:first] + scores[first + 1 :]) for scores in history]
    leaps = [(-abs(after - before), at) for at, (before, after) in enumerate(pairwise(ahead), 1)]
    for size, at in sorted(leaps)[:LEAPS]:
        if size:
            found.setdefault(at, _leap(history[at - 1], history[at], seats))
    told = ((at, f"{positions[at].chapter}: " if positions[at].chapter else "") for at in sorted(found))
    return tuple(Turning(at, f"{when}{found[at]}") for at, when in told)


def _leads(history: Sequence[tuple[int, ...]], seats: Sequence[Seat]) -> list[tuple[int, str]]:
    """Every position at which somebody else leads alone than did before."""
    found: list[tuple[int, str]] = []
    leader = -1
    for at, scores in enumerate(history):
        best = max(scores)
        if scores.count(best) > 1 or scores.index(best) == leader:
            continue
        if leader >= 0:
            second = max(points for seat, points in enumerate(scores) if seat != scores.index(best))
            line = f"{scorer(seats, scores.index(best))} takes the lead, {best} to {second}"
            found.append((at, line))
        leader = scores.index(best)
    return found


def _leap(before: Sequence[int], after: Sequence[int], seats: Sequence[Seat]) -> str:
    """Whose points changed most, and by how much."""
    changes = [new - old for old, new in zip(before, after, strict=True)]
    seat = max(range(len(changes)), key=lambda seat: (abs(changes[seat]), -seat))
    points = counted(abs(changes[seat]), "point")
    return f"{scorer(seats, seat)} {'gains' if changes[seat] > 0 else 'loses'} {points}"


# -- the verdict ---------------------------------------------------------------------------------------------


def unsigned(result: Result) -> list[str]:
    """What can be said of a game that was played without a network: nobody has signed it."""
    line = "This game was played at one keyboard: nobody has signed it, and no log is kept."
    return [line, *result_lines(result), f"digest     {result.digest}"]


def verdict(opened: Opened, seats: Sequence[Seat]) -> list[str]:
    """What checking the log has shown: whether it is whole, the result, and every fingerprint."""
    reading, found = opened.reading, opened.reading.result
    shown = logs.result(found, str(opened.path))
    lines = [f"valid: {reading.records} entries in {found.steps} steps"]
    if opened.fault is not None:
        lines = [f"not valid: {inert(str(opened.fault))}", f"What comes before is good: {found.steps} steps."]
    lines += result_lines(shown)
    lines += [f"{seat_name(seats, i)}: key {fingerprint(bytes.fromhex(s.key))}" for i, s in enumerate(seats)]
    if found.confirmed:
        lines.append(f"result signed by {listed(seat_name(shown.seats, i) for i in found.confirmed)}")
    return [
        *lines,
        f"table      {shown.table}",
        f"transcript {shown.transcript}",
        f"digest     {shown.digest}",
    ]
