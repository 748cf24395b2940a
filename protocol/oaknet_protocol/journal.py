"""The files of one table: its log, and beside it what is ours alone; the only module that writes them.

``tables/<table id>/game.oak`` is the log (whole steps), ``own`` has our sit, charter signatures and entries,
each on the disk before it is sent, ``table.json`` what is needed to come back (the opening, and the client's
own notes, the invite's secret among them), ``forks/`` the proofs against who cheated, ``lock`` keeps a second
process out (transcript 8, session 4).
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from oaknet.kernel import H
from oaknet_protocol import log, proof
from oaknet_protocol.events import Keep, Rewrite, Write
from oaknet_protocol.log import CutInside, LogFault, OtherVersion
from oaknet_protocol.own import kept_records
from oaknet_protocol.refused import Refused
from oaknet_protocol.table import Opening, RulesFor
from oaknet_protocol.transcript import Done, Transcript
from oaknet_protocol.wire import MAX_FRAME, Record, pack

if os.name == "posix":
    import fcntl

LOG, OWN, EVIDENCE, LOCK = f"game{log.SUFFIX}", "own", "evidence", "lock"
FORKS = "forks"
TABLE = "table.json"
ASIDE = f"{LOG}.damaged"


class DamagedTable(ValueError):
    """The files of a table that cannot be gone on with; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What lies in a table's folder: ``records`` are the log's behind the opening, ``kept`` the side file's.

    ``notes`` are the client's. A last record that was not written whole is left out, and cut off by `mend`;
    so is all from the first that is ``damaged``. ``ends`` says where in the log the header ends and each
    record, the opening first; it is empty if there is no whole header.
    """

    folder: Path
    opening: Record
    records: tuple[Record, ...]
    kept: tuple[bytes, ...]
    notes: Mapping[str, Any]
    ends: tuple[int, ...]
    damaged: bool = False

    @classmethod
    def read(cls, folder: Path) -> Stored:
        """Raises `DamagedTable`, or `OSError` where there is nothing to read."""
        try:
            table = json.loads((folder / TABLE).read_bytes())
            data, signature = (bytes.fromhex(part) for part in table["opening"])
            opening, notes = Record("open", data, signature), dict(table["notes"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DamagedTable(f"{folder / TABLE} is damaged: {error}") from error
        records, ends, damaged = _log_records(folder / LOG)
        if records and records[0] != opening:
            if H("open", data).hex() != folder.name:
                raise DamagedTable(f"{folder / LOG} is the log of another table")
            records, ends, damaged = [], ends[:1], True
        kept = kept_records((folder / OWN).read_bytes()) if (folder / OWN).exists() else []
        return cls(folder, opening, tuple(records[1:]), tuple(kept), notes, ends, damaged)

    def played(self, rules_for: RulesFor) -> tuple[Self, Transcript, list[Done]]:
        """Play the records: what there is up to the first that the rules refuse, and the table as it is then.

        Raises `Refused` for the opening.
        """
        transcript, done = Transcript.begin(self.opening, rules_for), list[Done]()
        for count, record in enumerate(self.records):
            try:
                done += transcript.charter(record) if record.kind == "charter" else transcript.take(record)
            except Refused:
                return replace(self, records=self.records[:count], damaged=True), transcript, done
        return self, transcript, done

    @property
    def aside(self) -> Path:
        """Where a damaged log is kept as it was."""
        return self.folder / ASIDE

    def mend(self, header: bytes) -> None:
        """Cut off what was not written whole, or is damaged, so that whole records can follow; a log without
        a whole header gets this one."""
        path = self.folder / LOG
        whole = self.ends[: len(self.records) + 2][-1] if self.ends else 0
        if path.exists() and path.stat().st_size > whole:
            if self.damaged:
                _replace(self.aside, path.read_bytes())
            os.truncate(path, whole)
            if not whole:
                with _named(path):
                    _append(path, header)
        own = self.folder / OWN
        size = sum(len(log.frame(data)) for data in self.kept)
        if own.exists() and own.stat().st_size > size:
            os.truncate(own, size)


def _log_records(path: Path) -> tuple[list[Record], tuple[int, ...], bool]:
    """The whole records of a log up to the first that is damaged, where header and records end, and whether
    there is more than a last one that was cut."""
    data = path.read_bytes() if path.exists() else b""
    try:
        _, offset = log.read_header(data)
    except OtherVersion as fault:
        raise DamagedTable(f"{path}: {fault.why}") from fault
    except LogFault:  # below the length of a header it was cut: nothing of the game was there yet
        return [], (), len(data) >= log.SHORTEST
    damaged, end = False, len(data)
    try:
        found = log.records(data, offset)
    except LogFault as fault:
        end = fault.offset
        claimed = int.from_bytes(data[end : end + 4], "big")
        damaged = not isinstance(fault, CutInside) or claimed > MAX_FRAME
        found = log.records(data[:end], offset)
    starts = [framed.offset for framed in found]
    return [framed.record for framed in found], (*starts, end), damaged


def _header_of(data: bytes) -> bytes:
    return data[: log.read_header(data)[1]]


def _replace(path: Path, data: bytes) -> None:
    """Write a file anew: after a crash there is the old one or the new one."""
    fresh = path.with_suffix(".new")
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        _write_all(file, data)
        os.fsync(file)
    finally:
        os.close(file)
    os.replace(fresh, path)
    _sync_folder(path.parent)


class TableInUse(OSError):
    """Another process has this table open."""

    def __init__(self, table: bytes) -> None:
        super().__init__(
            f"Another process has the table {table.hex()[:8]} open. Close that one first, or go on there."
        )


def in_use(folder: Path) -> bool:
    """Whether a process has the table in this folder open; raises `OSError` if that cannot be found out."""
    if os.name != "posix" or not (folder / LOCK).exists():
        return False
    lock = os.open(folder / LOCK, os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


class Journal:
    """The open files of a table; a context manager. Every error of the disk goes on up as `OSError`.

    ``path`` is the log file.
    """

    def __init__(self, folder: Path, opening: Opening, notes: Mapping[str, Any] | None = None) -> None:
        """Make or open the files under ``folder/<table id>``; raises `TableInUse` or `OSError`.

        ``notes`` are JSON-able, and kept for `Stored`.
        """
        self.folder = folder / opening.table.hex()
        self.path = self.folder / LOG
        self._side = self.folder / OWN
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if os.name == "posix":
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            raise TableInUse(opening.table) from error
        self._files = [self._lock]
        try:
            self._own = self._opened(OWN)
            self._log = self._opened(LOG)
            if os.fstat(self._log).st_size == 0:
                _write_all(self._log, log.header(opening))
            if notes is not None:
                self.note_down(opening.record, notes)
            _sync_folder(self.folder)
        except OSError:
            self._let_go()
            raise

    def keep(self, event: Keep) -> None:
        """Put something of ours into the side file; returns when the disk has it.

        Nothing waits for the log: of the steps that a crash takes from it, the side file has our part, and
        the other peers have all.
        """
        with _named(self._side):
            _write_all(self._own, log.frame(event.data))
            os.fsync(self._own)

    def write(self, event: Write) -> None:
        """Append whole steps to the log; a charter is on the disk then: who plays must outlast a crash."""
        with _named(self.path):
            _write_all(self._log, b"".join(log.frame(pack(record)) for record in event.records))
            if any(record.kind == "charter" for record in event.records):
                os.fsync(self._log)

    def rewrite(self, event: Rewrite) -> None:
        """Put another log in place of this one, at once or not at all."""
        with _named(self.path):
            head = _header_of(self.path.read_bytes())
            body = b"".join(log.frame(pack(record)) for record in event.records)
            _replace(self.path, head + body)
            fresh = _appending(self.path)
            os.dup2(fresh, self._log)
            os.close(fresh)

    def note_down(self, opening: Record, notes: Mapping[str, Any]) -> None:
        """Keep what is needed to come back to this table."""
        record = [opening.data.hex(), opening.signatures[0].hex()]
        with _named(self.folder / TABLE):
            _replace(self.folder / TABLE, json.dumps({"opening": record, "notes": notes}).encode())

    def note(self, records: tuple[Record, ...]) -> None:
        """Keep evidence against a peer, in a file of its own."""
        path = self.folder / EVIDENCE
        with _named(path):
            _append(path, b"".join(log.frame(pack(record)) for record in records))

    def proof_path(self, key: bytes) -> Path:
        """Where the proof against the peer with this key lies, if there is one."""
        return self.folder / FORKS / f"{key.hex()[:16]}{proof.SUFFIX}"

    def prove(self, key: bytes, data: bytes) -> None:
        """Keep a proof file against a peer: the first one, since one is enough."""
        path = self.proof_path(key)
        with _named(path):
            if not path.exists():
                path.parent.mkdir(exist_ok=True, mode=0o700)
                _replace(path, data)

    def close(self) -> None:
        """Bring everything to the disk and let go of the table."""
        try:
            os.fsync(self._log)
        finally:
            self._let_go()

    def _opened(self, name: str) -> int:
        self._files.append(_appending(self.folder / name))
        return self._files[-1]

    def _let_go(self) -> None:
        while self._files:
            os.close(self._files.pop())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@contextmanager
def _named(path: Path) -> Generator[None, None, None]:
    """Let what the disk refuses say of which file: the system does so only where a file is opened."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _appending(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def _append(path: Path, data: bytes) -> None:
    """Add to a file; returns when the disk has it."""
    file = _appending(path)
    try:
        _write_all(file, data)
        os.fsync(file)
    finally:
        os.close(file)


def _write_all(file: int, data: bytes) -> None:
    """Write all of it, or raise; what a full disk cut off is taken back, so that the file stays whole."""
    done = 0
    try:
        while done < len(data):
            done += os.write(file, data[done:])
    except OSError:
        os.ftruncate(file, os.fstat(file).st_size - done)
        raise


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
