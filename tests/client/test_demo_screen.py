"""A person at a table between real peers: the demo on the screen and by plain lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.widgets import OptionList

from oaknet import registry
from oaknet_client.config import Config
from oaknet_client.demo import Demo
from oaknet_client.feed import Seat
from oaknet_client.screen.app import TableApp
from oaknet_protocol.verify import rules_named, verify
from tests.client.conftest import Run


def _short() -> str:
    """5 Towers' data with few cards."""
    data = registry.data_text("five_towers")
    values = next(line for line in data.splitlines() if line.startswith("values ="))
    return data.replace(values, 'values = { value = [0, 1, 2], origin = "assumed" }')


def _transcripts(logs: Sequence[str], data: str) -> set[str]:
    """The transcript of each log, verified."""
    find = rules_named({"five_towers": registry.rules("five_towers", data)})
    return {verify(Path(log).read_bytes(), find).result.transcript.hex() for log in logs}


@pytest.mark.asyncio
async def test_a_whole_network_game_by_keys(tmp_path: Path) -> None:
    data = _short()
    seats = (Seat("Ann", place=0), Seat("greedy", bot="greedy", place=1))
    demo = Demo(registry.rules("five_towers", data), seats, {}, tmp_path, data)
    app = TableApp(demo, Config("Ann"))
    try:
        async with app.run_test() as pilot:
            choices = app.query_one("#choices", OptionList)
            for _ in range(2000):
                if app.result is not None or app.fault is not None:
                    break
                if choices.option_count:
                    await pilot.press("1")
                await pilot.pause()
    finally:
        assert app.bridge.stop()
    assert app.fault is None
    assert app.result is not None
    assert app.result.how == "finished"
    assert len(set(app.result.logs)) == 2
    assert _transcripts(app.result.logs, data) == {app.result.transcript}
    assert {seat.name for seat in app.result.seats} == {"Ann", "greedy"}


def test_a_whole_network_game_by_plain_lines(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "numbers.toml"
    data.write_text(_short())
    args = ("demo", "--plain", "--game", "five_towers", "--players", "2", "--data", data)
    result = run(*args, typed="1\n\n" * 200)
    assert (result.exit_code, result.stderr) == (0, "")
    assert ", your turn. Bid:" in result.stdout
    assert re.search(r"wins|share the victory", result.stdout)
