"""A log played again, with the digest of each step: ``python -m tests.e2e.digests LOG [LOCALE]``."""

from __future__ import annotations

import locale
import sys
from pathlib import Path

from oaknet import registry
from oaknet_client import logs
from oaknet_protocol.verify import verify


def digests(log: Path) -> str:
    """A line for each step, then the result's facts; raises `oaknet_protocol.verify.BadLog`."""
    reading = verify(log.read_bytes(), registry.rules)
    lines = [f"{step.number} {step.kind} {step.game.digest().hex()}" for step in logs.steps(reading)]
    return "\n".join([*lines, repr(reading.result.facts())])


def main(log: str, name: str = "") -> None:
    if name:
        assert locale.setlocale(locale.LC_ALL, name) == name
    print(digests(Path(log)))


if __name__ == "__main__":
    main(*sys.argv[1:])
