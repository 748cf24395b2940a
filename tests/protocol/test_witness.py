"""What one session holds against others: what is kept, who is convicted, who is told (transcript 6)."""

from __future__ import annotations

from typing import Any

import pytest

from oaknet_protocol import events
from oaknet_protocol.refused import BadSignature, Desync, Fault, Fork, Malformed, NotDue, Refused
from oaknet_protocol.table import CHEATED
from oaknet_protocol.wire import Proof, Record, pack
from oaknet_protocol.witness import EVIDENCE, FORKS, Witness
from tests.protocol.scenes import Scene, asked

NOISE = ("elsewhere", ())


@pytest.fixture
def made() -> Scene:
    return asked()


def witness(made: Scene) -> Witness:
    return made.honest.session.witness


def move(made: Scene, bid: int = 0, **other: Any) -> Record:
    return made.entry("move", ((bid,), b""), **other)


def fork(made: Scene, step: int = 0) -> Fork:
    """Two moves of the cheat for a step, counted from the one now."""
    step += made.honest.transcript.step.number
    first, second = move(made, 0, step=step), move(made, 1, step=step)
    return Fork("two", first, second, step=step, author=made.seat, key=made.cheat.key)


def kinds(happened: list[events.Event]) -> list[str]:
    return [type(event).__name__ for event in happened]


# -- what is kept --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", [Malformed("no message"), BadSignature("not signed")])
def test_what_nobody_signed_is_told_and_not_kept(made: Scene, refusal: Refused) -> None:
    record = move(made)
    assert witness(made).refuse(made.cheat.key, refusal, record) == [
        events.Rejected(made.cheat.key, refusal, record)
    ]
    late = NotDue("late")
    assert witness(made).refuse(made.cheat.key, late, None) == [events.Rejected(made.cheat.key, late, None)]
    assert witness(made).evidence == []


def test_noise_is_kept_up_to_a_bound(made: Scene) -> None:
    record = move(made)
    for _ in range(EVIDENCE + 5):
        assert kinds(witness(made).refuse(made.cheat.key, NotDue("late", author=made.seat), record)) == [
            "Rejected"
        ]
    assert witness(made).evidence == [("not due", (record,))] * EVIDENCE
    assert witness(made).cheats == {}


@pytest.mark.parametrize("kind", [Fault, Desync])
def test_first_proof_against_each_seat_is_kept_beyond_it(made: Scene, kind: type[Refused]) -> None:
    record = move(made)
    witness(made).evidence[:] = [NOISE] * EVIDENCE
    for seat in (made.seat, made.seat, 1 - min(made.seat, 1)):
        witness(made).refuse(made.cheat.key, kind("wrong", author=seat), record)
    assert witness(made).evidence[EVIDENCE:] == [(kind.reason, (record,))] * 2, "one of each seat"


def test_proofs_are_all_kept_while_there_is_room(made: Scene) -> None:
    record = move(made)
    for _ in range(2):
        witness(made).refuse(made.cheat.key, Fault("wrong", author=made.seat), record)
    assert witness(made).evidence == [("fault", (record,))] * 2


# -- who is convicted ----------------------------------------------------------------------------------------


def test_desync_convicts_nobody(made: Scene) -> None:
    assert kinds(witness(made).refuse(made.cheat.key, Desync("other", author=made.seat), move(made))) == [
        "Rejected"
    ]
    assert witness(made).cheats == {}


@pytest.mark.parametrize("named", [True, False])
def test_fault_convicts_the_peer_of_the_seat(made: Scene, named: bool) -> None:
    """Whoever delivered it: the refusal names the key, or the seat whose peer it is."""
    fault = Fault("wrong", author=made.seat)
    if named:
        fault.key = made.cheat.key
    record = move(made)
    happened = witness(made).refuse(made.others[1].key, fault, record)
    assert happened[:2] == [
        events.Rejected(made.others[1].key, fault, record),
        events.Cheated(made.cheat.key, fault, (record,)),
    ]
    assert witness(made).cheats == {made.cheat.key: fault}
    assert not any(isinstance(event, events.Send) for event in happened), "a fault is shown, no proof is sent"


def test_fault_of_seat_0_convicts_its_peer(made: Scene) -> None:
    witness(made).refuse(made.cheat.key, Fault("wrong", author=0), move(made))
    assert [*witness(made).cheats] == [made.honest.transcript.peer(0)]


def test_fork_takes_the_place_of_a_fault_and_nothing_that_of_a_fork(made: Scene) -> None:
    record, first, second = move(made), fork(made), fork(made, 1)
    fault = Fault("wrong", author=made.seat)
    assert "Cheated" in kinds(witness(made).refuse(made.cheat.key, fault, record))
    assert "Cheated" not in kinds(witness(made).refuse(made.cheat.key, fault, record))
    told = witness(made).refuse(made.cheat.key, first, record)
    assert events.Cheated(made.cheat.key, first, (first.first, first.second)) in told
    assert witness(made).cheats == {made.cheat.key: first}
    for later in (fault, second):
        assert kinds(witness(made).refuse(made.cheat.key, later, record)) == ["Rejected"]
    assert witness(made).cheats == {made.cheat.key: first}


def test_fork_is_proved_to_all_once(made: Scene) -> None:
    caught = fork(made)
    seating = made.honest.transcript.seating
    happened = witness(made).refuse(made.cheat.key, caught, caught.second)
    proof = Proof("proof", seating.record, caught.first, caught.second)
    assert events.Send(pack(proof)) in happened


# -- forks to begin again from -------------------------------------------------------------------------------


def test_first_fork_of_each_step_is_remembered(made: Scene) -> None:
    first, again, next_step = fork(made), fork(made), fork(made, 1)
    for one in (first, again, next_step):
        witness(made).refuse(made.cheat.key, one, one.second)
    step = made.honest.transcript.step.number
    assert witness(made).forks == {(made.cheat.key, step): first, (made.cheat.key, step + 1): next_step}
    assert witness(made).forks[made.cheat.key, step] is first
    assert witness(made).forked([made.honest.key]) == [
        *(first.first, first.second),
        *(next_step.first, next_step.second),
    ]
    assert witness(made).forked([made.cheat.key]) == []


def test_forks_are_bounded(made: Scene) -> None:
    one = fork(made)
    witness(made).forks.update({(b"", step): one for step in range(FORKS - 1)})
    for step in (1, 2):
        other = fork(made, step)
        witness(made).refuse(made.cheat.key, other, other.second)
    assert len(witness(made).forks) == FORKS


def test_fork_under_another_charter_is_no_place_to_begin_again(made: Scene) -> None:
    first, second = move(made, 0, charter=bytes(32)), move(made, 1, charter=bytes(32))
    witness(made).refuse(made.cheat.key, Fork("two", first, second, key=made.cheat.key), second)
    assert witness(made).forks == {}


def test_fork_of_charters_is_neither_remembered_nor_proved_so(made: Scene) -> None:
    seating = made.honest.transcript.seating
    both = Fork("two", seating.record, seating.record, key=made.cheat.key)
    happened = witness(made).refuse(made.cheat.key, both, seating.record)
    assert witness(made).forks == {}
    assert not any(isinstance(event, events.Send) for event in happened)
    assert witness(made).cheats == {made.cheat.key: both}


# -- proofs of others ----------------------------------------------------------------------------------------


def proof(made: Scene, step: int = 0, **other: Any) -> Proof:
    caught = fork(made, step)
    values = {
        "charter": made.honest.transcript.seating.record,
        "first": caught.first,
        "second": caught.second,
    }
    return Proof("proof", **{**values, **other})


def test_proof_of_a_fork_is_believed_and_passed_on_once(made: Scene) -> None:
    told = proof(made)
    happened = made.honest.session.receive(made.others[1].key, pack(told))
    assert kinds(happened)[:2] == ["Rejected", "Cheated"]
    assert events.Send(pack(told)) in happened
    caught = witness(made).cheats[made.cheat.key]
    assert isinstance(caught, Fork)
    assert (caught.first, caught.second, caught.key) == (told.first, told.second, made.cheat.key)
    assert (caught.step, caught.author) == (made.honest.transcript.step.number, made.seat)
    assert made.honest.session.receive(made.others[1].key, pack(told)) == []


def test_fork_at_another_step_is_noted_too(made: Scene) -> None:
    """Each step of this charter may be where those who go on begin again."""
    step = made.honest.transcript.step.number
    for later in (0, 1):
        made.honest.session.receive(made.others[1].key, pack(proof(made, later)))
    assert [*witness(made).forks] == [(made.cheat.key, step), (made.cheat.key, step + 1)]


@pytest.mark.parametrize("wrong", ["charter", "the same twice"])
def test_proof_that_proves_nothing_is_passed_over(made: Scene, wrong: str) -> None:
    told = proof(made)
    record = made.honest.transcript.seating.record
    if wrong == "charter":
        told = proof(made, charter=Record("charter", record.data + b"x", record.signatures))
    else:
        told = proof(made, second=told.first)
    assert witness(made).take_proof(made.others[1].key, told) == []
    assert (witness(made).cheats, witness(made).forks, witness(made).evidence) == ({}, {}, [])


def test_proof_under_a_charter_before_convicts_once(made: Scene) -> None:
    """What was signed twice under it: its author is convicted, but nobody begins again there."""
    transcript, honest = made.honest.transcript, made.honest.session
    earlier, later = proof(made), proof(made, 1)
    made.mesh.filter = lambda source, to, message: [] if source == made.cheat.key else [message]
    for peer in made.others:
        made.mesh.do(peer, peer.session.go_on({made.cheat.key: CHEATED}))
    made.mesh.settle()
    assert len(transcript.charters) == 2
    assert kinds(honest.receive(made.others[1].key, pack(earlier)))[:2] == ["Rejected", "Cheated"]
    assert witness(made).forks == {}
    assert honest.receive(made.others[1].key, pack(later)) == []
