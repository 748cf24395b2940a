"""Canonical bytes and the hash (engine 5), against msgpack and against the vectors."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oaknet.kernel import Game, H, Rng, canonical, weighted
from oaknet.kernel.rules import rules_digest
from tests.engine import vectors
from tests.engine.toys import MARKET, Market

VECTORS: dict[str, list[Any]] = json.loads(vectors.FILE.read_text(encoding="utf-8"))
PLAIN = st.recursive(
    st.integers(-(2**63), 2**64 - 1) | st.text(max_size=40) | st.binary(max_size=40),
    lambda part: st.lists(part, max_size=20),
    max_leaves=60,
)


def revalued(value: Any) -> Any:
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    return [revalued(item) for item in value] if isinstance(value, list) else value


def test_the_vectors_are_what_the_independent_path_makes() -> None:
    assert vectors.FILE.read_text(encoding="utf-8") == vectors.text()


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(PLAIN)
def test_bytes_are_those_of_msgpack(value: Any) -> None:
    assert canonical(value) == msgpack.packb(value)
    assert msgpack.unpackb(canonical(value), strict_map_key=True) == value


@pytest.mark.parametrize("n", [2**k + d for k in (5, 7, 8, 15, 16, 31, 32, 63) for d in (-1, 0, 1)])
def test_ints_are_as_short_as_msgpack_makes_them(n: int) -> None:
    assert canonical(n) == msgpack.packb(n)
    assert canonical(max(-n, -(2**63))) == msgpack.packb(max(-n, -(2**63)))


@pytest.mark.parametrize("size", [0, 15, 16, 31, 32, 255, 256, 65535, 65536])
def test_heads_are_as_short_as_msgpack_makes_them(size: int) -> None:
    for value in ("x" * size, b"x" * size, [0] * size):
        assert canonical(value) == msgpack.packb(value)


def test_lists_and_tuples_are_both_arrays() -> None:
    assert canonical((1, ("a", [2]))) == canonical([1, ["a", (2,)]])


class Word(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "value",
    [True, False, None, 0.0, 1.5, {}, {"a": 1}, {1}, frozenset(), object(), bytearray(b"a"), Word("a")],
)
def test_what_is_not_plain_is_refused_wherever_it_stands(value: Any) -> None:
    for whole in (value, [value], (1, ["a", (value,)])):
        with pytest.raises(TypeError, match="has no canonical bytes"):
            canonical(whole)


@pytest.mark.parametrize(("n", "word"), [(2**64, "large"), (-(2**63) - 1, "small"), (10**40, "large")])
def test_ints_that_do_not_fit_are_refused(n: int, word: str) -> None:
    with pytest.raises(ValueError, match=f"{n} is too {word}"):
        canonical([n])


@pytest.mark.parametrize("vector", VECTORS["canonical 5.1"], ids=lambda v: str(v.get("value", v))[:30])
def test_canonical_vectors(vector: dict[str, Any]) -> None:
    if "bytes" in vector:
        assert canonical(revalued(vector["value"])).hex() == vector["bytes"]
        return
    item, count = revalued(vector["repeat"])
    data = canonical([item] * count if isinstance(item, int) else item * count)
    found = {"head": data[:8].hex(), "length": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    assert {**found, "repeat": vector["repeat"]} == vector


@pytest.mark.parametrize("value", VECTORS["refused 5.1"], ids=str)
def test_refused_vectors(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        canonical(value)


@pytest.mark.parametrize("vector", VECTORS["H 5.2"], ids=lambda v: f"{v['tag']}-{len(v['parts'])}")
def test_hash_vectors(vector: dict[str, Any]) -> None:
    assert H(vector["tag"], *map(bytes.fromhex, vector["parts"])).hex() == vector["hash"]


def test_the_hash_tells_tags_and_parts_apart() -> None:
    hashes = [
        H("a", b"bc"),
        H("ab", b"c"),
        H("a", b"b", b"c"),
        H("a", b"", b"bc"),
        H("a"),
        H("a", b""),
    ]
    assert len({*hashes}) == len(hashes)


@pytest.mark.parametrize("vector", VECTORS["rng 3.3"], ids=lambda v: v["seed"] or "empty")
def test_rng_vectors(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    stream = Rng(seed)
    assert [f"{stream.word():016x}" for _ in vector["words"]] == vector["words"]
    stream = Rng(seed)
    assert [[n, stream.below(n)] for n, _ in vector["below"]] == vector["below"]
    stream = Rng(seed)
    assert [[n, list(stream.shuffled(n))] for n, _ in vector["shuffled"]] == vector["shuffled"]
    stream = Rng(seed)
    assert [[each, weighted(stream, tuple(each))] for each, _ in vector["weighted"]] == vector["weighted"]


@pytest.mark.parametrize("vector", VECTORS["state digest 5.3"], ids=lambda v: str(len(v["plain"][1])))
def test_state_digest_vectors(vector: dict[str, Any]) -> None:
    start, answers, _ = vector["plain"]
    game = Game.load(Market(), [start, answers])
    assert canonical(game.plain()) == canonical(vector["plain"])
    assert game.digest().hex() == vector["digest"]


@pytest.mark.parametrize("vector", VECTORS["rules digest 6.2"], ids=lambda v: str(v["box"]))
def test_rules_digest_vectors(vector: dict[str, Any]) -> None:
    cards = vector["box"][0][1]
    market = Market(MARKET.replace("[3, 2, 2]", str(cards)))
    market.version = vector["version"]
    assert rules_digest(market).hex() == vector["digest"]
