"""The screen: Textual in the main thread, the feed in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING, Protocol

from oaknet_client.config import Config
from oaknet_client.failures import FAILED, Failure

if TYPE_CHECKING:  # each screen loads what it needs by itself: the home screen must be there at once
    from oaknet_client.errand import Errand
    from oaknet_client.feed import Feed, Result
    from oaknet_client.replays import Replay
    from oaknet_client.screen.base import OakApp

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""What ends the program in order; Textual itself handles none of them."""

LIMIT = 1.8
"""Seconds after which a signal ends the program whatever still hangs."""


class Ending(Protocol):
    """What runs beside a screen, in threads of its own, and ends with it."""

    def cancel(self) -> None:
        """Begin to end, without waiting for it."""
        ...

    def stop(self) -> bool:
        """End; says whether that came in time."""
        ...


def play(feed: Feed, config: Config, *, again: bool = False) -> tuple[Result | None, bool]:
    """Show a table to its end: its result, or None if the person left before, and if a rematch is wanted.

    It is offered if there can be one (``again``). Raises what goes wrong.
    """
    from oaknet_client.screen.app import TableApp

    app = TableApp(feed, config, again=again)
    asyncio.run(_shown(app, app.bridge))
    _raise(app, app.result is None)
    return app.result, app.wanted


def look_over(replay: Replay, config: Config, at: int) -> None:
    """Show a replay, from a position on, until the person leaves; raises what goes wrong."""
    from oaknet_client.screen.replay import ReplayApp

    app = ReplayApp(replay, config, at)
    asyncio.run(_shown(app, None))
    _raise(app, True)


def at_home(config: Config, notice: str) -> Errand | None:
    """Show the home screen, with something to say first, until the person wants something; None is to leave.

    Raises what goes wrong.
    """
    from oaknet_client.screen.home import HomeApp

    app = HomeApp(config, notice)
    asyncio.run(_shown(app, app))
    _raise(app, True)
    return app.errand


def _raise(app: OakApp, early: bool) -> None:
    if app.fault is not None:
        raise app.fault
    if early and app.return_code:
        raise Failure("Stopped.", app.return_code)


async def _shown(app: OakApp, bridge: Ending | None) -> None:
    loop = asyncio.get_running_loop()
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(NotImplementedError):  # Windows has none for its event loop
                loop.add_signal_handler(number, _end, app, bridge, 128 + number)
    if app.no_color:  # Textual has taken it away, and the next screen must know it too
        os.environ["NO_COLOR"] = "1"
    try:
        await app.run_async()
    finally:  # the loop stays alive while the feed says its last words
        ended = bridge is None or await asyncio.to_thread(bridge.stop)
        if not ended and app.fault is None:
            app.fault = Failure(
                "The table did not close in time; its log is whole up to the last move.", FAILED
            )


def _end(app: OakApp, bridge: Ending | None, status: int) -> None:
    """End in order; at the latest after `LIMIT` seconds, for Textual may wait forever for a lost terminal."""
    last = threading.Timer(LIMIT, os._exit, (status,))
    last.daemon = True
    last.start()
    if bridge is not None:
        bridge.cancel()
    app.exit(return_code=status)
