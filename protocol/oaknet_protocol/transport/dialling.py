"""Opening a connection to an address (transport 2.6)."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import trio

from oaknet_protocol.tls import Invitation
from oaknet_protocol.transport.handshake import ConnectFault, connect, written
from oaknet_protocol.transport.link import Link

CONNECT_TIME = 10
"""Seconds for finding a name and reaching one of its addresses."""

_HOST_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:%")
_HOST_LENGTH = 253


async def dial(
    nursery: trio.Nursery, host: str, port: int, invited: Invitation, expect: bytes | None = None
) -> Link:
    """Open a link to ``host`` (a name or a number) and ``port``; it lives in ``nursery``.

    ``expect`` is the key that must answer, 32 bytes (default: anybody who is invited). Raises `ConnectFault`,
    which names the step that failed.
    """
    if not 1 <= len(host) <= _HOST_LENGTH or not _HOST_SIGNS.issuperset(host) or not 1 <= port <= 65535:
        raise ConnectFault("name", "The address is not one that can be dialled; it needs a host and a port.")
    where = written(host, port)
    stream: trio.SocketStream | None = None
    try:
        with trio.move_on_after(CONNECT_TIME):
            stream = await trio.open_tcp_stream(host, port)
    except (socket.gaierror, UnicodeError) as error:
        raise ConnectFault("name", f"{host} was not found. Check the name, and your connection.") from error
    except OSError as error:
        raise _unreached(error, where) from error
    if stream is None:
        raise ConnectFault("timeout", f"{where} did not answer within {CONNECT_TIME} seconds.")
    return await connect(nursery, stream, invited, expect, where)


def _unreached(error: OSError, where: str) -> ConnectFault:
    causes = list(_causes(error))
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return ConnectFault("refused", f"{where} was reached, but nobody listens there. Is the table open?")
    if any(isinstance(cause, TimeoutError) for cause in causes):
        return ConnectFault("timeout", f"{where} did not answer.")
    reason = next((cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror), "")
    return ConnectFault("unreachable", f"{where} cannot be reached: {reason.lower() or 'no way there'}.")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and everything that it came from: trio tries several addresses at once."""
    yield error
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            yield from _causes(part)  # pyright: ignore[reportUnknownArgumentType]
    if error.__cause__ is not None:
        yield from _causes(error.__cause__)
