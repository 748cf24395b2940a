"""Display records: what a view makes of a state, for every front end alike. Frozen, without any toolkit.

A `Picture` is made of `Panel`s, a panel of lines, a line of `Span`s. ``tone`` names what a span stands for
(``seat0`` … ``seat4``, ``strong``, ``dim``, ``good``, ``bad``, or a tone of the game's own); a front end may
show it by colour, and never needs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from oaknet.kernel import Rules
from oaknet_client.feed import Seat
from oaknet_client.words import inert


class Span(NamedTuple):
    """A piece of text of width-1 characters, and its tone."""

    text: str
    tone: str = ""


Line: TypeAlias = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """A titled block of lines."""

    title: Line
    lines: tuple[Line, ...]

    @property
    def width(self) -> int:
        """Cells of the longest line."""
        return max((cells(line) for line in (self.title, *self.lines)), default=0)


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole state: ``status`` is the line that is always visible (round, phase, what counts).

    ``brief`` says the same within 78 cells, where ``status`` may be longer.
    """

    status: str
    panels: tuple[Panel, ...]
    brief: str = ""

    def within(self, width: int) -> str:
        """The status as it fits into so many cells, as far as it can."""
        return self.brief if self.brief and len(self.status) > width else self.status


class View(Protocol):
    """Draws the states of one game; ``seat`` is the one that looks, None for a spectator."""

    def __call__(self, rules: Rules[Any], state: Any, seats: Sequence[Seat], seat: int | None) -> Picture: ...


def line(*parts: str | Span) -> Line:
    """A line of spans and plain strings, made inert."""
    return tuple(
        Span(inert(text), tone)
        for text, tone in (Span(p) if isinstance(p, str) else p for p in parts)
        if text
    )


def cells(row: Line) -> int:
    """The width of a line."""
    return sum(len(span.text) for span in row)


def padded(row: Line, width: int) -> Line:
    """A line filled with blanks up to a width."""
    missing = width - cells(row)
    return (*row, Span(" " * missing)) if missing > 0 else row


def text(row: Line) -> str:
    """A line without its tones."""
    return "".join(span.text for span in row).rstrip()


def flow(panels: Iterable[Panel], width: int, gap: int = 3) -> list[Line]:
    """Lay panels side by side as far as ``width`` cells allow, then further down."""
    rows: list[list[Panel]] = []
    used = 0
    for panel in panels:
        if rows and used + gap + panel.width <= width:
            rows[-1].append(panel)
            used += gap + panel.width
        else:
            rows.append([panel])
            used = panel.width
    lines: list[Line] = []
    for row in rows:
        lines += [()] if lines else []
        blocks = [(panel.title, *panel.lines) for panel in row]
        for index in range(max(map(len, blocks))):
            spans: list[Span] = []
            for panel, block in zip(row, blocks, strict=True):
                part = block[index] if index < len(block) else ()
                spans += padded(part, panel.width + gap)
            lines.append(tuple(spans))
    return lines
