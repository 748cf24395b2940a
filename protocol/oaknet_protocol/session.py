"""One peer at one table, without sockets, files or clock (session).

Messages go in by `receive`, what the player decides by `move`, `resign`, `go_on` …; what comes out is a list
of events, to be done in order. Tests connect sessions back to back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from oaknet.kernel import Option, Rules
from oaknet.kernel.rules import Options, rules_digest
from oaknet_protocol import beacon, bodies, events, sync, wire
from oaknet_protocol.beacon import OutOfDraws
from oaknet_protocol.bodies import result_body, seal_of
from oaknet_protocol.council import Council
from oaknet_protocol.events import Event, Send
from oaknet_protocol.history import History
from oaknet_protocol.invite import key_hash
from oaknet_protocol.lobby import Lobby
from oaknet_protocol.neighbours import Neighbours
from oaknet_protocol.own import Own
from oaknet_protocol.refused import (
    BadCharter,
    BadSignature,
    Early,
    Fault,
    Fork,
    Known,
    LocalProtocolError,
    Malformed,
    Refused,
)
from oaknet_protocol.result import Result
from oaknet_protocol.signing import Signer
from oaknet_protocol.sync import Rings
from oaknet_protocol.table import RulesFor, named_options, read
from oaknet_protocol.transcript import Done, Transcript
from oaknet_protocol.turn import Turn
from oaknet_protocol.wire import (
    At,
    BadMessage,
    Chat,
    Entry,
    Head,
    Links,
    Open,
    Proof,
    Record,
    Sit,
    decode,
    pack,
)
from oaknet_protocol.witness import Witness
from oaknet_protocol.words import Words

EARLY = 64
"""Entries of steps to come that are held for each author; what is beyond is sent again on request."""


def opening(
    signer: Signer, rules: Rules[Any], seats: int, options: Options, engine: str, nonce: bytes
) -> Record:
    """Open a table: signed by us, with every table option named; ``nonce`` is 32 random bytes.

    Raises `oaknet.kernel.WrongSeats` or `oaknet.kernel.BadOptions`.
    """
    named = tuple(named_options(rules, seats, options).items())
    terms = Open(wire.VERSION, rules.name, rules_digest(rules), engine, named, seats, signer.key, nonce)
    data = pack(terms)
    return Record("open", data, signer.sign("open", data))


class Session:
    """A peer's side of one table.

    ``transcript`` is None until the opening is known. ``own`` is what we have signed. ``awake`` is False
    after a restart until `wake`: before it has heard the others, a peer signs nothing new. Who sits is
    settled in its ``lobby``, who plays by its ``council``; ``neighbours`` are the peers linked to us,
    ``witness`` holds what convicts others, ``words`` what is said beside the game.
    """

    def __init__(
        self,
        signer: Signer,
        rules_for: RulesFor,
        names: tuple[str, ...],
        nonce: bytes,
        *,
        opener: bytes,
        own: Own | None = None,
    ) -> None:
        """A peer that takes a seat for each name, none for a spectator.

        ``nonce`` is 32 random bytes for its chain, ``opener`` the key that must have signed the opening, or
        the hash of it that an invite has, ``own`` what it signed before a restart.
        """
        self.rules_for = rules_for
        self.transcript: Transcript | None = None
        self.history = History()
        self.own = own or Own(signer)
        self.awake = own is None
        self._signer = signer
        self._opener = opener
        self.lobby = Lobby(self, names, nonce)
        self.council = Council(self)
        self.neighbours = Neighbours(self)
        self.witness = Witness(self)
        self.words = Words(self, signer)
        self._early: dict[tuple[int, int], tuple[bytes, Record]] = {}
        self._asked: dict[tuple[int, int, int], None] = {}  # slots of ours that the player knows of
        self._turn: tuple[int, int, Turn[Any]] | None = None  # charters, step, what is being filled
        self._ended = False
        self._logged = False  # whether the log has the opening

    @property
    def key(self) -> bytes:
        """Our public key."""
        return self._signer.key

    @property
    def frozen(self) -> bool:
        """Whether we have signed a charter that does not count yet: nothing under this one is signed."""
        return self.council.frozen

    @property
    def present(self) -> list[bytes]:
        """The keys that can be reached from here, over others too, and our own; ascending."""
        return sorted([self.key, *(key for ring in self.neighbours.rings for key in ring)])

    @property
    def sits(self) -> Mapping[bytes, tuple[Sit, Record]]:
        """The sits known, by key."""
        return self.lobby.sits

    @property
    def links(self) -> Mapping[bytes, Rings]:
        """Our neighbours, and whom each says it reaches."""
        return self.neighbours.links

    @property
    def evidence(self) -> list[tuple[str, tuple[Record, ...]]]:
        """Refused records that were signed: ``(reason, records)``, two for a fork."""
        return self.witness.evidence

    @property
    def cheats(self) -> dict[bytes, Refused]:
        """What convicts whom, by key."""
        return self.witness.cheats

    def level(self, key: bytes) -> bool:
        """Whether a peer's last head is ours."""
        return self.neighbours.level(key)

    # -- what the owner of the session does ------------------------------------------------------------------

    def open(self, record: Record) -> list[Event]:
        """Begin with an opening, ours or one that came with the invite; raises `Refused`."""
        if self.transcript is not None:
            return []
        transcript = Transcript.begin(record, self.rules_for)
        opener = transcript.opening.terms.key
        if self._opener not in (opener, key_hash(opener)):
            raise BadSignature("the table is opened by another key than the invite names", kind="open")
        self.transcript = transcript
        out: list[Event] = [events.Opened(record), Send(pack(record)), self.neighbours.said()]
        return out + self.lobby.sit_down(transcript.opening)

    def resume(self, record: Record, records: list[Record]) -> list[Event]:
        """Begin where a log stops; raises `Refused` if it is not whole.

        Our own entries that the log does not have yet are taken over; nothing new is signed before `wake`.
        """
        out = self.open(record)
        self._logged = True
        transcript = self.begun()
        for one in records:
            for done in self._reread(transcript, one):
                self.history.add(done)
            if one.kind == "charter":
                out += self.own.recall(transcript.charters[-1])
        whole = self.history.records()
        if len(whole) < len(records) or not records:  # cut within a step, or before it had even the opening
            out.append(events.Rewrite((record, *whole)))
        if transcript.seating is not None:
            for key, (data, signature) in self.lobby.pairs().items():
                self.lobby.sits.setdefault(key, (decode(Sit, data), Record("sit", data, signature)))
        now = transcript.seating.charter.number if transcript.seating else 0
        for data, signature in self.own.charters.items():
            if decode(wire.Charter, data).number > now:
                self.council.remember(data, signature)
        for _, own in sorted(self.own.entries.items(), key=lambda item: item[0][1]):
            out += self._retake(transcript, own)
        return out + self._told(transcript)

    def wake(self) -> list[Event]:
        """All in reach have been heard: sign again what is due."""
        self.awake = True
        if self.transcript is None:
            return []
        out = self.council.seat_all() + self.council.weigh_all()
        return out + self._duties(self.begun()) + self.late()

    def connected(self, key: bytes) -> list[Event]:
        """A connection to a peer is up: tell it what we have."""
        self.neighbours.links[key] = ()
        transcript = self.transcript
        if transcript is None:
            return []
        self.council.returned(key)
        records = [transcript.opening.record]
        if transcript.seating is None:
            records += [record for _, record in self.sits.values()]
        records += [gathering.record for gathering in self.council.gatherings.open.values()]
        out: list[Event] = [Send(pack(record), key) for record in records]
        out += [self.neighbours.where(key), self.neighbours.said()]
        return out + self.council.seat_all()

    def lost(self, key: bytes) -> list[Event]:
        """A connection is over."""
        self.neighbours.lost(key)
        return [self.neighbours.said()] if self.transcript else []

    def sync(self) -> list[Event]:
        """Say again where we stand: for when the table stands still."""
        if self.transcript is None:
            return []
        records = [gathering.record for gathering in self.council.gatherings.open.values()]
        return [self.neighbours.where(None), *(Send(pack(record)) for record in records)]

    def turn(self, seat: int) -> Turn[Any]:
        """The move that this charter seat of ours owes, to be filled; raises `LocalProtocolError`."""
        transcript = self._ours(seat)
        place = transcript.places.index(seat)
        sealed = transcript.step.kind == "seal"
        turn = Turn(transcript.game, place, played=transcript.played_seats(), sealed=sealed)
        self._turn = (len(transcript.charters), transcript.step.number, turn)
        return turn

    def move(self, seat: int, answers: tuple[Option, ...]) -> list[Event]:
        """Make the move of a charter seat of ours; raises `LocalProtocolError` if it cannot be made now."""
        transcript = self._ours(seat)
        sealed = transcript.step.kind == "seal"
        try:
            turn = bodies.played(transcript, seat, answers, sealed=sealed)
        except Fault as fault:
            raise LocalProtocolError(f"the move cannot be made: {fault.why}") from None
        if sealed:
            return self._seal(transcript, seat, answers) + self.late()
        return self._move(transcript, seat, turn)

    def play(self, turn: Turn[Any]) -> list[Event]:
        """Make the move of a turn as `move` does; what `turn` has begun for this step is not played again."""
        transcript = self.begun()
        seat, answers = transcript.places[turn.seat], tuple(turn.answers)
        begun = self._turn == (len(transcript.charters), transcript.step.number, turn)
        if not begun or turn.sealed or not turn.done or len(answers) > wire.MAX_ANSWERS:
            return self.move(seat, answers)
        return self._move(self._ours(seat), seat, turn)

    def _move(self, transcript: Transcript, seat: int, turn: Turn[Any]) -> list[Event]:
        """Sign a whole move, with our share if a draw is next."""
        try:
            share = self.own.share(transcript.draw) if turn.leads_to_draw() else b""
        except OutOfDraws as spent:
            raise LocalProtocolError(f"the move cannot be made: {spent}") from None
        body = (tuple(turn.answers), share)
        return self._sign(transcript, seat, "move", body, turn=turn) + self.late()

    def resign(self, seat: int) -> list[Event]:
        """Give up a charter seat of ours, when it is asked; the stand-in plays on."""
        transcript = self._ours(seat)
        return self._sign(transcript, seat, "resign", ()) + self.late()

    def sit(self, names: tuple[str, ...]) -> list[Event]:
        """Take seats at a table that has not begun; a spectator becomes a player."""
        return self.lobby.sit(names)

    def go_on(self, without: dict[bytes, int]) -> list[Event]:
        """Our player agrees to go on without these peers, each with why (`oaknet_protocol.table`).

        Raises `LocalProtocolError` where fewer than two seats would be played, or if no game is on.
        """
        return self.council.go_on(without)

    def let_back(self, key: bytes) -> list[Event]:
        """Our player lets a peer back that was left out while it owed a share."""
        return self.council.let_back(key)

    def join(self, charter: bytes) -> list[Event]:
        """Our player follows those who went on without us, and gives up what was played here since."""
        return self.council.join(charter)

    def propose_again(self) -> list[Event]:
        """A charter that we signed does not get its signatures: propose one with a higher number."""
        return self.council.propose_again() if self.transcript else []

    def chat(self, text: str, counter: int) -> list[Event]:
        """Say something; ``counter`` must rise with each message, over restarts too (a clock will do).

        Raises `LocalProtocolError` if it cannot be shown.
        """
        return self.words.say("chat", Chat(self.begun().table, self.key, counter, text))

    def at(self, addresses: tuple[tuple[str, int], ...], counter: int) -> list[Event]:
        """Say where we can be dialled; the newest counter counts."""
        return self.words.say("at", At(self.begun().table, self.key, counter, addresses))

    def receive(self, key: bytes, message: bytes) -> list[Event]:
        """Take a message that the peer with this key delivered; whose it is, its signature says.

        Never raises: what is wrong with a message is an event. After `Malformed` the connection should end.
        """
        record: Record | None = None
        try:
            kind, value = _unpacked(message)
            if kind == "head":
                return self.neighbours.take_head(key, _read(Head, value, message))
            if kind == "links":
                return self.neighbours.take_links(key, _read(Links, value, message))
            if kind == "proof":
                return self.witness.take_proof(key, _read(Proof, value, message))
            record = _read(Record, value, message)
            return self._take(key, record)
        except Known:
            return []
        except Refused as refusal:
            return self._refuse(key, refusal, record)

    # -- what the council asks of it -------------------------------------------------------------------------

    def begun(self) -> Transcript:
        """The transcript; raises `LocalProtocolError` before the opening is known."""
        if self.transcript is None:
            raise LocalProtocolError("the table is not known yet")
        return self.transcript

    def held(self) -> list[Record]:
        """Entries that wait, in the order of their steps."""
        return [record for _, (_, record) in sorted(self._early.items(), key=lambda item: item[0])]

    def redeem(self, stay: Iterable[bytes]) -> list[Event]:
        """Take the right share of a cheat that is to be left out, where a wrong one has shut its slot here:
        others had the right one and have drawn, and nobody goes behind that (session 3.5)."""
        done: list[Done] = []
        for record in self.witness.forked(stay):
            done += self.begun().redeem(record, read(Entry, record.data))
        return [*self._after(done), *self.late()] if done else []

    def twin(self) -> Transcript:
        """A transcript of its own that stands where ours does."""
        return self._replayed([*self.history.records(), *sync.pending(self.begun())])

    def rebuilt(self, count: int, step: int, head: bytes | None) -> Transcript | None:
        """The transcript as it was when this step under the ``count``-th charter began.

        None if that is no part of our past.
        """
        part = self.history.at(count, step)
        if part is None or (head is not None and part.head != head):
            return None
        return self._replayed(self.history.before(count, step))

    def begin(self, charter: Record) -> list[Event]:
        """The first charter counts: the table begins."""
        transcript = self.begun()
        done = transcript.charter(charter)
        seating = transcript.seating
        assert seating is not None
        out = self.lobby.seat(seating)
        if not self._logged:
            out.append(events.Write((transcript.opening.record,)))
        return [*out, events.Started(seating), *self._after(done), *self.late()]

    def rewind(self, base: Transcript) -> list[Event]:
        """Stand where ``base`` does, which may lie before where we stood."""
        if base is self.transcript:
            return []
        self.transcript = base
        self.history.cut(len(base.charters), base.step.number)
        return [
            events.Rewrite((base.opening.record, *self.history.records())),
            events.Rewound(base.step.number),
        ]

    def gone_on(self, done: list[Done]) -> list[Event]:
        """A later charter counts."""
        self._early.clear()
        self._asked.clear()
        self.witness.forks.clear()
        return self._after(done) + self.late()

    def late(self, *, rested: bool = False) -> list[Event]:
        """Take the entries that came before their step began, as long as there is one for the step now.

        Under a charter that we have signed away they rest, until ``rested`` says that it is time.
        """
        out: list[Event] = []
        while rested or not self.council.resting:
            step = self.begun().step.number
            slot = min((slot for slot in self._early if slot[0] <= step), default=None)
            if slot is None:
                break
            source, record = self._early.pop(slot)
            try:
                out += self._take_entry(source, record, rested=rested)
            except Known:
                continue
            except Refused as refusal:
                out += self._refuse(source, refusal, record)
        return out

    def _refuse(self, source: bytes, refusal: Refused, record: Record | None) -> list[Event]:
        return [*self.witness.refuse(source, refusal, record), *self.neighbours.compare(source, refusal)]

    def _take(self, source: bytes, record: Record) -> list[Event]:
        if record.kind == "open":
            return self.open(record)
        if self.transcript is None:
            raise BadCharter("it comes before the opening", kind=record.kind)
        if record.kind == "sit":
            return self.lobby.take(source, record)
        if record.kind == "charter":
            return self.council.take(source, record)
        if record.kind == "entry":
            return self._take_entry(source, record) + self.late() + self.council.retry()
        if record.kind in ("chat", "at"):
            return self.words.take(source, record)
        raise Malformed(f"a message of the unknown kind {record.kind}")

    # -- playing ---------------------------------------------------------------------------------------------

    def _take_entry(self, source: bytes, record: Record, *, rested: bool = False) -> list[Event]:
        transcript = self.begun()
        entry = read(Entry, record.data)
        key = transcript.peer(entry.author) if entry.author < transcript.opening.terms.seats else None
        if not rested and self._rests(entry):
            transcript.check_slot(record, entry)
            return self._hold(source, record, entry)
        try:
            done = transcript.take(record, entry)
        except Early:
            return self._hold(source, record, entry)
        except Fault as fault:  # all others are to see it: its author may have shown it to us alone
            others = [other for other in self.neighbours.links if other not in (source, key)]
            shown = [Send(pack(record), other) for other in others]
            return [*shown, *self.witness.refuse(source, fault, record)]
        if key == self.key:
            self.own.remember(entry, record)
        return self.neighbours.spread(record, source, key) + self._after(done)

    def _rests(self, entry: Entry) -> bool:
        """Whether an entry comes under a charter that we have signed away (session 3.5)."""
        transcript = self.begun()
        under = transcript.seating.id if transcript.seating else b""
        return self.council.resting and entry.charter == under and entry.step >= transcript.step.number

    def _hold(self, source: bytes, record: Record, entry: Entry) -> list[Event]:
        """Keep an entry of a step to come; two for one slot are a fork already."""
        slot = (entry.step, entry.author)
        held = self._early.get(slot)
        if held is None:
            if sum(author == entry.author for _, author in self._early) < EARLY:
                self._early[slot] = (source, record)
        elif held[1].data != record.data:
            why = f"seat {entry.author} signed two different entries for step {entry.step}"
            key = self.begun().peer(entry.author) or b""
            raise Fork(why, held[1], record, step=entry.step, author=entry.author, key=key)
        return []

    def _reread(self, transcript: Transcript, record: Record) -> list[Done]:
        """Take a record of the log; what is ours counts as signed, also where the side file lacks it."""
        if record.kind == "charter":
            return transcript.charter(record)
        entry = read(Entry, record.data)
        done = transcript.take(record, entry)
        if transcript.peer(entry.author) == self.key:
            self.own.remember(entry, record)
        return done

    def _retake(self, transcript: Transcript, own: Record) -> list[Event]:
        """Take an entry of ours that we had signed before a restart, and that the log does not have."""
        try:
            return self._after(transcript.take(own))
        except Refused:  # the log has it, or the others may have gone on otherwise: what they send decides
            return []

    def _after(self, done: list[Done]) -> list[Event]:
        """Tell of finished steps, then do what is ours to do in the step that waits now."""
        out: list[Event] = []
        for step in done:
            self.history.add(step)
            if step.records:
                out.append(events.Write(step.records))
            out.append(events.Stepped(step))
        transcript = self.begun()
        # Who may bring us back sees that we stand where they do, who waits at the end, that we have it.
        if done and (self._left_out() or transcript.step.kind == "over"):
            out.append(self.neighbours.where(None))
        return out + self._told(transcript) + self._duties(transcript)

    def _left_out(self) -> bool:
        """Whether we sit at the table, and play on no seat of it now."""
        seating = self.begun().seating
        return seating is not None and self.own.sit is not None and self.key not in seating.sits

    def _told(self, transcript: Transcript) -> list[Event]:
        if not transcript.over or self._ended:
            return []
        self._ended = True
        return [events.Ended(Result.of(transcript))]

    def _duties(self, transcript: Transcript) -> list[Event]:
        """Do what is ours in the step that waits now; nothing while we sleep or have signed a new charter."""
        out: list[Event] = []
        if not self.awake or self.frozen:
            return out
        for seat in [seat for seat in transcript.due() if transcript.peer(seat) == self.key]:
            if seat in transcript.due() and not self.frozen:
                out += self._duty(transcript, seat)
        return out

    def _duty(self, transcript: Transcript, seat: int) -> list[Event]:
        step = transcript.step
        signed = self._signed(transcript, seat)
        if signed is not None:
            return self._repeat(transcript, signed)
        if step.kind == "share":
            if transcript.draw > beacon.LENGTH:
                return [events.Spent()]
            return self._sign(transcript, seat, "share", (self.own.share(transcript.draw),))
        if step.kind == "result":
            return self._sign(transcript, seat, "result", result_body(transcript))
        if step.kind == "open":
            slot = (step.seals[seat][0], step.number - 1, seat)
            return self._sign(transcript, seat, "move", (self.own.sealed[slot], self.own.salt(*slot)))
        now = (len(transcript.charters), step.number, seat)
        if now in self._asked:
            return []
        back = self.council.bring_back()
        if back:
            return back
        self._asked = {now: None} if step.kind == "move" else {**self._asked, now: None}
        return [events.Asked(seat, step.kind == "seal")]

    def _signed(self, transcript: Transcript, seat: int) -> Record | None:
        """What we have signed for a slot of the step that waits, before a restart."""
        charter = transcript.seating.id if transcript.seating else b""
        return self.own.entries.get((charter, transcript.step.number, seat))

    def _repeat(self, transcript: Transcript, signed: Record) -> list[Event]:
        """Send the same bytes again; if they follow another past than that of the others, these decide."""
        try:
            done = transcript.take(signed)
        except Refused:
            return []
        return [Send(pack(signed)), *self._after(done)]

    def _seal(self, transcript: Transcript, seat: int, answers: tuple[Option, ...]) -> list[Event]:
        charter = transcript.seating.id if transcript.seating else b""
        salt = self.own.salt(charter, transcript.step.number, seat)
        seal = seal_of(charter, transcript.step.number, seat, answers, salt)
        return self._sign(transcript, seat, "seal", (seal,), kept=answers)

    def _sign(
        self,
        transcript: Transcript,
        seat: int,
        kind: str,
        body: tuple[Any, ...],
        kept: tuple[Option, ...] = (),
        turn: Turn[Any] | None = None,
    ) -> list[Event]:
        """Make an entry of ours: kept on disk first, then sent, then taken as anybody's is (session 4.1).

        ``turn`` is the move it makes, if it makes one that is played already.
        """
        charter = transcript.seating
        assert charter is not None
        entry = Entry(
            charter.id, transcript.step.number, transcript.head, transcript.digest(), seat, kind, body
        )
        record, keep = self.own.sign_entry(entry, kept)
        if not keep:  # signed before a restart: what it says counts, not what it would say now
            return self._repeat(transcript, record)
        done = transcript.take(
            record, entry, turn=turn, signed=self.key
        )  # who has just signed checks nothing
        return [*keep, Send(pack(record)), *self._after(done)]

    def _replayed(self, records: list[Record]) -> Transcript:
        twin = Transcript.begin(self.begun().opening.record, self.rules_for)
        for record in records:
            twin.charter(record) if record.kind == "charter" else twin.take(record)
        return twin

    def _ours(self, seat: int) -> Transcript:
        transcript = self.transcript
        if transcript is None or transcript.step.kind not in ("move", "seal") or seat not in transcript.due():
            raise LocalProtocolError(f"seat {seat} is not asked for a move now")
        if transcript.peer(seat) != self.key:
            raise LocalProtocolError(f"seat {seat} is not ours")
        if self.frozen or not self.awake:
            raise LocalProtocolError("the table waits: who plays is being settled")
        return transcript


def _unpacked(message: bytes) -> tuple[str, Any]:
    """The kind of a message, and all of it as it was unpacked."""
    try:
        value = wire.unpack(message)
    except BadMessage as error:
        raise Malformed(str(error)) from None
    if isinstance(value, tuple) and value and isinstance(value[0], str):
        return value[0], cast(Any, value)
    raise Malformed("a message without a kind")


def _read(kind: type[wire.T], value: Any, message: bytes) -> wire.T:
    try:
        return wire.shaped(kind, value, len(message))
    except BadMessage as error:
        raise Malformed(str(error), kind=kind.__name__.lower()) from None
