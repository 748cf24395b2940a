"""What the adversary of the exploration does: it holds the keys of the malicious peers and signs anything."""

from __future__ import annotations

from typing import Any

import msgspec

from oaknet.bots import random
from oaknet.kernel import Option, Rng
from oaknet_protocol import bodies, charters
from oaknet_protocol.beacon import LENGTH, Chain
from oaknet_protocol.signing import Signer
from oaknet_protocol.table import ABSENT
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.turn import Turn
from oaknet_protocol.wire import Charter, Entry, Record, Sit, decode, pack, unpack

NUMBERS = (1,) * 12 + (2,) * 4 + (16, 17, 2**31)
"""How far a charter's number is above the last that the peer which gets it has signed."""


class Adversary:
    """``bad`` are its signers by key, ``pool`` all that was ever sent. ``wrong`` are the ids of its entries
    that must never count: shares that are not its chain's, moves opened otherwise than sealed.

    ``second`` are further sits that it has made, each with a chain of its own, by their bytes.
    """

    rng: Rng
    bad: dict[bytes, Signer]
    pool: list[tuple[bytes, bytes]]
    honest: list[Any]
    chains: dict[bytes, Chain]

    def __init__(self) -> None:
        self.seals: dict[bytes, tuple[tuple[Option, ...], bytes]] = {}
        self.wrong: dict[bytes, str] = {}
        self.second: dict[bytes, tuple[bytes, bytes, Chain]] = {}

    def do(self, one: Any, happened: list[Any]) -> None:
        """Carry out the events of an honest peer."""
        raise NotImplementedError

    def pick(self, among: Any) -> Any:
        return among[self.rng.below(len(among))]

    def deliver(self, one: Any) -> None:
        """Some message, most often a recent one, reaches an honest peer."""
        source, message = self.pick(self.pool[-20:] if self.rng.below(5) else self.pool)
        if source != one.key:
            self.do(one, one.session.receive(source, message))

    def place(self, one: Any) -> Transcript | None:
        """Where an honest peer stands, or one of the steps that led there under its charter."""
        transcript: Transcript = one.transcript
        count = len(transcript.charters)
        parts = [p for p in one.session.history.parts if p.charters == count and p.kind != "charter"]
        if not parts or self.rng.below(10) < 6:
            return transcript
        found: Transcript | None = one.session.rebuilt(count, self.pick(parts[-5:]).number, None)
        return found

    # -- entries ---------------------------------------------------------------------------------------------

    def lie(self, one: Any) -> None:
        """An entry of a malicious peer, anywhere on the branch of an honest one, shown to it alone."""
        base = self.place(one)
        due = [seat for seat in base.due() if base.peer(seat) in self.bad] if base else []
        if base is None or not due:
            return
        seat = self.pick(due)
        key = base.peer(seat)
        assert key is not None
        assert base.seating is not None
        kind, body, wrong = self.body(base, seat, key)
        state = base.digest() if self.rng.below(30) else bytes(32)
        entry = Entry(base.seating.id, base.step.number, base.head, state, seat, kind, body)
        data = pack(entry)
        record = Record("entry", data, self.bad[key].sign("entry", data))
        if wrong:
            self.wrong[record.id] = wrong
        self.show(one, key, record)

    def body(self, base: Transcript, seat: int, key: bytes) -> tuple[str, tuple[Any, ...], str]:
        """Kind and body of an entry, and what is wrong with it, if it must never count."""
        kind = base.step.kind
        if self.rng.below(40) == 0:
            return "move", (), "a move without anything"
        if kind == "share":
            share, wrong = self.share(base, key)
            return "share", (share,), wrong
        if kind == "result":
            return "result", bodies.result_body(base), ""
        if kind == "open":
            answers, salt = self.seals[base.step.seals[seat][1]]
            other = (self.rng.below(3),)
            if self.rng.below(4) == 0 and other != answers:
                return "move", (other, salt), "a move that was not sealed"
            return "move", (answers, salt), ""
        place = base.places.index(seat)
        turn = Turn(base.game, place, played=base.played_seats(), sealed=kind == "seal")
        while (ask := turn.ask) is not None:
            turn.answer(random(turn.game, ask.seat, self.rng))
        if kind == "move":
            share, wrong = self.share(base, key) if turn.leads_to_draw() else (b"", "")
            return "move", (tuple(turn.answers), share), wrong
        assert base.seating is not None
        salt = bytes([self.rng.below(256)]) * 32
        answers = tuple(turn.answers)
        seal = bodies.seal_of(base.seating.id, base.step.number, seat, answers, salt)
        self.seals[seal] = (answers, salt)
        return "seal", (seal,), ""

    def share(self, base: Transcript, key: bytes) -> tuple[bytes, str]:
        """The share that a malicious peer should give here, now and then another."""
        chain, sit = self.chains[key], base.seating.sits[key] if base.seating else None
        for nonce, _, other in self.second.values():
            if sit is not None and sit.nonce == nonce:
                chain = other
        right = chain.share(base.draw)
        if self.rng.below(8):
            return right, ""
        other = [bytes([self.rng.below(256)]) * 32, chain.share(min(base.draw + 1, LENGTH)), chain.tip]
        return self.pick(other), "a share that is not the chain's"

    def show(self, one: Any, key: bytes, record: Record) -> None:
        self.pool.append((key, pack(record)))
        self.do(one, one.session.receive(key, pack(record)))

    # -- charters --------------------------------------------------------------------------------------------

    def offer(self, one: Any) -> None:
        """A charter that seats anybody from anywhere, with or without what it should take over."""
        base = self.place(one)
        pairs = one.session.lobby.pairs()
        stay = {key: pair for key, pair in pairs.items() if key == one.key or self.rng.below(4)}
        if base is None or len(stay) < 2 or base.over:
            return
        if self.rng.below(2):
            base = one.session.council.ground.counting(base, stay)
        if self.rng.below(12) == 0:
            stay = {key: self.another(one, key) if key in self.bad else pair for key, pair in stay.items()}
        number = min(one.session.own.number + self.pick(NUMBERS), 2**32 - 1)
        revealed = max(two.session.own.revealed for two in self.honest) - self.rng.below(2)
        data = charters.following(base, stay, dict.fromkeys(pairs, ABSENT), number, revealed)
        if self.rng.below(10) < 4:
            charter = decode(Charter, data)
            given = tuple(one for one in charter.given if self.rng.below(2))
            shifted = max(0, charter.draw + self.pick((-1, 0, 1)))
            data = pack(msgspec.structs.replace(charter, draw=shifted, given=given))
        self.counter(one, Record("charter", data, (b"",) * len(stay)))

    def another(self, one: Any, key: bytes) -> tuple[bytes, bytes]:
        """A second sit of a malicious peer, with another chain: its bytes and signature."""
        signer, table, nonce = self.bad[key], one.transcript.table, b"\xee" * 32
        chain = Chain(table, key, signer.secret("chain", table + nonce))
        data = pack(Sit(table, key, one.transcript.charters[0].sits[key].names, nonce, chain.tip))
        self.second[data] = (nonce, key, chain)
        return data, signer.sign("sit", data)

    def counter(self, one: Any, record: Record) -> None:
        """Sign a charter for all malicious peers in it."""
        keys = [unpack(data)[1] for data, _ in decode(Charter, record.data).sits]
        signatures = [
            self.bad[key].sign("charter", record.data) if key in self.bad else known
            for key, known in zip(keys, record.signatures, strict=True)
        ]
        self.show(one, next(iter(self.bad)), Record("charter", record.data, tuple(signatures)))

    def countersign(self, one: Any) -> None:
        """A charter that is under way gets the signatures of all malicious peers in it."""
        for _, message in self.pool[-30:][::-1]:
            if message[2:9] == b"charter" and self.rng.below(2):
                self.counter(one, decode(Record, message))
                return
