"""A picture of any state: its fields by name. For games that have no view of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, cast

from oaknet.kernel import Deck, Rules
from oaknet_client.feed import Seat
from oaknet_client.views.records import Line, Panel, Picture, Span, line
from oaknet_client.words import scorer

WIDTH = 60


def picture(rules: Rules[Any], state: Any, seats: Sequence[Seat], seat: int | None) -> Picture:
    """Points of all seats, then every field of the state."""
    scores = rules.score(state)
    points = tuple(line(Span(scorer(seats, i), f"seat{i}"), f"  {score}") for i, score in enumerate(scores))
    status = "  ".join(f"{scorer(seats, i)} {score}" for i, score in enumerate(scores))
    fields = tuple(_fields(state, 0))
    return Picture(
        status, (Panel(line(Span("Points", "strong")), points), Panel(line(Span("State", "strong")), fields))
    )


def _fields(value: Any, depth: int) -> Iterator[Line]:
    for field in dataclasses.fields(value):
        if not field.metadata.get("shared"):
            yield from _entry(field.name.replace("_", " "), getattr(value, field.name), depth)


def _entry(name: str, value: Any, depth: int) -> Iterator[Line]:
    margin = "  " * depth
    if dataclasses.is_dataclass(value):
        yield line(f"{margin}{name}")
        yield from _fields(value, depth + 1)
    elif parts := _parts(value):
        for index, item in enumerate(parts):
            yield from _entry(f"{name} {index}", item, depth)
    else:
        yield from _wrapped(f"{margin}{name}: ", _short(value))


def _parts(value: Any) -> Sequence[Any]:
    """The items of a list of parts of the state; empty for anything else."""
    items = cast("Sequence[Any]", value if isinstance(value, list) else ())
    return items if items and dataclasses.is_dataclass(items[0]) else ()


def _short(value: Any) -> str:
    if isinstance(value, Deck):
        return f"{len(value)} cards"
    if isinstance(value, list | tuple):
        return ", ".join(map(_short, cast("Sequence[Any]", value))) or "none"
    return str(value)


def _wrapped(head: str, text: str) -> Iterator[Line]:
    room = WIDTH - len(head)
    for start in range(0, max(1, len(text)), room):
        yield line(head if start == 0 else " " * len(head), text[start : start + room])
