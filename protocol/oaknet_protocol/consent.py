"""What an honest peer follows before it signs a charter, its player's wishes apart: one rule, one function
(session 3.2, 3.5).

`oaknet_protocol.council.Council` asks them in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oaknet_protocol.own import Own
from oaknet_protocol.table import LONGEST_JUMP, Seating
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.wire import Entry, decode


def numbered(number: int, last: int) -> bool:
    """One charter a number, nothing under a lower one, and no leaps, which would use the numbers up: above
    ``last``, the highest that this peer has signed or that counts, by 16 at most (session 3.3)."""
    return last < number <= last + LONGEST_JUMP


def sits_as_known(seating: Seating, known: Mapping[bytes, tuple[bytes, bytes]]) -> bool:
    """Every sit that this peer knows of, its own among them, stands in a first charter as it is; ``known``
    has signed bytes and signature by key (session 3.2)."""
    pairs = zip(seating.sits, seating.charter.sits, strict=True)
    return all(known.get(key, pair) == pair for key, pair in pairs)


def stands_there(transcript: Transcript, seating: Seating) -> bool:
    """A charter goes on from the very step at which this peer stands (session 3.5)."""
    now = transcript.seating
    return now is not None and seating.parent_of() == (now.id, transcript.step.number, transcript.head)


def nothing_later(own: Own, seating: Seating) -> bool:
    """This peer has signed no entry of a later step under the same charter, nor one of this step that follows
    another past: it was no further, and not elsewhere, even if its log has lost that (session 3.5)."""
    charter, step, head = seating.parent_of()
    return not any(
        under == charter and (number > step or (number == step and decode(Entry, record.data).prev != head))
        for (under, number, _), record in own.entries.items()
    )


def behind_fork(forks: Iterable[tuple[bytes, int]], seating: Seating) -> bool:
    """A charter goes back to the step of a fork, and leaves out who made it (session 3.5).

    ``forks`` are those proved under the charter that counts: the author's key, and the step.
    """
    authors = [key for key, step in forks if step == seating.parent_of()[1]]
    return bool(authors) and not any(key in seating.sits for key in authors)


def takes_over(given: tuple[bytes, ...], held: Iterable[bytes]) -> bool:
    """``given`` names every entry that this peer holds for the step, and that counts on (session 3.5)."""
    return all(one in given for one in held)


def draw_allowed(transcript: Transcript, seating: Seating, afresh: bool, own: Own) -> bool:
    """None of this peer's shares may serve a second draw: the number is above all that it has given shares
    for, unless a pending draw goes on, which keeps its number (transcript 2.5)."""
    if transcript.step.kind == "share" and not afresh:
        return share_free(transcript, own)
    return seating.charter.draw > own.revealed


def share_free(transcript: Transcript, own: Own) -> bool:
    """Whether this peer's share for the draw that is pending, if one is, has not gone into another draw: it
    has given none of that number or above yet, or just the one that this draw has (transcript 2.5)."""
    step = transcript.step
    gave = own.signer.key in (*step.shares, *(filled.key for filled in step.entries.values()))
    return step.kind != "share" or own.revealed < transcript.draw + gave
