"""One peer killed again and again through a whole game: ``python -m tests.e2e.kill [GAME] [PEERS] [STEPS]``.

By default a game of 5 Towers between four, the last of whom is killed after each step that it tells of.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from oaknet_protocol.own import kept_records
from oaknet_protocol.wire import Entry, decode, unpack
from tests.e2e.program import verified
from tests.e2e.tables import results, table


def main(game: str = "five_towers", peers: str = "4", steps: str = "1") -> None:
    """Play; fails if an entry is lost, a seat penalised, or a transcript another."""
    kills, start = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder, table(Path(folder), game, int(peers)) as (players, _):
        *others, victim = players
        for player in others:
            player.drain()
        name = victim.until("start")["table"][:8]
        while True:
            victim.steps(int(steps))
            if victim.events[-1]["event"] == "result":
                break
            victim.kill()
            kills += 1
            victim.run("resume", name)
            victim.until("start")
        found = results(players)
        assert {result["how"] for result in found} == {"finished"}, found
        heard = [event for player in players for event in player.events if event["event"] == "peer"]
        bad = [event for event in heard if event["state"] in ("absent", "cheated", "out-of-time")]
        assert not bad, bad
        logs = verified(Path(folder), *(Path(result["log"]) for result in found))
        assert len({log["transcript"] for log in logs}) == 1
        for result in found:
            signed = entries(Path(result["log"]).parent / "own")
            assert len(set(signed)) == len(signed), "a slot is signed twice"
        told = {"game": game, "peers": int(peers), "kills": kills, "entries": len(signed)}
        seconds = round(time.monotonic() - start)
        print(json.dumps({**told, "seconds": seconds, "transcript": logs[0]["transcript"]}))


def entries(own: Path) -> list[tuple[bytes, int, int]]:
    """The slots of all entries in a side file."""
    found: list[tuple[bytes, int, int]] = []
    for data in kept_records(own.read_bytes()):
        kind, body, *_ = unpack(data)
        if kind == "entry":
            entry = decode(Entry, body)
            found.append((entry.charter, entry.step, entry.author))
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
