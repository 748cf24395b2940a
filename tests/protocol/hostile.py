"""Messages that must be refused, and some at the very limit that must be taken, as the vectors have them."""

from __future__ import annotations

from typing import Any

import msgpack

from tests.protocol.apart import packed

K = bytes(range(32))
OPEN = [1, "oak", K, "0.1", [["a", "x"], ["b", "y"]], 2, K, K]
SIT = [K, K, ["Ada"], K, K]
CHARTER = [K, 1, [], 1, [], [[b"sit", bytes(64)]], [[0, 0]]]
ENTRY = [K, 5, K, K, 1, "move", [[1, "wood", [2, "x"]], b""]]
CHAT = [K, K, 7, "Your turn [b]now[/b], Zoë 漢!"]
AT = [K, K, 2**63 - 1, [["2001:db8::1", 4711], ["192.0.2.1", 65535], ["host.example", 1]]]
HEAD = ["head", K, [K], 3, K]
RECORD = ["entry", b"b", bytes(64)]


def but(fields: list[Any], index: int, value: Any) -> bytes:
    return packed([*fields[:index], value, *fields[index + 1 :]])


def padded(size: int) -> list[tuple[bytes, int]]:
    """An entry of so many bytes, zeros most of them."""
    start = packed(ENTRY[:6])[1:]
    zeros = size - len(start) - 5
    return [(b"\x97" + start + b"\x91\xc5" + zeros.to_bytes(2, "big"), 1), (b"\0", zeros)]


def heads_of(charters: int) -> list[tuple[bytes, int]]:
    """A head that names so many charters."""
    start = b"\x95" + packed("head") + packed(K) + b"\xdc" + charters.to_bytes(2, "big")
    return [(start, 1), (packed(K), charters), (packed(3) + packed(K), 1)]


HOSTILE: list[tuple[str, str, Any, str]] = [
    ("message", "a record", packed(RECORD), "!4.1"),
    ("message", "a head", packed(HEAD), "!4.2"),
    ("message", "a head before the first charter", packed(["head", K, [], 0, b""]), "!4.2"),
    ("message", "a charter with one signature missing", packed(["charter", b"b", [b"", bytes(64)]]), "!4.1"),
    ("open", "an opening", packed(OPEN), "!3.1"),
    ("sit", "a sit", packed(SIT), "!3.2"),
    ("charter", "a first charter", packed(CHARTER), "!3.3"),
    ("charter", "a later charter", but(CHARTER, 2, [K, 7, K]), "!3.3"),
    ("entry", "a move", packed(ENTRY), "!3.4"),
    (
        "entry",
        "an answer of true, which is a fault of its signer later",
        but(ENTRY, 6, [[True], b""]),
        "!2.1",
    ),
    ("entry", "a step number of 4 bytes", but(ENTRY, 1, 2**32 - 1), "!3.4"),
    ("entry", "8,192 bytes", padded(8192), "!2.4"),
    ("sit", "a name with brackets", but(SIT, 2, ["[/]"]), "!3.2"),
    ("message", "nothing", b"", "2.1"),
    ("message", "200,000 arrays in each other", [(b"\x91", 200_000), (b"\x01", 1)], "2.4"),
    ("message", "60,000 arrays in each other", [(b"\x91", 60_000), (b"\x01", 1)], "2.4"),
    ("entry", "an entry with 9 arrays in each other", but(ENTRY, 6, [[[[[[[[[]]]]]]]]]), "2.4"),
    ("message", "1,000 arrays in each other that claim 1,000 items each", [(b"\xdc\x03\xe8", 1000)], "2.4"),
    ("message", "an array that claims 4 GiB", b"\xdd\xff\xff\xff\xff", "2.4"),
    ("message", "a map that claims 4 GiB", b"\xdf\xff\xff\xff\xff", "2.2"),
    ("message", "bytes that claim 4 GiB", b"\x93\xa1a\xc6\xff\xff\xff\xff", "2.4"),
    ("message", "a text that claims 4 GiB", b"\xdb\xff\xff\xff\xff", "2.4"),
    ("message", "an extension that claims 4 GiB", b"\xc9\xff\xff\xff\xff\x01", "2.2"),
    ("message", "more than 65,536 bytes", [(b"\x93\xa1a\xc6\x00\x01\x00\x00", 1), (b"\x00", 65_536)], "2.4"),
    ("message", "a message twice", packed(RECORD) * 2, "2.3"),
    ("message", "a byte after the end", packed(RECORD) + b"\x00", "2.3"),
    ("message", "the last byte missing", packed(RECORD)[:-1], "2.4"),
    (
        "entry",
        "a step in more bytes than it needs",
        packed(ENTRY).replace(b"\x05\xc4\x20", b"\xcc\x05\xc4\x20", 1),
        "2.3",
    ),
    (
        "message",
        "the kind with a length of its own",
        b"\x93\xd9\x05entry\xc4\x01b\xc4\x40" + bytes(64),
        "2.3",
    ),
    ("message", "an array with a length of 2 bytes", b"\xdc\x00\x03" + packed(RECORD)[1:], "2.3"),
    ("entry", "a float", but(ENTRY, 6, [[0.5], b""]), "2.2"),
    ("entry", "a null", but(ENTRY, 6, [[None], b""]), "2.2"),
    ("entry", "a map", but(ENTRY, 6, [[{}], b""]), "2.2"),
    ("entry", "a time", but(ENTRY, 6, [[msgpack.Timestamp(1, 0)], b""]), "2.2"),
    ("message", "a kind that is no UTF-8", b"\x93\xa1\xff\xc4\x01b\xc4\x40" + bytes(64), "2.2"),
    (
        "message",
        "a kind that is half a character",
        b"\x93\xa3\xed\xa0\x80\xc4\x01b\xc4\x40" + bytes(64),
        "2.2",
    ),
    ("open", "true for version 1", but(OPEN, 0, True), "3.1"),
    ("open", "options out of order", but(OPEN, 4, [["b", "y"], ["a", "x"]]), "3.1"),
    ("open", "an option twice", but(OPEN, 4, [["a", "x"], ["a", "x"]]), "3.1"),
    ("open", "a game with an escape sequence", but(OPEN, 1, "\x1b[2J"), "1.3"),
    ("open", "an engine that ends its line", but(OPEN, 3, "0.1\n"), "1.3"),
    ("open", "nine seats", but(OPEN, 5, 9), "3.1"),
    ("sit", "a field too many", packed([*SIT, 1]), "2.6"),
    ("sit", "a field missing", packed(SIT[:-1]), "2.6"),
    ("sit", "a key of 31 bytes", but(SIT, 1, K[:31]), "1.3"),
    ("sit", "a key as text", but(SIT, 1, "k" * 32), "1.3"),
    ("sit", "no names", but(SIT, 2, []), "3.2"),
    ("sit", "a name that colours the screen", but(SIT, 2, ["\x1b[31mAda"]), "1.3"),
    ("sit", "a name that writes to the clipboard", but(SIT, 2, ["\x1b]52;c;aGk=\x07"]), "1.3"),
    ("sit", "a name that turns the direction", but(SIT, 2, ["Ada\u202e"]), "1.3"),
    ("sit", "a name with a character of no width", but(SIT, 2, ["A\u200bda"]), "1.3"),
    ("sit", "a name that is not composed", but(SIT, 2, ["Zoe\u0308"]), "1.3"),
    ("charter", "a parent without T", but(CHARTER, 2, [K, 7]), "3.3"),
    ("charter", "no sits", but(CHARTER, 5, []), "3.3"),
    ("charter", "seat index 256", but(CHARTER, 6, [[256, 0]]), "3.3"),
    ("entry", "a step of 5 bytes", but(ENTRY, 1, 2**32), "3.4"),
    ("entry", "a step below 0", but(ENTRY, 1, -1), "3.4"),
    ("entry", "true for a step", but(ENTRY, 1, True), "3.4"),
    ("entry", "a body that is no array", but(ENTRY, 6, 1), "3.4"),
    ("entry", "8,193 bytes", padded(8193), "2.4"),
    ("message", "no signature", but(RECORD, 2, b""), "4.1"),
    ("message", "a signature of 63 bytes", but(RECORD, 2, bytes(63)), "4.1"),
    ("message", "a list of signatures for an entry", but(RECORD, 2, [bytes(64)]), "4.1"),
    ("message", "an empty list of signatures for an entry", but(RECORD, 2, []), "4.1"),
    ("message", "one signature for a charter", packed(["charter", b"b", bytes(64)]), "4.1"),
    ("message", "no place for signatures of a charter", packed(["charter", b"b", []]), "4.1"),
    ("message", "a charter signature of 1 byte", packed(["charter", b"b", [b"x"]]), "4.1"),
    ("message", "a head with 20 bytes for T", but(HEAD, 4, bytes(20)), "4.2"),
    ("message", "links", packed(["links", K, [[K], [K[::-1]]]]), "!4.3"),
    ("message", "nine rings", packed(["links", K, [[K]] * 9]), "4.3"),
    ("message", "links to 65 peers", packed(["links", K, [[K] * 64, [K]]]), "4.3"),
    ("message", "a ring of other bytes", packed(["links", K, [[K[:31]]]]), "4.3"),
    ("message", "a proof of nothing", packed(["proof", packed(RECORD), packed(RECORD), 1]), "4.4"),
    ("message", "a head with 1,024 charters", heads_of(1024), "!4.2"),
    ("message", "a head with 1,025 charters", heads_of(1025), "4.2"),
    ("message", "links to 64 peers in 8 rings", packed(["links", K, [[K] * 8] * 8]), "!4.3"),
    ("message", "a chat", packed(["chat", b"b", bytes(64)]), "!4.1"),
    ("message", "an at", packed(["at", b"b", bytes(64)]), "!4.1"),
    ("message", "a proof with records of other kinds", packed(["proof", RECORD, RECORD, RECORD]), "4.4"),
    ("chat", "400 characters", but(CHAT, 3, "x" * 400), "!3.5"),
    ("chat", "400 wide characters", but(CHAT, 3, "漢" * 400), "!3.5"),
    ("chat", "401 characters", but(CHAT, 3, "x" * 401), "3.5"),
    ("chat", "nothing said", but(CHAT, 3, ""), "3.5"),
    ("chat", "two lines", but(CHAT, 3, "a\nb"), "3.5"),
    ("chat", "a text that clears the screen", but(CHAT, 3, "\x1b[2J"), "3.5"),
    ("chat", "a text that turns the direction", but(CHAT, 3, "a\u202eb"), "3.5"),
    ("chat", "bytes for a text", but(CHAT, 3, b"hello"), "3.5"),
    ("chat", "a counter of 2^63 - 1", but(CHAT, 2, 2**63 - 1), "!3.5"),
    ("chat", "a counter of 2^63", but(CHAT, 2, 2**63), "3.5"),
    ("chat", "a counter below 0", but(CHAT, 2, -1), "3.5"),
    ("chat", "true for a counter", but(CHAT, 2, True), "3.5"),
    ("at", "no addresses", but(AT, 3, []), "!3.6"),
    ("at", "six addresses", but(AT, 3, [["a", 1]] * 6), "!3.6"),
    ("at", "seven addresses", but(AT, 3, [["a", 1]] * 7), "3.6"),
    ("at", "a host of 253 characters", but(AT, 3, [["a" * 253, 1]]), "!3.6"),
    ("at", "a host of 254 characters", but(AT, 3, [["a" * 254, 1]]), "3.6"),
    ("at", "an empty host", but(AT, 3, [["", 1]]), "3.6"),
    ("at", "a host with a blank", but(AT, 3, [["a b", 1]]), "3.6"),
    ("at", "a host that ends its line", but(AT, 3, [["a\n", 1]]), "3.6"),
    ("at", "port 0", but(AT, 3, [["a", 0]]), "3.6"),
    ("at", "port 65,536", but(AT, 3, [["a", 65536]]), "3.6"),
    ("at", "an address of three parts", but(AT, 3, [["a", 1, 1]]), "3.6"),
    ("message", "another kind", packed(["hello", b"b", bytes(64)]), "4.5"),
]
"""What is read, what it is, its bytes or pieces (bytes, how often), and the clause, with "!" before it where
it must be taken."""
