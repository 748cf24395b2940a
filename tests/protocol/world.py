"""A table whose links come and go and whose peers die and return: sessions, their disks, and a network."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from oaknet.bots import random
from oaknet.kernel import Rng, Rules
from oaknet_protocol import events, log
from oaknet_protocol.own import Own
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.result import Result
from oaknet_protocol.session import Session, opening
from oaknet_protocol.table import ABSENT
from oaknet_protocol.verify import rules_named, verify
from oaknet_protocol.wire import Entry, Record, decode, pack, unpack
from tests.protocol.mesh import ENGINE, Seated, signer

E = TypeVar("E")


@dataclass
class Host(Seated):
    """A machine: its session while it runs, and a disk that outlives it."""

    number: int
    names: tuple[str, ...]
    session: Session
    kept: list[bytes] = field(default_factory=list)
    log: list[Record] = field(default_factory=list)
    told: list[events.Event] = field(default_factory=list)
    asked: list[events.Asked] = field(default_factory=list)
    alive: bool = True


class World:
    """Peers and the links between them; everything random comes from one seed."""

    def __init__(
        self, rules: Rules[Any], names: list[tuple[str, ...]], salt: str, *, seats: int | None = None
    ) -> None:
        self.rng = Rng(f"world {salt}".encode())
        self.rules_for = rules_named({rules.name: rules})
        self.signers = [signer(i, salt) for i in range(len(names))]
        self.opener = self.signers[0].key
        self.opening = opening(self.signers[0], rules, seats or sum(map(len, names)), {}, ENGINE, bytes(32))
        self.hosts = [Host(i, names[i], self._session(i, names[i], None)) for i in range(len(names))]
        self.by_key = {host.key: host for host in self.hosts}
        self.links: dict[tuple[bytes, bytes], deque[bytes]] = {}
        self.idle: list[Host] = []  # whose players do not move
        self.crash: Callable[[Host, events.Event], str] = lambda host, event: ""  # "before" or "after" it
        self.filter: Callable[[bytes, bytes, bytes], list[bytes]] = lambda source, to, message: [message]
        self.do(self.hosts[0], self.hosts[0].session.open(self.opening))

    def _session(self, number: int, names: tuple[str, ...], own: Own | None) -> Session:
        one = self.signers[number]
        return Session(one, self.rules_for, names, bytes([number]) * 32, opener=self.opener, own=own)

    # -- the network -----------------------------------------------------------------------------------------

    def up(self, a: Host, b: Host) -> None:
        if (a.key, b.key) in self.links or not (a.alive and b.alive):
            return
        self.links[a.key, b.key] = deque()
        self.links[b.key, a.key] = deque()
        self.do(a, a.session.connected(b.key))
        self.do(b, b.session.connected(a.key))

    def down(self, a: Host, b: Host) -> None:
        if self.links.pop((a.key, b.key), None) is None:
            return
        self.links.pop((b.key, a.key), None)
        for one, other in ((a, b), (b, a)):
            if one.alive:
                self.do(one, one.session.lost(other.key))

    def all_up(self) -> None:
        for i, a in enumerate(self.hosts):
            for b in self.hosts[i + 1 :]:
                self.up(a, b)

    def kill(self, host: Host) -> None:
        """The process dies at once: what is on the disk stays."""
        host.alive = False
        host.asked.clear()
        for other in self.hosts:
            if other is not host:
                self.down(host, other)

    def restart(self, host: Host) -> None:
        host.alive = True
        host.session = self._session(
            host.number, host.names, Own.restore(self.signers[host.number], host.kept)
        )
        records, host.log = host.log, []
        if records:
            host.log = records
            self.do(host, host.session.resume(records[0], records[1:]))
        elif host.number == 0:
            self.do(host, host.session.open(self.opening))

    def wake(self, host: Host) -> None:
        self.do(host, host.session.wake())

    # -- carrying out ----------------------------------------------------------------------------------------

    def do(self, host: Host, happened: list[events.Event]) -> None:
        for event in happened:
            crash = self.crash(host, event)
            if crash == "before":
                self.kill(host)
                return
            host.told.append(event)
            match event:
                case events.Keep(data):
                    host.kept.append(data)
                case events.Send(message, to):
                    for (source, target), queue in self.links.items():
                        if source == host.key and to in (None, target):
                            queue.extend(self.filter(source, target, message))
                case events.Write(records):
                    host.log += records
                case events.Rewrite(records):
                    host.log = list(records)
                case events.Asked():
                    host.asked.append(event)
                case _:
                    pass
            if crash == "after":
                self.kill(host)
                return

    def step(self) -> bool:
        waiting = [link for link, queue in self.links.items() if queue]
        if not waiting:
            return False
        source, target = waiting[self.rng.below(len(waiting))]
        message = self.links[source, target].popleft()
        host = self.by_key[target]
        self.do(host, host.session.receive(source, message))
        return True

    def settle(self, limit: int = 100_000) -> None:
        while self.step():
            limit -= 1
            assert limit, "messages without end"

    def decide(self) -> bool:
        """One peer that is asked makes its move."""
        ready = [host for host in self.hosts if host.alive and host.asked and host not in self.idle]
        if not ready:
            return False
        host = ready[self.rng.below(len(ready))]
        asked = host.asked.pop(0)
        try:
            turn = host.session.turn(asked.seat)
        except LocalProtocolError:
            return True
        while (ask := turn.ask) is not None:
            turn.answer(random(turn.game, ask.seat, self.rng))
        self.do(host, host.session.move(asked.seat, tuple(turn.answers)))
        return True

    def patience(self, host: Host) -> None:
        """The player of this host goes on without whoever is not there and owes something."""
        transcript = host.session.transcript
        if not host.alive or transcript is None or transcript.seating is None or transcript.over:
            return
        reach = host.session.present
        owing = [transcript.peer(seat) for seat in transcript.due()]
        gone = {key: ABSENT for key in owing if key is not None and key not in reach}
        if host.session.frozen:
            self.do(host, host.session.propose_again())
        elif gone and host.key in transcript.seating.sits:
            try:
                self.do(host, host.session.go_on(gone))
            except LocalProtocolError:
                return

    def until(self, there: Callable[[], bool]) -> World:
        """Deliver and decide, one thing at a time, until something is so."""
        for _ in range(20_000):
            if there():
                return self
            assert self.step() or self.decide(), "the table stands still before it comes to that"
        raise AssertionError("it never comes to that")

    def waits(self, host: Host, kind: str) -> Callable[[], bool]:
        """Whether all others that run are at a step of this kind which lacks this host's entry."""

        def so() -> bool:
            others = [one.transcript for one in self.hosts if one.alive and one is not host]
            return all(
                one.seating is not None
                and one.step.kind == kind
                and any(one.peer(seat) == host.key for seat in one.due())
                for one in others
            )

        return so

    def go_on(self, hosts: Iterable[Host], without: Host, why: int = ABSENT) -> None:
        """These players agree to go on without somebody."""
        for host in hosts:
            self.do(host, host.session.go_on({without.key: why}))
            self.settle()

    def alive(self) -> list[Host]:
        return [host for host in self.hosts if host.alive]

    def finish(self) -> Result:
        """Play to the end; who runs holds the same transcript, and no peer ever signed a slot twice."""
        self.settle()
        while self.decide():
            self.settle()
        results = []
        for host in self.alive():
            assert host.transcript.step.kind == "over", (host.number, host.transcript.step.kind)
            results.append(verify(self.file(host), self.rules_for).result)
            assert host.session.cheats == {}
        assert len({result.transcript for result in results}) == 1
        for host in self.hosts:
            assert all(len(bodies) == 1 for bodies in entries_signed(host).values())
        return results[0]

    def file(self, host: Host) -> bytes:
        body = b"".join(log.frame(pack(record)) for record in host.log)
        return log.header(host.transcript.opening) + body


def entries_signed(host: Host) -> dict[tuple[bytes, int, int], set[bytes]]:
    """All entries that a host ever put on its disk, by slot."""
    found: dict[tuple[bytes, int, int], set[bytes]] = {}
    for data in host.kept:
        kind, body, *_ = unpack(data)
        if kind == "entry":
            entry = decode(Entry, body)
            found.setdefault((entry.charter, entry.step, entry.author), set()).add(body)
    return found


def world(rules: Rules[Any], players: int, salt: str) -> World:
    """A table of so many peers that are all connected, with the game begun."""
    made = World(rules, [(name,) for name in ("Ann", "Bo", "Cy", "Di", "Ed")[:players]], salt)
    made.all_up()
    made.settle()
    assert all(host.transcript.seating is not None for host in made.hosts)
    return made


def told(host: Host, kind: type[E]) -> list[E]:
    """The events of one kind that a host was told of, oldest first."""
    return [event for event in host.told if isinstance(event, kind)]
