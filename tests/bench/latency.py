"""How long a move takes: ``python -m tests.bench.latency [GAMES]``.

Four processes on loopback play whole games and then, in the same run, send the same bytes over bare TLS
streams, with one signature and its checks a message and nothing else: once so, and once with each message on
the disk before it is sent, as ours are. For a move: from the decision until the last peer has applied and
written it. For a draw: from the first peer that may give its share until the last that has the result.
"""

from __future__ import annotations

import sys
from typing import Any

from oaknet import registry
from oaknet_protocol import log, wire
from tests.bench.table import SEATS, play

MIND = "random"
"""Bots that need no time: a thinking one would take a core from the peers that are still measured."""


def kinds(data: bytes) -> list[str]:
    """The kind of each step of a log."""
    found: list[str] = []
    for framed in log.records(data, log.read_header(data)[1]):
        if framed.record.kind == "entry":
            entry = wire.decode(wire.Entry, framed.record.data)
            if entry.step == len(found):
                found.append(entry.kind)
    return found


def spans(peers: list[dict[str, Any]], steps: list[str]) -> dict[str, list[float]]:
    """Milliseconds of every move and every draw."""
    found: dict[str, list[float]] = {"move": [], "share": []}
    for number, kind in enumerate(steps):
        at, before = str(number), str(number - 1)
        if kind == "move":
            begun = min(peer["begun"][at] for peer in peers if at in peer["begun"])
        elif kind == "share" and number:
            begun = min(peer["done"][before] for peer in peers)
        else:
            continue
        found[kind].append((max(peer["done"][at] for peer in peers) - begun) / 1e6)
    return found


def percentile(values: list[float], share: int) -> float:
    """The value that ``share`` of 100 do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def main(games: int = 3) -> None:
    print(f"{SEATS} processes on loopback, {games} games each; ms")
    ways = ("bare", "ratio", "kept", "ratio")
    print(f"{'':<18}" + "".join(f"{head:>8}" for head in ("p50", *ways, "p99", *ways, "number")))
    for name in registry.games():
        found: dict[str, dict[str, list[float]]] = {"game": {}, "bare": {}, "kept": {}}
        for _ in range(games):
            played = play(name, bare=True, mind=MIND)
            steps = kinds(played.log)
            for way, spent in found.items():
                for kind, values in spans(getattr(played, way), steps).items():
                    spent.setdefault(kind, []).extend(values)
        for kind, word in (("move", "move"), ("share", "draw")):
            line = f"{name:<12}{word:<6}"
            for share in (50, 99):
                ours = percentile(found["game"][kind], share)
                line += f"{ours:>8.2f}"
                for way in ("bare", "kept"):
                    theirs = percentile(found[way][kind], share)
                    line += f"{theirs:>8.2f}{ours / theirs:>8.1f}"
            print(f"{line}{len(found['game'][kind]):>8}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
