"""Entries at the wrong place or from the wrong hand: refused with their own reason, and the game goes on; and
two entries in one slot, which anybody can prove."""

from __future__ import annotations

import pytest

from oaknet.registry import rules
from oaknet_protocol import events, evidence
from oaknet_protocol.refused import (
    BadSignature,
    Elsewhere,
    Fork,
    Malformed,
    NotDue,
    Refused,
)
from oaknet_protocol.session import EARLY
from oaknet_protocol.wire import Entry, Record, decode, pack
from tests.protocol.mesh import signer
from tests.protocol.scenes import Scene, answers, asked, entry_in, holding, moves, scene, sign


def refused(made: Scene, record: Record, kind: type[Refused], why: str, *, checked: bool = True) -> Refused:
    """Refused by all others for this reason, and kept if its signature could be checked."""
    for peer in made.others:
        refusal = made.receive(record, peer)
        assert type(refusal) is kind, refusal
        assert why in refusal.why
        assert made.kept(record, peer) is (checked and kind not in (BadSignature, Malformed))
    return refusal


def another_seat(made: Scene) -> int:
    """The charter seat of an honest peer."""
    return next(seat for seat in range(3) if seat != made.seat)


def test_forged_signature() -> None:
    made = asked()
    right = made.entry("move", (answers(made), b""))
    forged = Record("entry", right.data, right.signature[:-1] + b"\0")  # type: ignore[operator]
    refused(made, forged, BadSignature, f"not signed by the peer of seat {made.seat}")
    made.goes_on()


def test_signature_of_another_kind() -> None:
    """A signature over the same bytes as a chat line or a charter is none over an entry."""
    made = asked()
    data = made.entry("move", (answers(made), b"")).data
    refused(made, Record("entry", data, made.signer.sign("chat", data)), BadSignature, "not signed")
    made.goes_on()


def test_entry_for_another_peers_seat() -> None:
    made = asked()
    record = made.entry("move", (answers(made), b""), author=another_seat(made))
    refused(made, record, BadSignature, "not signed by the peer of seat")
    made.goes_on()


def test_entry_for_a_seat_that_does_not_exist() -> None:
    made = asked()
    refused(made, made.entry("move", ((0,), b""), author=200), NotDue, "nobody plays seat 200", checked=False)
    made.goes_on()


def test_move_out_of_turn() -> None:
    """While another peer is asked alone."""
    made = scene(rules("five_towers"))
    made.mesh.start()
    step = made.mesh.peers[0].transcript.step
    made.mesh.play(until=lambda: step is not made.honest.transcript.step and not made.cheat.asked)
    assert made.seat not in made.honest.transcript.due()
    refused(made, made.entry("move", ((0,), b"")), NotDue, f"seat {made.seat} was not due")
    made.goes_on()


def test_entry_of_a_step_that_is_over() -> None:
    made = holding("share", rules("five_towers"), after=12)
    own = [entry for message in made.sent() if (entry := entry_in(message)) is not None]
    free = next(step for step in range(1, 12) if step not in [entry.step for entry in own])
    record = made.entry("move", ((0,), b""), step=free)
    refused(made, record, NotDue, f"seat {made.seat} was not due in step {free}")
    made.goes_on()


def test_replayed_entry_is_ignored() -> None:
    """All that the cheat ever sent, sent again: nothing is applied twice and nobody is told."""
    made = holding("result")
    held = [message for _, message in made.held]
    sent = [message for message in made.sent() if b"\xa4head" not in message and message not in held]
    assert len(sent) > 10
    assert [made.honest.session.receive(made.cheat.key, message) for message in sent] == [[]] * len(sent)
    made.goes_on()


def test_entry_of_another_charter_or_table() -> None:
    made = asked()
    refused(
        made, made.entry("move", ((0,), b""), charter=bytes(32)), Elsewhere, "another charter", checked=False
    )
    other = asked(salt="another table")
    foreign = other.entry("move", (answers(other), b""))
    refused(made, foreign, Elsewhere, "another charter", checked=False)
    made.goes_on()


def test_entry_after_the_end() -> None:
    made = scene()
    made.mesh.start().play()
    assert made.honest.transcript.over
    refused(made, made.entry("move", ((0,), b"")), NotDue, "after the end")
    later = made.entry("move", ((0,), b""), step=made.honest.transcript.step.number + 3)
    refused(made, later, NotDue, "after the end")
    made.goes_on()


def test_bytes_that_are_no_entry() -> None:
    made = asked()
    for data in (b"\0", b"\xc0", b"\x90", pack([1, 2]), made.honest.transcript.opening.record.data):
        record = Record("entry", data, made.signer.sign("entry", data))
        refused(made, record, Malformed, "")
    made.goes_on()


def test_unknown_kind_of_message() -> None:
    made = asked()
    refused(made, Record("vote", b"\0", made.signer.sign("vote", b"\0")), Malformed, "unknown kind vote")
    made.goes_on()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_entries_in_one_slot_are_a_proved_fork(order: tuple[int, int]) -> None:
    made = asked(leads=False)
    options = [turn.answers[:] for turn in moves(made.turn()) if not turn.leads_to_draw()][:2]
    both = [made.entry("move", (tuple(option), b"")) for option in options]
    first, second = (both[index] for index in order)
    assert made.receive(first) is None
    refusal = made.receive(second)
    assert type(refusal) is Fork
    assert f"seat {made.seat} signed two different entries" in refusal.why
    assert made.honest.session.evidence[-1] == ("fork", (first, second))
    seating = made.honest.transcript.seating
    assert evidence.forker(seating, first, second) == made.cheat.key
    assert evidence.forker(seating, second, first) == made.cheat.key


def test_no_fork_is_proved_by_less() -> None:
    """What accuses nobody: one entry twice, other slots, another's signature, another table's charter."""
    made = asked()
    seating = made.honest.transcript.seating
    first = made.entry("move", ((0,), b""))
    second = made.entry("move", ((1,), b""))
    forged = Record("entry", second.data, bytes(64))
    by_another = sign(signer(0), decode(Entry, second.data))
    wrong = [first, made.entry("move", ((1,), b""), step=9), forged, by_another]
    wrong += [made.entry("move", ((1,), b""), author=another_seat(made)), Record("entry", b"\0", bytes(64))]
    wrong += [made.entry("move", ((1,), b""), charter=bytes(32), author=100)]
    assert [evidence.forker(seating, first, record) for record in wrong] == [None] * len(wrong)
    other = asked(salt="another").honest.transcript.seating
    assert evidence.forker(other, first, second) is None
    assert evidence.forker(seating, first, second) == made.cheat.key


def test_fork_of_entries_that_came_early() -> None:
    """Two entries for a step that has not begun: neither can be judged, together they prove enough."""
    made = asked()
    step = made.honest.transcript.step.number + 1
    first, second = (made.entry("move", ((bid,), b""), step=step) for bid in (0, 1))
    assert made.receive(first) is None
    assert type(made.receive(second)) is Fork
    assert evidence.forker(made.honest.transcript.seating, first, second) == made.cheat.key


def test_fork_is_found_when_two_victims_meet() -> None:
    """The cheat moves differently towards each: they part at once, and comparing all they hold proves why."""
    made = asked(rules("five_towers"))
    options = [turn.answers[:] for turn in moves(made.turn()) if not turn.leads_to_draw()][:2]
    both = [made.entry("move", (tuple(option), b"")) for option in options]
    made.mesh.filter = lambda source, to, message: [] if source == made.cheat.key else [message]
    for peer, record in zip(made.others, both, strict=True):
        assert made.receive(record, peer) is None
    one, other = made.others
    assert one.transcript.head != other.transcript.head
    made.cheat.asked.clear()
    made.mesh.play()
    found = [set(map(_reason, made.mesh.refusals(peer))) for peer in made.others]
    assert any("fork" in reasons for reasons in found), found
    pairs = [set(records) for peer in made.others for why, records in peer.session.evidence if why == "fork"]
    assert set(both) in pairs


def _reason(event: events.Rejected) -> str:
    return event.refusal.reason


def test_early_entry_waits_and_is_judged_then() -> None:
    """What comes too soon is kept until its step comes, and refused then if it was never due."""
    made = asked(rules("five_towers"))
    transcript = made.honest.transcript
    bad = made.entry("share", (bytes(32),), step=transcript.step.number + 1)
    assert made.receive(bad) is None
    made.mesh.play(until=lambda: len(made.mesh.refusals(made.honest)) > 0)
    refusal = made.mesh.refusals(made.honest)[0].refusal
    assert refusal.step == decode(Entry, bad.data).step
    assert made.kept(bad)


def test_early_entries_are_bounded() -> None:
    made = asked()
    for step in range(1000, 1000 + 3 * EARLY):
        assert made.receive(made.entry("move", ((0,), b""), step=step)) is None
    assert len(made.honest.session._early) == EARLY
    made.goes_on()
