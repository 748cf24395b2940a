"""A journal opened again after every entry, and cut at every byte: ``python -m tests.protocol.journals``.

By default of a game of 5 Towers between four; other games and numbers may follow. After each entry that the
last peer has put on its disk the power fails, before anybody else has it. What may be left is looked at, with
the side file cut at each byte of its last record and the log at each byte of its own; then the peer starts
again from one of these, and the game goes on. It must end with one transcript, nothing signed twice, and no
seat penalised.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from oaknet.kernel import Rules
from oaknet.registry import rules
from oaknet_protocol import events, log
from oaknet_protocol.journal import LOG, OWN, Journal, Stored
from oaknet_protocol.own import Own
from oaknet_protocol.session import Session
from tests.engine.toys import Market
from tests.protocol.atwork import disk
from tests.protocol.world import Host, World

GAMES: dict[str, Callable[[], Rules[Any]]] = {"market": Market, "five_towers": partial(rules, "five_towers")}
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")
RESUMED = 16
"""Of so many journals that were cut and opened, one is played through too."""


@dataclass
class Tally:
    """What was done: ``entries`` of the victim, ``opened`` journals, and ``restarts``."""

    entries: int = 0
    opened: int = 0
    restarts: int = 0
    own: bytes = field(default=b"", repr=False)


class Disked(World):
    """A world whose last host has a journal."""

    def __init__(self, rules: Rules[Any], players: int, folder: Path, salt: str, stride: int) -> None:
        self.folder, self.stride = folder, stride
        self.journal: Journal | None = None
        self.tally = Tally()
        self.armed = True
        super().__init__(rules, [(name,) for name in NAMES[:players]], salt)
        self.victim = self.hosts[-1]
        self.crash = self._crash

    def do(self, host: Host, happened: list[events.Event]) -> None:
        for event in happened:
            if host is self.hosts[-1] and host.alive:
                self._write(host, event)
            super().do(host, [event])
            if not host.alive:
                return

    def _write(self, host: Host, event: events.Event) -> None:
        match event:
            case events.Opened():
                if self.journal is None:
                    self.journal = Journal(self.folder, host.transcript.opening, {})
            case events.Keep():
                self._files().keep(event)
            case events.Write():
                self._files().write(event)
            case events.Rewrite():
                self._files().rewrite(event)
            case _:
                pass

    def _files(self) -> Journal:
        assert self.journal is not None
        return self.journal

    def _crash(self, host: Host, event: events.Event) -> str:
        """The power fails between the disk and the network, at each entry once."""
        if host is not self.victim or not isinstance(event, events.Keep) or self.journal is None:
            return ""
        own = (self.journal.folder / OWN).read_bytes()
        if own == self.tally.own:
            return ""
        self.tally.own = own
        self.tally.entries += 1
        return "after"

    # -- after the power has failed --------------------------------------------------------------------------

    def reopen(self) -> None:
        """Look at all that the disk may hold, and start again from some of it."""
        files = self._files()
        files.close()
        whole = {name: (files.folder / name).read_bytes() for name in (OWN, LOG)}
        kept = list(self.victim.kept)
        for name, data in whole.items():
            last = start_of_last(data, 0 if name == OWN else log.read_header(data)[1])
            for cut in range(last, len(data), self.stride):
                self._opens(files.folder, name, data[:cut], last, kept)
            os.truncate(files.folder / name, 0)
            (files.folder / name).write_bytes(data)
        for name, data in whole.items():  # the entry was not sent yet, so that it may be lost whole
            last = start_of_last(data, 0 if name == OWN else log.read_header(data)[1])
            os.truncate(files.folder / name, last + self.rng.below(len(data) - last + 1))
        self._start(files.folder)

    def _opens(self, folder: Path, name: str, data: bytes, last: int, kept: list[bytes]) -> None:
        """A file that was cut opens up to its last whole record."""
        os.truncate(folder / name, 0)
        (folder / name).write_bytes(data)
        stored = Stored.read(folder)
        stored.mend(log.header(self.victim.transcript.opening))
        assert (folder / name).stat().st_size == last
        assert list(stored.kept) == (kept[:-1] if name == OWN else kept)
        if self.tally.opened % RESUMED == 0:
            session = self._resumed(stored)
            assert session.begun().table == self.victim.transcript.table
        self.tally.opened += 1

    def _resumed(self, stored: Stored) -> Session:
        own = Own.restore(self.signers[self.victim.number], list(stored.kept))
        session = self._session(self.victim.number, self.victim.names, own)
        session.resume(stored.opening, list(stored.records))
        return session

    def _start(self, folder: Path) -> None:
        stored = Stored.read(folder)
        stored.mend(log.header(self.victim.transcript.opening))
        host = self.victim
        host.kept, host.log = list(stored.kept), [stored.opening, *stored.records]
        own = Own.restore(self.signers[host.number], list(stored.kept))
        self.journal = Journal(self.folder, self.hosts[0].transcript.opening)
        host.alive = True
        host.session = self._session(host.number, host.names, own)
        self.tally.restarts += 1
        self.do(host, host.session.resume(stored.opening, list(stored.records)))
        self.all_up()
        self.settle()
        if host.alive:
            self.wake(host)


def start_of_last(data: bytes, start: int) -> int:
    """Where the last frame of a file begins; its end if there is none."""
    at = start
    while at < len(data):
        start, at = at, at + 4 + int.from_bytes(data[at : at + 4], "big")
    return start


def play(name: str, players: int, folder: Path, stride: int = 1) -> Tally:
    """A whole game; ``stride`` is how many bytes there are from one cut to the next."""
    made = Disked(GAMES[name](), players, folder, f"journals {name}", stride)
    made.all_up()
    while True:
        made.settle()
        if not made.victim.alive:
            made.reopen()
        elif not made.decide() and made.victim.alive:
            break
    result = made.finish()
    made._files().close()
    assert (result.how, len(result.confirmed)) == ("finished", players)
    assert all(len(host.transcript.charters) == 1 for host in made.hosts)
    file = (made._files().path).read_bytes()
    assert file == made.file(made.victim) == made.file(made.hosts[0])
    return made.tally


def main(name: str = "five_towers", players: str = "4") -> None:
    """Play, and tell what was done."""
    start = time.process_time()
    with disk() as folder:
        tally = play(name, int(players), folder)
    told = {"game": name, "peers": int(players), "entries": tally.entries, "restarts": tally.restarts}
    print(json.dumps({**told, "opened": tally.opened, "cpu": round(time.process_time() - start)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
