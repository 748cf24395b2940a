"""The board on the screen: one widget drawn line by line, which repaints only the rows that have changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from oaknet_client.boards.records import Drawing, Key, Spot, cells_of
from oaknet_client.screen.styles import MARKS, tones

FRESH = 1.5
"""Seconds for which a change is highlighted."""


class Mark(NamedTuple):
    """Cells of a row shown in another way; ``sign`` takes the place of the first one."""

    start: int
    end: int
    how: str
    sign: str = ""


class Board(ScrollView, can_focus=True):
    """A drawing; spots that can be chosen bear their signs. ``cursor`` is the number of the current one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1, 0)", "Left", show=False),
        Binding("right", "go(1, 0)", "Right", show=False),
        Binding("up", "go(0, -1)", "Up", show=False),
        Binding("down", "go(0, 1)", "Down", show=False),
        Binding("enter", "choose", "Choose", show=False),
    ]

    class Chosen(Message):
        """A choice was made on the board."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class Moved(Message):
        """The cursor went to another choice."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class Pointed(Message):
        """The mouse is over something that the rules' texts explain."""

        def __init__(self, entry: str, number: int) -> None:
            super().__init__()
            self.entry, self.number = entry, number

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.drawing = Drawing("", 0, ())
        self.cursor = -1
        self._choices: tuple[tuple[Key | None, str], ...] = ()
        self._fresh: tuple[tuple[int, int, int], ...] = ()
        self._hover: Spot | None = None
        self._marks: dict[int, tuple[Mark, ...]] = {}
        self._strips: dict[int, Strip] = {}
        self._fading: Timer | None = None
        self.repainted = 0
        self.dark = True

    # -- what is shown ---------------------------------------------------------------------------------------

    def show(
        self,
        drawing: Drawing,
        choices: Sequence[tuple[Key | None, str]] = (),
        fresh: Sequence[tuple[int, int, int]] = (),
    ) -> None:
        """Draw this. ``choices`` has key and sign of each; ``fresh`` cells are highlighted a while."""
        old, self.drawing = self.drawing, drawing
        if self._choices != tuple(choices):
            self._choices, self.cursor = tuple(choices), -1
        self._fresh = tuple(fresh)
        self._hover = None
        if (old.width, old.height) != (drawing.width, drawing.height):
            self.virtual_size = Size(drawing.width, drawing.height)
            self.repaint()
        else:
            pairs = enumerate(zip(old.rows, drawing.rows, strict=True))
            self._redo([y for y, (before, after) in pairs if before != after])
        if self._fading is not None:
            self._fading.stop()
        self._fading = self.set_timer(FRESH, self._fade) if fresh else None

    def colour(self, *, dark: bool) -> None:
        """Take the colours for a dark or a light theme."""
        self.dark = dark
        self.repaint()

    def repaint(self) -> None:
        """Draw every row anew."""
        self._strips.clear()
        self._marks = self._marked()
        self.refresh()

    def _fade(self) -> None:
        self._fresh = ()
        self._redo()

    def _redo(self, rows: Sequence[int] = ()) -> None:
        """Draw these rows anew, and those whose marks have changed."""
        marks = self._marked()
        stale = {y for y in (*self._marks, *marks) if self._marks.get(y) != marks.get(y)}
        self._marks = marks
        for y in sorted(stale.union(rows)):
            self._strips.pop(y, None)
            self.refresh(Region(0, y - self.scroll_offset.y, self.size.width, 1))

    def spot(self, number: int) -> Spot | None:
        """Where a choice is."""
        key = self._choices[number][0] if 0 <= number < len(self._choices) else None
        return None if key is None else self.drawing.spot(key)

    def _marked(self) -> dict[int, tuple[Mark, ...]]:
        """The marks of each row, the stronger ones last."""
        found: dict[int, list[Mark]] = {}
        for y, start, end in self._fresh:
            found.setdefault(y, []).append(Mark(start, end, "fresh"))
        for number, (_, sign) in enumerate(self._choices):
            spot = self.spot(number)
            if spot is not None:
                _mark(found, spot, "cursor" if number == self.cursor else "glow", sign)
        if self._hover is not None:
            _mark(found, self._hover, "hover", "")
        return {y: tuple(marks) for y, marks in found.items()}

    def render_line(self, y: int) -> Strip:
        """One row of the drawing as far as it is in sight."""
        left, top = self.scroll_offset
        strip = self._strips.get(y + top)
        if strip is None:
            strip = self._strips[y + top] = self._strip(y + top)
            self.repainted += 1
        return strip.crop_extend(left, left + self.size.width, self.rich_style).apply_style(self.rich_style)

    def _strip(self, y: int) -> Strip:
        if not 0 <= y < self.drawing.height:
            return Strip.blank(self.size.width)
        dark = self.dark
        styles, marking = tones(dark), MARKS[dark]
        cells = [(char, styles(span.tone)) for span in self.drawing.rows[y] for char in cells_of(span.text)]
        cells += [(" ", Style())] * (self.drawing.width - len(cells))
        for start, end, how, sign in self._marks.get(y, ()):
            for x in range(start, min(end, len(cells))):
                cells[x] = (cells[x][0], cells[x][1] + marking[how])
            if sign and start < len(cells):
                cells[start] = (sign, marking["sign"] + marking[how] if how == "cursor" else marking["sign"])
        segments: list[Segment] = []
        for char, style in cells:
            if segments and segments[-1].style == style:
                segments[-1] = Segment(segments[-1].text + char, style)
            else:
                segments.append(Segment(char, style))
        return Strip(segments, len(cells))

    # -- keys ------------------------------------------------------------------------------------------------

    def point(self, number: int) -> None:
        """Put the cursor on a choice and bring it into sight."""
        if number != self.cursor:
            self.cursor = number
            self._redo()
        spot = self.spot(number)
        if spot is not None:
            self.scroll_to_region(Region(spot.x, spot.y, spot.width, spot.height), animate=False, force=True)

    def action_go(self, right: int, down: int) -> None:
        """To the nearest choice in a direction."""
        here = self.spot(self.cursor)
        best, nearest = -1, 0
        for number in range(len(self._choices)):
            spot = self.spot(number)
            if spot is None or number == self.cursor:
                continue
            if here is None:
                best = number
                break
            ahead = (spot.x - here.x) * right + (spot.y - here.y) * down * 2
            aside = abs((spot.x - here.x) * down) + abs((spot.y - here.y) * right) * 2
            if ahead > 0 and (best < 0 or ahead + 2 * aside < nearest):
                best, nearest = number, ahead + 2 * aside
        if best >= 0:
            self.point(best)
            self.post_message(self.Moved(best))

    def action_choose(self) -> None:
        """Choose what the cursor is on."""
        if self.cursor >= 0:
            self.post_message(self.Chosen(self.cursor))

    # -- mouse -----------------------------------------------------------------------------------------------

    def _under(self, event: events.MouseEvent) -> tuple[Spot | None, int]:
        """The spot below the mouse, and the choice that it is; -1 if it is none."""
        x, y = event.x + self.scroll_offset.x, event.y + self.scroll_offset.y
        for number in range(len(self._choices)):
            spot = self.spot(number)
            if spot is not None and spot.holds(x, y):
                return spot, number
        return self.drawing.at(x, y), -1

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say what is under the mouse."""
        spot, number = self._under(event)
        if spot != self._hover:
            self._hover = spot
            self._redo()
            if spot is not None:
                self.post_message(self.Pointed(spot.entry, number))

    def on_leave(self) -> None:
        """Nothing is under the mouse."""
        self._hover = None
        self._redo()

    def on_click(self, event: events.Click) -> None:
        """Choose what was clicked, or explain it."""
        spot, number = self._under(event)
        if number >= 0:
            self.post_message(self.Chosen(number))
        elif spot is not None:
            self.post_message(self.Pointed(spot.entry, -1))


def _mark(found: dict[int, list[Mark]], spot: Spot, how: str, sign: str) -> None:
    for y in range(spot.y, spot.y + spot.height):
        found.setdefault(y, []).append(Mark(spot.x, spot.x + spot.width, how, sign if y == spot.y else ""))
