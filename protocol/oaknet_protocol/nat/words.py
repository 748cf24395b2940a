"""What is said of a router, and what of its words is believed (discovery 4.3, 4.5)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Protocol, final

LEASE = 3600
"""Seconds for which a mapping is asked."""

UPNP = "UPnP"

SEARCH_TIME = 1000
"""Milliseconds in which a router must answer each of the four or five searches of UPnP."""

NO_EXTRA = (
    "The router does not answer to NAT-PMP, and asking it by UPnP needs the extra oaknet[nat], which is not "
    "installed. Install it, or forward the port by hand."
)
NO_ROUTER = "No router answered. Switch UPnP or NAT-PMP on in your router, or forward the port by hand."
SILENT = "The router was found, but it does not answer in time. Forward the port by hand."
REFUSED = "The router refuses to forward the port. Allow UPnP or NAT-PMP in it, or forward the port by hand."
TAKEN = "The router has given the port, and the next ones, to others. Choose another with --port."
UNTRUE = "The router says that it forwards the port, but does not show it when asked. Forward it by hand."
OFFLINE = "The router says that it is not connected to the internet. Look whether it is."
NO_ADDRESS = (
    "The router does not tell its public address. Forward the port by hand, and tell the others the address "
    "that your provider gives you."
)


class RouterFault(Exception):
    """A port that is not forwarded; the text says why and what helps, in a sentence or two.

    ``absent``: by this way no router was found at all.
    """

    def __init__(self, text: str, *, absent: bool = False) -> None:
        self.absent = absent
        super().__init__(text)


@final
@dataclass(frozen=True, slots=True)
class Forwarded:
    """What the router says, looked at: the public IPv4 address and the port there that leads to us.

    ``lease`` is in seconds, 0 if the mapping does not end by itself; ``by`` names the way. No proof that the
    port is open from outside.
    """

    host: str
    port: int
    lease: int
    by: str


class Way(Protocol):
    """A way to ask the router. Each call raises `RouterFault`; what it takes is bounded by who calls."""

    name: str

    async def external(self) -> str:
        """The router's public address."""
        ...

    async def open(self, port: int, outside: int) -> Forwarded:
        """Have TCP port ``port`` of this machine forwarded, from ``outside`` or a port that is free.

        If it is cancelled, nothing stays behind.
        """
        ...

    async def close(self, port: int, outside: int) -> None:
        """Remove the mapping, if there is one, and let go of the router: also after `open` has failed.

        A router that refuses, or is gone, forgets it by itself.
        """
        ...


def public(ip: ipaddress.IPv4Address) -> str:
    """The router's address as it is told on; raises `RouterFault` if it is not a public one."""
    if ip.is_unspecified:
        raise RouterFault(OFFLINE)
    if not ip.is_global or ip.is_multicast:
        raise RouterFault(
            f"Your router is itself behind another one (its address, {ip}, is not public), so "
            "forwarding a port does not help. Use IPv6 or a private network of your own (VPN), or let "
            "somebody else who can be reached open the table."
        )
    return str(ip)
