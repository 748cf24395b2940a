"""Slots: who may fill one, what shuts it, and the share that is taken all the same (transcript 5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from oaknet_protocol.beacon import LENGTH
from oaknet_protocol.bodies import result_body
from oaknet_protocol.refused import (
    BadCharter,
    BadSignature,
    Desync,
    Early,
    Elsewhere,
    Fault,
    Fork,
    Known,
    NotDue,
    Refused,
)
from oaknet_protocol.wire import Entry, Record, decode, pack
from tests.protocol.test_charters import Table


@pytest.fixture
def table() -> Table:
    return Table()


def wrong_share(table: Table, seat: int) -> Record:
    """A share that is not the one, after which the seat's slot is shut."""
    record = table.entry(seat, "share", (b"x" * 32,))
    with pytest.raises(Fault):
        table.transcript.take(record)
    return record


def right_share(table: Table, seat: int, **other: Any) -> Record:
    return table.entry(seat, "share", (table.chains[seat].share(table.transcript.draw),), **other)


def entry(record: Record) -> Entry:
    return decode(Entry, record.data)


# -- a slot --------------------------------------------------------------------------------------------------


def refusal(table: Table, record: Record) -> Refused:
    transcript = table.transcript
    before = transcript.head, transcript.step.number, dict(transcript.step.entries), dict(transcript.slots)
    with pytest.raises(Refused) as caught:
        transcript.take(record)
    after = transcript.head, transcript.step.number, dict(transcript.step.entries)
    assert after == before[:3]
    return caught.value


def test_same_entry_again_is_known_whatever_became_of_it(table: Table) -> None:
    wrong = wrong_share(table, 3)
    right = right_share(table, 0)
    table.transcript.take(right)
    for seat, record in ((3, wrong), (0, right)):
        again = refusal(table, record)
        assert type(again) is Known
        assert (again.step, again.kind, again.author) == (0, "share", seat)


def test_same_data_under_another_signature_is_known(table: Table) -> None:
    right = right_share(table, 0)
    table.transcript.take(right)
    assert type(refusal(table, Record("entry", right.data, (bytes(64),)))) is Known


def test_other_entry_for_a_slot_is_a_fork_once_its_signature_is_checked(table: Table) -> None:
    wrong, right = wrong_share(table, 3), right_share(table, 3)
    forged = refusal(table, Record("entry", right.data, (bytes(64),)))
    assert type(forged) is BadSignature
    assert (forged.step, forged.kind, forged.author) == (0, "share", 3)
    fork = refusal(table, right)
    assert isinstance(fork, Fork)
    assert (fork.first, fork.second, fork.key) == (wrong, right, table.signers[3].key)
    assert (fork.step, fork.author, fork.kind) == (0, 3, "entry")


def test_record_of_another_kind_is_no_entry(table: Table) -> None:
    right = right_share(table, 0)
    one = table.signers[0]
    other = Record("sit", right.data, (one.sign("sit", right.data),))
    assert type(refusal(table, other)) is BadSignature
    assert table.transcript.slots == {}


@pytest.mark.parametrize("seat", [4, 5, 255])
def test_seat_that_there_is_not(table: Table, seat: int) -> None:
    data = pack(msgspec.structs.replace(entry(right_share(table, 0)), author=seat))
    record = Record("entry", data, (table.signers[0].sign("entry", data),))
    assert f"nobody plays seat {seat}" in refusal(table, record).why


@pytest.mark.parametrize(
    ("other", "kind", "shut"),
    [
        ({"step": 1}, Early, False),
        ({"prev": bytes(32)}, Elsewhere, True),
        ({"state": bytes(32)}, Desync, True),
        ({"charter": bytes(32)}, Elsewhere, False),
    ],
)
def test_entry_that_does_not_belong_here(
    table: Table, other: dict[str, Any], kind: type[Refused], shut: bool
) -> None:
    found = refusal(table, right_share(table, 1, **other))
    assert type(found) is kind
    assert (found.step, found.kind, found.author) == (other.get("step", 0), "share", 1)
    assert bool(table.transcript.slots) == shut, "what is signed for this step shuts its slot"


def test_entry_of_a_seat_that_has_given_its_own(table: Table) -> None:
    table.until("move")
    (mover,) = table.transcript.due()
    found = refusal(table, table.entry((mover + 1) % 4, "move", ((0,), b"")))
    assert type(found) is NotDue
    assert "was not due in step" in found.why
    old = refusal(table, table.entry(mover, "share", (bytes(32),), step=0))
    assert type(old) is Fork, "its slot of that step is filled"


def test_nothing_is_due_after_the_end(table: Table) -> None:
    table.until("over")
    number = table.transcript.step.number
    for step in (number, number + 1):
        found = refusal(table, table.entry(0, "result", result_body(table.transcript), step=step))
        assert type(found) is NotDue
        assert "after the end" in found.why
    assert (table.transcript.due(), table.transcript.confirmed) == ((), (0, 1, 2, 3))


# -- the right share for a slot that is shut -----------------------------------------------------------------


def test_right_share_is_taken_for_a_slot_that_a_wrong_one_shut(table: Table) -> None:
    wrong_share(table, 3)
    right = right_share(table, 3)
    assert table.transcript.redeems(right, entry(right))
    assert table.transcript.redeem(right, entry(right)) == []
    assert table.transcript.step.entries[3].record == right
    assert table.transcript.slots[entry(right).charter, 0, 3] == right
    assert table.transcript.due() == (0, 1, 2)
    assert not table.transcript.redeems(right, entry(right)), "it is there now"


def test_right_share_may_be_the_last_that_is_missing(table: Table) -> None:
    for seat in (0, 1, 2):
        table.one(seat)
    wrong_share(table, 3)
    right = right_share(table, 3)
    (done,) = table.transcript.redeem(right, entry(right))
    assert (done.kind, done.number, done.records[-1]) == ("share", 0, right)
    assert not table.transcript.redeems(right, entry(right)), "its step is over"


def test_slot_stays_shut_by_what_shut_it_after_another_wrong_share(table: Table) -> None:
    wrong = wrong_share(table, 3)
    other = table.entry(3, "share", (b"y" * 32,))
    assert table.transcript.redeems(other, entry(other))
    assert table.transcript.redeem(other, entry(other)) == []
    assert table.transcript.slots[entry(wrong).charter, 0, 3] == wrong
    assert table.transcript.due() == (0, 1, 2, 3)


def test_only_shares_of_this_step_for_shut_slots_redeem(table: Table) -> None:
    free = right_share(table, 3)
    assert not table.transcript.redeems(free, entry(free)), "its slot is free: it is taken as any other"
    assert table.transcript.redeem(free, entry(free)) == []
    assert table.transcript.step.entries == {}
    wrong = wrong_share(table, 3)
    no_share = table.entry(3, "resign", ())
    later = right_share(table, 3, step=1)
    for record in (wrong, no_share, later):
        assert not table.transcript.redeems(record, entry(record))
        assert table.transcript.redeem(record, entry(record)) == []
    assert table.transcript.step.entries == {}
    assert table.transcript.slots[entry(wrong).charter, 0, 3] == wrong


def test_no_share_of_a_draw_that_is_made_redeems_one(table: Table) -> None:
    table.until("seal").until("share")
    old = table.entry(3, "share", (b"x" * 32,), step=0)
    assert (entry(old).charter, 0, 3) in table.transcript.slots
    assert not table.transcript.redeems(old, entry(old))


def test_no_move_redeems_another(table: Table) -> None:
    table.until("move")
    (mover,) = table.transcript.due()
    with pytest.raises(Fault):
        table.transcript.take(table.entry(mover, "move", (("nonsense",), b"")))
    share = table.entry(mover, "share", (bytes(32),))
    assert not table.transcript.redeems(share, entry(share))


# -- later charters ------------------------------------------------------------------------------------------


def test_who_owed_a_share_is_noted_once(table: Table) -> None:
    """Until its player is let back, a peer that may have seen others' shares of a draw does not return."""
    table.until("seal").until("share")
    assert table.transcript.owed == []
    table.charter(0, 1, 2, draw=table.transcript.draw + 1)
    assert table.transcript.owed == [table.signers[3].key]
    table.until("seal")
    table.charter()
    table.until("share").charter(0, 1, draw=table.transcript.draw + 1)
    assert table.transcript.owed == [table.signers[3].key, table.signers[2].key]


def test_who_gave_its_share_owes_nothing(table: Table) -> None:
    table.until("share").one(3)
    table.charter(0, 1, 2)
    assert table.transcript.owed == []


def test_last_draw_there_is_may_be_next(table: Table) -> None:
    table.until("seal")
    with pytest.raises(BadCharter, match=f"goes on with draw {LENGTH + 1}"):
        table.charter(0, 1, 2, draw=LENGTH + 1)
    table.charter(0, 1, 2, draw=LENGTH)
    assert table.transcript.draw == LENGTH


def test_charter_says_what_it_takes_over_and_what_its_step_adds_then(table: Table) -> None:
    """Each entry is in the log once: those that a charter takes over stand before it."""
    table.until("seal")
    head, number = table.transcript.head, table.transcript.step.number
    table.one(1)
    first = table.transcript.step.entries[1].record
    (done,) = table.charter(0, 1, 2)
    assert (done.kind, done.number, done.charters, done.head) == ("charter", number, 1, head)
    assert done.records == (first, table.log[-1])
    assert table.transcript.step.given == (1,)
    table.one(0)
    second = table.transcript.step.entries[0].record
    (again,) = table.charter(0, 1, 2)
    assert again.records == (second, table.log[-1]), "the first stands there already"
    assert table.transcript.step.given == (0, 1)
    (sealed,) = table.one(2)
    assert (sealed.kind, sealed.number, sealed.charters) == ("seal", number, 3)
    assert sealed.records == (table.log[-1],)


def test_entries_that_a_charter_does_not_take_over_are_dropped(table: Table) -> None:
    table.until("seal")
    for seat in (0, 1, 2):
        table.one(seat)
    kept = table.transcript.step.entries[1].record
    table.transcript.forget((kept.id,))
    assert [filled.record for filled in table.transcript.step.entries.values()] == [kept]
    assert table.transcript.due() == (0, 2, 3)
