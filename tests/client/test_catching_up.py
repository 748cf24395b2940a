"""Coming back: how long a long game takes to be caught up with, and clocks that were set back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from oaknet import registry
from oaknet_client.feed import Seat
from oaknet_client.notes import LEAP, Notes
from oaknet_protocol import log as log_format
from oaknet_protocol.journal import Journal, Stored
from oaknet_protocol.own import Own
from oaknet_protocol.session import Session
from oaknet_protocol.table import Opening
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.wire import pack
from tests.protocol.mesh import Mesh, signer

CATCH_UP = 2.0
"""Seconds of this processor, for a game of four that lacks one step."""


def test_a_long_game_is_caught_up_with_in_time(tmp_path: Path) -> None:
    rules = registry.rules("oak")
    mesh = Mesh(rules, [("Ann",), ("Bo",), ("Cy",), ("Di",)]).start().play()
    log = mesh.log(mesh.peers[0])
    framed = log_format.records(log, log_format.read_header(log)[1])
    opening = Opening.check(framed[0].record, registry.rules)
    with Journal(tmp_path, opening, {}) as journal:
        folder = journal.folder
    (folder / "game.oak").write_bytes(log[: framed[-6].offset])
    began = time.process_time()
    stored = Stored.read(folder)
    transcript = Transcript.begin(stored.opening, registry.rules)
    for record in stored.records:
        transcript.charter(record) if record.kind == "charter" else transcript.take(record)
    who = mesh.peers[0].key
    mine = next(one for one in map(signer, range(16)) if one.key == who)
    session = Session(mine, registry.rules, (), bytes(32), opener=opening.terms.key, own=Own(mine))
    session.resume(stored.opening, list(stored.records))
    for part in framed[-6:]:
        session.receive(mesh.peers[1].key, pack(part.record))
    assert time.process_time() - began < CATCH_UP
    assert session.begun().over


def test_what_is_said_after_a_clock_was_set_back_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = Notes(bytes(16), bytes(16), (Seat("Ann"),))
    notes.leap()
    before = [notes.count() for _ in range(100)][-1]
    again = Notes.read(notes.written())
    year = 365 * 24 * 3600 * 1_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_000_000_000 - year)
    again.leap()
    assert before < again.count() <= before + LEAP + 1


def test_notes_are_read_as_they_were_written() -> None:
    notes = Notes(bytes(16), bytes([7]) * 16, (Seat("Ann"), Seat("Ann's greedy", "greedy")), 4711, bytes(16))
    notes.places = {"": (("192.0.2.7", 4711),), "ab" * 32: (("2001:db8::1", 1), ("name.example", 2))}
    assert Notes.read(notes.written()) == notes
