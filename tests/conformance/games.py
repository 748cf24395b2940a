"""What the verifier in JavaScript must be told of the games: ``python -m tests.conformance.games``.

Of games whose rules are written in JavaScript these are the printed numbers, which the command writes to
games.json; of others the rules digest, which the tests hand over.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from oaknet.kernel.rules import rules_digest
from oaknet.registry import games, rules
from tests.engine.toys import Market

FILE = Path(__file__).with_name("games.json")
WRITTEN = ("five_towers", "market")


def facts(game: Any, *, by_bytes: bool = False) -> dict[str, Any]:
    """The facts of one game, as `games.mjs` describes them; ``by_bytes`` as if its rules were not written."""
    if game.name in WRITTEN and not by_bytes:
        return {"box": asdict(game.data.box)}
    return {
        "rules": rules_digest(game).hex(),
        "seats": [game.seats[0], game.seats[-1]],
        "options": {option.name: list(option.values) for option in game.options},
    }


def text(*made: Any, by_bytes: bool = False) -> str:
    """A file with the facts of these games."""
    each = {game.name: facts(game, by_bytes=by_bytes) for game in made}
    lines = [f" {json.dumps(name)}: {json.dumps(told)}" for name, told in each.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def kept() -> str:
    """What games.json holds."""
    return text(rules("five_towers"), Market())


def known() -> str:
    """Every game of the registry, and the toy of the test vectors."""
    return text(*map(rules, games()), Market())


if __name__ == "__main__":
    FILE.write_text(kept(), encoding="ascii")
