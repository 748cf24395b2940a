"""Logs as people and scripts look at them: read, checked, and played again answer by answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oaknet.kernel import CHANCE, Game, Option
from oaknet_client import feed, files
from oaknet_client.feed import Seat
from oaknet_client.games import loaded
from oaknet_client.words import log_line, said
from oaknet_protocol import log, pool
from oaknet_protocol.result import Result
from oaknet_protocol.table import RulesFor
from oaknet_protocol.verify import BadLog, Reading, verify


@dataclass(frozen=True, slots=True)
class Opened:
    """A log, or as much of it as is good; ``fault`` says what is wrong with the rest."""

    path: Path
    reading: Reading
    fault: BadLog | None = None


def rules_for(data: Path | None) -> RulesFor:
    """Finds the rules to check logs with: those that are here, with the numbers of ``data`` if given."""
    return lambda game: loaded(game, data)


def opened(path: Path, data: Path | None) -> Opened:
    """Read a log up to its first fault; raises `OSError`, or `BadLog` if nothing of it can be read."""
    return read(path, rules_for(data))


def read(path: Path, rules: RulesFor) -> Opened:
    """The same, to be checked with these rules."""
    content = files.content(path)
    try:
        return Opened(path, verify(content, rules, pool.check))
    except BadLog as fault:
        if fault.result is None:
            raise
        try:
            return Opened(path, verify(_first(content, fault.valid), rules), fault)
        except BadLog:
            raise fault from None


def _first(content: bytes, records: int) -> bytes:
    """A log's header and its first records."""
    _, offset = log.read_header(content)
    for _ in range(records):
        offset += 4 + int.from_bytes(content[offset : offset + 4], "big")
    return content[:offset]


def result(found: Result, path: str) -> feed.Result:
    """The protocol's result as front ends show it."""
    seats = tuple(Seat(seat.name, key=seat.key.hex(), place=seat.seat) for seat in found.seats)
    return feed.Result(
        found.game,
        seats,
        found.scores,
        found.winner,
        found.how,
        found.digest.hex(),
        found.table.hex(),
        found.transcript.hex(),
        path,
    )


def rules_seats(reading: Reading) -> tuple[Seat, ...]:
    """Who sits where, in the order of the rules' seats; in that of the table while no draw has decided."""
    found = Result.of(reading.transcript)
    seats = result(found, "").seats
    places = reading.transcript.places or tuple(range(len(seats)))
    return tuple(seats[place] for place in places)


@dataclass(frozen=True, slots=True)
class Given:
    """One answer: the seat of the rules or chance, the option, the words for it."""

    seat: int
    option: Option
    words: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the transcript as the game saw it: log lines, answers, and the position after it."""

    number: int
    kind: str
    lines: tuple[str, ...]
    given: tuple[Given, ...]
    game: Game[Any]


def steps(reading: Reading) -> Iterator[Step]:
    """Play a log again; ``game`` of each step is the same object, played on."""
    terms, rules = reading.transcript.opening.terms, reading.transcript.opening.rules
    seats = rules_seats(reading)
    game = Game[Any].new(rules, terms.seats, dict(terms.options))
    for done in reading.steps:
        lines: list[str] = []
        given: list[Given] = []
        for seat, option in done.line:
            lines.append(log_line(game, seats, seat, option))
            given.append(Given(seat, option, said(rules, game, seat, option)))
            game.answer(seat, option)
        yield Step(done.number, done.kind, tuple(lines), tuple(given), game)


def place(seats: tuple[Seat, ...], seat: int) -> int:
    """The place at the table of a seat of the rules; chance has none and stays as it is."""
    return seat if seat == CHANCE else seats[seat].place
