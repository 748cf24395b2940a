"""Tables stopped at a chosen step where one peer, the cheat, is still due and may sign whatever it likes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from oaknet.kernel import Option, Rules
from oaknet_protocol import events
from oaknet_protocol.refused import Refused
from oaknet_protocol.signing import Signer
from oaknet_protocol.turn import Turn
from oaknet_protocol.verify import verify
from oaknet_protocol.wire import BadMessage, Entry, Record, decode, pack
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, Peer, signer

CHEAT = 2
"""Which of the mesh's peers cheats."""
NAMES = [("Ann",), ("Bo",), ("Cy",)]


def record_in(message: bytes) -> Record | None:
    """The record that a message is, if it is one."""
    try:
        return decode(Record, message)
    except BadMessage:
        return None


def entry_in(message: bytes) -> Entry | None:
    """The entry of a message, if it holds one."""
    record = record_in(message)
    return decode(Entry, record.data) if record is not None and record.kind == "entry" else None


def sign(who: Signer, entry: Entry) -> Record:
    data = pack(entry)
    return Record("entry", data, who.sign("entry", data))


@dataclass
class Scene:
    """``held`` are the cheat's own honest messages that were kept back: (target, message)."""

    mesh: Mesh
    cheat: Peer
    signer: Signer
    held: list[tuple[bytes, bytes]]

    @property
    def honest(self) -> Peer:
        return self.mesh.peers[0]

    @property
    def others(self) -> list[Peer]:
        return [peer for peer in self.mesh.peers if peer is not self.cheat]

    @property
    def seat(self) -> int:
        """The charter seat of the cheat."""
        seat = self.honest.transcript.seating.author(self.cheat.key)
        assert seat is not None
        return int(seat)

    def turn(self) -> Turn[Any]:
        """A move of the cheat, as the honest peer would accept it."""
        transcript = self.honest.transcript
        place = transcript.places.index(self.seat)
        return Turn(transcript.game, place, played=transcript.played_seats())

    def entry(self, kind: str, body: Any, **other: Any) -> Record:
        """What the cheat signs for the step at which the honest peer stands; ``other`` replaces fields."""
        transcript = self.honest.transcript
        values: dict[str, Any] = {
            "charter": transcript.seating.id,
            "step": transcript.step.number,
            "prev": transcript.head,
            "state": transcript.digest(),
            "author": self.seat,
            "kind": kind,
            "body": body,
        }
        return sign(self.signer, Entry(**{**values, **other}))

    def sent(self) -> list[bytes]:
        """All that the cheat's session ever wanted to send."""
        return [event.message for event in self.cheat.told if isinstance(event, events.Send)]

    def receive(self, record: Record, peer: Peer | None = None) -> Refused | None:
        """Let a peer take a record; what it refuses must leave it where it was, and the record kept."""
        peer = peer or self.honest
        transcript = peer.transcript
        before = transcript.digest(), transcript.head, transcript.step.number, peer.log
        happened = peer.session.receive(self.cheat.key, pack(record))
        self.mesh.do(peer, happened)
        refusals = [event.refusal for event in happened if isinstance(event, events.Rejected)]
        if not refusals:
            return None
        assert (transcript.game.digest(), transcript.head, transcript.step.number, peer.log) == before
        assert transcript.digest() == before[0]
        return refusals[0]

    def kept(self, record: Record, peer: Peer | None = None) -> bool:
        """Whether a peer keeps this record as evidence."""
        return any(record in records for _, records in (peer or self.honest).session.evidence)

    def release(self) -> None:
        """Deliver what was held back and hold nothing more."""
        self.mesh.filter = lambda source, to, message: [message]
        for target, message in self.held:
            self.mesh.links[self.cheat.key, target].append(message)
        self.held.clear()

    def goes_on(self) -> None:
        """The honest game goes on to its end, and all logs verify and agree."""
        self.release()
        self.mesh.play()
        results = [verify(self.mesh.log(peer), self.mesh.rules_for).result for peer in self.mesh.peers]
        assert {result.how for result in results} == {"finished"}
        assert len({(result.transcript, result.digest, result.scores) for result in results}) == 1


def scene(rules: Rules[Any] | None = None, *, salt: str = "") -> Scene:
    """A table of three where the game has begun; nothing is held back yet."""
    mesh = Mesh(rules or Market(), NAMES, salt=salt)
    return Scene(mesh, mesh.peers[CHEAT], signer(CHEAT, salt), [])


def holding(kind: str, rules: Rules[Any] | None = None, *, after: int = 0, salt: str = "") -> Scene:
    """A table at a step of this kind (share, seal, open, result) that lacks the cheat's entry alone.

    ``after`` is the first step that counts.
    """
    made = scene(rules, salt=salt)

    def kept_back(source: bytes, to: bytes, message: bytes) -> list[bytes]:
        entry = entry_in(message) if source == made.cheat.key else None
        if entry is None or entry.step < after or (made.held and entry.step < _step(made.held[0][1])):
            return [message]
        if not made.held and _kind(made.cheat, entry) != kind:
            return [message]
        made.held.append((to, message))
        return []

    made.mesh.filter = kept_back
    made.mesh.start()
    made.mesh.play(until=lambda: bool(made.held))
    assert made.held, f"no {kind} of the cheat to hold back"
    step = made.honest.transcript.step
    assert (step.kind, made.honest.transcript.due()) == (kind, (made.seat,))
    return made


def asked(
    rules: Rules[Any] | None = None, *, leads: bool | None = None, at_least: int = 1, salt: str = ""
) -> Scene:
    """A table where the cheat alone is asked for a move, and has one such as `answers` finds."""
    made = scene(rules, salt=salt)
    made.mesh.start()

    def waits() -> bool:
        if not made.cheat.asked or made.cheat.transcript.step.kind != "move":
            return False
        return _such(made, leads, at_least) is not None

    made.mesh.play(until=waits)
    assert waits(), "the cheat is never asked for such a move"
    return made


def moves(turn: Turn[Any]) -> Iterator[Turn[Any]]:
    """All whole moves that a turn can become, the first options first."""
    ask = turn.ask
    if ask is None:
        yield turn
        return
    for option in ask.options:
        turn.answer(option)
        yield from moves(turn)
        turn.undo()


def answers(made: Scene, *, leads: bool | None = None, at_least: int = 1) -> tuple[Option, ...]:
    """A whole move of the cheat, ``at_least`` so many answers long, that leads to a draw or does not."""
    found = _such(made, leads, at_least)
    assert found is not None, "there is no such move here"
    return found


def _such(made: Scene, leads: bool | None, at_least: int) -> tuple[Option, ...] | None:
    for turn in moves(made.turn()):
        if len(turn.answers) >= at_least and leads in (None, turn.leads_to_draw()):
            return tuple(turn.answers)
    return None


def _step(message: bytes) -> int:
    entry = entry_in(message)
    assert entry is not None
    return entry.step


def _kind(peer: Peer, entry: Entry) -> str:
    """The kind of step an entry belongs to; a move in a step after seals opens one."""
    own = [entry_in(event.message) for event in peer.told if isinstance(event, events.Send)]
    sealed = any(one is not None and one.kind == "seal" and one.step == entry.step - 1 for one in own)
    return "open" if entry.kind == "move" and sealed else entry.kind
