"""Due entries with the right past that the rules do not allow: refused as faults, kept, never applied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from oaknet.registry import rules
from oaknet_protocol.beacon import Chain
from oaknet_protocol.bodies import seal_of
from oaknet_protocol.refused import Desync, Elsewhere, Fault, Fork, Refused
from oaknet_protocol.wire import Record, Sit, pack
from tests.protocol.mesh import Peer, signer
from tests.protocol.scenes import Scene, answers, asked, entry_in, holding

Body = Callable[[Scene], Any]


def share(peer: Peer, draw: int) -> bytes:
    """A peer's own share, from the memory of its session."""
    chain = peer.session.own.chain
    assert chain is not None
    return chain.share(draw)


def elsewhere(made: Scene) -> bytes:
    """The share that the cheat would give at another table, with the same nonce and key."""
    chain = Chain(bytes(32), made.cheat.key, made.signer.secret("chain", bytes(32) + bytes([2]) * 32))
    return chain.share(made.honest.transcript.draw)


def draw(made: Scene) -> int:
    return int(made.honest.transcript.draw)


def held_body(made: Scene) -> tuple[Any, ...]:
    """The body that the cheat's session wanted to send."""
    entry = entry_in(made.held[0][1])
    assert entry is not None
    return entry.body


def refused(made: Scene, record: Record, why: str) -> Refused:
    """The fault is refused by everybody and kept by everybody; afterwards its slot stays shut."""
    for peer in made.others:
        refusal = made.receive(record, peer)
        assert type(refusal) is Fault, refusal
        assert why in refusal.why
        assert (refusal.step, refusal.author) == (peer.transcript.step.number, made.seat)
        assert made.kept(record, peer)
        assert made.receive(record, peer) is None, "the same record again is no news"
    return refusal


def shut(made: Scene, record: Record, honest: Record) -> None:
    """The right entry after the wrong one is a fork: one entry a slot, ever."""
    refusal = made.receive(honest)
    assert isinstance(refusal, Fork)
    assert (refusal.first, refusal.second) == (record, honest)


SHARES: dict[str, tuple[Body, str]] = {
    "a made-up share": (lambda made: (bytes(32),), "not link"),
    "the share of the draw before": (lambda made: (share(made.cheat, draw(made) - 1),), "not link"),
    "the share of the draw after": (lambda made: (share(made.cheat, draw(made) + 1),), "not link"),
    "the share of another table": (lambda made: (elsewhere(made),), "not link"),
    "the share of another peer": (lambda made: (share(made.honest, draw(made)),), "not link"),
    "half a share": (lambda made: (share(made.cheat, draw(made))[:16],), "16 bytes"),
    "a share in words": (lambda made: ("share",), "no bytes"),
    "a share twice": (lambda made: (share(made.cheat, draw(made)),) * 2, "2 parts instead of 1"),
    "no share": (lambda made: (), "0 parts instead of 1"),
}


@pytest.mark.parametrize("name", SHARES)
def test_draw_is_not_made_with(name: str) -> None:
    body, why = SHARES[name]
    made = holding("share", after=2)
    record = made.entry("share", body(made))
    refused(made, record, why)
    shut(made, record, made.entry("share", (share(made.cheat, draw(made)),)))


def test_no_one_can_resign_from_a_draw() -> None:
    made = holding("share")
    refused(made, made.entry("resign", ()), "resignation where none is possible")


def test_no_one_can_move_in_a_draw() -> None:
    made = holding("share")
    refused(made, made.entry("move", ((0,), b"")), "a move where a share is due")


MOVES: dict[str, tuple[Body, str]] = {
    "an answer that was not offered": (lambda made: (("nonsense",), b""), "not offered"),
    "no answer": (lambda made: ((), b""), "1 to 256 answers"),
    "something else than a list of answers": (lambda made: (7, b""), "1 to 256 answers"),
    "257 answers": (lambda made: ((0,) * 257, b""), "1 to 256 answers"),
    "bytes for an answer": (lambda made: ((b"0",), b""), "neither a number"),
    "a number beyond 2**31": (lambda made: ((2**31,), b""), "neither a number"),
    "an answer too much": (lambda made: ((*answers(made, leads=False), 0), b""), "goes on after its end"),
    "a share although no draw is next": (
        lambda made: (answers(made, leads=False), share(made.cheat, draw(made))),
        "a share without a draw next",
    ),
    "a word for a share": (lambda made: (answers(made, leads=False), "no"), "no bytes"),
    "no place for a share": (lambda made: (answers(made, leads=False),), "1 parts instead of 2"),
}


@pytest.mark.parametrize("name", MOVES)
def test_move_cannot_have(name: str) -> None:
    body, why = MOVES[name]
    made = asked(rules("five_towers"), leads=False)
    refused(made, made.entry("move", body(made)), why)


def test_true_is_not_one() -> None:
    made = asked()  # the tip of the market: 0, 1 or 2
    assert made.turn().ask is not None
    record = made.entry("move", ((True,), b""))
    assert b"\xc3" in record.data
    refused(made, record, "neither a number")
    shut(made, record, made.entry("move", ((1,), b"")))


def test_move_cannot_stop_half_way() -> None:
    made = asked(rules("five_towers"), at_least=2)
    refused(made, made.entry("move", (answers(made, at_least=2)[:-1], b"")), "stops half-way")


DRAWS: dict[str, tuple[Body, str]] = {
    "without its share": (lambda made: b"", "no share, although a draw is next"),
    "with a made-up share": (lambda made: bytes(32), "not link"),
    "with the share of the draw after": (lambda made: share(made.cheat, draw(made) + 1), "not link"),
    "with another peer's share": (lambda made: share(made.honest, draw(made)), "not link"),
}


@pytest.mark.parametrize("name", DRAWS)
def test_move_before_a_draw_cannot_come(name: str) -> None:
    extra, why = DRAWS[name]
    made = asked(rules("five_towers"), leads=True)
    refused(made, made.entry("move", (answers(made, leads=True), extra(made))), why)


def test_resignation_has_nothing_to_add() -> None:
    made = asked()
    refused(made, made.entry("resign", ("and so on",)), "resignation where none is possible")


def test_share_is_no_move() -> None:
    made = asked()
    refused(made, made.entry("share", (bytes(32),)), "a share where a move is due")


@pytest.mark.parametrize("seal", [b"", bytes(31), bytes(33), "seal", 7])
def test_seal_has_32_bytes(seal: Any) -> None:
    made = holding("seal")
    refused(made, made.entry("seal", (seal,)), "not 32 bytes")


def test_sealed_phase_takes_no_open_move() -> None:
    made = holding("seal")
    refused(made, made.entry("move", ((0,), b"")), "a move where a seal is due")


def test_seal_cannot_be_opened_with_other_answers() -> None:
    made = holding("open")
    (bid,), salt = held_body(made)
    record = made.entry("move", (((bid + 1) % 3,), salt))
    refused(made, record, "opened with other answers")
    shut(made, record, made.entry("move", ((bid,), salt)))


def test_seal_cannot_be_opened_with_another_salt() -> None:
    made = holding("open")
    sealed, salt = held_body(made)
    refused(made, made.entry("move", (sealed, salt[::-1])), "opened with other answers")


@pytest.mark.parametrize("salt", [b"", bytes(31), 5, "salt"])
def test_salt_has_32_bytes(salt: Any) -> None:
    made = holding("open")
    refused(made, made.entry("move", (held_body(made)[0], salt)), "salt that is not 32 bytes")


def test_sealed_answer_must_be_offered_too() -> None:
    """A seal hides its answers, so what was never offered comes out when it is opened."""
    made = holding("seal")
    step, salt = made.honest.transcript.step.number, bytes(32)
    charter = made.honest.transcript.seating.id
    seal = made.entry("seal", (seal_of(charter, step, made.seat, (9,), salt),))
    for peer in made.others:
        assert made.receive(seal, peer) is None
    made.mesh.filter = lambda source, to, message: [] if source == made.cheat.key else [message]
    made.mesh.settle()
    assert made.honest.transcript.step.kind == "open"
    refused(made, made.entry("move", ((9,), salt)), "not offered")


RESULTS: dict[str, Callable[[int, tuple[int, ...]], tuple[Any, ...]]] = {
    "other scores": lambda how, scores: (how, (scores[0] + 1, *scores[1:])),
    "scores of too few": lambda how, scores: (how, scores[:-1]),
    "another end": lambda how, scores: (1 - how, scores),
    "truth for a number": lambda how, scores: (bool(how), scores),
    "no scores": lambda how, scores: (how,),
}


@pytest.mark.parametrize("name", RESULTS)
def test_result_cannot_say(name: str) -> None:
    made = holding("result")
    refused(made, made.entry("result", RESULTS[name](*held_body(made))), "not this game's")


def test_another_state_is_shown_and_nobody_accused() -> None:
    made = asked()
    record = made.entry("move", ((0,), b""), state=bytes(32))
    refusal = made.receive(record)
    assert type(refusal) is Desync
    assert "another state" in refusal.why
    assert made.kept(record)


def test_another_past_is_refused_and_compared() -> None:
    """Who follows another transcript is told where we stand, once a step, so that the fork is found."""
    made = asked()
    record = made.entry("move", ((0,), b""), prev=bytes(32))
    happened = made.honest.session.receive(made.cheat.key, pack(record))
    assert [type(event).__name__ for event in happened] == ["Rejected", "Send"]
    assert type(happened[0].refusal) is Elsewhere  # type: ignore[union-attr]
    assert made.kept(record)


def test_fault_evidence_is_kept_even_after_much_noise() -> None:
    """Junk cannot push out the proof: the first fault of a seat is kept whatever came before."""
    made = asked()
    for number in range(200):
        stranger = signer(number, "noise")
        data = pack(Sit(made.honest.transcript.table, stranger.key, ("Eve",), bytes(32), bytes(32)))
        made.receive(Record("sit", data, stranger.sign("sit", data)))
        made.receive(made.entry("move", ((0,), b""), charter=number.to_bytes(32, "big")))
    assert [reason for reason, _ in made.honest.session.evidence] == ["charter"] * 64
    record = made.entry("move", (("nonsense",), b""))
    assert type(made.receive(record)) is Fault
    assert made.kept(record)
