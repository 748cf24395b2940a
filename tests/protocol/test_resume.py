"""Peers that die at any moment and return: the same bytes again, nothing signed twice, nothing lost."""

from __future__ import annotations

import time
from typing import Any

import pytest

from oaknet.kernel import Option
from oaknet.registry import rules
from oaknet_protocol import events, log
from oaknet_protocol.log import CutInside
from oaknet_protocol.own import DamagedFile, Own, kept_records
from oaknet_protocol.refused import Fork, LocalProtocolError
from oaknet_protocol.wire import Record, pack, unpack
from tests.engine.toys import Market
from tests.protocol.world import Host, World, entries_signed, told, world

GAMES: dict[str, Any] = {"market": Market(), "five_towers": rules("five_towers")}


def risen(made: World, host: Host) -> None:
    """A machine starts again, connects to all, and has heard them."""
    made.restart(host)
    made.all_up()
    made.settle()
    made.wake(host)


CRASHES = ["before Keep", "after Keep", "after Send", "after Write", "before Write"]


@pytest.mark.parametrize(
    ("game", "crash"), [("five_towers", "after Keep"), *(("market", crash) for crash in CRASHES)]
)
def test_killed_at_every_entry_through_a_whole_game(game: str, crash: str) -> None:
    """Before the disk has what was signed, between disk and sending, after it, and around the log."""
    made = World(GAMES[game], [("Ann",), ("Bo",), ("Cy",)], f"{game} {crash}")
    when, kind = crash.split()
    victim, seen = made.hosts[1], [0]
    armed = [True]

    def crashes(host: Host, event: events.Event) -> str:
        if host is not victim or type(event).__name__ != kind or not armed[0]:
            return ""
        seen[0] += 1
        armed[0] = False  # the next time it gets through
        return when

    made.crash = crashes
    made.all_up()
    for _ in range(5000):
        if not victim.alive:
            risen(made, victim)
            armed[0] = seen[0] < 60 and not armed[0] and when == "after"
        elif not armed[0] and made.rng.below(4) == 0:
            armed[0] = True
        if not made.step() and not made.decide() and victim.alive:
            break
    made.crash = lambda host, event: ""
    if not victim.alive:
        risen(made, victim)
    made.all_up()
    result = made.finish()
    assert (result.how, len(result.confirmed)) == ("finished", 3)
    assert seen[0] >= 8
    assert len(made.hosts[0].transcript.charters) == 1, "no seat was lost by it"
    assert entries_signed(victim)


def test_same_bytes_are_sent_again() -> None:
    """An entry that only the own disk has is what everybody gets, whatever the player would do now."""
    made = world(GAMES["five_towers"], 3, "same bytes")
    victim = made.hosts[2]
    made.until(lambda: bool(victim.asked))
    made.settle()
    made.crash = lambda host, event: "after" if host is victim and isinstance(event, events.Keep) else ""
    made.idle = [host for host in made.hosts if host is not victim]
    made.decide()
    assert not victim.alive
    made.crash = lambda host, event: ""
    kept = unpack(victim.kept[-1])
    assert kept[0] == "entry"
    before = len(victim.kept)
    made.restart(victim)
    assert victim.asked == [], "the step has its entry"
    made.all_up()
    made.settle()
    other = made.hosts[0]
    assert any(kept[1] == record.data for record in other.transcript.slots.values())
    made.wake(victim)
    made.settle()
    shares = [unpack(data)[1] for data in victim.kept[before:]]
    assert all(data != kept[1] for data in shares)
    made.idle = []
    made.finish()


@pytest.mark.parametrize("game", GAMES)
def test_own_side_file_cut_at_every_byte_of_its_last_record(game: str) -> None:
    """What is not whole was never sent: all before it is there, and it is as if it had not been signed."""
    made = world(GAMES[game], 2, f"cut {game}")
    made.finish()
    host = made.hosts[0]
    side = b"".join(log.frame(data) for data in host.kept)
    last = len(log.frame(host.kept[-1]))
    whole = Own.restore(made.signers[0], kept_records(side))
    assert list(whole.entries) == list(host.session.own.entries)
    assert (whole.number, whole.revealed) == (host.session.own.number, host.session.own.revealed)
    for cut in range(len(side) - last, len(side)):
        records = kept_records(side[:cut])
        assert records == host.kept[:-1], cut
    before = Own.restore(made.signers[0], host.kept[:-1])
    assert list(before.entries) == list(whole.entries)[:-1]


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_side_file_that_is_lost_or_older_than_the_log_is_made_up_from_the_log(left: int) -> None:
    """Sit, charter number and entries are in the log too, and the chain follows from the sit: the game goes
    on with nothing signed twice."""
    made = world(GAMES["five_towers"], 3, f"lost side {left}")
    host = made.hosts[1]
    for _ in range(10):
        made.until(lambda: bool(host.asked))
        made.decide()
    made.settle()
    before = host.session.own
    made.kill(host)
    del host.kept[left:]
    made.restart(host)
    after = host.session.own
    assert (after.sit, after.number, after.revealed) == (before.sit, before.number, before.revealed)
    assert after.revealed > 0
    again = Own.restore(made.signers[1], host.kept)
    assert again.sit == before.sit, "the disk has it again"
    made.all_up()
    made.settle()
    made.wake(host)
    result = made.finish()
    assert (result.how, len(result.confirmed)) == ("finished", 3)
    assert not any(other.session.cheats for other in made.hosts)


def test_side_file_that_makes_no_sense_is_not_gone_on_with() -> None:
    made = world(Market(), 2, "damaged")
    host = made.hosts[0]
    for wrong in (b"\0", pack(("entry", b"\0", bytes(64), ())), pack(("sit",)), pack([1, 2, 3])):
        with pytest.raises(DamagedFile, match="cannot be read"):
            Own.restore(made.signers[0], [*host.kept, wrong])


def test_log_cut_at_every_byte_of_its_last_record_and_resumed_at_each_entry() -> None:
    """A log that lacks its end is caught up by anybody; the own entries that it lacks are taken over."""
    made = world(GAMES["five_towers"], 2, "log")
    host, other = made.hosts
    for _ in range(12):
        made.until(lambda: bool(host.asked))
        made.settle()
        made.decide()
        made.settle()
    data, records = made.file(host), list(host.log)
    last = len(log.frame(pack(records[-1])))
    start = log.read_header(data)[1]
    for cut in range(len(data) - last + 1, len(data)):
        with pytest.raises(CutInside) as caught:
            log.records(data[:cut], start)
        assert caught.value.offset == len(data) - last
    head = other.transcript.head
    for length in range(1, len(records) + 1):
        made.kill(host)
        signed = len(host.kept)
        host.log = records[:length]
        made.restart(host)
        made.up(host, other)
        made.settle()
        assert host.transcript.head == head, length
        assert host.log == records
        made.wake(host)
        assert len(host.kept) == signed
    assert made.finish().how == "finished"


def test_nothing_new_is_signed_before_the_others_were_heard() -> None:
    made = world(GAMES["five_towers"], 3, "asleep")
    victim = made.hosts[1]
    made.until(lambda: bool(victim.asked))
    made.settle()
    asked = victim.asked[0]
    made.kill(victim)
    kept = len(victim.kept)
    made.restart(victim)
    assert not victim.session.awake
    assert victim.asked == []
    with pytest.raises(LocalProtocolError, match="waits"):
        victim.session.move(asked.seat, (0,))
    with pytest.raises(LocalProtocolError, match="waits"):
        victim.session.resign(asked.seat)
    made.all_up()
    made.settle()
    assert len(victim.kept) == kept
    made.wake(victim)
    assert [one.seat for one in victim.asked] == [asked.seat], "and it is asked again"
    made.finish()


def backup(salt: str) -> tuple[World, Host, tuple[list[bytes], list[Record]]]:
    """A table where a host has a copy of its disk from just before a move that everybody has by now."""
    made = world(GAMES["five_towers"], 3, salt)
    host = made.hosts[0]
    made.until(lambda: bool(host.asked))
    made.settle()
    copy = host.kept[:], host.log[:]
    made.idle = made.hosts[1:]
    made.decide()
    made.settle()
    made.kill(host)
    return made, host, copy


def test_restored_backup_takes_over_what_the_others_have() -> None:
    """Its own entries come back to it before it signs anything: nobody can tell that the disk was old."""
    made, host, (kept, records) = backup("restored")
    signed = entries_signed(host)
    host.kept, host.log = kept, records
    risen(made, host)
    made.settle()
    assert host.transcript.head == made.hosts[1].transcript.head
    for slot, bodies in signed.items():
        entry = host.session.own.entries.get(slot)
        assert entry is None or entry.data in bodies
    made.idle = []
    made.finish()


def test_restored_backup_that_plays_on_unheard_is_a_fork() -> None:
    """Waking without having heard anybody, to move otherwise, convicts."""
    made, host, (kept, records) = backup("rerolled")
    before = entries_signed(host)
    host.kept, host.log = kept, records
    made.restart(host)
    made.wake(host)
    (asked,) = host.asked
    turn = host.session.turn(asked.seat)
    assert turn.ask is not None
    entry: tuple[Option, ...] = ()
    for option in turn.ask.options:
        turn.answer(option)
        while (ask := turn.ask) is not None:
            turn.answer(ask.options[-1])
        entry = tuple(turn.answers)
        if not any(pack(entry) in data for bodies in before.values() for data in bodies):
            break
        while turn.answers:
            turn.undo()
    made.do(host, host.session.move(asked.seat, entry))
    made.all_up()
    made.settle()
    for other in made.hosts[1:]:
        assert isinstance(other.session.cheats[host.key], Fork)
        assert told(other, events.Cheated)[0].key == host.key


def test_charter_signed_before_a_restart_is_kept_to() -> None:
    """Frozen before, frozen after: it signs no other charter of that number, nothing under the old one."""
    made = world(GAMES["five_towers"], 4, "frozen")
    gone = made.hosts[3]
    made.idle = [gone]
    made.until(made.waits(gone, "move"))
    made.kill(gone)
    victim, other, third = made.hosts[:3]
    made.go_on([victim], gone)
    assert victim.session.frozen
    made.kill(victim)
    risen(made, victim)
    made.settle()
    assert victim.session.frozen
    assert victim.session.own.number == 2
    made.go_on([other], gone)
    made.go_on([third], gone)
    for _ in range(3):
        if victim.session.frozen:
            made.do(victim, victim.session.propose_again())
            made.settle()
    made.go_on([victim], gone)
    assert made.finish().how == "absent"


def last_move(made: World) -> tuple[int, int]:
    """Play to the end: whose move the last one was (the host), and in which step."""
    found = (0, 0)
    while True:
        made.settle()
        asked = [host for host in made.hosts if host.asked]
        if not asked:
            return found
        found = (asked[0].number, asked[0].transcript.step.number)
        made.decide()


def test_rejoining_a_game_of_oak_that_lacks_one_move() -> None:
    """Whoever has nothing but the charter of a table of four is caught up, and asked, within two seconds."""
    number, step = last_move(world(rules("oak"), 4, "rejoin"))
    made = world(rules("oak"), 4, "rejoin")
    host = made.hosts[number]
    made.until(lambda: bool(host.asked) and host.transcript.step.number == step)
    made.settle()
    position = host.transcript.digest()
    made.kill(host)
    host.log = host.log[:2]
    start = time.process_time()
    risen(made, host)
    took = time.process_time() - start
    assert host.transcript.digest() == position
    assert host.asked
    assert took < 2, took
    assert made.finish().how == "finished"
