"""The signatures of a whole log, checked on all cores: the check itself lets other threads run meanwhile."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

from oaknet_protocol.signing import Claim, verify

WORTH = 32
"""Signatures for which a thread is worth its start."""


def check(claims: Sequence[Claim]) -> list[bool]:
    """Whether each signature is good; with as many threads as there are cores, this one included."""
    found = [False] * len(claims)
    count = min(os.cpu_count() or 1, len(claims) // WORTH + 1)

    def every(start: int) -> None:
        for index in range(start, len(claims), count):
            found[index] = verify(*claims[index])

    others = [threading.Thread(target=every, args=(start,)) for start in range(1, count)]
    for other in others:
        other.start()
    every(0)
    for other in others:
        other.join()
    return found
