"""What a node tells, in the words of front ends: a mirror of the game, seats, peers, and moves asked for."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import trio

from oaknet.kernel import Game, Option, Rng
from oaknet_client.feed import Asked, Command, Emit, Note, Peer, Resign, Result, Seat, Shown, Started, Submit
from oaknet_client.thinking import Thinking
from oaknet_client.words import inert, log_line
from oaknet_protocol import events
from oaknet_protocol.node import Joined, Left, News, Node
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.result import Result as Outcome
from oaknet_protocol.table import Seating
from oaknet_protocol.transcript import Done

SETTLING = "Who plays is being settled; your turn comes again in a moment."

ALONE = "At this table there is nobody to talk to."
"""Where a command for people meets a table of bots alone."""

PRESENCE = {
    "connected": "is connected",
    "relayed": "is heard of only through others",
    "missing": "is not connected",
}


class Hears(Protocol):
    """Something else that follows the news and the commands of a table."""

    def hear(self, item: News) -> None:
        """Take in one thing that the node tells."""
        ...

    def obey(self, command: Command) -> bool:
        """Carry out a command, and say whether it was for this one."""
        ...


class Teller:
    """Turns what a node tells into what a front end sees, and what it decides into moves.

    ``own`` are the seats of this peer, ``known`` names the bots of others by key where that is known.
    ``also`` hear everything after the teller has. With ``patient``, a connection counts as lost only when
    two looks have found it so: two that cross each other are replaced by one.
    """

    def __init__(
        self,
        node: Node,
        own: Sequence[Seat],
        known: Mapping[bytes, str],
        emit: Emit,
        also: Sequence[Hears] = (),
        *,
        patient: bool = False,
    ) -> None:
        self.game: Game[Any] | None = None
        self.outcome: Outcome | None = None
        self.seats: tuple[Seat, ...] = ()  # by the rules' seats, once the first draw has placed them
        self._node, self._own, self._known, self._emit, self._also = node, own, known, emit, also
        self._played: list[Done] = []
        self._quiet = False
        self._thinking: Thinking | None = None  # begun with the first move of a bot
        self._patient = patient
        self._states: dict[bytes, str] = {}
        self._doubted: dict[bytes, str] = {}
        self._why: dict[bytes, str] = {}  # of connections that are over
        self._resigned: list[int] = []
        self._asked: Asked | None = None  # of several persons here one is asked at a time
        self._waiting: deque[events.Asked] = deque()
        self._rng = Rng(os.urandom(32))

    async def listen(self, news: trio.MemoryReceiveChannel[News]) -> None:
        """Tell everything as it comes; a bot's move is made before the next news is looked at."""
        async for item in news:
            self.hear(item)
            if isinstance(item, events.Asked):
                await self._ask(item)

    def drain(self, news: trio.MemoryReceiveChannel[News]) -> None:
        """Tell what came last."""
        while True:
            try:
                self.hear(news.receive_nowait())
            except (trio.WouldBlock, trio.EndOfChannel):
                return

    def close(self) -> None:
        """Let no bot think any longer."""
        if self._thinking is not None:
            self._thinking.close()

    async def obey(self, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Do what the person decides."""
        async for command in commands:
            if isinstance(command, Submit):
                self._submit(command)
            elif isinstance(command, Resign):
                self._resign(command.seat)
            elif not any(other.obey(command) for other in self._also):
                self._emit(Note(ALONE))

    def primed(self, played: Sequence[Done]) -> None:
        """Begin where a log stops, showing the position and none of the moves."""
        self._quiet = True
        for done in played:
            if done.kind != "charter" or done.line:
                self._step(done)
        self._quiet = False
        self._states = {bytes.fromhex(seat.key): "" for seat in self.seats}  # nobody is there yet
        if self.game is not None:
            self._begin(self.game)

    def _begin(self, game: Game[Any]) -> None:
        session = self._node.session
        self._emit(Started(self.seats, game.clone(), session.begun().table.hex(), session.key.hex()))

    def result(self, outcome: Outcome) -> Result:
        """The outcome as the front ends show it; before the first draw in the order of the charter."""
        seats = sorted(self.seats, key=lambda seat: seat.place)
        journal = self._node.journal
        return Result(
            outcome.game,
            tuple(seats or (Seat(s.name, key=s.key.hex(), place=s.seat) for s in outcome.seats)),
            outcome.scores,
            outcome.winner,
            outcome.how,
            outcome.digest.hex(),
            outcome.table.hex(),
            outcome.transcript.hex(),
            str(journal.path) if journal else "",
        )

    def last(self) -> Game[Any]:
        """The position now, for the receiver to keep."""
        return (self.game or self._fresh()).clone()

    def number(self, key: bytes) -> int:
        """The first of the rules' seats that this peer took, -1 if it has none, or none yet."""
        return next((number for number, seat in enumerate(self.seats) if seat.key == key.hex()), -1)

    def hear(self, item: News) -> None:
        """Tell one thing."""
        match item:
            case events.Stepped(done):
                self._step(done)
            case events.Rewound(step):
                self._rewind(step)
            case events.Seated(seating, out, back):
                self._seated(seating, out, back)
            case events.Ended(outcome):
                self.outcome = outcome
            case Joined():
                self.look()
            case Left(key, why):
                self._why[key] = why
                self.look()
            case _:
                pass
        for other in self._also:
            other.hear(item)

    # -- peers -----------------------------------------------------------------------------------------------

    def look(self, *, again: bool = False) -> None:
        """Tell whose connection has changed; ``again`` says that some time has passed since the last look."""
        session = self._node.session
        present = session.present
        for key in dict.fromkeys(bytes.fromhex(seat.key) for seat in self.seats if seat.key):
            linked = key in self._node.links
            state = "connected" if linked else "relayed" if key in present else "missing"
            before = self._states.get(key)
            doubted = self._doubted.pop(key, None)
            if self._patient and not linked and state != before and not (again and doubted == state):
                self._doubted[key] = state
                continue
            self._states[key] = state
            if before in (None, state) or key == session.key:
                continue
            reason = self._why.pop(key, "")
            more = f": {inert(reason)}" if reason and state == "missing" else ""
            self._peer(key, state, PRESENCE[state] + more)

    def _peer(self, key: bytes, state: str, line: str) -> None:
        for number, seat in enumerate(self.seats):
            if seat.key == key.hex() and self.outcome is None:
                self._emit(Peer(number, state, f"{inert(seat.name)} {line}."))

    def _seated(self, seating: Seating, out: Sequence[bytes], back: Sequence[bytes]) -> None:
        self._asked = None
        self._waiting.clear()
        words = {
            "absent": "stayed away; the stand-in plays on",
            "out-of-time": "has run out of time; the stand-in plays on",
            "resigned": "has resigned; the stand-in plays on",
            "cheated": "has cheated; the stand-in plays on",
        }
        first = self._node.session.begun().charters[0]
        for key in out:
            place = first.author(key)
            why = seating.why[place] if place is not None else 1
            state = ("absent", "absent", "out-of-time", "resigned", "cheated")[why]
            self._peer(key, state, words[state])
        for key in back:
            self._peer(key, "back", "plays again")

    # -- the game --------------------------------------------------------------------------------------------

    def _step(self, done: Done) -> None:
        transcript = self._node.session.begun()
        if not done.line and not self.seats:
            return
        self._played.append(done)
        if not self.seats:
            self.seats = self._placed(transcript.places)
            self.game = self._fresh()
            if not self._quiet:
                self._begin(self.game)
            self.look()
        self._show(done)
        for place in [place for place in transcript.resigned if place not in self._resigned]:
            self._resigned.append(place)
            number = next(i for i, seat in enumerate(self.seats) if seat.place == place)
            if not self._quiet:
                line = f"{inert(self.seats[number].name)} has resigned; the stand-in plays on."
                self._emit(Peer(number, "resigned", line))

    def _fresh(self) -> Game[Any]:
        opening = self._node.session.begun().opening
        return Game[Any].new(opening.rules, opening.terms.seats, opening.options)

    def _show(self, done: Done) -> None:
        assert self.game is not None
        line = list(done.line)
        while line:
            seat = line[0][0]
            count = next((i for i, answer in enumerate(line) if answer[0] != seat), len(line))
            part, line = line[:count], line[count:]
            if self._quiet:
                for _, option in part:
                    self.game.answer(seat, option)
                continue
            words = tuple(self._answer(self.game, seat, option) for _, option in part)
            answers = tuple(option for _, option in part)
            self._emit(Shown(self.game.clone(), words, done.number, seat, answers))

    def _answer(self, game: Game[Any], seat: int, option: Option) -> str:
        words = log_line(game, self.seats, seat, option)
        game.answer(seat, option)
        return words

    def _rewind(self, step: int) -> None:
        """Those who go on have started from an earlier step: play the game again up to it."""
        kept = [done for done in self._played if done.number < step]
        if self.game is None or len(kept) == len(self._played):
            return
        self._played, self.game, self._quiet = kept, self._fresh(), True
        for done in kept:
            self._show(done)
        self._quiet = False
        self._asked = None
        self._waiting.clear()
        lines = (f"The table goes on from step {step}; what was played after it does not count.",)
        self._emit(Shown(self.game.clone(), lines, step, -1))

    def _placed(self, places: Sequence[int]) -> tuple[Seat, ...]:
        """The seats in the rules' order; ``places`` has the charter seat of each."""
        seating = self._node.session.begun().charters[0]
        own = {seat.name: seat.bot for seat in self._own}
        seats: list[Seat] = []
        for place in places:
            key, name = seating.peers[place] or b"", seating.names[place]
            mine = key == self._node.session.key
            seats.append(
                Seat(name, own.get(name, "") if mine else self._known.get(key, ""), key.hex(), place)
            )
        return tuple(seats)

    # -- moves -----------------------------------------------------------------------------------------------

    async def _ask(self, asked: events.Asked) -> None:
        """Let a bot make its move, or ask the person."""
        session = self._node.session
        name = session.begun().charters[0].names[asked.seat]
        kind = next((seat.bot for seat in self._own if seat.name == name), "")
        if not kind:
            self._ask_person(asked)
            return
        if self._thinking is None:
            self._thinking = Thinking(session.begun().opening.rules)
        try:
            turn = session.turn(asked.seat)
            await self._thinking.move(kind, turn, self._rng)
            self._node.play(turn)
        except LocalProtocolError:
            return  # the table has gone on otherwise since: whoever is due then is asked anew

    def _ask_person(self, asked: events.Asked) -> None:
        if self._asked is not None and self.seats[self._asked.seat].place != asked.seat:
            self._waiting.append(asked)
            return
        try:
            turn = self._node.session.turn(asked.seat)
        except LocalProtocolError:
            return
        self._asked = Asked(turn.seat, turn)
        self._emit(self._asked)

    def _submit(self, command: Submit) -> None:
        self._asked = None
        place = self.seats[command.seat].place
        try:
            self._node.move(place, command.answers)
        except LocalProtocolError:
            self._emit(Note(SETTLING))
            self._ask_person(events.Asked(place, sealed=False))  # at once, if it still is that seat's turn
            return
        if self._waiting:
            self._ask_person(self._waiting.popleft())

    def _resign(self, seat: int) -> None:
        self._asked = None
        try:
            self._node.resign(self.seats[seat].place)
        except LocalProtocolError:
            self._emit(Note("A seat can be given up when it is its turn."))
            self._ask_person(events.Asked(self.seats[seat].place, sealed=False))  # if it still is
            return
        if self._waiting:
            self._ask_person(self._waiting.popleft())
