"""What a stranger, an opener or a peer can try before the first charter counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from oaknet_protocol import evidence
from oaknet_protocol.charters import GATHERED
from oaknet_protocol.refused import BadCharter, BadSignature, Fork, Malformed, OtherRules, Refused
from oaknet_protocol.signing import Signer
from oaknet_protocol.table import LONGEST_JUMP, Seating
from oaknet_protocol.wire import Charter, Open, Record, Sit, decode, pack
from tests.engine.toys import MARKET, Market
from tests.protocol.mesh import Mesh, signer
from tests.protocol.scenes import NAMES, Scene, record_in, scene


def signed(kind: str, value: Any, who: Signer) -> Record:
    data = pack(value)
    return Record(kind, data, who.sign(kind, data))


def reopened(mesh: Mesh, who: int = 0, **other: Any) -> Record:
    """The mesh's opening with other fields, signed by one of its peers."""
    return signed("open", msgspec.structs.replace(decode(Open, mesh.opening.data), **other), signer(who))


OPENINGS: dict[str, tuple[Callable[[Mesh], Record], type[Refused], str]] = {
    "another key than the invite's": (
        lambda mesh: reopened(mesh, 1, key=signer(1).key),
        BadSignature,
        "another key than the invite names",
    ),
    "the invite's key, unsigned": (lambda mesh: reopened(mesh, 1), BadSignature, "not signed by its opener"),
    "other printed numbers": (lambda mesh: reopened(mesh, rules=bytes(32)), OtherRules, "opened with Market"),
    "another version": (lambda mesh: reopened(mesh, version=2), OtherRules, "protocol version 2"),
    "an unknown game": (lambda mesh: reopened(mesh, game="chess"), OtherRules, "no game 'chess'"),
    "an unknown option": (
        lambda mesh: reopened(mesh, options=(("pace", "slow"), ("size", "big"))),
        BadCharter,
        "no option 'size'",
    ),
    "an unknown value": (lambda mesh: reopened(mesh, options=(("pace", "x"),)), BadCharter, "can be slow"),
    "a missing option": (lambda mesh: reopened(mesh, options=()), BadCharter, "not name every table option"),
    "too many seats": (lambda mesh: reopened(mesh, seats=7), BadCharter, "2 to 4 players, not 7"),
    "no meaning": (lambda mesh: replace_data(mesh, b"\x90"), Malformed, "no open"),
}


def replace_data(mesh: Mesh, data: bytes) -> Record:
    return Record("open", data, signer(0).sign("open", data))


@pytest.mark.parametrize("name", OPENINGS)
def test_table_is_not_opened_by(name: str) -> None:
    made, kind, why = OPENINGS[name]
    mesh = Mesh(Market(), NAMES)
    peer, record = mesh.peers[1], made(mesh)
    with pytest.raises(kind, match=why):
        peer.session.open(record)
    mesh.do(peer, peer.session.receive(mesh.peers[0].key, pack(record)))
    (event,) = mesh.refusals(peer)
    assert type(event.refusal) is kind
    assert peer.session.transcript is None
    assert len(mesh.start().peers[1].transcript.charters) == 1, "the right opening still opens the table"


def test_opening_says_which_rules_both_sides_have() -> None:
    mesh = Mesh(Market(MARKET.replace("value = 4", "value = 5")), NAMES)
    ours = Mesh(Market(), NAMES).peers[1].session
    with pytest.raises(OtherRules) as caught:
        ours.open(mesh.opening)
    assert len({word for word in caught.value.why.split() if len(word) == 8 and word.isalnum()}) >= 2


def lobby() -> Scene:
    """A table that is open and waits: the cheat's own messages are held back."""
    made = scene()
    made.mesh.filter = lambda source, to, message: [] if source == made.cheat.key else [message]
    made.mesh.start()
    assert made.honest.transcript.seating is None
    return made


def receive(made: Scene, record: Record) -> Refused | None:
    before = len(made.mesh.refusals(made.honest))
    made.mesh.do(made.honest, made.honest.session.receive(made.cheat.key, pack(record)))
    refusals = made.mesh.refusals(made.honest)[before:]
    return refusals[0].refusal if refusals else None


def sit(made: Scene, who: Signer | None = None, **other: Any) -> Record:
    """The cheat's sit, with other fields."""
    records = [record_in(message) for message in made.sent()]
    own = next(record for record in records if record is not None and record.kind == "sit")
    return signed("sit", msgspec.structs.replace(decode(Sit, own.data), **other), who or made.signer)


SITS: dict[str, tuple[Callable[[Scene], Record], type[Refused], str]] = {
    "at another table": (lambda made: sit(made, table=bytes(32)), BadCharter, "another table"),
    "of another key": (lambda made: sit(made, key=made.honest.key), BadSignature, "not signed by it"),
    "on more seats than are left": (lambda made: sit(made, names=("X", "Y")), BadCharter, "table is full"),
    "on more seats than there are": (lambda made: sit(made, names=("X",) * 4), BadCharter, "takes 4 of 3"),
    "by a second key when full": (
        lambda made: (receive(made, sit(made)), sit(made, signer(9), key=signer(9).key))[1],
        BadCharter,
        "table is full",
    ),
    "twice": (
        lambda made: (receive(made, sit(made)), sit(made, names=("Other",)))[1],
        BadCharter,
        "second sit of one key",
    ),
    "twice, with another tip": (
        lambda made: (receive(made, sit(made)), sit(made, tip=bytes(32)))[1],
        BadCharter,
        "second sit of one key",
    ),
    "under a name with escapes": (lambda made: sit(made, names=("\x1b[2J",)), Malformed, "name"),
}


@pytest.mark.parametrize("name", SITS)
def test_nobody_sits(name: str) -> None:
    record, kind, why = SITS[name]
    made = lobby()
    wrong = record(made)
    refusal = receive(made, wrong)
    assert type(refusal) is kind, refusal
    assert why in refusal.why
    assert made.kept(wrong) is (kind is BadCharter)
    made.mesh.filter = lambda source, to, message: [message]
    for a in made.mesh.peers:
        for b in made.mesh.peers:
            if a is not b:
                made.mesh.do(a, a.session.connected(b.key))
    made.mesh.settle()
    made.goes_on()


def ours(made: Scene) -> Charter:
    """The charter that the honest peers would sign, from all sits."""
    honest = [record for peer in made.mesh.peers for _, record in [peer.session.sits[peer.key]]]
    sits = sorted((decode(Sit, record.data).key, record) for record in honest)
    pairs = tuple((record.data, record.signatures[0]) for _, record in sits)
    return Charter(made.honest.transcript.table, 1, (), 1, (), pairs, tuple((i, 0) for i in range(3)))


def charter(made: Scene, **other: Any) -> Record:
    """A charter with the cheat's signature alone, and other fields."""
    value = msgspec.structs.replace(ours(made), **other)
    data = pack(value)
    keys = [decode(Sit, sit).key for sit, _ in value.sits]
    signature = made.signer.sign("charter", data)
    return Record("charter", data, tuple(signature if key == made.cheat.key else b"" for key in keys))


CHARTERS: dict[str, tuple[Callable[[Scene], dict[str, Any]], type[Refused], str]] = {
    "another table": (lambda made: {"table": bytes(32)}, BadCharter, "another table"),
    "number 0": (lambda made: {"number": 0}, BadCharter, "number 0 cannot follow 0"),
    "draw 2": (lambda made: {"draw": 2}, BadCharter, "follows another"),
    "entries given": (lambda made: {"given": (bytes(32),)}, BadCharter, "follows another"),
    "sits in another order": (
        lambda made: {"sits": ours(made).sits[::-1]},
        BadCharter,
        "not in the order of their keys",
    ),
    "a sit twice": (
        lambda made: {"sits": ours(made).sits[:1] * 2 + ours(made).sits[2:]},
        BadCharter,
        "not in the order of their keys",
    ),
    "a forged sit": (
        lambda made: {"sits": ((ours(made).sits[0][0], bytes(64)), *ours(made).sits[1:])},
        BadSignature,
        "is not signed by it",
    ),
    "seats in another order": (
        lambda made: {"seats": ((1, 0), (0, 0), (2, 0))},
        BadCharter,
        "not seat everybody in order",
    ),
    "two seats for one peer": (
        lambda made: {"seats": ((0, 0), (0, 0), (2, 0))},
        BadCharter,
        "without a seat",
    ),
    "an empty seat": (lambda made: {"seats": ((0, 0), (1, 0), (255, 1))}, BadCharter, "without a seat"),
    "a seat of nobody": (lambda made: {"seats": ((0, 0), (1, 0), (3, 0))}, BadCharter, "neither played"),
    "a seat too few": (lambda made: {"seats": ((0, 0), (1, 0))}, BadCharter, "2 seats at a table of 3"),
}


@pytest.mark.parametrize("name", CHARTERS)
def test_nobody_signs_a_charter_with(name: str) -> None:
    other, kind, why = CHARTERS[name]
    made = lobby()
    wrong = charter(made, **other(made))
    refusal = receive(made, wrong)
    assert type(refusal) is kind, refusal
    assert why in refusal.why
    assert made.honest.transcript.seating is None
    assert not made.honest.session.own.charters, "nothing is signed"
    assert not made.honest.session.council.gatherings.open, "nor is it gathered"


def test_number_far_above_what_was_signed_is_not_signed() -> None:
    """A peer signs numbers up to 16 above its last: further ones are gathered, and others may sign them."""
    made = lobby()
    assert receive(made, charter(made, number=LONGEST_JUMP + 1)) is None
    assert not made.honest.session.own.charters
    assert receive(made, charter(made, number=LONGEST_JUMP)) is None
    assert made.honest.session.own.number == LONGEST_JUMP


def test_charter_that_follows_an_unknown_one_is_asked_about() -> None:
    """It is neither signed nor gathered: we say where we stand, so that what we lack is sent."""
    made = lobby()
    wrong = charter(made, parent=(bytes(32), 0, bytes(32)))
    session = made.honest.session
    assert session.receive(made.cheat.key, pack(wrong)) == [session.neighbours.where(made.cheat.key)]
    assert session.receive(made.cheat.key, pack(wrong)) == [], "once for a charter"
    assert not session.own.charters
    assert not session.council.gatherings.open


def test_second_sit_of_a_key_is_not_signed_in_a_charter_either() -> None:
    made = lobby()
    assert receive(made, sit(made)) is None
    other = sit(made, tip=bytes(32))
    pairs = [pair for pair in ours(made).sits if decode(Sit, pair[0]).key != made.cheat.key]
    pairs = sorted([*pairs, (other.data, other.signatures[0])], key=lambda pair: decode(Sit, pair[0]).key)
    signed_already = made.honest.session.own.number
    assert receive(made, charter(made, number=signed_already + 1, sits=tuple(pairs))) is None
    assert made.honest.session.own.number == signed_already


def test_nobody_signs_a_charter_without_himself() -> None:
    made = lobby()
    stranger = sit(made, signer(7), key=signer(7).key)
    pairs = [pair for pair in ours(made).sits if decode(Sit, pair[0]).key != made.honest.key]
    pairs = sorted([*pairs, (stranger.data, stranger.signatures[0])], key=lambda p: decode(Sit, p[0]).key)
    assert receive(made, charter(made, sits=tuple(pairs))) is None, "others may want to play without us"
    assert not made.honest.session.own.charters


def test_charter_with_a_forged_signature() -> None:
    made = lobby()
    right = charter(made)
    forged = replace_signatures(right, [one and bytes(64) for one in right.signatures])
    refusal = receive(made, forged)
    assert type(refusal) is BadSignature
    short = replace_signatures(right, [one for one in right.signatures if one])
    assert type(receive(made, short)) is BadSignature


def replace_signatures(record: Record, signatures: list[bytes]) -> Record:
    return Record(record.kind, record.data, tuple(signatures))


def test_two_charters_from_one_lobby_are_a_proved_fork() -> None:
    """Both name the same number, differ in who sits, and carry the cheat's signature."""
    made = lobby()
    first = charter(made)
    assert receive(made, first) is None
    stranger = sit(made, signer(7), key=signer(7).key)
    kept = [pair for pair in ours(made).sits if decode(Sit, pair[0]).key != made.mesh.peers[1].key]
    pairs = sorted([*kept, (stranger.data, stranger.signatures[0])], key=lambda p: decode(Sit, p[0]).key)
    second = charter(made, sits=tuple(pairs))
    refusal = receive(made, second)
    assert type(refusal) is Fork
    for one, other in ((refusal.first, refusal.second), (refusal.second, refusal.first)):
        assert forkers(made, one, other) == (made.cheat.key,)
    assert forkers(made, first, first) == ()
    unsigned = replace_signatures(second, [b""] * 3)
    other_number = charter(made, sits=tuple(pairs), number=2)
    for less in (unsigned, other_number):
        assert forkers(made, first, less) == ()
    assert refusal.reason == made.honest.session.evidence[-1][0]


def forkers(made: Scene, one: Record, other: Record) -> tuple[bytes, ...]:
    opening = made.honest.transcript.opening
    first, second = (Seating.check(opening, record, None, whole=False) for record in (one, other))
    return evidence.charter_forkers(first, second)


def test_late_signature_on_an_old_charter_starts_nothing() -> None:
    """Who has signed charter 2 lets charter 1 rest, even when its last signature comes at last."""
    made = lobby()
    one, two = charter(made), charter(made, number=2)
    withheld = replace_signatures(one, [b""] * 3)
    assert receive(made, withheld) is None
    assert receive(made, two) is None
    other = made.mesh.peers[1]
    last = [signer(1).sign("charter", one.data) if sit.key == other.key else b"" for sit in _sits(one)]
    assert receive(made, one) is None
    assert receive(made, replace_signatures(one, last)) is None
    assert made.honest.transcript.seating is None
    last = [signer(1).sign("charter", two.data) if sit.key == other.key else b"" for sit in _sits(two)]
    assert receive(made, replace_signatures(two, last)) is None
    assert made.honest.transcript.seating.charter.number == 2


def _sits(record: Record) -> list[Sit]:
    return [decode(Sit, data) for data, _ in decode(Charter, record.data).sits]


def test_second_charter_of_the_number_is_a_fork_after_the_start_too() -> None:
    made = scene()
    made.mesh.start()
    seating = made.honest.transcript.seating
    stranger = sit(made, signer(7), key=signer(7).key)
    kept = [pair for pair in seating.charter.sits if decode(Sit, pair[0]).key != made.mesh.peers[1].key]
    pairs = sorted([*kept, (stranger.data, stranger.signatures[0])], key=lambda p: decode(Sit, p[0]).key)
    refusal = receive(made, charter(made, sits=tuple(pairs)))
    assert type(refusal) is Fork
    assert refusal.first == seating.record
    assert made.honest.transcript.seating is seating


def test_charters_that_are_gathered_are_bounded() -> None:
    made = lobby()
    numbers = list(range(101, 101 + GATHERED))
    assert [receive(made, charter(made, number=number)) for number in numbers] == [None] * GATHERED
    refusal = receive(made, charter(made, number=50))
    assert type(refusal) is BadCharter
    assert "too many charters" in refusal.why
    assert receive(made, charter(made, number=200)) is None, "a higher one takes the place of the lowest"
    gathered = made.honest.session.council.gatherings.open.values()
    assert [one.seating.charter.number for one in gathered] == [*numbers[1:], 200]
