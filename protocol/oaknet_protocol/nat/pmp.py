"""Asking the router by NAT-PMP: a few datagrams to the gateway and nobody else (discovery 4.6)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar, final

import trio

from oaknet_protocol import natpmp
from oaknet_protocol.nat.words import (
    LEASE,
    NO_ROUTER,
    OFFLINE,
    REFUSED,
    UNTRUE,
    Forwarded,
    RouterFault,
    public,
)

FIRST_PAUSE = 0.25
"""Seconds to the second try; each pause after that is twice as long (RFC 6886 3.1)."""

TRIES = 4
"""Tries of each question: 3.75 seconds, where the RFC would wait for two minutes."""

CLEAN_UP_TIME = 1
"""Seconds for taking back what nobody wants any more."""

_log = logging.getLogger("oaknet_protocol.nat")
_T = TypeVar("_T")


@final
class NatPmp:
    """The gateway at this IPv4 address (`Way`). Only what comes from there, and from that port, is heard."""

    name = "NAT-PMP"

    def __init__(self, gateway: str, port: int = natpmp.PORT) -> None:
        self._gateway = (gateway, port)
        self._mapped = False

    async def external(self) -> str:
        """The router's public address; raises `RouterFault`."""
        return public(await self._ask(natpmp.address_request(), natpmp.read_address))

    async def open(self, port: int, outside: int) -> Forwarded:
        """Have a port forwarded; raises `RouterFault`. Asked a second time, the router must say the same."""
        host = await self.external()
        try:
            first = await self._map(port, outside)
            again = await self._map(port, first.outside)
            if again.outside != first.outside:
                raise RouterFault(UNTRUE)
        except BaseException:
            if not self._mapped:  # a mapping that is only not renewed may still be good
                with trio.move_on_after(CLEAN_UP_TIME, shield=True):
                    await self._remove(port)
            raise
        self._mapped = True
        return Forwarded(host, again.outside, min(again.lifetime, LEASE), self.name)

    async def close(self, port: int, outside: int) -> None:
        """Remove the mapping to ``port``, whatever it is outside, if there is one."""
        if self._mapped:
            self._mapped = False
            await self._remove(port)

    async def _remove(self, port: int) -> None:
        try:
            await self._ask(natpmp.removal_request(port), lambda reply: natpmp.read_removal(reply, port))
        except RouterFault as fault:
            _log.info("removing the mapping: %s", fault)

    async def _map(self, port: int, outside: int) -> natpmp.Mapping:
        request = natpmp.mapping_request(port, outside, LEASE)
        return await self._ask(request, lambda reply: natpmp.read_mapping(reply, port))

    async def _ask(self, request: bytes, read: Callable[[bytes], _T]) -> _T:
        """What the router answers to a request, sent again after growing pauses."""
        try:
            with trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) as both:
                await both.connect(self._gateway)  # from now on the system drops what others send
                for number in range(TRIES):
                    await both.send(request)
                    with trio.move_on_after(FIRST_PAUSE * 2**number):
                        return await _reply(both, read)
        except natpmp.Refused as refusal:
            _log.info("NAT-PMP: %s", refusal)
            raise _fault(refusal.code) from refusal
        except OSError as error:  # nobody listens there, or there is no way
            _log.info("NAT-PMP: %s", error)
            raise RouterFault(NO_ROUTER, absent=True) from error
        raise RouterFault(NO_ROUTER, absent=True)


async def _reply(both: trio.socket.SocketType, read: Callable[[bytes], _T]) -> _T:
    while True:
        reply = await both.recv(natpmp.SIZE)
        try:
            return read(reply)
        except natpmp.NoReply as error:
            _log.info("NAT-PMP: %s", error)


def _fault(code: int) -> RouterFault:
    """What a refusal means for people."""
    if code in (natpmp.UNSUPPORTED_VERSION, natpmp.UNSUPPORTED_OPCODE):
        return RouterFault(NO_ROUTER, absent=True)
    return RouterFault(OFFLINE if code == natpmp.NETWORK_FAILURE else REFUSED)
