"""Leaving a table between peers: how to come back is told where the screen was."""

from __future__ import annotations

from pathlib import Path

import pytest

from oaknet_client.config import folders
from oaknet_client.shelf import tables
from tests.client.conftest import Run
from tests.client.test_around import shelve


@pytest.mark.parametrize(("part", "told"), [(2, True), (1, False)])
def test_who_leaves_before_the_end_is_told_how_to_come_back(
    part: int, told: bool, run: Run, home: Path, log_bytes: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oaknet_client.front.run", lambda *_, **__: None)
    run("identity")
    shelve(home, log_bytes[: len(log_bytes) // part])
    short = tables(folders().tables)[0].short
    result = run("resume", short)
    line = f"You have left the table. oaknet resume {short} comes back to it.\n"
    assert (result.stdout, result.exit_code) == (line if told else "", 0)


def test_nothing_is_told_after_a_table_that_never_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oaknet_client.front.run", lambda *_, **__: None)
    assert run("host", "five_towers").stdout == ""
