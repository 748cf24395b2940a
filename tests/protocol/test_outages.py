"""Links that go, for a moment or for hours, machines that sleep, disks that are older than the game.

Peers at work come back from all of it by themselves, and nothing is lost.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from oaknet.kernel import Game, Rng
from oaknet_protocol import events
from oaknet_protocol.node import Left, Overdue
from oaknet_protocol.reach import FIRST_PAUSE, LONGEST_PAUSE
from oaknet_protocol.table import ABSENT
from oaknet_protocol.transport import DEAD_AFTER
from tests.engine.toys import Market
from tests.protocol.atwork import Player, Room
from tests.protocol.proxy import Conditions

FAST = {"pace": "fast"}
SOON = 5.0
"""Seconds within which a peer is back once it can be."""


def room(folder: Path, players: int, salt: str, *, tls: bool = False, **options: str) -> Room:
    conditions = Conditions(Rng(salt.encode()), framed=not tls)
    return Room(Market(), players, folder, conditions, options={**FAST, **options}, tls=tls)


def left(player: Player) -> list[Left]:
    return [news for news in player.told if isinstance(news, Left)]


def view(player: Player) -> bytes:
    """The position that somebody has who plays what was told, and knows nothing else."""
    game: Game[Any] = Game.new(Market(), len(player.room.players), FAST)
    for news in player.told:
        if isinstance(news, events.Stepped):
            for seat, option in news.done.line:
                game.answer(seat, option)
    return game.digest()


def clock() -> MockClock:
    found = trio.lowlevel.current_clock()
    assert isinstance(found, MockClock)
    return found


def test_link_that_goes_and_comes_twenty_times(tmp_path: Path) -> None:
    """What a player was told is the position, each time: no step twice, none left out."""
    made = room(tmp_path, 3, "toggled")
    one, other, third = made.players

    async def toggled(made: Room) -> None:
        for count in range(20):
            await made.pause(count // 2)
            before = len(left(one))
            made.cut(one.key, other.key)
            if count % 3 == 0:
                made.cut(one.key, third.key)
            await made.until(lambda before=before: len(left(one)) > before, SOON)
            await made.until(made.linked, SOON)
            for player in made.players:
                assert view(player) == player.transcript.digest()
            await trio.sleep(2 * FIRST_PAUSE)  # who hangs up at once is not dialled again at once
        made.go_on()

    made.play(toggled).whole()
    assert len(left(one)) >= 20
    assert all(view(player) == player.transcript.digest() for player in made.players)


def test_silence_is_noticed_and_the_game_goes_on_when_it_ends(tmp_path: Path) -> None:
    """A connection that dies without a sign: both ends give it up, and it is made again."""
    made = room(tmp_path, 2, "silence", tls=True)
    one, other = made.players

    async def dark(made: Room) -> None:
        await made.pause(4)
        made.conditions.dark = [other.key]
        took = await made.until(lambda: not one.node.links and not other.node.links, 2 * DEAD_AFTER)
        assert DEAD_AFTER - 10 <= took <= DEAD_AFTER
        await trio.sleep(120)
        made.conditions.dark = []
        await made.until(made.linked, LONGEST_PAUSE + SOON)
        made.go_on()

    made.play(dark).whole()
    for player in made.players:
        assert "no sign of life" in left(player)[0].why


@pytest.mark.parametrize("players", [2, 4])
def test_machines_that_slept_are_back_at_once(tmp_path: Path, players: int) -> None:
    """Half an hour passes between two looks at the clock; who kept trying meanwhile has long pauses."""
    made = room(tmp_path, players, "slept")

    async def sleeps(made: Room) -> None:
        await made.pause(4)
        clock().jump(1800)
        await made.until(lambda: any(left(player) for player in made.players), SOON)
        await made.until(made.linked, SOON)
        made.go_on()

    made.play(sleeps).whole()


@pytest.mark.parametrize("players", [2, 3])
def test_steady_clock_that_sleeps_too(tmp_path: Path, players: int) -> None:
    """Where the steady clock stands still while the machine sleeps, the one on the wall tells of it."""
    made = room(tmp_path, players, "steady")
    one, *others = made.players
    wall = [0.0]

    async def sleeps(made: Room) -> None:
        await made.pause(4)
        one.node.wall_clock = lambda: wall[0]
        await trio.sleep(2)
        before = len(left(one))
        wall[0] += 1800
        await made.until(lambda: len(left(one)) >= before + len(others), SOON)
        await made.until(made.linked, SOON)
        wall[0] -= 365 * 24 * 3600  # set back by a year: nothing happens
        await trio.sleep(60)
        assert len(left(one)) == before + len(others)
        made.go_on()

    made.play(sleeps).whole()
    assert {news.why for news in left(one)[: len(others)]} <= {"this machine slept", "the connection broke"}


def test_who_wakes_up_among_others_that_did_not_sleep(tmp_path: Path) -> None:
    made = room(tmp_path, 3, "woke")
    one, *others = made.players

    async def sleeps(made: Room) -> None:
        await made.pause(4)
        made.conditions.dark = [one.key]
        await trio.sleep(1800)
        assert all(list(player.node.links) == [p.key for p in others if p is not player] for player in others)
        made.conditions.dark = []
        one.node.woken()
        await made.until(made.linked, SOON)
        made.go_on()

    made.play(sleeps).whole()


def test_two_wait_for_each_other_for_hours(tmp_path: Path) -> None:
    """There is nobody to go on with, so the table waits; neither grows while it does."""
    made = room(tmp_path, 2, "hours", grace="60")
    one, other = made.players

    async def apart(made: Room) -> None:
        await made.pause(4)
        made.conditions.dark = [one.key, other.key]
        await trio.sleep(120)
        before = [(player.files / "own").stat().st_size for player in made.players]
        await trio.sleep(2 * 3600)
        assert before == [(player.files / "own").stat().st_size for player in made.players]
        made.conditions.dark = []
        await made.until(made.linked, LONGEST_PAUSE + SOON)
        made.go_on()

    made.play(apart).whole()


def test_one_of_those_who_go_on_takes_his_time(tmp_path: Path) -> None:
    """Two have agreed to go on without the opener; the third is asked, and answers twenty minutes later."""
    made = room(tmp_path, 4, "hesitates", grace="10")
    gone, first, slow, other = made.players
    slow.absent = "ask"

    async def hesitates(made: Room) -> None:
        await made.pause(2)
        gone.kill()
        made.go_on()
        await trio.sleep(1200)
        assert [news.key for news in slow.told if isinstance(news, Overdue)] == [gone.key]
        assert first.node.session.frozen
        slow.node.go_on({gone.key: ABSENT})
        await made.until(lambda: len(slow.transcript.charters) == 2, SOON)

    assert made.play(hesitates).finished([first, slow, other]).how == "absent"
    assert first.node.session.own.number < 8


def test_second_is_gone_before_the_first_is_left_out(tmp_path: Path) -> None:
    """Nobody waits for the signature of who is away too, though it is not their turn."""
    made = room(tmp_path, 4, "two gone", grace="10")
    *left, third, fourth = made.players

    async def two(made: Room) -> None:
        await made.pause(4)
        third.kill()
        await trio.sleep(5)
        fourth.kill()
        made.go_on()

    assert made.play(two).finished(left).how == "absent"


def test_who_is_cut_off_alone_binds_itself_to_nothing(tmp_path: Path) -> None:
    """It would go on without whose turn it is, but nobody can sign that; when all are back, all play."""
    made = room(tmp_path, 3, "woke", grace="10")
    one = made.players[0]

    async def alone(made: Room) -> None:
        await made.pause(4)
        made.conditions.dark = [one.key]
        await trio.sleep(1200)
        assert not one.node.session.frozen
        made.conditions.dark = []
        await made.until(made.linked, LONGEST_PAUSE + SOON)
        made.go_on()

    made.play(alone).whole()
    assert max(player.node.session.own.number for player in made.players) <= 3


def test_restored_backup(tmp_path: Path) -> None:
    """A disk from before: the peer hears from the others what it has signed since, and signs nothing else."""
    made = room(tmp_path, 3, "backup")
    victim = made.players[1]
    signed: list[dict[Any, set[bytes]]] = []

    async def restored(made: Room) -> None:
        await made.pause(2)
        shutil.copytree(victim.files, tmp_path / "backup")
        await made.pause(7)
        signed.append(victim.signed())
        victim.kill()
        await trio.sleep(1)
        shutil.rmtree(victim.files)
        shutil.copytree(tmp_path / "backup", victim.files)
        made.start(victim)
        await made.until(made.linked, SOON)
        made.go_on()

    made.play(restored).whole()
    after = victim.signed()
    assert all(after.get(slot, bodies) == bodies for slot, bodies in signed[0].items())
