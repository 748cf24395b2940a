"""The engine's test vectors, made without the engine: msgpack for the bytes, hashlib for the hash.

``python -m tests.engine.vectors`` writes specs/vectors/engine.json. In JSON a byte string is written as
``{"hex": "…"}``.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack

FILE = Path(__file__).parents[2] / "specs" / "vectors" / "engine.json"


def packed(value: Any) -> bytes:
    return bytes(msgpack.packb(value, use_bin_type=True))


def hashed(tag: str, *parts: bytes) -> bytes:
    message = b"oaknet/1/" + tag.encode("ascii") + b"\x00"
    return hashlib.sha256(message + b"".join(struct.pack(">I", len(p)) + p for p in parts)).digest()


def words(seed: bytes) -> Iterator[int]:
    index = 0
    while True:
        yield int(hashed("rng", seed, struct.pack(">I", index)).hex()[:16], 16)
        index += 1


def number(stream: Iterator[int], n: int) -> int:
    usable = 2**64 // n * n
    return next(word for word in stream if word < usable) % n


def order(stream: Any, n: int) -> list[int]:
    places = list(range(n))
    for last in reversed(range(1, n)):
        other = number(stream, last + 1)
        places[last], places[other] = places[other], places[last]
    return places


def pick(stream: Any, weights: list[int]) -> int:
    drawn = number(stream, sum(weights))
    return next(i for i in range(len(weights)) if sum(weights[: i + 1]) > drawn)


def with_hex(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return [with_hex(item) for item in value] if isinstance(value, list) else value


VALUES: list[Any] = [
    *(0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63, 2**64 - 1),
    *(-1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63)),
    *("", "a", "oak", "x" * 31, "x" * 32, "x" * 255, "x" * 256, "x" * 65536),
    *(b"", b"\x00\xff", b"x" * 255, b"x" * 256, b"x" * 65536),
    *([], [1, "a", b"b"], [[], [[]]], [0] * 15, [0] * 16, [0] * 65536),
    [[3, 2, [0, 0, 1]], "temple", [-1, ["gain", 4]]],
]

REFUSED = [None, True, False, 0.5, 2**64, -(2**63) - 1, [1, [None]], {"a": 1}]
"""Values without canonical bytes; ``{"a": 1}`` stands for a map."""

MARKET_START = [[[[[0, 0, 0, 1, 1, 2, 2]], 0, []], [[[0, 0, 0, 1, 1, 2, 2]], 0, []]], 0]
"""A new game of Market (tests/engine/toys.py) with two seats."""

POSITIONS: list[dict[str, Any]] = [
    {"answers": [], "asked": [[0, "bid", [0, 1, 2], []], [1, "bid", [0, 1, 2], []]]},
    {"answers": [[1, 0]], "asked": [[0, "bid", [0, 1, 2], []]]},
    {"answers": [[0, 2], [1, 0]], "asked": [[-1, "draw", [0, 1, 2], [3, 2, 2]]]},
    {"answers": [[0, 2], [1, 0], [-1, 1]], "asked": [[0, "keep", ["yes", "no"], []]]},
]


def rng_vector(seed: bytes) -> dict[str, Any]:
    below, shuffled, weighted = words(seed), words(seed), words(seed)
    stream = words(seed)
    weights = [[1, 1], [3, 2, 2], [1, 100], [100, 1], [7], [1] * 10]
    return {
        "seed": seed.hex(),
        "words": [f"{next(stream):016x}" for _ in range(4)],
        "below": [[n, number(below, n)] for n in (1, 2, 6, 10, 52, 2**32, 2**63 + 1, 2**63 + 1, 2**64, 3)],
        "shuffled": [[n, order(shuffled, n)] for n in (0, 1, 2, 10, 52)],
        "weighted": [[each, pick(weighted, each)] for each in weights],
    }


def vectors() -> dict[str, Any]:
    """All of them, by clause of specs/engine.md."""
    return {
        "canonical 5.1": [{"value": with_hex(value), "bytes": packed(value).hex()} for value in VALUES],
        "refused 5.1": REFUSED,
        "H 5.2": [
            {"tag": tag, "parts": [part.hex() for part in parts], "hash": hashed(tag, *parts).hex()}
            for tag, parts in (
                ("state", []),
                ("state", [b""]),
                ("state", [b"", b""]),
                ("rng", [b"seed", b"\0\0\0\1"]),
                ("rules", [b"oak", b"\0\0\0\1", b"x" * 300]),
            )
        ],
        "rng 3.3": [rng_vector(seed) for seed in (b"", b"oaknet", bytes(range(32)))],
        "state digest 5.3": [
            {
                "plain": (plain := [MARKET_START, position["answers"], position["asked"]]),
                "digest": hashed("state", packed(plain)).hex(),
            }
            for position in POSITIONS
        ],
        "rules digest 6.2": [
            {
                "name": "market",
                "version": version,
                "box": box,
                "digest": hashed("rules", b"market", struct.pack(">I", version), packed(box)).hex(),
            }
            for version, box in ((1, [[4, [3, 2, 2]]]), (2, [[4, [3, 2, 2]]]), (1, [[4, [3, 2, 3]]]))
        ],
    }


def text() -> str:
    """The file, a vector a line."""
    parts = []
    for clause, found in vectors().items():
        lines = ",\n".join(f"  {json.dumps(shortened(vector))}" for vector in found)
        parts.append(f" {json.dumps(clause)}: [\n{lines}\n ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def shortened(vector: Any) -> Any:
    """A vector of canonical bytes whose value is one item many times: it as that item and a count.

    Its bytes are given by their head, length and SHA-256.
    """
    if not isinstance(vector, dict) or "bytes" not in vector or len(vector["bytes"]) <= 600:
        return vector
    data = bytes.fromhex(vector["bytes"])
    value = vector["value"]
    item = bytes.fromhex(value["hex"][:2]) if isinstance(value, dict) else value[0]
    count = len(data) - 3 if len(data) < 2**16 else len(data) - 5
    return {
        "repeat": [with_hex(item), count],
        "head": data[:8].hex(),
        "length": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size} bytes")
