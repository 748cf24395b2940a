"""The local network as trio sees it: whole pictures of it, and what goes wrong in words (discovery 3)."""

from __future__ import annotations

import contextlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

import trio
import zeroconf

from oaknet_protocol.announcement import Announcement, written
from oaknet_protocol.discovery.places import SERVICE, Interface, interfaces
from oaknet_protocol.discovery.radio import Found, Radio

TABLE_LIMIT = 64
"""The most tables that are shown at a time; more are not."""

PERIOD = 5
"""Seconds between looks at the machine's interfaces."""

ASK_EVERY = 30
"""Seconds between questions for all tables."""

BEAT = 0.3
"""The fewest seconds between two pictures."""

QUIET = 10
"""Seconds without listening after a flood."""

FLOOD_TIME = 60
"""Seconds: who reaches the limits above more slowly than this is no flood, only a busy network."""

NO_INTERFACE = "This machine is in no network, so no tables can be found nearby. Join by an invite."
FLOODED = (
    "Somebody floods this network with announcements, so tables nearby may not be shown. Join by an invite."
)
BLOCKED = "Tables nearby cannot be looked for: the system lets nobody listen there. Join by an invite."

_TRIES = 4
_AT_ONCE = 64

_log = logging.getLogger("oaknet_protocol.discovery")

Interfaces: TypeAlias = "Callable[[], tuple[Interface, ...]]"


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """All tables seen nearby, in a fixed order, and what is in the way: a sentence, or empty."""

    tables: tuple[Found, ...] = ()
    trouble: str = ""


@final
class Lan:
    """The local network: announces at most one table and sees the others.

    ``seen`` gives pictures while `run` runs, always the newest. ``interfaces`` tells where to listen.
    """

    def __init__(
        self, interfaces: Interfaces = interfaces, *, period: float = PERIOD, quiet: float = QUIET
    ) -> None:
        self._interfaces, self._period, self._quiet = interfaces, period, quiet
        self._send, self.seen = trio.open_memory_channel[Seen](1)
        self._own = f"oak-{secrets.token_hex(8)}.{SERVICE}"
        self._wanted: tuple[Announcement | None, int] = (None, 0)
        self._published: tuple[Announcement | None, int] = (None, 0)
        self._found: dict[str, Found] = {}
        self._waiting: dict[str, int] = {}  # tries left for each name
        self._told: Seen | None = None
        self._wake = trio.Event()

    def announce(self, table: Announcement, port: int) -> None:
        """Tell the network of this table from now on, instead of any other. Raises `BadAnnouncement`."""
        written(table)
        self._wanted = (table, port)
        self._wake.set()

    def withdraw(self) -> None:
        """Announce nothing from now on."""
        self._wanted = (None, 0)
        self._wake.set()

    async def run(self) -> None:
        """Listen and announce until cancelled, on whatever interfaces there are (discovery 3.3)."""
        before: tuple[Interface, ...] = ()
        with self._send:
            while True:
                places = await trio.to_thread.run_sync(self._interfaces)
                if not any(place in before for place in places):
                    self._found.clear()  # another network, or none
                before = places
                if places:
                    await self._listen(places)
                else:
                    await self._rest(NO_INTERFACE, self._period)

    async def _listen(self, places: tuple[Interface, ...]) -> None:
        token = trio.lowlevel.current_trio_token()

        def wake() -> None:
            with contextlib.suppress(trio.RunFinishedError):
                token.run_sync_soon(self._set, idempotent=True)

        try:
            radio = await trio.to_thread.run_sync(Radio, places, self._own, wake)
        except (OSError, RuntimeError, zeroconf.Error) as error:
            _log.info("no multicast: %r", error)
            await self._rest(BLOCKED, self._period)
            return
        began = trio.current_time()
        try:
            await self._attend(radio, places)
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(radio.close)
        if radio.heard.flooded and trio.current_time() < began + FLOOD_TIME:
            await self._rest(FLOODED, self._quiet)

    async def _attend(self, radio: Radio, places: tuple[Interface, ...]) -> None:
        """Hear this radio until the interfaces change or somebody floods the network."""
        loopback = all(place.loopback for place in places)
        self._published = (None, 0)
        self._waiting = dict.fromkeys(self._found, _TRIES)
        looked = asked = trio.current_time()
        while not radio.heard.flooded:
            self._wake = trio.Event()
            await self._publish(radio)
            for name, there in radio.heard.take().items():
                if there:
                    self._waiting[name] = _TRIES
                else:
                    self._waiting.pop(name, None)
                    self._found.pop(name, None)
            await self._look(radio, loopback=loopback)
            self._tell(NO_INTERFACE if loopback else "")
            await trio.sleep(BEAT)
            if not self._waiting:
                with trio.move_on_after(max(0, looked + self._period - trio.current_time())):
                    await self._wake.wait()
            if trio.current_time() >= looked + self._period:
                looked = trio.current_time()
                if await trio.to_thread.run_sync(self._interfaces) != places:
                    return
            if trio.current_time() >= asked + ASK_EVERY:
                asked = trio.current_time()
                await trio.to_thread.run_sync(radio.ask)

    async def _publish(self, radio: Radio) -> None:
        wanted = self._wanted
        if wanted == self._published:
            return
        try:
            await trio.to_thread.run_sync(radio.publish, *wanted)
        except (OSError, RuntimeError, zeroconf.Error) as error:
            _log.info("announcing: %r", error)  # tried again at the next beat
        else:
            self._published = wanted

    async def _look(self, radio: Radio, *, loopback: bool) -> None:
        """Ask for some of the names that wait; who never answers is given up."""
        names = [*self._waiting][:_AT_ONCE]
        if not names:
            return

        def resolve() -> dict[str, Found | None]:
            return radio.resolve(names, loopback=loopback)

        answers = await trio.to_thread.run_sync(resolve)
        for name in names:
            tries = self._waiting.pop(name) - 1
            answer = answers.get(name)
            if answer is not None and (name in self._found or len(self._found) < TABLE_LIMIT):
                self._found[name] = answer
            elif name not in answers and tries > 0:
                self._waiting[name] = tries  # behind the others
            else:
                self._found.pop(name, None)

    def _set(self) -> None:
        self._wake.set()

    async def _rest(self, trouble: str, seconds: float) -> None:
        self._tell(trouble)
        await trio.sleep(seconds)

    def _tell(self, trouble: str) -> None:
        """Put the newest picture where `seen` finds it, instead of one that nobody has looked at."""
        seen = Seen(tuple(self._found[name] for name in sorted(self._found)), trouble)
        if seen == self._told:
            return
        self._told = seen
        with contextlib.suppress(trio.WouldBlock, trio.EndOfChannel):
            self.seen.receive_nowait()
        with contextlib.suppress(trio.BrokenResourceError, trio.WouldBlock):
            self._send.send_nowait(seen)
