"""Asking the router by UPnP (discovery 4.2, 4.3). Needs the extra ``oaknet[nat]``.

miniupnpc blocks, so it lives in worker threads.
"""

from __future__ import annotations

import importlib
import ipaddress
import logging
import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, final

import trio

from oaknet_protocol.nat.words import (
    LEASE,
    NO_ADDRESS,
    NO_EXTRA,
    NO_ROUTER,
    REFUSED,
    SILENT,
    TAKEN,
    UNTRUE,
    Forwarded,
    RouterFault,
    public,
)

NAME = "UPnP"

PORTS_TRIED = 10
"""External ports that are tried, the one listened at first."""

CLEAN_UP_TIME = 1
"""Seconds for taking back what nobody wants any more."""

SEARCH_TIME = 1000
"""Milliseconds in which a router must answer each of the four or five searches."""

_CONFLICTS = ("ConflictInMappingEntry", "ConflictWithOtherMechanisms")  # 718, 729
_ONLY_PERMANENT = "OnlyPermanentLeasesSupported"  # 725

_log = logging.getLogger("oaknet_protocol.nat")
_T = TypeVar("_T")


class Router(Protocol):
    """What is used of miniupnpc's ``UPnP``; every call may raise a bare `Exception` with words of its own."""

    lanaddr: str

    def addportmapping(
        self, eport: int, protocol: str, host: str, iport: int, description: str, remote: str, lease: int, /
    ) -> Any: ...
    def deleteportmapping(self, eport: int, protocol: str, /) -> Any: ...
    def getspecificportmapping(self, eport: int, protocol: str, /) -> Any: ...
    def externalipaddress(self) -> Any: ...


def find() -> Router:
    """The router that answers to UPnP; blocks for seconds. Raises `RouterFault`."""
    try:
        upnp = importlib.import_module("miniupnpc").UPnP()
    except ImportError as error:
        raise RouterFault(NO_EXTRA, absent=True) from error
    upnp.discoverdelay = SEARCH_TIME
    try:
        upnp.discover()
        upnp.selectigd()
    except Exception as error:  # miniupnpc has no narrower one
        _log.info("no router: %s", error)
        raise RouterFault(NO_ROUTER, absent=True) from error
    found: Router = upnp
    return found


def external(router: Router) -> str:
    """The router's public IPv4 address; blocks. Raises `RouterFault` if it has none (discovery 4.3)."""
    try:
        said = ipaddress.IPv4Address(router.externalipaddress())
    except Exception as error:  # miniupnpc has no narrower one; or what it said is no address
        _log.info("external address: %r", error)
        raise RouterFault(NO_ADDRESS) from error
    return public(said)


def open_port(router: Router, port: int, first: int | None = None) -> Forwarded:
    """Have TCP port ``port`` of this machine forwarded; blocks. Raises `RouterFault` (discovery 4.2, 4.3).

    ``first`` is the external port that is tried first, by default the same.
    """
    host = external(router)
    start = port if first is None else first
    for outside in range(start, min(start + PORTS_TRIED, 65536)):
        lease = _add(router, outside, port)
        if _leads_here(router, outside, port):  # perhaps since an earlier time that was not tidied up
            return Forwarded(host, outside, lease or 0, NAME)
        if lease is None:
            continue
        close_port(router, outside)
        raise RouterFault(UNTRUE)
    raise RouterFault(TAKEN)


def close_port(router: Router, outside: int) -> None:
    """Remove a mapping; blocks. If the router refuses, it ends by itself or is taken over the next time."""
    try:
        router.deleteportmapping(outside, "TCP")
    except Exception as error:  # miniupnpc has no narrower one
        _log.info("removing the mapping: %s", error)


def _add(router: Router, outside: int, port: int) -> int | None:
    """Ask for a mapping: its lease, or None if the port outside is another's. Raises `RouterFault`."""
    for lease in (LEASE, 0):
        try:
            router.addportmapping(outside, "TCP", router.lanaddr, port, "oaknet", "", lease)
        except Exception as error:  # miniupnpc has no narrower one, and only words for the codes
            said = str(error)
            _log.info("port %d: %s", outside, said)
            if said == _ONLY_PERMANENT and lease:
                continue
            if said in _CONFLICTS:
                return None
            raise RouterFault(REFUSED) from error
        return lease
    raise RouterFault(REFUSED)


def _leads_here(router: Router, outside: int, port: int) -> bool:
    """Whether the router, asked again, has the mapping as it was asked for."""
    try:
        entry = router.getspecificportmapping(outside, "TCP")
        return tuple(entry[:2]) == (router.lanaddr, port)
    except Exception as error:  # miniupnpc has no narrower one; or what it said is no mapping
        _log.info("reading the mapping: %r", error)
        return False


@final
class Upnp:
    """The router that answers to a search (`Way`), asked in worker threads."""

    name = NAME

    def __init__(self, find: Callable[[], Router] = find) -> None:
        self._find = find
        self._router: Router | None = None

    async def external(self) -> str:
        """The router's public address; raises `RouterFault`."""
        return await _thread(lambda: external(self._find()))

    async def open(self, port: int, outside: int) -> Forwarded:
        """Have a port forwarded; raises `RouterFault`. What is granted after a cancellation is given back."""
        asking, given_up, done = threading.Event(), threading.Event(), threading.Event()
        known = self._router

        def found() -> tuple[Router, Forwarded]:
            router = known or self._find()
            asking.set()
            try:
                if given_up.is_set():
                    raise RouterFault(SILENT)
                forwarded = open_port(router, port, outside)
                if given_up.is_set():  # nobody waits for it any more
                    close_port(router, forwarded.port)
            finally:
                done.set()
            return router, forwarded

        self._router = None  # one that fails is looked for anew the next time
        try:
            self._router, forwarded = await _thread(found)
        except BaseException:
            given_up.set()
            if asking.is_set():  # the program may be about to end, and the thread with it
                with trio.move_on_after(CLEAN_UP_TIME, shield=True):
                    await _thread(done.wait)
            raise
        return forwarded

    async def close(self, port: int, outside: int) -> None:
        """Remove the mapping at port ``outside``."""
        router, self._router = self._router, None
        if router is not None:
            await _thread(lambda: close_port(router, outside))


async def _thread(question: Callable[[], _T]) -> _T:
    """The answer of a blocking question; a router that takes too long is left alone with it."""
    return await trio.to_thread.run_sync(question, abandon_on_cancel=True)
