"""Connections between peers, over trio: dialled or accepted, authenticated, kept alive, bounded (transport).

A consumer sees `Link` alone: one authenticated connection that sends and gives whole messages::

    async with trio.open_nursery() as nursery:
        doors = Doors(identity)                      # oaknet_protocol.tls
        doors.open(secret)                           # one port serves any number of invites

        async def handler(link: Link) -> None:       # one task a link that somebody else opened;
            async for message in link:               # ends when the link is over
                ...
            print(link.why)                          # "the other side closed it"

        listener = await listen(nursery, doors, handler, port=4711)
        print(listener.port)

        invited = invitation(identity, secret)       # oaknet_protocol.tls
        link = await dial(nursery, "192.0.2.7", 4711, invited, expect=key)   # or ConnectFault
        link.send(b"...")                            # never waits
        await link.flush()                           # only where a lot is sent
        await link.aclose()                          # the handler's link is closed when the handler returns

Cancelling the nursery closes every link. `connect` and `accept` do the same over any trio stream, and
`serve` over any trio listener: tests need no sockets.
"""

from oaknet_protocol.transport.dialling import CONNECT_TIME, dial
from oaknet_protocol.transport.handshake import (
    HANDSHAKE_TIME,
    Answer,
    ConnectFault,
    Step,
    accept,
    connect,
)
from oaknet_protocol.transport.link import (
    ANSWER_TIME,
    ASK,
    BUFFER_LIMIT,
    CLOSE_TIME,
    DEAD_AFTER,
    FRAMES_AT_ONCE,
    FRAMES_PER_SECOND,
    HERE,
    PING,
    PING_EVERY,
    Link,
)
from oaknet_protocol.transport.listener import (
    LINK_LIMIT,
    LINKS_PER_PEER,
    PENDING_LIMIT,
    Listener,
    ListenFault,
    listen,
    serve,
)

__all__ = [
    "ANSWER_TIME",
    "ASK",
    "BUFFER_LIMIT",
    "CLOSE_TIME",
    "CONNECT_TIME",
    "DEAD_AFTER",
    "FRAMES_AT_ONCE",
    "FRAMES_PER_SECOND",
    "HANDSHAKE_TIME",
    "HERE",
    "LINKS_PER_PEER",
    "LINK_LIMIT",
    "PENDING_LIMIT",
    "PING",
    "PING_EVERY",
    "Answer",
    "ConnectFault",
    "Link",
    "ListenFault",
    "Listener",
    "Step",
    "accept",
    "connect",
    "dial",
    "listen",
    "serve",
]
