"""Charters to come: whose signatures are there, and whether this peer may sign (session 3; transcript 2).

A peer signs one charter of a number, and from then on nothing under a lower one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from oaknet_protocol.beacon import LENGTH
from oaknet_protocol.refused import BadCharter
from oaknet_protocol.table import NOBODY, PLAYED, RESIGNED, Opening, Seating
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.wire import Charter, Record, Sit, decode, pack

GATHERED = 16
"""Charters of each signer whose signatures are gathered at the same time."""


@dataclass(slots=True)
class Gathering:
    """A charter and the signatures it has so far, by key; ``weighed`` is what it was weighed against last."""

    seating: Seating
    signatures: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])
    weighed: tuple[object, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether everybody in it has signed."""
        return len(self.signatures) == len(self.seating.sits)

    @property
    def record(self) -> Record:
        """The charter with the signatures there are, empty where one is missing."""
        signatures = tuple(self.signatures.get(key, b"") for key in self.seating.sits)
        return Record("charter", self.seating.record.data, signatures)

    def has(self, record: Record) -> bool:
        """Whether a record of this charter brings no signature that is new."""
        pairs = zip(self.seating.sits, record.signatures, strict=False)
        return len(record.signatures) == len(self.seating.sits) and all(
            not signature or self.signatures.get(key) == signature for key, signature in pairs
        )

    def add(self, record: Record) -> bool:
        """Take over checked signatures; says whether any was new."""
        before = len(self.signatures)
        for key, signature in zip(self.seating.sits, record.signatures, strict=True):
            if signature:
                self.signatures.setdefault(key, signature)
        return len(self.signatures) > before


@dataclass(slots=True)
class Gatherings:
    """All charters under way, by their bytes."""

    open: dict[bytes, Gathering] = field(default_factory=dict[bytes, Gathering])

    def take(self, seating: Seating, *, counts: bool = False) -> Gathering:
        """The gathering of a charter, begun if it is new, in place of the lowest of a peer that has signed
        too many: so nobody's charters push out another's. For one that ``counts``, since all have signed it
        and this peer among them, there is always room.

        Raises `BadCharter` if those that this peer has signed have higher numbers.
        """
        data, number = seating.record.data, seating.charter.number
        if data not in self.open and not counts:
            for key in (key for key in seating.sits if seating.signed_by(key)):
                of = {d: one for d, one in self.open.items() if key in one.signatures and not one.whole}
                if len(of) < GATHERED:
                    continue
                lowest = min(of, key=lambda one: of[one].seating.charter.number)
                if of[lowest].seating.charter.number >= number:
                    raise BadCharter("too many charters at once", kind="charter")
                del self.open[lowest]
        return self.open.setdefault(data, Gathering(seating))

    def settle(self, number: int) -> None:
        """Forget the charters whose number is not above this one: one of them counts."""
        self.open = {d: one for d, one in self.open.items() if one.seating.charter.number > number}


def first(opening: Opening, sits: dict[bytes, tuple[Sit, Record]], number: int = 1) -> bytes:
    """The bytes of a first charter that seats these sits (transcript 2.2)."""
    order = sorted(sits)
    pairs = tuple((record.data, record.signatures[0]) for _, record in (sits[key] for key in order))
    seats = tuple((index, PLAYED) for index, key in enumerate(order) for _ in sits[key][0].names)
    return pack(Charter(opening.table, number, (), 1, (), pairs, seats))


def following(
    transcript: Transcript,
    sits: dict[bytes, tuple[bytes, bytes]],
    without: dict[bytes, int],
    number: int,
    revealed: int,
) -> bytes:
    """The bytes of the charter by which ``sits`` (signed bytes and signature, by key) go on from here.

    ``without`` says why each peer that is left out is; ``revealed`` is the highest draw that the signers are
    known to have given shares for.
    """
    seating, step = transcript.seating, transcript.step
    assert seating is not None
    order = sorted(sits)
    owners = transcript.charters[0].peers
    seats: list[tuple[int, int]] = []
    for seat, owner in enumerate(owners):
        if owner in sits:
            seats.append((order.index(owner), PLAYED))
        else:
            why = without.get(owner or b"", seating.why[seat])
            seats.append((NOBODY, RESIGNED if seat in transcript.resigned else why))
    given = tuple(step.entries[author].record.id for author in sorted(step.entries))
    draw = transcript.draw
    if step.kind == "share":
        gave = [*step.shares, *(filled.key for filled in step.entries.values())]
        if any(key not in sits and key not in gave for key in step.contributors):
            draw = max(draw, revealed) + 1
    else:
        draw = max(draw, revealed + 1)
    parent = (seating.id, step.number, transcript.head)
    pairs = tuple(sits[key] for key in order)
    return pack(Charter(transcript.table, number, parent, min(draw, LENGTH), given, pairs, tuple(seats)))


def numbered(data: bytes, number: int) -> bytes:
    """The bytes of the same charter with another number."""
    return pack(msgspec.structs.replace(decode(Charter, data), number=number))
