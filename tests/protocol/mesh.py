"""Sessions back to back: a whole table in one process, every message through bytes, delivered as asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from oaknet.bots import Bot, random
from oaknet.kernel import Option, Rng, Rules
from oaknet_protocol import events, log
from oaknet_protocol.session import Session, opening
from oaknet_protocol.signing import Signer
from oaknet_protocol.table import RulesFor
from oaknet_protocol.verify import rules_named
from oaknet_protocol.wire import Record, pack

ENGINE = "test"


def signer(number: int, salt: str = "") -> Signer:
    """A peer whose key is the same in every run."""
    return Signer(Rng(f"signer {number} {salt}".encode()).word().to_bytes(8, "big") * 4)


class Seated:
    """Whoever has a session that knows its table."""

    session: Session

    @property
    def key(self) -> bytes:
        return self.session.key

    @property
    def transcript(self) -> Any:
        assert self.session.transcript is not None
        return self.session.transcript


@dataclass
class Peer(Seated):
    """A session with what a real peer would have on disk."""

    session: Session
    kept: list[bytes] = field(default_factory=list)
    log: bytes = b""
    told: list[events.Event] = field(default_factory=list)
    asked: list[events.Asked] = field(default_factory=list)


class Mesh:
    """Peers that are all connected; ``names[i]`` are the seats of peer i.

    Messages wait in one queue a link; `step` delivers one, from a link that ``pick`` chooses.
    """

    def __init__(
        self,
        rules: Rules[Any],
        names: list[tuple[str, ...]],
        *,
        salt: str = "",
        bot: Bot = random,
        options: dict[str, str] | None = None,
    ) -> None:
        self.rng = Rng(f"mesh {salt}".encode())
        self.bot = bot
        self.rules_for: RulesFor = rules_named({rules.name: rules})
        signers = [signer(i, salt) for i in range(len(names))]
        seats = sum(map(len, names))
        first = signers[0]
        self.opening: Record = opening(first, rules, seats, options or {}, ENGINE, bytes(32))
        self.peers = [
            Peer(Session(one, self.rules_for, names[i], bytes([i]) * 32, opener=first.key))
            for i, one in enumerate(signers)
        ]
        self.by_key = {peer.key: peer for peer in self.peers}
        self.links: dict[tuple[bytes, bytes], deque[bytes]] = {}
        self.filter: Callable[[bytes, bytes, bytes], list[bytes]] = lambda source, to, message: [message]
        for a in self.peers:
            for b in self.peers:
                if a is not b:
                    self.links[a.key, b.key] = deque()

    def start(self) -> Mesh:
        """Open the table, connect everybody, and deliver until the first decision."""
        self.do(self.peers[0], self.peers[0].session.open(self.opening))
        for a in self.peers:
            for b in self.peers:
                if a is not b:
                    self.do(a, a.session.connected(b.key))
        return self.settle()

    def do(self, peer: Peer, happened: list[events.Event]) -> None:
        """Carry out the events of one peer in their order."""
        for event in happened:
            peer.told.append(event)
            match event:
                case events.Keep(data):
                    peer.kept.append(data)
                case events.Send(message, to):
                    for (source, target), queue in self.links.items():
                        if source == peer.key and to in (None, target):
                            queue.extend(self.filter(source, target, message))
                case events.Write(records):
                    peer.log += b"".join(log.frame(pack(record)) for record in records)
                case events.Asked():
                    peer.asked.append(event)
                case _:
                    pass

    def step(self) -> bool:
        """Deliver one message; False if none is on its way."""
        waiting = [link for link, queue in self.links.items() if queue]
        if not waiting:
            return False
        source, target = waiting[self.rng.below(len(waiting))]
        message = self.links[source, target].popleft()
        peer = self.by_key[target]
        self.do(peer, peer.session.receive(source, message))
        return True

    def settle(self) -> Mesh:
        """Deliver everything that is on its way."""
        while self.step():
            pass
        return self

    def answers(self, peer: Peer, seat: int) -> tuple[Option, ...]:
        """A whole move of a seat, by the bot."""
        turn = peer.session.turn(seat)
        while (ask := turn.ask) is not None:
            turn.answer(self.bot(turn.game.clone(), ask.seat, self.rng))
        return tuple(turn.answers)

    def decide(self) -> bool:
        """Let one peer that is asked make its move; False if nobody is asked."""
        for peer in self.peers:
            if peer.asked:
                asked = peer.asked.pop(0)
                self.do(peer, peer.session.move(asked.seat, self.answers(peer, asked.seat)))
                return True
        return False

    def play(self, *, until: Callable[[], bool] = lambda: False) -> Mesh:
        """Play on until the game is over and confirmed, or ``until`` says so."""
        self.settle()
        while not until() and self.decide():
            self.settle()
        return self

    def log(self, peer: Peer) -> bytes:
        """The bytes of a peer's log file."""
        return log.header(peer.transcript.opening) + peer.log

    def refusals(self, peer: Peer) -> list[events.Rejected]:
        """What this peer refused."""
        return [event for event in peer.told if isinstance(event, events.Rejected)]
