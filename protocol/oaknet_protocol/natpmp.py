"""Messages of NAT-PMP, by which a router is asked to forward a port (RFC 6886; discovery 4.6).

Bytes in, values out; who sends them is `oaknet_protocol.nat`. It is what a client of one
TCP port needs.
"""

from __future__ import annotations

import ipaddress
import struct
from dataclasses import dataclass
from typing import final

PORT = 5351
"""The router's UDP port."""

SIZE = 64
"""Bytes that are taken of a reply: the longest has 16."""

UNSUPPORTED_VERSION, NOT_AUTHORIZED, NETWORK_FAILURE, OUT_OF_RESOURCES, UNSUPPORTED_OPCODE = range(1, 6)
"""The codes of RFC 6886 3.5."""

_VERSION, _ADDRESS, _TCP, _REPLY = 0, 0, 2, 128
_HEAD = 8
_REQUEST = struct.Struct("!BBHHHI")
_ADDRESS_REPLY = struct.Struct("!BBHI4s")
_MAPPING_REPLY = struct.Struct("!BBHIHHI")


class NoReply(ValueError):
    """Bytes that do not answer what was asked; they count as not received."""


class Refused(Exception):
    """The router answers that it does not do it: ``code`` is one of RFC 6886 3.5, or an unknown one."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"code {code}")


@final
@dataclass(frozen=True, slots=True)
class Mapping:
    """What the router forwards: its TCP port ``outside``, for ``lifetime`` seconds."""

    outside: int
    lifetime: int


def address_request() -> bytes:
    """Asks for the public address (RFC 6886 3.2): 2 bytes."""
    return bytes((_VERSION, _ADDRESS))


def mapping_request(inside: int, outside: int, lifetime: int) -> bytes:
    """Asks for TCP port ``outside``, or another, to lead to port ``inside`` of who asks (3.3): 12 bytes."""
    return _REQUEST.pack(_VERSION, _TCP, 0, inside, outside, lifetime)


def removal_request(inside: int) -> bytes:
    """Asks for the mapping to that port to be removed (3.4)."""
    return mapping_request(inside, 0, 0)


def read_address(reply: bytes) -> ipaddress.IPv4Address:
    """The public address that a reply tells; raises `NoReply` and `Refused`."""
    _check(reply, _ADDRESS, _ADDRESS_REPLY.size)
    return ipaddress.IPv4Address(_ADDRESS_REPLY.unpack(reply)[-1])


def read_mapping(reply: bytes, inside: int) -> Mapping:
    """The mapping to port ``inside`` that a reply grants; raises `NoReply` and `Refused`."""
    _check(reply, _TCP, _MAPPING_REPLY.size)
    *_, port, outside, lifetime = _MAPPING_REPLY.unpack(reply)
    if port != inside:
        raise NoReply("it is about another port")
    if not outside or not lifetime:
        raise NoReply("it grants nothing")
    return Mapping(outside, lifetime)


def read_removal(reply: bytes, inside: int) -> None:
    """A reply that the mapping is gone; raises `NoReply` and `Refused`."""
    _check(reply, _TCP, _MAPPING_REPLY.size)
    *_, port, _, lifetime = _MAPPING_REPLY.unpack(reply)
    if port != inside or lifetime:
        raise NoReply("it removes something else")


def _check(reply: bytes, opcode: int, size: int) -> None:
    """Whether it is a reply to such a request, and says yes. What follows the code of a no has no meaning."""
    if len(reply) < _HEAD:
        raise NoReply("it is too short")
    if reply[0] != _VERSION:  # of PCP, whose errors have another form (RFC 6887 9)
        raise Refused(UNSUPPORTED_VERSION)
    if reply[1] != _REPLY + opcode:
        raise NoReply("it answers something else")
    code = int.from_bytes(reply[2:4], "big")
    if code:
        raise Refused(code)
    if len(reply) != size:
        raise NoReply("it has another size")
