"""What two peers need of each other, seen from what one says of itself (session 5)."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

from oaknet_protocol import wire
from oaknet_protocol.history import History
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.wire import Head, Record


class Standing(enum.Enum):
    """How the other's transcript stands to ours."""

    SAME = "same"
    BEHIND = "behind"
    AHEAD = "ahead"
    SPLIT = "split"  # other entries under the same charter: somebody has signed twice
    APART = "apart"  # other charters


def head(transcript: Transcript) -> Head:
    """What a peer says of where it stands."""
    ids = tuple(seating.id for seating in transcript.charters)
    return Head("head", transcript.table, ids, transcript.step.number, transcript.head)


@dataclass(frozen=True, slots=True)
class Answer:
    """How the other stands, and what to send it."""

    standing: Standing
    records: tuple[Record, ...] = ()


def answer(transcript: Transcript, history: History, other: Head) -> Answer:
    """Compare another's head with ours (session 5.1)."""
    ours = tuple(seating.id for seating in transcript.charters)
    theirs = other.charters
    shared = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
    if shared is not None:  # let it know of our charters, so that its player can choose
        apart = transcript.charters[shared:]
        return Answer(Standing.APART, tuple(seating.record for seating in apart))
    if len(theirs) > len(ours):
        return Answer(Standing.AHEAD)
    waiting = pending(transcript)
    count = len(theirs)
    if count < len(ours):
        return Answer(Standing.BEHIND, (*history.since(count, other.step if count else 0), *waiting))
    step = transcript.step.number
    if other.step > step:
        return Answer(Standing.AHEAD)
    if other.step == step:
        if other.prev == transcript.head:
            return Answer(Standing.SAME, waiting)
        return Answer(Standing.SPLIT, (*history.under(count), *waiting))
    part = history.at(count, other.step)
    if part is not None and part.head != other.prev:
        return Answer(Standing.SPLIT, (*history.under(count), *waiting))
    return Answer(Standing.BEHIND, (*history.since(count, other.step), *waiting))


Rings: TypeAlias = tuple[tuple[bytes, ...], ...]
"""Keys of the peers one link away, two links away, …"""


def rings(key: bytes, said: dict[bytes, Rings]) -> Rings:
    """Whom a peer reaches, by what each of its neighbours says of itself (session 5.4).

    A peer that is gone is named for a few rounds yet by those who heard of it from each other, each time one
    ring further out, until it is beyond the last.
    """
    far = {key: 0, **dict.fromkeys(said, 1)}
    for theirs in said.values():
        for distance, keys in enumerate(theirs[: wire.MAX_HOPS - 1], 2):
            for other in keys:
                far[other] = min(distance, far.get(other, distance))
    near = sorted((distance, other) for other, distance in far.items() if distance)[: wire.MAX_LINKS]
    last = near[-1][0] if near else 0
    return tuple(tuple(k for distance, k in near if distance == ring) for ring in range(1, last + 1))


def pending(transcript: Transcript) -> tuple[Record, ...]:
    """The entries of the step that is going on, those that a charter took over excepted."""
    step = transcript.step
    if step.kind == "over":
        return ()
    return tuple(filled.record for author, filled in sorted(step.entries.items()) if author not in step.given)
