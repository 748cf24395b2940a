"""Explain every byte of a small table: ``python -m tests.conformance.make_example`` writes specs/example.md.

The table is the one that the test vectors hold (tests/protocol/apart.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from oaknet.kernel import CHANCE
from oaknet_protocol import log
from oaknet_protocol.verify import Reading, go_on, rules_named, verify
from oaknet_protocol.wire import Entry, decode
from tests.conformance.example_text import BODIES, FIELDS, HEADER, INTRO, MEANING, STEPS
from tests.engine.toys import Market
from tests.protocol.apart import Table, hashed, words

FILE = Path(__file__).parents[2] / "specs" / "example.md"
WIDTH = 16
"""Bytes in a line of the dump."""


class Dump:
    """Lines of offset, bytes in hexadecimal, and what they are."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.lines: list[str] = []

    def take(self, size: int, note: str, deep: int = 0) -> bytes:
        """The next bytes, with a note beside their first line."""
        taken = self.data[self.at : self.at + size]
        assert len(taken) == size
        for start in range(0, size, WIDTH):
            row = taken[start : start + WIDTH].hex(" ")
            what = f"  {'  ' * deep}{note}" if start == 0 else ""
            self.lines.append(f"{self.at + start:04x}  {row:<{WIDTH * 3 - 1}}{what}".rstrip())
        self.at += size
        return taken

    def value(self, names: Any, deep: int) -> None:
        """The next value. ``names`` says what it is: a text, or for an array a text and a list of names."""
        name, parts = names if isinstance(names, tuple) else (names, None)
        first = self.data[self.at]
        if first < 0x80 or first >= 0xE0:
            self.take(1, f"{name}: {first if first < 0x80 else first - 256}", deep)
        elif 0xCC <= first <= 0xD3:
            size = 1 << (first & 3)
            number = int.from_bytes(self.data[self.at + 1 : self.at + 1 + size], "big", signed=first >= 0xD0)
            self.take(1 + size, f"{name}: {number}", deep)
        elif 0x90 <= first < 0xA0:
            self.take(1, f"{name}: an array of {first - 0x90}", deep)
            for index in range(first - 0x90):
                self.value(parts[min(index, len(parts) - 1)] if parts else name, deep + 1)
        elif 0xA0 <= first < 0xC0:
            size = first - 0xA0
            text = self.data[self.at + 1 : self.at + 1 + size].decode()
            self.take(1 + size, f"{name}: {json.dumps(text, ensure_ascii=False)}", deep)
        else:
            assert first in (0xC4, 0xC5), f"nothing is said of {first:02x}"
            head = first - 0xC2
            size = int.from_bytes(self.data[self.at + 1 : self.at + head], "big")
            self.take(head, f"{name}: {size} bytes" if size else f"{name}: empty", deep)
            self.inside(size, parts, deep + 1)

    def inside(self, size: int, parts: Any, deep: int) -> None:
        """The bytes of a byte string: read on if ``parts`` says what they hold."""
        end = self.at + size
        if parts is None:
            if size:
                self.take(size, "", deep)
        else:
            self.value(("the signed bytes", parts), deep)
        assert self.at == end


def names(kind: str, b: bytes) -> list[Any]:
    """What the values of a record are."""
    fields = list(FIELDS[kind])
    if kind == "charter":
        fields[5] = ("sits", [("a sit", [("its bytes", FIELDS["sit"]), "its signature"])])
        return ["kind", ("signed bytes", fields), ("signatures", ["of the first sit", "of the second sit"])]
    if kind == "entry":
        fields[6] = ("body", BODIES[decode(Entry, b).kind, decode(Entry, b).step == 2])
    return ["kind", ("signed bytes", fields), "signature"]


def position(reading: Reading) -> Iterator[str]:
    """What the digest of the pending step is made of (engine 5.3)."""
    game = reading.transcript.game
    asked = [
        [ask.seat, ask.about, list(ask.options), list(ask.weights) if ask.seat == CHANCE else []]
        for ask in game.pending
    ]
    state, answers = game.saved()
    for name, value in (("snapshot", state), ("answers since", answers), ("pending", asked)):
        yield f"- {name}: `{json.dumps(value)}`"
    yield f"- digest: `{reading.transcript.digest().hex()}`"
    yield f"- T: `{reading.transcript.head.hex()}`"


def draw(table: Table, number: int) -> Iterator[str]:
    """The seed of a draw, and what comes of it."""
    stream = words(table.seeds[number - 1])
    yield f"The seed of draw {number} is `{table.seeds[number - 1].hex()}`,"
    yield f"its first word `{next(stream):016x}`. " + MEANING[number].format(table=table)


def records(table: Table, data: bytes) -> Iterator[str]:
    """The file part by part."""
    dump = Dump(data)
    _, start = log.read_header(data)
    dump.take(8, "how a log begins")
    dump.take(4, "length of the next part")
    dump.value(("header", HEADER), 0)
    dump.take(32, 'H("header", all bytes before)')
    assert dump.at == start
    yield from ("", "## Setting the table")
    yield from section("The header (transcript 8.1)", "", dump)
    rules = rules_named({"market": Market()})
    framed = log.records(data, start)
    reading, before = verify(data[: framed[1].offset], rules), -1
    for index, part in enumerate(framed):
        end = framed[index + 1].offset if index + 1 < len(framed) else len(data)
        record = part.record
        title = {"open": "The opening (wire 3.1)", "charter": "The first charter (wire 3.3)"}.get(
            record.kind, ""
        )
        if record.kind == "entry":
            entry = decode(Entry, record.data)
            title = f"Step {entry.step}, seat {entry.author}: {entry.kind}"
            if entry.step != before:
                before = entry.step
                yield from ("", f"## Step {entry.step}: {STEPS[entry.step]}", "", *position(reading))
        dump.take(4, "length of the record")
        dump.value(("record", names(record.kind, record.data)), 0)
        assert dump.at == end
        text = f"Its id is `{hashed(record.kind, record.data).hex()}`."
        yield from section(title, text, dump)
        if index:
            reading = go_on(reading, data[part.offset : end])
        if (record.kind, index) in (("entry", 3), ("entry", 9)):
            yield from ("", *draw(table, 1 if index == 3 else 2))


def section(title: str, text: str, dump: Dump) -> Sequence[str]:
    """One part of the file."""
    lines, dump.lines = dump.lines, []
    return ["", f"### {title}", "", *([text, ""] if text else []), "```text", *lines, "```"]


def example() -> str:
    """The whole of specs/example.md."""
    table = Table()
    data = table.log()
    result = verify(data, rules_named({"market": Market()})).result.facts()
    lines = [INTRO.strip(), *records(table, data), "", "## The verdict", "", "```json"]
    return "\n".join([*lines, json.dumps(result, indent=1, ensure_ascii=False), "```", ""])


if __name__ == "__main__":
    FILE.write_text(example(), encoding="utf-8")
    print(f"{FILE.name}: {len(example())} characters")
