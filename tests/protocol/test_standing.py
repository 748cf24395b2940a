"""What can be read off a transcript: who plays, who is due, who leads, who has won (transcript 3, 7)."""

from __future__ import annotations

import pytest

from oaknet_protocol import beacon
from oaknet_protocol.beacon import LENGTH
from oaknet_protocol.transcript import Transcript
from tests.engine.toys import Market, MarketState
from tests.protocol.test_charters import RESIGNED, Table


@pytest.fixture
def table() -> Table:
    return Table()


def test_before_the_first_charter_nobody_plays(table: Table) -> None:
    fresh = Transcript.begin(table.log[0], table.rules_for)
    assert (fresh.due(), fresh.played_seats(), fresh.places) == ((), (), ())
    assert not any(fresh.played(seat) for seat in range(4))
    assert not fresh.plays(table.signers[0].key)
    assert fresh.peer(0) is None
    assert (fresh.step.kind, fresh.step.number, fresh.draw) == ("none", 0, 1)
    assert fresh.scores() == (0, 0, 0, 0)
    assert (fresh.over, fresh.winners(), fresh.confirmed) == (False, (), ())
    assert fresh.digest() == fresh.game.digest()


def test_seats_are_unknown_until_the_first_draw_has_drawn_them(table: Table) -> None:
    transcript = table.transcript
    assert (transcript.places, transcript.played_seats(), transcript.due()) == ((), (), (0, 1, 2, 3))
    assert all(transcript.played(seat) and transcript.plays(table.signers[seat].key) for seat in range(4))
    assert [transcript.peer(seat) for seat in range(4)] == [one.key for one in table.signers]
    for seat in (1, 3, 0):
        table.one(seat)
    assert transcript.due() == (2,)
    table.one(2)
    assert sorted(transcript.places) == [0, 1, 2, 3]
    assert transcript.played_seats() == (0, 1, 2, 3)


def test_who_resigned_or_is_left_out_does_not_play(table: Table) -> None:
    table.until("seal")
    table.take(3, "resign", ())
    for seat in (0, 1, 2):
        table.one(seat)
    table.charter(0, 1, 3)
    transcript, places = table.transcript, table.transcript.places
    assert [transcript.played(seat) for seat in range(4)] == [True, True, False, False]
    assert [transcript.plays(one.key) for one in table.signers] == [True, True, False, False]
    assert transcript.played_seats() == tuple(sorted(places.index(seat) for seat in (0, 1)))
    assert transcript.peer(2) is None
    assert transcript.peer(3) == table.signers[3].key
    assert transcript.resigned == [3]
    table.charter(0, 1, why=RESIGNED, seats=((0, 0), (1, 0), (255, 1), (255, RESIGNED)))
    assert transcript.peer(3) is None
    table.until("result")
    assert transcript.due() == (0, 1)


def test_points_stand_by_charter_seat(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules may score more than the seats, a solo opponent say: that stands behind them."""
    table.until("result")
    transcript = table.transcript
    by_place = transcript.game.rules.score(transcript.game.state)
    assert len(set(by_place)) > 1
    assert transcript.places != (0, 1, 2, 3)
    by_seat = tuple(by_place[transcript.places.index(seat)] for seat in range(4))
    assert transcript.scores() == by_seat
    most = max(by_place)
    assert transcript.winners() == tuple(seat for seat in range(4) if by_seat[seat] == most)

    def more(self: Market, s: MarketState) -> tuple[int, ...]:
        return (*(trader.points for trader in s.traders), -7, -8)

    monkeypatch.setattr(Market, "score", more)
    assert transcript.scores() == (*by_seat, -7, -8)


def test_result_is_confirmed_by_whoever_signed_it(table: Table) -> None:
    transcript = table.until("result").transcript
    assert (transcript.over, transcript.confirmed, transcript.due()) == (True, (), (0, 1, 2, 3))
    final = transcript.head
    for seat in (2, 0):
        table.one(seat)
    assert (transcript.confirmed, transcript.due(), transcript.step.kind) == ((0, 2), (1, 3), "result")
    number = transcript.step.number
    for seat in (3, 1):
        table.one(seat)
    assert (transcript.confirmed, transcript.due()) == ((0, 1, 2, 3), ())
    assert (transcript.step.kind, transcript.step.number) == ("over", number + 1)
    assert transcript.final == final == transcript.heads[number]
    assert transcript.heads[number + 1] == transcript.head != final


def test_who_is_left_by_resignations_has_won(table: Table) -> None:
    transcript = table.until("seal").transcript
    for seat in (0, 1, 3):
        table.take(seat, "resign", ())
    assert (transcript.over, transcript.winners()) == (False, ())
    table.one(2)
    table.one(2)
    assert (transcript.step.kind, transcript.winners(), transcript.due()) == ("result", (2,), (2,))
    assert transcript.resigned == [0, 1, 3]
    assert transcript.game.pending, "the game itself is not over"


def test_two_that_are_left_play_on(table: Table) -> None:
    transcript = table.until("seal").transcript
    for seat in (0, 1):
        table.take(seat, "resign", ())
    for seat in (2, 3):
        table.one(seat)
    assert (transcript.step.kind, transcript.due()) == ("open", (2, 3))
    table.end()
    assert transcript.confirmed == (2, 3)


def test_number_and_head_of_each_step(table: Table) -> None:
    """A step adds one to the number; a charter begins the step anew, under a head of its own."""
    transcript = table.transcript
    assert transcript.seating is not None
    for number in range(4):
        assert transcript.step.number == number
        assert transcript.heads[number] == transcript.head
        head = transcript.head
        due = transcript.due()
        for seat in due[:-1]:
            assert table.one(seat) == []
        (done,) = table.one(due[-1])
        assert (done.number, done.head, done.charters) == (number, head, 1)
        assert [entry.kind for entry in done.records] == ["entry"] * len(due)
    before = transcript.head
    table.charter()
    assert transcript.step.number == 4
    assert transcript.heads[4] == transcript.head != before


def test_share_is_checked_against_the_one_before_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many draws there were, it costs one hash: what was revealed is the last known link now."""
    table.until("seal").until("share")
    assert table.transcript.draw == 2
    hashed: list[int] = []
    monkeypatch.setattr(beacon, "link", lambda *link, real=beacon.link: hashed.append(link[2]) or real(*link))
    for seat in table.transcript.due():
        table.one(seat)
    assert hashed == [LENGTH - table.transcript.draw + 2] * 4
