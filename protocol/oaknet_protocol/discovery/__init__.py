"""Finding tables in the local network by mDNS and DNS-SD, and being found (discovery 3 and 4).

zeroconf has threads of its own and blocks in some of its calls, so it lives in worker threads; what it hears
crosses into trio as whole immutable pictures, the newest of which counts::

    lan = Lan()
    nursery.start_soon(lan.run)
    lan.announce(table, port)                  # and again with other seats; lan.withdraw()
    async for seen in lan.seen:                # Seen(tables, trouble)
        ...
"""

from oaknet_protocol.discovery.lan import (
    BLOCKED,
    FLOODED,
    NO_INTERFACE,
    TABLE_LIMIT,
    Lan,
    Seen,
)
from oaknet_protocol.discovery.places import (
    SERVICE,
    Interface,
    every_address,
    hears_itself,
    interfaces,
    usable,
)
from oaknet_protocol.discovery.radio import Found, hosts

__all__ = [
    "BLOCKED",
    "FLOODED",
    "NO_INTERFACE",
    "SERVICE",
    "TABLE_LIMIT",
    "Found",
    "Interface",
    "Lan",
    "Seen",
    "every_address",
    "hears_itself",
    "hosts",
    "interfaces",
    "usable",
]
