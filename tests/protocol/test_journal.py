"""The files of a table: private, locked, whole whatever the disk does, and on it before anything is sent."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from oaknet.kernel import H
from oaknet_protocol import events, log
from oaknet_protocol.events import Keep, Write
from oaknet_protocol.journal import DamagedTable, Journal, Stored, TableInUse
from oaknet_protocol.table import Opening
from oaknet_protocol.verify import verify
from oaknet_protocol.wire import Record, decode, pack, unpack
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, Peer


def table() -> tuple[Mesh, Peer, Opening]:
    mesh = Mesh(Market(), [("Ann",), ("Bo",)]).start().play()
    peer = mesh.peers[0]
    return mesh, peer, peer.transcript.opening


def written(peer: Peer) -> list[Keep | Write]:
    return [event for event in peer.told if isinstance(event, Keep | Write)]


def put(journal: Journal, parts: list[Keep | Write]) -> None:
    for part in parts:
        if isinstance(part, Keep):
            journal.keep(part)
        else:
            journal.write(part)


def framed(data: bytes) -> list[bytes]:
    parts, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        parts.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return parts


def test_log_and_side_file_hold_the_whole_game(tmp_path: Path) -> None:
    mesh, peer, opening = table()
    with Journal(tmp_path, opening) as journal:
        put(journal, written(peer))
        assert journal.path == tmp_path / opening.table.hex() / "game.oak"
    assert journal.path.read_bytes() == mesh.log(peer)
    assert verify(journal.path.read_bytes(), mesh.rules_for).result.how == "finished"
    own = framed((journal.folder / "own").read_bytes())
    assert own == peer.kept
    assert [unpack(part)[0] for part in own][:2] == ["sit", "charter"]


def test_files_are_private(tmp_path: Path) -> None:
    _, peer, opening = table()
    with Journal(tmp_path, opening) as journal:
        put(journal, written(peer))
        journal.note((opening.record,))
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in journal.folder.iterdir()}
        assert modes == dict.fromkeys(["game.oak", "own", "lock", "evidence"], 0o600)
        assert stat.S_IMODE(journal.folder.stat().st_mode) == 0o700


def test_table_is_open_once(tmp_path: Path) -> None:
    _, _, opening = table()
    with Journal(tmp_path, opening), pytest.raises(TableInUse, match="Another process has the table"):
        Journal(tmp_path, opening)
    Journal(tmp_path, opening).close()


def test_opened_again_it_goes_on_where_it_was(tmp_path: Path) -> None:
    mesh, peer, opening = table()
    parts = written(peer)
    with Journal(tmp_path, opening) as journal:
        put(journal, parts[:7])
    with Journal(tmp_path, opening) as journal:
        put(journal, parts[7:])
    assert journal.path.read_bytes() == mesh.log(peer)


def test_evidence_is_added_to(tmp_path: Path) -> None:
    _, peer, opening = table()
    entries = [event.records[0] for event in peer.told if isinstance(event, events.Write)][1:3]
    with Journal(tmp_path, opening) as journal:
        journal.note(tuple(entries))
        journal.note((opening.record,))
    kept = [decode(Record, part) for part in framed((journal.folder / "evidence").read_bytes())]
    assert kept == [*entries, opening.record]


def full_after(size: int) -> Callable[[int, bytes], int]:
    """An ``os.write`` to a disk with so many bytes left, which writes what fits before it refuses."""
    left, real = size, os.write

    def write(file: int, data: bytes) -> int:
        nonlocal left
        if left == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(file, data[:left])
        left -= done
        return done

    return write


@pytest.mark.parametrize("left", [0, 1, 40, 300, 1000, 3000])
def test_full_disk_leaves_the_files_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    """Whatever the event that finds it full, and however much of it still fitted."""
    mesh, peer, opening = table()
    journal = Journal(tmp_path, opening)
    before = len(journal.path.read_bytes())
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_after(left))
        with pytest.raises(OSError, match="No space left") as caught:
            put(journal, written(peer))
        assert caught.value.errno == errno.ENOSPC
        assert Path(str(caught.value.filename)).parent == journal.folder
    journal.close()
    data = journal.path.read_bytes()
    assert mesh.log(peer).startswith(data)
    assert before <= len(data) <= before + left
    if len(data) > before:
        assert verify(data, mesh.rules_for).result.how == "unfinished"
    own = framed((journal.folder / "own").read_bytes())
    assert own == peer.kept[: len(own)]


def test_full_disk_at_the_very_beginning_lets_go_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, opening = table()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_after(20))
        with pytest.raises(OSError, match="No space left"):
            Journal(tmp_path, opening)
    with Journal(tmp_path, opening) as journal:
        assert journal.path.read_bytes() == log.header(opening)


def test_write_that_takes_only_a_part_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mesh, peer, opening = table()
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:100]))
    with Journal(tmp_path, opening) as journal:
        put(journal, written(peer))
    assert journal.path.read_bytes() == mesh.log(peer)


def test_what_is_kept_is_on_the_disk_and_not_only_with_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours whenever something of ours is sent, and the log with each charter."""
    _, peer, opening = table()
    with Journal(tmp_path, opening) as journal:
        synced: list[int] = []
        real = os.fsync

        def fsync(file: int) -> None:
            real(file)
            synced.append(os.fstat(file).st_ino)

        monkeypatch.setattr(os, "fsync", fsync)
        own, whole = (os.stat(journal.folder / name).st_ino for name in ("own", "game.oak"))
        for part in written(peer):
            synced.clear()
            put(journal, [part])
            if isinstance(part, Keep):
                assert own in synced
            else:
                assert (whole in synced) or all(record.kind != "charter" for record in part.records)


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    _, _, opening = table()
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OSError, match="file"):
        Journal(tmp_path / "file", opening)


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


DAMAGES: dict[str, Callable[[bytes, int], bytes]] = {
    "a header that was cut": lambda data, start: data[:20],
    "a header of nothing": lambda data, start: bytes(start) + data[start:],
    "nothing but blanks": lambda data, start: bytes(len(data)),
    "the opening": lambda data, start: flipped(data, start + 6),
    "the length of the opening": lambda data, start: flipped(data, start),
    "the length of a record": lambda data, start: flipped(data, record_at(data, start, 9)),
    "the middle of a record": lambda data, start: flipped(data, record_at(data, start, 9) + 60),
    "the end of a record": lambda data, start: flipped(data, record_at(data, start, 10) - 1),
    "the first charter": lambda data, start: flipped(data, record_at(data, start, 2) - 1),
    "the last record": lambda data, start: data[:-1] + b"\0",
}


def record_at(data: bytes, start: int, number: int) -> int:
    return log.records(data, start)[number].offset


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_whole_of_a_damaged_log_is_gone_on_with(tmp_path: Path, damage: str) -> None:
    """The rest comes from the others; a log of which more is lost than a last record is kept as it was."""
    mesh, peer, opening = table()
    with Journal(tmp_path, opening, {"a": "note"}) as journal:
        put(journal, written(peer))
    whole = journal.path.read_bytes()
    start = log.read_header(whole)[1]
    bad = DAMAGES[damage](whole, start)
    journal.path.write_bytes(bad)
    stored, transcript, _ = Stored.read(journal.folder).played(mesh.rules_for)
    assert stored.damaged == ("that was cut" not in damage)
    assert transcript.step.kind != "over"
    with Journal(tmp_path, opening) as journal:
        stored.mend(log.header(opening))
        left = journal.path.read_bytes()
        assert whole.startswith(left)
        assert len(log.records(left, start)) in (len(stored.records) + 1, 0)
        missing = [framed.record for framed in log.records(whole, start)]
        journal.write(Write(tuple(missing[len(log.records(left, start)) :])))
    assert journal.path.read_bytes() == whole
    assert (stored.aside.read_bytes() if stored.damaged else b"") == (bad if stored.damaged else b"")
    again = Stored.read(journal.folder)
    assert (again.damaged, len(again.records)) == (False, len(missing) - 1)


def test_log_of_another_version_is_left_alone(tmp_path: Path) -> None:
    _, peer, opening = table()
    with Journal(tmp_path, opening, {}) as journal:
        put(journal, written(peer))
    head = log.MAGIC + log.frame(pack((log.FORMAT + 1, 1)))
    journal.path.write_bytes(head + H("header", head))
    with pytest.raises(DamagedTable, match="format"):
        Stored.read(journal.folder)
