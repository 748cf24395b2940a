"""From a stream of bytes to a link: TLS, whose key it is, and a byte each way (transport 2.5)."""

from __future__ import annotations

import enum
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Literal, TypeAlias, final

import trio

from oaknet_protocol.signing import fingerprint
from oaknet_protocol.tls import PROTOCOL, Bound, Context, Doors, Invitation, NoPeerKey, peer_key
from oaknet_protocol.transport.link import CLOSE_TIME, Link
from oaknet_protocol.transport.secure import Secure

HANDSHAKE_TIME = 10
"""Seconds from the first byte of a connection to the link."""

_LEFTOVER = 64 * 1024  # bytes read from a refused peer, so that the alert reaches it before the reset

Step: TypeAlias = Literal[
    "name",
    "unreachable",
    "refused",
    "timeout",
    "silent",
    "foreign",
    "invite",
    "identity",
    "self",
    "full",
    "unwanted",
    "twin",
]
"""At which step a connection failed, in this order."""


@final
class Answer(enum.Enum):
    """The byte that the accepting side says to who has proved the invite and its key (transport 2.5)."""

    WELCOME = b"\x01"
    FULL = b"\x02"
    UNWANTED = b"\x03"
    TWIN = b"\x04"


Admit: TypeAlias = Callable[[str, bytes, bytes], Awaitable[Answer]]
"""Decides about a peer by the name of the invite, the key, and which program of that key it is."""

CONFIRM = Answer.WELCOME.value
"""The byte that the connecting side says when it has found the key it expects."""

PROGRAM = 16
"""Bytes that say which program of a key it is; they follow `CONFIRM` both ways."""


class ConnectFault(Exception):
    """A connection that did not come about: at which ``step``, and a sentence for people."""

    status = 5
    step: Step

    def __init__(self, step: Step, text: str) -> None:
        self.step = step
        super().__init__(text)


async def everybody(invite: str, key: bytes, program: bytes) -> Answer:
    """Admits all who are invited."""
    return Answer.WELCOME


async def accept(
    nursery: trio.Nursery,
    stream: trio.abc.Stream,
    doors: Doors,
    admit: Admit = everybody,
    where: str = "The other side",
) -> Link:
    """A link over a stream that somebody else opened; raises `ConnectFault`, the stream closed.

    ``admit`` decides about who has proved the invite and its key; ``where`` is what the sentence calls it.
    """
    async with _handshake(stream, where, doors.context, server=True) as (tls, bound):
        key = _proved(tls, where)
        invite = doors.named(tls.context)
        if invite is None:
            raise ConnectFault("invite", f"{where} came by an invite that was closed meanwhile.")
        if await tls.receive_some(1) != CONFIRM:
            raise ConnectFault("identity", f"{where} has gone: it looked for another player.")
        program = await _program(tls, where)
        answer = await admit(invite, key, program)
        if answer is not Answer.WELCOME:
            await tls.send_all(answer.value)
            step, why = _TURNED_AWAY[answer]
            raise ConnectFault(step, f"{where} was turned away: {why} ({fingerprint(key)}).")
        await tls.send_all(CONFIRM + doors.program)
    return _link(nursery, stream, bound, key, invite, program=program, dialled=False, known=False)


_TURNED_AWAY: dict[Answer, tuple[Step, str]] = {
    Answer.FULL: ("full", "there is no room"),
    Answer.UNWANTED: ("unwanted", "this player is not let in"),
    Answer.TWIN: ("twin", "this player is here already, by another program"),
}


async def connect(
    nursery: trio.Nursery,
    stream: trio.abc.Stream,
    invited: Invitation,
    expect: bytes | None = None,
    where: str = "The other side",
) -> Link:
    """A link over a stream that this side opened; raises `ConnectFault`, the stream closed.

    ``expect`` is the key that must answer, 32 bytes (default: anybody who is invited); ``where`` is what the
    sentence calls the other side. No byte is sent to somebody else.
    """
    async with _handshake(stream, where, invited.context, server=False, name=invited.name) as (tls, bound):
        key = _proved(tls, where)
        if key == invited.key:
            raise ConnectFault("self", f"{where} is yourself: a program with this identity listens there.")
        if expect is not None and key != expect:
            raise ConnectFault(
                "identity",
                f"{where} is another player: {fingerprint(key)}, not {fingerprint(expect)}. "
                "Ask for a new invite.",
            )
        await tls.send_all(CONFIRM + invited.program)
        answer = await tls.receive_some(1)
        if answer == Answer.FULL.value:
            raise ConnectFault("full", f"{where} has no room for another connection. Try again later.")
        if answer == Answer.UNWANTED.value:
            raise ConnectFault("unwanted", f"{where} does not let you in.")
        if answer == Answer.TWIN.value:
            raise ConnectFault(
                "twin",
                "This identity is already at the table from another program. Go on there, or end that first.",
            )
        if answer != CONFIRM:
            raise _foreign(where)
        program = await _program(tls, where)
    known = expect is not None
    return _link(nursery, stream, bound, key, invited.name, program=program, dialled=True, known=known)


def _link(
    nursery: trio.Nursery,
    stream: trio.abc.Stream,
    bound: Bound,
    key: bytes,
    invite: str,
    *,
    program: bytes,
    dialled: bool,
    known: bool,
) -> Link:
    link = Link(
        Secure(stream, bound),
        key,
        invite,
        program=program,
        dialled=dialled,
        known=known,
        address=address(stream),
    )
    nursery.start_soon(link.run)
    return link


@asynccontextmanager
async def _handshake(
    stream: trio.abc.Stream, where: str, context: Context, *, server: bool, name: str | None = None
) -> AsyncGenerator[tuple[trio.SSLStream[trio.abc.Stream], Bound], None]:
    """TLS over a stream, and what follows in the body, within `HANDSHAKE_TIME`; closes it on any failure."""
    tls = trio.SSLStream(stream, context, server_hostname=name, server_side=server, https_compatible=False)
    bound = context.made
    try:
        with trio.fail_after(HANDSHAKE_TIME):
            await tls.do_handshake()
            yield tls, bound
    except trio.TooSlowError as error:
        await trio.aclose_forcefully(stream)
        raise ConnectFault(
            "silent", f"{where} was reached, but gave no oaknet answer within {HANDSHAKE_TIME} seconds."
        ) from error
    except trio.BrokenResourceError as error:
        await _give_up(stream, bound.outgoing)
        raise _fault(error.__cause__, where) from error
    except ConnectFault:
        with trio.move_on_after(CLOSE_TIME, shield=True):
            await tls.aclose()
        raise
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise


async def _give_up(stream: trio.abc.Stream, outgoing: ssl.MemoryBIO) -> None:
    """Send the alert that says why, and let it arrive: closing with bytes unread would destroy it."""
    try:
        with trio.move_on_after(CLOSE_TIME):
            await stream.send_all(outgoing.read())
            if isinstance(stream, trio.abc.HalfCloseableStream):
                await stream.send_eof()
                left = _LEFTOVER
                while left > 0 and (data := await stream.receive_some()):
                    left -= len(data)
    except trio.BrokenResourceError:
        return  # the other side has gone already: there is nobody to tell
    finally:
        await trio.aclose_forcefully(stream)


_INVITE_REASONS = ("UNRECOGNIZED_NAME", "CALLBACK_FAILED", "UNKNOWN_CA", "CERTIFICATE", "DECRYPT_ERROR")
"""Parts of what OpenSSL says when it is the invite that does not fit."""


def _fault(cause: BaseException | None, where: str) -> ConnectFault:
    """What OpenSSL said, in words."""
    reason = (cause.reason or "") if isinstance(cause, ssl.SSLError) else ""
    if any(part in reason for part in _INVITE_REASONS):
        return ConnectFault("invite", f"{where} does not know this invite. Ask for a new one.")
    return _foreign(where)


def _foreign(where: str) -> ConnectFault:
    return ConnectFault("foreign", f"{where} was reached, but it is not oaknet, or not this version of it.")


def _proved(tls: trio.SSLStream[trio.abc.Stream], where: str) -> bytes:
    """The key of the other side, which TLS has proved."""
    if tls.selected_alpn_protocol() != PROTOCOL:
        raise ConnectFault(
            "foreign", f"{where} was reached, but it is not oaknet, or not this version of it."
        )
    try:
        return peer_key(tls.getpeercert(binary_form=True))
    except NoPeerKey as error:
        raise ConnectFault("identity", f"{where} has no identity of oaknet.") from error


async def _program(tls: trio.SSLStream[trio.abc.Stream], where: str) -> bytes:
    """Which program it is at the other side; not a byte more is read, since frames may follow."""
    said = b""
    while len(said) < PROGRAM:
        part = await tls.receive_some(PROGRAM - len(said))
        if not part:
            raise _foreign(where)
        said += part
    return said


def address(stream: object) -> str:
    """Where a socket's other side is, as ``192.0.2.7:4711`` or ``[2001:db8::7]:4711``; else empty."""
    if not isinstance(stream, trio.SocketStream):
        return ""
    try:
        host, port = stream.socket.getpeername()[:2]
    except OSError:  # it has gone already
        return ""
    return written(host, port)


def written(host: str, port: int) -> str:
    """An address as people write it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
