"""Who plays from here on: charters proposed, weighed, signed and gone on under (session 3; transcript 2).

A peer signs one charter of a number, and from then on nothing under a lower one: what arrives there rests
until a higher one is proposed, which takes it over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from oaknet.kernel import H
from oaknet_protocol import charters, events, evidence, wire
from oaknet_protocol.beacon import LENGTH
from oaknet_protocol.charters import Gathering, Gatherings
from oaknet_protocol.events import Event, Keep, Send
from oaknet_protocol.refused import BadCharter, Fork, LocalProtocolError, Refused
from oaknet_protocol.signing import fingerprint
from oaknet_protocol.table import ABSENT, LONGEST_JUMP, Seating, read
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.wire import Charter, Record, pack

if TYPE_CHECKING:
    from oaknet_protocol.session import Session

Change: TypeAlias = tuple[tuple[bytes, ...], tuple[bytes, ...]]
"""Who is left out and who comes back, by key."""


TRIES = 3
"""How often a peer that does not sign is brought back unasked: each time the table waits for it."""
LACKING = 256
"""Charters that go on from what we do not have, for which we remember having asked."""
APART = 8
"""Charters of others that are remembered, for our player to follow them."""


class Council:
    """The charters of one session."""

    def __init__(self, session: Session) -> None:
        self.gatherings = Gatherings()
        self._session = session
        self._leave: dict[bytes, int] = {}  # whom our player agrees to go on without, and why
        self._tried: dict[bytes, int] = {}  # how often we proposed in vain that a peer comes back
        self._welcome: dict[bytes, None] = {}  # whom our player lets back, whatever was
        self._apart: dict[bytes, Seating] = {}  # charters under which others went another way
        self._lacking: dict[tuple[bytes, int, bytes], None] = {}
        self._told: dict[Change, None] = {}  # changes that our player has been asked about

    @property
    def frozen(self) -> bool:
        """Whether we have signed a charter that does not count yet: nothing under this one is signed."""
        transcript = self._session.transcript
        seating = transcript.seating if transcript else None
        return self._session.own.number > (seating.charter.number if seating else 0)

    @property
    def resting(self) -> bool:
        """Whether what comes under this charter rests: we have a seat under it and have signed it away."""
        return self.frozen and self._session.transcript is not None and self._member()

    # -- proposing -------------------------------------------------------------------------------------------

    def seat_all(self) -> list[Event]:
        """When all seats are taken by peers that are present, the lowest key of them proposes the first
        charter (session 3.2)."""
        session, transcript = self._session, self._session.begun()
        if transcript.seating is not None or self.frozen or not session.awake:
            return []
        sits = session.lobby.seated()
        taken = sum(len(sit.names) for sit, _ in sits.values())
        if taken != transcript.opening.terms.seats or session.key != min(sits):
            return []
        return self.take(session.key, _unsigned(charters.first(transcript.opening, sits, self._number())))

    def go_on(self, without: dict[bytes, int]) -> list[Event]:
        """Our player agrees to go on without these peers, each with why (session 3.4)."""
        session, transcript = self._session, self._session.begun()
        seating = transcript.seating
        if seating is None or transcript.over:
            raise LocalProtocolError("the table has not begun, or is over")
        stay = [key for key in seating.sits if key not in {**self._leave, **without}]
        seats = sum(1 for peer in seating.peers if peer in stay)
        if seats < min(2, len(seating.peers)) or session.key not in stay:
            raise LocalProtocolError("a table goes on with two seats or more")
        self._leave.update(without)
        out = self.weigh_all()
        now = session.begun().seating  # the others may have agreed before, and the charter counts by now
        proposed = (now is not None and [*now.sits] == stay) or any(
            [*one.seating.sits] == stay and session.key in one.signatures
            for one in self.gatherings.open.values()
        )
        return out if proposed or not self._member() else out + self._propose(stay)

    def let_back(self, key: bytes) -> list[Event]:
        """Our player lets a peer back that was left out while it owed a share."""
        self._welcome[key] = None
        return self.weigh_all() + self.bring_back()

    def propose_again(self) -> list[Event]:
        """A charter that we signed does not get its signatures: propose one with a higher number."""
        seating = self._session.begun().seating
        if seating is None or not self.frozen or not self._member():
            return []
        return self._propose([key for key in seating.sits if key not in self._leave])

    def bring_back(self) -> list[Event]:
        """Who moves alone now proposes that a peer which stands where we do plays again: nothing else can be
        under way, so all can sign at once (session 3.7)."""
        session, transcript = self._session, self._session.begun()
        seating, step = transcript.seating, transcript.step
        if seating is None or step.kind != "move" or self.frozen or not session.awake or step.entries:
            return []
        if [transcript.peer(seat) for seat in transcript.due()] != [session.key]:
            return []
        first = transcript.charters[0]
        back = [
            key
            for key in first.sits
            if key not in seating.sits
            and key not in session.cheats
            and (key in self._welcome or (key not in transcript.owed and self._tried.get(key, 0) < TRIES))
            and session.level(key)
            and self._may_return(transcript, key)
        ]
        return self._propose(sorted([*seating.sits, *back])) if back else []

    def _outdrawn(self, seating: Seating) -> bool:
        """Whether a charter would bring us back but for its draw: where we went another way than the others,
        we gave shares for it (session 3.7)."""
        session, transcript = self._session, self._session.begun()
        now, step = transcript.seating, transcript.step
        if now is None or transcript.over or self._member() or not session.awake:
            return False
        return (
            session.key in seating.sits
            and session.own.number < seating.charter.number
            and seating.parent_of() == (now.id, step.number, transcript.head)
            and seating.charter.draw <= session.own.revealed < LENGTH
            and step.kind != "share"
        )

    def _may_return(self, transcript: Transcript, key: bytes) -> bool:
        """Whether a peer has a seat that it was only absent from: who was out of time stays out."""
        seating = transcript.seating
        seats = [seat for seat, owner in enumerate(transcript.charters[0].peers) if owner == key]
        return seating is not None and any(
            seating.why[seat] == ABSENT and seat not in transcript.resigned for seat in seats
        )

    def returned(self, key: bytes) -> None:
        """A peer can be reached again: whoever agreed to go on without it is glad to have it."""
        if key not in self._session.cheats:
            self._leave.pop(key, None)

    def _propose(self, stay: list[bytes]) -> list[Event]:
        """Propose that these peers go on, from the latest step that all of them hold alike (session 3.4)."""
        session = self._session
        out = self._unrest(stay) if self.frozen else []
        transcript = session.begun()
        if transcript.over or session.key not in stay:
            return out
        base = self._common(transcript, stay)
        sits = {key: pair for key, pair in session.lobby.pairs().items() if key in stay}
        data = charters.following(base, sits, self._leave, self._number(), session.own.revealed)
        return out + self.take(session.key, _unsigned(data))

    def _number(self) -> int:
        return max(self._session.own.number, self.gatherings.highest()) + 1

    def _member(self) -> bool:
        seating = self._session.begun().seating
        return seating is not None and self._session.key in seating.sits

    def _common(self, transcript: Transcript, stay: list[bytes]) -> Transcript:
        """The latest step that those who stay hold alike: ours, or the one where a cheat has split them."""
        session, count = self._session, len(transcript.charters)
        drawn = session.history.drawn_since  # no split is older than a complete draw
        steps = [step for key, step in session.witness.forks if key not in stay and not drawn(count, step)]
        split = [key for key in stay if session.neighbours.split_from(key)]
        if not split or not steps:
            return transcript
        return session.rebuilt(count, min(steps), None) or transcript

    # -- taking and weighing ---------------------------------------------------------------------------------

    def take(self, source: bytes, record: Record) -> list[Event]:
        """Gather the signatures of a charter, add ours if we may, and go on under it when it is whole.

        Raises `Refused`.
        """
        session, transcript = self._session, self._session.begun()
        if any(seating.record.data == record.data for seating in transcript.charters):
            return []
        known = self.gatherings.open.get(record.data)
        if known is not None and known.has(record):
            missing = [] if known.record == record else [Send(pack(known.record), source)]
            return [*missing, *(self._adopt(source, known) if known.whole else [])]
        charter = read(Charter, record.data)
        parent = charter.parent
        before = next((s for s in transcript.charters if parent and s.id == parent[0]), None)
        if parent and before is None:
            return self._ask(source, H("charter", record.data))  # it follows what we lack
        seating = Seating.check(transcript.opening, record, before, whole=False)
        self._check_rivals(transcript, seating)
        if transcript.seating is not None and charter.number <= transcript.seating.charter.number:
            return self._aside(source, seating)
        gathering = self.gatherings.take(seating)
        self._sign_again(gathering)
        grown = gathering.add(record)
        out = self._weigh(gathering)
        if grown or any(isinstance(event, Keep) for event in out):
            out.append(Send(pack(gathering.record)))
        elif gathering.record != record:
            out.append(Send(pack(gathering.record), source))  # it lacks signatures that we have
        if gathering.whole:
            out += self._adopt(source, gathering)
        elif session.key not in gathering.signatures and not self._stands_at(seating):
            out += self._ask(source, seating.id)  # one of us lacks what the other has
        return out

    def _stands_at(self, seating: Seating) -> bool:
        """Whether a charter goes on from where we stand."""
        transcript = self._session.begun()
        return transcript.seating is None or self._follows(transcript, seating)

    def _sign_again(self, gathering: Gathering) -> None:
        """Our signature of a charter that we signed before a restart, and lost sight of."""
        session = self._session
        signature = session.own.charters.get(gathering.seating.record.data)
        if signature is not None:
            gathering.signatures[session.key] = signature

    def _aside(self, source: bytes, seating: Seating) -> list[Event]:
        """A charter whose number is past: if all have signed it, others have gone another way."""
        if not all(seating.record.signatures) or seating.id in self._apart:
            return []
        if len(self._apart) < APART:
            self._apart[seating.id] = seating
        return [events.Apart(source, seating.id)]

    def retry(self) -> list[Event]:
        """Go on under a charter that all have signed, if what it goes on from has come by now."""
        out: list[Event] = []
        for gathering in [one for one in self.gatherings.open.values() if one.whole]:
            out += self._adopt(self._session.key, gathering)
        return out

    def weigh_all(self) -> list[Event]:
        """Look at the charters under way again: something has changed."""
        out: list[Event] = []
        for gathering in sorted(self.gatherings.open.values(), key=lambda one: one.seating.charter.number):
            signed = self._weigh(gathering)
            out += signed
            if any(isinstance(event, Keep) for event in signed):
                out.append(Send(pack(gathering.record)))
            if gathering.whole:
                out += self._adopt(self._session.key, gathering)
        return out

    def remember(self, data: bytes, signature: bytes) -> None:
        """A charter that we signed before a restart."""
        session, transcript = self._session, self._session.begun()
        parent = read(Charter, data).parent
        before = next((s for s in transcript.charters if parent and s.id == parent[0]), None)
        if bool(parent) == (before is not None):
            seating = Seating.check(transcript.opening, _unsigned(data), before, whole=False)
            self.gatherings.take(seating).signatures[session.key] = signature

    def _weigh(self, gathering: Gathering) -> list[Event]:
        """Sign a charter if an honest peer may and our player agrees (session 3.5)."""
        session, seating = self._session, gathering.seating
        if session.key in gathering.signatures:
            return []
        parent = seating.parent_of() if seating.charter.parent else None
        transcript = session.begun()
        if parent and not self.frozen and parent[1] > transcript.step.number:
            ahead = session.redeem(seating.sits)
            if ahead:
                return ahead + self._weigh(gathering)
        if self._outdrawn(seating):
            return self._propose([*seating.sits])
        if not self._may_sign(seating):
            return []
        left, back = changes(session.begun(), seating)
        unasked = [key for key in left if key not in self._leave]
        owed = session.begun().owed
        others = [key for key in back if key not in (session.key, *self._welcome)]
        unasked += [key for key in others if key in owed or self._tried.get(key, 0) >= TRIES]
        if unasked:
            change = (tuple(left), tuple(back))
            known, self._told[change] = change in self._told, None
            by = tuple(key for key in seating.sits if key in gathering.signatures)
            return [] if known else [events.Proposed(seating.id, *change, by)]
        out = session.lobby.seat(seating) + (self._unrest(seating.sits) if self.frozen else [])
        signature, keep = session.own.sign_charter(seating.record.data, seating.charter.number)
        gathering.signatures[session.key] = signature
        for key in back:  # whoever proposed it: we wait for them now
            self._tried[key] = self._tried.get(key, 0) + 1
        return [*out, keep]

    def _may_sign(self, seating: Seating) -> bool:
        """The rules that an honest peer follows, its player's wishes apart (transcript 2.4)."""
        session, number = self._session, seating.charter.number
        transcript = session.begun()
        last = max(session.own.number, transcript.seating.charter.number if transcript.seating else 0)
        if not session.awake or session.key not in seating.sits or not last < number <= last + LONGEST_JUMP:
            return False
        if transcript.seating is None:
            known = session.lobby.pairs()  # ours is among them: it must be there as it is, and so must others
            pairs = zip(seating.sits, seating.charter.sits, strict=True)
            return all(known.get(key, pair) == pair for key, pair in pairs)
        base = self._parent(self._rested(seating.sits) if self.frozen else transcript, seating)
        try:
            return base is not None and charters.draw_allowed(
                base, seating, base.check_charter(seating), session.own.revealed
            )
        except BadCharter:
            return False

    def _parent(self, transcript: Transcript, seating: Seating) -> Transcript | None:
        """The transcript at the step that a charter goes on from, with the entries it takes over.

        None if we may not go on from there: it is neither where we stand nor before a fork whose author is
        left out."""
        session, step, current = self._session, transcript.step, transcript.seating
        parent = seating.parent_of()
        if current is None or parent[0] != current.id:
            return None
        if parent[1:] == (step.number, transcript.head):
            held = [filled.record.id for filled in step.entries.values()]
            return transcript if all(one in seating.charter.given for one in held) else None
        forked = [key for key, step in session.witness.forks if step == parent[1]]
        if not forked or any(key in seating.sits for key in forked):
            return None
        if session.history.drawn_since(len(transcript.charters), parent[1]):
            return None
        return self._given(seating, parent)

    def _given(self, seating: Seating, parent: tuple[bytes, int, bytes]) -> Transcript | None:
        """The transcript as it was at an earlier step, with the entries that a charter takes over from it."""
        session = self._session
        count = next(
            (i for i, s in enumerate(session.begun().charters, 1) if s.id == parent[0]),
            0,
        )
        base = session.rebuilt(count, parent[1], parent[2])
        part = session.history.at(count, parent[1])
        for record in part.records if base is not None and part is not None else ():
            if base is not None and record.id in seating.charter.given:
                base.take(record)
        return base

    def _check_rivals(self, transcript: Transcript, seating: Seating) -> None:
        """Two charters of one number signed by one peer are a fork (transcript 6.3)."""
        gathered = [one.seating.with_record(one.record) for one in self.gatherings.open.values()]
        for other in (*gathered, *transcript.charters, *self._apart.values()):
            for key in evidence.charter_forkers(other, seating):
                why = f"{fingerprint(key)} signed two charters of one number"
                raise Fork(why, other.record, seating.record, key=key)

    # -- what rests ------------------------------------------------------------------------------------------

    def _resting(self) -> list[Gathering]:
        """Charters that all have signed, but for which we had signed a higher one already: the highest that
        names us, and before it those that lead to it."""
        session, transcript = self._session, self._session.begun()
        now = transcript.seating.charter.number if transcript.seating else 0
        whole = {
            one.seating.id: one
            for one in self.gatherings.open.values()
            if one.whole and now < one.seating.charter.number < session.own.number
        }
        naming = [one for one in whole.values() if session.key in one.seating.sits]
        if not naming or transcript.seating is None:
            return []
        path = [max(naming, key=lambda one: one.seating.charter.number)]
        while (before := path[0].seating.parent_of()[0]) in whole:
            path.insert(0, whole[before])
        return path

    def _rested(self, stay: Iterable[bytes]) -> Transcript:
        """Where we would stand with what rests, tried on a transcript of its own."""
        session, low = self._session, self._resting()
        forked = session.witness.forked(stay)
        if not low and not session.held() and not forked:
            return session.begun()
        twin: Transcript | None = session.twin()
        if low and not self._follows(session.begun(), low[0].seating):
            twin = self._given(low[0].seating, low[0].seating.parent_of())
        for gathering in low:
            if twin is not None and self._complete(twin, gathering.seating):
                twin.charter(gathering.record)
            else:
                return session.begun()
        assert twin is not None
        for record in (*forked, *session.held()):
            try:
                twin.take(record)
            except Refused:
                continue  # it does not follow: then it is not what the proposal builds on
        return twin

    def _follows(self, transcript: Transcript, seating: Seating) -> bool:
        """Whether a charter goes on from where this transcript stands."""
        current = transcript.seating
        return current is not None and seating.parent_of() == (
            current.id,
            transcript.step.number,
            transcript.head,
        )

    def _unrest(self, stay: Iterable[bytes]) -> list[Event]:
        """Take over what rested, now that a higher charter is signed on top of it."""
        out: list[Event] = []
        for gathering in self._resting():
            out += self._adopt(self._session.key, gathering, rested=True)
        return out + self._session.redeem(stay) + self._session.late(rested=True)

    # -- going on --------------------------------------------------------------------------------------------

    def _adopt(self, source: bytes, gathering: Gathering, *, rested: bool = False) -> list[Event]:
        """Go on under a charter that everybody in it has signed (session 3.6)."""
        session, seating = self._session, gathering.seating
        transcript, number = session.begun(), seating.charter.number
        if session.key in seating.sits and number < session.own.number and not rested:
            return []  # it rests
        if transcript.seating is None:
            self.gatherings.settle(number)
            return session.begin(gathering.record)
        if number <= transcript.seating.charter.number:
            self.gatherings.settle(transcript.seating.charter.number)
            return []
        parent = seating.parent_of()
        if parent[0] != transcript.seating.id and session.key not in seating.sits:
            self.gatherings.open.pop(seating.record.data)
            return self._aside(source, seating.with_record(gathering.record))
        # the highest charter that names us counts, also where we stand under another by now
        follows = self._follows(transcript, seating)
        base: Transcript | None = transcript if follows else self._given(seating, parent)
        return self._go_on_from(source, base, gathering)

    def join(self, charter: bytes) -> list[Event]:
        """Our player gives up what was played since we and others went different ways, and follows them."""
        seating = self._apart.pop(charter, None)
        if seating is None:
            raise LocalProtocolError("no such charter is known here")
        gathering = Gathering(seating)
        gathering.add(seating.record)
        return self._go_on_from(self._session.key, self._given(seating, seating.parent_of()), gathering)

    def _go_on_from(self, source: bytes, base: Transcript | None, gathering: Gathering) -> list[Event]:
        session, seating = self._session, gathering.seating
        if base is None or not self._complete(base, seating):
            return self._ask(source, seating.id)  # it goes on from what we do not have
        left, back = changes(base, seating)
        out = session.rewind(base)
        done = base.charter(gathering.record)
        self.gatherings.settle(seating.charter.number)
        for key in back:
            self._leave.pop(key, None)
            self._tried.pop(key, None)
        out.append(events.Seated(seating, tuple(left), tuple(back)))
        return out + session.gone_on(done)

    def _complete(self, base: Transcript, seating: Seating) -> bool:
        """Bring the step that a charter goes on from to the entries it takes over, no fewer and no more.

        Says whether all of them are here; if not, nothing is changed.
        """
        there = [filled.record.id for filled in base.step.entries.values()]
        missing = [one for one in seating.charter.given if one not in there]
        held = {record.id: record for record in self._session.held()}
        if any(one not in held for one in missing):
            return False
        base.forget(seating.charter.given)
        for one in missing:
            base.take(held[one])
        return True

    def _ask(self, source: bytes, charter: bytes) -> list[Event]:
        """Say where we stand, so that what we lack is sent; once for a charter and a place."""
        session = self._session
        place = (charter, session.begun().step.number, session.begun().head)
        if place in self._lacking:
            return []
        if (
            len(self._lacking) >= LACKING
        ):  # somebody makes up charters: what was asked before may be asked again
            self._lacking.clear()
        self._lacking[place] = None
        return [session.neighbours.where(source)]


def changes(transcript: Transcript, seating: Seating) -> tuple[list[bytes], list[bytes]]:
    """Who is left out and who comes back by a charter, compared with the one that counts."""
    before = transcript.seating.sits if transcript.seating else seating.sits
    left = [key for key in before if key not in seating.sits]
    return left, [key for key in seating.sits if key not in before]


def _unsigned(data: bytes) -> Record:
    return Record("charter", data, (b"",) * len(wire.decode(Charter, data).sits))
