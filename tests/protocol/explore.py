"""Random adversarial exploration of the product's own sessions: ``python -m tests.protocol.explore [RUNS]``.

Honest peers are sessions. The adversary holds the keys of the malicious ones: it signs anything for them,
offers any charter, and decides what reaches which honest peer and in which order; players agree to nearly
everything. Checked all along:

- I1: an honest peer never fills a slot twice nor signs two charters of one number; nobody can convict it.
- I2: two honest peers with different transcripts under one charter: a malicious author filled a slot twice.
- I3: a draw that an honest peer has seen complete never gets another outcome while it stays at the table.
- I4: an honest share is given for one draw only, at one place and with the same contributors.
- I5: a draw whose outcome the coalition could know, and that was made again, cost somebody the seat.
- I6: once the network heals, the honest peers of one charter can go on by themselves.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import msgspec

from oaknet.bots import random
from oaknet.kernel import H, Option, Rng, choose, draw, together
from oaknet_protocol import bodies, charters, events
from oaknet_protocol.beacon import Chain
from oaknet_protocol.own import Own
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.session import Session, opening
from oaknet_protocol.table import ABSENT, Seating
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.turn import Turn
from oaknet_protocol.verify import rules_named
from oaknet_protocol.wire import Charter, Entry, Record, decode, pack, unpack
from tests.engine.toys import Market, MarketState
from tests.protocol.mesh import ENGINE, signer

TABLES = [(2, (1,)), (3, (2,)), (3, (1, 2)), (4, (3,)), (4, (2, 3)), (4, (1, 2, 3)), (5, (1, 4))]
"""Peers, and which of them are malicious."""


class Fair(Market):
    """One seat chooses, then chance draws, in turn; now and then all choose at once."""

    name, title = "fair", "Fair"
    seats = range(2, 6)

    async def stage(self, s: MarketState) -> None:
        seat = s.round % len(s.traders)
        if s.round % 4 == 3:
            await together({one: choose(one, "bid", (0, 1, 2)) for one in range(len(s.traders))})
        else:
            s.traders[seat].points += await choose(seat, "bid", (0, 1, 2))
        if s.round % 4 != 1:
            card = await draw(s.traders[seat].deck)
            s.traders[seat].points += card
            s.traders[seat].deck.put_under([card])
        s.round += 1

    def over(self, s: MarketState) -> bool:
        return s.round >= 40


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
    """What all transcripts of a run have drawn, by the T of the step; and what honest peers have revealed."""

    drawn: dict[bytes, tuple[Draw, bytes]] = field(default_factory=dict)
    roots: dict[bytes, bytes] = field(default_factory=dict)
    revealed: dict[tuple[bytes, int], Draw] = field(default_factory=dict)
    stakes: dict[int, set[Draw]] = field(default_factory=dict)

    def reveal(self, key: bytes, step: int, what: Draw) -> None:
        if self.revealed.setdefault((key, what.number), what) != what:
            raise Broken("I4: a share is given for two draws")
        self.stakes.setdefault(step, set()).add(what)

    def known(self, what: Draw, honest: list[bytes]) -> bool:
        """Whether all honest contributors have revealed their shares of a draw."""
        return all(
            self.revealed.get((key, what.number)) == what for key in what.contributors if key in honest
        )


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


@dataclass
class Honest:
    """``seen`` are the draws it has seen complete since it sits at the table, by step.

    ``unsettled`` are those that it took over from a charter it had signed away: until the next counts, that
    one may come to count after all.
    """

    session: Session
    kept: list[bytes] = field(default_factory=list)
    log: list[Record] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    seen: dict[int, tuple[Draw, bytes]] = field(default_factory=dict)
    unsettled: dict[int, tuple[Draw, bytes]] = field(default_factory=dict)
    slots: dict[Any, bytes] = field(default_factory=dict)

    @property
    def key(self) -> bytes:
        return self.session.key

    @property
    def transcript(self) -> Transcript:
        return self.session.begun()

    @property
    def seating(self) -> Seating:
        assert self.transcript.seating is not None
        return self.transcript.seating


class Exploration:
    """One table from its first charter on."""

    def __init__(self, seed: object, players: int, bad: tuple[int, ...]) -> None:
        self.rng = Rng(f"explore {seed} {players} {bad}".encode())
        self.watch, self.counts = Watch(), Counter[str]()
        self.rules_for = rules_named({"fair": Fair()})
        self.signers = [signer(i, f"{seed}") for i in range(players)]
        self.bad = {self.signers[i].key: self.signers[i] for i in bad}
        self.pool: list[tuple[bytes, bytes]] = []
        self.seals: dict[bytes, tuple[tuple[Option, ...], bytes]] = {}
        self.opening = opening(self.signers[0], Fair(), players, {}, ENGINE, bytes(32))
        everybody = [Honest(self.session(i)) for i in range(players)]
        for one in everybody:
            self.do(one, one.session.open(self.opening))
            for other in self.signers:
                if other.key != one.key:
                    self.do(one, one.session.connected(other.key))
        for source, message in self.endless():
            for one in everybody:
                if one.key != source and one.session.begun().seating is None:
                    self.do(one, one.session.receive(source, message))
        self.honest = [one for one in everybody if one.key not in self.bad]
        self.keys = [one.key for one in self.honest]
        self.chains: dict[bytes, Chain | None] = {one.key: one.session.own.chain for one in everybody}

    def session(self, number: int) -> Session:
        own = Revealing(self.signers[number])
        session = Session(
            self.signers[number],
            self.rules_for,
            (f"P{number}",),
            bytes([number]) * 32,
            opener=self.signers[0].key,
            own=own,
        )
        own.session, own.watch, session.awake = session, self.watch, True
        return session

    def endless(self) -> Any:
        """All messages, those that come while they are read too."""
        at = 0
        while at < len(self.pool):
            yield self.pool[at]
            at += 1

    # -- what honest peers do --------------------------------------------------------------------------------

    def do(self, one: Honest, happened: list[events.Event]) -> None:
        for event in happened:
            match event:
                case events.Keep(data):
                    self.signed(one, data)
                case events.Send(message):
                    self.pool.append((one.key, message))
                case events.Asked(seat):
                    one.asked.append(seat)
                case events.Seated(seating):
                    if one.key not in seating.sits:
                        one.seen.clear()
                        one.unsettled.clear()
                case events.Stepped(done) if done.kind == "share" and one.key in one.seating.sits:
                    one.unsettled[done.number] = self.watch.drawn[done.head]
                case events.Rewound(step):
                    one.unsettled = {s: seen for s, seen in one.unsettled.items() if s < step}
                case events.Write(records):
                    one.log += records
                case events.Rewrite(records):
                    one.log = list(records)
                case events.Proposed(_, out, back) if self.rng.below(10) < 8:
                    council = one.session.council
                    council._leave.update(dict.fromkeys(out, ABSENT))
                    council._welcome.update(dict.fromkeys(back))
                    self.do(one, council.weigh_all())
                    council._leave.clear()
                case events.Cheated(key) if key not in self.bad:
                    raise Broken("I1: an honest peer is convicted")
                case _:
                    pass
        while one.unsettled and not one.session.frozen:
            step = min(one.unsettled)
            self.complete(one, step, *one.unsettled.pop(step))

    def signed(self, one: Honest, data: bytes) -> None:
        one.kept.append(data)
        kind, body, *_ = unpack(data)
        slot: Any = kind
        if kind == "entry":
            entry = decode(Entry, body)
            slot = (entry.charter, entry.step, entry.author)
        elif kind == "charter":
            slot = decode(Charter, body).number
        if one.slots.setdefault(slot, body) != body:
            raise Broken(f"I1: an honest peer signs twice in a place for one {kind}")

    def complete(self, one: Honest, step: int, what: Draw, outcome: bytes) -> None:
        if one.seen.setdefault(step, (what, outcome)) != (what, outcome):
            raise Broken("I3: a complete draw gets another outcome")
        self.counts["draws seen complete"] += 1
        for stake in self.watch.stakes.get(step, ()):
            if stake.number < what.number and self.watch.known(stake, self.keys):
                if not set(stake.contributors) - set(what.contributors):
                    raise Broken("I5: a known draw is repeated at no cost")
                self.counts["known draws repeated at the cost of a seat"] += 1

    def act(self, one: Honest) -> None:
        """A player that is asked moves."""
        if not one.asked:
            return
        try:
            turn = one.session.turn(one.asked[0])
            while (ask := turn.ask) is not None:
                turn.answer(random(turn.game, ask.seat, self.rng))
            seat = one.asked.pop(0)
            self.do(one, one.session.move(seat, tuple(turn.answers)))
        except LocalProtocolError:
            if not one.session.frozen:
                one.asked.clear()

    def wish(self, one: Honest) -> None:
        """A player goes on without some, lets somebody back, or tries again."""
        out = {key: ABSENT for key in one.seating.sits if key != one.key and self.rng.below(4) == 0}
        council = one.session.council
        try:
            if one.session.frozen and self.rng.below(2):
                self.do(one, one.session.propose_again())
            elif out:
                self.do(one, one.session.go_on(out))
            else:
                self.do(one, one.session.let_back(self.pick(self.signers).key))
        except LocalProtocolError:
            self.counts["wishes that cannot be"] += 1
        council._leave.clear()
        council._tried.clear()

    def restart(self, one: Honest) -> None:
        """The program is killed, and comes back with its disk."""
        number = next(i for i, signer in enumerate(self.signers) if signer.key == one.key)
        own = Revealing.restore(self.signers[number], one.kept)
        assert isinstance(own, Revealing)
        one.session, one.asked = self.session(number), []
        one.session.own, own.session, own.watch, one.session.awake = own, one.session, self.watch, False
        self.do(one, one.session.resume(one.log[0], one.log[1:]))
        for other in self.signers:
            if other.key != one.key:
                self.do(one, one.session.connected(other.key))
        self.do(one, one.session.wake())

    # -- what the adversary does -----------------------------------------------------------------------------

    def pick(self, among: Any) -> Any:
        return among[self.rng.below(len(among))]

    def deliver(self, one: Honest) -> None:
        """Some message, most often a recent one, reaches an honest peer."""
        source, message = self.pick(self.pool[-20:] if self.rng.below(5) else self.pool)
        if source != one.key:
            self.do(one, one.session.receive(source, message))

    def place(self, one: Honest) -> Transcript | None:
        """Where an honest peer stands, or one of the steps that led there under its charter."""
        count = len(one.transcript.charters)
        parts = [p for p in one.session.history.parts if p.charters == count and p.kind != "charter"]
        if not parts or self.rng.below(10) < 6:
            return one.transcript
        return one.session.rebuilt(count, self.pick(parts[-5:]).number, None)

    def lie(self, one: Honest) -> None:
        """An entry of a malicious peer, anywhere on the branch of an honest one, shown to it alone."""
        base = self.place(one)
        due = [seat for seat in base.due() if base.peer(seat) in self.bad] if base else []
        if base is None or not due:
            return
        seat = self.pick(due)
        key = base.peer(seat)
        assert key is not None
        assert base.seating is not None
        made = self.body(base, seat, key)
        if made is None:
            return
        state = base.digest() if self.rng.below(30) else bytes(32)
        entry = Entry(base.seating.id, base.step.number, base.head, state, seat, *made)
        data = pack(entry)
        self.show(one, key, Record("entry", data, self.bad[key].sign("entry", data)))

    def body(self, base: Transcript, seat: int, key: bytes) -> tuple[str, tuple[Any, ...]] | None:
        kind, chain = base.step.kind, self.chains[key]
        assert chain is not None
        if self.rng.below(40) == 0:
            return ("move", ())  # a fault
        if kind == "share":
            return ("share", (chain.share(base.draw),))
        if kind == "result":
            return ("result", bodies.result_body(base))
        if kind == "open":
            opened = self.seals.get(base.step.seals[seat][1])
            return ("move", opened) if opened else None
        place = base.places.index(seat)
        turn = Turn(base.game, place, played=base.played_seats(), sealed=kind == "seal")
        while (ask := turn.ask) is not None:
            turn.answer(random(turn.game, ask.seat, self.rng))
        if kind == "move":
            share = chain.share(base.draw) if turn.leads_to_draw() else b""
            return ("move", (tuple(turn.answers), share))
        assert base.seating is not None
        salt = bytes([self.rng.below(256)]) * 32
        answers = tuple(turn.answers)
        seal = bodies.seal_of(base.seating.id, base.step.number, seat, answers, salt)
        self.seals[seal] = (answers, salt)
        return ("seal", (seal,))

    def show(self, one: Honest, key: bytes, record: Record) -> None:
        self.pool.append((key, pack(record)))
        self.do(one, one.session.receive(key, pack(record)))

    def offer(self, one: Honest) -> None:
        """A charter that seats anybody from anywhere, with or without what it should take over."""
        base = self.place(one)
        pairs = one.session.lobby.pairs()
        stay = {key: pair for key, pair in pairs.items() if key == one.key or self.rng.below(4)}
        if base is None or len(stay) < 2 or base.over:
            return
        number = one.session.own.number + self.pick((1, 1, 1, 2))
        revealed = max(two.session.own.revealed for two in self.honest) - self.rng.below(2)
        data = charters.following(base, stay, dict.fromkeys(pairs, ABSENT), number, revealed)
        if self.rng.below(10) < 4:
            charter = decode(Charter, data)
            given = tuple(one for one in charter.given if self.rng.below(2))
            shifted = max(0, charter.draw + self.pick((-1, 0, 1)))
            data = pack(msgspec.structs.replace(charter, draw=shifted, given=given))
        self.counter(one, Record("charter", data, (b"",) * len(stay)))

    def counter(self, one: Honest, record: Record) -> None:
        """Sign a charter for all malicious peers in it."""
        keys = [unpack(data)[1] for data, _ in decode(Charter, record.data).sits]
        signatures = [
            self.bad[key].sign("charter", record.data) if key in self.bad else known
            for key, known in zip(keys, record.signatures, strict=True)
        ]
        self.show(one, next(iter(self.bad)), Record("charter", record.data, tuple(signatures)))

    def countersign(self, one: Honest) -> None:
        for _, message in self.pool[-30:][::-1]:
            if message[2:9] == b"charter" and self.rng.below(2):
                self.counter(one, decode(Record, message))
                return

    # -- running ---------------------------------------------------------------------------------------------

    def run(self, steps: int = 250) -> Counter[str]:
        stir = self.pick((0, 2, 4, 8))
        for _ in range(steps):
            one, dice = self.pick(self.honest), self.rng.below(100)
            if dice < 45:
                self.deliver(one)
            elif dice < 60:
                self.act(one)
            elif dice < 80:
                self.lie(one)
            elif dice < 84:
                self.countersign(one)
            elif dice < 84 + stir:
                self.wish(one)
            elif dice < 84 + 2 * stir - stir // 2:
                self.offer(one)
            elif dice == 99:
                self.restart(one)
            else:
                self.deliver(one)
            self.compare()
        self.heal(self.honest, 1)
        self.compare()
        self.alone()
        self.counts["charters"] += sum(len(one.transcript.charters) - 1 for one in self.honest)
        self.counts["forks proved"] += sum(len(one.session.cheats) for one in self.honest)
        return self.counts

    def compare(self) -> None:
        for index, one in enumerate(self.honest):
            for other in self.honest[index + 1 :]:
                if one.seating.id == other.seating.id and _differ(one.transcript, other.transcript):
                    guilty = self.guilty(one, other)
                    if not guilty or not guilty <= set(self.bad):
                        raise Broken("I2: two transcripts and nobody who signed twice")
                    self.counts["splits"] += 1

    def guilty(self, *honest: Honest) -> set[bytes]:
        slots: dict[tuple[int, int], set[bytes]] = {}
        seating = honest[0].seating
        for one in honest:
            for (charter, step, author), record in one.transcript.slots.items():
                if charter == seating.id:
                    slots.setdefault((step, author), set()).add(record.data)
        return {
            key for (_, author), data in slots.items() if len(data) > 1 and (key := seating.peers[author])
        }

    def heal(self, among: list[Honest], rounds: int) -> None:
        """Everything reaches everybody, and then what comes of it."""
        names = [one.key for one in among]
        start = 0 if rounds == 1 else len(self.pool)
        for _ in range(3):
            for one in among:
                self.do(one, one.session.sync())
            while start < len(self.pool):
                if len(self.pool) > 60_000:
                    raise Broken("I6: messages without end")
                source, message = self.pool[start]
                start += 1
                if source not in names and source not in self.bad:
                    continue
                for one in among:
                    if one.key != source:
                        self.do(one, one.session.receive(source, message))

    def alone(self) -> None:
        groups: dict[bytes, list[Honest]] = {}
        for one in self.honest:
            if one.key in one.seating.sits:
                groups.setdefault(one.seating.id, []).append(one)
        for group in groups.values():
            keys = sorted(one.key for one in group)
            if len(group) < 2 or any(one.transcript.over for one in group):
                continue
            for _ in range(6):
                for one in group:
                    out = {key: ABSENT for key in one.seating.sits if key not in keys}
                    one.session.council._leave.update(out)
                    if one.session.frozen:
                        self.do(one, one.session.propose_again())
                    elif out:
                        self.do(one, one.session.go_on(out))
                    self.heal(group, 2)
                if all(sorted(one.seating.sits) == keys and not one.session.frozen for one in group):
                    break
            if len({(one.seating.id, tuple(one.seating.sits)) for one in group}) != 1:
                raise Broken("I6: honest peers cannot go on by themselves")
            if sorted(group[0].seating.sits) != keys or any(one.session.frozen for one in group):
                raise Broken("I6: honest peers cannot go on by themselves")
            self.counts["honest peers go on by themselves"] += 1


def _differ(one: Transcript, other: Transcript) -> bool:
    assert one.seating is not None
    parent = one.seating.charter.parent
    since = int(parent[1]) if parent else 0
    return any(step >= since and other.heads.get(step, head) != head for step, head in one.heads.items())


# -- watching and breaking the rules -------------------------------------------------------------------------


def watched(watch: Callable[[], Watch]) -> ExitStack:
    """Note every draw that any transcript makes, and which T a draw that goes on was begun at."""
    drawn, charter = Transcript._drawn, Transcript.charter

    def noting(self: Transcript, step: Any, entries: Any, line: Any) -> None:
        head = self.heads[step.number]
        keys = tuple(sorted([*step.shares, *(filled.key for filled in entries)]))
        shares = pack(tuple(sorted([*step.shares.values(), *(filled.share for filled in entries)])))
        what = Draw(self.draw, watch().roots.get(head, head), keys)
        watch().drawn[head] = (what, H("outcome", shares))
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


def run(seed: object, players: int, bad: tuple[int, ...], steps: int = 250) -> Counter[str]:
    """One table; raises `Broken`."""
    now: list[Exploration] = []
    early = Watch()
    with watched(lambda: now[0].watch if now else early):
        made = Exploration(seed, players, bad)
        made.watch.drawn.update(early.drawn)
        now.append(made)
        return made.run(steps)


def explore(runs: int, tables: list[tuple[int, tuple[int, ...]]] = TABLES) -> dict[str, Counter[str]]:
    """So many runs of each table; what was broken is counted with the rest."""
    found: dict[str, Counter[str]] = {}
    for players, bad in tables:
        counts = found[f"{players} peers, malicious {bad}"] = Counter()
        for seed in range(runs):
            try:
                counts += run(seed, players, bad)
            except Broken as broken:
                counts[f"BROKEN {broken} (first in run {seed})"] += 1
    return found


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for players, bad in TABLES:
        for table, counts in explore(runs, [(players, bad)]).items():
            told = ", ".join(f"{what}: {count}" for what, count in sorted(counts.items()))
            sys.stdout.write(f"{table}: {told}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
