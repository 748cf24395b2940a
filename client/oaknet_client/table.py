"""A table that lasts: the feed of one peer that others may find, leave and come back to."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from oaknet_client.arrivals import Arrivals
from oaknet_client.feed import Command, Emit, Ended, Note, Seat
from oaknet_client.meeting import Meeting
from oaknet_client.net import Terms, played
from oaknet_client.notes import Notes
from oaknet_client.questions import Policy, Questions
from oaknet_client.talk import Talk
from oaknet_client.tell import Teller
from oaknet_protocol.identity import Identity
from oaknet_protocol.journal import Stored
from oaknet_protocol.node import News, Node
from oaknet_protocol.own import Own
from oaknet_protocol.session import Session
from oaknet_protocol.table import RulesFor

LOOK_EVERY = 1.0
"""Seconds between looks at who can be reached."""
ARRIVE_EVERY = 0.1
"""Seconds between looks whether we can sit down."""
OTHERS = "What it lacks now comes from the others."
LAST_WORDS = 30.0
"""Seconds that a finished table stays for who lacks its last moves."""


@dataclass(slots=True)
class Table:
    """The feed. ``terms`` are of a table that we open, ``stored`` of one that we come back to; with neither
    it is joined, or followed where there are no ``seats``. ``folder`` gets the folder of the table.
    """

    rules_for: RulesFor
    identity: Identity
    seats: Sequence[Seat]
    notes: Notes
    folder: Path
    players: Path
    meeting: Meeting
    policy: Policy
    terms: Terms | None = None
    stored: Stored | None = None

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Play until the table is done (`oaknet_client.feed.Feed`); what goes wrong is raised."""
        send, news = trio.open_memory_channel[News](math.inf)
        self.notes.leap()
        signer = self.identity.signer
        own = Own.restore(signer, list(self.stored.kept)) if self.stored is not None else None
        # Who comes to others looks first who sits there; who opens sits.
        names = tuple(seat.name for seat in self.seats) if self.terms is not None else ()
        nonce = os.urandom(32)
        session = Session(signer, self.rules_for, names, nonce, opener=self.notes.opener, own=own)
        # Somebody's absence is the player's matter, and ours to ask about.
        node = Node(session, self.folder, send.send_nowait, absent="ask", notes=self.notes.written())
        node.last_words = LAST_WORDS
        stopped = trio.Event()
        talk = Talk(node, self.notes, self.players, emit)
        questions = Questions(node, emit, self.policy, talk.name, stopped.set)
        arrivals = Arrivals(node, tuple(self.seats), self.players, emit)
        teller = Teller(node, self.seats, {}, emit, (self.meeting, arrivals, questions, talk), patient=True)
        talk.teller = teller

        async def connect(nursery: trio.Nursery, node: Node) -> None:
            await self.meeting.connect(nursery, node, partial(self._begin, node, teller, emit), emit)
            nursery.start_soon(node.watch)
            nursery.start_soon(_look, teller, questions)
            nursery.start_soon(_arrive, node, arrivals)

        result = await played(node, teller, news, commands, connect, stopped)
        emit(Ended(result, teller.last()))

    def _begin(self, node: Node, teller: Teller, emit: Emit) -> None:
        if self.terms is not None:
            self.terms.open(self.identity, node)
        elif self.stored is not None:
            # Played apart from the session: what it tells from here on comes after what the log has.
            stored, transcript, done = self.stored.played(self.rules_for)
            node.resume(stored)
            if stored.damaged:
                emit(Note(f"The log was damaged, and is kept as {stored.aside}. {OTHERS}"))
            if transcript.seating is not None:
                teller.primed(done)
                emit(Note(f"The table goes on at step {transcript.step.number}."))


async def _arrive(node: Node, arrivals: Arrivals) -> None:
    while node.session.transcript is None or node.session.transcript.seating is None:
        arrivals.tick(trio.current_time())
        await trio.sleep(ARRIVE_EVERY)


async def _look(teller: Teller, questions: Questions) -> None:
    while True:
        await trio.sleep(LOOK_EVERY)
        teller.look(again=True)
        questions.tick(trio.current_time())
