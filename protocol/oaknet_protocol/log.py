"""The log file: a header, then the records of the table, each behind its length (transcript 8).

The saved game is the replay is the log. Pure: bytes in, bytes out; `journal.py` alone touches files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from oaknet.kernel import H
from oaknet_protocol import wire
from oaknet_protocol.table import Opening
from oaknet_protocol.wire import BadMessage, Record, decode, pack, unpack

MAGIC = b"\x89OAK\r\n\x1a\n"
"""The first 8 bytes: no text, and damaged by any translation of line ends."""
FORMAT = 1
SUFFIX = ".oak"
SHORTEST = len(MAGIC) + 4 + 32
"""Bytes below which a file cannot hold a whole header."""


class Header(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a log says of itself before its first record."""

    format: wire.U32
    protocol: wire.U32
    game: wire.Word
    rules: wire.Hash
    engine: wire.Word


class LogFault(ValueError):
    """A log that cannot be read on; ``offset`` is where, in bytes."""

    def __init__(self, why: str, offset: int = 0) -> None:
        super().__init__(why)
        self.why, self.offset = why, offset


class ForeignLog(LogFault):
    """Not a log of this program, or one with a damaged header."""


class OtherVersion(LogFault):
    """A whole header of another format or protocol version."""


class CutInside(LogFault):
    """The file ends within a record: what is before it is whole."""


@dataclass(frozen=True, slots=True)
class Framed:
    """A record and where it begins in the file."""

    record: Record
    offset: int


def frame(data: bytes) -> bytes:
    """Bytes behind their 4-byte length."""
    return len(data).to_bytes(4, "big") + data


def header(opening: Opening) -> bytes:
    """The first bytes of a table's log: magic, framed header, and the hash of both (transcript 8.1)."""
    terms = opening.terms
    head = MAGIC + frame(pack(Header(FORMAT, terms.version, terms.game, terms.rules, terms.engine)))
    return head + H("header", head)


def read_header(data: bytes) -> tuple[Header, int]:
    """The header and where the records begin; raises `ForeignLog` or `OtherVersion`.

    The hash is checked before anything in the header is believed.
    """
    if not data.startswith(MAGIC):
        raise ForeignLog("this is no oaknet log: it does not begin like one")
    start = len(MAGIC) + 4
    size = int.from_bytes(data[len(MAGIC) : start], "big")
    end = start + size
    if size > wire.MAX_ENTRY or data[end : end + 32] != H("header", data[:end]):
        raise ForeignLog("the header of this log is damaged")
    try:
        values: Any = unpack(data[start:end])
        versions = msgspec.convert(values[:2], tuple[wire.U32, wire.U32], strict=True)
        if versions != (FORMAT, wire.VERSION):
            ours = f"this program reads format {FORMAT} of protocol {wire.VERSION}"
            raise OtherVersion(f"this log has format and protocol {versions}; {ours}")
        return msgspec.convert(values, Header, strict=True, builtin_types=(bytes,)), end + 32
    except (BadMessage, msgspec.ValidationError, TypeError) as error:
        raise ForeignLog(f"the header of this log makes no sense: {error}") from None


def records(data: bytes, offset: int) -> list[Framed]:
    """All records from ``offset`` on; raises `LogFault` at the first that is none.

    `CutInside` carries the offset of the record that is not whole; the records before it can be read again
    from ``data[:offset]``.
    """
    found: list[Framed] = []
    while offset < len(data):
        start = offset + 4
        size = int.from_bytes(data[offset:start], "big")
        if len(data) < start or size > len(data) - start:
            raise CutInside("the file ends inside an entry", offset)
        if not 0 < size <= wire.MAX_FRAME:
            raise LogFault(f"an entry that claims {size} bytes", offset)
        try:
            record = decode(Record, data[start : start + size])
        except BadMessage as error:
            raise LogFault(f"no entry: {error}", offset) from None
        found.append(Framed(record, offset))
        offset = start + size
    return found
