"""One peer's side of the table, event by event: what it says, keeps and builds again (session 3 to 5)."""

from __future__ import annotations

from typing import Any

import pytest

from oaknet_protocol import bodies, events, sync
from oaknet_protocol.events import Event, Send
from oaknet_protocol.invite import key_hash
from oaknet_protocol.refused import BadCharter, Fault, Fork, LocalProtocolError, Malformed
from oaknet_protocol.session import EARLY, Session
from oaknet_protocol.table import CHEATED
from oaknet_protocol.wire import Entry, Links, Record, decode, pack
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, signer
from tests.protocol.scenes import NAMES, Scene, answers, asked, holding, moves, record_in, sign
from tests.protocol.test_lobby_attacks import lobby


@pytest.fixture
def made() -> Scene:
    return asked()


@pytest.fixture
def session(made: Scene) -> Session:
    return made.honest.session


def kinds(happened: list[Event]) -> list[str]:
    return [type(event).__name__ for event in happened]


def records(happened: list[Event], to: bytes | None) -> list[str]:
    """The kinds of the records among what is sent to somebody, or to all."""
    sent = [record_in(event.message) for event in happened if isinstance(event, Send) and event.to == to]
    return [record.kind for record in sent if record is not None]


# -- opening and links ---------------------------------------------------------------------------------------


def fresh(number: int = 1, **other: Any) -> tuple[Mesh, Session]:
    mesh = Mesh(Market(), NAMES)
    opener = mesh.peers[0].key
    return mesh, Session(signer(number), mesh.rules_for, (), bytes(32), **{"opener": opener, **other})


def test_opening_is_told_and_sent_once() -> None:
    mesh, session = fresh()
    assert kinds(session.open(mesh.opening)) == ["Opened", "Send", "Send"]
    assert session.open(mesh.opening) == []
    assert session.receive(mesh.peers[0].key, pack(mesh.opening)) == []


def test_spectator_may_sit_down_before_the_start() -> None:
    mesh, session = fresh()
    session.open(mesh.opening)
    assert session.sits == {}
    happened = session.sit(("Dan", "Eve"))
    assert kinds(happened) == ["Keep", "Send", "Sat"]
    assert isinstance(happened[2], events.Sat)
    assert (happened[2].sit.key, happened[2].sit.names) == (session.key, ("Dan", "Eve"))
    assert [*session.sits] == [session.key]
    with pytest.raises(LocalProtocolError, match="sits already, or the table has begun"):
        session.sit(("Again",))


def test_opener_may_be_named_by_the_hash_of_its_key() -> None:
    mesh, session = fresh(opener=key_hash(signer(0).key))
    assert session.open(mesh.opening)[0] == events.Opened(mesh.opening)


def test_nothing_but_an_opening_comes_first(made: Scene) -> None:
    _, session = fresh()
    for record in (made.entry("move", ()), made.honest.transcript.seating.record):
        (event,) = session.receive(made.cheat.key, pack(record))
        assert isinstance(event, events.Rejected)
        assert isinstance(event.refusal, BadCharter)
        assert (event.refusal.why, event.refusal.kind) == ("it comes before the opening", record.kind)
    assert session.evidence == [("charter", (made.entry("move", ()),)), ("charter", (record,))]
    session.wake()
    assert session.awake


def test_new_neighbour_is_told_all_that_there_is_before_the_start() -> None:
    made = lobby()
    session = made.honest.session
    table = made.honest.transcript.table
    happened = session.connected(made.cheat.key)
    assert records(happened, made.cheat.key) == ["open", "sit", "sit"]
    rest = [Send(pack(sync.head(made.honest.transcript)), made.cheat.key)]
    rest += [Send(pack(Links("links", table, session.neighbours.rings)))]
    assert happened[-2:] == rest


def test_new_neighbour_is_told_where_we_stand_in_the_game(made: Scene, session: Session) -> None:
    happened = session.connected(made.cheat.key)
    assert records(happened, made.cheat.key) == ["open"]
    assert len(happened) == 3
    assert session.sync() == [Send(pack(sync.head(made.honest.transcript)))]


# -- what is no message --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "why", "kind"),
    [
        (b"\xc1", "", None),
        (pack(()), "a message without a kind", None),
        (pack((7, 8)), "a message without a kind", None),
        (pack("head"), "a message without a kind", None),
        (pack(("head", 1)), "", "head"),
        (pack(("links", 1)), "", "links"),
        (pack(("proof", 1)), "", "proof"),
        (pack(("entry", 1)), "", "record"),
        (pack(("dance", b"\x90", bytes(64))), "a message of the unknown kind dance", None),
    ],
    ids=range(9),
)
def test_what_is_no_message_is_malformed(
    session: Session, message: bytes, why: str, kind: str | None
) -> None:
    (event,) = session.receive(signer(2).key, message)
    assert isinstance(event, events.Rejected)
    assert isinstance(event.refusal, Malformed)
    assert why in event.refusal.why
    assert event.refusal.kind == kind
    assert session.evidence == []


# -- entries that come early ---------------------------------------------------------------------------------


def test_entries_wait_in_the_order_of_their_steps(made: Scene, session: Session) -> None:
    now = made.honest.transcript.step.number
    early = {step: made.entry("move", ((0,), b""), step=now + step) for step in (3, 1, 2)}
    for record in early.values():
        assert session.receive(made.cheat.key, pack(record)) == []
    assert session.held() == [early[1], early[2], early[3]]
    assert session.receive(made.others[1].key, pack(early[2])) == [], "it is held already"


def test_entries_of_each_author_are_bounded(made: Scene, session: Session) -> None:
    """One peer's cannot drive out another's; what has no room is sent again when it is asked for."""
    transcript = made.honest.transcript
    for step in range(EARLY + 3):
        session.receive(made.cheat.key, pack(made.entry("move", ((0,), b""), step=1000 + step)))
    other = next(peer for peer in made.others if peer is not made.honest)
    seat = transcript.seating.author(other.key)
    entry = Entry(transcript.seating.id, 1000, transcript.head, transcript.digest(), seat, "move", ())
    record = sign(signer(made.mesh.peers.index(other)), entry)
    session.receive(other.key, pack(record))
    held = session.held()
    assert [decode(Entry, one.data).author for one in held].count(made.seat) == EARLY
    assert record in held


def test_two_entries_for_a_slot_to_come_are_a_fork(made: Scene, session: Session) -> None:
    step = made.honest.transcript.step.number + 2
    first, second = (made.entry("move", ((bid,), b""), step=step) for bid in (0, 1))
    session.receive(made.cheat.key, pack(first))
    happened = session.receive(made.cheat.key, pack(second))
    assert isinstance(happened[0], events.Rejected)
    fork = happened[0].refusal
    assert isinstance(fork, Fork)
    assert (fork.first, fork.second, fork.step) == (first, second, step)
    assert (fork.author, fork.key) == (made.seat, made.cheat.key)
    assert f"seat {made.seat} signed two different entries for step {step}" in fork.why
    assert session.held() == [first]


def test_right_share_of_a_cheat_is_taken_once_it_is_to_be_left_out() -> None:
    """Others may have had it alone, and have drawn with it: nobody goes behind that (session 3.5)."""
    made = holding("share")
    session, transcript = made.honest.session, made.honest.transcript
    number = transcript.step.number
    right = record_in(made.held[0][1])
    assert right is not None
    assert isinstance(made.receive(made.entry("share", (b"x" * 32,))), Fault)
    assert isinstance(made.receive(right), Fork)
    stay = [peer.key for peer in made.others]
    assert session.redeem([*stay, made.cheat.key]) == []
    assert transcript.step.number == number
    happened = session.redeem(stay)
    assert kinds(happened)[:2] == ["Write", "Stepped"]
    assert isinstance(happened[0], events.Write)
    assert right in happened[0].records
    assert transcript.step.number == number + 1
    assert session.redeem(stay) == []


# -- the transcript again ------------------------------------------------------------------------------------


def test_past_is_built_again_as_it_was(made: Scene, session: Session) -> None:
    transcript = made.honest.transcript
    assert transcript.step.number > 2
    for step in range(transcript.step.number):
        for head in (transcript.heads[step], None):
            base = session.rebuilt(1, step, head)
            assert base is not None
            assert (base.step.number, base.head, base.step.entries) == (step, transcript.heads[step], {})
    for head in (bytes(32), b"\xff" * 32):
        assert session.rebuilt(1, 2, head) is None, "that was never our past"
    assert session.rebuilt(1, transcript.step.number + 1, None) is None
    assert session.rebuilt(2, 0, None) is None


def test_twin_stands_where_the_transcript_does(made: Scene, session: Session) -> None:
    made.mesh.play(until=lambda: bool(made.honest.transcript.step.entries))
    transcript = made.honest.transcript
    twin = session.twin()
    assert twin is not transcript
    assert (twin.head, twin.digest(), twin.step.number) == (
        transcript.head,
        transcript.digest(),
        transcript.step.number,
    )
    assert twin.step.entries.keys() == transcript.step.entries.keys()


def test_going_back_to_where_we_stand_is_nothing(made: Scene, session: Session) -> None:
    assert session.rewind(made.honest.transcript) == []


def test_going_back_writes_the_log_anew(made: Scene, session: Session) -> None:
    base = session.rebuilt(1, 2, None)
    assert base is not None
    rewritten, rewound = session.rewind(base)
    assert rewound == events.Rewound(2)
    assert isinstance(rewritten, events.Rewrite)
    assert session.transcript is base
    assert rewritten.records == (base.opening.record, *session.history.records())
    steps = {decode(Entry, record.data).step for record in rewritten.records[2:]}
    assert steps == {0, 1}


# -- our own moves -------------------------------------------------------------------------------------------


def test_what_is_not_ours_to_do_is_said(made: Scene, session: Session) -> None:
    cheat, seat = made.cheat.session, made.seat
    with pytest.raises(LocalProtocolError, match=f"seat {seat} is not ours"):
        session.turn(seat)
    other = (seat + 1) % 3
    for act in (cheat.turn, cheat.resign):
        with pytest.raises(LocalProtocolError, match=f"seat {other} is not asked for a move now"):
            act(other)
    with pytest.raises(LocalProtocolError, match="the move cannot be made: "):
        cheat.move(seat, ("nonsense",))
    with pytest.raises(LocalProtocolError, match="sits already, or the table has begun"):
        cheat.sit(("Again",))
    _, unknown = fresh()
    with pytest.raises(LocalProtocolError, match="seat 0 is not asked for a move now"):
        unknown.turn(0)
    with pytest.raises(LocalProtocolError, match="the table is not known yet"):
        unknown.begun()


def test_who_has_signed_a_charter_to_come_does_not_move_under_this_one(made: Scene) -> None:
    cheat = made.cheat.session
    other = made.others[1]
    assert not cheat.frozen
    cheat.go_on({other.key: CHEATED})
    assert cheat.frozen
    for act in (cheat.turn, cheat.resign):
        with pytest.raises(LocalProtocolError, match="the table waits: who plays is being settled"):
            act(made.seat)


def test_who_sleeps_signs_nothing(made: Scene) -> None:
    cheat = made.cheat.session
    cheat.awake = False
    with pytest.raises(LocalProtocolError, match="the table waits"):
        cheat.resign(made.seat)
    cheat.awake = True
    turn = cheat.turn(made.seat)
    assert turn.ask is not None
    assert kinds(cheat.resign(made.seat))[:2] == ["Keep", "Send"]


def test_end_is_told_to_all_by_where_one_stands() -> None:
    """Who waits at the end sees by it that the others have everything (session 6.9)."""
    made = holding("result")
    last = record_in(made.held[0][1])
    assert last is not None
    happened = made.honest.session.receive(made.cheat.key, pack(last))
    assert made.honest.transcript.step.kind == "over"
    assert Send(pack(sync.head(made.honest.transcript))) in happened


def test_step_that_is_not_the_last_is_told_to_nobody(made: Scene) -> None:
    (sent,) = [e for e in made.cheat.session.resign(made.seat) if isinstance(e, Send) and records([e], None)]
    happened = made.honest.session.receive(made.cheat.key, sent.message)
    assert "Stepped" in kinds(happened)
    assert Send(pack(sync.head(made.honest.transcript))) not in happened


def test_who_is_left_out_says_where_it_stands(made: Scene) -> None:
    """So that who may bring it back sees that it stands where they do."""
    for peer in made.others:
        made.mesh.do(peer, peer.session.go_on({made.cheat.key: CHEATED}))
    made.cheat.asked.clear()
    made.mesh.settle()
    transcript = made.cheat.transcript
    assert len(transcript.charters) == 2
    assert made.cheat.key not in transcript.seating.sits
    heads = [event.message for event in made.cheat.told if isinstance(event, Send) and event.to is None]
    assert pack(sync.head(transcript)) in heads


def test_each_seat_of_ours_is_asked_once_whatever_comes_in_between() -> None:
    mesh = Mesh(Market(), [("Ann", "bot"), ("Bo",)]).start()
    ann, bo = mesh.peers
    assert len(ann.asked) == 2
    mesh.do(bo, bo.session.move(bo.asked[0].seat, mesh.answers(bo, bo.asked.pop().seat)))
    mesh.settle()
    assert ann.transcript.step.kind == "seal"
    assert len(ann.asked) == 2


def test_who_sleeps_owes_its_share_until_it_wakes() -> None:
    """A peer that forgot what it signed must first hear the others: it might sign a slot a second time."""
    made = asked(leads=True)
    session = made.honest.session
    session.awake = False
    for event in made.cheat.session.move(made.seat, answers(made, leads=True)):
        if isinstance(event, Send):
            happened = session.receive(made.cheat.key, event.message)
            assert "Keep" not in kinds(happened)
            assert records(happened, None) == []
    assert made.honest.transcript.step.kind == "share"
    woken = session.wake()
    assert kinds(woken)[:2] == ["Keep", "Send"]
    assert records(woken, None) == ["entry"]
    assert session.awake


@pytest.mark.parametrize("kind", ["move", "resign"])
def test_what_was_signed_before_counts_whatever_the_player_wants_now(kind: str) -> None:
    """A peer that had signed its move, and was gone before it sent it, may be asked again: it stands."""
    made = asked(leads=False)
    cheat, transcript = made.cheat.session, made.cheat.transcript
    first, second = [tuple(turn.answers) for turn in moves(made.turn()) if not turn.leads_to_draw()][:2]
    now = (transcript.seating.id, transcript.step.number, transcript.head, transcript.digest())
    record, _ = cheat.own.sign_entry(Entry(*now, made.seat, "move", (first, b"")), ())
    happened = cheat.move(made.seat, second) if kind == "move" else cheat.resign(made.seat)
    assert happened[0] == Send(pack(record)), "nothing new is kept"
    made.honest.session.receive(made.cheat.key, pack(record))
    assert transcript.head == made.honest.transcript.head
    assert transcript.digest() == made.honest.transcript.digest()
    assert transcript.game.digest() == made.honest.transcript.game.digest()


@pytest.mark.parametrize("later", [0, 1, -1])
def test_turn_of_another_step_is_played_again(
    made: Scene, monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    cheat = made.cheat.session
    turn = cheat.turn(made.seat)
    while turn.ask is not None:
        turn.answer(turn.ask.options[0])
    cheat._turn = (1, made.cheat.transcript.step.number + later, turn)
    again: list[Any] = []
    real = bodies.played
    monkeypatch.setattr(bodies, "played", lambda *one, **more: again.append(one) or real(*one, **more))
    assert kinds(cheat.play(turn))[:2] == ["Keep", "Send"]
    assert len(again) == (later != 0)


def test_move_is_kept_then_sent_then_written(made: Scene) -> None:
    cheat = made.cheat.session
    answers = made.mesh.answers(made.cheat, made.seat)
    happened = cheat.move(made.seat, answers)
    assert kinds(happened)[:4] == ["Keep", "Send", "Write", "Stepped"]
    assert isinstance(happened[1], Send)
    record = record_in(happened[1].message)
    assert isinstance(happened[2], events.Write)
    assert happened[2].records == (record,)
    assert isinstance(record, Record)
    assert decode(Entry, record.data).body[0] == answers
    assert happened[1].to is None
