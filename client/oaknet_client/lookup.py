"""Entries of a game's rules for people: found by name, told in lines or as a JSON object."""

from __future__ import annotations

import difflib
import itertools
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oaknet import registry
from oaknet.kernel import Rules
from oaknet.kernel.lookup import Entry, Number, Origin, numbers, spelt, told
from oaknet_client.failures import USAGE, Failure
from oaknet_client.feed import Seat
from oaknet_client.words import inert, seat_name

WIDTH = 78

MARKS = {
    "source": "source: published with the rules.",
    "derived": "derived: follows from what is published.",
    "assumed": "assumed: published nowhere, our value; --data takes a file corrected from your box.",
}
"""What the marks of numbers mean."""


@dataclass(frozen=True, slots=True)
class Table:
    """The end of a log: its rules, its position, and the seats of the rules."""

    rules: Rules[Any]
    state: Any
    seats: tuple[Seat, ...]


def table(path: Path, data: Path | None, game: str) -> Table:
    """The position that a log leads to; raises `Failure` if it is not of this game (any game if empty)."""
    from oaknet_client.logs import opened, rules_seats

    reading = opened(path, data).reading
    rules = reading.transcript.opening.rules
    if game not in ("", rules.name):
        raise Failure(f"{path}: this is a log of {rules.title}. Name that game, or none.", USAGE)
    return Table(rules, reading.transcript.game.state, rules_seats(reading))


def folded(name: str) -> str:
    """A name as it is compared: lower case, without accents, hyphens and apostrophes."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    kept = [char if char.isalnum() else " " if char in " -_" else "" for char in plain]
    return " ".join("".join(kept).split())


def named(rules: Rules[Any], entries: Sequence[Entry], name: str) -> list[Entry]:
    """The entries of this name; of this chapter; else those whose names have these words in them.

    Raises `Failure` with the names that are most like it if there is none.
    """
    wanted = folded(name)
    found = [entry for entry in entries if folded(entry.name) == wanted]
    found = found or [entry for entry in entries if folded(entry.chapter) == wanted]
    found = found or [entry for entry in entries if wanted and f" {wanted}" in f" {folded(entry.name)}"]
    if found:
        return found
    known = {folded(entry.name): entry.name for entry in entries}
    words = {word: full for short, full in known.items() for word in short.split() if len(word) > 3}
    near = difflib.get_close_matches(wanted, [*known, *words], n=3, cutoff=0.6)
    meant = list(dict.fromkeys(known.get(short) or words[short] for short in near))
    hint = f"Did you mean {' or '.join(meant)}?" if meant else f"oaknet rules {rules.name} lists all names."
    raise Failure(f"{rules.title} has nothing called {inert(name)!r}. {hint}", USAGE)


def narrowed(rules: Rules[Any], entries: Sequence[Entry], words: str) -> list[Entry]:
    """The entries whose names or chapters have this in them; where none has, those whose texts have it."""
    wanted = folded(words)
    found = [one for one in entries if wanted in folded(one.name) or wanted in folded(one.chapter)]
    return found or [one for one in entries if f" {wanted}" in f" {folded(told(rules.data, one))}"]


def page(rules: Rules[Any], entry: Entry, table: Table | None = None) -> list[str]:
    """An entry in lines: its name, its text, its numbers with their marks, and who has it at a table."""
    lines = [f"{entry.name} ({entry.chapter})", *textwrap.wrap(told(rules.data, entry), WIDTH)]
    shown = numbers(rules.data, entry)
    width = max([len(number.label) for number in shown], default=0)
    return [*lines, *(_row(number, width) for number in shown), *_held(rules, entry, table)]


def _held(rules: Rules[Any], entry: Entry, table: Table | None) -> list[str]:
    """Who has it at a table, in lines."""
    if table is None:
        return []
    found = registry.holders(rules, table.state, entry)
    return [f"  {_holder(table, seat)}{how}" for seat, how in found]


def _holder(table: Table, seat: int) -> str:
    if seat < 0:
        return ""
    return "your rival " if seat >= len(table.seats) else f"{seat_name(table.seats, seat)} "


def _row(number: Number, width: int) -> str:
    label = number.label.replace("_", " ")
    return f"  {label:<{width}}  {marked(number.value, number.origin)}"


def marked(value: Any, origin: Origin) -> str:
    """A value with its mark, or each part of it with its own."""
    if isinstance(origin, str):
        return f"{spelt(value)} ({origin})"
    return ", ".join(itertools.starmap(marked, zip(value, origin, strict=True)))


def marks(rules: Rules[Any], entries: Sequence[Entry]) -> list[str]:
    """What the marks on these entries mean."""
    seen = " ".join(_row(number, 0) for entry in entries for number in numbers(rules.data, entry))
    return [text for mark, text in MARKS.items() if f"({mark})" in seen]


def record(rules: Rules[Any], entry: Entry, table: Table | None = None) -> dict[str, object]:
    """The documented JSON object of an entry; with a table it has ``held``, its seats by place."""
    shown: dict[str, object] = {
        "game": rules.name,
        "chapter": entry.chapter,
        "name": entry.name,
        "text": told(rules.data, entry),
        "numbers": [
            {
                "label": number.label.replace("_", " "),
                "value": number.value,
                "origin": number.origin,
                "data": number.where,
            }
            for number in numbers(rules.data, entry)
        ],
    }
    if table is not None:
        found = registry.holders(rules, table.state, entry)
        shown["held"] = [{"seat": _place(table, seat), "how": how} for seat, how in found]
    return shown


def _place(table: Table, seat: int) -> int:
    """The place of a seat of the rules; -1 for the table, and a place beside the seats, stay as they are."""
    return table.seats[seat].place if 0 <= seat < len(table.seats) else seat
