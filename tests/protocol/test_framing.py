"""Frames in a stream of bytes (transport 3)."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oaknet_protocol.framing import FRAME_LIMIT, STRANGER_LIMIT, FrameFault, Frames, frame

VECTORS = json.loads(
    (Path(__file__).parents[2] / "specs" / "vectors" / "frames.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vectors(vector: dict[str, Any]) -> None:
    frames, data = Frames(vector["limit"]), bytes.fromhex(vector["bytes"])
    if vector["expect"] == "accept":
        assert frames.receive(data) == [bytes.fromhex(b) for b in vector["frames"]]
    else:
        with pytest.raises(FrameFault):
            frames.receive(data)


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=8), st.lists(st.integers(1, 40), max_size=30))
def test_frames_come_out_as_they_went_in_however_the_bytes_are_cut(
    messages: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(map(frame, messages))
    frames, got, at = Frames(), list[bytes](), 0
    for cut in [*cuts, len(data)]:
        got += frames.receive(data[at : at + cut])
        at += cut
    assert got == messages
    assert frames.held == 0


@given(st.binary(max_size=200))
def test_any_bytes_are_frames_or_a_fault(data: bytes) -> None:
    frames = Frames(64)
    try:
        got = frames.receive(data)
    except FrameFault:
        return
    assert b"".join(map(frame, got)) == data[: len(data) - frames.held]


def test_the_largest_frame_passes_and_no_larger_one_can_be_made() -> None:
    largest = b"x" * FRAME_LIMIT
    assert Frames().receive(frame(largest)) == [largest]
    for wrong in (b"", largest + b"x"):
        with pytest.raises(ValueError, match="a frame holds"):
            frame(wrong)


def test_a_fault_stays_and_the_frames_before_it_can_be_taken() -> None:
    frames = Frames()
    frames.feed(frame(b"good") + bytes(4) + frame(b"late"))
    assert frames.take() == b"good"
    for _ in range(2):
        with pytest.raises(FrameFault):
            frames.take()
    with pytest.raises(FrameFault):
        frames.receive(frame(b"more"))


def test_a_limit_counts_for_what_has_not_been_taken_yet() -> None:
    frames = Frames(STRANGER_LIMIT)
    frames.feed(frame(b"hello") + frame(b"x" * (STRANGER_LIMIT + 1)))
    assert frames.take() == b"hello"
    frames.limit = FRAME_LIMIT
    message = frames.take()
    assert message is not None
    assert len(message) == STRANGER_LIMIT + 1


def test_a_claimed_length_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        for claim in (0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, FRAME_LIMIT):
            frames = Frames()
            try:
                assert frames.receive(claim.to_bytes(4, "big") + b"x") == []
            except FrameFault:
                assert claim > FRAME_LIMIT
        assert tracemalloc.get_traced_memory()[1] < 64 * 1024
    finally:
        tracemalloc.stop()


def test_many_small_frames_in_one_piece_take_linear_time() -> None:
    frames = Frames()
    assert len(frames.receive(frame(b"x") * 100_000)) == 100_000
