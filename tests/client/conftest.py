"""A home of its own for every test, the toy among the games, a log to look at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from oaknet import registry
from oaknet_client.main import cli
from tests.protocol.mesh import Mesh

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("OAKNET_HOME", str(folder))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setitem(registry.GAMES, "market", "tests.client.market")
    return folder


@pytest.fixture
def run() -> Run:
    """Run a command line; the result has ``exit_code``, ``stdout`` and ``stderr``."""

    def invoke(*args: object, typed: str = "") -> Result:
        result = CliRunner().invoke(cli, [str(arg) for arg in args], input=typed, prog_name="oaknet")
        assert "Traceback" not in result.output
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke


@pytest.fixture(scope="session")
def log_bytes() -> bytes:
    """The log of a whole game of 5 Towers between two peers, as both of them hold it."""
    mesh = Mesh(registry.rules("five_towers"), [("Ann",), ("Ben",)], salt="client").start().play()
    assert mesh.log(mesh.peers[0]) == mesh.log(mesh.peers[1])
    return mesh.log(mesh.peers[0])


@pytest.fixture
def log(tmp_path: Path, log_bytes: bytes) -> Path:
    path = tmp_path / "game.oak"
    path.write_bytes(log_bytes)
    return path
