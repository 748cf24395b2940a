"""Peers that go, come back, or are cut off: who plays is changed by those who go on, and by nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from oaknet.registry import rules
from oaknet_protocol import events
from oaknet_protocol.charters import following
from oaknet_protocol.council import TRIES
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.table import ABSENT, OUT_OF_TIME, PLAYED, RESIGNED
from oaknet_protocol.wire import Charter, Entry, Record, decode, pack, unpack
from tests.engine.toys import Market
from tests.protocol.world import Host, World, told, world

GAMES: dict[str, Any] = {"market": Market(), "five_towers": rules("five_towers")}


def why(host: Host, gone: Host) -> int:
    """How the seat of a host is said to be in the last charter of another."""
    transcript = host.transcript
    return int(transcript.seating.why[transcript.charters[0].author(gone.key)])


def seat(host: Host, of: Host) -> int:
    found = host.transcript.charters[0].author(of.key)
    assert found is not None
    return int(found)


def stopped(kind: str, players: int = 3, salt: str = "") -> tuple[World, Host, list[Host]]:
    """A table where one peer is gone for good while it owes an entry of this kind; and who is left."""
    made = world(GAMES["five_towers" if kind == "move" else "market"], players, f"gone {kind} {salt}")
    gone = made.hosts[1]
    made.idle = [gone] if kind in ("move", "seal") else []
    made.until(made.waits(gone, kind))
    made.kill(gone)
    made.settle()
    assert made.waits(gone, kind)()
    return made, gone, made.alive()


def back(made: World, host: Host) -> None:
    """A machine is there again, connected to all, and has heard them."""
    made.restart(host)
    made.all_up()
    made.settle()
    made.wake(host)
    made.settle()


# -- going on ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["move", "seal", "open", "share"])
def test_table_goes_on_without_who_owes(kind: str) -> None:
    """Nothing happens of itself; when both have agreed, the stand-in has the seat and the game ends."""
    made, gone, left = stopped(kind)
    step, draw = left[0].transcript.step.number, left[0].transcript.draw
    made.go_on(left[:1], gone)
    assert [len(host.transcript.charters) for host in left] == [1, 1], "one alone changes nothing"
    assert [event.out for event in told(left[1], events.Proposed)] == [(gone.key,)]
    made.go_on(left[1:], gone)
    for host in left:
        charter = host.transcript.seating.charter
        assert (charter.number, charter.parent[1]) == (2, step)
        assert why(host, gone) == ABSENT
        assert [(one.out, one.back) for one in told(host, events.Seated)] == [((gone.key,), ())]
        owed = kind == "share"
        assert charter.draw == draw + 1 if owed else charter.draw >= draw
        assert host.transcript.owed == ([gone.key] if owed else [])
    result = made.finish()
    assert result.how == "absent"
    assert seat(left[0], gone) not in result.confirmed


def test_repeated_draw_has_a_number_above_all_that_was_revealed() -> None:
    made, gone, left = stopped("share")
    before = [host.session.own.revealed for host in left]
    made.go_on(left, gone)
    first = left[0].transcript.charters[1].charter.draw
    assert first > max(before)
    made.finish()
    for host in left:
        shares = [entry.body[0] for entry in entries(host) if entry.kind == "share"]
        assert len(set(shares)) == len(shares) > 3, "no share serves two draws"


def entries(host: Host) -> list[Entry]:
    kept = [unpack(data) for data in host.kept]
    return [decode(Entry, one[1]) for one in kept if one[0] == "entry"]


def test_seal_of_who_is_gone_is_void_and_the_others_open() -> None:
    """It sealed and never opened: the stand-in answers for it, and it cannot open later."""
    made, gone, left = stopped("open")
    made.go_on(left, gone)
    made.idle = []
    assert left[0].transcript.step.kind != "open"
    made.finish()
    kinds = [entry.kind for entry in entries(gone)]
    assert kinds.count("seal") >= 1


def test_two_players_wait() -> None:
    made, gone, left = stopped("seal", players=2)
    with pytest.raises(LocalProtocolError, match="two seats"):
        left[0].session.go_on({gone.key: ABSENT})
    made.idle = []
    back(made, gone)
    assert made.finish().how == "finished"
    assert len(left[0].transcript.charters) == 1


def test_nobody_goes_on_without_himself_or_after_the_end() -> None:
    made = world(Market(), 3, "himself")
    one = made.hosts[0]
    with pytest.raises(LocalProtocolError, match="two seats"):
        one.session.go_on({one.key: ABSENT})
    made.finish()
    with pytest.raises(LocalProtocolError, match="over"):
        one.session.go_on({made.hosts[1].key: ABSENT})


def test_three_of_five_go_on_one_after_the_other() -> None:
    made = world(rules("five_towers"), 5, "five")
    for number in (4, 3):
        gone = made.hosts[number]
        made.idle = [gone]
        made.until(made.waits(gone, "move"))
        made.kill(gone)
        made.settle()
        made.go_on(made.alive(), gone)
    assert made.finish().how == "absent"
    assert [why(made.hosts[0], host) for host in made.hosts] == [PLAYED] * 3 + [ABSENT] * 2


def test_who_is_out_of_time_is_said_to_be_and_stays_out() -> None:
    made, gone, left = stopped("move")
    made.go_on(left, gone, OUT_OF_TIME)
    assert why(left[0], gone) == OUT_OF_TIME
    made.idle = []
    back(made, gone)
    assert made.finish().how == "timed-out"
    assert why(gone, gone) == OUT_OF_TIME
    assert len(left[0].transcript.charters) == 2


def test_charter_says_resigned_of_who_resigned_and_then_left() -> None:
    made = world(rules("five_towers"), 4, "resigned")
    gone = made.hosts[1]
    made.idle = [gone]
    made.until(lambda: bool(gone.asked))
    made.do(gone, gone.session.resign(gone.asked.pop().seat))
    made.settle()
    other = made.hosts[2]
    made.idle = [other]
    made.until(made.waits(other, "move"))
    made.kill(gone)
    made.kill(other)
    made.settle()
    left = made.alive()
    for host in left:
        made.do(host, host.session.go_on({gone.key: ABSENT, other.key: ABSENT}))
        made.settle()
    assert [why(left[0], host) for host in (gone, other)] == [RESIGNED, ABSENT]
    assert made.finish().how == "absent"


# -- proposals that meet -------------------------------------------------------------------------------------


def test_two_charters_at_once() -> None:
    """Both propose before either hears the other: the numbers are equal, both are signed by who made them,
    and a higher one settles it."""
    made, gone, left = stopped("move", players=4)
    for host in left:
        made.do(host, host.session.go_on({gone.key: ABSENT}))
    made.settle()
    for _ in range(5):
        frozen = [host for host in left if host.session.frozen]
        if not frozen:
            break
        made.do(frozen[0], frozen[0].session.propose_again())
        made.settle()
    assert len({host.transcript.seating.id for host in left}) == 1
    assert all(not host.session.frozen and host.session.cheats == {} for host in left)
    for host in left:
        numbers = [decode(Charter, data).number for data in host.session.own.charters]
        assert len(set(numbers)) == len(numbers), "one charter of a number"
    assert made.finish().how == "absent"


def test_proposal_that_stays_unsigned_is_replaced_by_a_higher_number() -> None:
    """Two of four have signed to go on without Bo, the third does not agree and Bo comes back: those who
    signed are frozen, sign nothing under charter 1, and a charter with all four frees them."""
    made, gone, left = stopped("move", players=4)
    made.go_on(left[:2], gone)
    assert [host.session.frozen for host in left] == [True, True, False]
    with pytest.raises(LocalProtocolError):
        left[0].session.move(seat(left[0], left[0]), (0,))
    made.idle = []
    back(made, gone)
    moved = gone.asked.pop(0)
    turn = gone.session.turn(moved.seat)
    while (ask := turn.ask) is not None:
        turn.answer(ask.options[0])
    made.do(gone, gone.session.move(moved.seat, tuple(turn.answers)))
    made.settle()
    heads = {host.number: host.transcript.step.number for host in made.hosts}
    assert heads[left[0].number] < heads[gone.number], (
        "what comes under charter 1 rests at who signed it away"
    )
    made.do(left[0], left[0].session.propose_again())
    made.settle()
    assert len({host.transcript.seating.id for host in made.hosts}) == 1
    seating = made.hosts[0].transcript.seating
    assert seating.charter.number == 3
    assert None not in seating.peers, "who is back stays"
    assert len({host.transcript.step.number for host in made.hosts}) == 1
    assert made.finish().how == "finished"


def test_pending_draw_goes_on_with_the_shares_given() -> None:
    """Two are frozen when the mover gives its share with its move and dies: the next charter takes over what
    rested, and the draw keeps its number, for nobody who is left out owes a share."""
    made = world(rules("five_towers"), 4, "share given")
    gone = made.hosts[1]
    made.idle = [gone]

    def leads() -> bool:
        if not (made.waits(gone, "move")() and gone.asked):
            return False
        made.settle()
        turn = gone.session.turn(gone.asked[0].seat)
        while (ask := turn.ask) is not None:
            turn.answer(ask.options[-1])
        if turn.leads_to_draw():
            return True
        made.do(gone, gone.session.move(gone.asked.pop(0).seat, tuple(turn.answers)))
        return False

    made.until(leads)
    left = [host for host in made.hosts if host is not gone]
    made.go_on(left[:2], gone)
    turn = gone.session.turn(gone.asked[0].seat)
    while (ask := turn.ask) is not None:
        turn.answer(ask.options[-1])
    made.do(gone, gone.session.move(gone.asked.pop(0).seat, tuple(turn.answers)))
    made.settle()
    third = left[2]
    assert third.transcript.step.kind == "share"
    draw = third.transcript.draw
    made.kill(gone)
    made.go_on([third], gone)
    for host in left:
        made.go_on([host], gone)
    charters = [host.transcript.seating.charter for host in left]
    assert [charter.draw for charter in charters] == [draw] * 3
    assert all(host.transcript.owed == [] for host in left)
    assert all(host.transcript.draw == draw + 1 for host in left), "and it was made"
    assert made.finish().how == "absent"


# -- coming back ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["move", "seal", "open"])
def test_who_comes_back_plays_again_from_the_next_step(kind: str) -> None:
    made, gone, left = stopped(kind)
    made.go_on(left, gone)
    made.idle = []
    for _ in range(3):
        made.decide()
        made.settle()
    back(made, gone)
    assert gone.transcript.head == left[0].transcript.head, "it follows while it waits"
    made.until(lambda: len(gone.transcript.charters) == 3)
    made.settle()
    for host in made.hosts:
        assert why(host, gone) == PLAYED
        assert told(host, events.Seated)[-1].back == (gone.key,)
        assert told(host, events.Proposed) == [] or host is not gone
    assert seat(left[0], gone) in made.finish().confirmed


def test_who_owed_a_share_is_let_back_only_if_all_agree() -> None:
    made, gone, left = stopped("share")
    made.go_on(left, gone)
    back(made, gone)
    for _ in range(4):
        made.decide()
        made.settle()
    assert len(left[0].transcript.charters) == 2, "nobody was asked"
    made.do(left[0], left[0].session.let_back(gone.key))
    made.settle()
    for _ in range(12):
        made.decide()
        made.settle()
        if told(left[1], events.Proposed)[-1].back:
            break
    assert told(left[1], events.Proposed)[-1].back == (gone.key,)
    made.do(left[1], left[1].session.let_back(gone.key))
    made.settle()
    while len(left[0].transcript.charters) == 2 and made.decide():
        made.settle()
    assert why(left[0], gone) == PLAYED
    made.finish()


def test_peer_that_never_signs_is_brought_back_a_few_times_only() -> None:
    """Else each of its appearances would hold up the table."""
    made, gone, left = stopped("move")
    made.go_on(left, gone)

    def unsigned(source: bytes, to: bytes, message: bytes) -> list[bytes]:
        return [] if source == gone.key and b"charter" in message[:10] else [message]

    made.filter = unsigned
    before = left[0].session.own.number
    back(made, gone)
    made.idle = []
    for _ in range(60):
        if made.decide():
            made.settle()
            continue
        frozen = [host for host in left if host.session.frozen]
        if not frozen or left[0].transcript.over:
            break
        made.do(frozen[0], frozen[0].session.propose_again())
        made.settle()
    proposed = {
        data
        for host in left
        for data in host.session.own.charters
        if len(decode(Charter, data).sits) == 3 and decode(Charter, data).number > before
    }
    assert 1 <= len(proposed) <= 2 * TRIES
    assert left[0].transcript.over, "and the game goes on without it"


def test_charter_that_nobody_has_signed_is_not_waited_for() -> None:
    """Left out, it offers charters that seat it, and signs none: nobody stands behind them."""
    made, gone, left = stopped("move")
    made.go_on(left, gone)
    made.idle = []
    transcript = left[0].transcript
    before = [dict(host.session.own.charters) for host in left]
    for number in range(3, 20):
        data = following(transcript, left[0].session.lobby.pairs(), {}, number, 100)
        for host in left:
            made.do(host, host.session.receive(gone.key, pack(Record("charter", data, (b"",) * 3))))
        made.settle()
    assert [host.session.own.charters for host in left] == before
    assert made.finish().how == "absent"


# -- cut off -------------------------------------------------------------------------------------------------


def cut(made: World, one: list[Host], other: list[Host]) -> None:
    for a in one:
        for b in other:
            made.down(a, b)


def test_peer_cut_off_alone_waits_and_follows_when_it_is_back() -> None:
    made = world(rules("five_towers"), 3, "cut off")
    alone, others = made.hosts[2], made.hosts[:2]
    made.idle = [alone]
    made.until(made.waits(alone, "move"))
    cut(made, [alone], others)
    made.go_on(others, alone)
    step = alone.transcript.step.number
    for host in others:
        with pytest.raises(LocalProtocolError):
            alone.session.go_on({host.key: ABSENT for host in others})
    for _ in range(4):
        made.decide()
        made.settle()
    assert alone.transcript.step.number == step
    made.idle = []
    made.all_up()
    made.settle()
    assert alone.transcript.head == others[0].transcript.head
    assert made.finish().how == "finished"
    assert why(others[0], alone) == PLAYED


def test_split_in_two_pairs_is_healed_by_joining() -> None:
    """Each pair goes on alone; when they meet, nobody is convicted, all are told, and one pair gives up what
    it has played since."""
    made = world(rules("five_towers"), 4, "pairs")
    west, east = made.hosts[:2], made.hosts[2:]
    made.settle()
    cut(made, west, east)
    for pair, others in ((west, east), (east, west)):
        for host in pair:
            made.do(host, host.session.go_on({one.key: ABSENT for one in others}))
            made.settle()
    for _ in range(6):
        made.decide()
        made.settle()
    assert west[0].transcript.seating.id != east[0].transcript.seating.id
    made.all_up()
    made.settle()
    for host in made.hosts:
        assert host.session.cheats == {}
        assert told(host, events.Apart), "both sides know of each other"
    theirs = west[0].transcript.charters[1].id
    for host in east:
        made.do(host, host.session.join(theirs))
        made.settle()
        assert told(host, events.Rewound)
    made.do(west[0], west[0].session.sync())
    made.settle()
    assert {host.transcript.head for host in made.hosts} == {west[0].transcript.head}
    with pytest.raises(LocalProtocolError, match="no such charter"):
        east[0].session.join(theirs)
    made.until(lambda: all(why(west[0], host) == PLAYED for host in east))
    assert made.finish().how == "finished"
    for host in made.hosts:
        assert host.session.cheats == {}


# -- the opener ----------------------------------------------------------------------------------------------


def test_opener_gone_before_the_start() -> None:
    """The table is there without it: a fourth takes its place."""
    made = World(Market(), [("Ann",), ("Bo",), ("Cy",), ("Di",)], "opener", seats=3)
    opener, others = made.hosts[0], made.hosts[1:]
    made.up(opener, others[0])
    made.settle()
    assert others[0].session.transcript is not None
    made.kill(opener)
    made.settle()
    made.all_up()
    made.settle()
    assert all(host.transcript.seating is not None for host in others)
    assert opener.key not in others[0].transcript.seating.sits
    assert made.finish().how == "finished"


@pytest.mark.parametrize("after", range(10, 34))
def test_who_leaves_while_the_first_charter_is_signed(after: int) -> None:
    """Two have signed, the third goes without a word: its seat is free again, and a fourth takes it; or the
    signatures were there already, and the table has begun."""
    made = World(Market(), [("Ann",), ("Bo",), ("Cy",), ("Di",)], "crossing", seats=3)
    ann, bo, gone, late = made.hosts
    for a, b in ((ann, bo), (ann, gone), (bo, gone)):
        made.up(a, b)
    for _ in range(after):
        made.step()
    made.kill(gone)
    made.settle()
    begun = ann.transcript.seating is not None
    for host in (ann, bo):
        made.up(host, late)
    made.settle()
    third = gone if begun else late
    for host in (ann, bo):
        assert sorted(host.transcript.seating.sits) == sorted([ann.key, bo.key, third.key])
        assert not host.session.frozen
        assert host.session.cheats == {}
    if not begun:
        assert made.finish().how == "finished"


@pytest.mark.parametrize("after", range(0, 50, 5))
def test_opener_gone_for_good_after_so_many_steps(after: int) -> None:
    """At any point of a game of four the other three finish it."""
    made = world(Market(), 4, f"opener {after}")
    for _ in range(after):
        assert made.step() or made.decide()
    opener, left = made.hosts[0], made.hosts[1:]
    made.kill(opener)
    made.settle()
    for _ in range(400):
        if all(host.transcript.step.kind == "over" for host in left):
            break
        if made.decide():
            made.settle()
            continue
        for host in left:
            made.do(host, host.session.sync())
            made.settle()
        for host in left:
            made.patience(host)
            made.settle()
    result = made.finish()
    assert result.how in ("absent", "finished")
    assert len(result.confirmed) >= 3
