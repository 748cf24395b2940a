"""Where two logs of one table part: the first record that differs, with its step and author."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from oaknet_client import files
from oaknet_client.failures import NOT_VERIFIED, Failure
from oaknet_client.words import inert
from oaknet_protocol import log
from oaknet_protocol.log import CutInside, LogFault
from oaknet_protocol.refused import Refused
from oaknet_protocol.table import read
from oaknet_protocol.wire import Charter, Entry, Record


@dataclass(frozen=True, slots=True)
class Difference:
    """``kind`` is none, longer (``longer`` is 0 or 1), charter or entry; ``step`` and ``seat`` say where.

    ``records`` counts what both have in common.
    """

    kind: str
    records: int
    step: int | None = None
    seat: int | None = None
    longer: int | None = None

    @property
    def same(self) -> bool:
        """Whether nothing in one log speaks against the other."""
        return self.kind in ("none", "longer")

    def record(self) -> dict[str, object]:
        """The documented JSON object."""
        return {
            "event": "bisect",
            "difference": self.kind,
            "records": self.records,
            "step": self.step,
            "seat": self.seat,
            "longer": self.longer,
        }


def first_difference(one: Path, two: Path) -> Difference:
    """Compare two logs record by record; raises `OSError` or `Failure`."""
    first, second = _records(one), _records(two)
    if first[0].data != second[0].data:
        raise Failure("The logs are of two different tables.", NOT_VERIFIED)
    for number, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return _where(number, a, b)
    common = min(len(first), len(second))
    if len(first) == len(second):
        return Difference("none", common)
    more = first if len(first) > len(second) else second
    return Difference("longer", common, _step(more[common]), longer=0 if more is first else 1)


def sentence(found: Difference, one: Path, two: Path) -> str:
    """The difference in words."""
    names = inert(str(one)), inert(str(two))
    if found.kind == "none":
        return f"The logs are the same: {found.records} records."
    if found.longer is not None:
        where = "" if found.step is None else f" at step {found.step}"
        more, less = names[found.longer], names[1 - found.longer]
        return f"{more} goes on{where}, where {less} ends; all before is the same."
    if found.kind == "charter":
        return f"After {found.records} records that are the same, the logs go on under different charters."
    return (
        f"The first difference is at step {found.step}: seat {found.seat}. "
        f"{found.records} records before it are the same."
    )


def _records(path: Path) -> list[Record]:
    data = files.content(path)
    try:
        _, offset = log.read_header(data)
        try:
            found = log.records(data, offset)
        except CutInside as cut:  # what is whole can be compared
            found = log.records(data[: cut.offset], offset)
    except LogFault as fault:
        raise Failure(f"{inert(str(path))}: {fault.why}.", NOT_VERIFIED) from fault
    if not found:
        raise Failure(f"{inert(str(path))}: the log ends before the table is opened.", NOT_VERIFIED)
    return [framed.record for framed in found]


def _where(number: int, one: Record, two: Record) -> Difference:
    try:
        entries = [read(Entry, record.data) for record in (one, two) if record.kind == "entry"]
    except Refused as refusal:
        raise Failure(f"Record {number} cannot be read: {refusal.why}.", NOT_VERIFIED) from refusal
    if len(entries) == 2:
        return Difference("entry", number, min(e.step for e in entries), min(e.author for e in entries))
    return Difference("charter", number, entries[0].step if entries else None)


def _step(record: Record) -> int | None:
    if record.kind == "entry":
        return read(Entry, record.data).step
    if record.kind == "charter":
        parent = read(Charter, record.data).parent
        return parent[1] if len(parent) == 3 and isinstance(parent[1], int) else None
    return None
