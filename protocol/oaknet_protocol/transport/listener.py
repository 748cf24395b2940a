"""Accepting connections, so many and no more (transport 5)."""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias, final

import trio

from oaknet_protocol.tls import Doors
from oaknet_protocol.transport.handshake import Admit, Answer, ConnectFault, accept, address, everybody
from oaknet_protocol.transport.link import Link

PENDING_LIMIT = 32
"""Handshakes at a time; one more ends the oldest, since an honest one takes milliseconds."""

LINK_LIMIT = 64
"""Links accepted at a time."""

LINKS_PER_PEER = 2
"""Links of one key by one invite; one more ends the oldest, whose other end has probably gone."""

_ATTEMPTS = 8  # to find a number that is free for IPv4 and IPv6 alike

Handler: TypeAlias = Callable[[Link], Awaitable[None]]
"""What a link is given to; the link is closed when it returns."""

_log = logging.getLogger("oaknet_protocol.transport")


class ListenFault(Exception):
    """A port that cannot be listened at; the text says why, in a sentence."""


@final
class Listener:
    """A port that is listened at. ``port`` is its number, 0 if it is no socket."""

    port: int

    def __init__(self, doors: Doors, handler: Handler, admit: Admit, port: int = 0) -> None:
        self.port = port
        self._doors = doors
        self._handler = handler
        self._admit = admit
        self._pending: dict[trio.CancelScope, None] = {}
        self._links: list[Link] = []
        self._admitted = 0
        self._scope = trio.CancelScope()
        self._done = trio.Event()

    @property
    def pending(self) -> int:
        """How many handshakes are going on."""
        return len(self._pending)

    @property
    def links(self) -> tuple[Link, ...]:
        """The links that stand, the oldest first."""
        return tuple(self._links)

    async def aclose(self) -> None:
        """Stop accepting; links that stand are left alone."""
        self._scope.cancel()
        await self._done.wait()

    async def run(
        self, nursery: trio.Nursery, listeners: Sequence[trio.abc.Listener[trio.abc.Stream]]
    ) -> None:
        """Accept until closed; every link and its handler live in ``nursery``."""

        async def arrive(stream: trio.abc.Stream) -> None:
            await self._arrive(nursery, stream)

        try:
            with self._scope:
                await trio.serve_listeners(arrive, list(listeners), handler_nursery=nursery)
        finally:
            self._done.set()

    async def _arrive(self, nursery: trio.Nursery, stream: trio.abc.Stream) -> None:
        where = address(stream) or "The other side"
        if len(self._pending) >= PENDING_LIMIT:
            oldest = next(iter(self._pending))
            del self._pending[oldest]
            oldest.cancel()
        admitted = False

        async def decide(invite: str, key: bytes, program: bytes) -> Answer:
            nonlocal admitted
            answer = await self._admit(invite, key, program)
            if answer is not Answer.WELCOME:
                return answer
            if self._admitted >= LINK_LIMIT:
                return Answer.FULL
            admitted = True
            self._admitted += 1
            return answer

        link: Link | None = None
        try:
            with trio.CancelScope() as scope:
                self._pending[scope] = None
                try:
                    link = await accept(nursery, stream, self._doors, decide, where)
                finally:
                    self._pending.pop(scope, None)
            if link is None:
                _log.info("%s took too long: others wait for a handshake too", where)
            else:
                await self._attend(link)
        except ConnectFault as fault:
            _log.info("%s", fault)
        finally:
            self._admitted -= admitted

    async def _attend(self, link: Link) -> None:
        """Give a link to the handler, and close it afterwards."""
        others = [other for other in self._links if (other.key, other.invite) == (link.key, link.invite)]
        for other in others[: len(others) + 1 - LINKS_PER_PEER]:
            other.drop("the same player has connected again")
        self._links.append(link)
        try:
            await self._handler(link)
        finally:
            self._links.remove(link)
            await link.aclose()
            _log.info("the link with %s is over: %s", link.address or "the other side", link.why)


async def serve(
    nursery: trio.Nursery,
    listeners: Sequence[trio.abc.Listener[trio.abc.Stream]],
    doors: Doors,
    handler: Handler,
    admit: Admit = everybody,
    port: int = 0,
) -> Listener:
    """Accept links from these listeners, in the background, and give each to ``handler`` in its own task."""
    listener = Listener(doors, handler, admit, port)
    nursery.start_soon(listener.run, nursery, listeners)
    await trio.lowlevel.checkpoint()
    return listener


async def listen(
    nursery: trio.Nursery,
    doors: Doors,
    handler: Handler,
    *,
    host: str | None = None,
    port: int = 0,
    admit: Admit = everybody,
) -> Listener:
    """Listen at ``port`` (0: any that is free) of ``host`` (default: every address of this machine).

    ``admit`` decides about each peer by invite, key and program, before a message is exchanged. Raises
    `ListenFault`.
    """
    if not 0 <= port <= 65535:
        raise ListenFault(f"{port} is no port; ports are numbers from 1 to 65535.")
    try:
        listeners = await _bind(host, port)
    except OSError as error:
        raise ListenFault(_sentence(error, port)) from error
    return await serve(nursery, listeners, doors, handler, admit, _number(listeners[0]))


async def _bind(host: str | None, port: int) -> list[trio.SocketListener]:
    """Listeners that all have the same number: with 0, each family would get one of its own."""
    listeners = await trio.open_tcp_listeners(port, host=host)
    for _ in range(_ATTEMPTS):
        number = _number(listeners[0])
        if all(_number(listener) == number for listener in listeners):
            return listeners
        for listener in listeners:
            await listener.aclose()
        try:
            return await trio.open_tcp_listeners(number, host=host)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
        listeners = await trio.open_tcp_listeners(port, host=host)
    for listener in listeners:
        await listener.aclose()
    raise OSError(errno.EADDRINUSE, "no port is free for IPv4 and IPv6")


def _number(listener: trio.SocketListener) -> int:
    number: int = listener.socket.getsockname()[1]
    return number


def _sentence(error: OSError, port: int) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return "This machine does not have that address. Choose another, or none."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use already. Close the other program, or choose another port."
    if error.errno == errno.EACCES:
        return f"Port {port} is not allowed here. Choose one above 1023."
    return f"Port {port} cannot be listened at: {(error.strerror or 'unknown reason').lower()}."
