"""What is loaded when: most commands start without Textual and trio."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LATE = ("textual", "rich", "trio", "asyncio")

CODE = """
import sys
from oaknet_client.main import main
sys.argv = ["oaknet", *sys.argv[1:]]
try:
    main()
finally:
    print("loaded:", *sorted(sys.modules), file=sys.stderr)
"""


def _loaded(tmp_path: Path, *args: object) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, *map(str, args)],
        env={**os.environ, "OAKNET_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr.splitlines()[-1].removeprefix("loaded: ").split()


@pytest.mark.parametrize(
    "args", [("--version",), ("--help",), (), ("identity",), ("completion", "fish"), ("rules", "bloom")]
)
def test_these_load_neither_textual_nor_trio(tmp_path: Path, args: tuple[str, ...]) -> None:
    loaded = _loaded(tmp_path, *args)
    assert "click" in loaded
    assert not set(LATE) & set(loaded)


@pytest.mark.parametrize("args", [("verify",), ("replay",), ("export", "--to", "json")])
def test_logs_are_read_without_textual_and_trio(tmp_path: Path, log: Path, args: tuple[str, ...]) -> None:
    loaded = _loaded(tmp_path, *args, log)
    assert "oaknet_protocol.verify" in loaded
    assert not set(LATE) & set(loaded)


def test_the_version_loads_nothing_of_the_protocol(tmp_path: Path) -> None:
    assert not [name for name in _loaded(tmp_path, "--version") if name.startswith("oaknet_protocol")]


def test_no_screen_without_one(tmp_path: Path) -> None:
    loaded = _loaded(tmp_path, "play", "five_towers", "--headless")
    assert "trio" in loaded
    assert "textual" not in loaded
