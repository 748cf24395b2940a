"""What verifying a log costs: ``python -m tests.bench.verify [ROUNDS]``.

Beside the bare sum of its Ed25519 checks: every signature in the log checked once and nothing else. The whole
command stands beside an interpreter that imports the same modules and then makes these checks.
"""

from __future__ import annotations

import marshal
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from oaknet import registry
from oaknet_protocol import log, pool, signing, wire
from oaknet_protocol.verify import verify
from tests.bench.games import greedy_log
from tests.bench.table import SEATS

COMMAND = "from oaknet_client.main import main; main()"
LOADED = f"""
import atexit, sys
def found():
    specs = [(name, getattr(module, "__spec__", None)) for name, module in sys.modules.items()]
    print(*(name for name, spec in specs if spec and spec.origin))
atexit.register(found)
{COMMAND}
"""
ANCHOR = """
import importlib, marshal, sys
from oaknet_protocol.signing import verify
with open(sys.argv[1], "rb") as file:
    names, claims = marshal.load(file)
for name in names:
    importlib.import_module(name)
for claim in claims:
    assert verify(*claim)
"""


def checks(data: bytes) -> list[signing.Claim]:
    """Every signature of a log, with what it signs."""
    found: list[signing.Claim] = []
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


def check_all(found: list[signing.Claim]) -> None:
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


def python(code: str, *arguments: str) -> str:
    """What a program prints; its modules may be kept compiled, as those of an installed one are."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=env).stdout


def command_and_anchor(data: bytes, rounds: int) -> tuple[float, float]:
    """Milliseconds of ``oaknet verify`` on a log, and of an interpreter with its imports and bare checks."""
    with tempfile.TemporaryDirectory(prefix="oaknet-bench-") as folder:
        path, made = Path(folder) / "game.oak", Path(folder) / "claims"
        path.write_bytes(data)
        loaded = python(LOADED, "verify", str(path)).splitlines()[-1].split()
        made.write_bytes(marshal.dumps((loaded, checks(data))))
        python(ANCHOR, str(made))
        whole = median(rounds, lambda: python(COMMAND, "verify", str(path)))
        return whole, median(rounds, lambda: python(ANCHOR, str(made)))


def main(rounds: int = 15) -> None:
    print(f"{SEATS} seats, median of {rounds}; ms: in one process, with {os.cpu_count()} cores, as a command")
    heads = ("bytes", "checks", "bare", "verify", "ratio", "cores", "ratio", "command", "anchor", "ratio")
    print(f"{'game':<12}" + "".join(f"{head:>8}" for head in heads))
    for name in registry.games():
        data = greedy_log(name)
        found = checks(data)
        bare = median(rounds, lambda found=found: check_all(found))  # type: ignore[misc]
        whole = median(rounds, lambda data=data: verify(data, registry.rules))  # type: ignore[misc]
        cores = median(rounds, lambda data=data: verify(data, registry.rules, pool.check))  # type: ignore[misc]
        command, anchor = command_and_anchor(data, rounds)
        line = f"{name:<12}{len(data):>8}{len(found):>8}{bare:>8.1f}"
        line += f"{whole:>8.1f}{whole / bare:>8.2f}{cores:>8.1f}{cores / bare:>8.2f}"
        print(f"{line}{command:>8.1f}{anchor:>8.1f}{command / anchor:>8.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
