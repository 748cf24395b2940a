"""The lobby on the screen, and questions over the board."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio
from textual.widgets import Input, RichLog, Static

from oaknet import registry
from oaknet_client.config import Config
from oaknet_client.feed import (
    Command,
    Decide,
    Emit,
    Invited,
    Lobby,
    Note,
    Question,
    Said,
    Say,
    Seat,
)
from oaknet_client.local import Local
from oaknet_client.screen.app import TableApp
from oaknet_client.screen.lobby import LobbyScreen, QuestionScreen

NASTY = "[bold]x[/] [@click=app.leave]y[/] \x1b]52;c;eA==\x1b\\"


class Company:
    """A feed with others: a lobby that fills, somebody who talks, a question, then a game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.heard: list[Command] = []

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        seats = (Seat("Ann", place=0), Seat(self.name, bot="greedy", place=1))
        emit(Invited("oak1aaaa", 4711))
        emit(Lobby("five_towers", seats[:1], 1, (("grace", "60"),)))
        emit(Said(-1, self.name, self.name))
        emit(Note(self.name))
        self.heard.append(await commands.receive())
        emit(Lobby("five_towers", seats, 0))
        emit(Question(1, f"Go on without {self.name}?", ("Go on", "Wait")))
        self.heard.append(await commands.receive())
        emit(Question(2, "Go on?", ("Go on", "Wait")))
        emit(Question(2, "", ()))
        await Local(registry.rules("five_towers"), seats, {}, b"s").run(emit, commands)


@asynccontextmanager
async def lobby(feed: Company, *, named: bool = True) -> AsyncIterator[TableApp]:
    app = TableApp(feed, Config("Ann", named=named))
    try:
        async with app.run_test(size=(80, 24)):
            await settled(app, lambda: isinstance(app.screen, LobbyScreen) and bool(app.screen.is_mounted))
            await settled(app, lambda: "oak1" in text(app, "#lobby-invite"))
            await settled(app, lambda: "free" in text(app, "#lobby-seats"))
            yield app
    finally:
        assert app.bridge.stop()


def text(app: TableApp, widget: str) -> str:
    return str(app.screen.query_one(widget, Static).content)


@pytest.mark.asyncio
async def test_the_lobby_shows_who_is_there_and_how_others_come() -> None:
    feed = Company("Ben")
    async with lobby(feed) as app:
        assert text(app, "#lobby-invite") == "oaknet join oak1aaaa"
        assert text(app, "#lobby-seats") == "  1  Ann\n  2  free"
        assert "5 Towers (grace 60)" in text(app, "#lobby-title")
        assert "4711" in text(app, "#lobby-hint")


def noted(app: TableApp) -> str:
    return "\n".join(line.text for line in app.screen.query_one("#lobby-log", RichLog).lines)


@pytest.mark.asyncio
@pytest.mark.parametrize("named", [True, False])
async def test_who_never_chose_a_name_is_told_under_which_one_others_see_them(named: bool) -> None:
    async with lobby(Company("Ben"), named=named) as app:
        await settled(app, lambda: "Ben says" in noted(app))
        assert ("You are called Ann, as at the login." in noted(app)) is not named


@pytest.mark.asyncio
async def test_one_talks_decides_and_then_the_game_begins() -> None:
    feed = Company("Ben")
    async with lobby(feed) as app:
        say = app.screen.query_one("#lobby-say", Input)
        say.value = "hello"
        await say.action_submit()
        await settled(app, lambda: isinstance(app.screen, QuestionScreen))
        assert isinstance(app.screen, QuestionScreen)
        assert app.screen.question.line == "Go on without Ben?"
        app.screen.dismiss(1)
        await settled(app, lambda: len(feed.heard) == 2 and len(app.screen_stack) == 1)
        assert feed.heard == [Say("hello"), Decide(1, 1)]
        assert not isinstance(app.screen, LobbyScreen | QuestionScreen)


async def settled(app: TableApp, there: Callable[[], bool]) -> None:
    """Let the app work until something is so; the feed's thread decides when."""
    for _ in range(1000):
        if there():
            return
        await asyncio.sleep(0.01)
    raise AssertionError([type(screen).__name__ for screen in app.screen_stack])


@pytest.mark.asyncio
async def test_hostile_texts_are_inert_here_too() -> None:
    feed = Company(NASTY)
    async with lobby(feed) as app:
        await settled(app, lambda: len(app.screen.query_one("#lobby-log", RichLog).lines) >= 2)
        shown = "\n".join(strip.text for strip in app.screen.query_one("#lobby-log", RichLog).lines)
        assert "[bold]x[/]" in shown
        assert all(char.isprintable() or char == "\n" for char in shown)
        app.bridge.send(Say("hello"))
        await settled(app, lambda: isinstance(app.screen, QuestionScreen))
        assert app.return_code is None
