"""The table has ended: where the points came from, where the game was decided, and what one may do now."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oaknet.kernel import Game
from oaknet_client.boards.charts import breakdown, curve, timeline
from oaknet_client.boards.layout import GAP
from oaknet_client.boards.records import Canvas, Drawing, Key, fitted
from oaknet_client.feed import Result, Seat, Shown
from oaknet_client.screen.company import Act
from oaknet_client.words import inert, result_lines

if TYPE_CHECKING:
    from oaknet_client.replays import Replay
    from oaknet_client.screen.app import TableApp

NARROW, WIDE = 40, 140
"""Cells that such a picture has at least, and with which two have room."""

CURVE = 7
"""Rows of the points over the game."""


class Course:
    """What has happened in a game since it was set up, to be looked over where no log is kept."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._shown: list[Shown] = []

    def add(self, event: Shown) -> None:
        """Keep what has happened."""
        self._shown.append(event)

    def replay(self, result: Result, seats: Sequence[Seat]) -> Replay:
        """The game so far."""
        from oaknet_client.replays import SET, of_positions, position, unsigned

        found = [position(-1, (), (SET,), self._game)]
        for event in self._shown:
            movers = (event.seat,) if event.seat >= 0 else ()
            found.append(position(event.step, movers, event.lines, event.game))
        return of_positions(self._game.rules.title, seats, found, unsigned(result))


async def recall(app: TableApp, result: Result, course: Course, game: Game[Any]) -> Replay:
    """The whole game: from its log, which has also what was played before somebody came back to the table, or
    else as it was followed here."""
    if result.log:
        from oaknet_client import logs
        from oaknet_client.replays import replay
        from oaknet_protocol.verify import BadLog, rules_named

        rules = rules_named({game.rules.name: game.rules})
        try:
            opened = await asyncio.to_thread(logs.read, Path(result.log), rules)
            return await asyncio.to_thread(replay, opened)
        except (OSError, BadLog) as error:
            app.note(f"The log cannot be looked over: {error}")
    return await asyncio.to_thread(course.replay, result, app.seats)


def pages(game: Game[Any], seats: Sequence[Seat], found: Replay | None, width: int) -> tuple[Drawing, ...]:
    """Bars of points by source; then the points over the game, and where it turned, each to be gone to.

    They stand side by side where the ``width`` allows it.
    """
    width = (width - GAP) // 2 if width >= WIDE else max(NARROW, min(WIDE // 2, width))
    bars = breakdown(game, seats, width)
    if found is None:
        return (bars,)
    canvas = Canvas()
    last = len(found.positions) - 1
    canvas.heading("The points over the game", width)
    canvas.paste(0, 1, curve(found.history, found.seats, width, CURVE, last))
    named = [(first, found.positions[first].chapter) for first in found.chapters]
    turned = [turning.at for turning in found.turnings]
    canvas.paste(0, 1 + CURVE, timeline(named, last + 1, width, last, turned))
    if found.turnings:
        canvas.put(0, canvas.height, "▲ turning points", "dim")
    for y, turning in enumerate(found.turnings, canvas.height):
        canvas.spot(("turning", turning.at), 0, y, width)
        canvas.put(2, y, fitted(turning.line, width - 2))
    return bars, canvas.drawing("Course", width)


def acts(app: TableApp, found: Replay | None) -> list[Act]:
    """What one may do now; the first is what Enter does."""
    offered: list[Act] = [("Leave the table", app.action_leave)]
    if app.again:
        where = "a new table, whose invite you send" if app.company.own else "the same players and options"
        offered.append((f"Rematch: {where}", app.rematch))
    if found is not None:
        offered.append(("Look the game over", lambda: app.look_over(found, 0)))
        offered.append(("Save it as a page for a browser", lambda: app.note(save(found))))
        offered += [(f"See {turning.line}", _jump(app, found, turning.at)) for turning in found.turnings]
    return offered


def _jump(app: TableApp, found: Replay, at: int) -> Callable[[], None]:
    return lambda: app.look_over(found, at)


def keys(app: TableApp, found: Replay | None) -> list[Key | None]:
    """Where each of these acts is on the page."""
    turned: list[Key | None] = [("turning", turning.at) for turning in found.turnings] if found else []
    return [*[None] * (len(acts(app, found)) - len(turned)), *turned]


def about(result: Result) -> list[str]:
    """The scores, how it ended, and where the log is."""
    lines = result_lines(result)[1:]
    if result.log:
        lines += ["", f"Its log: {inert(result.log)}", "oaknet verify checks it, oaknet replay shows it."]
    return lines


def save(found: Replay) -> str:
    """Write the game as a page into the data folder; says where it is."""
    from oaknet_client.boards.page import page as written
    from oaknet_client.config import folders

    folder = folders().data / "pages"
    name = found.title.lower().replace(" ", "-")
    path = folder / f"{name}-{datetime.datetime.now():%Y%m%d-%H%M%S}.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(written(found), encoding="utf-8")
    except OSError as error:
        return f"The page cannot be written: {error}"
    return f"The page is in {path}"
