"""Streams without sockets for the tests: cables that can be cut or clogged, a listener, players."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import trio
from trio.testing import MemoryReceiveStream, MemorySendStream, memory_stream_pair

from oaknet_protocol.identity import Identity
from oaknet_protocol.tls import Doors, Invitation, invitation
from oaknet_protocol.transport import Link, Listener, accept, connect, serve
from oaknet_protocol.transport.handshake import Admit, everybody

SECRET = b"the invite......"


class Cable(trio.abc.HalfCloseableStream):
    """One end of a connection.

    ``lost`` swallows what is sent from here, ``clogged`` lets nothing through; `tear` breaks both ends.
    """

    def __init__(self, stream: trio.StapledStream[MemorySendStream, MemoryReceiveStream]) -> None:
        self.stream = stream
        self.lost = False
        self.clogged = False
        self.torn = False
        self.sent = 0

    async def tear(self) -> None:
        self.torn = True
        await self.stream.aclose()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._whole()
        if self.clogged:
            await trio.sleep_forever()
        self.sent += len(data)
        if not self.lost:
            await self.stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        self._whole()
        return bytes(await self.stream.receive_some(max_bytes))

    def _whole(self) -> None:
        if self.torn:
            raise trio.BrokenResourceError

    async def send_eof(self) -> None:
        await self.stream.send_eof()

    async def aclose(self) -> None:
        if self.lost:  # the other side hears nothing of it
            await self.stream.receive_stream.aclose()
        else:
            await self.stream.aclose()


def cables() -> tuple[Cable, Cable]:
    """Both ends of a connection."""
    one, other = memory_stream_pair()
    return Cable(one), Cable(other)


class Hub(trio.abc.Listener[Cable]):
    """A listener without a port; `plug` gives the far end of a new connection to it."""

    def __init__(self) -> None:
        self._in, self._out = trio.open_memory_channel[Cable](1000)

    def plug(self) -> Cable:
        near, far = cables()
        self._in.send_nowait(near)
        return far

    async def accept(self) -> Cable:
        return await self._out.receive()

    async def aclose(self) -> None:
        await self._out.aclose()


class Players:
    """Alice, who can be reached by one invite, and others who hold it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.alice = self.make("alice")
        self.bob = self.make("bob")
        self.doors = Doors(self.alice)
        self.invite = self.doors.open(SECRET)

    def make(self, name: str) -> Identity:
        return Identity.load_or_make(self._folder / name)

    def invited(self, identity: Identity | None = None, secret: bytes = SECRET) -> Invitation:
        return invitation(identity or self.bob, secret)

    async def links(self, nursery: trio.Nursery) -> "Linked":
        """A link between Bob, who dialled, and Alice, with the cables below it."""
        far, near = cables()
        made: list[Link] = []

        async def welcome() -> None:
            made.append(await accept(nursery, near, self.doors))

        async with trio.open_nursery() as both:
            both.start_soon(welcome)
            link = await connect(nursery, far, self.invited(), self.alice.key)
        return Linked(bob=link, alice=made[0], bob_cable=far, alice_cable=near)

    async def hub(
        self,
        nursery: trio.Nursery,
        handler: Callable[[Link], Awaitable[None]],
        admit: Admit = everybody,
    ) -> tuple[Hub, Listener]:
        """A listener of Alice's, and where to plug in."""
        hub = Hub()
        return hub, await serve(nursery, [hub], self.doors, handler, admit)


class Linked:
    """A link from both sides."""

    def __init__(self, *, bob: Link, alice: Link, bob_cable: Cable, alice_cable: Cable) -> None:
        self.bob, self.alice = bob, alice
        self.bob_cable, self.alice_cable = bob_cable, alice_cable
