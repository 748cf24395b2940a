"""A file of played games, one JSON object a line, so that a long arena can go on where it stopped.

The first line says what is played: an arena goes on with a file only if that is the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from oaknet.kernel.statistics import Facts
from oaknet_client.arena import Played
from oaknet_client.failures import USAGE, Failure


class Results:
    """The games of one arena; ``plan`` is what is played, as JSON.

    ``played`` has the games by their place in the plan. Raises `Failure` if the file is another arena's.
    """

    def __init__(self, path: Path, plan: Mapping[str, Any]) -> None:
        self.played: dict[int, Played] = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = text.splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):  # stopped while writing
            lines.pop()
        if lines:
            self._read(path, plan, lines)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(lines or [json.dumps(plan) + "\n"])
        self._file: IO[str] = path.open("a", encoding="utf-8")

    def note(self, number: int, played: Played) -> None:
        """Keep a game that has just been played."""
        self.played[number] = played
        facts = [[fact.groups, fact.counts] for fact in played.facts]
        self._file.write(json.dumps([number, played.bots, played.scores, played.winners, facts]) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read(self, path: Path, plan: Mapping[str, Any], lines: list[str]) -> None:
        try:
            first, *games = map(json.loads, lines)
            for number, bots, scores, winners, facts in games:
                told = tuple(Facts(groups, counts) for groups, counts in facts)
                self.played[number] = Played(tuple(bots), tuple(scores), tuple(winners), told)
        except (ValueError, TypeError) as error:
            raise Failure(f"{path.name} is not a file of arena results; give another name.", USAGE) from error
        if first != json.loads(json.dumps(plan)):
            raise Failure(f"{path.name} has the results of another arena; give another name.", USAGE)


def seed_of(path: Path) -> str | None:
    """The seed of the arena whose results these are, None if there are none yet."""
    if not path.exists():
        return None
    with path.open(encoding="utf-8") as file:
        try:
            seed: Any = json.loads(file.readline())["seed"]
        except (ValueError, LookupError, TypeError):
            return None  # `Results` says what is wrong
    return seed if isinstance(seed, str) else None
