"""A feed in a thread of its own, so that a front end in the main thread never waits for it.

Events come out through ``emit``, called in the feed's thread; commands go in by `Bridge.send`. Nothing else
crosses. A feed that fails says so with a last `Failed`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import trio

from oaknet_client.failures import explain
from oaknet_client.feed import Command, Emit, Failed, Feed

PATIENCE = 1.2
"""Seconds a feed has for its last words to other peers before the program goes without it."""


class Bridge:
    """One feed and its thread."""

    def __init__(self, feed: Feed, emit: Emit) -> None:
        self._feed, self._emit = feed, emit
        self._ready = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)

    def start(self) -> None:
        """Start the feed; returns when it can take commands."""
        self._thread.start()
        self._ready.wait()

    def send(self, command: Command) -> None:
        """Hand over a command; a feed that has ended no longer hears it."""
        self._soon(self._commands.send_nowait, command)

    def cancel(self) -> None:
        """Make the feed end, without waiting for it."""
        self._stopping = True
        if self._ready.is_set():
            self._soon(self._scope.cancel)

    def stop(self) -> bool:
        """Make the feed end and wait for it, at most `PATIENCE` seconds; says whether it has ended."""
        self.cancel()
        if self._thread.ident is not None:
            self._thread.join(PATIENCE)
        return not self._thread.is_alive()

    def _soon(self, call: Callable[..., object], *values: object) -> None:
        try:
            self._token.run_sync_soon(call, *values)
        except trio.RunFinishedError:
            return  # the feed has ended, and has said so by its last event

    def _run(self) -> None:
        try:
            trio.run(self._main)
        except BaseException as error:  # the thread's last: whatever it is, the front end must hear of it
            failure = explain(error)
            if not self._stopping:
                self._emit(Failed(failure.sentence, failure.status))
        finally:
            self._ready.set()

    async def _main(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._commands, commands = trio.open_memory_channel[Command](1000)
        with trio.CancelScope() as self._scope:
            self._ready.set()
            await self._feed.run(self._emit, commands)
