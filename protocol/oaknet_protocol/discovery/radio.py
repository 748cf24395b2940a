"""One zeroconf and what it hears, kept within bounds (discovery 3.1, 3.4, 3.5)."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, cast, final

import zeroconf
from zeroconf.asyncio import AsyncServiceInfo

from oaknet_protocol.address import ADDRESS_LIMIT, parsed
from oaknet_protocol.announcement import Announcement, BadAnnouncement, read, written
from oaknet_protocol.discovery.places import SERVICE, Interface, usable

HEARD_LIMIT = 256
"""The most names that wait to be looked at."""

RECORD_LIMIT = 4000
"""Records heard, of all services, before everything heard is thrown away."""

BYTE_LIMIT = 2 * 1024 * 1024
"""Bytes of text records heard before everything heard is thrown away."""

_INSTANCE = re.compile(r"oak-[0-9a-f]{16}\._oaknet\._tcp\.local\.")
_RESOLVE_TIME = 500  # milliseconds

_log = logging.getLogger("oaknet_protocol.discovery")


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A table nearby: its announcement, and the hosts and the port at which to knock."""

    instance: str
    table: Announcement
    hosts: tuple[str, ...]
    port: int


def hosts(written_as: Sequence[str], *, loopback: bool = False) -> tuple[str, ...]:
    """Those of the announced addresses that may be dialled, IPv6 first, at most six (discovery 3.5)."""
    taken: dict[str, int] = {}
    for host in written_as:
        ip = parsed(host)
        if ip is None:
            continue
        zoned = getattr(ip, "scope_id", None) is not None
        lost = ip.version == 6 and ip.is_link_local and not zoned
        if not (ip.is_multicast or ip.is_unspecified or (ip.is_loopback and not loopback) or lost):
            taken[host] = -ip.version
    return tuple(sorted(taken, key=lambda host: taken[host])[:ADDRESS_LIMIT])


class Heard(zeroconf.RecordUpdateListener):
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
            self._flood(zc)

    def changed(
        self,
        zeroconf: zeroconf.Zeroconf,
        service_type: str,
        name: str,
        state_change: zeroconf.ServiceStateChange,
    ) -> None:
        """Note a name that came, changed or went."""
        del service_type
        if not _INSTANCE.fullmatch(name) or name == self._own:
            return
        with self._lock:
            if name in self._names or len(self._names) < HEARD_LIMIT:
                self._names[name] = state_change.name != "Removed"
                self._wake()
                return
        assert zeroconf.loop is not None
        zeroconf.loop.call_soon_threadsafe(self._flood, zeroconf)

    def take(self) -> dict[str, bool]:
        """The names noted since the last time; False for those that went."""
        with self._lock:
            names, self._names = self._names, {}
        return names

    def _flood(self, zc: zeroconf.Zeroconf) -> None:
        """Hear nothing more, at once: until trio has closed it, a fast network could send a hundred MiB."""
        if not self.flooded:
            self.flooded = True
            for reader in zc.engine.readers:
                reader.transport.close()
            self._wake()


class Radio:
    """One zeroconf on some interfaces, until these change. All its methods block."""

    def __init__(self, places: Sequence[Interface], own: str, wake: Callable[[], None]) -> None:
        """Raises `OSError` or a zeroconf error if the system refuses."""
        places = [place for place in places if usable(place)]  # some may have gone just now
        if not places:
            raise OSError("none of the interfaces is there any more")
        self.heard = Heard(own, wake)
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
            if self._browser is not None:
                self._browser.cancel()  # else its thread would keep all of this for good
            self._zeroconf.close()
        except (OSError, RuntimeError, zeroconf.Error) as error:
            _log.info("closing: %r", error)
        if self.heard.flooded:
            del self._zeroconf, self._browser
            gc.collect()  # zeroconf's parts hold each other, and there may be a lot of them


def _quietly(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    _log.info("%s: %r", context.get("message"), context.get("exception"))
