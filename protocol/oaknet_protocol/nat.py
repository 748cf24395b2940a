"""Asking the router to forward a port, by UPnP (discovery 4). Needs the extra ``oaknet[nat]``.

miniupnpc blocks, so it lives in worker threads. What the router says is looked at before it is believed, and
the mapping is removed when the task ends::

    forwarded = await nursery.start(forward, port)     # Forwarded(host, port), or RouterFault
"""

from __future__ import annotations

import importlib
import ipaddress
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, final

import trio

LEASE = 3600
"""Seconds for which a mapping is asked; it is renewed after half of them."""

TIME = 15
"""Seconds for all that it takes until the port is forwarded."""

CLOSE_TIME = 1
"""Seconds that removing the mapping may take."""

PORTS_TRIED = 10
"""External ports that are tried, the one listened at first."""

SEARCH_TIME = 1000
"""Milliseconds in which a router must answer each of the four or five searches."""

NO_EXTRA = "The router was not asked: that needs the extra oaknet[nat], which is not installed."
NO_ROUTER = "No router answered. Switch UPnP on in your router, or forward the port by hand."
SILENT = "The router was found, but it does not answer in time. Forward the port by hand."
REFUSED = "The router refuses to forward the port. Allow UPnP in your router, or forward the port by hand."
TAKEN = "The router has given the port, and the next ones, to others. Choose another with --port."
UNTRUE = "The router says that it forwards the port, but does not show it when asked. Forward it by hand."

_CONFLICTS = ("ConflictInMappingEntry", "ConflictWithOtherMechanisms")  # 718, 729
_ONLY_PERMANENT = "OnlyPermanentLeasesSupported"  # 725

_log = logging.getLogger("oaknet_protocol.nat")
_T = TypeVar("_T")


class RouterFault(Exception):
    """A port that is not forwarded; the text says why and what helps, in a sentence or two."""


class Router(Protocol):
    """What is used of miniupnpc's ``UPnP``; every call may raise a bare `Exception` with words of its own."""

    lanaddr: str

    def addportmapping(
        self, eport: int, protocol: str, host: str, iport: int, description: str, remote: str, lease: int, /
    ) -> Any: ...
    def deleteportmapping(self, eport: int, protocol: str, /) -> Any: ...
    def getspecificportmapping(self, eport: int, protocol: str, /) -> Any: ...
    def externalipaddress(self) -> Any: ...


@final
@dataclass(frozen=True, slots=True)
class Forwarded:
    """What the router says, looked at: the public IPv4 address and the port there that leads to us.

    ``lease`` is in seconds, 0 if the mapping does not end by itself. No proof that the port is open from
    outside.
    """

    host: str
    port: int
    lease: int


def find() -> Router:
    """The router that answers to UPnP; blocks for seconds. Raises `RouterFault`."""
    try:
        upnp = importlib.import_module("miniupnpc").UPnP()
    except ImportError as error:
        raise RouterFault(NO_EXTRA) from error
    upnp.discoverdelay = SEARCH_TIME
    try:
        upnp.discover()
        upnp.selectigd()
    except Exception as error:  # miniupnpc has no narrower one
        _log.info("no router: %s", error)
        raise RouterFault(NO_ROUTER) from error
    found: Router = upnp
    return found


def external(router: Router) -> str:
    """The router's public IPv4 address; blocks. Raises `RouterFault` if it has none (discovery 4.3)."""
    try:
        said = router.externalipaddress()
        ip = ipaddress.IPv4Address(said)
    except Exception as error:  # miniupnpc has no narrower one; or what it said is no address
        _log.info("external address: %r", error)
        raise RouterFault(
            "The router does not tell its public address. Forward the port by hand, and tell the others "
            "the address that your provider gives you."
        ) from error
    if not ip.is_global or ip.is_multicast:
        raise RouterFault(
            f"Your router is itself behind another one (its address, {ip}, is not public), so "
            "forwarding a port does not help. Use IPv6 or a private network of your own (VPN), or let "
            "somebody else who can be reached open the table."
        )
    return str(ip)


def open_port(router: Router, port: int) -> Forwarded:
    """Have TCP port ``port`` of this machine forwarded; blocks. Raises `RouterFault` (discovery 4.2, 4.3)."""
    host = external(router)
    for outside in range(port, min(port + PORTS_TRIED, 65536)):
        lease = _add(router, outside, port)
        if _leads_here(router, outside, port):  # perhaps since an earlier time that was not tidied up
            return Forwarded(host, outside, lease or 0)
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


async def forward(
    port: int,
    *,
    find: Callable[[], Router] = find,
    task_status: trio.TaskStatus[Forwarded] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Have a port forwarded until cancelled: started with what the router says, removed in the end.

    Raises `RouterFault` before it has started if there is no way; what fails later is only logged.
    """
    given_up = threading.Event()

    def found() -> tuple[Router, Forwarded]:
        router = find()
        forwarded = open_port(router, port)
        if given_up.is_set():  # nobody waits for it any more
            close_port(router, forwarded.port)
        return router, forwarded

    try:
        router, forwarded = await _asked(found, TIME)
    except BaseException:
        given_up.set()
        raise
    try:
        task_status.started(forwarded)
        while True:
            await trio.sleep(LEASE / 2)
            try:
                await _asked(lambda: _add(router, forwarded.port, port), TIME)
            except RouterFault as fault:
                _log.info("renewing: %s", fault)
    finally:
        with trio.CancelScope(shield=True):
            try:
                await _asked(lambda: close_port(router, forwarded.port), CLOSE_TIME)
            except RouterFault as fault:
                _log.info("removing the mapping: %s", fault)


async def _asked(question: Callable[[], _T], seconds: float) -> _T:
    """The answer of a blocking question; a router that takes too long is left alone with it."""
    with trio.move_on_after(seconds):
        return await trio.to_thread.run_sync(question, abandon_on_cancel=True)
    raise RouterFault(SILENT)
