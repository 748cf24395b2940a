"""The protocol once more, apart from it: hashlib, msgpack, cryptography and a few lines.

The test vectors are made with it, and so is a whole table of Market (tests/engine/toys.py), whose positions
are written out by hand here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def packed(value: Any) -> bytes:
    return bytes(msgpack.packb(value, use_bin_type=True))


def four(number: int) -> bytes:
    return number.to_bytes(4, "big")


def hashed(tag: str, *parts: bytes) -> bytes:
    whole = b"oaknet/1/" + tag.encode() + b"\x00"
    for part in parts:
        whole += four(len(part)) + part
    return hashlib.sha256(whole).digest()


class Player:
    """A peer made of its 32 secret bytes."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, kind: str, b: bytes) -> bytes:
        return self.private.sign(b"oaknet/1/" + kind.encode() + b"\x00" + b)

    def secret(self, tag: str, x: bytes) -> bytes:
        info = b"oaknet/1/" + tag.encode() + b"\x00" + x
        return HKDF(SHA256(), 32, salt=None, info=info).derive(self.seed)

    def chain(self, table: bytes, nonce: bytes) -> list[bytes]:
        links = [self.secret("chain", table + nonce)]
        for i in range(1, 4097):
            links.append(hashed("link", table, self.key, four(i), links[i - 1]))
        return links

    def record(self, kind: str, fields: list[Any]) -> list[Any]:
        b = packed(fields)
        return [kind, b, self.sign(kind, b)]


def words(seed: bytes) -> Iterator[int]:
    i = 0
    while True:
        yield int.from_bytes(hashed("rng", seed, four(i))[:8], "big")
        i += 1


def below(stream: Iterator[int], n: int) -> int:
    for word in stream:
        if word < 2**64 - 2**64 % n:
            return word % n
    raise AssertionError


def order(stream: Iterator[int], n: int) -> list[int]:
    p = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(stream, i + 1)
        p[i], p[j] = p[j], p[i]
    return p


# -- one whole table of Market -------------------------------------------------------------------------------

PLAYERS = sorted((Player(bytes([n]) * 32) for n in (1, 2)), key=lambda player: player.key)
NAMES = ["Ada", "Zoë 漢"]
NONCES = [b"\x11" * 32, b"\x22" * 32]
RULES = hashed("rules", b"market", four(1), packed([[4, [3, 2, 2]]]))
START = [[[[[0, 0, 0, 1, 1, 2, 2]], 0, []], [[[0, 0, 0, 1, 1, 2, 2]], 0, []]], 0]
BID = ["bid", [0, 1, 2], []]


def position(answers: list[Any], asked: list[Any]) -> bytes:
    return hashed("state", packed([START, answers, asked]))


class Table:
    """Plays it: the rules' seat 0 bids 2, draws and keeps; seat 1 bids 0 and resigns when asked for a tip."""

    def __init__(self) -> None:
        opener = PLAYERS[0]
        fields = [1, "market", RULES, "test", [["pace", "slow"]], 2, opener.key, b"\x33" * 32]
        self.records = [opener.record("open", fields)]
        self.table = hashed("open", self.records[0][1])
        self.chains = [p.chain(self.table, n) for p, n in zip(PLAYERS, NONCES, strict=True)]
        self.sits = [
            player.record("sit", [self.table, player.key, [name], nonce, chain[4096]])
            for player, name, nonce, chain in zip(PLAYERS, NAMES, NONCES, self.chains, strict=True)
        ]
        seats = [[0, 0], [1, 0]]
        charter = packed([self.table, 1, [], 1, [], [sit[1:] for sit in self.sits], seats])
        self.records.append(["charter", charter, [p.sign("charter", charter) for p in PLAYERS]])
        self.charter = hashed("charter", charter)
        self.head, self.number = hashed("start", self.charter), 0
        self.steps: list[dict[str, Any]] = []
        self.seeds: list[bytes] = []

        nothing = position([], [[0, *BID], [1, *BID]])
        first = words(self.draw(1, nothing))
        self.places = order(first, 2)
        low, high = self.places
        moves = {low: [2], high: [0]}
        salts = {seat: PLAYERS[seat].secret("salt", self.charter + four(1) + four(seat)) for seat in moves}
        self.seals = {
            seat: hashed("seal", self.charter, four(1), four(seat), salts[seat], packed(moves[seat]))
            for seat in moves
        }
        self.step(nothing, [(seat, "seal", [self.seals[seat]]) for seat in (0, 1)])
        self.step(nothing, [(seat, "move", [moves[seat], salts[seat]]) for seat in (0, 1)])
        line: list[Any] = [[0, 2], [1, 0]]
        drawing = position(line, [[-1, "draw", [0, 1, 2], [3, 2, 2]]])
        stream = words(self.draw(2, drawing))
        running = below(stream, 7)
        self.card = 0 if running < 3 else 1 if running < 5 else 2
        line = [*line, [-1, self.card]]
        keeping = position(line, [[0, "keep", ["yes", "no"], []]])
        self.step(keeping, [(low, "move", [["yes"], b""])])
        line = [*line, [0, "yes"]]
        self.tipping = position(line, [[1, "tip", [0, 1, 2], []]])
        self.step(self.tipping, [(high, "resign", [])])
        self.final = self.head
        scores = [self.card if seat == low else 0 for seat in (0, 1)]
        self.step(self.tipping, [(low, "result", [1, scores])])
        self.scores, self.winner = scores, low

    def entry(self, state: bytes, author: int, kind: str, body: list[Any], **other: Any) -> list[Any]:
        """A signed entry of the pending step; ``other`` has fields that are to differ, and who signs."""
        fields = {"charter": self.charter, "step": self.number, "prev": self.head, "state": state}
        signer = PLAYERS[other.pop("signer", author)]
        return signer.record("entry", [*{**fields, **other}.values(), author, kind, body])

    def step(self, state: bytes, entries: list[tuple[int, str, list[Any]]]) -> None:
        records = [self.entry(state, *each) for each in entries]
        ids = [hashed("entry", record[1]) for record in records]
        after = hashed("step", self.head, *ids)
        self.steps.append(
            {
                "step": self.number,
                "state": state.hex(),
                "T": self.head.hex(),
                "after": len(self.records),
                "ids": [each.hex() for each in ids],
                "T after": after.hex(),
            }
        )
        self.records += records
        self.head, self.number = after, self.number + 1

    def draw(self, r: int, state: bytes) -> bytes:
        shares = [chain[4096 - r] for chain in self.chains]
        self.step(state, [(seat, "share", [share]) for seat, share in enumerate(shares)])
        self.seeds.append(hashed("seed", self.table, four(r), *shares))
        return self.seeds[-1]

    def header(self) -> bytes:
        inner = packed([1, 1, "market", RULES, "test"])
        start = bytes.fromhex("894f414b0d0a1a0a") + four(len(inner)) + inner
        return start + hashed("header", start)

    def log(self) -> bytes:
        messages = [packed(record) for record in self.records]
        return self.header() + b"".join(four(len(message)) + message for message in messages)

    def upto(self, number: int) -> tuple[int, bytes]:
        """Go back to the beginning of a step; returns how many records come before it, and its digest."""
        step = self.steps[number]
        self.number, self.head = number, bytes.fromhex(step["T"])
        return step["after"], bytes.fromhex(step["state"])
