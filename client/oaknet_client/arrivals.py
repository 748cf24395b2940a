"""Who comes to a table: the lobby as it fills, first acquaintances, and the blocked."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from oaknet_client.failures import FAILED, OTHER_VERSION, UNREACHABLE, Failure
from oaknet_client.feed import Command, Emit, Lobby, Note, Seat
from oaknet_client.players import Players, edited
from oaknet_client.words import inert
from oaknet_protocol import events
from oaknet_protocol.node import Joined, Left, News, Node
from oaknet_protocol.refused import OtherRules
from oaknet_protocol.table import Seating
from oaknet_protocol.wire import Sit

SHOW_TIME = 10.0
"""Seconds within which who is reached must have shown the table."""
NOT_SHOWN = "Somebody was reached, but does not show the table of this invite. Ask for a new one."
FULL = "The table is full: it began without you. oaknet watch follows it with the same invite."


@dataclass(slots=True)
class Arrivals:
    """Follows the news of one node. ``own`` are our seats, ``players`` the file of known players.

    Raises `Failure` where this table is none for us.
    """

    node: Node
    own: tuple[Seat, ...]
    players: Path
    emit: Emit
    told: Lobby | None = None
    met: dict[bytes, None] = field(default_factory=dict[bytes, None])
    _reached: float | None = None

    def hear(self, item: News) -> None:
        """Tell who is there."""
        match item:
            case events.Sat(sit):
                self._meet(sit.key, sit.names[0])
                self._lobby()
            case events.Started(seating):
                self._begun(seating)
            case events.Rejected(_, OtherRules() as refusal, _) if self.node.session.transcript is None:
                raise Failure(f"This table cannot be joined from here: {refusal.why}.", OTHER_VERSION)
            case events.Opened() | Joined() | Left():
                self._lobby()
            case _:
                pass

    def tick(self, now: float) -> None:
        """Sit down once who is there has said who sits already: whoever is too many finds out before.

        The opener sits at once, and who sits already does so for good. ``now`` is in seconds, from anywhere.
        """
        session = self.node.session
        transcript = session.transcript
        if transcript is None:
            if not session.links:
                self._reached = None
            elif self._reached is None:
                self._reached = now
            elif now >= self._reached + SHOW_TIME:
                raise Failure(NOT_SHOWN, UNREACHABLE)
            return
        if transcript.seating is not None or not self.own or session.own.sit is not None:
            return
        if not any(session.level(key) for key in session.links):
            return
        free = transcript.opening.terms.seats - sum(
            len(sit.names) for sit, _ in session.lobby.seated().values()
        )
        if free < len(self.own):
            left = "no seat is" if free == 0 else "only 1 seat is" if free == 1 else f"only {free} seats are"
            raise Failure(
                f"The table has no room for you: {left} free. oaknet watch follows it.", UNREACHABLE
            )
        self.node.do(session.sit(tuple(seat.name for seat in self.own)))

    def obey(self, command: Command) -> bool:
        """No command is for the lobby."""
        return False

    def _begun(self, seating: Seating) -> None:
        for sit in seating.sits.values():
            self._meet(sit.key, sit.names[0])
        if self.own and self.node.session.key not in seating.sits:
            raise Failure(FULL, UNREACHABLE)
        if self.told is None or self.told.free:  # the last to sit and the beginning came in one message
            self._show(seating.sits)

    def _meet(self, key: bytes, name: str) -> None:
        if key == self.node.session.key or key in self.met:
            return
        self.met[key] = None
        if Players.read(self.players).blocked(key):
            raise Failure(
                f"{inert(name)}, whom you have blocked, sits at this table too. You have left it.", FAILED
            )
        with edited(self.players) as players:
            line = players.meet(key, name, datetime.date.today())
        if line:
            self.emit(Note(line))

    def _lobby(self) -> None:
        session = self.node.session
        if session.transcript is not None and session.transcript.seating is None:
            self._show({key: sit for key, (sit, _) in session.lobby.seated().items()})

    def _show(self, sits: Mapping[bytes, Sit]) -> None:
        """Tell who sits, if that is new."""
        session = self.node.session
        seats: list[Seat] = []
        bots = {seat.name: seat.bot for seat in self.own}
        for key, sit in sits.items():
            for name in sit.names:
                bot = bots.get(name, "") if key == session.key else ""
                seats.append(Seat(name, bot, key.hex(), len(seats)))
        terms = session.begun().opening.terms
        lobby = Lobby(terms.game, tuple(seats), terms.seats - len(seats), terms.options, session.key.hex())
        if lobby != self.told:
            self.told = lobby
            self.emit(lobby)
