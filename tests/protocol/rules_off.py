"""The rules that the exploration guards, and how each is switched off: one predicate is made trivial.

Each of these has a run in which its invariant breaks without it. For the others of `consent` and of
transcript 2.4 no such run is known so far: `stands_there` with `behind_fork`, that nobody goes back behind a
complete draw, that what comes under a charter signed away rests, that nobody joins a draw, that numbers do
not leap, and that a peer which starts again waits. Of these, tests of their own hold what they say: of
joining test_session_vectors.py, of waiting test_resume.py, of late signatures and of leaps
test_lobby_attacks.py.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any
from unittest import mock

from oaknet_protocol import bodies, consent
from oaknet_protocol.beacon import Chains
from oaknet_protocol.council import Council
from oaknet_protocol.events import Keep
from oaknet_protocol.own import Own
from oaknet_protocol.session import Session
from oaknet_protocol.table import Seating
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.wire import Entry, pack
from oaknet_protocol.witness import Witness

Table = tuple[int, tuple[int, ...]]
Off = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Rule:
    """``clause`` says it; switched off by ``off``, the invariant ``breaks`` is broken in run ``seed`` of
    ``table``."""

    clause: str
    off: Off
    breaks: str
    table: Table
    seed: int


def patched(*changes: tuple[Any, str, Any]) -> Off:
    """Put other values in the place of so many attributes."""

    def off() -> ExitStack:
        stack = ExitStack()
        for owner, name, value in changes:
            stack.enter_context(mock.patch.object(owner, name, value, create=True))
        return stack

    return off


def unchecked(self: Own, data: bytes, number: int) -> tuple[bytes, Keep]:
    """A signature of any charter, whatever was signed before."""
    self.number = max(self.number, number)
    self.charters[data] = signature = self.signer.sign("charter", data)
    return signature, Keep(pack(("charter", data, signature)))


_signed = Own.sign_entry
_adopt = Council._adopt


def signing_anew(self: Own, entry: Entry, kept: tuple[Any, ...] = ()) -> Any:
    """An entry for a slot, whatever was signed there before."""
    self.entries.pop((entry.charter, entry.step, entry.author), None)
    return _signed(self, entry, kept)


def adopting_all(self: Council, source: bytes, gathering: Any, *, rested: bool = False) -> Any:
    """Go on under a charter, whatever was signed since."""
    return _adopt(self, source, gathering, rested=True)


def any_fork(forks: Any, seating: Seating) -> bool:
    """There is a fork at the parent, whoever stays."""
    return any(step == seating.parent_of()[1] for _, step in forks)


def whenever_it_says(self: Transcript, seating: Seating) -> bool:
    """A pending draw is made afresh by a charter that gives it another number."""
    return self.step.kind == "share" and (bool(self.owing(seating.sits)) or seating.charter.draw > self.draw)


def nothing(*arguments: Any, **named: Any) -> None:
    """A check that finds no fault."""


def nothing_new(*arguments: Any, **named: Any) -> list[Any]:
    """Something that has no effect."""
    return []


def tips_anew(self: Chains, key: bytes, tip: bytes) -> None:
    """The chain of a peer begins again with another tip."""
    self._known[key] = (4096, tip)


def always(*arguments: Any, **named: Any) -> bool:
    return True


def never(*arguments: Any, **named: Any) -> bool:
    return False


AWAKE = property(lambda self: True, lambda self, value: None)


def forgetful(signer: Any, kept: list[bytes]) -> Own:
    """What was signed, without what has not reached the disk: all that was kept."""
    return _restore(signer, kept[:1])


_restore = Own.restore

RULES: dict[str, Rule] = {
    "one entry a slot, ever": Rule(
        "transcript 5.2",
        patched((Own, "sign_entry", signing_anew), (Session, "_signed", lambda *a: None)),
        "I1",
        (3, (1, 2)),
        0,
    ),
    "one charter a number, and nothing under a lower one": Rule(
        "session 3.3",
        patched((consent, "numbered", always), (Own, "sign_charter", unchecked)),
        "I1",
        (4, (3,)),
        1,
    ),
    "nothing is signed under a charter that was signed away": Rule(
        "session 3.5", patched((Council, "frozen", False)), "I4", (2, (1,)), 0
    ),
    "what rested is taken over with the next signature": Rule(
        "session 3.5", patched((Council, "_unrest", nothing_new)), "I6", (4, (2, 3)), 0
    ),
    "given names all entries that its signer holds": Rule(
        "session 3.5", patched((consent, "takes_over", always)), "I8", (2, (1,)), 1
    ),
    "a draw is made afresh only if who owes its share is left out": Rule(
        "transcript 2.5", patched((Transcript, "_afresh", whenever_it_says)), "I5", (3, (1, 2)), 11
    ),
    "a share is the one of its chain": Rule(
        "beacon 3.2", patched((Chains, "check", nothing)), "I7", (2, (1,)), 0
    ),
    "a sealed move is opened as it was sealed": Rule(
        "transcript 4.3", patched((bodies, "opens", always)), "I7", (2, (1,)), 1
    ),
    "a fork is remembered": Rule(
        "session 3.5", patched((Witness, "_note_fork", nothing)), "I6", (4, (2, 3)), 0
    ),
    "the right share is taken after a wrong one of a cheat": Rule(
        "session 3.5",
        patched((Session, "redeem", nothing_new), (Transcript, "redeem", nothing_new)),
        "I6",
        (4, (2, 3)),
        0,
    ),
    "no charter is signed behind what was signed before, or beside it": Rule(
        "session 3.5", patched((consent, "nothing_later", always)), "I5", (4, (1, 2, 3)), 42
    ),
    "no share serves two draws": Rule(
        "transcript 2.5", patched((consent, "draw_allowed", always)), "I4", (3, (1, 2)), 13
    ),
    "who is left out and owes its share makes the draw void": Rule(
        "transcript 2.5", patched((Transcript, "_afresh", never)), "I6", (4, (2, 3)), 0
    ),
}
"""By what each says."""
