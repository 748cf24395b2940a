"""Flip every byte of a log, one at a time, and verify it: ``python -m tests.protocol.every_byte LOG``.

Each flip is judged from the transcript as it stands just before the record that it damages.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from oaknet.registry import rules
from oaknet_protocol import log
from oaknet_protocol.table import RulesFor
from oaknet_protocol.verify import BadLog, go_on, verify

Chosen = Callable[[int], bool]


def everything(offset: int) -> bool:
    """Every byte."""
    return True


def flips(
    data: bytes, rules_for: RulesFor, chosen: Chosen = everything, mask: int = 1
) -> Iterator[tuple[int, BadLog | None]]:
    """The verdict on the log with the byte at each chosen offset changed; None where it still verifies."""
    _, start = log.read_header(data)
    framed = log.records(data, start)
    ends = [part.offset for part in framed[1:]] + [len(data)]
    for offset in filter(chosen, range(ends[0])):  # header and opening: the whole file each time
        yield offset, _verdict(verify, _flipped(data, offset, mask), rules_for)
    reading = verify(data[: ends[0]], rules_for)
    for part, end, after in zip(framed[1:], ends[1:], [*ends[2:], len(data)], strict=True):
        for offset in filter(chosen, range(part.offset, end)):
            # a changed length can swallow all that follows; of any other change the next record is enough
            stop = len(data) if offset < part.offset + 4 else after
            damaged = _flipped(data[part.offset : stop], offset - part.offset, mask)
            yield offset, _verdict(go_on, reading, damaged)
        reading = go_on(reading, data[part.offset : end])


def _flipped(data: bytes, at: int, mask: int) -> bytes:
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def _verdict(check: Callable[..., object], *parts: object) -> BadLog | None:
    try:
        check(*parts)
    except BadLog as bad:
        return bad
    return None


def main(*paths: str) -> int:
    """Report what still verifies, and how many bytes were tried."""
    if len(paths) != 1:
        print("usage: python -m tests.protocol.every_byte LOG")
        return 2
    try:
        data = Path(paths[0]).read_bytes()
        verify(data, rules)
    except (OSError, BadLog) as error:
        print(f"This needs a log that verifies: {error}")
        return 1
    tried = 0
    missed: list[int] = []
    for offset, bad in flips(data, rules):
        tried += 1
        if bad is None:
            missed.append(offset)
    print(f"{tried} bytes flipped, {len(missed)} of them unnoticed: {missed}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
