"""The area of the board: its pages as tabs where they do not all fit, and the board below."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Static

from oaknet_client.boards.layout import pages
from oaknet_client.boards.records import Drawing, Key, changed, fitted
from oaknet_client.screen.base import Resized
from oaknet_client.screen.board import Board


class Tabs(Static):
    """The names of the pages in a row; a click on one opens it."""

    class Opened(Message):
        """A page was clicked."""

        def __init__(self, page: int) -> None:
            super().__init__()
            self.page = page

    def __init__(self) -> None:
        super().__init__("", id="tabs", markup=False)
        self._ends: list[int] = []

    def show(self, titles: Sequence[str], page: int) -> None:
        """Name the pages, the open one in reverse."""
        parts: list[str | tuple[str, str]] = []
        self._ends = []
        column = 0
        for number, title in enumerate(titles):
            text = f" {fitted(title, 14)} "
            parts.append((text, "reverse bold") if number == page else text)
            column += len(text)
            self._ends.append(column)
        self.update(Content.assemble(*parts, ("  , . turn over", "dim")))

    def on_click(self, event: events.Click) -> None:
        """Open what was clicked."""
        found = next((number for number, end in enumerate(self._ends) if event.x < end), -1)
        if found >= 0:
            self.post_message(self.Opened(found))


class BoardArea(Vertical):
    """Lays blocks out on pages for the room there is, and shows one of them."""

    def __init__(self) -> None:
        super().__init__(id="table")
        self.pages: tuple[Drawing, ...] = ()
        self.page = 0
        self._room = Size(0, 0)
        self._turned = False  # whether the person has opened a page since the choices came
        self._choices: tuple[tuple[Key | None, str], ...] = ()

    def compose(self) -> ComposeResult:
        yield Tabs()
        yield Board(id="board")

    @property
    def board(self) -> Board:
        """The board itself."""
        return self.query_one("#board", Board)

    def on_resize(self) -> None:
        """The blocks are laid out for the new room."""
        self.post_message(Resized())

    def show(
        self,
        blocks: Sequence[Drawing],
        choices: Sequence[tuple[Key | None, str]] = (),
        *,
        flash: bool = False,
    ) -> None:
        """Draw these blocks; ``flash`` highlights what has changed since the last time.

        With a new question the page with most of its choices is opened, once, and for new room again.
        """
        before = {page.title: page for page in self.pages}
        room = self.size
        if tuple(choices) != self._choices:
            self._turned = False
        asked = not self._turned and (tuple(choices) != self._choices or room != self._room)
        self._choices, self._room = tuple(choices), room
        title = self.pages[self.page].title if self.pages else ""
        self.pages = pages(blocks, max(20, room.width), max(4, room.height))
        if len(self.pages) > 1:
            self.pages = pages(blocks, max(20, room.width), max(4, room.height - 1))
        titles = [page.title for page in self.pages]
        self.page = titles.index(title) if title in titles else 0
        if asked:
            counts = [sum(page.spot(key) is not None for key, _ in choices if key) for page in self.pages]
            if counts[self.page] < max(counts):
                self.page = counts.index(max(counts))
        old = before.get(self.pages[self.page].title) if flash else None
        self._show(() if old is None else changed(old, self.pages[self.page]))

    def turn(self, steps: int) -> None:
        """Open another page; after the last comes the first."""
        self.open((self.page + steps) % max(1, len(self.pages)))

    def open(self, page: int) -> None:
        """Open this page."""
        if 0 <= page < len(self.pages):
            self.page, self._turned = page, True
            self.board.scroll_to(0, 0, animate=False)
            self._show(())

    def find(self, key: Key | None) -> None:
        """Open the page where a spot is, if it is on another one."""
        if key is None or self.pages[self.page].spot(key) is not None:
            return
        for number, page in enumerate(self.pages):
            if page.spot(key) is not None:
                self.open(number)
                return

    def on_tabs_opened(self, message: Tabs.Opened) -> None:
        """A page was clicked."""
        self.open(message.page)

    def _show(self, fresh: Sequence[tuple[int, int, int]]) -> None:
        tabs = self.query_one(Tabs)
        tabs.display = len(self.pages) > 1
        tabs.show([page.title for page in self.pages], self.page)
        self.board.show(self.pages[self.page], self._choices, fresh)
