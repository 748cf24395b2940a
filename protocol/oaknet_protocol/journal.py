"""The files of one table: its log, and beside it what is ours alone; the only module that writes them.

``tables/<table id>/game.oak`` is the log (whole steps), ``own`` has our sit, charter signatures and entries,
each on the disk before it is sent, ``lock`` keeps a second process out (transcript 8, session 4).
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from oaknet_protocol import log
from oaknet_protocol.events import Keep, Write
from oaknet_protocol.table import Opening
from oaknet_protocol.wire import Record, pack

if os.name == "posix":
    import fcntl

LOG, OWN, EVIDENCE, LOCK = f"game{log.SUFFIX}", "own", "evidence", "lock"


class TableInUse(OSError):
    """Another process has this table open."""


class Journal:
    """The open files of a table; a context manager. Every error of the disk goes on up as `OSError`."""

    def __init__(self, folder: Path, opening: Opening) -> None:
        """Make or open the files under ``folder/<table id>``; raises `TableInUse` or `OSError`."""
        self.folder = folder / opening.table.hex()
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if os.name == "posix":
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            raise TableInUse(f"another process has the table {opening.table.hex()[:8]} open") from error
        self._files = [self._lock]
        try:
            self._own = self._opened(OWN)
            self._log = self._opened(LOG)
            if os.fstat(self._log).st_size == 0:
                _write_all(self._log, log.header(opening))
            _sync_folder(self.folder)
        except OSError:
            self._let_go()
            raise

    @property
    def path(self) -> Path:
        """The log file."""
        return self.folder / LOG

    def keep(self, event: Keep) -> None:
        """Put something of ours into the side file; returns when the disk has it.

        Nothing waits for the log: of the steps that a crash takes from it, the side file has our part, and
        the other peers have all.
        """
        with _named(self.folder / OWN):
            _write_all(self._own, log.frame(event.data))
            os.fsync(self._own)

    def write(self, event: Write) -> None:
        """Append whole steps to the log; a charter is on the disk then: who plays must outlast a crash."""
        with _named(self.path):
            _write_all(self._log, b"".join(log.frame(pack(record)) for record in event.records))
            if any(record.kind == "charter" for record in event.records):
                os.fsync(self._log)

    def note(self, records: tuple[Record, ...]) -> None:
        """Keep evidence against a peer, in a file of its own."""
        path = self.folder / EVIDENCE
        file = _appending(path)
        try:
            with _named(path):
                _write_all(file, b"".join(log.frame(pack(record)) for record in records))
                os.fsync(file)
        finally:
            os.close(file)

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


def _write_all(file: int, data: bytes) -> None:
    """Write all of it, or raise; what a full disk cut off is taken back, so that the file stays whole."""
    size = os.fstat(file).st_size
    try:
        while data:
            data = data[os.write(file, data) :]
    except OSError:
        os.ftruncate(file, size)
        raise


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
