"""A feed in its own thread."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest
import trio

from oaknet_client import bridge
from oaknet_client.bridge import Bridge
from oaknet_client.feed import Command, Emit, Event, Failed, Peer, Submit


@dataclass
class Echo:
    """Tells the seat of every command; fails at seat 9."""

    cancelled: threading.Event = field(default_factory=threading.Event)

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        try:
            async for command in commands:
                if command.seat == 9:
                    raise OSError(28, "No space left on device", "game.oak")
                emit(Peer(command.seat, "back", threading.current_thread().name))
        finally:
            self.cancelled.set()


@dataclass
class Deaf:
    """Does not end when it is asked to, until it is let go."""

    go: threading.Event = field(default_factory=threading.Event)

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self.go.wait)


class Inbox:
    """Collects events from the other thread."""

    def __init__(self, count: int) -> None:
        self.events: list[Event] = []
        self._count, self._full = count, threading.Event()

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if len(self.events) == self._count:
            self._full.set()

    def wait(self) -> list[Event]:
        assert self._full.wait(10)
        return self.events


def test_commands_go_in_and_events_come_out_in_order() -> None:
    feed, inbox = Echo(), Inbox(3)
    there = Bridge(feed, inbox)
    there.start()
    for seat in range(3):
        there.send(Submit(seat, ()))
    assert inbox.wait() == [Peer(seat, "back", "feed") for seat in range(3)]
    assert there.stop()
    assert feed.cancelled.is_set()


def test_a_feed_that_fails_says_so_last() -> None:
    inbox = Inbox(2)
    there = Bridge(Echo(), inbox)
    there.start()
    there.send(Submit(1, ()))
    there.send(Submit(9, ()))
    assert inbox.wait()[-1] == Failed("game.oak: No space left on device.", 1)
    assert there.stop()
    there.send(Submit(1, ()))  # nobody hears it any more, and that is no fault
    assert len(inbox.events) == 2


def test_what_fails_while_stopping_is_not_told() -> None:
    inbox = Inbox(1)
    there = Bridge(Echo(), inbox)
    there.start()
    assert there.stop()
    assert inbox.events == []


def test_stopping_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "PATIENCE", 0.05)
    feed = Deaf()
    there = Bridge(feed, Inbox(1))
    there.start()
    assert not there.stop()
    feed.go.set()
    monkeypatch.setattr(bridge, "PATIENCE", 10)
    assert there.stop()


def test_one_that_never_started_has_ended() -> None:
    assert Bridge(Echo(), Inbox(1)).stop()
