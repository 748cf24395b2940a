"""Asking the router to forward a port, by NAT-PMP or UPnP (discovery 4).

What the router says is looked at before it is believed, and the mapping is removed when the task ends::

    forwarded = await nursery.start(forward, port)     # Forwarded(host, port, lease, by), or RouterFault
"""

from oaknet_protocol.nat.forwarding import addresses, every_way, forward, telling
from oaknet_protocol.nat.words import NO_EXTRA, NO_ROUTER, SILENT, Forwarded, RouterFault, Way

__all__ = [
    "NO_EXTRA",
    "NO_ROUTER",
    "SILENT",
    "Forwarded",
    "RouterFault",
    "Way",
    "addresses",
    "every_way",
    "forward",
    "telling",
]
