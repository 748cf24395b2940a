"""Chat at a table: said, shown, kept beside the log; muted for this table, or blocked for all."""

from __future__ import annotations

import datetime
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from oaknet_client.feed import Block, Command, Emit, Forked, Mute, Note, Said, Say
from oaknet_client.notes import Notes
from oaknet_client.players import Players, edited
from oaknet_client.tell import Teller
from oaknet_client.words import inert
from oaknet_protocol import events
from oaknet_protocol.node import News, Node
from oaknet_protocol.refused import LocalProtocolError

FILE = "chat.txt"
"""Chat of a table, one JSON object a line, in the folder of its log."""
LARGEST = 1024 * 1024
"""Bytes of that file beyond which nothing more is kept."""


@dataclass(slots=True)
class Talk:
    """Follows the news and commands of one node."""

    node: Node
    notes: Notes
    players: Path
    emit: Emit
    teller: Teller | None = None
    muted: dict[bytes, None] = field(default_factory=dict[bytes, None])

    def hear(self, item: News) -> None:
        """Show what was said, and proofs against whoever signed two things for one."""
        if isinstance(item, events.Chatted):
            self._keep(item)
            if item.key not in self.muted and not Players.read(self.players).blocked(item.key):
                self.emit(Said(self._seat(item.key), self.name(item.key), item.text))
        elif isinstance(item, events.Cheated) and self.node.journal is not None:
            path = self.node.journal.proof_path(item.key)
            if path.exists():
                line = f"{inert(self.name(item.key))} has signed two things for one. The proof: {path}"
                self.emit(Forked(self._seat(item.key), str(path), line))

    def obey(self, command: Command) -> bool:
        """Say something, or mute somebody."""
        if isinstance(command, Say):
            try:
                self.node.do(self.node.session.chat(command.text, self.notes.count()))
            except LocalProtocolError as error:
                self.emit(Note(f"{str(error)[:1].upper()}{str(error)[1:]}."))
            return True
        if isinstance(command, Mute):
            self._mute(command.name)
            return True
        if isinstance(command, Block):
            self._block(command.name)
            return True
        return False

    def name(self, key: bytes) -> str:
        """What who has this key calls themselves: the name of their first seat, or what is known of them."""
        sit = self.node.session.sits.get(key)
        if sit is not None:
            return sit[0].names[0]
        known = Players.read(self.players).get(key)
        return known.name if known is not None else "A spectator"

    def _seat(self, key: bytes) -> int:
        return self.teller.number(key) if self.teller is not None else -1

    def _mute(self, name: str) -> None:
        for key in self._called(name):
            if key in self.muted:
                del self.muted[key]
                self.emit(Note(f"What {inert(name)} says is shown again."))
            else:
                self.muted[key] = None
                self.emit(Note(f"What {inert(name)} says is not shown any more at this table."))

    def _block(self, name: str) -> None:
        for key in self._called(name):
            with edited(self.players) as players:
                players.meet(key, name, datetime.date.today())
                player = players.get(key)
                assert player is not None, "who has been met is known"
                blocked = not player.blocked
                players.block(player, blocked=blocked)
            if blocked:
                line = f"{inert(name)} is blocked: nothing of theirs is shown, and no other table is shared."
            else:
                line = f"{inert(name)} is not blocked any more."
            self.emit(Note(line))

    def _called(self, name: str) -> list[bytes]:
        """The others here who go by a name, who only look on included; says so if there is nobody."""
        session = self.node.session
        sits = {key: sit.names for key, (sit, _) in session.sits.items()}
        sits |= {key: (self.name(key),) for key in session.present if key not in sits}
        found = [key for key, names in sits.items() if name in names and key != session.key]
        if not found:
            self.emit(Note(f"Nobody else here is called {inert(name)}."))
        return found

    def _keep(self, said: events.Chatted) -> None:
        if self.node.journal is None:
            return
        line = json.dumps({"key": said.key.hex(), "name": self.name(said.key), "text": said.text}) + "\n"
        file = os.open(self.node.journal.folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if os.fstat(file).st_size < LARGEST:
                os.write(file, line.encode())
        finally:
            os.close(file)
