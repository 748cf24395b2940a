"""What a session holds of its table, in the order of the log, and where in it each step began (session 5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from oaknet_protocol.transcript import Done
from oaknet_protocol.wire import Record


class Part(Struct, frozen=True):
    """The records of one step or charter: ``charters`` were signed before it, ``head`` is T as it began."""

    number: int
    kind: str
    charters: int
    head: bytes
    records: tuple[Record, ...]


@dataclass(slots=True)
class History:
    """All finished steps and charters of one table, oldest first."""

    parts: list[Part] = field(default_factory=list[Part])

    def add(self, done: Done) -> None:
        """Append a finished step or a charter."""
        self.parts.append(Part(done.number, done.kind, done.charters, done.head, done.records))

    def since(self, charters: int, step: int) -> list[Record]:
        """What somebody lacks who has this many of our charters and stands at this step under the last."""
        return [
            record
            for part in self.parts
            if part.charters > charters
            or (part.charters == charters and (part.kind == "charter" or part.number >= step))
            for record in part.records
        ]

    def under(self, charters: int) -> list[Record]:
        """All entries of the steps under one charter (the count of charters up to it)."""
        parts = [part for part in self.parts if part.charters == charters and part.kind != "charter"]
        return [record for part in parts for record in part.records]

    def before(self, charters: int, step: int) -> list[Record]:
        """What leads to the beginning of this step under this charter."""
        return [record for part in self.parts if _leads(part, charters, step) for record in part.records]

    def cut(self, charters: int, step: int) -> None:
        """Forget what does not lead to the beginning of this step under this charter."""
        self.parts = [part for part in self.parts if _leads(part, charters, step)]

    def at(self, charters: int, step: int) -> Part | None:
        """The step of this number under this charter, if it was finished or ended by the next charter."""
        return next((p for p in self.parts if (p.charters, p.number) == (charters, step)), None)

    def drawn_since(self, charters: int, step: int) -> bool:
        """Whether a draw has been completed in this step or after it."""
        return any(
            part.kind == "share" and (part.charters, part.number) >= (charters, step) for part in self.parts
        )

    def records(self) -> tuple[Record, ...]:
        """Everything, as the log has it behind the opening."""
        return tuple(record for part in self.parts for record in part.records)


def _leads(part: Part, charters: int, step: int) -> bool:
    """Whether a part comes before the beginning of a step under the ``charters``-th charter."""
    return part.charters < charters or (
        part.charters == charters and part.kind != "charter" and part.number < step
    )
