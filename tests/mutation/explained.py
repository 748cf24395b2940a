"""The mutants that nobody can notice: ``tests/MUTANTS.md`` says of each why."""

from __future__ import annotations

import re
from pathlib import Path

FILE = Path(__file__).parents[1] / "MUTANTS.md"


def explained(text: str) -> dict[tuple[str, str, str, str], None]:
    """The names of the mutants that ``tests/MUTANTS.md`` explains."""
    found: dict[tuple[str, str, str, str], None] = {}
    path = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"## `(.+)`", line):
            path = heading[1]
        elif entry := re.fullmatch(r"- `([^`]+)`: `(.+)` → `(.+)`", line):
            found[path, entry[1], entry[2], entry[3]] = None
    return found
