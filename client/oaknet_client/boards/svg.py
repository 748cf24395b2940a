"""A drawing as one SVG picture, without a browser."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from oaknet_client.boards.palette import GROUND, ink
from oaknet_client.boards.records import Drawing, cells_of
from oaknet_client.views.records import Span
from oaknet_client.words import inert

CELL, ROW = 8.4, 17
"""Width and height of a cell in pixels, of a font of 14 pixels."""

FONT = "'DejaVu Sans Mono', 'Cascadia Mono', Menlo, Consolas, monospace"


def svg(drawing: Drawing, heading: Sequence[str], *, dark: bool = True) -> str:
    """The picture as text; ``heading`` stands above it, line by line."""
    lines = [*((Span(inert(line), "strong"),) for line in heading), (), *drawing.rows]
    columns = max([drawing.width, *(len(line) for line in heading)])
    width, height = (columns + 4) * CELL, (len(lines) + 2) * ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="{FONT}" font-size="14">',
        f"<title>{escape(' '.join(map(inert, heading)))}</title>",
        f'<rect width="100%" height="100%" rx="6" fill="{GROUND[dark]}"/>',
    ]
    for y, line in enumerate(lines):
        column = 2
        for span in line:
            parts.append(_text(span, column, y + 1, dark=dark))
            column += len(list(cells_of(span.text)))
    return "\n".join([*filter(None, parts), "</svg>", ""])


def _text(span: Span, column: int, row: int, *, dark: bool) -> str:
    """A span at its place, stretched to its cells so that no font can break the columns."""
    text = span.text.rstrip()
    if not text.strip():
        return ""
    cells = len(list(cells_of(text)))
    colour, bold = ink(span.tone, dark=dark)
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{column * CELL:.1f}" y="{(row + 0.8) * ROW:.1f}" textLength="{cells * CELL:.1f}" '
        f'fill="{colour}"{weight} xml:space="preserve">{escape(text)}</text>'
    )
