"""The solar track beside the points, with everybody's marker: who is lower than the sun is behind it."""

from __future__ import annotations

from collections.abc import Sequence

from oaknet.oak.branches import behind
from oaknet.oak.state import State
from oaknet_client.boards.records import Canvas, Drawing
from oaknet_client.feed import Seat
from oaknet_client.words import SEAT_LETTERS

WIDTH = 30


def tracks(s: State, seats: Sequence[Seat]) -> Drawing:
    """Each space of the solar track with the points that it is level with, from the last one down.

    A marker stands beside the highest space whose points it has reached.
    """
    canvas = Canvas()
    canvas.heading("Sun and points", WIDTH)
    levels = s.box.sun.level
    for y, space in enumerate(range(len(levels), -1, -1), 1):
        _row(canvas, s, seats, space, y)
    y = len(levels) + 2
    x = canvas.put(0, y, "behind the sun: ", "dim")
    late = [seat for seat in range(len(s.players)) if behind(s, seat)]
    for seat in late:
        x = canvas.put(x, y, f"{SEAT_LETTERS[seats[seat].place]} ", f"seat{seat}")
    if not late:
        canvas.put(x, y, "nobody", "dim")
    canvas.put(0, y + 1, "✶ a Festival begins here", "dim")
    canvas.spot(("sun",), 0, 0, WIDTH, y + 2, entry="Festival")
    return canvas.drawing("Sun", WIDTH)


def _row(canvas: Canvas, s: State, seats: Sequence[Seat], space: int, y: int) -> None:
    """One space of the solar track (0: below the first), and the markers level with it."""
    levels = s.box.sun.level
    here = space == s.sun
    low = levels[space - 1] if space else 0
    high = levels[space] if space < len(levels) else None
    if space:
        mark = "✶" if space in s.box.sun.solstice else " "
        canvas.put(1, y, f"{space:>2}{mark}", "sun" if here else "dim" if space < s.sun else "")
        canvas.put(5, y, "☼" if here else " ", "sun strong")
    canvas.put(7, y, f"{low:>3}", "sun strong" if here else "")
    canvas.put(11, y, "═" if here else "│", "sun" if here else "dim")
    x = 13
    for seat, p in enumerate(s.players):
        if (p.vp >= low or not space) and (high is None or p.vp < high):
            x = canvas.put(x, y, f"{SEAT_LETTERS[seats[seat].place]}{p.vp}", f"seat{seat}") + 1
