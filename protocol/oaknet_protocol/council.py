"""Who plays from here on: charters proposed, weighed, signed and gone on under (session 3; transcript 2).

A peer signs one charter of a number, and from then on nothing under a lower one: what arrives there rests
until a higher one is proposed, which takes it over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, TypeAlias

from oaknet.kernel import H
from oaknet_protocol import charters, consent, events, evidence, wire
from oaknet_protocol.beacon import LENGTH
from oaknet_protocol.charters import Gathering, Gatherings
from oaknet_protocol.events import Event, Keep, Send
from oaknet_protocol.ground import Ground
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
WEIGHED = 64
"""Charters of the same peers that we weigh where we stand, before our player wishes anything."""
LACKING = 256
"""Charters that go on from what we do not have, for which we remember having asked."""
APART = 8
"""Charters of others that are remembered, for our player to follow them."""


class Council:
    """The charters of one session."""

    def __init__(self, session: Session) -> None:
        self.gatherings = Gatherings()
        self.ground = Ground(session)
        self._session = session
        self._leave: dict[bytes, int] = {}  # whom our player agrees to go on without, and why
        self._tried: dict[bytes, int] = {}  # how often we proposed in vain that a peer comes back
        self._welcome: dict[bytes, None] = {}  # whom our player lets back, whatever was
        self._apart: dict[bytes, Seating] = {}  # charters under which others went another way
        self._lacking: dict[tuple[bytes, int, bytes], None] = {}
        self._told: dict[Change, None] = {}  # changes that our player has been asked about
        self._weighed: dict[tuple[bytes, ...], int] = {}  # charters by whom they seat
        self._weighed_at = b""  # the T at which that was

    @property
    def frozen(self) -> bool:
        """Whether we have signed a charter that does not count yet: nothing under this one is signed."""
        transcript = self._session.transcript
        seating = transcript.seating if transcript else None
        return self._session.own.number > (seating.charter.number if seating else 0)

    @property
    def bound(self) -> bool:
        """Whether we have signed a first charter, and all who sit in it are here and may sign it yet."""
        session = self._session
        if session.begun().seating is not None or not self.frozen:
            return False
        ours = next((one for one in self.gatherings.open.values() if self._ours(one)), None)
        return ours is None or all(key in session.present for key in ours.seating.sits)

    @property
    def resting(self) -> bool:
        """Whether what comes under this charter rests: we have a seat under it and have signed it away."""
        return self.frozen and self._session.transcript is not None and self._member()

    # -- proposing -------------------------------------------------------------------------------------------

    def seat_all(self) -> list[Event]:
        """When all seats are taken by peers that are present, the lowest key of them proposes the first
        charter (session 3.2)."""
        session, transcript = self._session, self._session.begun()
        if transcript.seating is not None or self.bound or not session.awake:
            return []
        sits = session.lobby.seated()
        taken = sum(len(sit.names) for sit, _ in sits.values())
        if taken != transcript.opening.terms.seats or session.key != min(sits):
            return []
        return self.take(session.key, _unsigned(charters.first(transcript.opening, sits, self._number(sits))))

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
        self._weighed.clear()
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
        self._weighed.clear()
        return self.weigh_all() + self.bring_back()

    @property
    def agreed(self) -> list[bytes]:
        """Those who sit and whom our player has agreed to go on without."""
        seating = self._session.begun().seating
        return [key for key in self._leave if seating is not None and key in seating.sits]

    def propose_again(self) -> list[Event]:
        """A charter that we signed does not get its signatures: propose one with a higher number, or the same
        again if another would say nothing new."""
        seating = self._session.begun().seating
        if seating is None or not self.frozen or not self._member():
            return []
        stay = [key for key in seating.sits if key not in self._leave]
        self._weighed.pop(tuple(stay), None)
        return self._propose(stay, again=True)

    def _ours(self, gathering: Gathering) -> bool:
        """Whether this is the highest charter that we have signed."""
        session = self._session
        number = gathering.seating.charter.number
        return session.key in gathering.signatures and number == session.own.number

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

    def _propose(self, stay: list[bytes], *, again: bool = False) -> list[Event]:
        """Propose that these peers go on, from the latest step that all of them hold alike (session 3.4)."""
        session = self._session
        out = self._unrest(stay) if self.frozen else []
        transcript, reach = session.begun(), session.present
        if transcript.over or session.key not in stay or any(key not in reach for key in stay):
            return out  # nobody could sign it, and we would be bound by it
        return out + self._offer(self.ground.common(transcript, stay), stay, again=again)

    def _offer(self, base: Transcript, stay: Iterable[bytes], *, again: bool = False) -> list[Event]:
        """Propose that these peers go on from here; ``again`` says that the last one we signed will do, if it
        would say the same and none of them has signed another one of its number, or a higher one, since."""
        session, now = self._session, base.seating
        sits = {key: pair for key, pair in session.lobby.pairs().items() if key in stay}
        if now is None or any(key not in sits and key not in self._leave for key in now.sits):
            return []  # what rested has brought somebody back, whom our player has not agreed to leave out
        number = self._number(sits)
        data = charters.following(base, sits, self._leave, number, session.own.revealed)
        if again and number == session.own.number + 1:
            last = charters.numbered(data, session.own.number)
            rival = any(
                one.seating.charter.number == session.own.number and one.seating.record.data != last
                for one in self._signed_by(sits)
            )
            if last in self.gatherings.open and last in session.own.charters and not rival:
                return [Send(pack(self.gatherings.open[last].record))]
        return self.take(session.key, _unsigned(data))

    def _number(self, stay: Collection[bytes]) -> int:
        """A number for a charter of these peers: above all that we and they have signed, as far as we may go
        ourselves (session 3.3)."""
        last = self._last()
        seen = max((one.seating.charter.number for one in self._signed_by(stay)), default=0)
        return min(max(last, seen), last + LONGEST_JUMP - 1) + 1

    def _signed_by(self, keys: Collection[bytes]) -> list[Gathering]:
        """The charters under way that one of these peers has signed."""
        return [one for one in self.gatherings.open.values() if any(key in keys for key in one.signatures)]

    def _last(self) -> int:
        """The highest number that we have signed or that counts."""
        seating = self._session.begun().seating
        return max(self._session.own.number, seating.charter.number if seating else 0)

    def _member(self) -> bool:
        seating = self._session.begun().seating
        return seating is not None and self._session.key in seating.sits

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
            out: list[Event] = [] if known.record == record else [Send(pack(known.record), source)]
            out += self._signing(known) if known.weighed != self._state() and self._worth(known) else []
            return [*out, *(self._adopt(source, known) if known.whole else [])]
        if source != self._session.key and not any(record.signatures):
            return []  # nobody stands behind it
        charter = read(Charter, record.data)
        parent = charter.parent
        before = next((s for s in transcript.charters if parent and s.id == parent[0]), None)
        if parent and before is None:
            return self._ask(source, H("charter", record.data))  # it follows what we lack
        seating = Seating.check(transcript.opening, record, before, whole=False)
        self._check_rivals(transcript, seating)
        if transcript.seating is not None and charter.number <= transcript.seating.charter.number:
            return self._aside(source, seating)
        if seating.id in self._apart or (self._elsewhere(seating) and len(self._apart) >= APART):
            return []  # passed on once; beyond that nothing is, or it would go round and round
        counts = session.key in seating.sits and all(record.signatures)
        gathering = self.gatherings.take(seating, counts=counts)
        self._sign_again(gathering)
        grown = gathering.add(record)
        out = self._signing(gathering) if self._worth(gathering) else []
        if not gathering.signatures:
            self.gatherings.open.pop(record.data, None)  # not even we may sign it
        elif grown and not any(isinstance(event, Keep) for event in out):
            out.append(Send(pack(gathering.record)))
        elif not grown and gathering.record != record and not out:
            out.append(Send(pack(gathering.record), source))  # it lacks signatures that we have
        if gathering.whole:
            out += self._adopt(source, gathering)
        elif session.key not in gathering.signatures and not self._stands_at(seating):
            out += self._ask(source, seating.id)  # one of us lacks what the other has
        return out

    def _stands_at(self, seating: Seating) -> bool:
        """Whether a charter goes on from where we stand."""
        transcript = self._session.begun()
        return transcript.seating is None or consent.stands_there(transcript, seating)

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

    def _elsewhere(self, seating: Seating) -> bool:
        """Whether a charter is one of others, who go on from another than ours and without us."""
        now = self._session.begun().seating
        return now is not None and self._session.key not in seating.sits and seating.parent_of()[0] != now.id

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
            out += self._signing(gathering)
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

    def _worth(self, gathering: Gathering) -> bool:
        """Whether a charter that has come is to be weighed: nobody keeps us busy with theirs for ever, nor
        uses up what we weigh of those who would go on without it (session 3.3)."""
        session, seating = self._session, gathering.seating
        ours = all(key == session.key for key in gathering.signatures)
        if ours or not consent.numbered(seating.charter.number, self._last()):
            return True  # one that we may not sign is soon seen
        if self._weighed_at != session.begun().head:
            self._weighed_at = session.begun().head
            self._weighed.clear()
        stay = tuple(seating.sits)
        count = self._weighed.get(stay, 0)
        if count < WEIGHED:
            self._weighed[stay] = count + 1
        return count < WEIGHED

    def _signing(self, gathering: Gathering) -> list[Event]:
        """Weigh a charter; if that adds our signature, tell all."""
        signed = self._session.key in gathering.signatures
        out = self._weigh(gathering)
        now = self._session.key in gathering.signatures
        return [*out, Send(pack(gathering.record))] if now and not signed else out

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
        gathering.weighed = self._state()
        verdict = self._judge(seating)
        if verdict is None:
            return []
        unasked = self._unasked(gathering)
        if unasked is not None:
            return unasked
        base, right = verdict
        if not right:
            return self._counter(base, seating)
        out = session.lobby.seat(seating)
        if self.frozen:
            out += self._unrest(seating.sits)
            if self._judge(seating) is None:
                return out  # what rested has changed where we stand, or what we have signed
        signature, keep = session.own.sign_charter(seating.record.data, seating.charter.number)
        gathering.signatures[session.key] = signature
        for key in changes(session.begun(), seating)[1]:  # whoever proposed it: we wait for them now
            self._tried[key] = self._tried.get(key, 0) + 1
        return [*out, keep]

    def _counter(self, base: Transcript, seating: Seating) -> list[Event]:
        """Answer a charter that is right but for its draw, for which we have given a share elsewhere: with
        the same peers, under a higher number and a higher draw (session 3.7)."""
        base = self.ground.common(base, seating.sits)
        goes_on = base.step.kind == "share" and not base.owing(seating.sits)
        if goes_on or self._session.own.revealed >= LENGTH:
            return []
        return self._offer(base, seating.sits)

    def _unasked(self, gathering: Gathering) -> list[Event] | None:
        """What to tell our player, who has not agreed to this charter; None if it may be signed."""
        session, seating = self._session, gathering.seating
        left, back = changes(session.begun(), seating)
        unasked = [key for key in left if key not in self._leave]
        owed = session.begun().owed
        others = [key for key in back if key not in (session.key, *self._welcome)]
        unasked += [key for key in others if key in owed or self._tried.get(key, 0) >= TRIES]
        if not unasked:
            return None
        change = (tuple(left), tuple(back))
        known, self._told[change] = change in self._told, None
        by = tuple(key for key in seating.sits if key in gathering.signatures)
        return [] if known else [events.Proposed(seating.id, *change, by)]

    def _state(self) -> tuple[object, ...]:
        """What a charter is weighed against: while it is the same, so is the outcome."""
        session, transcript = self._session, self._session.begun()
        step, own = transcript.step, session.own
        held = len(session.witness.forks), len(session.held()), len(session.lobby.sits)
        wishes = tuple(self._leave), tuple(self._welcome), tuple(self._tried.items())
        return transcript.head, step.number, len(step.entries), own.number, session.awake, held, wishes

    def _judge(self, seating: Seating) -> tuple[Transcript, bool] | None:
        """Where an honest peer would go on by this charter, and whether none of its shares would serve a
        second draw; None if it may not sign, its player's wishes apart."""
        session = self._session
        if not session.awake or session.key not in seating.sits:
            return None
        if not consent.numbered(seating.charter.number, self._last()):
            return None
        if session.begun().seating is None:
            known = consent.sits_as_known(seating, session.lobby.pairs())
            return (session.begun(), True) if known else None
        base = self._base(seating)
        if base is None:
            return None
        try:
            afresh = base.check_charter(seating)
        except BadCharter:
            return None
        return base, consent.draw_allowed(base, seating, afresh, session.own)

    def _base(self, seating: Seating) -> Transcript | None:
        """The transcript at the step that a charter goes on from, with the entries it takes over.

        None if we may not go on from there: it is neither where we stand nor before a fork whose author is
        left out, or it leaves out what we hold."""
        session = self._session
        transcript = self._rested(seating.sits) if self.frozen else session.begun()
        current, parent = transcript.seating, seating.parent_of()
        if current is None or parent[0] != current.id:
            return None
        base: Transcript | None = transcript
        if not consent.stands_there(transcript, seating):
            drawn = session.history.drawn_since(len(transcript.charters), parent[1])
            if drawn or not consent.behind_fork(session.witness.forks, seating):
                return None
            base = self.ground.place(parent)
        elif not consent.nothing_later(session.own, seating):
            return None
        if base is None:
            return None
        held = self.ground.held(base, seating.sits)
        if not consent.takes_over(seating.charter.given, [record.id for record in held]):
            return None
        return self.ground.holding(base, seating.charter.given, held)

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
        if low and not consent.stands_there(session.begun(), low[0].seating):
            twin = self.ground.given(low[0].seating, low[0].seating.parent_of())
        for gathering in low:
            if twin is not None and self.ground.complete(twin, gathering.seating):
                twin.charter(gathering.record)
            else:
                return session.begun()
        assert twin is not None
        for record in (*forked, *session.held()):
            try:
                twin.take(record)
            except Refused:  # it does not follow: then it is not what the proposal builds on
                twin.redeem(record, read(wire.Entry, record.data))  # unless it is the share that others have
        return twin

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
            self._weighed.clear()
            return session.begin(gathering.record)
        if number <= transcript.seating.charter.number:
            self.gatherings.settle(transcript.seating.charter.number)
            return []
        parent = seating.parent_of()
        if self._elsewhere(seating):
            self.gatherings.open.pop(seating.record.data)
            return self._aside(source, seating.with_record(gathering.record))
        # the highest charter that names us counts, also where we stand under another by now
        follows = consent.stands_there(transcript, seating)
        base: Transcript | None = transcript if follows else self.ground.given(seating, parent)
        return self._go_on_from(source, base, gathering)

    def join(self, charter: bytes) -> list[Event]:
        """Our player gives up what was played since we and others went different ways, and follows them."""
        seating = self._apart.pop(charter, None)
        if seating is None:
            raise LocalProtocolError("no such charter is known here")
        gathering = Gathering(seating)
        gathering.add(seating.record)
        return self._go_on_from(self._session.key, self.ground.given(seating, seating.parent_of()), gathering)

    def _go_on_from(self, source: bytes, base: Transcript | None, gathering: Gathering) -> list[Event]:
        session, seating = self._session, gathering.seating
        if base is None or not self.ground.complete(base, seating):
            return self._ask(source, seating.id)  # it goes on from what we do not have
        left, back = changes(base, seating)
        out = session.rewind(base)
        done = base.charter(gathering.record)
        self.gatherings.settle(seating.charter.number)
        self._weighed.clear()
        for key in back:
            self._leave.pop(key, None)
            self._tried.pop(key, None)
        out.append(events.Seated(seating, tuple(left), tuple(back)))
        return out + session.gone_on(done)

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
