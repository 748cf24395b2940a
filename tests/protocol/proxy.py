"""A proxy between the two ends of a connection: it delays, repeats, cuts and swallows what passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import trio
from trio.testing import memory_stream_pair

from oaknet.kernel import Rng
from oaknet_protocol.framing import Frames, frame

Pipe: TypeAlias = tuple[bytes, bytes]
"""One direction between two peers: the key of who sends, and of whom it is for."""

Ends: TypeAlias = tuple[trio.abc.HalfCloseableStream, trio.abc.HalfCloseableStream]


@dataclass
class Conditions:
    """What happens between peers; counted over all connections that they ever make.

    ``delay`` is how many milliseconds a frame may take, ``copies`` how often it may arrive: later copies may
    be overtaken by what was sent after the first. ``cuts`` says, of a frame that is to pass, after how many
    of its bytes the connection breaks, or None. ``seen`` hears of each frame that has passed. ``dark`` are
    peers from and to whom everything is swallowed, without a sign.
    """

    rng: Rng
    delay: int = 0
    copies: int = 1
    framed: bool = True
    cuts: Callable[[Pipe, int, bytes], int | None] = lambda pipe, number, data: None
    seen: Callable[[Pipe, int, bytes], None] = lambda pipe, number, data: None
    dark: list[bytes] = field(default_factory=list[bytes])
    passed: dict[Pipe, int] = field(default_factory=dict[Pipe, int])

    def pause(self) -> float:
        """How long the next frame takes, in seconds."""
        return self.rng.below(self.delay + 1) / 1000


class End(trio.abc.HalfCloseableStream):
    """What one side holds of a connection: a cut looks like a cut, not like a good-bye."""

    def __init__(self, stream: trio.abc.HalfCloseableStream) -> None:
        self._stream = stream
        self.cut = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        data = bytes(await self._stream.receive_some(max_bytes))
        if self.cut and not data:
            raise trio.BrokenResourceError
        return data

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


class Bare:
    """The bytes of a stream as they are: in place of `transport.secure.Secure`, for a link without TLS."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.ended, self.left = "", False
        self._stream = stream
        self._rest = b""
        self._draining = False

    @property
    def waiting(self) -> int:
        return len(self._rest)

    @property
    def idle(self) -> bool:
        return not (self._draining or self._rest)

    def write(self, data: bytes) -> bool:
        self._rest += data
        return False

    async def drain(self) -> None:
        self._draining = True
        while data := self._rest:
            self._rest = b""
            await self._stream.send_all(data)
        self._draining = False

    async def read(self) -> bytes:
        data = bytes(await self._stream.receive_some())
        if not data:
            self.ended, self.left = "the other side closed it", True
        return data

    def opened(self) -> bytes:
        return b""

    async def aclose(self) -> None:
        await self._stream.aclose()


class Proxy:
    """One connection by way of a proxy; `near` and `far` are what its two ends hold.

    Frames (or, unless ``framed``, whatever came in one piece) are numbered by direction; of those that are on
    their way when the connection breaks, nothing arrives.
    """

    def __init__(self, conditions: Conditions, near: bytes, far: bytes) -> None:
        one, inner = memory_stream_pair()
        other, outer = memory_stream_pair()
        self.near, self.far = End(one), End(other)
        self.keys = (near, far)
        self._ends: Ends = (inner, outer)
        self._conditions = conditions
        self._scope = trio.CancelScope()
        self.over = False

    async def run(self) -> None:
        """Carry what is sent until the connection breaks or both ends have closed it."""
        inner, outer = self._ends
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._carry, nursery, inner, outer, self.keys)
                    nursery.start_soon(self._carry, nursery, outer, inner, self.keys[::-1])
        finally:
            self.over = True
            for end in self._ends:
                await trio.aclose_forcefully(end)

    def cut(self) -> None:
        """Break the connection: both ends notice at once."""
        self.near.cut = self.far.cut = True
        self._scope.cancel()

    async def _carry(
        self,
        nursery: trio.Nursery,
        source: trio.abc.ReceiveStream,
        target: trio.abc.HalfCloseableStream,
        pipe: Pipe,
    ) -> None:
        put, take = trio.open_memory_channel[tuple[float, bytes]](10**6)
        nursery.start_soon(self._deliver, nursery, take, target, pipe)
        frames, conditions = Frames(), self._conditions
        with put:
            while data := await self._received(source):
                for piece in map(frame, frames.receive(data)) if conditions.framed else [data]:
                    put.send_nowait((trio.current_time() + conditions.pause(), piece))

    async def _received(self, source: trio.abc.ReceiveStream) -> bytes:
        try:
            return bytes(await source.receive_some())
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""

    async def _deliver(
        self,
        nursery: trio.Nursery,
        take: trio.MemoryReceiveChannel[tuple[float, bytes]],
        target: trio.abc.HalfCloseableStream,
        pipe: Pipe,
    ) -> None:
        lock, conditions = trio.Lock(), self._conditions
        async for due, piece in take:
            if due > trio.current_time():
                await trio.sleep_until(due)
            number = conditions.passed[pipe] = conditions.passed.get(pipe, -1) + 1
            at = conditions.cuts(pipe, number, piece)
            await self._write(lock, target, pipe, piece if at is None else piece[:at])
            if at is not None:
                self.cut()
                await trio.sleep_forever()
            conditions.seen(pipe, number, piece)
            for _ in range(conditions.rng.below(conditions.copies)):
                nursery.start_soon(self._repeat, lock, target, pipe, piece)
        await self._close(target)

    async def _repeat(
        self, lock: trio.Lock, target: trio.abc.HalfCloseableStream, pipe: Pipe, piece: bytes
    ) -> None:
        await trio.sleep(self._conditions.pause())
        await self._write(lock, target, pipe, piece)

    async def _write(
        self, lock: trio.Lock, target: trio.abc.HalfCloseableStream, pipe: Pipe, data: bytes
    ) -> None:
        if any(key in self._conditions.dark for key in pipe):
            return
        async with lock:
            try:
                await target.send_all(data)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return  # it has closed: what comes too late is lost, as on any connection

    async def _close(self, target: trio.abc.HalfCloseableStream) -> None:
        try:
            await target.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return
