"""A game to look over: every position of a log with its points, and the verdict on the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oaknet.kernel import CHANCE, Game
from oaknet_client import boards, logs
from oaknet_client.feed import Seat
from oaknet_client.logs import Opened
from oaknet_client.words import inert, listed, result_lines, seat_name
from oaknet_protocol.signing import fingerprint


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
class Replay:
    """A whole log, played: ``chapters`` has the index of the first position of each part of the game."""

    title: str
    seats: tuple[Seat, ...]
    positions: tuple[Position, ...]
    chapters: tuple[int, ...]
    verdict: tuple[str, ...]

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
    found = [_position(-1, (), ("The table is set.",), game)]
    for step in logs.steps(reading):
        movers = tuple(dict.fromkeys(given.seat for given in step.given if given.seat != CHANCE))
        found.append(_position(step.number, movers, step.lines, step.game))
    chapters = tuple(
        i for i, at in enumerate(found) if at.chapter and (not i or at.chapter != found[i - 1].chapter)
    )
    return Replay(rules.title, seats, tuple(found), chapters, tuple(verdict(opened, seats)))


def _position(number: int, seats: tuple[int, ...], lines: tuple[str, ...], game: Game[Any]) -> Position:
    scores = game.rules.score(game.state)
    return Position(number, seats, lines, game.clone(), scores, boards.chapter(game))


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
