"""A table on the screen under test: its app, and what is on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from textual.pilot import Pilot
from textual.widgets import OptionList, RichLog, Static

from oaknet import registry
from oaknet.kernel.rules import checked_options
from oaknet_client.config import Config
from oaknet_client.feed import Feed, Seat
from oaknet_client.local import Local
from oaknet_client.screen.app import TableApp
from oaknet_client.screen.board import Board
from oaknet_client.screen.parts import BoardArea
from oaknet_client.views.records import text

NOON = datetime(2026, 1, 1, 12, 0)

ANN, BEN = Seat("Ann", place=0), Seat("Ben", place=1)
GREEDY = Seat("greedy", bot="greedy", place=1)


@dataclass
class Table:
    """An app under test and how to read it."""

    app: TableApp
    pilot: Pilot[None]
    stirred: asyncio.Event

    @property
    def board(self) -> Board:
        return self.app.screen_stack[0].query_one("#board", Board)

    def drawn(self) -> str:
        pages = self.app.screen_stack[0].query_one(BoardArea).pages
        return "\n".join(text(row) for page in pages for row in page.rows)

    def shown(self, widget: str) -> str:
        return str(self.app.screen_stack[0].query_one(f"#{widget}", Static).content)

    @property
    def choices(self) -> OptionList:
        return self.app.screen_stack[0].query_one("#choices", OptionList)

    @property
    def rows(self) -> list[str]:
        return [str(option.prompt) for option in self.choices.options]

    @property
    def log(self) -> str:
        return "\n".join(strip.text for strip in self.app.screen_stack[0].query_one("#log", RichLog).lines)

    def screen_text(self) -> str:
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)

    async def until(self, what: Callable[[], bool]) -> None:
        """Let the app work until something is so; the feed's thread decides when."""
        for _ in range(2000):
            self.stirred.clear()
            if what():
                return
            with suppress(TimeoutError):  # the last message may be the one that makes it so
                await asyncio.wait_for(self.stirred.wait(), 0.01)
        raise AssertionError(self.screen_text())

    async def asked(self) -> None:
        """Wait until somebody is asked, or the game is over, and it is drawn."""
        await self.until(lambda: bool(self.rows) and not self.app._stale)


def feed_of(
    game: str = "five_towers", seats: tuple[Seat, ...] = (ANN, GREEDY), data: str | None = None
) -> Feed:
    rules = registry.rules(game, data)
    return Local(rules, seats, checked_options(rules, len(seats), {}), b"s")


def short_game() -> Feed:
    """5 Towers with the cards 0 and 1 alone."""
    data = registry.data_text("five_towers")
    values = next(line for line in data.splitlines() if line.startswith("values ="))
    return feed_of(data=data.replace(values, 'values = { value = [0, 1], origin = "assumed" }'))


@asynccontextmanager
async def table(
    feed: Feed | None = None, config: Config | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Table]:
    app = TableApp(feed or feed_of(), config or Config("Ann"), clock=lambda: NOON)
    stirred = asyncio.Event()
    try:
        async with app.run_test(size=size, message_hook=lambda _: stirred.set()) as pilot:
            yield Table(app, pilot, stirred)
    finally:
        assert app.bridge.stop()
