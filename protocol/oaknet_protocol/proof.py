"""The file that proves a fork to anybody, without the table's log (proof).

Magic, then framed records: the opening, and either the charter with two entries for one slot of it, or two
charters of one number. Everything is checked against the signatures inside; no game is played, so no rules
are needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from oaknet.kernel import H
from oaknet_protocol import log
from oaknet_protocol.log import LogFault
from oaknet_protocol.refused import Refused
from oaknet_protocol.signing import verify
from oaknet_protocol.table import NOBODY, read
from oaknet_protocol.wire import Charter, Entry, Open, Record, Sit, pack

MAGIC = b"\x89OAKFORK\r\n\x1a\n"
"""The first 12 bytes."""
SUFFIX = ".fork"


class BadProof(ValueError):
    """A file that proves nothing; the text says why."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A fork that is proved: who, at which table; ``step`` and ``seat`` of two entries, None for charters.

    ``names`` are those that the peer sat with.
    """

    table: bytes
    game: str
    keys: tuple[bytes, ...]
    names: tuple[str, ...]
    step: int | None
    seat: int | None


def written(opening: Record, charters: list[Record], first: Record, second: Record) -> bytes | None:
    """The file for two records that one peer signed; None if no charter here goes with the entries."""
    parts = [opening]
    if first.kind == "entry":
        charter = read(Entry, first.data).charter
        parts += [one for one in charters if H("charter", one.data) == charter]
        if len(parts) != 2:
            return None
    return MAGIC + b"".join(log.frame(pack(record)) for record in (*parts, first, second))


def checked(data: bytes) -> Proof:
    """Check a whole file; raises `BadProof`."""
    if not data.startswith(MAGIC):
        raise BadProof("this is no proof of a fork: it does not begin like one")
    try:
        records = [framed.record for framed in log.records(data, len(MAGIC))]
        kinds = [record.kind for record in records]
        if kinds == ["open", "charter", "entry", "entry"]:
            return _entries(_opening(records[0]), *records[1:])
        if kinds == ["open", "charter", "charter"]:
            return _charters(_opening(records[0]), *records[1:])
    except LogFault as fault:
        raise BadProof(fault.why) from None
    except Refused as refusal:
        raise BadProof(refusal.why) from None
    raise BadProof("it does not hold the records of a fork")


def _opening(record: Record) -> tuple[bytes, Open]:
    terms = read(Open, record.data)
    if not verify(terms.key, "open", record.data, record.signatures[0]):
        raise BadProof("the opening is not signed by its opener")
    return H("open", record.data), terms


def _sits(table: bytes, record: Record) -> tuple[Charter, dict[bytes, Sit]]:
    """A charter of this table and its peers' sits by key, each signed by its peer."""
    charter = read(Charter, record.data)
    sits: dict[bytes, Sit] = {}
    for data, signature in charter.sits:
        sit = read(Sit, data)
        if sit.table != table or not verify(sit.key, "sit", data, signature):
            raise BadProof("a sit of the charter is not signed by its peer")
        sits[sit.key] = sit
    if charter.table != table or len(record.signatures) != len(sits):
        raise BadProof("the charter is not of this table")
    return charter, sits


def _signers(record: Record, sits: dict[bytes, Sit]) -> list[bytes]:
    pairs = zip(sits, record.signatures, strict=True)
    return [key for key, one in pairs if one and verify(key, "charter", record.data, one)]


def _entries(opening: tuple[bytes, Open], charter_record: Record, first: Record, second: Record) -> Proof:
    table, terms = opening
    charter, sits = _sits(table, charter_record)
    if len(_signers(charter_record, sits)) != len(sits):
        raise BadProof("the charter is not signed by all of its peers")
    one, two = read(Entry, first.data), read(Entry, second.data)
    slot = (H("charter", charter_record.data), one.step, one.author)
    if (one.charter, one.step, one.author) != slot or (two.charter, two.step, two.author) != slot:
        raise BadProof("the two entries are not for one slot of the charter")
    if first.data == second.data:
        raise BadProof("both entries are the same")
    index = charter.seats[one.author][0] if one.author < len(charter.seats) else NOBODY
    if index >= len(sits):
        raise BadProof("nobody plays the seat of the entries")
    key = list(sits)[index]
    if not all(verify(key, "entry", record.data, record.signatures[0]) for record in (first, second)):
        raise BadProof("the entries are not both signed by the peer of their seat")
    return Proof(table, terms.game, (key,), sits[key].names, one.step, one.author)


def _charters(opening: tuple[bytes, Open], first: Record, second: Record) -> Proof:
    table, terms = opening
    (one, sits), (two, others) = _sits(table, first), _sits(table, second)
    if one.number != two.number or first.data == second.data:
        raise BadProof("they are not two different charters of one number")
    signers = _signers(second, others)
    keys = tuple(key for key in _signers(first, sits) if key in signers)
    if not keys:
        raise BadProof("nobody has signed both charters")
    return Proof(table, terms.game, keys, sits[keys[0]].names, None, None)
