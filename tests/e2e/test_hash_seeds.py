"""A log means the same whatever the hash seed and the locale of who reads it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oaknet import registry
from tests.e2e.digests import digests
from tests.golden.test_golden import ROOT, locale_folder
from tests.protocol.mesh import Mesh


@pytest.fixture(scope="module", params=["five_towers", "oak"])
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a whole game that three peers play at random, so that its digests are always the same."""
    mesh = Mesh(registry.rules(request.param), [("Ann",), ("Ben",), ("Ìı İ",)], salt="seeds").start().play()
    path = tmp_path_factory.mktemp("logs") / "game.oak"
    path.write_bytes(mesh.log(mesh.peers[0]))
    return path


def elsewhere(log: Path, *arguments: str, **environment: str) -> str:
    """The digests of a log as another process finds them."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.digests", str(log), *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n")


@pytest.mark.parametrize("seed", ["0", "1", "777"])
def test_every_hash_seed_finds_the_same_digests(log: Path, seed: str) -> None:
    assert elsewhere(log, PYTHONHASHSEED=seed, PYTHONIOENCODING="utf-8") == digests(log)


@pytest.mark.parametrize("name", ["C", "tr_TR.UTF-8"])
def test_every_locale_finds_the_same_digests(log: Path, name: str, tmp_path: Path) -> None:
    environment = locale_folder(name, tmp_path) | {"LC_ALL": name, "PYTHONIOENCODING": "utf-8"}
    assert elsewhere(log, name, **environment) == digests(log)


def test_the_digests_have_something_to_tell(log: Path) -> None:
    lines = digests(log).splitlines()
    assert len(lines) > 30
    assert len({line.split()[2] for line in lines[:-1] if " move " in line}) > 20
