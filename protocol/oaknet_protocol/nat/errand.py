"""A process of its own that asks the router by UPnP (discovery 4.2, 4.3). Needs the extra ``oaknet[nat]``.

miniupnpc blocks, tells its troubles on standard error, where the screen is drawn, and reads whatever anybody
in the network answers: so it is kept apart. When standard input ends, also because the program that asked was
killed, what the router has granted is given back.
"""

from __future__ import annotations

import contextlib
import importlib
import ipaddress
import json
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from oaknet_protocol.nat.words import (
    LEASE,
    NO_ADDRESS,
    NO_EXTRA,
    NO_ROUTER,
    REFUSED,
    SEARCH_TIME,
    TAKEN,
    UNTRUE,
    UPNP,
    Forwarded,
    RouterFault,
    public,
)

PORTS_TRIED = 10
"""External ports that are tried, the one listened at first."""

LAST_TIME = 10
"""Seconds for giving back, after which the process ends whatever the router does."""

_CONFLICTS = ("ConflictInMappingEntry", "ConflictWithOtherMechanisms")  # 718, 729
_ONLY_PERMANENT = "OnlyPermanentLeasesSupported"  # 725

_log = logging.getLogger("oaknet_protocol.nat")


class Router(Protocol):
    """What is used of miniupnpc's ``UPnP``; every call may raise a bare `Exception` with words of its own."""

    lanaddr: str

    def addportmapping(
        self, eport: int, protocol: str, host: str, iport: int, description: str, remote: str, lease: int, /
    ) -> Any: ...
    def deleteportmapping(self, eport: int, protocol: str, /) -> Any: ...
    def getspecificportmapping(self, eport: int, protocol: str, /) -> Any: ...
    def externalipaddress(self) -> Any: ...


def find(url: str = "", search: int = SEARCH_TIME) -> Router:
    """The router that answers to a search by UPnP, or the one whose description is at ``url``.

    Blocks for seconds. Raises `RouterFault`.
    """
    try:
        upnp = importlib.import_module("miniupnpc").UPnP()
    except ImportError as error:
        raise RouterFault(NO_EXTRA, absent=True) from error
    upnp.discoverdelay = search
    try:
        if not url:
            upnp.discover()
        upnp.selectigd(*([url] if url else []))
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
            return Forwarded(host, outside, lease or 0, UPNP)
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


class Errand:
    """Questions about the router, one after the other, and at last what was granted is given back."""

    def __init__(self, find: Callable[[], Router]) -> None:
        self._find = find
        self._router: Router | None = None
        self._granted: int | None = None

    def do(self, question: Sequence[Any]) -> dict[str, object]:
        """The answer to ``["external"]``, ``["open", port, outside]`` or ``["close"]``."""
        router, self._router = self._router, None  # one that fails is looked for anew the next time
        try:
            match question:
                case ["external"]:
                    router = router or self._find()
                    answer: dict[str, object] = {"host": external(router)}
                case ["open", int(port), int(outside)]:
                    router = router or self._find()
                    found = open_port(router, port, outside)
                    self._granted = found.port
                    answer = {"host": found.host, "port": found.port, "lease": found.lease}
                case _:
                    if router is not None and self._granted is not None:
                        close_port(router, self._granted)
                    self._granted = None
                    answer = {}
        except RouterFault as fault:
            return {"fault": str(fault), "absent": fault.absent}
        self._router = router
        return answer


def main(url: str, search: int) -> None:
    """Answer questions, a JSON value a line, until standard input ends, for whatever reason it does."""
    answers = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    questions: queue.SimpleQueue[list[Any]] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            questions.put(json.loads(line))
        last = threading.Timer(LAST_TIME, os._exit, (1,))
        last.daemon = True
        last.start()
        questions.put([])

    threading.Thread(target=read, daemon=True).start()
    errand = Errand(lambda: find(url, search))
    while question := questions.get():
        answer = errand.do(question)
        with contextlib.suppress(OSError):  # who asked has gone meanwhile
            os.write(answers, json.dumps(answer).encode() + b"\n")
    errand.do(["close"])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
