"""One peer at one table, without sockets, files or clock (session 1–4).

Messages go in by `receive`, what the player decides by `move` and `resign`; what comes out is a list of
events, to be done in order. Tests connect two sessions back to back.
"""

from __future__ import annotations

from typing import Any

from oaknet.kernel import Option, Rules
from oaknet.kernel.rules import Options, checked_options, rules_digest
from oaknet_protocol import beacon, bodies, events, evidence, wire
from oaknet_protocol.beacon import Chain, OutOfDraws, u32
from oaknet_protocol.bodies import result_body, seal_of
from oaknet_protocol.events import Event, Keep, Send
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
from oaknet_protocol.signing import Signer, fingerprint
from oaknet_protocol.table import PLAYED, Opening, RulesFor, Seating, check_sit
from oaknet_protocol.transcript import Done, Transcript
from oaknet_protocol.turn import Turn
from oaknet_protocol.wire import BadMessage, Charter, Entry, Head, Open, Record, Sit, decode, pack

EARLY = 64
"""Entries of steps to come that are held for each author; what is beyond is sent again on request."""
GATHERED = 8
"""Charters whose signatures are gathered at the same time."""
EVIDENCE = 64
"""Refused records that are kept; and beside them the first fork or fault of each seat."""


def opening(
    signer: Signer, rules: Rules[Any], seats: int, options: Options, engine: str, nonce: bytes
) -> Record:
    """Open a table: signed by us, with every table option named; ``nonce`` is 32 random bytes.

    Raises `oaknet.kernel.WrongSeats` or `oaknet.kernel.BadOptions`.
    """
    named = tuple(checked_options(rules, seats, options).items())
    terms = Open(wire.VERSION, rules.name, rules_digest(rules), engine, named, seats, signer.key, nonce)
    data = pack(terms)
    return Record("open", data, signer.sign("open", data))


class Session:
    """A peer's side of one table.

    ``transcript`` is None until the opening is known. ``evidence`` holds refused records that were signed:
    ``(reason, records)``, two for a fork.
    """

    def __init__(
        self, signer: Signer, rules_for: RulesFor, names: tuple[str, ...], nonce: bytes, *, opener: bytes
    ) -> None:
        """A peer that takes a seat for each name; ``nonce`` is 32 random bytes for its chain.

        ``opener`` is the key that must have signed the opening (the invite names it).
        """
        self.transcript: Transcript | None = None
        self.evidence: list[tuple[str, tuple[Record, ...]]] = []
        self._signer = signer
        self.rules_for = rules_for
        self._names = names
        self._nonce = nonce
        self._opener = opener
        self._chain: Chain | None = None
        self._sits: dict[bytes, tuple[Sit, Record]] = {}
        self._gathering: dict[bytes, dict[bytes, bytes]] = {}  # charter bytes: signature by key
        self._signed = 0  # the highest charter number we have signed
        self._early: dict[tuple[int, int], Record] = {}
        self._sealed: dict[int, tuple[tuple[Option, ...], bytes]] = {}
        self._asked: dict[tuple[int, int, int], None] = {}  # slots of ours that the player knows of
        self._accused: dict[tuple[str, int | None], None] = {}  # reason and seat of what was proved
        self._compared: dict[tuple[bytes, int], None] = {}  # peer and step at which transcripts differed
        self._history: list[tuple[int, Record]] = []
        self._ended = False

    @property
    def key(self) -> bytes:
        """Our public key."""
        return self._signer.key

    # -- what the owner of the session does ------------------------------------------------------------------

    def open(self, record: Record) -> list[Event]:
        """Begin with an opening, ours or one that came with the invite; raises `Refused`."""
        if self.transcript is not None:
            return []
        transcript = Transcript.begin(record, self.rules_for)
        if transcript.opening.terms.key != self._opener:
            raise BadSignature("the table is opened by another key than the invite names", kind="open")
        self.transcript = transcript
        return [events.Opened(record), Send(pack(record)), *self._sit(transcript.opening)]

    def connected(self, key: bytes) -> list[Event]:
        """A connection to a peer is up: tell it what we have."""
        transcript = self.transcript
        if transcript is None:
            return []
        records = [transcript.opening.record, *(record for _, record in self._sits.values())]
        for data, signatures in self._gathering.items():
            records.append(self._charter_record(data, signatures))
        return [*(Send(pack(record), key) for record in records), self._where(transcript, key)]

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
        except Fault as fault:
            raise LocalProtocolError(f"the move cannot be made: {fault.why}") from None
        if sealed:
            return self._seal(transcript, seat, answers) + self._late(transcript)
        try:
            share = self._share(transcript) if turn.leads_to_draw() else b""
        except OutOfDraws as spent:
            raise LocalProtocolError(f"the move cannot be made: {spent}") from None
        return self._sign(transcript, seat, "move", (answers, share), turn=turn) + self._late(transcript)

    def resign(self, seat: int) -> list[Event]:
        """Give up a charter seat of ours, when it is asked; the stand-in plays on."""
        transcript = self._ours(seat)
        return self._sign(transcript, seat, "resign", ()) + self._late(transcript)

    def receive(self, key: bytes, message: bytes) -> list[Event]:
        """Take a message that the peer with this key delivered; whose it is, its signature says.

        Never raises: what is wrong with a message is an event. After `Malformed` the connection should end.
        """
        record: Record | None = None
        try:
            kind = _kind(message)
            if kind == "head":
                return self._head(key, message)
            record = _record(message)
            return self._take(record)
        except Known:
            return []
        except Refused as refusal:
            return [*self._refuse(key, refusal, record), *self._compare(key, refusal)]

    # -- setting the table -----------------------------------------------------------------------------------

    def _take(self, record: Record) -> list[Event]:
        if record.kind == "open":
            return self.open(record)
        transcript = self.transcript
        if transcript is None:
            raise BadCharter("it comes before the opening", kind=record.kind)
        if record.kind == "sit":
            return self._take_sit(transcript, record)
        if record.kind == "charter":
            return self._take_charter(transcript, record)
        if record.kind == "entry":
            return self._take_entry(transcript, record)
        raise Malformed(f"a message of the unknown kind {record.kind}")

    def _sit(self, table: Opening) -> list[Event]:
        """Our own sit: kept first, then sent, and repeated as it is ever after (session 3.1)."""
        secret = self._signer.secret("chain", table.table + self._nonce)
        self._chain = Chain(table.table, self.key, secret)
        data = pack(Sit(table.table, self.key, self._names, self._nonce, self._chain.tip))
        record = Record("sit", data, self._signer.sign("sit", data))
        sit = check_sit(table, data, record.signatures[0])
        self._sits[self.key] = (sit, record)
        out: list[Event] = [Keep(pack(record)), Send(pack(record)), events.Sat(sit)]
        return out + self._propose(table)

    def _take_sit(self, transcript: Transcript, record: Record) -> list[Event]:
        sit = check_sit(transcript.opening, record.data, record.signatures[0])
        known = self._sits.get(sit.key)
        if known is not None:
            if known[1].data != record.data:
                raise BadCharter("a second sit of one key", kind="sit")
            return []
        if transcript.seating is not None or self._signed:
            raise BadCharter("the table has begun without it", kind="sit")
        taken = sum(len(other.names) for other, _ in self._sits.values())
        if taken + len(sit.names) > transcript.opening.terms.seats:
            raise BadCharter("the table is full", kind="sit")
        self._sits[sit.key] = (sit, record)
        return [events.Sat(sit), *self._propose(transcript.opening)]

    def _propose(self, table: Opening) -> list[Event]:
        """When all seats are taken the lowest key present proposes the first charter (session 3.2)."""
        order = sorted(self._sits)
        names = [name for key in order for name in self._sits[key][0].names]
        if len(names) != table.terms.seats or self.key != order[0] or self._signed:
            return []
        sits = tuple((record.data, record.signatures[0]) for _, record in (self._sits[key] for key in order))
        seats = tuple((index, PLAYED) for index, key in enumerate(order) for _ in self._sits[key][0].names)
        data = pack(Charter(table.table, 1, (), 1, (), sits, seats))
        return self._take_charter(self._begun(), self._charter_record(data, {}))

    def _take_charter(self, transcript: Transcript, record: Record) -> list[Event]:
        """Gather the signatures of a first charter; sign the first that seats us as we sit (session 3.3)."""
        if any(seating.record.data == record.data for seating in transcript.charters):
            return []
        self._check_rivals(transcript, record)
        seating = Seating.check(transcript.opening, record, transcript.seating, whole=False)
        if transcript.seating is not None:
            raise BadCharter("who plays here is settled", kind="charter")
        own = self._sits.get(self.key)
        if own is None or (own[1].data, own[1].signatures[0]) not in seating.charter.sits:
            raise BadCharter("it does not seat this peer as it sits", kind="charter")
        for sit, (data, signature) in zip(seating.sits.values(), seating.charter.sits, strict=True):
            known = self._sits.setdefault(sit.key, (sit, Record("sit", data, signature)))
            if known[1].data != data:
                raise BadCharter("a second sit of one key", kind="charter")
        if len(self._gathering) >= GATHERED and record.data not in self._gathering:
            raise BadCharter("too many charters at once", kind="charter")
        signatures = self._gathering.setdefault(record.data, {})
        before = len(signatures)
        signatures.update({key: one for key, one in zip(seating.sits, record.signatures, strict=True) if one})
        out: list[Event] = []
        if seating.charter.number > self._signed:
            self._signed = seating.charter.number
            signatures[self.key] = self._signer.sign("charter", record.data)
            out.append(Keep(pack(("charter", record.data, signatures[self.key]))))
        gathered = self._charter_record(record.data, signatures)
        if len(signatures) > before:
            out.append(Send(pack(gathered)))
        if len(signatures) == len(seating.sits) and seating.charter.number == self._signed:
            done = transcript.charter(gathered)
            self._gathering.clear()
            started = transcript.seating
            assert started is not None
            out += [events.Write((transcript.opening.record, gathered)), events.Started(started)]
            out += self._after(transcript, done[1:])
        return out

    def _check_rivals(self, transcript: Transcript, record: Record) -> None:
        """Two charters of one number signed by one peer are a fork (transcript 6.3)."""
        gathered = [(self._charter_record(*item), transcript.seating) for item in self._gathering.items()]
        befores = (None, *transcript.charters)
        past = [(one.record, before) for one, before in zip(transcript.charters, befores, strict=False)]
        for other, before in (*gathered, *past):
            for key in evidence.charter_forkers(transcript.opening, before, other, record):
                raise Fork(f"{fingerprint(key)} signed two charters of one number", other, record)

    def _charter_record(self, data: bytes, signatures: dict[bytes, bytes]) -> Record:
        charter = decode(Charter, data)
        keys = [decode(Sit, sit).key for sit, _ in charter.sits]
        return Record("charter", data, tuple(signatures.get(key, b"") for key in keys))

    # -- playing ---------------------------------------------------------------------------------------------

    def _take_entry(self, transcript: Transcript, record: Record) -> list[Event]:
        try:
            done = transcript.take(record)
        except Early as early:
            self._hold(record, early)
            return []
        return self._after(transcript, done) + self._late(transcript)

    def _hold(self, record: Record, early: Early) -> None:
        """Keep an entry of a step to come; two for one slot are a fork already."""
        step, author = early.step, early.author
        assert step is not None
        assert author is not None
        held = self._early.get((step, author))
        if held is None:
            if sum(other == author for _, other in self._early) < EARLY:
                self._early[step, author] = record
        elif held.data != record.data:
            why = f"seat {author} signed two different entries for step {step}"
            raise Fork(why, held, record, step=step, author=author)

    def _after(self, transcript: Transcript, done: list[Done]) -> list[Event]:
        """Tell of finished steps, then do what is ours to do in the step that waits now."""
        out: list[Event] = []
        for step in done:
            self._history += [(step.number, record) for record in step.records]
            if step.records:
                out.append(events.Write(step.records))
            out.append(events.Stepped(step))
        if transcript.over and not self._ended:
            self._ended = True
            out.append(events.Ended(Result.of(transcript)))
        mine = [seat for seat in transcript.due() if transcript.peer(seat) == self.key]
        for seat in mine:
            if seat in transcript.due():
                out += self._duty(transcript, seat)
        return out

    def _duty(self, transcript: Transcript, seat: int) -> list[Event]:
        step = transcript.step
        if step.kind == "share":
            if transcript.draw > beacon.LENGTH:
                return [events.Spent()]
            return self._sign(transcript, seat, "share", (self._share(transcript),))
        if step.kind == "result":
            return self._sign(transcript, seat, "result", result_body(transcript))
        if step.kind == "open":
            return self._sign(transcript, seat, "move", self._sealed.pop(seat))
        slot = (len(transcript.charters), step.number, seat)
        if slot in self._asked:
            return []
        self._asked = {slot: None} if step.kind == "move" else {**self._asked, slot: None}
        return [events.Asked(seat, step.kind == "seal")]

    def _late(self, transcript: Transcript) -> list[Event]:
        """Take the entries that came before their step began, as long as there is one for the step now."""
        out: list[Event] = []
        while now := sorted(slot for slot in self._early if slot[0] <= transcript.step.number):
            record, key = self._early.pop(now[0]), transcript.peer(now[0][1])
            assert key is not None
            try:
                out += self._after(transcript, transcript.take(record))
            except Known:
                continue
            except Refused as refusal:
                out += [*self._refuse(key, refusal, record), *self._compare(key, refusal)]
        return out

    def _seal(self, transcript: Transcript, seat: int, answers: tuple[Option, ...]) -> list[Event]:
        charter = transcript.seating.id if transcript.seating else b""
        salt = self._signer.secret("salt", charter + u32(transcript.step.number) + u32(seat))
        seal = seal_of(charter, transcript.step.number, seat, answers, salt)
        self._sealed[seat] = (answers, salt)
        return self._sign(transcript, seat, "seal", (seal,), kept=answers)

    def _share(self, transcript: Transcript) -> bytes:
        assert self._chain is not None
        return self._chain.share(transcript.draw)

    def _sign(
        self,
        transcript: Transcript,
        seat: int,
        kind: str,
        body: tuple[Any, ...],
        kept: Any = (),
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
        data = pack(entry)
        record = Record("entry", data, self._signer.sign("entry", data))
        message = pack(record)
        keep = Keep(pack(("entry", data, record.signature, kept)))
        return [keep, Send(message), *self._after(transcript, transcript.take(record, turn))]

    # -- sync and evidence -----------------------------------------------------------------------------------

    def _head(self, key: bytes, message: bytes) -> list[Event]:
        """Send the peer what it lacks of the transcript (session 5.1)."""
        transcript = self.transcript
        head = _head_of(message)
        if transcript is None or head.table != transcript.table:
            return []
        ids = tuple(seating.id for seating in transcript.charters)
        same = len(head.charters) if head.charters == ids[: len(head.charters)] else 0
        if head.prev != transcript.heads.get(head.step, head.prev):
            same = 0  # apart: in all that we hold is the slot that proves who signed twice
        charters = [pack(seating.record) for seating in transcript.charters[same:]]
        step = head.step if same else 0
        entries = [pack(record) for number, record in self._history if number >= step]
        pending = [pack(filled.record) for filled in transcript.step.entries.values()]
        return [Send(part, key) for part in (*charters, *entries, *pending)]

    def _where(self, transcript: Transcript, key: bytes) -> Send:
        ids = tuple(seating.id for seating in transcript.charters)
        return Send(pack(Head("head", transcript.table, ids, transcript.step.number, transcript.head)), key)

    def _compare(self, key: bytes, refusal: Refused) -> list[Event]:
        """Ask a peer whose entry follows another transcript for all of it, once a step (session 5.2)."""
        transcript = self.transcript
        if not isinstance(refusal, Elsewhere) or refusal.step is None or transcript is None:
            return []
        at = (key, transcript.step.number)
        if at in self._compared:
            return []
        self._compared[at] = None
        return [self._where(transcript, key)]

    def _refuse(self, key: bytes, refusal: Refused, record: Record | None) -> list[Event]:
        if record is not None and not isinstance(refusal, Malformed | BadSignature):
            proved = isinstance(refusal, Fault | Fork | Desync)
            accused = (refusal.reason, refusal.author)
            if len(self.evidence) < EVIDENCE or (proved and accused not in self._accused):
                self.evidence.append((refusal.reason, evidence.records(refusal, record)))
            if proved:
                self._accused[accused] = None
        return [events.Rejected(key, refusal, record)]

    def _begun(self) -> Transcript:
        assert self.transcript is not None
        return self.transcript

    def _ours(self, seat: int) -> Transcript:
        transcript = self.transcript
        if transcript is None or transcript.step.kind not in ("move", "seal") or seat not in transcript.due():
            raise LocalProtocolError(f"seat {seat} is not asked for a move now")
        if transcript.peer(seat) != self.key:
            raise LocalProtocolError(f"seat {seat} is not ours")
        return transcript


def _kind(message: bytes) -> str:
    try:
        value = wire.unpack(message)
    except BadMessage as error:
        raise Malformed(str(error)) from None
    if isinstance(value, tuple) and value and isinstance(value[0], str):
        return value[0]
    raise Malformed("a message without a kind")


def _record(message: bytes) -> Record:
    try:
        return decode(Record, message)
    except BadMessage as error:
        raise Malformed(str(error)) from None


def _head_of(message: bytes) -> Head:
    try:
        return decode(Head, message)
    except BadMessage as error:
        raise Malformed(str(error), kind="head") from None
