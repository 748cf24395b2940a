"""The home screen under test: its app, and what is on it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from oaknet_client.around import News
from oaknet_client.config import Config
from oaknet_client.lookout import Tell
from oaknet_client.screen.home import HomeApp, HomeScreen
from oaknet_client.screen.page import Line

HOSTILE = (
    "[/] [@click=app.quit]x[/] [bold]b\x1b[2J\x1b]52;c;eA==\x1b\\\u202e\u200b\u2028y" + "e" + "\u0301" * 200
)
"""What must do nothing on any screen: markup, control sequences, hidden signs, a tower of marks."""


class Look:
    """A lookout that sees what the test tells."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self.began = self.ended = False

    def start(self) -> None:
        self.began = True

    def cancel(self) -> None:
        self.ended = True

    def stop(self) -> bool:
        self.ended = True
        return True


@dataclass
class Home:
    """An app under test and how to read it."""

    app: HomeApp
    pilot: Pilot[None]
    look: Look

    async def tell(self, *news: News) -> None:
        """Tell what there is around, and wait until it is shown."""
        for one in news:
            self.look.tell(one)
        screen = self.app.screen_stack[0]
        assert isinstance(screen, HomeScreen)
        await self.until(lambda: news[-1] in (screen.mine, screen.nearby))

    async def paste(self, text: str) -> None:
        """Paste into the line that is written in."""
        await self.until(lambda: self.app.focused is self.line)
        self.line.post_message(events.Paste(text))
        await self.until(lambda: bool(self.line.value))

    async def until(self, what: Callable[[], bool]) -> None:
        """Let the app work until something is so, and is painted."""
        for attempt in range(500):
            await self.pilot.pause(0.01 if attempt else None)
            if what():
                await self.pilot.pause()
                return
        raise AssertionError(self.text())

    async def opened(self, page: str) -> None:
        """Wait until the page of that heading is there."""
        await self.until(lambda: bool(self.app.screen.query("#heading")) and self.heading.startswith(page))

    @property
    def line(self) -> Line:
        return self.app.screen.query_one(Line)

    @property
    def heading(self) -> str:
        return str(self.app.screen.query_one("#heading", Static).content)

    @property
    def about(self) -> str:
        return str(self.app.screen.query_one("#about", Static).content)

    def text(self) -> str:
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    def shows_hostile(self) -> None:
        """The hostile text is there as it was written, and nothing of it can be obeyed."""
        shown = self.text()
        assert "[@click=app.quit]x" in re.sub(r"\s+", " ", shown)
        hidden = [char for char in shown if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Zl")]
        assert hidden == []
        assert max(map(len, shown.splitlines())) < 10_000


@asynccontextmanager
async def at_home(
    config: Config | None = None, notice: str = "", size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Home]:
    looks: list[Look] = []

    def lookout(tell: Tell) -> Look:
        looks.append(Look(tell))
        return looks[0]

    app = HomeApp(config or Config("Ann"), notice, lookout)
    async with app.run_test(size=size) as pilot:
        yield Home(app, pilot, looks[0])
