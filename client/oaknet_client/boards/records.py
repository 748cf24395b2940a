"""What a board is made of, for every front end alike: frozen drawings with spots to point at. No toolkit.

A `Drawing` is a rectangle of cells, each one character wide, and the `Spot`s in it: the parts that stand for
something one may look at or choose. The first cell of a spot is left blank for the sign of a choice.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from oaknet_client.views.records import Line, Panel, Span
from oaknet_client.words import inert

Key: TypeAlias = "tuple[str | int, ...]"
"""What a spot stands for, such as ``("creature", 13)``: equal keys are the same thing."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle of cells; ``entry`` is the name under which its thing is found in the rules' texts."""

    key: Key
    x: int
    y: int
    width: int
    height: int = 1
    entry: str = ""

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell is part of it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Drawing:
    """Cells by row. ``title`` is its short name; ``width`` counts cells and ``rows`` may be shorter.

    ``small`` is what takes its place where not everything fits on one page, if it has a smaller form.
    """

    title: str
    width: int
    rows: tuple[Line, ...]
    spots: tuple[Spot, ...] = ()
    small: Drawing | None = None

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def at(self, x: int, y: int) -> Spot | None:
        """The smallest spot that a cell is part of."""
        found = [spot for spot in self.spots if spot.holds(x, y)]
        return min(found, key=lambda spot: spot.width * spot.height, default=None)

    def spot(self, key: Key) -> Spot | None:
        """The first spot with this key."""
        return next((spot for spot in self.spots if spot.key == key), None)


def cells_of(text: str) -> Iterator[str]:
    """A text by cells: a wide character is followed by an empty cell, marks stay with what they stand on."""
    pending = ""
    for char in inert(text):
        kind = unicodedata.category(char)
        if kind in ("Mn", "Me") or unicodedata.combining(char):
            if pending and len(pending) < 4:  # more marks than any script needs only smear over other rows
                pending += char
            continue
        if pending:
            yield pending
        if unicodedata.east_asian_width(char) in "WF":
            yield char
            yield ""
            pending = ""
        else:
            pending = char
    if pending:
        yield pending


def fitted(text: str, width: int) -> str:
    """A text cut to so many cells, with ``…`` where something is missing."""
    found = list(cells_of(text))
    if len(found) <= width:
        return "".join(found)
    kept = found[: width - 1]
    if found[width - 1] == "" and kept:  # not half of a wide character
        kept[-1] = " "
    return "".join(kept) + "…"


class Canvas:
    """A drawing in the making. It grows as it is drawn on; later strokes cover earlier ones."""

    def __init__(self) -> None:
        self._rows: list[list[tuple[str, str]]] = []
        self._spots: list[Spot] = []

    @property
    def height(self) -> int:
        """Rows so far."""
        return len(self._rows)

    def put(self, x: int, y: int, text: str, tone: str = "") -> int:
        """Write text from a cell on; the column behind it."""
        while len(self._rows) <= y:
            self._rows.append([])
        row = self._rows[y]
        for char in cells_of(text):
            while len(row) <= x:
                row.append((" ", ""))
            row[x] = (char, tone)
            x += 1
        return x

    def spans(self, x: int, y: int, spans: Iterable[Span]) -> int:
        """Write a line from a cell on; the column behind it."""
        for text, tone in spans:
            x = self.put(x, y, text, tone)
        return x

    def spot(self, key: Key, x: int, y: int, width: int, height: int = 1, entry: str = "") -> None:
        """Declare a spot; its first cell is to stay blank."""
        self._spots.append(Spot(key, x, y, width, height, entry))

    def paste(self, x: int, y: int, drawing: Drawing) -> None:
        """Put a whole drawing here, its spots included."""
        for offset, row in enumerate(drawing.rows):
            self.spans(x, y + offset, row)
        for spot in drawing.spots:
            self.spot(spot.key, x + spot.x, y + spot.y, spot.width, spot.height, spot.entry)

    def heading(self, text: str, width: int, *more: Span) -> None:
        """The first row: a name in bold and a line up to the drawing's width."""
        x = self.put(0, 0, text, "strong")
        x = self.spans(x, 0, more)
        self.put(x, 0, " " + "─" * max(0, width - x - 1), "dim")

    def drawing(self, title: str, width: int = 0) -> Drawing:
        """What has been drawn, at least ``width`` cells wide."""
        wide = max([width, *map(len, self._rows)])
        return Drawing(title, wide, tuple(map(_line, self._rows)), tuple(self._spots))


def _line(row: list[tuple[str, str]]) -> Line:
    """Neighbouring cells of one tone as one span."""
    spans: list[Span] = []
    for char, tone in row:
        if spans and spans[-1].tone == tone:
            spans[-1] = Span(spans[-1].text + char, tone)
        else:
            spans.append(Span(char, tone))
    return tuple(spans)


def padded(drawing: Drawing, height: int) -> Drawing:
    """The drawing with empty rows below, so that what stands under it stays where it is."""
    rows = (*drawing.rows, *((),) * (height - drawing.height))
    return replace(drawing, rows=rows)


def of_panel(panel: Panel) -> Drawing:
    """A panel of a view as a drawing without spots."""
    canvas = Canvas()
    for y, row in enumerate((panel.title, *panel.lines)):
        canvas.spans(0, y, row)
        canvas.put(0, y, "")  # an empty row counts too
    title = "".join(span.text for span in panel.title)
    return canvas.drawing(title.split("  ")[0] or "Board", panel.width)


def changed(old: Drawing, new: Drawing) -> tuple[tuple[int, int, int], ...]:
    """Where two drawings of one size differ, as ``(y, from, to)``; nothing if the sizes do."""
    if (old.width, old.height) != (new.width, new.height):
        return ()
    found: list[tuple[int, int, int]] = []
    for y, (before, after) in enumerate(zip(old.rows, new.rows, strict=True)):
        if before == after:
            continue
        left, right = _cells(before, new.width), _cells(after, new.width)
        start = -1
        for x in range(new.width + 1):
            differs = x < new.width and left[x] != right[x]
            if differs and start < 0:
                start = x
            elif not differs and start >= 0:
                found.append((y, start, x))
                start = -1
    return tuple(found)


def _cells(row: Line, width: int) -> list[str]:
    cells = [char for span in row for char in cells_of(span.text)]
    return (cells + [" "] * width)[:width]
