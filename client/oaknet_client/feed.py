"""What a table tells a front end and what it hears from it: immutable values only.

A feed is ``async run(emit, commands)`` under trio: it calls ``emit`` with an `Event` for everything that
happens and reads `Command` values. Screen, plain text and headless runs are front ends of the same feeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import trio

    from oaknet.kernel import Game, Option
    from oaknet_protocol.turn import Turn


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits in a seat: the name shown, the bot that plays it, the key in hex.

    ``bot`` is empty for a person, and where it is not known.
    ``place`` is the number of the seat at the table, from 0. The rules' seats may have another order, which
    the first draw decides.
    """

    name: str
    bot: str = ""
    key: str = ""
    place: int = 0

    def record(self) -> dict[str, object]:
        """The documented JSON object of a seat."""
        return {"seat": self.place, "name": self.name, "key": self.key, "bot": self.bot or None}


def seat_records(seats: Sequence[Seat]) -> list[dict[str, object]]:
    """The documented JSON objects, in the order of the places."""
    return [seat.record() for seat in sorted(seats, key=lambda seat: seat.place)]


@dataclass(frozen=True, slots=True)
class Result:
    """How a table ended. ``seats``, ``scores`` and ``winner`` go by place.

    ``table``, ``transcript`` and ``digest`` are hex and ``log`` a path, each empty where there is none;
    ``logs`` are the logs of all peers where several ran here.
    """

    game: str
    seats: tuple[Seat, ...]
    scores: tuple[int, ...]
    winner: tuple[int, ...]
    how: str
    digest: str
    table: str = ""
    transcript: str = ""
    log: str = ""
    logs: tuple[str, ...] = ()

    def record(self) -> dict[str, object]:
        """The documented JSON object, an ``event`` of its own."""
        record: dict[str, object] = {
            "event": "result",
            "table": self.table,
            "game": self.game,
            "seats": seat_records(self.seats),
            "scores": list(self.scores),
            "winner": list(self.winner),
            "how": self.how,
            "transcript": self.transcript,
            "digest": self.digest,
            "log": self.log,
        }
        if self.logs:
            record["logs"] = list(self.logs)
        return record


@dataclass(frozen=True, slots=True)
class Started:
    """The game begins; ``seats`` go by the rules' seats, as all seat numbers of events do but a result's.

    ``game`` is a clone for the receiver to keep, as in every event. ``own`` is our key in hex, empty without
    a network.
    """

    seats: tuple[Seat, ...]
    game: Game[Any]
    table: str = ""
    own: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """The position as it is now, and what was said since the last event.

    ``step`` counts moves and draws; ``seat`` gave ``answers`` (-1: chance).
    """

    game: Game[Any]
    lines: tuple[str, ...]
    step: int
    seat: int
    answers: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat of this front end is to move: it fills ``turn`` and sends its answers with `Submit`."""

    seat: int
    turn: Turn[Any]


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer or its seat has changed: ``connected``, ``missing``, ``back`` …, with a line in words."""

    seat: int
    state: str
    line: str


@dataclass(frozen=True, slots=True)
class Invited:
    """The table can be joined by this line, at this TCP port of ours; told again when it has changed."""

    invite: str
    port: int


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who sits before the game begins, in the order in which they are known here; ``free`` seats are left.

    ``own`` is our key in hex.
    """

    game: str
    seats: tuple[Seat, ...]
    free: int
    options: tuple[tuple[str, str], ...] = ()
    own: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know, in a sentence."""

    line: str


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody said something; ``seat`` is -1 for who has none."""

    seat: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Forked:
    """The peer of a seat has signed two things for one; ``proof`` is the path of a file that shows it."""

    seat: int
    proof: str
    line: str


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the person decides with `Decide`, giving the place of the choice.

    Without choices it is withdrawn: what was asked under this number has settled itself.
    """

    number: int
    line: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The table is done."""

    result: Result
    game: Game[Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """The feed cannot go on: a sentence for people and the exit status."""

    sentence: str
    status: int


Event: TypeAlias = (
    Started | Shown | Asked | Peer | Invited | Lobby | Note | Said | Forked | Question | Ended | Failed
)


@dataclass(frozen=True, slots=True)
class Submit:
    """The answers of a whole `Turn`, sent."""

    seat: int
    answers: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up this seat of ours; the stand-in plays on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Say:
    """Say this to all at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Mute:
    """Show no more of what who goes by this name says, or show it again."""

    name: str


@dataclass(frozen=True, slots=True)
class Block:
    """Want nothing more from who goes by this name, at any table, or again."""

    name: str


@dataclass(frozen=True, slots=True)
class Decide:
    """The answer to the `Question` of this number: the place of a choice, from 0."""

    number: int
    choice: int


Command: TypeAlias = Submit | Resign | Say | Mute | Block | Decide
Emit: TypeAlias = Callable[[Event], None]


class Feed(Protocol):
    """A table, wherever it is played."""

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Play until the table is done; what goes wrong is raised."""
        ...
