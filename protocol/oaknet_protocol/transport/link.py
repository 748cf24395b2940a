"""One authenticated connection: frames in order, kept alive, bounded both ways (transport 4, 5)."""

from __future__ import annotations

import math
from collections import deque
from typing import final

import trio

from oaknet_protocol.framing import FRAME_LIMIT, HEAD, STRANGER_LIMIT, FrameFault, Frames, frame
from oaknet_protocol.transport.secure import Secure

PING = b"\x00"
"""The frame that only says "still here"; no message begins with this byte, so none is taken for it."""

ASK = b"\x00\x01"
"""The frame that wants to be answered."""

HERE = b"\x00\x02"
"""The frame that answers it."""

PING_EVERY = 10
"""Seconds without anything sent after which a ping is."""

DEAD_AFTER = 30
"""Seconds without a whole frame, or with a frame that the other side does not take, that end a link."""

CLOSE_TIME = 1
"""Seconds that a closing link may take to send what is left, and again to say good-bye."""

ANSWER_TIME = 2
"""Seconds that the other side has to answer when it is asked whether it is there."""

BUFFER_LIMIT = 2 * 1024 * 1024
"""Bytes that may wait to be sent to one peer: about ten times a long game."""

FRAMES_PER_SECOND = 500
"""Frames taken from one peer, in the long run; who sends more is read more slowly."""

FRAMES_AT_ONCE = 2000
"""Frames taken from one peer without a pause: a whole game, for who comes back to it."""


@final
class Link(trio.abc.AsyncResource):
    """One authenticated connection to a peer; iterating over it gives the messages that arrive.

    The iteration ends when the link is over, for whatever reason; ``why`` says it then, in words to follow
    "the link is over: ". Nothing a peer does raises here. Iterate in one task; `send` from any.
    """

    key: bytes
    """The other side's public key, 32 bytes, proved."""

    invite: str
    """The name of the invite it came by (`oaknet_protocol.tls.invite_name`)."""

    program: bytes
    """Which program with this key it is, 16 bytes: one that starts anew or has a copy is another."""

    dialled: bool
    """Whether this side opened the connection."""

    address: str
    """Where the other side is, as numbers; empty for a stream that is no socket."""

    why: str | None
    """None while the link stands, then why it is over."""

    left: bool
    """Whether the other side has said good-bye, and not just gone."""

    silent: bool
    """Whether the other side was asked whether it is there, and has not answered in time nor since."""

    def __init__(
        self,
        secure: Secure,
        key: bytes,
        invite: str,
        *,
        program: bytes,
        dialled: bool,
        known: bool,
        address: str,
    ) -> None:
        self.key, self.invite, self.program = key, invite, program
        self.dialled, self.address = dialled, address
        self.why = None
        self.left = self.silent = False
        self._secure = secure
        self._frames = Frames(FRAME_LIMIT if known else STRANGER_LIMIT)
        self._frames.feed(secure.opened())  # what came together with the end of the handshake
        self._queue: deque[bytes] = deque()
        self._waiting = 0  # bytes in the queue and on their way into the stream
        self._sent_at = trio.current_time()
        self._waits_since: float | None = None  # since when the reading task waits for a whole frame
        self._closing = False
        self._work = trio.Event()
        self._sent = trio.lowlevel.ParkingLot()
        self._answered = trio.lowlevel.ParkingLot()
        self._scope = trio.CancelScope()
        self._done = trio.Event()
        self._allowed: float = FRAMES_AT_ONCE
        self._counted_at = trio.current_time()

    @property
    def limit(self) -> int:
        """The most bytes the next message may have; set it to `FRAME_LIMIT` once the peer is known."""
        return self._frames.limit

    @limit.setter
    def limit(self, value: int) -> None:
        self._frames.limit = value

    @property
    def waiting(self) -> int:
        """How many bytes have not been sent yet."""
        return self._waiting

    # Sending: what the system takes at once is gone when `send` returns. What it does not take is left to one
    # task alone, because a cancelled send_all would break the stream.

    def send(self, message: bytes) -> None:
        """Queue a message of 1 to `FRAME_LIMIT` bytes; never waits.

        A link that is over, or being closed, takes it and forgets it. A peer that lets more than
        `BUFFER_LIMIT` bytes wait loses the link. Raises `ValueError` for a message of another size.
        """
        data = frame(message)
        if self.why is not None or self._closing:
            return
        if self._waiting + len(data) > BUFFER_LIMIT:
            self.drop("the other side does not read what it is sent")
            return
        if not self._queue and self._secure.idle:
            self._sent_at = trio.current_time()
            try:
                if self._secure.write(data):
                    return
            except trio.BrokenResourceError:
                self._queue.append(data)  # the task that writes finds it broken too, and says so
        else:
            self._queue.append(data)
        self._waiting += len(data)
        self._work.set()

    async def flush(self) -> None:
        """Wait until everything queued is sent, or the link is over."""
        await trio.lowlevel.checkpoint()
        while self._waiting and self.why is None:
            await self._sent.park()

    async def run(self) -> None:
        """Write what is queued, and pings; close the stream at the end. Who makes a link starts this."""
        try:
            with self._scope:
                await self._keep_writing()
        finally:
            self._over("closed here")
            with trio.move_on_after(CLOSE_TIME, shield=True):
                await self._secure.aclose()
            self._done.set()
            self._sent.unpark_all()

    async def _keep_writing(self) -> None:
        """Write what had to wait, and pings, until the link is to be closed."""
        try:
            while True:
                if self._queue or not self._secure.idle:
                    await self._write()
                elif self._closing:
                    return
                elif trio.current_time() >= self._sent_at + PING_EVERY:
                    self._queue.append(frame(PING))
                elif self._dead_at() <= trio.current_time():
                    self._over(f"no sign of life for {DEAD_AFTER} seconds")
                    return
                else:  # a wait that begins meanwhile is longer than the one for the ping
                    self._work = trio.Event()
                    with trio.move_on_at(min(self._sent_at + PING_EVERY, self._dead_at())):
                        await self._work.wait()
        except trio.TooSlowError:
            self._over("the other side does not read what it is sent")
        except trio.BrokenResourceError:
            self._over("the connection broke")

    async def _write(self) -> None:
        """Write several frames if several wait, and all that was begun."""
        data = bytearray()
        while self._queue and len(data) + len(self._queue[0]) <= FRAME_LIMIT + HEAD:
            data += self._queue.popleft()
        self._sent_at = trio.current_time()
        with trio.fail_after(DEAD_AFTER):
            await self._secure.drain()
            if data and not self._secure.write(bytes(data)):
                await self._secure.drain()
        self._waiting = sum(map(len, self._queue))
        if not self._waiting:
            self._sent.unpark_all()

    def _dead_at(self) -> float:
        """When the other side will have given no sign of life for too long."""
        return math.inf if self._waits_since is None else self._waits_since + DEAD_AFTER

    # Receiving

    def __aiter__(self) -> Link:
        return self

    async def __anext__(self) -> bytes:
        """The next message. A cancelled call loses nothing: the next one goes on where it stopped."""
        if self._frames.held or self._secure.ended or self.why is not None:  # else it waits anyway
            await trio.lowlevel.checkpoint()
        self._waits_since = trio.current_time()
        try:
            while self.why is None:
                await self._pace()
                message = self._frames.take()
                if message is None:
                    if self._secure.ended:
                        self.left = self._secure.left
                        self.drop(self._secure.ended)
                    else:
                        await self._read()
                    continue
                self._allowed -= 1
                if message not in (PING, ASK, HERE):
                    return message
                self._waits_since = trio.current_time()
                self._hear(message)
        except FrameFault as fault:
            self.drop(str(fault))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.drop("the connection broke")
        finally:
            self._waits_since = None
        raise StopAsyncIteration

    def _hear(self, sign: bytes) -> None:
        """A sign of life; one of them is to be answered, one is an answer (transport 4.3)."""
        if sign == ASK:
            self.send(HERE)
        elif sign == HERE:
            self.silent = False
            self._answered.unpark_all()

    async def answers(self) -> bool:
        """Ask the other side whether it is there: whether it says so within `ANSWER_TIME` (transport 4.3).

        Somebody must iterate over the link meanwhile. A side that was silent is not waited for again.
        """
        await trio.lowlevel.checkpoint()
        if self.why is not None or self.silent:
            return False
        self.send(ASK)
        with trio.move_on_after(ANSWER_TIME) as waiting:
            await self._answered.park()
        if waiting.cancelled_caught:
            self.silent = True
        return self.why is None and not self.silent

    async def _read(self) -> None:
        self._frames.feed(await self._secure.read())
        if not self._secure.idle:  # TLS itself has to answer
            self._work.set()
        if self._secure.waiting > BUFFER_LIMIT:
            self.drop("the other side does not read what it is sent")

    async def _pace(self) -> None:
        """Wait until another frame may be taken (transport 5.3)."""
        now = trio.current_time()
        earned = (now - self._counted_at) * FRAMES_PER_SECOND
        self._allowed = min(FRAMES_AT_ONCE, self._allowed + earned)
        self._counted_at = now
        if self._allowed < 1:
            await trio.sleep((1 - self._allowed) / FRAMES_PER_SECOND)

    # Ending

    def drop(self, why: str) -> None:
        """End the link at once; what is queued is lost. ``why`` becomes its reason, if it had none."""
        self._over(why)
        self._scope.cancel()

    def _over(self, why: str) -> None:
        if self.why is None:
            self.why = why
        self._queue.clear()
        self._waiting = 0
        self._sent.unpark_all()
        self._answered.unpark_all()

    async def aclose(self) -> None:
        """Send what is queued, say good-bye and close; takes `CLOSE_TIME` twice at most."""
        self._closing = True
        self._work.set()
        try:
            with trio.move_on_after(CLOSE_TIME):
                await self._done.wait()
        finally:
            self._scope.cancel()
            with trio.CancelScope(shield=True):
                await self._done.wait()
