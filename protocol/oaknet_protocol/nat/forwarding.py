"""One port, forwarded for as long as it is wanted, by whichever way the router answers (discovery 4)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

import trio

from oaknet_protocol.nat.gateway import default_gateway
from oaknet_protocol.nat.pmp import NatPmp
from oaknet_protocol.nat.upnp import Upnp
from oaknet_protocol.nat.words import NO_ROUTER, SILENT, Forwarded, RouterFault, Way

TIME = 15
"""Seconds that each way has until the port is forwarded."""

CLOSE_TIME = 1
"""Seconds that removing the mapping may take."""

RENEW_LIMIT = 600
"""Seconds between renewals at the most, since a router that was restarted has forgotten the mapping."""

_LEAST_PAUSE = 1.0

_log = logging.getLogger("oaknet_protocol.nat")

Ways = Callable[[], Sequence[Way]]


def every_way() -> Sequence[Way]:
    """The ways to ask the router, the quickest first, and none where there is no router to ask.

    May block for a second or two.
    """
    gateway = default_gateway()
    return () if gateway is None else (NatPmp(gateway), Upnp())


async def forward(
    port: int,
    *,
    ways: Ways = every_way,
    changed: Callable[[Forwarded], None] = lambda _: None,
    task_status: trio.TaskStatus[Forwarded] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Have a port forwarded until cancelled: started with what the router says, removed in the end.

    ``changed`` hears what the router says otherwise later, as after a restart. Raises `RouterFault` before it
    has started if there is no way; what fails later is only logged.
    """
    way, forwarded = await _opened(port, ways)
    try:
        task_status.started(forwarded)
        while True:
            await trio.sleep(max(_LEAST_PAUSE, min(forwarded.lease / 2 or RENEW_LIMIT, RENEW_LIMIT)))
            try:
                again = await _timed(way, port, forwarded.port)
            except RouterFault as fault:
                _log.info("renewing: %s", fault)
                continue
            if (again.host, again.port) != (forwarded.host, forwarded.port):
                changed(again)
            forwarded = again
    finally:
        with trio.move_on_after(CLOSE_TIME, shield=True):
            await way.close(port, forwarded.port)


async def addresses(ways: Ways = every_way, seconds: float = TIME) -> Mapping[str, str | RouterFault]:
    """By each way, the router's public address or why there is none; nothing is forwarded."""
    found: dict[str, str | RouterFault] = {}

    async def ask(way: Way) -> None:
        found[way.name] = RouterFault(SILENT)
        with trio.move_on_after(seconds):
            try:
                found[way.name] = await way.external()
            except RouterFault as fault:
                found[way.name] = fault

    known = await trio.to_thread.run_sync(ways)
    async with trio.open_nursery() as nursery:
        for way in known:
            nursery.start_soon(ask, way)
    return {way.name: found[way.name] for way in known}


def telling(faults: Sequence[RouterFault]) -> RouterFault:
    """Of what went wrong by each way, what a person should read: what a router said, if one said anything."""
    there = [fault for fault in faults if not fault.absent]
    return there[0] if there else faults[-1] if faults else RouterFault(NO_ROUTER, absent=True)


async def _opened(port: int, ways: Ways) -> tuple[Way, Forwarded]:
    """The first way by which the port is forwarded; raises `RouterFault`."""
    faults: list[RouterFault] = []
    for way in await trio.to_thread.run_sync(ways):
        try:
            return way, await _timed(way, port, port)
        except RouterFault as fault:
            _log.info("%s: %s", way.name, fault)
            faults.append(fault)
            await way.close(port, port)
    raise telling(faults)


async def _timed(way: Way, port: int, outside: int) -> Forwarded:
    with trio.move_on_after(TIME):
        return await way.open(port, outside)
    raise RouterFault(SILENT)
