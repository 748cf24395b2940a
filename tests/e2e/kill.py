"""One peer killed again and again through a whole game: ``python -m tests.e2e.kill [GAME] [PEERS] [STEPS]``.

By default a game of 5 Towers between four, the last of whom is killed after each step that it tells of.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from tests.e2e.program import verified
from tests.e2e.tables import results, table


def main(game: str = "five_towers", peers: str = "4", steps: str = "1") -> None:
    """Play; fails if an entry is lost, a seat penalised, or a transcript another."""
    kills = 0
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
        told = [event for player in players for event in player.events if event["event"] == "peer"]
        bad = [event for event in told if event["state"] in ("absent", "cheated", "out-of-time")]
        assert not bad, bad
        logs = verified(Path(folder), *(Path(result["log"]) for result in found))
        print(
            json.dumps(
                {"game": game, "peers": int(peers), "kills": kills, "transcript": logs[0]["transcript"]}
            )
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
