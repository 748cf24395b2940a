"""Frames: how messages are told apart in a stream of bytes (transport 3)."""

from __future__ import annotations

from typing import final

FRAME_LIMIT = 64 * 1024
"""The most bytes a frame may hold."""

STRANGER_LIMIT = 4 * 1024
"""The most bytes a frame may hold before the peer is known."""

HEAD = 4
"""Bytes of a length."""


class FrameFault(Exception):
    """What a peer sent is no frame; the connection cannot go on. The text says why."""


def frame(b: bytes) -> bytes:
    """``b`` behind its length as 4 bytes, big-endian (transport 3.1).

    Raises `ValueError` if ``b`` is empty or longer than `FRAME_LIMIT`: nobody would take it.
    """
    if not 1 <= len(b) <= FRAME_LIMIT:
        raise ValueError(f"a frame holds 1 to {FRAME_LIMIT} bytes, not {len(b)}")
    return len(b).to_bytes(HEAD, "big") + b


@final
class Frames:
    """Takes bytes as they come and gives frames; holds what has arrived and never more.

    ``limit`` is the most bytes a frame may hold; it may be changed at any time and counts for each frame that
    has not been taken yet.
    """

    __slots__ = ("_held", "limit")

    limit: int

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        self.limit = limit
        self._held = bytearray()

    @property
    def held(self) -> int:
        """How many bytes wait to be taken."""
        return len(self._held)

    def feed(self, data: bytes) -> None:
        """Add bytes that have arrived."""
        self._held += data

    def take(self) -> bytes | None:
        """The next whole frame without its length; None until there is one.

        Raises `FrameFault`, again each time, as soon as a length is 0 or above the limit (transport 3.2).
        """
        if len(self._held) < HEAD:
            return None
        size = int.from_bytes(self._held[:HEAD], "big")
        if size == 0:
            raise FrameFault("it sent an empty frame")
        if size > self.limit:
            raise FrameFault(f"it sent a frame of {size} bytes, and at most {self.limit} are allowed")
        if len(self._held) < HEAD + size:
            return None
        b = bytes(self._held[HEAD : HEAD + size])
        del self._held[: HEAD + size]
        return b

    def receive(self, data: bytes) -> list[bytes]:
        """Add bytes and take every whole frame; raises `FrameFault`, and then none of them is given."""
        self.feed(data)
        frames: list[bytes] = []
        while (b := self.take()) is not None:
            frames.append(b)
        return frames
