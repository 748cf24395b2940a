"""Where a peer can be reached: addresses as invites hold them and as peers tell each other (invite 2)."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

ADDRESS_LIMIT = 6
"""The most addresses of an invite."""

_SIX_LIMIT = 3  # of six: temporary IPv6 addresses must not push out the only one that works for a guest

NAME_LIMIT = 63
"""The most signs of a host name in an invite."""

_NAME_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")

Ip: TypeAlias = "ipaddress.IPv4Address | ipaddress.IPv6Address"


class BadAddress(ValueError):
    """A host or port that no invite can hold; the words say why."""


@final
@dataclass(frozen=True, slots=True)
class Address:
    """Where a peer listens: an IPv6 or IPv4 address or a host name in its one written form, and a TCP port.

    Raises `BadAddress` for anything else; `Address.of` takes other spellings too (invite 2).
    """

    host: str
    port: int

    def __post_init__(self) -> None:
        if not 1 <= self.port <= 65535:
            raise BadAddress("a port is a number from 1 to 65535")
        ip = parsed(self.host)
        if ip is None:
            _check_name(self.host)
        else:
            if str(ip) != self.host:
                raise BadAddress(f"the address must be written {ip}")
            _check_ip(ip)

    @classmethod
    def of(cls, host: str, port: int) -> Address:
        """The address of a host in any spelling, without a zone; raises `BadAddress` (invite 2.2)."""
        ip = parsed(host.strip("[]"))
        if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return cls(host.lower().removesuffix(".") if ip is None else str(ip), port)

    @property
    def rank(self) -> int:
        """Its place among others: IPv6 first, then IPv4, then names (invite 2.3)."""
        ip = parsed(self.host)
        return 2 if ip is None else 0 if ip.version == 6 else 1

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if self.rank == 0 else f"{self.host}:{self.port}"


def chosen(own: Sequence[str], port: int, forwarded: Address | None = None) -> tuple[Address, ...]:
    """Which addresses to put into an invite: at most six, at most three of them IPv6 (invite 2.5).

    ``own`` are the machine's IP addresses in any order, ``port`` is listened at, ``forwarded`` is what a
    router passes on to it.
    """
    ips = [ip for ip in (parsed(host.partition("%")[0]) for host in own) if ip is not None]
    outside = [ip for ip in ips if not ip.is_loopback and not ip.is_link_local]
    # Without any network it is a game on one machine.
    ips = sorted(outside or ips, key=lambda ip: (not ip.is_global, int(ip)))
    six = [Address.of(str(ip), port) for ip in ips if ip.version == 6][:_SIX_LIMIT]
    four = [Address.of(str(ip), port) for ip in ips if ip.version == 4]
    first = [forwarded] if forwarded is not None else []
    return tuple(dict.fromkeys([*six, *first, *four]))[:ADDRESS_LIMIT]


def parsed(host: str) -> Ip | None:
    """The IP address that this is, in any spelling, or None."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _check_ip(ip: Ip) -> None:
    if ip.is_unspecified or ip.is_multicast or ip == ipaddress.IPv4Address(2**32 - 1):
        raise BadAddress(f"{ip} is not the address of one machine")
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id is not None:
            raise BadAddress("an address with a zone means something on one machine only")
        if ip.ipv4_mapped is not None:
            raise BadAddress(f"the address must be written {ip.ipv4_mapped}")


def _check_name(host: str) -> None:
    """Refuse what is no host name: labels of lower-case letters, digits and hyphens (invite 2.1)."""
    labels = host.split(".")
    bad = not host or len(host) > NAME_LIMIT or not _NAME_SIGNS.issuperset(host) or labels[-1].isdigit()
    if bad or any(not label or label[0] == "-" or label[-1] == "-" for label in labels):
        raise BadAddress("a host is an IP address or a name of letters, digits, hyphens and dots")
