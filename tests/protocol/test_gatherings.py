"""Charters under way and what each says, one by one (transcript 2; session 3)."""

from __future__ import annotations

import pytest

from oaknet_protocol import charters
from oaknet_protocol.beacon import LENGTH
from oaknet_protocol.charters import GATHERED, Gathering, Gatherings, following, numbered
from oaknet_protocol.consent import draw_allowed, share_free
from oaknet_protocol.own import Own
from oaknet_protocol.refused import BadCharter
from oaknet_protocol.table import ABSENT, CHEATED, NOBODY, OUT_OF_TIME, PLAYED, RESIGNED, Opening, Seating
from oaknet_protocol.wire import Charter, Record, Sit, decode
from tests.protocol.test_charters import Table


@pytest.fixture
def table() -> Table:
    return Table().until("seal")


def seating(table: Table, record: Record) -> Seating:
    return Seating.check(table.transcript.opening, record, table.transcript.seating)


def gathering(table: Table, number: int, *signed: int) -> Gathering:
    """A charter of all four with this number, signed by these charter seats."""
    record = table.proposal(number=number)
    made = Gathering(seating(table, record))
    made.add(only(record, *signed))
    return made


def only(record: Record, *signed: int) -> Record:
    signatures = (one if seat in signed else b"" for seat, one in enumerate(record.signatures))
    return Record(record.kind, record.data, tuple(signatures))


# -- signatures ----------------------------------------------------------------------------------------------


def test_signatures_are_gathered_until_all_are_there(table: Table) -> None:
    record = table.proposal()
    made = Gathering(seating(table, record))
    assert (made.whole, made.record) == (False, only(record))
    assert made.add(only(record, 1))
    assert not made.add(only(record, 1))
    assert made.add(only(record, 1, 3))
    assert (made.whole, made.record) == (False, only(record, 1, 3))
    assert made.add(record)
    assert (made.whole, made.record) == (True, record)
    assert not made.add(record)


def test_signature_that_is_there_stays(table: Table) -> None:
    record = table.proposal()
    made = Gathering(seating(table, record))
    made.add(only(record, 0))
    assert not made.add(Record("charter", record.data, (b"x" * 64, b"", b"", b"")))
    assert made.record == only(record, 0)


def test_whether_a_record_brings_something_new(table: Table) -> None:
    record = table.proposal()
    made = Gathering(seating(table, record))
    made.add(only(record, 0, 2))
    for known in (only(record), only(record, 0), only(record, 0, 2)):
        assert made.has(known)
    other = Record("charter", record.data, (b"x" * 64, b"", b"", b""))
    short = Record("charter", record.data, record.signatures[:1])
    for news in (record, only(record, 1), only(record, 0, 1), other, short):
        assert not made.has(news)


# -- many at once --------------------------------------------------------------------------------------------


def test_one_charter_has_one_gathering(table: Table) -> None:
    under_way = Gatherings()
    one = under_way.take(gathering(table, 5).seating)
    assert under_way.take(gathering(table, 5).seating) is one
    assert under_way.take(gathering(table, 4).seating) is not one


def full(table: Table, *numbers: int) -> Gatherings:
    under_way = Gatherings()
    for number in numbers:
        take(under_way, table, number, 0)
    return under_way


def take(under_way: Gatherings, table: Table, number: int, *signed: int) -> Gathering:
    """Gather a charter of this number that these charter seats have signed."""
    record = only(table.proposal(number=number), *signed)
    made = under_way.take(
        Seating.check(table.transcript.opening, record, table.transcript.seating, whole=False)
    )
    made.add(record)
    return made


def numbers(under_way: Gatherings) -> list[int]:
    return sorted(one.seating.charter.number for one in under_way.open.values())


def test_lowest_of_too_many_makes_way_for_a_higher_one(table: Table) -> None:
    under_way = full(table, *range(10, 10 + GATHERED))
    take(under_way, table, 50, 0)
    assert numbers(under_way) == [*range(11, 10 + GATHERED), 50]
    for number in (9, 10):
        with pytest.raises(BadCharter, match="too many charters at once"):
            take(under_way, table, number, 0)
    assert numbers(under_way) == [*range(11, 10 + GATHERED), 50]
    assert take(under_way, table, 11, 0) in under_way.open.values(), "it is there already"


def test_charters_of_one_signer_leave_room_for_those_of_others(table: Table) -> None:
    under_way = full(table, *range(100, 100 + GATHERED))
    for number in range(10, 10 + GATHERED):
        take(under_way, table, number, 1)
    assert len(under_way.open) == 2 * GATHERED
    with pytest.raises(BadCharter, match="too many charters at once"):
        take(under_way, table, 99, 0, 1)
    take(under_way, table, 200, 1)
    assert numbers(under_way) == [*range(11, 10 + GATHERED), *range(100, 100 + GATHERED), 200]


def test_charter_of_the_same_number_does_not_drive_out_another(table: Table) -> None:
    under_way = full(table, *range(10, 10 + GATHERED))
    other = seating(table, table.proposal(0, 1, 2, number=10))
    with pytest.raises(BadCharter, match="too many charters at once"):
        under_way.take(other)


def test_charter_that_is_whole_does_not_make_way(table: Table) -> None:
    under_way = full(table, *range(10, 10 + GATHERED))
    for one in under_way.open.values():
        if one.seating.charter.number == 10:
            one.add(table.proposal(number=10))
    take(under_way, table, 50, 0)
    take(under_way, table, 51, 0)
    assert numbers(under_way) == [10, *range(12, 10 + GATHERED), 50, 51], "what is whole counts for no signer"


def test_charters_up_to_one_that_counts_are_forgotten(table: Table) -> None:
    under_way = full(table, 5, 6, 7)
    under_way.settle(6)
    assert numbers(under_way) == [7]
    under_way.settle(7)
    assert numbers(under_way) == []


# -- what a charter says -------------------------------------------------------------------------------------


def sits(table: Table, *seats: int) -> dict[bytes, tuple[bytes, bytes]]:
    """Of these charter seats, the last first: the order of the keys is not that of arrival."""
    return {table.signers[seat].key: table.sits[seat] for seat in reversed(seats)}


def next_charter(table: Table, *seats: int, revealed: int = 0, **why: int) -> Charter:
    without = {table.signers[int(seat[1:])].key: reason for seat, reason in why.items()}
    data = following(table.transcript, sits(table, *seats), without, 7, revealed)
    return decode(Charter, data)


def test_first_charter_seats_all_in_the_order_of_their_keys(table: Table) -> None:
    opening: Opening = table.transcript.opening
    come = {decode(Sit, data).key: (decode(Sit, data), Record("sit", data, (s,))) for data, s in table.sits}
    made = decode(Charter, charters.first(opening, dict(reversed(come.items()))))
    assert made == Charter(opening.table, 1, (), 1, (), table.sits, ((0, 0), (1, 0), (2, 0), (3, 0)))
    assert decode(Charter, charters.first(opening, come, 4)).number == 4


def test_next_charter_goes_on_from_here(table: Table) -> None:
    table.one(2)
    table.one(0)
    transcript = table.transcript
    assert transcript.seating is not None
    made = next_charter(table, 0, 1, 2, s3=CHEATED)
    assert (made.number, made.table) == (7, transcript.table)
    assert made.parent == (transcript.seating.id, transcript.step.number, transcript.head)
    assert made.given == tuple(transcript.step.entries[seat].record.id for seat in (0, 2))
    assert made.sits == table.sits[:3]
    assert made.seats == ((0, PLAYED), (1, PLAYED), (2, PLAYED), (NOBODY, CHEATED))
    assert made.draw == transcript.draw


def test_why_a_seat_is_empty_stays_until_its_peer_is_back(table: Table) -> None:
    table.charter(0, 1, 2, why=OUT_OF_TIME)
    assert next_charter(table, 0, 1, s2=ABSENT).seats[2:] == ((NOBODY, ABSENT), (NOBODY, OUT_OF_TIME))
    assert next_charter(table, 0, 1, 2, 3).seats == ((0, 0), (1, 0), (2, 0), (3, 0))


def test_who_resigned_is_said_to_have(table: Table) -> None:
    table.take(3, "resign", ())
    for seat in (0, 1, 2):
        table.one(seat)
    assert next_charter(table, 0, 1, 2, s3=ABSENT).seats[3] == (NOBODY, RESIGNED)


def test_number_of_the_draw_after_a_move(table: Table) -> None:
    """Beyond every draw that somebody is known to have given a share for."""
    now = table.transcript.draw
    drawn = [next_charter(table, 0, 1, 2, 3, revealed=given).draw for given in (0, now - 1, now, now + 5)]
    assert drawn == [now, now, now + 1, now + 6]
    assert next_charter(table, 0, 1, 2, 3, revealed=LENGTH).draw == LENGTH, "there is no draw beyond"


def test_number_of_a_draw_that_had_begun(table: Table) -> None:
    table.until("share").one(0)
    now = table.transcript.draw
    assert next_charter(table, 0, 1, 2, 3, revealed=now + 5).draw == now, "nobody owes: it goes on"
    assert next_charter(table, 1, 2, 3, revealed=now + 5).draw == now, "who is left out gave its share"
    assert next_charter(table, 0, 1, 2, revealed=0).draw == now + 1
    assert next_charter(table, 0, 1, 2, revealed=now + 5).draw == now + 6


def test_share_that_came_with_a_move_was_given(table: Table) -> None:
    table.until("move")
    while not (table.transcript.step.kind == "share" and table.transcript.step.shares):
        table.one(table.transcript.due()[0])
    (key,) = table.transcript.step.shares
    rest = [seat for seat in range(4) if table.signers[seat].key != key]
    assert next_charter(table, *rest).draw == table.transcript.draw


def gave(table: Table, draw: int, seat: int = 0) -> Own:
    """What a peer of the table has signed, which gave shares up to this draw."""
    return Own(table.signers[seat], revealed=draw)


def test_peer_signs_no_draw_that_it_gave_a_share_for(table: Table) -> None:
    now = table.transcript.draw
    made = seating(table, table.proposal())
    for afresh in (True, False):
        assert draw_allowed(table.transcript, made, afresh, gave(table, now - 1))
        assert not draw_allowed(table.transcript, made, afresh, gave(table, now))
        assert not draw_allowed(table.transcript, made, afresh, gave(table, now + 3))


def test_draw_that_goes_on_keeps_its_number(table: Table) -> None:
    """Also for who has given its share there; not for who has given that share elsewhere."""
    table.until("share")
    made = seating(table, table.proposal())
    transcript, now = table.transcript, table.transcript.draw
    keys = [filled.key for filled in transcript.step.entries.values()] + list(transcript.step.shares)
    for seat, signer in enumerate(table.signers):
        there = signer.key in keys
        assert share_free(transcript, gave(table, now - 1, seat))
        assert share_free(transcript, gave(table, now, seat)) == there
        assert not share_free(transcript, gave(table, now + 1, seat))
        assert draw_allowed(transcript, made, False, gave(table, now, seat)) == there
    for further in (0, 3):
        assert not draw_allowed(transcript, made, True, gave(table, now + further))


def test_same_charter_with_another_number(table: Table) -> None:
    record = table.proposal(number=5)
    assert numbered(record.data, 5) == record.data
    assert decode(Charter, numbered(record.data, 6)).number == 6
