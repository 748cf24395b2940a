"""One peer at one table, without sockets, files or clock (session).

Messages go in by `receive`, what the player decides by `move`, `resign`, `go_on` …; what comes out is a list
of events, to be done in order. Tests connect sessions back to back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oaknet.kernel import Option, Rules
from oaknet.kernel.rules import Options, rules_digest
from oaknet_protocol import beacon, bodies, events, evidence, sync, wire
from oaknet_protocol.beacon import OutOfDraws
from oaknet_protocol.bodies import result_body, seal_of
from oaknet_protocol.council import Council
from oaknet_protocol.events import Event, Send
from oaknet_protocol.history import History
from oaknet_protocol.invite import key_hash
from oaknet_protocol.own import Own
from oaknet_protocol.refused import (
    BadCharter,
    BadSignature,
    Desync,
    Early,
    Elsewhere,
    Fault,
    Fork,
    Known,
    LocalProtocolError,
    Malformed,
    Refused,
)
from oaknet_protocol.result import Result
from oaknet_protocol.signing import Signer, verify
from oaknet_protocol.sync import Rings, Standing
from oaknet_protocol.table import Opening, RulesFor, Seating, check_sit, named_options, read
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

EARLY = 64
"""Entries of steps to come that are held for each author; what is beyond is sent again on request."""
EVIDENCE = 64
"""Refused records that are kept; and beside them the first fork or fault of each seat."""
FORKS = 256
"""Forks under one charter that are told apart: from the step of each those who go on may begin again."""


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

    ``transcript`` is None until the opening is known. ``sits`` are the sits known, by key. ``links`` has our
    neighbours and whom each says it reaches. ``own`` is what we have signed. ``evidence``
    holds refused records that were signed: ``(reason, records)``, two for a fork; ``cheats`` what convicts
    whom. ``awake`` is False after a restart until `wake`: before it has heard the others, a peer signs
    nothing new.
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
        self.evidence: list[tuple[str, tuple[Record, ...]]] = []
        self.sits: dict[bytes, tuple[Sit, Record]] = {}
        self.links: dict[bytes, Rings] = {}
        self.cheats: dict[bytes, Refused] = {}
        self.forks: dict[tuple[bytes, int], Fork] = {}  # of entries under this charter, by author and step
        self.history = History()
        self.own = own or Own(signer)
        self.awake = own is None
        self._signer = signer
        self._names = names
        self._nonce = nonce
        self._opener = opener
        self._council = Council(self)
        self._early: dict[tuple[int, int], tuple[bytes, Record]] = {}
        self._asked: dict[tuple[int, int, int], None] = {}  # slots of ours that the player knows of
        self._heads: dict[bytes, Head] = {}
        self._counters: dict[tuple[str, bytes], int] = {}
        self._accused: dict[tuple[str, int | None], None] = {}  # reason and seat of what was proved
        self._compared: dict[tuple[bytes, int], None] = {}  # peer and step at which transcripts differed
        self._ended = False
        self._logged = False  # whether the log has the opening

    @property
    def key(self) -> bytes:
        """Our public key."""
        return self._signer.key

    @property
    def frozen(self) -> bool:
        """Whether we have signed a charter that does not count yet: nothing under this one is signed."""
        return self._council.frozen

    @property
    def present(self) -> list[bytes]:
        """The keys that can be reached from here, over others too, and our own; ascending."""
        return sorted([self.key, *(key for ring in sync.rings(self.key, self.links) for key in ring)])

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
        out: list[Event] = [events.Opened(record), Send(pack(record)), self._links_to_all(transcript)]
        return out + self._sit(transcript.opening)

    def resume(self, record: Record, records: list[Record]) -> list[Event]:
        """Begin where a log stops; raises `Refused` if it is not whole.

        Our own entries that the log does not have yet are taken over; nothing new is signed before `wake`.
        """
        out = self.open(record)
        self._logged = True
        transcript = self.begun()
        for one in records:
            for done in transcript.charter(one) if one.kind == "charter" else transcript.take(one):
                self.history.add(done)
        whole = self.history.records()
        if len(whole) < len(records):  # it was cut within a step, which is written whole when it is complete
            out.append(events.Rewrite((record, *whole)))
        if transcript.seating is not None:
            for key, (data, signature) in self.sit_pairs().items():
                self.sits.setdefault(key, (decode(Sit, data), Record("sit", data, signature)))
        now = transcript.seating.charter.number if transcript.seating else 0
        for data, signature in self.own.charters.items():
            if decode(wire.Charter, data).number > now:
                self._council.remember(data, signature)
        for slot, own in sorted(self.own.entries.items(), key=lambda item: item[0][1]):
            if transcript.seating and slot[0] == transcript.seating.id and slot[1] >= transcript.step.number:
                out += self._retake(transcript, own)
        return out + self._told(transcript)

    def wake(self) -> list[Event]:
        """All in reach have been heard: sign again what is due."""
        self.awake = True
        if self.transcript is None:
            return []
        out = self._council.seat_all() + self._council.weigh_all()
        return out + self._duties(self.begun()) + self.late()

    def connected(self, key: bytes) -> list[Event]:
        """A connection to a peer is up: tell it what we have."""
        self.links[key] = ()
        transcript = self.transcript
        if transcript is None:
            return []
        self._council.returned(key)
        records = [transcript.opening.record]
        if transcript.seating is None:
            records += [record for _, record in self.sits.values()]
        records += [gathering.record for gathering in self._council.gatherings.open.values()]
        out: list[Event] = [Send(pack(record), key) for record in records]
        out += [self.where(key), self._links_to_all(transcript)]
        return out + self._council.seat_all()

    def lost(self, key: bytes) -> list[Event]:
        """A connection is over."""
        self.links.pop(key, None)
        self._heads.pop(key, None)
        return [self._links_to_all(self.transcript)] if self.transcript else []

    def sync(self) -> list[Event]:
        """Say again where we stand: for when the table stands still."""
        if self.transcript is None:
            return []
        records = [gathering.record for gathering in self._council.gatherings.open.values()]
        return [self.where(None), *(Send(pack(record)) for record in records)]

    def turn(self, seat: int) -> Turn[Any]:
        """The move that this charter seat of ours owes, to be filled; raises `LocalProtocolError`."""
        transcript = self._ours(seat)
        place = transcript.places.index(seat)
        sealed = transcript.step.kind == "seal"
        return Turn(transcript.game, place, played=transcript.played_seats(), sealed=sealed)

    def move(self, seat: int, answers: tuple[Option, ...]) -> list[Event]:
        """Make the move of a charter seat of ours; raises `LocalProtocolError` if it cannot be made now."""
        transcript = self._ours(seat)
        sealed = transcript.step.kind == "seal"
        try:
            turn = bodies.played(transcript, seat, answers, sealed=sealed)
            share = self.own.share(transcript.draw) if not sealed and turn.leads_to_draw() else b""
        except Fault as fault:
            raise LocalProtocolError(f"the move cannot be made: {fault.why}") from None
        except OutOfDraws as spent:
            raise LocalProtocolError(f"the move cannot be made: {spent}") from None
        if sealed:
            return self._seal(transcript, seat, answers) + self.late()
        return self._sign(transcript, seat, "move", (answers, share), turn=turn) + self.late()

    def resign(self, seat: int) -> list[Event]:
        """Give up a charter seat of ours, when it is asked; the stand-in plays on."""
        transcript = self._ours(seat)
        return self._sign(transcript, seat, "resign", ()) + self.late()

    def sit(self, names: tuple[str, ...]) -> list[Event]:
        """Take seats at a table that has not begun; a spectator becomes a player."""
        transcript = self.begun()
        if self.own.sit is not None or transcript.seating is not None:
            raise LocalProtocolError("this peer sits already, or the table has begun")
        self._names = names
        return self._sit(transcript.opening)

    def go_on(self, without: dict[bytes, int]) -> list[Event]:
        """Our player agrees to go on without these peers, each with why (`oaknet_protocol.table`).

        Raises `LocalProtocolError` where fewer than two seats would be played, or if no game is on.
        """
        return self._council.go_on(without)

    def let_back(self, key: bytes) -> list[Event]:
        """Our player lets a peer back that was left out while it owed a share."""
        return self._council.let_back(key)

    def join(self, charter: bytes) -> list[Event]:
        """Our player follows those who went on without us, and gives up what was played here since."""
        return self._council.join(charter)

    def propose_again(self) -> list[Event]:
        """A charter that we signed does not get its signatures: propose one with a higher number."""
        return self._council.propose_again() if self.transcript else []

    def chat(self, text: str, counter: int) -> list[Event]:
        """Say something; ``counter`` must rise with each message, over restarts too (a clock will do).

        Raises `LocalProtocolError` if it cannot be shown.
        """
        return self._say("chat", Chat(self.begun().table, self.key, counter, text))

    def at(self, addresses: tuple[tuple[str, int], ...], counter: int) -> list[Event]:
        """Say where we can be dialled; the newest counter counts."""
        return self._say("at", At(self.begun().table, self.key, counter, addresses))

    def receive(self, key: bytes, message: bytes) -> list[Event]:
        """Take a message that the peer with this key delivered; whose it is, its signature says.

        Never raises: what is wrong with a message is an event. After `Malformed` the connection should end.
        """
        record: Record | None = None
        try:
            kind = _kind(message)
            if kind == "head":
                return self._take_head(key, _read(Head, message))
            if kind == "links":
                return self._take_links(key, _read(Links, message))
            if kind == "proof":
                return self._take_proof(key, _read(Proof, message))
            record = _read(Record, message)
            return self._take(key, record)
        except Known:
            return []
        except Refused as refusal:
            return [*self._refuse(key, refusal, record), *self._compare(key, refusal)]

    # -- what the council asks of it -------------------------------------------------------------------------

    def begun(self) -> Transcript:
        """The transcript; raises `LocalProtocolError` before the opening is known."""
        if self.transcript is None:
            raise LocalProtocolError("the table is not known yet")
        return self.transcript

    def seated(self) -> dict[bytes, tuple[Sit, Record]]:
        """The sits of those present that fill the seats, in the order in which they came."""
        free, found = self.begun().opening.terms.seats, dict[bytes, tuple[Sit, Record]]()
        reach = self.present
        for key, (sit, record) in self.sits.items():
            if key in reach and len(sit.names) <= free:
                found[key] = (sit, record)
                free -= len(sit.names)
        return found

    def sit_pairs(self) -> dict[bytes, tuple[bytes, bytes]]:
        """The sits of the table as signed bytes and signature, by key."""
        pairs = {key: (record.data, record.signatures[0]) for key, (_, record) in self.sits.items()}
        for seating in self.begun().charters:
            pairs.update(zip(seating.sits, seating.charter.sits, strict=True))
        return pairs

    def where(self, key: bytes | None) -> Send:
        """Our head, for one peer or for all."""
        return Send(pack(sync.head(self.begun())), key)

    def level(self, key: bytes) -> bool:
        """Whether a peer's last head is ours."""
        return self._heads.get(key) == sync.head(self.begun())

    def split_from(self, key: bytes) -> bool:
        """Whether a peer's last head shows another transcript under the same charter."""
        transcript, head = self.begun(), self._heads.get(key)
        if head is None or head == sync.head(transcript):
            return False
        return sync.answer(transcript, self.history, head).standing is Standing.SPLIT

    def held(self) -> list[Record]:
        """Entries that wait, in the order of their steps."""
        return [record for _, (_, record) in sorted(self._early.items(), key=lambda item: item[0])]

    def forked(self, stay: Iterable[bytes]) -> list[Record]:
        """The entries of all proved forks whose authors are not among those who stay."""
        forks = [fork for (key, _), fork in self.forks.items() if key not in stay]
        return [record for fork in forks for record in (fork.first, fork.second)]

    def redeem(self, stay: Iterable[bytes]) -> list[Event]:
        """Take the right share of a cheat that is to be left out, where a wrong one has shut its slot here:
        others had the right one and have drawn, and nobody goes behind that (session 3.5)."""
        done: list[Done] = []
        for record in self.forked(stay):
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
        out = self.seat(seating)
        if not self._logged:
            out.append(events.Write((transcript.opening.record,)))
        return [*out, events.Started(seating), *self._after(done), *self.late()]

    def seat(self, seating: Seating) -> list[Event]:
        """Take the sits of a charter as if they had come alone (session 3.2)."""
        out: list[Event] = []
        for key, (data, signature) in zip(seating.sits, seating.charter.sits, strict=True):
            if key not in self.sits:
                self.sits[key] = (seating.sits[key], Record("sit", data, signature))
                out.append(events.Sat(seating.sits[key]))
        return out

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
        self.forks.clear()
        return self._after(done) + self.late()

    def late(self, *, rested: bool = False) -> list[Event]:
        """Take the entries that came before their step began, as long as there is one for the step now.

        Under a charter that we have signed away they rest, until ``rested`` says that it is time.
        """
        out: list[Event] = []
        while rested or not self._council.resting:
            now = sorted(slot for slot in self._early if slot[0] <= self.begun().step.number)
            if not now:
                break
            source, record = self._early.pop(now[0])
            try:
                out += self._take_entry(source, record, rested=rested)
            except Known:
                continue
            except Refused as refusal:
                out += [*self._refuse(source, refusal, record), *self._compare(source, refusal)]
        return out

    # -- setting the table -----------------------------------------------------------------------------------

    def _take(self, source: bytes, record: Record) -> list[Event]:
        if record.kind == "open":
            return self.open(record)
        if self.transcript is None:
            raise BadCharter("it comes before the opening", kind=record.kind)
        if record.kind == "sit":
            return self._take_sit(source, record)
        if record.kind == "charter":
            return self._council.take(source, record)
        if record.kind == "entry":
            return self._take_entry(source, record) + self.late() + self._council.retry()
        if record.kind in ("chat", "at"):
            return self._take_word(source, record)
        raise Malformed(f"a message of the unknown kind {record.kind}")

    def _sit(self, table: Opening) -> list[Event]:
        """Our own sit: kept first, then sent, and repeated as it is ever after (session 3.1)."""
        if not self._names and self.own.sit is None:
            return []
        record, keep = self.own.take_seats(table.table, self._names, self._nonce)
        sit = check_sit(table, record.data, record.signatures[0])
        self.sits[self.key] = (sit, record)
        return [*keep, Send(pack(record)), events.Sat(sit), *self._council.seat_all()]

    def _take_sit(self, source: bytes, record: Record) -> list[Event]:
        transcript = self.begun()
        sit = check_sit(transcript.opening, record.data, record.signatures[0])
        known = self.sits.get(sit.key)
        if known is not None:
            if known[1].data != record.data:
                raise BadCharter("a second sit of one key", kind="sit")
            return []
        if transcript.seating is not None or self.own.number:
            raise BadCharter("the table has begun without it", kind="sit")
        reach = self.present
        taken = sum(len(other.names) for key, (other, _) in self.sits.items() if key in reach)
        if taken + len(sit.names) > transcript.opening.terms.seats or len(self.sits) >= wire.MAX_LINKS:
            raise BadCharter("the table is full", kind="sit")
        self.sits[sit.key] = (sit, record)
        return [events.Sat(sit), *self._spread(record, source, sit.key), *self._council.seat_all()]

    # -- playing ---------------------------------------------------------------------------------------------

    def _take_entry(self, source: bytes, record: Record, *, rested: bool = False) -> list[Event]:
        transcript = self.begun()
        entry = read(Entry, record.data)
        key = transcript.peer(entry.author) if entry.author < transcript.opening.terms.seats else None
        if not rested and self._rests(entry):
            transcript.check_slot(record, entry)
            return self._hold(source, record, entry)
        try:
            done = transcript.take(record)
        except Early:
            return self._hold(source, record, entry)
        except Fault as fault:  # all others are to see it: its author may have shown it to us alone
            others = [other for other in self.links if other not in (source, key)]
            shown = [Send(pack(record), other) for other in others]
            return [*shown, *self._refuse(source, fault, record)]
        if key == self.key:
            self.own.remember(entry, record)
        return self._spread(record, source, key) + self._after(done)

    def _rests(self, entry: Entry) -> bool:
        """Whether an entry comes under a charter that we have signed away (session 3.5)."""
        transcript = self.begun()
        under = transcript.seating.id if transcript.seating else b""
        return self._council.resting and entry.charter == under and entry.step >= transcript.step.number

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

    def _retake(self, transcript: Transcript, own: Record) -> list[Event]:
        """Take an entry of ours that we had signed before a restart, and that the log does not have."""
        try:
            return self._after(transcript.take(own))
        except Refused:  # the others may have gone on otherwise: what they send decides
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
        if done and self._left_out():  # so that who may bring us back sees that we stand where they do
            out.append(self.where(None))
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
        back = self._council.bring_back()
        if back:
            return back
        self._asked = {now: None} if step.kind == "move" else {**self._asked, now: None}
        return [events.Asked(seat, step.kind == "seal")]

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
        try:
            done = transcript.take(record, turn)
        except Refused:
            if keep:
                raise
            return []  # signed before a restart, for a past that the others do not share: wait for them
        return [*keep, Send(pack(record)), *self._after(done)]

    # -- sync, evidence, words -------------------------------------------------------------------------------

    def _take_head(self, key: bytes, head: Head) -> list[Event]:
        """Send the peer what it lacks of the transcript, or our head if it is ahead (session 5.1)."""
        transcript = self.transcript
        if transcript is None or head.table != transcript.table:
            return []
        self._heads[key] = head
        found = sync.answer(transcript, self.history, head)
        out: list[Event] = [Send(pack(record), key) for record in found.records]
        if found.standing is Standing.AHEAD:
            out.append(self.where(key))
        if found.standing is Standing.SAME and transcript.seating is not None:
            out += self._council.bring_back()
        return out

    def _compare(self, key: bytes, refusal: Refused) -> list[Event]:
        """Show a peer whose entry follows another transcript where we stand, once a step (session 5.2)."""
        transcript = self.transcript
        if not isinstance(refusal, Elsewhere) or refusal.step is None or transcript is None:
            return []
        at = (key, transcript.step.number)
        if at in self._compared:
            return []
        self._compared[at] = None
        return [self.where(key)]

    def _links_to_all(self, transcript: Transcript) -> Send:
        return Send(pack(Links("links", transcript.table, sync.rings(self.key, self.links))))

    def _take_links(self, key: bytes, links: Links) -> list[Event]:
        transcript = self.transcript
        if transcript is None or links.table != transcript.table or key not in self.links:
            return []
        before = sync.rings(self.key, self.links)
        self.links[key] = links.rings
        after = sync.rings(self.key, self.links)
        for other in (other for ring in after for other in ring):
            self._council.returned(other)
        news: list[Event] = [self._links_to_all(transcript)] if after != before else []
        return news + self._council.seat_all()

    def _spread(self, record: Record, source: bytes, author: bytes | None) -> list[Event]:
        """Pass something checked on to the neighbours that do not hear its author (session 5.3)."""
        message = pack(record)
        return [
            Send(message, key)
            for key, heard in self.links.items()
            if key not in (source, author) and not (heard and author in heard[0])
        ]

    def _refuse(self, key: bytes, refusal: Refused, record: Record | None) -> list[Event]:
        out: list[Event] = [events.Rejected(key, refusal, record)]
        if record is None or isinstance(refusal, Malformed | BadSignature):
            return out
        proof = evidence.records(refusal, record)
        proved = isinstance(refusal, Fault | Fork | Desync)
        accused = (refusal.reason, refusal.author)
        if len(self.evidence) < EVIDENCE or (proved and accused not in self._accused):
            self.evidence.append((refusal.reason, proof))
        if proved:
            self._accused[accused] = None
        if isinstance(refusal, Fault | Fork):
            culprit = refusal.key or self.begun().peer(refusal.author or 0) or b""
            if isinstance(refusal, Fork):
                self._note_fork(culprit, refusal)
            out += self._caught(culprit, refusal, proof)
        return out

    def _note_fork(self, key: bytes, fork: Fork) -> None:
        """Remember at which step of this charter somebody has signed twice."""
        seating = self.begun().seating
        if fork.first.kind != "entry" or seating is None or len(self.forks) >= FORKS:
            return
        entry = read(Entry, fork.first.data)
        if entry.charter == seating.id:
            self.forks.setdefault((key, entry.step), fork)

    def _caught(self, key: bytes, refusal: Refused, proof: tuple[Record, ...]) -> list[Event]:
        """Note the first thing that convicts a peer, and tell the others of a fork (transcript 6.3)."""
        known = self.cheats.get(key)
        if isinstance(known, Fork) or (known is not None and not isinstance(refusal, Fork)):
            return []  # a fork, which can be proved to all, takes the place of a fault
        self.cheats[key] = refusal
        out: list[Event] = [events.Cheated(key, refusal, proof)]
        seating = self.begun().seating
        if isinstance(refusal, Fork) and refusal.first.kind == "entry" and seating is not None:
            out.append(Send(pack(Proof("proof", seating.record, refusal.first, refusal.second))))
        return out + self._council.weigh_all()

    def _take_proof(self, source: bytes, proof: Proof) -> list[Event]:
        """Believe a fork that somebody else has found, once it is checked (transcript 6.3)."""
        charters = self.transcript.charters if self.transcript else []
        seating = next((s for s in charters if s.record.data == proof.charter.data), None)
        key = evidence.forker(seating, proof.first, proof.second) if seating else None
        if key is None:
            return []
        entry = read(Entry, proof.first.data)
        now = self.begun().seating
        current = now is not None and entry.charter == now.id
        if (key, entry.step) in self.forks or (not current and isinstance(self.cheats.get(key), Fork)):
            return []
        why = f"seat {entry.author} signed two different entries for step {entry.step}"
        refusal = Fork(why, proof.first, proof.second, step=entry.step, author=entry.author, key=key)
        return self._refuse(source, refusal, proof.second)

    def _say(self, kind: str, word: Chat | At) -> list[Event]:
        data = pack(word)
        try:
            return self._take_word(self.key, Record(kind, data, self._signer.sign(kind, data)))
        except Malformed as refusal:
            raise LocalProtocolError(f"that cannot be said: {refusal.why}") from None

    def _take_word(self, source: bytes, record: Record) -> list[Event]:
        """Chat and addresses: signed, passed on; the newest counter of each author counts (session 5.5)."""
        word: Chat | At = read(Chat, record.data) if record.kind == "chat" else read(At, record.data)
        signed = verify(word.key, record.kind, record.data, record.signatures[0])
        if word.table != self.begun().table or not signed:
            raise BadSignature(f"a {record.kind} that its author has not signed", kind=record.kind)
        known = word.key in self.sits or word.key in self.present
        if not known or word.counter <= self._counters.get((record.kind, word.key), -1):
            return []
        self._counters[record.kind, word.key] = word.counter
        spread = self._spread(record, source, word.key) if source != self.key else [Send(pack(record))]
        if isinstance(word, Chat):
            return [events.Chatted(word.key, word.text), *spread]
        return [events.Addressed(word.key, word.addresses), *spread]

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


def _kind(message: bytes) -> str:
    try:
        value = wire.unpack(message)
    except BadMessage as error:
        raise Malformed(str(error)) from None
    if isinstance(value, tuple) and value and isinstance(value[0], str):
        return value[0]
    raise Malformed("a message without a kind")


def _read(kind: type[wire.T], message: bytes) -> wire.T:
    try:
        return decode(kind, message)
    except BadMessage as error:
        raise Malformed(str(error), kind=kind.__name__.lower()) from None
