"""The transcript: what every peer and the verifier run, fed with charters and entries (transcript 3–5).

It does not know which seat it serves, so that nobody can be favoured: a peer's own entries go through it as
everybody else's do.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, TypedDict

from msgspec import Struct

from oaknet.kernel import CHANCE, Game, H, Option, Rng
from oaknet.kernel.rng import sample
from oaknet_protocol import beacon, bodies
from oaknet_protocol.bodies import Filled, Step
from oaknet_protocol.refused import (
    BadCharter,
    BadSignature,
    Desync,
    Early,
    Elsewhere,
    Fault,
    Fork,
    Known,
    NotDue,
    Refused,
)
from oaknet_protocol.signing import verify
from oaknet_protocol.table import RESIGNED, Opening, RulesFor, Seating, read
from oaknet_protocol.turn import Answer, Turn, stand_in
from oaknet_protocol.wire import Entry, Record, canonical


class Where(TypedDict):
    """Where a refused entry belongs."""

    step: int
    kind: str
    author: int


class Done(Struct, frozen=True):
    """A step that is complete, or a charter that was taken: what it adds to the log, and what it led to.

    ``records`` are its entries by author, without those that stand before a charter already; of a charter
    the entries that it takes over, then itself. ``line`` has the answers of seats, stand-ins and chance, by
    seat of the rules, in the order in which they were given. ``charters`` counts the charters before it,
    ``head`` is T as it began.
    """

    number: int
    kind: str
    records: tuple[Record, ...]
    line: tuple[Answer, ...]
    charters: int
    head: bytes


@dataclass(slots=True)
class Transcript:
    """One table from its opening to its result.

    ``game`` is the position now (read it, do not write to it); ``places[seat of the rules]`` is the charter
    seat that plays it, empty before draw 1; ``step`` is what is waited for; ``head`` is T, 32 bytes, and
    ``heads`` what it was as each step began; ``owed`` are the keys that were left out of a draw while they
    owed a share for it.
    """

    opening: Opening
    game: Game[Any]
    seating: Seating | None = None
    places: tuple[int, ...] = ()
    owed: list[bytes] = field(default_factory=list[bytes])
    resigned: list[int] = field(default_factory=list[int])
    draw: int = 1
    head: bytes = b""
    heads: dict[int, bytes] = field(default_factory=dict[int, bytes])
    final: bytes = b""
    step: Step = field(default_factory=lambda: Step("none", 0))
    charters: list[Seating] = field(default_factory=list[Seating])
    slots: dict[tuple[bytes, int, int], Record] = field(default_factory=dict[tuple[bytes, int, int], Record])
    chains: beacon.Chains = field(default_factory=lambda: beacon.Chains(b""))
    _sits: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])
    _digest: bytes = b""

    @classmethod
    def begin(cls, record: Record, rules_for: RulesFor) -> Transcript:
        """A table from its opening; raises `Refused`."""
        opening = Opening.check(record, rules_for)
        game = Game[Any].new(opening.rules, opening.terms.seats, opening.options)
        return cls(opening, game, chains=beacon.Chains(opening.table))

    # -- reading ---------------------------------------------------------------------------------------------

    @property
    def table(self) -> bytes:
        """The id of the table, 32 bytes."""
        return self.opening.table

    @property
    def over(self) -> bool:
        """Whether the game is over, confirmed or not."""
        return self.step.kind in ("result", "over")

    def digest(self) -> bytes:
        """The digest of the position, 32 bytes."""
        if not self._digest:
            self._digest = H("state", canonical(self.game.position))
        return self._digest

    def played(self, seat: int) -> bool:
        """Whether a peer plays this charter seat."""
        return bool(self.seating and self.seating.peers[seat]) and seat not in self.resigned

    def plays(self, key: bytes) -> bool:
        """Whether a peer plays any seat."""
        return any(self.played(seat) for seat in self._seats(key))

    def played_seats(self) -> tuple[int, ...]:
        """The seats of the rules that a peer plays."""
        return tuple([seat for seat, place in enumerate(self.places) if self.played(place)])

    def peer(self, seat: int) -> bytes | None:
        """The key of a charter seat's peer."""
        return self.seating.peers[seat] if self.seating else None

    def due(self) -> tuple[int, ...]:
        """The charter seats whose entry this step waits for, ascending."""
        step, seating = self.step, self.seating
        if seating is None:
            return ()
        if step.kind == "share":
            got = [*step.shares, *[filled.key for filled in step.entries.values()]]
            owing = [key for key in step.contributors if key not in got and key in seating.sits]
            return tuple(sorted([seat for key in owing if (seat := seating.author(key)) is not None]))
        if step.kind == "result":
            keys = [key for key in seating.sits if self.plays(key)]
            seats = [seat for key in keys if (seat := seating.author(key)) is not None]
            return tuple(sorted(seat for seat in seats if seat not in step.entries))
        return tuple([seat for seat in step.asked if seat not in step.entries and self.played(seat)])

    def scores(self) -> tuple[int, ...]:
        """The points by charter seat, then whatever scores the rules keep beside the seats."""
        scores = self.opening.rules.score(self.game.state)
        if not self.places:
            return scores
        seats = len(self.places)
        return tuple(scores[self.places.index(seat)] for seat in range(seats)) + scores[seats:]

    def winners(self) -> tuple[int, ...]:
        """The charter seats that win, ascending; who is left alone by resignations wins."""
        if not self.over:
            return ()
        if self.game.pending:
            return tuple(seat for seat in range(len(self.places)) if self.played(seat))
        return tuple(sorted(self.places[seat] for seat in self.opening.rules.winners(self.game.state)))

    @property
    def confirmed(self) -> tuple[int, ...]:
        """The charter seats whose peers have signed the result, ascending."""
        return tuple(sorted(self.step.entries)) if self.over else ()

    # -- charters --------------------------------------------------------------------------------------------

    def charter(self, record: Record) -> list[Done]:
        """Take a charter with all its signatures; returns it as a step, and those it completed.

        Raises `Refused`.
        """
        seating = Seating.check(self.opening, record, self.seating)
        repeated = self.check_charter(seating)
        first, step, head, owing = self.seating is None, self.step, self.head, self.owing(seating.sits)
        written = [author for author in sorted(step.entries) if author not in step.given]
        for key, (data, _) in zip(seating.sits, seating.charter.sits, strict=True):
            self._sits[key] = data
            self.chains.commit(key, seating.sits[key].tip)
        self.seating = seating
        self.charters.append(seating)
        self.draw = seating.charter.draw
        self.owed.extend(key for key in owing if key not in self.owed)
        line: list[Answer] = []
        self.head = self.heads[step.number] = H("start", seating.id)
        if first or repeated:
            self.step = Step("share", step.number, contributors=self._contributors())
        elif step.kind in ("move", "seal") and not step.entries:
            self.step = Step("none", step.number)
            self._wait(line)
        else:
            step.given = tuple(sorted(step.entries))
        records = (*(step.entries[author].record for author in written), record)
        done = Done(step.number, "charter", records, tuple(line), len(self.charters) - 1, head)
        return [done, *self._close()]

    def owing(self, stay: Collection[bytes]) -> list[bytes]:
        """Who is left out of the pending draw, if just these peers stay, without having given its share."""
        step = self.step
        gave = [*step.shares, *(filled.key for filled in step.entries.values())]
        return [key for key in step.contributors if key not in stay and key not in gave]

    def forget(self, given: tuple[bytes, ...]) -> None:
        """Drop the entries of this step that a charter does not take over: they did not reach its peers."""
        entries = self.step.entries
        self.step.entries = {a: filled for a, filled in entries.items() if filled.record.id in given}

    def check_charter(self, seating: Seating) -> bool:
        """Check a charter against the step it stands in; returns whether the pending draw is made afresh.

        Raises `BadCharter`; changes nothing.
        """
        if self.over:
            raise BadCharter("the game is over", kind="charter")
        self._check_sits(seating)
        return self.seating is not None and self._check_next(seating, self.seating)

    def _check_sits(self, seating: Seating) -> None:
        """A key sits once at a table, ever, so that its chain is never chosen again (transcript 1.3)."""
        for key, (data, _) in zip(seating.sits, seating.charter.sits, strict=True):
            if self._sits.get(key, data) != data:
                raise BadCharter("a second sit of one key", kind="charter")

    def _check_joining(self, seating: Seating, before: Seating) -> None:
        """Nobody joins while a draw is pending, so that its cost is a seat that stays empty (transcript
        2.4)."""
        if self.step.kind == "share" and any(key not in before.sits for key in seating.sits):
            raise BadCharter("nobody joins a draw that has begun", kind="charter")

    def _afresh(self, seating: Seating) -> bool:
        """Whether the pending draw is made afresh: if who owes its share is left out (transcript 2.5)."""
        return bool(self.owing(seating.sits))

    def _check_next(self, seating: Seating, before: Seating) -> bool:
        charter, step = seating.charter, self.step
        if charter.parent != (before.id, step.number, self.head):
            raise BadCharter("it goes on from another step", kind="charter")
        given = tuple(step.entries[author].record.id for author in sorted(step.entries))
        if charter.given != given:
            raise BadCharter("it does not name the entries of its step", kind="charter")
        for seat, peer in enumerate(seating.peers):
            owner = self.charters[0].peers[seat]
            if peer is not None and peer != owner:
                raise BadCharter("it gives a seat to another peer", kind="charter")
            if seating.why[seat] == RESIGNED and seat not in self.resigned:
                raise BadCharter("it says that somebody resigned who did not", kind="charter")
        played = [s for s, peer in enumerate(seating.peers) if peer is not None and s not in self.resigned]
        if len(played) < min(2, len(seating.peers)):
            raise BadCharter("it leaves fewer than two seats played", kind="charter")
        self._check_joining(seating, before)
        afresh = self._afresh(seating)
        lowest = self.draw + 1 if afresh else self.draw
        pinned = step.kind == "share" and not afresh
        if not lowest <= charter.draw <= (lowest if pinned else beacon.LENGTH):
            raise BadCharter(f"it goes on with draw {charter.draw} where {lowest} is next", kind="charter")
        return afresh

    # -- entries ---------------------------------------------------------------------------------------------

    def take(
        self,
        record: Record,
        entry: Entry | None = None,
        *,
        turn: Turn[Any] | None = None,
        signed: bytes = b"",
    ) -> list[Done]:
        """Take one entry; returns the steps that it completed.

        What has been done with it before is not done again: ``entry`` is what its bytes say, ``turn`` what
        `bodies.played` has made of its answers, ``signed`` a key whose signature is known to be good.

        Raises `Refused`; then nothing has changed, except that a signed entry shuts its slot.
        """
        entry = entry or read(Entry, record.data)
        author = entry.author
        try:
            key = self.check_slot(record, entry, signed=signed)
            if entry.step > self.step.number and self.step.kind != "over":
                raise Early(f"step {entry.step} has not begun")
            self.slots[entry.charter, entry.step, author] = record
            self._check_due(entry)
            filled = bodies.check(self, record, entry, key, turn)
        except (NotDue, Elsewhere, Desync, Fault, Early) as refusal:
            refusal.author = author
            raise refusal.at(entry.step, entry.kind) from None
        self.step.entries[author] = filled
        return self._close()

    def redeems(self, record: Record, entry: Entry) -> bool:
        """Whether a share comes for a slot of this step that something refused has shut (transcript 5.3)."""
        shut = self.slots.get((entry.charter, entry.step, entry.author))
        if shut is None or self.step.kind != "share" or entry.step != self.step.number:
            return False
        return shut.data != record.data and entry.kind == "share" and entry.author in self.due()

    def fits(self, key: bytes, entry: Entry) -> bool:
        """Whether an entry has the share that this peer owes in the draw that is pending (beacon 3.2)."""
        share = entry.body[0] if entry.kind == "share" and len(entry.body) == 1 else None
        if self.step.kind != "share" or entry.step != self.step.number or not isinstance(share, bytes):
            return False
        try:
            self.chains.check(key, self.draw, share)
        except (beacon.BadShare, beacon.OutOfDraws):
            return False
        return True

    def redeem(self, record: Record, entry: Entry) -> list[Done]:
        """Take a share for a shut slot if it is the right one: there is only one, and others may have it.

        Returns the steps that it completed, none if it changes nothing.
        """
        if not self.redeems(record, entry):
            return []
        shut = self.slots.pop((entry.charter, entry.step, entry.author))
        try:
            return self.take(record)
        except Refused:
            self.slots[entry.charter, entry.step, entry.author] = shut
            return []

    def check_slot(self, record: Record, entry: Entry, *, signed: bytes = b"") -> bytes:
        """Check who signed and that the slot is free; returns the author's key. Raises `Refused`."""
        seating = self.seating
        if seating is None:
            raise Elsewhere("an entry before any charter")
        if entry.charter != seating.id:
            raise Elsewhere("an entry under another charter")
        key = seating.peers[entry.author] if entry.author < len(seating.peers) else None
        if key is None:
            raise NotDue(f"nobody plays seat {entry.author}")
        slot = (entry.charter, entry.step, entry.author)
        at: Where = {"step": entry.step, "kind": entry.kind, "author": entry.author}
        known = self.slots.get(slot)
        if known is not None and known.data == record.data:
            raise Known("the same entry again", **at)
        if record.kind != "entry" or (
            signed != key and not verify(key, "entry", record.data, record.signatures[0])
        ):
            raise BadSignature(f"not signed by the peer of seat {entry.author}", **at)
        if known is not None:
            why = f"seat {entry.author} signed two different entries for step {entry.step}"
            raise Fork(why, known, record, step=entry.step, author=entry.author, key=key)
        return key

    def _check_due(self, entry: Entry) -> None:
        if self.step.kind == "over":
            raise NotDue("an entry after the end")
        if entry.step != self.step.number or entry.author not in self.due():
            raise NotDue(f"seat {entry.author} was not due in step {entry.step}")
        if entry.prev != self.head:
            raise Elsewhere("an entry that follows another transcript")
        if entry.state != self.digest():
            raise Desync("an entry that builds on another state of the game")

    # -- steps -----------------------------------------------------------------------------------------------

    def _close(self) -> list[Done]:
        """End every step that has all it waits for, and begin the next."""
        done: list[Done] = []
        while self.step.kind not in ("none", "over") and not self.due():
            step, head = self.step, self.head
            entries = [step.entries[author] for author in sorted(step.entries)]
            self.head = H("step", self.head, *(filled.record.id for filled in entries))
            self.heads[step.number + 1] = self.head
            self.step = Step("none", step.number + 1)
            line: list[Answer] = []
            end = {"share": self._drawn, "move": self._moved, "seal": self._sealed, "open": self._opened}
            if step.kind == "result":
                self.step = Step("over", step.number + 1, entries=step.entries)
            else:
                end[step.kind](step, entries, line)
            records = tuple(filled.record for filled in entries if filled.author not in step.given)
            done.append(Done(step.number, step.kind, records, tuple(line), len(self.charters), head))
        return done

    def _drawn(self, step: Step, entries: list[Filled], line: list[Answer]) -> None:
        """A draw: all shares make the seed, and chance answers with it until a seat is asked (beacon 4)."""
        shares = {**step.shares, **{filled.key: filled.share for filled in entries}}
        for key, share in shares.items():
            self.chains.reveal(key, self.draw, share)
        rng = Rng(beacon.seed(self.table, self.draw, shares))
        self.draw += 1
        if not self.places:
            self.places = rng.shuffled(len(self.seating.peers) if self.seating else 0)
        self._wait(line, rng)

    def _moved(self, step: Step, entries: list[Filled], line: list[Answer]) -> None:
        (filled,) = entries
        if filled.turn is None:
            self.resigned.append(filled.author)
            self._wait(line)
            return
        self.game = filled.turn.game
        self._digest = b""
        line.extend(filled.turn.line)
        self._wait(line, shares={filled.key: filled.share} if filled.share else {})

    def _sealed(self, step: Step, entries: list[Filled], line: list[Answer]) -> None:
        self.resigned.extend(filled.author for filled in entries if not filled.seal)
        sealed = [filled for filled in entries if filled.seal]
        seals = {f.author: (read(Entry, f.record.data).charter, f.seal) for f in sealed}
        self.step = Step("open", self.step.number, asked=tuple(seals), seals=seals)

    def _opened(self, step: Step, entries: list[Filled], line: list[Answer]) -> None:
        """Sealed moves are applied in the order of the rules' seats, whoever opened first.

        For all others of the phase the stand-in answers, also for who is back since: it has seen the moves.
        """
        asked, phase = self.game.pending, _phase(self.game)
        by_seat = {self.places.index(filled.author): filled for filled in entries}
        for seat in sorted(by_seat):
            turn = by_seat[seat].turn
            for option in turn.answers if turn else ():
                self._answer(seat, option, line)
        for seat in (ask.seat for ask in asked if ask.seat not in by_seat):
            while self.game.asked(seat) is not None and _phase(self.game) is phase:
                line.append(stand_in(self.game, seat))
                self._digest = b""
        self._wait(line)

    def _answer(self, seat: int, option: Option, line: list[Answer]) -> None:
        self.game.answer(seat, option)
        self._digest = b""
        line.append((seat, option))

    def _wait(
        self, line: list[Answer], rng: Rng | None = None, shares: dict[bytes, bytes] | None = None
    ) -> None:
        """Begin the next step: chance (with a seed) and stand-ins answer until somebody owes something."""
        number = self.step.number
        played = self.played_seats()
        while True:
            pending = self.game.pending
            if not pending or len(played) < min(2, len(self.places)):
                self.final = self.head
                self.step = Step("result", number)
                return
            if pending[0].seat == CHANCE:
                if rng is None:
                    break
                self._answer(CHANCE, sample(rng, pending[0]), line)
                continue
            rng = None  # a decision after a result starts a new draw
            asked = [ask.seat for ask in pending if ask.seat in played]
            if asked:
                seats = tuple(sorted(self.places[seat] for seat in asked))
                self.step = Step("move" if len(seats) == 1 else "seal", number, asked=seats)
                return
            line.append(stand_in(self.game, pending[0].seat))
            self._digest = b""
        self.step = Step("share", number, contributors=self._contributors(), shares=shares or {})

    def _contributors(self) -> tuple[bytes, ...]:
        """The peers whose shares a draw needs: those with a played seat, by key."""
        return tuple(key for key in (self.seating.sits if self.seating else ()) if self.plays(key))

    def _seats(self, key: bytes) -> list[int]:
        """The charter seats of a peer."""
        peers = self.seating.peers if self.seating else ()
        return [seat for seat, peer in enumerate(peers) if peer == key]


def _phase(game: Game[Any]) -> object:
    """What tells one simultaneous phase of a game from another; None outside of one."""
    return getattr(game.pending, "phase", None)
