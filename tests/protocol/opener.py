"""The opener of a table for four is killed for good: ``python -m tests.protocol.opener [POINTS]``.

At so many points of the game (50), evenly over all frames that pass; the other three must finish it each
time, with the same log, nothing signed twice, and nobody but the opener missed.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path

from oaknet.kernel import Rng
from oaknet_protocol.table import PLAYED
from tests.engine.toys import Market
from tests.protocol.atwork import Room, disk
from tests.protocol.proxy import Conditions, Pipe

GRACE = 5
OPTIONS = {"pace": "fast", "grace": str(GRACE)}


def room(folder: Path, salt: str) -> Room:
    return Room(Market(), 4, folder, Conditions(Rng(salt.encode())), options=OPTIONS)


def frames() -> int:
    """How many frames pass from the first charter to the end, at a table that nobody leaves."""
    with disk() as folder:
        made, count = room(folder, "opener"), 0

        def seen(pipe: Pipe, number: int, data: bytes) -> None:
            nonlocal count
            count += begun(made)

        made.conditions.seen = seen
        made.play().whole()
    return count


def begun(made: Room) -> bool:
    """Whether all have the first charter."""
    return all(p.nursery and p.transcript and p.transcript.seating for p in made.players)


def gone(after: int) -> str:
    """A game whose opener dies after so many frames; returns how it ended."""
    with disk() as folder:
        made, count = room(folder, f"opener {after}"), 0
        opener, *others = made.players

        def seen(pipe: Pipe, number: int, data: bytes) -> None:
            nonlocal count
            count += begun(made)
            if count == after and opener.nursery is not None:
                opener.kill()

        made.conditions.seen = seen
        made.play()
        result = made.finished(others)
        for player in others:
            first, last = player.transcript.charters[0], player.transcript.seating
            whys = {key: why for key, why in zip(first.peers, last.why, strict=True) if key != opener.key}
            assert list(whys.values()) == [PLAYED] * 3
        assert made.took < 10 * GRACE, made.took
        assert result.how in ("absent", "finished")
        # A log has whole steps: without the opener's word on the result, nobody's is there.
        assert len(result.confirmed) in ((3,) if result.how == "absent" else (0, 4)), result
        return result.how


def main(points: str = "50") -> None:
    """Play a game for each point, and tell how they ended."""
    start, total, count = time.process_time(), frames(), int(points)
    ways = Counter(gone(1 + point * (total - 1) // (count - 1)) for point in range(count))
    cpu = round(time.process_time() - start)
    print(json.dumps({"points": count, "frames": total, "how": ways, "cpu": cpu}))


if __name__ == "__main__":
    main(*sys.argv[1:])
