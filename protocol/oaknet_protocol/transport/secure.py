"""A TLS connection that stands, over the stream below it (transport 2.4).

trio makes the handshake. From then on this moves the bytes: a message goes to the system within the call that
sends it, and each one that arrives costs one wait.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from typing import final

import trio

from oaknet_protocol.tls import Bound

_AT_ONCE = 64 * 1024  # bytes read at a time


@final
class Secure(trio.abc.AsyncResource):
    """Both ways of one connection. Write in one task or none at a time; read in one."""

    ended: str
    """Empty while more can come; then how it ended, in words to follow "the link is over: "."""

    left: bool
    """Whether the other side has said good-bye."""

    def __init__(self, stream: trio.abc.Stream, bound: Bound) -> None:
        """Take over from the handshake: ``bound`` is what it left, ``stream`` carries the encrypted bytes."""
        self.ended, self.left = "", False
        self._stream = stream
        self._tls, self._incoming, self._outgoing = bound
        self._rest = b""  # sealed, and not taken by the system yet
        self._draining = False
        self._socket: socket.socket | None = None
        if isinstance(stream, trio.SocketStream):  # the same socket again, since trio's own always waits
            self._socket = socket.socket(fileno=stream.socket.fileno())
            self._socket.setblocking(False)

    @property
    def waiting(self) -> int:
        """How many sealed bytes the system has not been offered yet, or has not taken."""
        return len(self._rest) + self._outgoing.pending

    @property
    def idle(self) -> bool:
        """Whether the system has taken all that was written."""
        return not (self._draining or self.waiting)

    def write(self, data: bytes) -> bool:
        """Seal, and hand over what the system takes without waiting; False if something is left to `drain`.

        Raises `trio.BrokenResourceError`.
        """
        try:
            self._tls.write(data)
        except ssl.SSLError as error:
            raise trio.BrokenResourceError from error
        self._rest += self._outgoing.read()
        if self._socket is not None and not self._draining:
            try:
                self._rest = self._rest[self._socket.send(self._rest) :]
            except BlockingIOError:
                return False
            except OSError as error:
                raise trio.BrokenResourceError from error
        return not self._rest

    async def drain(self) -> None:
        """Wait until the system has taken all; a cancelled call breaks the connection.

        Raises `trio.BrokenResourceError`.
        """
        self._draining = True
        while data := self._rest + self._outgoing.read():
            self._rest = b""
            await self._stream.send_all(data)
        self._draining = False

    async def read(self) -> bytes:
        """Wait for what comes, decrypted; perhaps nothing. How it ended is in ``ended``.

        Raises `trio.BrokenResourceError`; a cancelled call loses nothing.
        """
        if data := await self._received():
            self._incoming.write(data)
        else:
            self._incoming.write_eof()
        return self.opened()

    async def _received(self) -> bytes:
        if self._socket is None:
            return bytes(await self._stream.receive_some(_AT_ONCE))
        while True:
            await trio.lowlevel.wait_readable(self._socket)
            try:
                return self._socket.recv(_AT_ONCE)
            except BlockingIOError:
                continue
            except OSError as error:
                raise trio.BrokenResourceError from error

    def opened(self) -> bytes:
        """Decrypt what is there."""
        found: list[bytes] = []
        try:
            while self._incoming.pending or self._incoming.eof or self._tls.pending():
                if part := self._tls.read(_AT_ONCE):
                    found.append(part)
                else:
                    self.ended, self.left = "the other side closed it", True
                    break
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:
            self.ended = "the connection broke"
        return found[0] if len(found) == 1 else b"".join(found)

    async def aclose(self) -> None:
        """Say good-bye, if it can still be heard, and close the stream."""
        try:
            if not self._rest and not self._draining:
                with suppress(ssl.SSLError):  # our part of the good-bye is made; theirs may come or not
                    self._tls.unwrap()
                await self._stream.send_all(self._outgoing.read())
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
            pass  # it cannot be heard any more
        finally:
            if self._socket is not None:
                self._socket.detach()
            await trio.aclose_forcefully(self._stream)
