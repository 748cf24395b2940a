"""What the exploration watches: every draw that any peer makes, and what honest peers have given away."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from oaknet.kernel import H, Option
from oaknet_protocol import events
from oaknet_protocol.beacon import Chain
from oaknet_protocol.own import Own
from oaknet_protocol.session import Session
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.wire import Entry, Record, pack


class Broken(AssertionError):
    """An invariant that does not hold; the text begins with its name."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw: its number, the T at which it was begun, and who gives a share."""

    number: int
    root: bytes
    contributors: tuple[bytes, ...]


@dataclass
class Watch:
    """What all transcripts of a run have drawn, by the T of the step; and what honest peers have revealed.

    ``chains`` are those that all peers have committed themselves to as they sat down.
    """

    drawn: dict[bytes, tuple[Draw, bytes]] = field(default_factory=dict)
    roots: dict[bytes, bytes] = field(default_factory=dict)
    revealed: dict[tuple[bytes, int], Draw] = field(default_factory=dict)
    stakes: dict[int, set[Draw]] = field(default_factory=dict)
    chains: dict[bytes, Chain] = field(default_factory=dict)

    def reveal(self, key: bytes, step: int, what: Draw) -> None:
        if self.revealed.setdefault((key, what.number), what) != what:
            raise Broken("I4: a share is given for two draws")
        self.stakes.setdefault(step, set()).add(what)

    def known(self, what: Draw, honest: list[bytes]) -> bool:
        """Whether all honest contributors have revealed their shares of a draw."""
        return all(
            self.revealed.get((key, what.number)) == what for key in what.contributors if key in honest
        )

    def draw(self, transcript: Transcript, head: bytes, shares: dict[bytes, bytes]) -> None:
        """Note a draw that a transcript makes, and check its shares."""
        number = transcript.draw
        what = Draw(number, self.roots.get(head, head), tuple(sorted(shares)))
        self.drawn[head] = (what, H("outcome", pack(tuple(sorted(shares.values())))))
        for key, share in shares.items():
            if key in self.chains and share != self.chains[key].share(number):
                raise Broken("I7: a share counts that was not fixed before the table began")
            if self.revealed.get((key, number), what) != what:
                raise Broken("I4: a share serves another draw than it was given for")


class Revealing(Own):
    """What an honest peer signs, with each share noted as it is given."""

    session: Session
    watch: Watch

    def sign_entry(self, entry: Entry, kept: tuple[Option, ...] = ()) -> tuple[Record, list[events.Keep]]:
        record, keep = super().sign_entry(entry, kept)
        transcript, step = self.session.begun(), entry.step
        if keep and entry.kind == "share":
            root = self.watch.roots.get(transcript.head, transcript.head)
            what = Draw(transcript.draw, root, tuple(sorted(transcript.step.contributors)))
            self.watch.reveal(self.signer.key, step, what)
        elif keep and entry.kind == "move" and transcript.step.kind == "move" and entry.body[1]:
            root = H("step", transcript.head, record.id)
            what = Draw(transcript.draw, root, tuple(sorted(transcript._contributors())))
            self.watch.reveal(self.signer.key, step + 1, what)
        return record, keep


def watched(watch: Callable[[], Watch]) -> ExitStack:
    """Note every draw that any transcript makes, and which T a draw that goes on was begun at."""
    drawn, charter = Transcript._drawn, Transcript.charter

    def noting(self: Transcript, step: Any, entries: Any, line: Any) -> None:
        shares = {**step.shares, **{filled.key: filled.share for filled in entries}}
        watch().draw(self, self.heads[step.number], shares)
        drawn(self, step, entries, line)

    def going_on(self: Transcript, record: Record) -> Any:
        number, before, pending, now = self.step.number, self.head, self.step.kind == "share", self.draw
        done = charter(self, record)
        if pending and self.charters[-1].charter.draw == now:
            watch().roots[self.heads[number]] = watch().roots.get(before, before)
        return done

    stack = ExitStack()
    stack.enter_context(mock.patch.object(Transcript, "_drawn", noting))
    stack.enter_context(mock.patch.object(Transcript, "charter", going_on))
    return stack
