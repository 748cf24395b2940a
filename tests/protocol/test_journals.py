"""The power fails after every entry of a game: `tests.protocol.journals`, with fewer places to cut at."""

from __future__ import annotations

from pathlib import Path

from tests.protocol.journals import play


def test_power_fails_after_every_entry(tmp_path: Path) -> None:
    """Also before the table has begun, when the log has nothing yet but its header."""
    tally = play("market", 3, tmp_path, stride=59)
    assert tally.entries == tally.restarts > 20
    assert tally.opened > 200
