"""The mutants that nobody can notice: ``tests/MUTANTS.md`` says of each why."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

Name: TypeAlias = tuple[str, str, str, str]
"""What a mutant is known by: path, function, lines before and after; changes elsewhere do not touch it."""

FILE = Path(__file__).parents[1] / "MUTANTS.md"


def explained(text: str) -> dict[Name, None]:
    """The names of the mutants that ``tests/MUTANTS.md`` explains."""
    found: dict[Name, None] = {}
    path = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"## `(.+)`", line):
            path = heading[1]
        elif entry := re.fullmatch(r"- `([^`]+)`: `(.+)` → `(.+)`", line):
            found[path, entry[1], entry[2], entry[3]] = None
    return found


def stale(found: Iterable[Name], root: Path) -> list[Name]:
    """Those of them whose line is not in the code any more."""
    texts: dict[str, str] = {}
    for path, *_ in found:
        lines = (root / path).read_text(encoding="utf-8").splitlines() if (root / path).exists() else []
        texts[path] = " ".join(line.strip() for line in lines)
    return [name for name in found if name[2] not in texts[name[0]]]
