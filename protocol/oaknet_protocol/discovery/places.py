"""The addresses of this machine, and on which of them multicast works (discovery 3.3)."""

from __future__ import annotations

import ipaddress
import logging
import secrets
import socket
import struct
import time
from dataclasses import dataclass
from typing import final

import ifaddr

SERVICE = "_oaknet._tcp.local."

ECHO_TIME = 0.5
"""Seconds in which one's own question must come back."""

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


def every_address() -> tuple[Interface, ...]:
    """All addresses of this machine, whatever works on them, by interface."""
    found: list[Interface] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            found.append(Interface(host.partition("%")[0], adapter.index or 0, adapter.name))
    return tuple(sorted(found, key=lambda place: (place.index, place.host)))


def interfaces() -> tuple[Interface, ...]:
    """The addresses of this machine that can be used for multicast; the loopback only if there is no other.

    One bad interface does not keep the others from being used (discovery 3.3).
    """
    found = tuple(place for place in every_address() if usable(place))
    return tuple(place for place in found if not place.loopback) or found


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
