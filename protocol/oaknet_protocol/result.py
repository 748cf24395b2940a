"""How a table stands or ended, as `verify` and the screens show it (transcript 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oaknet_protocol.table import ABSENT, CHEATED, OUT_OF_TIME
from oaknet_protocol.transcript import Transcript


@dataclass(frozen=True, slots=True)
class SeatAt:
    """Who sits where: ``seat`` of the charter, ``name``, ``key`` (32 bytes, None before the charter)."""

    seat: int
    name: str
    key: bytes


@dataclass(frozen=True, slots=True)
class Result:
    """What a transcript says so far; ``how`` is unfinished; finished; resigned, if it
    ended by that; or cheated, timed-out or absent, if it ended with a seat left out for this.

    ``scores`` is by charter seat, ``winner`` lists charter seats (none while unfinished). ``transcript`` is
    the hash that the results sign, so that it does not depend on who has confirmed; ``digest`` is the
    position's. ``confirmed`` lists the charter seats whose result entries are there.
    """

    table: bytes
    game: str
    seats: tuple[SeatAt, ...]
    scores: tuple[int, ...]
    winner: tuple[int, ...]
    how: str
    steps: int
    transcript: bytes
    digest: bytes
    confirmed: tuple[int, ...]

    @classmethod
    def of(cls, transcript: Transcript) -> Result:
        """The result of a transcript as it stands."""
        seating = transcript.seating
        seats: tuple[SeatAt, ...] = ()
        if seating:
            people = zip(seating.names, transcript.charters[0].peers, strict=True)
            seats = tuple(SeatAt(seat, name, key or b"") for seat, (name, key) in enumerate(people))
        return cls(
            transcript.table,
            transcript.opening.terms.game,
            seats,
            transcript.scores(),
            transcript.winners(),
            _how(transcript),
            transcript.step.number,
            transcript.final if transcript.over else transcript.head,
            transcript.digest(),
            transcript.confirmed,
        )

    def facts(self) -> dict[str, Any]:
        """The result as JSON-able data; hashes in hex."""
        return {
            "table": self.table.hex(),
            "game": self.game,
            "seats": [{"seat": s.seat, "name": s.name, "key": s.key.hex(), "bot": None} for s in self.seats],
            "scores": list(self.scores),
            "winner": list(self.winner),
            "how": self.how,
            "transcript": self.transcript.hex(),
            "digest": self.digest.hex(),
        }


def _how(transcript: Transcript) -> str:
    """How the table stands or has ended: the gravest of what kept seats empty at the end (transcript 7)."""
    if not transcript.over:
        return "unfinished"
    why = transcript.seating.why if transcript.seating else ()
    for reason, how in ((CHEATED, "cheated"), (OUT_OF_TIME, "timed-out"), (ABSENT, "absent")):
        if reason in why:
            return how
    return "resigned" if transcript.game.pending else "finished"
