"""Connections cut, frames late and repeated, anywhere: it costs nothing. Some of `tests.protocol.cut`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cache
from itertools import count
from pathlib import Path
from unittest import mock

import pytest

from oaknet.kernel import Rng
from tests.engine.toys import Market
from tests.protocol.atwork import Room, identity
from tests.protocol.cut import ROUGH, Cut, Game


@cache
def game(players: int, *, tls: bool = False) -> Game:
    return Game("market", players, tls=tls, options={"pace": "fast"})


def some(cuts: Iterable[Cut], count: int, salt: str) -> list[Cut]:
    """So many of all places to cut at."""
    every, rng = list(cuts), Rng(salt.encode())
    assert len(every) > 2 * count
    return [every[rng.below(len(every))] for _ in range(count)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cut_at_a_frame(players: int) -> None:
    made = game(players)
    for cut in some(made.frames(), 6 - players, f"frames {players}"):
        made.once(cut)


def test_cut_at_the_last_frames() -> None:
    """What is lost at the very end is asked for again: nobody leaves before the others have it."""
    made = game(2)
    last = {pipe: number for pipe, number, _ in made.passed}
    for pipe, number in last.items():
        for back in range(3):
            made.once(Cut(pipe, number - back))


@pytest.mark.parametrize("players", [2, 3])
def test_cut_at_a_byte_of_a_draw(players: int) -> None:
    made = game(players)
    for cut in some(made.draw(), 3, f"bytes {players}"):
        assert made.once(cut)[0] == 1


def test_cut_at_a_byte_of_tls() -> None:
    made = game(2, tls=True)
    for cut in some(made.bytes(), 4, "tls"):
        made.once(cut)


def test_cut_while_frames_come_late_and_again() -> None:
    made = game(3)
    for cut in some(made.frames(), 2, "rough"):
        made.once(cut, **ROUGH)


@pytest.mark.parametrize("every", [17])
def test_cut_again_and_again(every: int) -> None:
    assert game(3).often(every, **ROUGH)[0] > 5


def test_a_game_that_hangs_is_told(tmp_path: Path) -> None:
    """Peers that never meet: the game fails after its time, and says who waits; it is not played for ever."""
    conditions = game(2).conditions("hangs")
    conditions.dark = [identity(1).key]
    with pytest.raises(AssertionError, match=r"no end in 90 s: Ann at step 0"):
        Room(Market(), 2, tmp_path, conditions, longest=90).play()


def test_a_busy_machine_changes_nothing() -> None:
    """A run that the machine holds up for minutes is no machine that slept: the table has its own clock."""
    made = game(2)
    quiet = made.often(9, **ROUGH)
    with mock.patch.object(time, "time", side_effect=count(0.0, 100.0)):
        assert made.often(9, **ROUGH) == quiet
