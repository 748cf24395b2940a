"""Finding tables in the local network by mDNS and DNS-SD, and being found (discovery 3 and 4).

zeroconf has threads of its own and blocks in some of its calls, so it lives in worker threads; what it hears
crosses into trio as whole immutable pictures, the newest of which counts::

    lan = Lan()
    nursery.start_soon(lan.run)
    lan.announce(table, port)                  # and again with other seats; lan.withdraw()
    async for seen in lan.seen:                # Seen(tables, trouble)
        ...
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import re
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast, final

import ifaddr
import trio
import zeroconf
from zeroconf.asyncio import AsyncServiceInfo

from oaknet_protocol.announcement import Announcement, BadAnnouncement, read, written

SERVICE = "_oaknet._tcp.local."

TABLE_LIMIT = 64
"""The most tables that are shown at a time; more are not."""

HEARD_LIMIT = 256
"""The most names that wait to be looked at."""

RECORD_LIMIT = 4000
"""Records heard, of all services, before everything heard is thrown away."""

BYTE_LIMIT = 2 * 1024 * 1024
"""Bytes of text records heard before everything heard is thrown away."""

ADDRESS_LIMIT = 6
"""The most addresses that are taken for one table."""

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

ECHO_TIME = 0.5
"""Seconds in which one's own question must come back."""

_INSTANCE = re.compile(r"oak-[0-9a-f]{16}\._oaknet\._tcp\.local\.")
_TRIES = 4
_RESOLVE_TIME = 500  # milliseconds
_AT_ONCE = 64
_GROUP_4, _GROUP_6, _PORT = "224.0.0.251", "ff02::fb", 5353

_log = logging.getLogger("oaknet_protocol.discovery")


@final
@dataclass(frozen=True, slots=True)
class Interface:
    """An address of this machine that multicast works on; ``index`` is its interface's number."""

    host: str
    index: int
    name: str

    @property
    def loopback(self) -> bool:
        """Whether it leads to this machine alone."""
        return ipaddress.ip_address(self.host).is_loopback


Interfaces: TypeAlias = "Callable[[], tuple[Interface, ...]]"


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A table nearby: its announcement, and the hosts and the port at which to knock."""

    instance: str
    table: Announcement
    hosts: tuple[str, ...]
    port: int


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """All tables seen nearby, in a fixed order, and what is in the way: a sentence, or empty."""

    tables: tuple[Found, ...] = ()
    trouble: str = ""


def interfaces() -> tuple[Interface, ...]:
    """The addresses of this machine that can be used for multicast; the loopback only if there is no other.

    One bad interface does not keep the others from being used (discovery 3.3).
    """
    found: list[Interface] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            place = Interface(host.partition("%")[0], adapter.index or 0, adapter.name)
            if usable(place):
                found.append(place)
    outside = [place for place in found if not place.loopback]
    return tuple(sorted(outside or found, key=lambda place: (place.index, place.host)))


def usable(place: Interface) -> bool:
    """Whether the multicast group of mDNS can be joined there."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            _join(probe, place)
    except OSError as error:
        _log.debug("no multicast on %s (%s): %s", place.name, place.host, error)
        return False
    return True


def hears_itself(place: Interface) -> bool:
    """Whether a question to the network's tables, asked there, comes back; blocks for `ECHO_TIME`.

    What is asked is what every browser of `SERVICE` asks, so nobody else is disturbed.
    """
    four = ":" not in place.host
    # A question for PTR of our service, with a number by which it is known again; others ignore that.
    labels = b"".join(bytes([len(label)]) + label.encode() for label in SERVICE.split("."))
    question = secrets.token_bytes(2) + struct.pack("!5H", 0, 1, 0, 0, 0) + labels + struct.pack("!2H", 12, 1)
    try:
        with socket.socket(socket.AF_INET if four else socket.AF_INET6, socket.SOCK_DGRAM) as both:
            both.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "SO_REUSEPORT"):
                both.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            both.bind(("", _PORT))
            _join(both, place)
            if four:
                both.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(place.host))
                both.sendto(question, (_GROUP_4, _PORT))
            else:
                both.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, place.index)
                both.sendto(question, (_GROUP_6, _PORT, 0, place.index))
            until = time.monotonic() + ECHO_TIME
            while (left := until - time.monotonic()) > 0:
                both.settimeout(left)
                if both.recv(9000) == question:
                    return True
    except OSError as error:  # also that nothing came in time
        _log.debug("no echo on %s (%s): %s", place.name, place.host, error)
    return False


def _join(listener: socket.socket, place: Interface) -> None:
    """Join the group of mDNS there; raises `OSError`."""
    if ":" in place.host:
        group = socket.inet_pton(socket.AF_INET6, _GROUP_6) + struct.pack("@I", place.index)
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
    else:
        group = socket.inet_aton(_GROUP_4) + socket.inet_aton(place.host)
        listener.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)


def hosts(written_as: Sequence[str], *, loopback: bool = False) -> tuple[str, ...]:
    """Those of the announced addresses that may be dialled, IPv6 first, at most six (discovery 3.5)."""
    taken: dict[str, int] = {}
    for host in written_as:
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            continue
        zoned = getattr(ip, "scope_id", None) is not None
        lost = ip.version == 6 and ip.is_link_local and not zoned
        if not (ip.is_multicast or ip.is_unspecified or (ip.is_loopback and not loopback) or lost):
            taken[host] = -ip.version
    return tuple(sorted(taken, key=lambda host: taken[host])[:ADDRESS_LIMIT])


class _Heard(zeroconf.RecordUpdateListener):
    """What zeroconf's threads hear, within bounds; ``wake`` is called in them."""

    def __init__(self, own: str, wake: Callable[[], None]) -> None:
        super().__init__()
        self._own, self._wake = own, wake
        self._lock = threading.Lock()
        self._names: dict[str, bool] = {}
        self._records = self._bytes = 0
        self.flooded = False

    def async_update_records(
        self, zc: zeroconf.Zeroconf, now: float, records: list[zeroconf.RecordUpdate]
    ) -> None:
        """Count everything that zeroconf is about to keep."""
        for update in records:
            if update.old is None:
                self._records += 1
                self._bytes += len(cast("bytes", getattr(update.new, "text", b"")))
        if self._records > RECORD_LIMIT or self._bytes > BYTE_LIMIT:
            self._flood()

    def changed(
        self,
        zeroconf: zeroconf.Zeroconf,
        service_type: str,
        name: str,
        state_change: zeroconf.ServiceStateChange,
    ) -> None:
        """Note a name that came, changed or went."""
        del zeroconf, service_type
        if not _INSTANCE.fullmatch(name) or name == self._own:
            return
        with self._lock:
            if name in self._names or len(self._names) < HEARD_LIMIT:
                self._names[name] = state_change.name != "Removed"
                self._wake()
                return
        self._flood()

    def take(self) -> dict[str, bool]:
        """The names noted since the last time; False for those that went."""
        with self._lock:
            names, self._names = self._names, {}
        return names

    def _flood(self) -> None:
        if not self.flooded:
            self.flooded = True
            self._wake()


class _Radio:
    """One zeroconf on some interfaces, until these change. All its methods block."""

    def __init__(self, places: Sequence[Interface], own: str, wake: Callable[[], None]) -> None:
        """Raises `OSError` or a zeroconf error if the system refuses."""
        places = [place for place in places if usable(place)]  # some may have gone just now
        if not places:
            raise OSError("none of the interfaces is there any more")
        self.heard = _Heard(own, wake)
        self._own, self._places = own, places
        four = [place.host for place in places if ":" not in place.host]
        six = sorted({place.index for place in places if ":" in place.host})
        versions = zeroconf.IPVersion
        version = versions.All if four and six else versions.V6Only if six else versions.V4Only
        self._zeroconf = zeroconf.Zeroconf(interfaces=[*four, *six], ip_version=version)
        self._published: zeroconf.ServiceInfo | None = None
        loop = self._zeroconf.loop
        assert loop is not None
        self._loop = loop
        # What somebody else's packets break must not be written under the screen.
        loop.call_soon_threadsafe(loop.set_exception_handler, _quietly)
        self._zeroconf.add_listener(self.heard, None)
        self._browser: zeroconf.ServiceBrowser | None = None
        self.ask()

    def ask(self) -> None:
        """Ask the network anew for all tables: a cable that was out leaves no other trace."""
        if self._browser is not None:
            self._browser.cancel()
        self._browser = zeroconf.ServiceBrowser(self._zeroconf, SERVICE, handlers=[self.heard.changed])

    def publish(self, table: Announcement | None, port: int) -> None:
        """Announce this table and no other, or none."""
        radio: Any = self._zeroconf  # zeroconf says nothing of what its futures hold
        if table is not None:
            info = zeroconf.ServiceInfo(
                SERVICE,
                self._own,
                port=port,
                properties=cast("dict[str | bytes, Any]", written(table)),
                server=self._own.partition(".")[0] + ".local.",
                parsed_addresses=sorted({place.host for place in self._places}),
            )
            if self._published is None:
                # The name is drawn by chance: nobody has to be asked whether it is taken.
                self._run(radio.async_register_service(info, cooperating_responders=True))
            else:
                self._run(radio.async_update_service(info))
            self._published = info
        elif self._published is not None:
            self._run(radio.async_unregister_service(self._published))
            self._published = None

    def _run(self, call: Coroutine[Any, Any, object]) -> None:
        """Begin to tell the network something: it is told three times, which nobody has to wait for."""
        asyncio.run_coroutine_threadsafe(call, self._loop).result(2)

    def resolve(self, names: Sequence[str], *, loopback: bool) -> dict[str, Found | None]:
        """What is announced under these names; None if it is nothing to take; absent if nothing was heard."""
        infos = [AsyncServiceInfo(SERVICE, name) for name in names]

        async def all_of_them() -> list[bool | BaseException]:
            asked = (info.async_request(self._zeroconf, _RESOLVE_TIME) for info in infos)
            return await asyncio.gather(*asked, return_exceptions=True)

        try:
            said = asyncio.run_coroutine_threadsafe(all_of_them(), self._loop).result(2)
        except TimeoutError:
            said = []
        for error in said:
            if isinstance(error, BaseException):
                _log.info("asking: %r", error)
        found: dict[str, Found | None] = {}
        for name, info in zip(names, infos, strict=True):
            if not info.port or not info.properties:
                continue
            where = hosts(info.parsed_scoped_addresses(), loopback=loopback)
            try:
                table = read(info.properties)
            except BadAnnouncement as bad:
                _log.info("an announcement is not taken: %s", bad)
                found[name] = None
                continue
            if where:
                found[name] = Found(name, table, where, info.port)
        return found

    def close(self) -> None:
        """Say goodbye and stop; what cannot be sent is not."""
        try:
            self._zeroconf.close()
        except (OSError, RuntimeError, zeroconf.Error) as error:
            _log.info("closing: %r", error)


def _quietly(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    _log.info("%s: %r", context.get("message"), context.get("exception"))


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
            radio = await trio.to_thread.run_sync(_Radio, places, self._own, wake)
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

    async def _attend(self, radio: _Radio, places: tuple[Interface, ...]) -> None:
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

    async def _publish(self, radio: _Radio) -> None:
        wanted = self._wanted
        if wanted == self._published:
            return
        try:
            await trio.to_thread.run_sync(radio.publish, *wanted)
        except (OSError, RuntimeError, zeroconf.Error) as error:
            _log.info("announcing: %r", error)  # tried again at the next beat
        else:
            self._published = wanted

    async def _look(self, radio: _Radio, *, loopback: bool) -> None:
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
