"""A peer at work: its session, its links and its files, under trio (session 6).

What the session says is done in its order, so nothing is sent that the disk does not hold. Everything a peer
does wrong ends at most its own link; what ends the table is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import trio

from oaknet.kernel import Option
from oaknet_protocol import beacon, events, evidence, log, proof
from oaknet_protocol.clock import Clock
from oaknet_protocol.framing import FRAME_LIMIT
from oaknet_protocol.journal import Journal, Stored
from oaknet_protocol.refused import Desync, Fault, Fork, LocalProtocolError, Malformed, Refused
from oaknet_protocol.session import Session
from oaknet_protocol.table import ABSENT, CHEATED, OUT_OF_TIME, Opening
from oaknet_protocol.transport import DEAD_AFTER, Link
from oaknet_protocol.turn import Turn
from oaknet_protocol.wire import Record

LAST_WORDS = 5
"""Seconds that a finished table waits for the others to confirm the result."""
BEAT = 1.0
"""Seconds between looks at what is overdue."""
SLEPT = 5.0
"""Seconds that a beat may come late before the machine counts as having slept."""
UNSIGNED = 3.0
"""Seconds that a charter may stay unsigned before it is proposed again; each time twice as long."""
LONGEST_UNSIGNED = 300.0
"""Seconds between proposals at the most."""
STANDSTILL = 10.0
"""Seconds without a step after which peers say again where they stand."""
HEARING = 3.0
"""Seconds that a restarted peer listens to whom it has reached before it signs anything new."""
SPECTATORS = 8
"""Links of peers without a seat that a table bears."""

Absent: TypeAlias = Literal["stop", "wait", "ask", "go-on"]
"""What to do about a peer that is gone beyond the grace period: end, wait, ask, go on without it."""


class PeerLost(Exception):
    """A peer of the table is gone before the end."""

    status = 5


class PeerCheated(Exception):
    """A peer of the table has signed what the rules do not allow, so the table cannot go on with it."""

    status = 4


class StatesDiffer(Exception):
    """Two peers have played the same moves to different positions; which of them is wrong, nobody can say."""

    status = 4


class TableSpent(Exception):
    """The table has used all the draws that its peers committed to."""

    status = 5


@dataclass(frozen=True, slots=True)
class Joined:
    """A link with the peer of this key stands."""

    key: bytes


@dataclass(frozen=True, slots=True)
class Left:
    """The link with the peer of this key is over; ``why`` in words."""

    key: bytes
    why: str


@dataclass(frozen=True, slots=True)
class Overdue:
    """This peer owes something since ``seconds``, and cannot be reached or keeps back what needs no thought:
    our player may go on without it."""

    key: bytes
    seconds: float


News: TypeAlias = events.Event | Joined | Left | Overdue


class Node:
    """One peer at one table.

    ``tell`` hears all that happens, in order, after it has been carried out; it may call `move`, `go_on` and
    the like later, but not while it is called. ``journal`` is None until the table is known. ``absent`` says
    what to do about peers that stay away. ``notes`` go into the journal, for coming back.
    """

    def __init__(
        self,
        session: Session,
        folder: Path,
        tell: Callable[[News], None],
        *,
        absent: Absent = "stop",
        notes: Mapping[str, Any] | None = None,
    ) -> None:
        self.session = session
        self.journal: Journal | None = None
        self.links: dict[bytes, Link] = {}
        self.woken: Callable[[], None] = lambda: None  # called when the machine has slept
        self.wall_clock: Callable[[], float] = time.time  # in seconds; it goes on while the machine sleeps
        self._folder = folder
        self._tell = tell
        self._absent: Absent = absent
        self._notes = notes
        self.last_words: float = LAST_WORDS  # how long the end waits for the others to confirm the result
        self._stored: Stored | None = None
        self._changed = trio.Event()
        self._broken: OSError | None = None
        self._clock: Clock | None = None
        self._missing: dict[bytes, float] = {}  # who owes something and cannot be reached, since when
        self._away: dict[bytes, float] = {}  # who plays and cannot be reached, since when
        self._told: dict[bytes, None] = {}  # of whom of these the player has been told
        self._heard_at: float | None = None  # when the first link stood after a restart
        self._frozen_at: float | None = None
        self._tries = 0  # how often we have proposed again since then
        self._step: tuple[int, int] = (0, 0)
        self._step_at = 0.0
        self._met: dict[bytes, None] = {}  # who was ever a neighbour
        self._content: dict[bytes, None] = {}  # neighbours of before that had the whole end
        self._seen_to = False  # whether one of these has said good-bye

    # -- what the player does --------------------------------------------------------------------------------

    def open(self, record: Record) -> None:
        """Begin with an opening, ours or the invite's; raises `Refused` or `OSError`."""
        self.do(self.session.open(record))

    def resume(self, stored: Stored) -> None:
        """Begin where a journal stops; raises `Refused` or `OSError`."""
        self._stored = stored
        self.do(self.session.resume(stored.opening, list(stored.records)))

    def move(self, seat: int, answers: tuple[Option, ...]) -> None:
        """Make the move of a charter seat of ours.

        Raises `LocalProtocolError`; or `OSError`, and then nothing is sent.
        """
        self.do(self.session.move(seat, answers))

    def play(self, turn: Turn[Any]) -> None:
        """Make the move of a turn that the session has begun; raises as `move` does."""
        self.do(self.session.play(turn))

    def resign(self, seat: int) -> None:
        """Give up a charter seat of ours when it is asked; raises as `move` does."""
        self.do(self.session.resign(seat))

    def go_on(self, without: dict[bytes, int]) -> None:
        """Our player agrees to go on without these peers; raises as `move` does."""
        self.do(self.session.go_on(without))

    # -- what the network does -------------------------------------------------------------------------------

    def admits(self, key: bytes) -> bool:
        """Whether there is room for a link with this peer: the table's own always have it."""
        own = [*self.session.sits, *(s for s in self._seated())]
        strangers = [other for other in self.links if other not in own]
        return key in own or len(strangers) < SPECTATORS

    async def alone(self, key: bytes, program: bytes) -> bool:
        """Whether no other program of this key has a link that answers (session 6.3).

        While that one is asked, another link may take its place: then one more is too many.
        """
        old = self.links.get(key)
        if old is None or old.program == program:
            return True
        return not await old.answers() and self.links.get(key) in (None, old)

    @property
    def met(self) -> bool:
        """Whether a link with anybody ever stood."""
        return bool(self._met)

    async def attend(self, link: Link) -> None:
        """Exchange messages over a link until it is over.

        Raises `PeerLost` (with ``absent="stop"``) if it was a peer of a table that is not finished,
        `PeerCheated`, `StatesDiffer`, `TableSpent`, or `OSError`.
        """
        if not self._take_link(link):
            link.drop("there is a link already")
            return
        link.limit = FRAME_LIMIT
        self._met[link.key] = None
        self._tell(Joined(link.key))
        try:
            self.do(self.session.connected(link.key))
            async for message in link:
                self.do(self.session.receive(link.key, message))
        finally:
            mine = self.links.get(link.key) is link
            if mine:
                del self.links[link.key]
        if mine:
            if self._transcript_step() == "over" and self.session.level(link.key):
                self._content[link.key] = None
                self._seen_to = self._seen_to or link.left
            self.do(self.session.lost(link.key))
            self._tell(Left(link.key, link.why or ""))
        if self._absent == "stop":
            await self._miss(link)

    def _take_link(self, link: Link) -> bool:
        """One link a peer: of two programs with its key the first, unless that one is silent; of two with one
        program the one that the lower key has dialled; of two of those, the newer (session 6.3)."""
        old = self.links.get(link.key)
        if old is not None and old.why is None:
            if old.program != link.program:
                if not old.silent:
                    return False
            elif old.dialled != link.dialled:
                lower_dials = self.session.key < link.key
                if link.dialled != lower_dials:
                    return False
        self.links[link.key] = link
        if old is not None:
            old.drop("the same player has connected again")
        return True

    async def _miss(self, link: Link) -> None:
        if self._watches():  # nobody waits for us at the end, so it may come by another link a little later
            with trio.move_on_after(LAST_WORDS):
                while not self._over():
                    await self._changed.wait()
        if link.key not in self.links and self._needed(link.key):
            raise PeerLost(f"{self.name(link.key)} is gone: {link.why}. {self._kept()}")

    async def finish(self) -> None:
        """Wait until the game is over and all have confirmed it and know that, for ``last_words`` seconds at
        most.

        Who was left out and is catching up has `LAST_WORDS` seconds to get the rest: it may have nobody else.
        """
        while not self._over():
            await self._changed.wait()
        with trio.move_on_after(self.last_words):
            while self._transcript_step() != "over" or self._lacking():
                await self._changed.wait()
        with trio.move_on_after(LAST_WORDS):
            while self._catching_up():
                await self._changed.wait()
        for link in list(self.links.values()):
            await link.aclose()

    def close(self) -> None:
        """Close the files."""
        if self.journal is not None:
            self.journal.close()

    async def watch(self) -> None:
        """Look every beat at what is overdue, until cancelled; not needed with ``absent="stop"``."""
        last, clock = trio.current_time(), self.wall_clock()
        while True:
            await trio.sleep(BEAT if self.session.awake else BEAT / 10)
            now, then = trio.current_time(), clock
            clock = self.wall_clock()
            slept = max(now - last, clock - then) - BEAT  # on some systems the first of them sleeps too
            last = now
            if slept > SLEPT:
                self._wake(slept)
            self._beat(now)

    def _wake(self, slept: float) -> None:
        """The machine has slept (or its clock was set): what is linked to us may be so no longer."""
        if slept >= DEAD_AFTER:  # the others have given us up, and where we are now, nobody may tell us
            for link in list(self.links.values()):
                link.drop("this machine slept")
        self.woken()

    def _beat(self, now: float) -> None:
        session, transcript = self.session, self.session.transcript
        if transcript is None:
            return
        if not session.awake:
            self._listen(now)
        place = (transcript.step.number, len(transcript.charters))
        if place != self._step:
            self._step, self._step_at = place, now
        elif now - self._step_at >= STANDSTILL:
            self._step_at = now
            self.do(session.sync())
        if not session.frozen:
            self._frozen_at, self._tries = None, 0
            if session.council.agreed:
                self._leave({})
        elif self._frozen_at is None:
            self._frozen_at = now
        elif now - self._frozen_at >= self._patience():
            self._frozen_at, self._tries = now, self._tries + 1
            self.do(session.propose_again())
        if not transcript.over and transcript.seating is not None:
            self._count(now)
            self._look_for_missing(now)

    def _listen(self, now: float) -> None:
        """After a restart: sign again once all who can be reached have had time to say what they know."""
        others = [key for key in self._seated() if key != self.session.key]
        if self.links and self._heard_at is None:
            self._heard_at = now
        heard = self._heard_at is not None and now - self._heard_at >= HEARING
        level = all(key in self.links and self.session.level(key) for key in others)
        if heard or level:
            self.do(self.session.wake())

    def _count(self, now: float) -> None:
        """Clocks: whose time is up loses its seat to the stand-in, by the table's own option."""
        transcript = self.session.begun()
        if self._clock is None:
            self._clock = Clock.of(transcript.opening.table_option("clock"))
        if self._clock is None:
            return
        self._clock.due(() if self.session.frozen else transcript.due(), now)
        fallen = {transcript.peer(seat): OUT_OF_TIME for seat in self._clock.fallen(now)}
        self._leave({key: why for key, why in fallen.items() if key is not None and key != self.session.key})

    def _patience(self) -> float:
        """How long a charter may stay unsigned before it is proposed again: longer each time, and for each
        peer another time, so that two who propose at once do not do so again and again (session 6.8)."""
        transcript = self.session.begun()
        sits = [*transcript.seating.sits] if transcript.seating is not None else []
        rank = sits.index(self.session.key) if self.session.key in sits else 0
        return float(min(UNSIGNED * 2**self._tries, LONGEST_UNSIGNED) + BEAT * rank)

    def _look_for_missing(self, now: float) -> None:
        session, transcript = self.session, self.session.begun()
        reach = session.present
        owed = [key for seat in transcript.due() if (key := transcript.peer(seat)) is not None]
        owing = [key for key in owed if key not in reach]
        if not owing and transcript.step.kind in ("share", "open") and not session.frozen:
            # Nothing to think about: who is silent withholds it. As long as somebody is away, though, the
            # others may have bound themselves to go on without them (session 3.5), and can give nothing.
            owing = [key for key in owed if key != session.key]
        away = [key for key in self._seated() if transcript.plays(key) and key not in reach]
        self._missing = {key: self._missing.get(key, now) for key in owing}
        self._away = {key: self._away.get(key, now) for key in away}
        grace = int(transcript.opening.table_option("grace"))
        late = {key: since for key, since in self._missing.items() if now - since >= grace}
        if late or session.frozen:  # then all have to sign who stay, and whoever is away cannot
            late |= {key: since for key, since in self._away.items() if now - since >= grace}
        self._told = {key: None for key in self._told if key in late}
        if self._absent == "go-on":
            cheats = [key for key in session.cheats if transcript.plays(key)]
            self._leave({**dict.fromkeys(late, ABSENT), **dict.fromkeys(cheats, CHEATED)})
        elif self._absent == "ask":
            for key in [key for key in late if key not in self._told]:
                self._told[key] = None
                self._tell(Overdue(key, now - late[key]))

    def _leave(self, without: dict[bytes, int]) -> None:
        """Agree to go on without these; with none, propose again what was agreed to, now that it may be."""
        agreed = self.session.council.agreed
        if any(key not in agreed for key in without) or (agreed and not self.session.frozen):
            try:
                self.go_on(without)
            except LocalProtocolError:
                return  # too few would be left: the table waits

    # -- carrying out ----------------------------------------------------------------------------------------

    def do(self, happened: list[events.Event]) -> None:
        """Carry out events in their order.

        Stops for good at the first that the disk refuses (`OSError`): the session counts what was not kept
        as said, so nothing more of it may be sent.
        """
        if self._broken is not None:
            raise self._broken
        for event in happened:
            try:
                self._carry_out(event)
            except OSError as error:
                self._broken = error
                raise
            self._tell(event)
        if self._over():  # nobody waits for anything before
            self._changed.set()
            self._changed = trio.Event()
        elif self.session.transcript is not None:
            self.session.transcript.digest()  # the next entry needs it: reckoned while nobody waits

    def _carry_out(self, event: events.Event) -> None:
        match event:
            case events.Opened(record):
                opening = Opening.check(record, self.session.rules_for)
                self.journal = Journal(self._folder, opening, self._notes)
                if self._stored is not None:  # not before the table is ours alone
                    self._stored.mend(log.header(opening))
            case events.Keep():
                self._files().keep(event)
            case events.Write():
                self._files().write(event)
            case events.Rewrite():
                self._files().rewrite(event)
            case events.Send(message, to):
                for key, link in self.links.items():
                    if to in (None, key):
                        link.send(message)
            case events.Rejected():
                self._reject(event)
            case events.Cheated(key, refusal, records):
                self._files().note(records)
                self._prove(key, refusal)
                self._judge(key, refusal)
            case events.Spent():
                raise TableSpent(f"The table has used all of its {beacon.LENGTH} draws. {self._kept()}")
            case _:
                pass

    def _reject(self, event: events.Rejected) -> None:
        refusal = event.refusal
        if isinstance(refusal, Malformed) and event.key in self.links:
            self.links[event.key].drop(f"it sent what cannot be read: {refusal.why}")
        if isinstance(refusal, Desync):
            if event.record is not None:
                self._files().note(evidence.records(refusal, event.record))
            raise StatesDiffer(
                f"At step {refusal.step}: {refusal.why}. The table cannot go on. {self._kept()}"
            )

    def _prove(self, key: bytes, refusal: Refused) -> None:
        """Put what shows a fork to anybody into a file of its own (proof 1)."""
        transcript = self.session.begun()
        if isinstance(refusal, Fork):
            charters = [seating.record for seating in transcript.charters]
            data = proof.written(transcript.opening.record, charters, refusal.first, refusal.second)
            if data is not None:
                self._files().prove(key, data)

    def _judge(self, key: bytes, refusal: Fault | Fork | Any) -> None:
        if self._absent == "stop":
            where = "" if refusal.step is None else f"At step {refusal.step}: "
            raise PeerCheated(f"{where}{refusal.why}. The table cannot go on. {self._kept()}")
        if self._absent == "go-on":
            self._missing.pop(key, None)
            self._leave({key: CHEATED})

    def _files(self) -> Journal:
        assert self.journal is not None, "files are written before the table is known"
        return self.journal

    def _seated(self) -> list[bytes]:
        transcript = self.session.transcript
        return list(transcript.charters[0].sits) if transcript is not None and transcript.charters else []

    def _lacking(self) -> bool:
        """Whether somebody who plays may lack the end: who was ever a neighbour and has not said that it has
        it; or who never was and can be reached no more, unless one that has it has said good-bye: that one
        has seen to it (session 6.9)."""
        session, reach = self.session, self.session.present
        playing = [key for key in self._seated() if session.begun().plays(key) and key != session.key]
        lacking = [key for key in playing if key not in self._content and not session.level(key)]
        return any(key in self._met or (key not in reach and not self._seen_to) for key in lacking)

    def _catching_up(self) -> bool:
        """Whether a peer that sat here and was left out is linked to us, and not yet where we are."""
        seating = self.session.begun().seating
        left_out = [key for key in self._seated() if seating is not None and key not in seating.sits]
        return any(key in self.links and not self.session.level(key) for key in left_out)

    def _over(self) -> bool:
        return self.session.transcript is not None and self.session.transcript.over

    def _transcript_step(self) -> str:
        return self.session.transcript.step.kind if self.session.transcript else ""

    def _needed(self, key: bytes) -> bool:
        """Whether the table cannot go on without this peer."""
        transcript = self.session.transcript
        if transcript is None or transcript.seating is None:
            return True
        return not transcript.over and transcript.plays(key)

    def _watches(self) -> bool:
        """Whether the game goes on and we play no seat of it, as after resigning."""
        transcript = self.session.transcript
        if transcript is None or transcript.seating is None or transcript.over:
            return False
        return not transcript.plays(self.session.key)

    def name(self, key: bytes) -> str:
        """What to call a peer: the name of its first seat."""
        transcript = self.session.transcript
        seating = transcript.charters[0] if transcript and transcript.charters else None
        seat = seating.author(key) if seating else None
        return "A peer" if seating is None or seat is None else seating.names[seat]

    def _kept(self) -> str:
        if self.journal is None:
            return "The table had not begun."
        return f"The game stops here; its log is whole: {self.journal.path}"
