"""The router that leads out of this machine's network (discovery 4.6)."""

from __future__ import annotations

import ipaddress
import logging
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import ifaddr

ROUTES = Path("/proc/net/route")
"""Linux's table of IPv4 routes."""

_ROUTE = "/sbin/route"  # of macOS and the BSDs
_ROUTE_TIME = 2
_UP_BY_GATEWAY = 0b11  # the flags RTF_UP and RTF_GATEWAY

_log = logging.getLogger("oaknet_protocol.nat")


def default_gateway() -> str | None:
    """The router's IPv4 address as the system knows it, None if there is none; may block for a second or two.

    Where the system cannot be asked it is the first address of our network, as with most routers at home.
    """
    try:
        if ROUTES.exists():
            return linux_gateway(ROUTES.read_text(encoding="ascii"))
        if Path(_ROUTE).exists():
            asked = subprocess.run(  # noqa: S603 (no word of it is anybody else's)
                [_ROUTE, "-n", "get", "default"],
                capture_output=True,
                text=True,
                timeout=_ROUTE_TIME,
                check=False,
            )
            return bsd_gateway(asked.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        _log.info("no gateway: %r", error)
        return None
    own = [(ip.ip, ip.network_prefix) for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    return first_of_network((host, prefix) for host, prefix in own if isinstance(host, str))


def linux_gateway(table: str) -> str | None:
    """The gateway of the default route with the lowest metric, from Linux's table; raises `ValueError`."""
    found: list[tuple[int, str]] = []
    for line in table.splitlines()[1:]:
        columns = line.split()
        if len(columns) < 8:
            raise ValueError(f"no route: {line!r}")
        target, gateway, flags, metric, mask = (columns[at] for at in (1, 2, 3, 6, 7))
        if int(target, 16) or int(mask, 16) or int(flags, 16) & _UP_BY_GATEWAY != _UP_BY_GATEWAY:
            continue
        found.append((int(metric), _address(gateway)))
    return min(found)[1] if found else None


def _address(number: str) -> str:
    """The kernel writes the four bytes of an address as one number of this machine."""
    return str(ipaddress.IPv4Address(int(number, 16).to_bytes(4, sys.byteorder)))


def bsd_gateway(answer: str) -> str | None:
    """The gateway that ``route -n get default`` tells, if it tells an IPv4 address."""
    found = re.search(r"^\s*gateway:\s*(\d+\.\d+\.\d+\.\d+)\s*$", answer, re.MULTILINE)
    return str(ipaddress.IPv4Address(found[1])) if found else None


def first_of_network(own: Iterable[tuple[str, int]]) -> str | None:
    """The first address of the first private network that these addresses, with their prefixes, are in."""
    for host, prefix in own:
        here = ipaddress.IPv4Interface(f"{host}/{prefix}")
        first = here.network.network_address + 1
        if here.is_private and not here.is_loopback and not here.is_link_local and first != here.ip:
            return str(first)
    return None
