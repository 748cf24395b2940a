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
- I7: nothing counts that was not fixed before: a share that is not its peer's chain's, a move that is not the
  one that was sealed.
- I8: what an honest peer has sent for a step counts on under the charters of those who had it.
- I9: whatever comes, an honest session takes it or refuses it, and never stops.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from oaknet.bots import random
from oaknet.kernel import Rng, choose, draw, together
from oaknet_protocol import events, sync
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.session import Session, opening
from oaknet_protocol.table import ABSENT, Seating
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.verify import rules_named
from oaknet_protocol.wire import Charter, Entry, Record, decode, pack, unpack
from tests.engine.toys import Market, MarketState
from tests.protocol.adversary import Adversary
from tests.protocol.mesh import ENGINE, signer
from tests.protocol.watching import Broken, Draw, Revealing, Watch, watched

TABLES = [(2, (1,)), (3, (2,)), (3, (1, 2)), (4, (3,)), (4, (2, 3)), (4, (1, 2, 3)), (5, (1, 4))]
"""Peers, and which of them are malicious."""
MORE = [(4, (1, 3)), (5, (2,)), (5, (1, 2, 3))]
"""Further tables, which the command explores too."""


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
    held: dict[bytes, bytes] = field(default_factory=dict)
    at: tuple[bytes, int, bytes] = (b"", 0, b"")

    def stand(self) -> None:
        """Note where it stands, and whose entries it holds there: ids by key."""
        transcript = self.session.transcript
        if transcript is not None and transcript.seating is not None:
            self.at = (transcript.seating.id, transcript.step.number, transcript.head)
            self.held = {filled.key: filled.record.id for filled in transcript.step.entries.values()}

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


class Exploration(Adversary):
    """One table from its first charter on."""

    def __init__(self, seed: object, players: int, bad: tuple[int, ...]) -> None:
        super().__init__()
        self.rng = Rng(f"explore {seed} {players} {bad}".encode())
        self.watch, self.counts = Watch(), Counter[str]()
        self.rules_for = rules_named({"fair": Fair()})
        self.signers = [signer(i, f"{seed}") for i in range(players)]
        self.bad = {self.signers[i].key: self.signers[i] for i in bad}
        self.pool: list[tuple[bytes, bytes]] = []
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
        chains = {one.key: one.session.own.chain for one in everybody}
        self.chains = self.watch.chains = {key: chain for key, chain in chains.items() if chain is not None}

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
                    self.counts_on(one, seating)
                    if one.key not in seating.sits:
                        one.seen.clear()
                        one.unsettled.clear()
                case events.Stepped(done):
                    self.stepped(one, done.records)
                    if done.kind == "share" and one.key in one.seating.sits:
                        one.unsettled[done.number] = self.watch.drawn[done.head]
                case events.Rewound(step):
                    one.unsettled = {s: seen for s, seen in one.unsettled.items() if s < step}
                case events.Write(records):
                    one.log += records
                case events.Rewrite(records):
                    one.log = list(records)
                case events.Proposed(_, out, back, _) if self.rng.below(10) < 8:
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
        one.stand()

    def counts_on(self, one: Honest, seating: Seating) -> None:
        """What honest peers have sent for a step, and what this one had of it, a charter takes over."""
        if one.key in seating.sits and seating.parent_of() == one.at:
            lost = [key for key, entry in one.held.items() if entry not in seating.charter.given]
            if any(key not in self.bad for key in lost):
                raise Broken("I8: an honest entry does not count on")

    def stepped(self, one: Honest, records: tuple[Record, ...]) -> None:
        for record in records:
            if record.id in self.wrong:
                raise Broken(f"I7: it counts, {self.wrong[record.id]}")

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

    def restart(self, one: Honest, *, lost: int = 0, lag: int = 0) -> None:
        """The program is killed, and comes back with its disk; the last so many things that it signed, and
        records of its log, have not reached the disk. It hears the others before it signs anything new."""
        number = next(i for i, signer in enumerate(self.signers) if signer.key == one.key)
        own = Revealing.restore(self.signers[number], one.kept[: len(one.kept) - lost])
        assert isinstance(own, Revealing)
        if lag:
            last = max(i for i, record in enumerate(one.log) if record.kind == "charter")
            one.log = one.log[: max(last + 1, len(one.log) - lag)]  # charters are on the disk at once
        one.session, one.asked = self.session(number), []
        one.session.own, own.session, own.watch, one.session.awake = own, one.session, self.watch, False
        self.do(one, one.session.resume(one.log[0], one.log[1:]))
        now = one.transcript.step.number
        one.seen = {step: seen for step, seen in one.seen.items() if step < now or not lag}
        one.asked = [seat for seat in one.transcript.due() if one.transcript.peer(seat) == one.key]
        self.act(one)
        for other in self.signers:
            if other.key != one.key:
                self.do(one, one.session.connected(other.key))
        for _ in range(2):
            for other in self.honest:
                if other is not one:
                    heard = sync.answer(other.transcript, other.session.history, sync.head(one.transcript))
                    for record in heard.records:
                        self.do(one, one.session.receive(other.key, pack(record)))
        one.asked.clear()
        self.do(one, one.session.wake())

    def losable(self, one: Honest) -> int:
        """1 if what it has signed last is an entry that another honest peer holds where both stand: a backup
        may lack it, and the other tells it."""
        kind, data, *_ = unpack(one.kept[-1])
        at = (one.transcript.head, Record(kind, data, bytes(64)).id)
        held = [
            (other.transcript.head, filled.record.id)
            for other in self.honest
            if other is not one
            for filled in other.transcript.step.entries.values()
        ]
        return int(kind == "entry" and at in held)

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
                lost = self.losable(one)
                self.restart(one, lost=lost, lag=0 if lost else self.pick((0, 0, 1, 3)))
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

    def behind_itself(self, one: Honest) -> bool:
        """Whether it has signed something for a later step than the one at which it stands, or for this one
        after another past: its log has lost its end, and a cheat has shown it another course since (session
        8)."""
        now = one.transcript.step.number
        return any(
            slot[0] == one.seating.id
            and (slot[1] > now or (slot[1] == now and decode(Entry, record.data).prev != one.transcript.head))
            for slot, record in one.session.own.entries.items()
        )

    def alone(self) -> None:
        groups: dict[bytes, list[Honest]] = {}
        for one in self.honest:
            if one.key in one.seating.sits:
                groups.setdefault(one.seating.id, []).append(one)
        for group in groups.values():
            keys = sorted(one.key for one in group)
            if len(group) < 2 or any(one.transcript.over for one in group):
                continue

            def parted(group: list[Honest] = group, keys: list[bytes] = keys) -> bool:
                return any(key not in one.seating.sits for one in group for key in keys)

            for _ in range(12):
                for one in group:
                    if parted():
                        break
                    out = {key: ABSENT for key in one.seating.sits if key not in keys}
                    one.session.council._leave.update(out)
                    if one.session.frozen:
                        self.do(one, one.session.propose_again())
                    elif out:
                        self.do(one, one.session.go_on(out))
                    self.heal(group, 2)
                if all(sorted(one.seating.sits) == keys and not one.session.frozen for one in group):
                    break
            if any(self.behind_itself(one) for one in group):
                self.counts["one had lost the end of its log"] += 1
                continue
            if parted():
                self.counts["one had agreed to go on without another"] += 1
                continue  # with others, and its charter came to count only now
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


def run(seed: object, players: int, bad: tuple[int, ...], steps: int = 250) -> Counter[str]:
    """One table; raises `Broken`."""
    now: list[Exploration] = []
    early = Watch()
    with watched(lambda: now[0].watch if now else early):
        made = Exploration(seed, players, bad)
        made.watch.drawn.update(early.drawn)
        now.append(made)
        try:
            return made.run(steps)
        except Broken:
            raise
        except Exception as error:
            raise Broken(f"I9: an honest session stops: {error!r}") from error


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
    for players, bad in TABLES + MORE:
        for table, counts in explore(runs, [(players, bad)]).items():
            told = ", ".join(f"{what}: {count}" for what, count in sorted(counts.items()))
            sys.stdout.write(f"{table}: {told}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
