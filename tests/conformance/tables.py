"""Logs to verify twice: fresh games, and tables where players resign, leave and come back at random."""

from __future__ import annotations

from functools import cache
from typing import Any

from oaknet.kernel import Rng, Rules
from oaknet_protocol import beacon, log
from oaknet_protocol.bodies import result_body
from oaknet_protocol.signing import Signer
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.verify import rules_named
from oaknet_protocol.wire import Sit, pack
from tests.protocol.mesh import Mesh, signer
from tests.protocol.test_charters import ABSENT, CHEATED, OUT_OF_TIME, RESIGNED, Table

NAMES = ("Ann", "Bo", "Cy", "Di", "Zoë 漢")


def played(rules: Rules[Any], *seats: int, salt: str) -> bytes:
    """The log of a whole game; ``seats`` are how many seats each peer takes."""
    names = [tuple(f"{NAMES[i]} {j}" for j in range(n)) for i, n in enumerate(seats)]
    mesh = Mesh(rules, names, salt=salt).start().play()
    return mesh.log(mesh.peers[0])


def chain(table: bytes, one: Signer, nonce: bytes) -> beacon.Chain:
    """The chain of a peer at a table, made once: many of the tables here have the same opening."""
    return _chain(table, one.key, one.secret("chain", table + nonce))


_chain = cache(beacon.Chain)


class Unsteady(Table):
    """A table of four charter seats where anything that is allowed happens, by the words of a seed."""

    def __init__(self, rules: Rules[Any], seed: bytes, *, seats: tuple[int, ...] = (1, 1, 1, 1)) -> None:
        self.rng = Rng(seed)
        self.rules_for = rules_named({rules.name: rules})
        salt = f"unsteady {seats}"
        mesh = Mesh(rules, [tuple("x" * n) for n in seats], salt=salt)
        self.transcript = Transcript.begin(mesh.opening, self.rules_for)
        self.log = [mesh.opening]
        by_key = sorted((signer(i, salt) for i in range(len(seats))), key=lambda one: one.key)
        table = self.transcript.table
        nonce = bytes(32)
        self.owners = [peer for peer, n in enumerate(seats) for _ in range(n)]  # of each charter seat
        self.signers = [by_key[peer] for peer in self.owners]
        chains = [chain(table, one, nonce) for one in by_key]
        self.chains = [chains[peer] for peer in self.owners]
        self.sits = ()
        for peer, one in enumerate(by_key):
            names = tuple(f"{NAMES[peer]} {seat}" for seat in range(seats[peer]))
            data = pack(Sit(table, one.key, names, nonce, chains[peer].tip))
            self.sits += ((data, one.sign("sit", data)),)
        self.sealed = {}
        self.charter(
            0, number=1, parent=(), draw=1, given=(), sits=self.sits, seats=self.seating(set(self.owners))
        )

    def seating(self, peers: set[int]) -> tuple[tuple[int, int], ...]:
        """For each charter seat who of these peers plays it, or why nobody does; a peer of several seats may
        leave one of them."""
        index = {peer: i for i, peer in enumerate(sorted(peers))}
        seats: list[tuple[int, int]] = []
        for seat, peer in enumerate(self.owners):
            has_more = peer in self.owners[seat + 1 :]
            left = self.begun and has_more and not self.rng.below(6)
            if peer in peers and not left:
                seats.append((index[peer], 0))
            else:
                away = (ABSENT, OUT_OF_TIME, CHEATED)[self.rng.below(3)]
                seats.append((255, RESIGNED if seat in self.transcript.resigned else away))
        return tuple(seats)

    @property
    def begun(self) -> bool:
        """Whether the table has begun."""
        return self.transcript.seating is not None

    def away(self) -> set[int]:
        """The peers that have no sit in the charter that counts."""
        seating = self.transcript.seating
        assert seating is not None
        there = {self.owners[seat] for seat, key in enumerate(seating.peers) if key is not None}
        return set(self.owners) - there

    def joins(self) -> bytes | None:
        """The log so far and a charter with which all who are away join the pending draw, which must be
        refused; None where no draw is pending or nobody is away."""
        transcript = self.transcript
        if transcript.step.kind != "share" or not self.away():
            return None
        peers = range(len(self.sits))
        resigned = transcript.resigned
        seats = tuple((255, RESIGNED) if s in resigned else (p, 0) for s, p in enumerate(self.owners))
        if {who for who, _ in seats} - {255} != set(peers):
            return None
        record = self.proposal(0, draw=transcript.draw, sits=self.sits, seats=seats)
        return self.bytes() + log.frame(pack(record))

    def change(self) -> None:
        """A later charter of some of the peers, if enough seats are left."""
        transcript = self.transcript
        peers = {peer for peer in set(self.owners) if self.rng.below(4)}
        if transcript.step.kind == "share":
            peers -= self.away()  # nobody joins a draw (transcript 2.4)
        if not peers:
            return
        seats = self.seating(peers)
        if sum(who != 255 and seat not in transcript.resigned for seat, (who, _) in enumerate(seats)) < 2:
            return
        void = transcript.step.kind == "share" and any(
            self.owners[seat] not in peers for seat in transcript.due()
        )
        skip = int(void) if transcript.step.kind == "share" else self.rng.below(3)
        sits = tuple(self.sits[peer] for peer in sorted(peers))
        self.charter(0, draw=transcript.draw + skip, sits=sits, seats=seats)

    def some(self, steps: int) -> bytes:
        """Play so many times something, or to the end; the bytes of the log."""
        for _ in range(steps):
            transcript = self.transcript
            due = transcript.due()
            if not due:
                break
            seat = due[self.rng.below(len(due))]
            chance = self.rng.below(40)
            if chance == 0 and transcript.step.kind in ("move", "seal"):
                self.take(seat, "resign", ())
            elif chance < 3 and not transcript.over:
                self.change()
            elif transcript.step.kind == "result":
                self.take(seat, "result", result_body(transcript))
            else:
                self.one(seat)
        return self.bytes()

    def bytes(self) -> bytes:
        """The log file."""
        records = b"".join(log.frame(pack(record)) for record in self.log)
        return log.header(self.transcript.opening) + records
