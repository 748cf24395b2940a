"""Logs, whole and damaged: what verifies, what does not, and that the first fault is named."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oaknet.kernel import H, Rng
from oaknet.registry import rules
from oaknet_protocol import log, pool
from oaknet_protocol.signing import Claim
from oaknet_protocol.table import RulesFor
from oaknet_protocol.verify import BadLog, Reading, go_on, verify
from oaknet_protocol.wire import Entry, decode, pack
from tests.engine.toys import MARKET, Market
from tests.protocol.every_byte import flips
from tests.protocol.mesh import Mesh, signer

GAMES = ("market", "five_towers", "oak")


class Log:
    """The log of a game of three, cut into its parts: ``parts[0]`` is the header."""

    def __init__(self, game: str) -> None:
        made: Any = Market() if game == "market" else rules(game)
        mesh = Mesh(made, [("Ann",), ("Bo",), ("Cy",)], salt="log").start().play()
        self.data = mesh.log(mesh.peers[0])
        self.rules_for: RulesFor = mesh.rules_for
        _, start = log.read_header(self.data)
        framed = log.records(self.data, start)
        offsets = [0, *(part.offset for part in framed), len(self.data)]
        self.parts = [self.data[a:b] for a, b in itertools.pairwise(offsets)]
        entries = [part.record for part in framed[2:]]
        self.entries = [decode(Entry, record.data) for record in entries]
        self.steps = [-2, -1, *(entry.step for entry in self.entries)]  # of each record

    def verify(self, parts: list[bytes] | bytes) -> Reading:
        return verify(parts if isinstance(parts, bytes) else b"".join(parts), self.rules_for)

    def refused(self, parts: list[bytes] | bytes, status: int = 4) -> BadLog:
        """The verdict, with all that it must say."""
        return refused(lambda: self.verify(parts), status)

    def readings(self) -> Iterator[tuple[int, Reading]]:
        """For each part after the opening, and for the end: its index, and the reading of all before."""
        reading = self.verify(self.parts[:2])
        for index, part in enumerate(self.parts[2:], 2):
            yield index, reading
            reading = go_on(reading, part)
        yield len(self.parts), reading


def refused(check: Callable[[], object], status: int = 4) -> BadLog:
    """The verdict that a check raises, with all that it must say."""
    with pytest.raises(BadLog) as caught:
        check()
    bad = caught.value
    assert bad.status == status
    assert bad.kind
    assert bad.why
    assert "\n" not in str(bad)
    assert len(str(bad)) < 300
    assert bad.result is None or bad.step is not None
    return bad


@cache
def whole(game: str) -> Log:
    return Log(game)


@pytest.fixture(params=GAMES)
def kept(request: pytest.FixtureRequest) -> Log:
    return whole(request.param)


def test_whole_log(kept: Log) -> None:
    reading = kept.verify(kept.parts)
    result = reading.result
    assert (result.how, result.confirmed, reading.records) == ("finished", (0, 1, 2), len(kept.parts) - 1)
    assert [seat.name for seat in result.seats].count("Bo") == 1
    assert result.winner
    assert [step.number for step in reading.steps[1:]] == sorted({entry.step for entry in kept.entries})
    assert result.facts()["transcript"] == result.transcript.hex()


@pytest.mark.parametrize("back", [None, 1, 1000])
def test_signatures_checked_on_all_cores_before_give_the_same_verdict(kept: Log, back: int | None) -> None:
    asked: list[int] = []

    def ahead(claims: Sequence[Claim]) -> list[bool]:
        asked.append(len(claims))
        return pool.check(claims)

    data = bytearray(kept.data)
    if back is None:
        one, other = kept.verify(kept.data), verify(kept.data, kept.rules_for, ahead)
        assert (one.result, one.steps) == (other.result, other.steps)
        assert asked == [len(kept.entries)]
    else:
        data[-back] ^= 1
        before = kept.refused(bytes(data))
        assert str(refused(lambda: verify(bytes(data), kept.rules_for, ahead))) == str(before)


def test_pool_finds_the_bad_ones_among_many() -> None:
    one = signer(1)
    good = (one.key, "entry", b"said", one.sign("entry", b"said"))
    bad = (one.key, "entry", b"said", one.sign("chat", b"said"))
    claims = [bad if number % 7 == 3 else good for number in range(3 * pool.WORTH)]
    assert pool.check(claims) == [claim is good for claim in claims]
    assert pool.check([]) == []


def test_any_order_within_a_step(kept: Log) -> None:
    expected = kept.verify(kept.parts).result
    rng = Rng(b"orders")
    for _ in range(4):
        order = sorted(range(3, len(kept.parts)), key=lambda i: (kept.steps[i - 1], rng.word()))
        parts = [*kept.parts[:3], *(kept.parts[i] for i in order)]
        assert kept.verify(parts).result == expected
    assert order != sorted(order)


def test_entries_of_different_steps_swapped(kept: Log) -> None:
    swapped = 0
    for i, reading in kept.readings():
        if 2 <= i < len(kept.parts) - 1 and kept.steps[i - 1] != kept.steps[i]:
            bad = refused(lambda: go_on(reading, kept.parts[i + 1] + kept.parts[i]))  # noqa: B023 - called here
            assert bad.valid == i - 1
            swapped += 1
    assert swapped > 10
    rng = Rng(b"swaps")
    for _ in range(20):
        i, j = (1 + rng.below(len(kept.parts) - 1) for _ in range(2))
        if kept.steps[i - 1] != kept.steps[j - 1]:
            parts = kept.parts[:]
            parts[i], parts[j] = parts[j], parts[i]
            assert kept.refused(parts).valid <= max(i, j)


def test_any_entry_but_the_last_dropped(kept: Log) -> None:
    for i, reading in kept.readings():
        if i >= len(kept.parts) - 1:
            continue
        if kept.steps[i - 1] != kept.steps[i]:  # the next entry is refused at once
            bad = refused(lambda: go_on(reading, kept.parts[i + 1]))  # noqa: B023 - called here
            assert bad.valid == i - 1
        else:
            bad = kept.refused(kept.parts[:i] + kept.parts[i + 1 :])
            assert bad.valid >= i - 1
        assert bad.step is not None
        assert bad.step >= kept.steps[i - 1]
    assert kept.refused([kept.parts[0], *kept.parts[2:]]).kind == "open"
    assert kept.verify(kept.parts[:-1]).result.how == "finished"


def test_any_entry_repeated(kept: Log) -> None:
    readings = kept.readings()
    next(readings)
    for i, reading in readings:
        bad = refused(lambda: go_on(reading, kept.parts[i - 1]))  # noqa: B023 - called here
        assert bad.valid == i - 1
    for part in kept.parts[1:]:
        assert refused(lambda: go_on(reading, part)).valid == len(kept.parts) - 1  # noqa: B023 - called here
    assert kept.refused([*kept.parts[:2], *kept.parts[1:]]).valid == 1


def test_cut_between_entries(kept: Log) -> None:
    """Valid: the log says how far it goes; what is missing at the end is only the confirmations."""
    first = 3 + [entry.kind for entry in kept.entries].index("result")
    for end, reading in kept.readings():
        result = reading.result
        assert result.how == ("finished" if end >= first else "unfinished")
        assert len(result.confirmed) == max(0, end - first)
        assert (result.winner == ()) == (end < first)
    for end in (2, 3, 7, first, len(kept.parts) - 1):
        assert kept.verify(kept.parts[:end]).result.how == ("finished" if end >= first else "unfinished")
    assert kept.refused(kept.parts[:1]).kind == "open"


def test_cut_inside_an_entry_names_the_valid_part(kept: Log) -> None:
    for index, reading in kept.readings():
        part = kept.parts[index] if index < len(kept.parts) else b""
        for cut in sorted({1, 3, 4, 5, len(part) // 2, len(part) - 1} if part else ()):
            bad = refused(lambda: go_on(reading, part[:cut]))  # noqa: B023 - called here
            assert (bad.valid, bad.kind) == (index - 1, "cut")
            assert "ends inside an entry" in bad.why
            assert f"The {index - 1} entries before it are valid" in str(bad)
            assert bad.result == reading.result
    for cut in (3, 20, sum(map(len, kept.parts[:9])) + 3, len(kept.data) - 1):
        assert kept.refused(kept.data[:cut]).kind == ("header" if cut < 40 else "cut")


def one_of_each(kept: Log) -> set[int]:
    """The offsets of header, opening, charter and one entry of each kind."""
    indices = {0, 1, 2}
    seen: list[tuple[str, bool]] = []
    for number, entry in enumerate(kept.entries, 3):
        kind = (entry.kind, entry.kind == "move" and bool(entry.body[1]))
        if kind not in seen:
            seen.append(kind)
            indices.add(number)
    ends = [0]
    for part in kept.parts:
        ends.append(ends[-1] + len(part))
    return {offset for index in indices for offset in range(ends[index], ends[index + 1])}


def test_any_byte_flipped(kept: Log) -> None:
    """Header, opening, charter and one entry of each kind whole, and 500 bytes of all the rest."""
    rng = Rng(b"bytes")
    chosen = one_of_each(kept) | {rng.below(len(kept.data)) for _ in range(500)}
    tried = 0
    for offset, bad in flips(kept.data, kept.rules_for, chosen.__contains__, 1 << rng.below(8)):
        assert bad is not None, f"byte {offset} can be changed"
        assert bad.status == 4
        assert bad.kind
        assert bad.why
        tried += 1
    assert tried == len(chosen)


def test_records_taken_out_of_two_logs(kept: Log) -> None:
    """Two logs, one after the other; another log's entries; another log's charter."""
    other = whole("market" if kept is not whole("market") else "five_towers")
    again = Mesh(Market(), [("Ann",), ("Bo",), ("Cy",)], salt="again").start().play()
    assert kept.refused(kept.data + kept.data).valid == len(kept.parts) - 1
    assert kept.refused(kept.data + other.data).valid == len(kept.parts) - 1
    if kept is whole("market"):
        _, start = log.read_header(data := again.log(again.peers[0]))
        foreign = [data[part.offset :] for part in log.records(data, start)[1:3]]
        assert kept.refused([*kept.parts[:2], foreign[0]]).kind == "charter"
        assert kept.refused([*kept.parts[:3], foreign[1]]).step == 0
    else:
        assert kept.refused([kept.parts[0], *other.parts[1:]]).kind == "open"


def header(**other: Any) -> bytes:
    """The market's header with other fields, and a hash that fits."""
    own, _ = log.read_header(whole("market").data)
    fields = {name: getattr(own, name) for name in own.__struct_fields__}
    return hashed(pack(tuple({**fields, **other}.values())))


def hashed(body: bytes) -> bytes:
    head = log.MAGIC + log.frame(body)
    return head + H("header", head)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"format": 2}, "format and protocol"),
        ({"protocol": 2}, "format and protocol"),
        ({"rules": bytes(32)}, "needs Market rules 00000000"),
        ({"game": "chess"}, "no game 'chess'"),
    ],
)
def test_whole_header_of_another_version_or_other_rules(other: dict[str, Any], why: str) -> None:
    kept = whole("market")
    bad = kept.refused([header(**other), *kept.parts[1:]], status=3)
    assert why in bad.why
    assert bad.kind == "header"


def test_log_of_other_printed_numbers() -> None:
    numbers = Market(MARKET.replace("value = 4", "value = 5"))
    with pytest.raises(BadLog, match="here they are") as caught:
        verify(whole("market").data, lambda name: numbers)
    assert caught.value.status == 3


def test_header_that_fits_its_hash_but_not_the_opening() -> None:
    kept = whole("market")
    bad = kept.refused([header(engine="other"), *kept.parts[1:]])
    assert "than the header says" in bad.why


def test_header_without_meaning() -> None:
    kept = whole("market")
    values = [5, "word", b"bytes", (), (1,), (1, 1), (1, 1, 5, 5, 5), ((), ()), (True, True), (-1, 1)]
    for body in [*map(pack, values), b"", b"\xc1", b"\x90\x90", b"\xff" * 40]:
        with pytest.raises(BadLog) as caught:
            verify(hashed(body) + b"".join(kept.parts[1:]), kept.rules_for)
        assert caught.value.status in (3, 4)
        assert caught.value.kind == "header"


@pytest.mark.parametrize(
    "data", [b"", b"\0", log.MAGIC, b"PK\x03\x04", b"\x89OAK\n\x1a\n", b"# a text\n" * 99]
)
def test_files_that_are_no_logs(data: bytes) -> None:
    bad = whole("market").refused(data)
    assert (bad.kind, bad.step, bad.valid, bad.result) == ("header", None, 0, None)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(max_size=300), st.integers(0, 30), st.booleans())
def test_garbage_is_a_verdict_and_never_another_error(garbage: bytes, records: int, framed: bool) -> None:
    kept = whole("market")
    before = kept.parts[: records + 1] if records else []
    data = b"".join(before) + (log.frame(garbage) if framed else garbage)
    if before and not framed and not garbage:
        assert kept.verify(data).records == records
    else:
        assert kept.refused(data).valid <= records
