"""My tables, finished or not, as they lie on the disk; looked at without playing them again."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oaknet.kernel import H
from oaknet_client.failures import Failure, log
from oaknet_client.notes import Notes
from oaknet_client.words import inert, listed
from oaknet_protocol.journal import LOG, TABLE, DamagedTable, Stored
from oaknet_protocol.refused import Refused
from oaknet_protocol.table import read
from oaknet_protocol.wire import Charter, Entry, Open, Record, Sit, decode

SHORT = 8
"""Digits of a table's id that are shown."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A table on the disk. ``state`` is lobby, unfinished or finished; ``step`` is where its log ends.

    ``names`` are by charter seat, or in the lobby those of our own seats.
    """

    stored: Stored
    notes: Notes
    terms: Open
    table: bytes
    names: tuple[str, ...]
    state: str
    step: int
    changed: datetime.datetime

    @property
    def short(self) -> str:
        """The beginning of the table's id, in hex."""
        return self.table.hex()[:SHORT]

    def record(self) -> dict[str, object]:
        """The documented JSON object of a table."""
        return {
            "table": self.table.hex(),
            "game": self.terms.game,
            "seats": self.terms.seats,
            "names": list(self.names),
            "state": self.state,
            "step": self.step,
            "changed": self.changed.isoformat(),
            "log": str(self.stored.folder / LOG),
        }

    def line(self) -> str:
        """The table in words."""
        names = ", ".join(map(inert, self.names)) or "watched"
        changed = f"{self.changed.astimezone():%Y-%m-%d %H:%M}"
        return f"{self.short}  {self.terms.game:<12} {self.state:<11} {changed}  {names}"


def tables(folder: Path) -> list[Kept]:
    """All tables that can be read, the one changed last first; raises `OSError` for the folder of all."""
    found: list[Kept] = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if not _is_table(path):
            continue
        try:
            found.append(_kept(path))
        except (DamagedTable, Refused, KeyError, TypeError, ValueError, OSError) as error:
            log.info("table %s", path, exc_info=error)
    return sorted(found, key=lambda kept: (kept.changed, kept.table), reverse=True)


def damaged(folder: Path) -> list[Path]:
    """The folders of tables that cannot be read."""
    good = [kept.stored.folder for kept in tables(folder)]
    every = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in every if path not in good and _is_table(path)]


def _is_table(path: Path) -> bool:
    try:
        return (path / TABLE).exists()
    except OSError:  # a folder that we may not look into is one that cannot be read
        return True


def find(folder: Path, table: str) -> Kept:
    """The table whose id begins like this; raises `Failure`."""
    found = [kept for kept in tables(folder) if kept.table.hex().startswith(table.lower())]
    if len(found) == 1:
        return found[0]
    if not found and any(path.name.startswith(table.lower()) for path in damaged(folder)):
        raise Failure(
            f"The files of table {inert(table)} are damaged; oaknet verify says what its log holds."
        )
    if not found:
        raise Failure(f"There is no table {inert(table)} here. oaknet tables lists those there are.")
    raise Failure(f"{inert(table)} may be {listed(kept.short for kept in found[:5])}. Give more of it.")


def invited(folder: Path, secret: bytes, opener: bytes) -> Kept | None:
    """The table that we know by this invite already: who sits at it once never sits at it anew."""
    every = tables(folder)
    return next((one for one in every if (one.notes.secret, one.notes.opener) == (secret, opener)), None)


def _kept(path: Path) -> Kept:
    stored = Stored.read(path)
    terms = read(Open, stored.opening.data)
    names = _names(stored.records) or tuple(seat.name for seat in Notes.read(stored.notes).seats)
    times = [(path / name).stat().st_mtime for name in (LOG, "table.json") if (path / name).exists()]
    changed = datetime.datetime.fromtimestamp(max(times), datetime.UTC)
    entries = _entries(stored.records)
    state = "unfinished" if any(record.kind == "charter" for record in stored.records) else "lobby"
    if any(entry.kind == "result" for entry in entries):
        state = "finished"
    step = entries[-1].step if entries else 0
    table = H("open", stored.opening.data)
    return Kept(stored, Notes.read(stored.notes), terms, table, names, state, step, changed)


def _entries(records: Sequence[Record]) -> list[Entry]:
    """The entries up to the first that is damaged."""
    found: list[Entry] = []
    with contextlib.suppress(Refused):
        found.extend(read(Entry, record.data) for record in records if record.kind == "entry")
    return found


def _names(records: Sequence[Record]) -> tuple[str, ...]:
    first = next((record for record in records if record.kind == "charter"), None)
    if first is None:
        return ()
    return tuple(name for data, _ in decode(Charter, first.data).sits for name in decode(Sit, data).names)
