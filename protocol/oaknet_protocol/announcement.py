"""What a table says of itself in a local network, and what is believed of it (discovery 2).

Anybody in the network can announce anything, so nothing here is trusted: a record is taken whole or not at
all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

from oaknet.kernel import H
from oaknet_protocol import text
from oaknet_protocol.invite import SECRET_SIZE, Invite
from oaknet_protocol.signing import derived

VERSION = b"1"

SEAT_LIMIT = 8
"""The most seats that an announcement may name."""

TEXT_LIMIT = 400
"""The most bytes of all keys and values of a record."""

_HEX = re.compile(rb"[0-9a-f]{32}")
_GAME = re.compile(rb"[a-z][a-z0-9_]{0,31}")


class BadAnnouncement(ValueError):
    """A record that is not taken; the words say why and never repeat it."""


def open_secret(seed: bytes) -> bytes:
    """The invite's secret of a table that is open to its local network, from the seed it announces: 16 bytes.

    ``seed`` has 16 bytes, drawn by chance (discovery 2.4).
    """
    return H("lan", seed)[:SECRET_SIZE]


@final
@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that lets in everybody in the local network.

    ``table`` is the beginning of its id, 16 bytes; ``free`` of its ``seats`` are free; ``opener`` is the key
    hash of who opened it, who calls themselves ``name``; ``seed`` gives the invite's secret.
    """

    table: bytes
    game: str
    free: int
    seats: int
    opener: bytes
    name: str
    seed: bytes

    @property
    def invite(self) -> Invite:
        """The table's invite, without addresses."""
        return Invite(open_secret(self.seed), self.opener)


@final
@dataclass(frozen=True, slots=True)
class PrivateTable:
    """A table of which is told only that it exists.

    ``mark`` tells nothing but to who holds its invite: 32 hexadecimal digits.
    """

    mark: str

    @classmethod
    def of(cls, invite: Invite) -> PrivateTable:
        """What the table of this invite announces."""
        return cls(derived(invite.secret, "lan-mark")[:16].hex())

    def matches(self, invite: Invite) -> bool:
        """Whether this may be the table of that invite (discovery 2.5)."""
        return self == PrivateTable.of(invite)


Announcement: TypeAlias = "OpenTable | PrivateTable"


def written(table: Announcement) -> dict[bytes, bytes]:
    """The record of a table: keys and values of its TXT (discovery 2.2). Raises `BadAnnouncement`."""
    record: dict[bytes, bytes]
    if isinstance(table, PrivateTable):
        record = {b"v": VERSION, b"i": table.mark.encode()}
    else:
        record = {
            b"v": VERSION,
            b"t": table.table.hex().encode(),
            b"g": table.game.encode(),
            b"f": str(table.free).encode(),
            b"n": str(table.seats).encode(),
            b"k": table.opener.hex().encode(),
            b"s": table.seed.hex().encode(),
            b"by": table.name.encode(),
        }
    read(record)  # nobody announces what nobody takes
    return record


def read(record: Mapping[bytes, bytes | None]) -> Announcement:
    """The table that a record tells of; raises `BadAnnouncement` (discovery 2.3)."""
    size = sum(len(key) + len(value or b"") for key, value in record.items())
    if size > TEXT_LIMIT:
        raise BadAnnouncement("the record is too long")
    if record.get(b"v") != VERSION:
        raise BadAnnouncement("the record is of another version")
    if b"i" in record:
        return PrivateTable(_digits(record, b"i").decode())
    game = record.get(b"g") or b""
    if not _GAME.fullmatch(game):
        raise BadAnnouncement("g is no name of a game")
    seats, free = _count(record, b"n"), _count(record, b"f")
    if not 1 <= seats <= SEAT_LIMIT or free > seats:
        raise BadAnnouncement("there cannot be so many seats")
    return OpenTable(
        table=_bytes(record, b"t"),
        game=game.decode(),
        free=free,
        seats=seats,
        opener=_bytes(record, b"k"),
        name=_name(record.get(b"by") or b""),
        seed=_bytes(record, b"s"),
    )


def _digits(record: Mapping[bytes, bytes | None], key: bytes) -> bytes:
    value = record.get(key) or b""
    if not _HEX.fullmatch(value):
        raise BadAnnouncement(f"{key.decode()} is not 32 hexadecimal digits")
    return value


def _bytes(record: Mapping[bytes, bytes | None], key: bytes) -> bytes:
    return bytes.fromhex(_digits(record, key).decode())


def _count(record: Mapping[bytes, bytes | None], key: bytes) -> int:
    value = record.get(key) or b""
    if len(value) != 1 or not b"0" <= value <= b"9":
        raise BadAnnouncement(f"{key.decode()} is no digit")
    return value[0] - ord("0")


def _name(value: bytes) -> str:
    try:
        return text.name(value.decode())
    except ValueError as error:  # text.BadText, or no UTF-8
        raise BadAnnouncement("by is no name") from error
