"""Later charters: who goes on without whom, what becomes of a draw that had begun, and what is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from oaknet.kernel import CHANCE, H
from oaknet_protocol import beacon
from oaknet_protocol.bodies import result_body, seal_of
from oaknet_protocol.refused import BadCharter, BadSignature, Elsewhere, NotDue, Refused
from oaknet_protocol.signing import Signer
from oaknet_protocol.transcript import Done, Transcript
from oaknet_protocol.turn import Turn
from oaknet_protocol.verify import rules_named
from oaknet_protocol.wire import Charter, Entry, Record, Sit, decode, pack
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, signer

NAMES = [("Ann",), ("Bo",), ("Cy",), ("Di",)]
ABSENT, OUT_OF_TIME, RESIGNED, CHEATED = 1, 2, 3, 4


@cache
def chain(table: bytes, one: Signer) -> beacon.Chain:
    """The chain of a peer, reckoned once for all tests: it never changes."""
    return beacon.Chain(table, one.key, one.secret("chain", table + bytes(32)))


SIGNERS = sorted((signer(i) for i in range(4)), key=lambda one: one.key)


class Table:
    """One transcript, and all four of its peers' keys: ``take`` puts in what a charter seat signs."""

    def __init__(self) -> None:
        mesh = Mesh(Market(), NAMES)
        self.rules_for = rules_named({"market": Market()})
        self.transcript = Transcript.begin(mesh.opening, self.rules_for)
        self.log: list[Record] = [mesh.opening]
        self.signers: list[Signer] = SIGNERS
        table = self.transcript.table
        self.chains = [chain(table, one) for one in self.signers]
        sits = []
        for seat, one in enumerate(self.signers):
            data = pack(Sit(table, one.key, (f"seat {seat}",), bytes(32), self.chains[seat].tip))
            sits.append((data, one.sign("sit", data)))
        self.sits = tuple(sits)
        self.sealed: dict[int, tuple[Any, bytes]] = {}
        self.charter(number=1, parent=(), draw=1, given=())

    def charter(self, *seats: int, why: int = ABSENT, signed: int = 4, **other: Any) -> list[Done]:
        """The next charter, with these charter seats (default: all), signed by all of them."""
        record = self.proposal(*seats, why=why, signed=signed, **other)
        done = self.transcript.charter(record)
        self.log.append(record)
        assert self.transcript.digest() == self.transcript.game.digest()
        return done

    def proposal(self, *seats: int, why: int = ABSENT, signed: int = 4, **other: Any) -> Record:
        transcript, who = self.transcript, seats or (0, 1, 2, 3)
        step = transcript.step
        given = tuple(step.entries[seat].record.id for seat in sorted(step.entries))
        values: dict[str, Any] = {"draw": transcript.draw, "given": given}
        if transcript.seating is not None:
            values["number"] = transcript.seating.charter.number + 1
            values["parent"] = (transcript.seating.id, step.number, transcript.head)
        values["sits"] = tuple(self.sits[seat] for seat in who)
        values["seats"] = tuple((who.index(seat), 0) if seat in who else (255, why) for seat in range(4))
        charter = Charter(transcript.table, **{**values, **other})
        data = pack(charter)
        keys = [decode(Sit, sit).key for sit, _ in charter.sits]
        by_key = {one.key: one for one in self.signers}
        return Record("charter", data, tuple(by_key[key].sign("charter", data) for key in keys[:signed]))

    def entry(self, seat: int, kind: str, body: Any, **other: Any) -> Record:
        transcript = self.transcript
        assert transcript.seating is not None
        values = (transcript.seating.id, transcript.step.number, transcript.head, transcript.digest())
        names = ("charter", "step", "prev", "state")
        entry = Entry(**{**dict(zip(names, values, strict=True)), **other}, author=seat, kind=kind, body=body)
        data = pack(entry)
        return Record("entry", data, self.signers[seat].sign("entry", data))

    def take(self, seat: int, kind: str, body: Any) -> list[Done]:
        record = self.entry(seat, kind, body)
        self.log.append(record)
        done = self.transcript.take(record)
        assert self.transcript.digest() == self.transcript.game.digest()
        return done

    def one(self, seat: int) -> list[Done]:
        """Let a seat do what it owes: its first option, opened and shared as it must be."""
        transcript = self.transcript
        step = transcript.step
        if step.kind == "share":
            return self.take(seat, "share", (self.chains[seat].share(transcript.draw),))
        if step.kind == "result":
            return self.take(seat, "result", result_body(transcript))
        if step.kind == "open":
            return self.take(seat, "move", self.sealed.pop(seat))
        place = transcript.places.index(seat)
        turn = Turn(transcript.game, place, played=transcript.played_seats(), sealed=step.kind == "seal")
        while (ask := turn.ask) is not None:
            turn.answer(ask.options[-1])
        answers = tuple(turn.answers)
        if step.kind == "seal":
            assert transcript.seating is not None
            salt = H("salt", bytes([seat]))
            self.sealed[seat] = (answers, salt)
            seal = seal_of(transcript.seating.id, step.number, seat, answers, salt)
            return self.take(seat, "seal", (seal,))
        share = self.chains[seat].share(transcript.draw) if turn.leads_to_draw() else b""
        return self.take(seat, "move", (answers, share))

    def until(self, kind: str) -> Table:
        """Play on to the next step of this kind."""
        while self.transcript.step.kind != kind:
            self.one(self.transcript.due()[0])
        return self

    def end(self) -> Transcript:
        """Play to the end; the whole record verifies again to the same."""
        self.until("over")
        again = Transcript.begin(self.log[0], self.rules_for)
        for record in self.log[1:]:
            (again.charter if record.kind == "charter" else again.take)(record)
        assert (again.head, again.digest(), again.over) == (
            self.transcript.head,
            self.transcript.digest(),
            True,
        )
        return again


@pytest.fixture
def table() -> Table:
    return Table()


def test_who_owed_a_share_makes_the_draw_begin_again(table: Table) -> None:
    """What the others gave is void: one new draw, with the next number, by those who go on."""
    table.until("seal").until("share")
    number, gave = table.transcript.draw, table.transcript.due()[:3]
    old = [table.chains[seat].share(number) for seat in gave]
    for seat in gave:
        table.one(seat)
    assert table.transcript.due() == (3,)
    table.charter(0, 1, 2, draw=number + 1)
    assert (table.transcript.draw, table.transcript.due()) == (number + 1, (0, 1, 2))
    assert table.transcript.step.shares == {}
    table.one(0)
    with pytest.raises(Refused, match="not link"):
        table.transcript.take(table.entry(1, "share", (old[1],)))
    again = table.entry(2, "share", (table.chains[2].share(number + 1),))
    assert table.transcript.take(again) == []
    assert table.transcript.slots


def test_draw_number_of_a_repeated_draw_is_checked(table: Table) -> None:
    table.until("share")
    table.one(0)
    number = table.transcript.draw
    for draw in (number - 1, number):
        with pytest.raises(BadCharter, match=f"goes on with draw {draw}"):
            table.charter(0, 1, 2, draw=draw)
    table.charter(0, 1, 2, draw=number + 5)
    assert table.transcript.draw == number + 5
    table.end()


def test_who_gave_its_share_is_left_out_and_the_draw_goes_on(table: Table) -> None:
    table.until("seal").until("share")
    number = table.transcript.draw
    table.one(3)
    for draw in (number - 1, number + 1):
        with pytest.raises(BadCharter, match=f"goes on with draw {draw}"):
            table.charter(0, 1, 2, draw=draw)
    table.charter(0, 1, 2)
    assert (table.transcript.draw, table.transcript.due()) == (number, (0, 1, 2))
    assert [filled.share for filled in table.transcript.step.entries.values()] == [
        table.chains[3].share(number)
    ]
    table.end()


def test_mover_whose_share_came_with_its_move_may_leave_too(table: Table) -> None:
    """Its share counts though it is no entry of the step."""
    table.until("move")
    while not (table.transcript.step.kind == "share" and table.transcript.step.shares):
        table.one(table.transcript.due()[0])
    (key,) = table.transcript.step.shares
    mover = next(seat for seat in range(4) if table.signers[seat].key == key)
    rest = [seat for seat in range(4) if seat != mover]
    table.charter(*rest)
    assert table.transcript.due() == tuple(rest)
    table.end()


def test_stand_in_moves_for_who_was_due(table: Table) -> None:
    table.until("move")
    (seat,) = table.transcript.due()
    place = table.transcript.places.index(seat)
    (done,) = table.charter(*(other for other in range(4) if other != seat), why=OUT_OF_TIME)
    assert done.kind == "charter"
    assert done.line
    assert done.line[0][0] == place
    assert not table.transcript.played(seat)
    assert table.transcript.seating is not None
    assert table.transcript.seating.why[seat] == OUT_OF_TIME
    assert seat not in table.transcript.due()
    ended = table.end()
    assert seat not in ended.confirmed


def test_who_sealed_finishes_under_the_new_charter(table: Table) -> None:
    """Seals made under the old charter and under the new one are opened in the same step."""
    table.until("seal")
    table.one(0)
    table.one(1)
    assert table.transcript.due() == (2, 3)
    table.charter(0, 1, 2)
    assert table.transcript.due() == (2,)
    table.one(2)
    assert (table.transcript.step.kind, table.transcript.due()) == ("open", (0, 1, 2))
    table.end()


def test_who_sealed_but_does_not_open_is_stood_in_for(table: Table) -> None:
    table.until("open")
    for seat in (0, 2):
        table.one(seat)
    done = table.charter(0, 1, 2)
    assert [step.kind for step in done] == ["charter"]
    table.one(1)
    answered = [seat for seat, _ in table.transcript.game.answers if seat != CHANCE]
    assert table.transcript.places.index(3) in answered
    table.end()


def test_peer_comes_back_at_the_next_step(table: Table) -> None:
    table.until("seal")
    table.charter(0, 1, 2)
    for seat in (0, 1, 2):
        table.one(seat)
    assert table.transcript.step.kind == "open"
    table.charter()
    assert table.transcript.due() == (0, 1, 2), "who comes back joins at the next"
    while table.transcript.step.kind == "open":
        done = table.one(table.transcript.due()[0])
    place = table.transcript.places.index(3)
    assert (place, 0) in done[0].line, "it has seen the others' moves, so the stand-in makes its own"
    table.until("share")
    assert table.transcript.due() == (0, 1, 2, 3)
    ended = table.end()
    assert ended.confirmed == (0, 1, 2, 3)


def test_share_of_who_comes_back_is_checked_over_the_draws_it_missed(table: Table) -> None:
    table.until("seal")
    table.charter(0, 1, 2)
    table.until("share").until("seal")
    number = table.transcript.draw
    table.charter()
    table.until("share")
    for seat in (0, 1, 2):
        table.one(seat)
    with pytest.raises(Refused, match="not link"):
        table.transcript.take(table.entry(3, "share", (table.chains[3].share(number - 1),)))
    other = Table()  # the slot is shut now, so the right share is tried at a table of its own
    other.until("seal").charter(0, 1, 2)
    other.until("share").until("seal").charter()
    other.until("share")
    other.one(3)
    other.end()


def test_who_resigned_gives_no_share_to_a_repeated_draw(table: Table) -> None:
    table.until("seal")
    table.take(3, "resign", ())
    table.until("share")
    assert table.transcript.due() == (0, 1, 2)
    table.one(0)
    table.charter(0, 1, 3, draw=table.transcript.draw + 1)
    assert table.transcript.due() == (0, 1)
    table.end()


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another step": ({"parent": (bytes(32), 0, bytes(32))}, "goes on from another step"),
    "no parent": ({"parent": ()}, "goes on from another step"),
    "the number it has": ({"number": 1}, "number 1 cannot follow 1"),
    "no entries given": ({"given": ()}, "does not name the entries"),
    "other entries given": ({"given": (bytes(32),)}, "does not name the entries"),
    "a seat for somebody else": ({"seats": ((1, 0), (0, 0), (2, 0), (3, 0))}, "to another peer"),
    "two seats for one": ({"seats": ((0, 0), (0, 0), (2, 0), (3, 0))}, "without a seat"),
    "an empty seat without reason": ({"seats": ((0, 0), (1, 0), (255, 0), (3, 0))}, "neither played"),
    "a played seat with reason": ({"seats": ((0, 1), (1, 0), (2, 0), (3, 0))}, "neither played"),
    "a reason there is not": ({"seats": ((0, 0), (1, 0), (2, 0), (255, 5))}, "neither played"),
}


@pytest.mark.parametrize("name", WRONG)
def test_charter_cannot_go_on_with(name: str, table: Table) -> None:
    other, why = WRONG[name]
    table.until("seal")
    table.one(0)
    before = table.transcript.head, table.transcript.due(), table.transcript.seating
    with pytest.raises(BadCharter, match=why):
        table.charter(**other)
    assert (table.transcript.head, table.transcript.due(), table.transcript.seating) == before
    table.charter()
    table.end()


def test_charter_cannot_say_resigned_of_who_did_not(table: Table) -> None:
    table.until("seal")
    with pytest.raises(BadCharter, match="resigned who did not"):
        table.charter(0, 1, 2, why=RESIGNED)
    table.take(3, "resign", ())
    for seat in (0, 1, 2):
        table.one(seat)
    table.charter(0, 1, 2, why=RESIGNED)
    table.end()


def test_charter_leaves_two_seats_played(table: Table) -> None:
    table.until("seal")
    with pytest.raises(BadCharter, match="fewer than two"):
        table.charter(0, why=CHEATED)
    table.take(3, "resign", ())
    for seat in (0, 1, 2):
        table.one(seat)
    with pytest.raises(BadCharter, match="fewer than two"):
        table.charter(0, 3)
    table.charter(0, 1)
    table.end()


def test_charter_needs_every_signature(table: Table) -> None:
    table.until("seal")
    with pytest.raises(BadSignature, match="one signature for each"):
        table.charter(0, 1, 2, signed=2)
    record = table.proposal(0, 1, 2)
    unsigned = Record("charter", record.data, (*record.signatures[:2], b""))
    with pytest.raises(BadSignature, match="the charter is not signed by"):
        table.transcript.charter(unsigned)


def test_charter_cannot_change_a_sit(table: Table) -> None:
    """A second chain would be a second try at every draw."""
    table.until("seal")
    one = table.signers[2]
    data = pack(Sit(table.transcript.table, one.key, ("seat 2",), bytes(32), bytes(32)))
    sits = (*table.sits[:2], (data, one.sign("sit", data)), table.sits[3])
    with pytest.raises(BadCharter, match="second sit of one key"):
        table.charter(sits=sits)


def test_entry_under_the_charter_before_does_not_count(table: Table) -> None:
    table.until("seal")
    late = table.entry(2, "seal", (bytes(32),))
    table.charter(0, 1, 2)
    with pytest.raises(Elsewhere, match="another charter"):
        table.transcript.take(late)
    with pytest.raises(NotDue, match="nobody plays seat 3"):
        table.transcript.take(table.entry(3, "seal", (bytes(32),)))


def test_no_charter_after_the_end(table: Table) -> None:
    table.until("result")
    for _ in range(2):
        with pytest.raises(BadCharter, match="the game is over"):
            table.charter(0, 1)
        table.until("over")


def test_no_entry_before_the_first_charter() -> None:
    table = Table()
    record = table.entry(0, "share", (bytes(32),))
    fresh = Transcript.begin(table.log[0], table.rules_for)
    with pytest.raises(Elsewhere, match="before any charter"):
        fresh.take(record)
    assert (fresh.due(), fresh.over, fresh.confirmed, fresh.winners()) == ((), False, (), ())
