"""What verifying a log costs: ``python -m tests.bench.verify [ROUNDS]``.

Beside the bare sum of its Ed25519 checks: every signature in the log checked once and nothing else.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from oaknet import registry
from oaknet_protocol import log, signing, wire
from oaknet_protocol.verify import verify
from tests.bench.games import greedy_log
from tests.bench.table import SEATS

Check = tuple[bytes, str, bytes, bytes]
"""Key, kind, bytes, signature."""


def checks(data: bytes) -> list[Check]:
    """Every signature of a log, with what it signs."""
    found: list[Check] = []
    keys: list[bytes] = []
    for framed in log.records(data, log.read_header(data)[1]):
        record = framed.record
        if record.kind == "open":
            found.append((wire.decode(wire.Open, record.data).key, "open", record.data, record.signatures[0]))
        elif record.kind == "charter":
            sits = wire.decode(wire.Charter, record.data).sits
            keys = [wire.decode(wire.Sit, sit).key for sit, _ in sits]
            found += [(key, "sit", *sit) for key, sit in zip(keys, sits, strict=True)]
            found += [
                (key, "charter", record.data, one) for key, one in zip(keys, record.signatures, strict=True)
            ]
        else:
            author = wire.decode(wire.Entry, record.data).author
            found.append((keys[author], "entry", record.data, record.signatures[0]))
    return found


def check_all(found: list[Check]) -> None:
    """Check them once each."""
    for key, kind, data, signature in found:
        assert signing.verify(key, kind, data, signature)


def median(rounds: int, do: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    spent: list[float] = []
    for _ in range(rounds):
        begun = time.perf_counter()
        do()
        spent.append(time.perf_counter() - begun)
    return statistics.median(spent) * 1000


def main(rounds: int = 15) -> None:
    print(f"{SEATS} seats, median of {rounds}; ms")
    print("{:<12}{:>8}{:>8}{:>8}{:>8}{:>7}".format("game", "bytes", "checks", "verify", "bare", "ratio"))
    for name in registry.games():
        data = greedy_log(name)
        found = checks(data)
        bare = median(rounds, lambda found=found: check_all(found))  # type: ignore[misc]
        whole = median(rounds, lambda data=data: verify(data, registry.rules))  # type: ignore[misc]
        print(f"{name:<12}{len(data):>8}{len(found):>8}{whole:>8.1f}{bare:>8.1f}{whole / bare:>7.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
