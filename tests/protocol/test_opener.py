"""The opener is killed for good at some points of a game of four; all 50: `tests.protocol.opener`."""

from __future__ import annotations

from functools import cache

import pytest

from tests.protocol.opener import frames, gone

total = cache(frames)


@pytest.mark.parametrize("seventh", range(7))
def test_opener_killed_for_good(seventh: int) -> None:
    gone(1 + seventh * (total() - 1) // 6)


def test_those_who_go_on_find_what_only_one_of_them_heard() -> None:
    """The last word of who dies reached one neighbour: the others get it from there, and go on at once."""
    assert gone(40) == "absent"
