"""What a session wants done and has to tell, in the order in which it must be done (session 2).

A `Keep` comes before the `Send` of what it keeps: if the disk refuses it, nothing after it may be done.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from oaknet_protocol.refused import Refused
from oaknet_protocol.result import Result
from oaknet_protocol.table import Seating
from oaknet_protocol.transcript import Done
from oaknet_protocol.wire import Record, Sit


class Keep(Struct, frozen=True):
    """Write these bytes to the side file and wait until the disk has them."""

    data: bytes


class Send(Struct, frozen=True):
    """Send a message to the peer with this key, or to all that are connected."""

    message: bytes
    to: bytes | None = None


class Write(Struct, frozen=True):
    """Append these records to the log."""

    records: tuple[Record, ...]


class Opened(Struct, frozen=True):
    """The table is known; its log and side file can be made."""

    record: Record


class Sat(Struct, frozen=True):
    """Somebody sits at the table."""

    sit: Sit


class Started(Struct, frozen=True):
    """The first charter is signed by all."""

    seating: Seating


class Stepped(Struct, frozen=True):
    """A step is complete, and its answers are played."""

    done: Done


class Asked(Struct, frozen=True):
    """This charter seat, which is ours, owes a move; ``sealed`` says that others move at the same time."""

    seat: int
    sealed: bool


class Rejected(Struct, frozen=True):
    """Something from the peer with this key was refused; what was signed is kept as evidence."""

    key: bytes
    refusal: Refused
    record: Record | None


class Spent(Struct, frozen=True):
    """A draw is due and the chains have no link left for it: the table cannot go on."""


class Ended(Struct, frozen=True):
    """The game is over. Told as soon as it is: the others' results are steps and confirmations to come."""

    result: Result


class Rewrite(Struct, frozen=True):
    """Put these records in place of all that the log has."""

    records: tuple[Record, ...]


class Rewound(Struct, frozen=True):
    """The transcript is another one from here on: who goes on has started from an earlier step.

    What was told of later steps does not count; the position is the transcript's now.
    """

    step: int


class Proposed(Struct, frozen=True):
    """A charter that leaves somebody out, or lets back who owed a share, waits for our agreement.

    ``out`` are the keys that would be left out, ``back`` those that would come back, ``by`` those that have
    signed it already.
    """

    charter: bytes
    out: tuple[bytes, ...]
    back: tuple[bytes, ...]
    by: tuple[bytes, ...] = ()


class Seated(Struct, frozen=True):
    """A later charter counts: ``out`` were left out by it, ``back`` came back."""

    seating: Seating
    out: tuple[bytes, ...]
    back: tuple[bytes, ...]


class Cheated(Struct, frozen=True):
    """The peer with this key has signed what the rules do not allow; ``proof`` shows it."""

    key: bytes
    refusal: Refused
    proof: tuple[Record, ...]


class Apart(Struct, frozen=True):
    """Others play on under a charter that does not follow ours; the peer with this key told us of it."""

    key: bytes
    charter: bytes


class Chatted(Struct, frozen=True):
    """Somebody said something."""

    key: bytes
    text: str


class Addressed(Struct, frozen=True):
    """Where a peer of the table can be dialled: hosts and ports, as it signed them."""

    key: bytes
    addresses: tuple[tuple[str, int], ...]


Event: TypeAlias = (
    Keep
    | Send
    | Write
    | Rewrite
    | Opened
    | Sat
    | Started
    | Stepped
    | Rewound
    | Asked
    | Proposed
    | Seated
    | Rejected
    | Spent
    | Cheated
    | Apart
    | Chatted
    | Addressed
    | Ended
)
