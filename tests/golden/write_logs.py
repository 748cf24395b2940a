"""Golden logs: whole games as peers signed them, with what verifying them must tell.

``python -m tests.golden.write_logs [--unreleased] [GAME …]`` makes those that are missing, which are those
of a new rules version; kept ones are made anew with ``--unreleased`` only, before a version is given out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oaknet import bots
from oaknet.registry import games, rules
from oaknet_protocol.verify import verify
from tests.conformance.tables import Unsteady
from tests.protocol.mesh import Mesh

FOLDER = Path(__file__).parent / "logs"
EXPECTED = FOLDER / "expected.json"


def game(name: str, *seats: int, bot: str = "random", **options: str) -> Callable[[], bytes]:
    """A game to its end; ``seats`` are how many seats each peer takes."""

    def log() -> bytes:
        names = [tuple(f"peer {peer} seat {seat}" for seat in range(n)) for peer, n in enumerate(seats)]
        plays = bots.bot(bot, name)
        mesh = Mesh(rules(name), names, salt="golden", bot=plays, options=options).start().play()
        return mesh.log(mesh.peers[0])

    return log


def unsteady(name: str, steps: int, *seats: int) -> Callable[[], bytes]:
    """A table where players resign, leave and come back."""
    return lambda: Unsteady(rules(name), f"golden {name} {steps}".encode(), seats=seats).some(steps)


LOGS: dict[str, dict[str, Callable[[], bytes]]] = {
    "five_towers": {
        "2": game("five_towers", 1, 1),
        "3-greedy": game("five_towers", 1, 1, 1, bot="greedy"),
        "5-of-two-peers": game("five_towers", 3, 2),
        "4-unsteady": unsteady("five_towers", 400, 1, 1, 1, 1),
        "4-unfinished": unsteady("five_towers", 80, 2, 1, 1),
    },
    "oak": {
        "1": game("oak", 1),
        "2-greedy": game("oak", 1, 1, bot="greedy"),
        "3-eclipse": game("oak", 2, 1, eclipse="on"),
        "4": game("oak", 1, 1, 1, 1),
    },
}
"""For each game what its logs are called, and how they are made."""


def file(name: str, log: str) -> Path:
    """The log's file, which names the rules version."""
    return FOLDER / f"{name}-v{rules(name).version}-{log}.oak"


def told(data: bytes) -> dict[str, Any]:
    """What verifying a log tells, but for its path."""
    reading = verify(data, rules)
    return {
        "rules": reading.transcript.opening.terms.rules.hex(),
        "records": reading.records,
        "confirmed": list(reading.result.confirmed),
        **reading.result.facts(),
    }


def expected() -> dict[str, dict[str, Any]]:
    """What each kept log must tell, by the name of its file."""
    return json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}


def main(arguments: list[str]) -> int:
    unreleased = "--unreleased" in arguments
    chosen = [argument for argument in arguments if argument != "--unreleased"] or games()
    FOLDER.mkdir(exist_ok=True)
    known = expected()
    for name in chosen:
        for log, make in LOGS[name].items():
            path = file(name, log)
            if path.exists() and not unreleased:
                continue
            data = make()
            path.write_bytes(data)
            known[path.name] = told(data)
            print(f"{path.name}: {len(data)} bytes")
    lines = [f" {json.dumps(log)}: {json.dumps(known[log])}" for log in sorted(known)]
    EXPECTED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
