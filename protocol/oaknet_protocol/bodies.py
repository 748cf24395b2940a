"""What each kind of step waits for, and whether an entry's body is that (transcript 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from oaknet.kernel import H, IllegalChoice
from oaknet_protocol import wire
from oaknet_protocol.beacon import BadShare, OutOfDraws, u32
from oaknet_protocol.refused import Fault
from oaknet_protocol.turn import Turn
from oaknet_protocol.wire import BadMessage, Entry, Record, pack

if TYPE_CHECKING:
    from oaknet_protocol.transcript import Transcript

FINISHED, GIVEN_UP = 0, 1
"""How a result says the game ended: by its rules, or because fewer than two seats are played."""


@dataclass(slots=True)
class Step:
    """What is waited for; ``kind`` is share, move, seal, open, result, over, or none before any charter.

    ``asked`` are charter seats (move, seal, open), ``contributors`` the keys whose shares a draw needs,
    ``shares`` what came with the move before it, ``seals`` the seals to open, by charter seat, each with the
    id of the charter under which it was made. ``given`` are the authors whose entries a charter in this step
    took over, so that they stand before it in the log.
    """

    kind: str
    number: int
    asked: tuple[int, ...] = ()
    contributors: tuple[bytes, ...] = ()
    shares: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])
    seals: dict[int, tuple[bytes, bytes]] = field(default_factory=dict[int, tuple[bytes, bytes]])
    given: tuple[int, ...] = ()
    entries: dict[int, Filled] = field(default_factory=lambda: dict[int, Filled]())


class Filled(Struct, frozen=True):
    """An entry that counts: ``turn`` is the move it makes, None where it makes none."""

    record: Record
    author: int
    key: bytes
    share: bytes = b""
    seal: bytes = b""
    turn: Turn[Any] | None = None


def check(
    transcript: Transcript, record: Record, entry: Entry, key: bytes, turn: Turn[Any] | None = None
) -> Filled:
    """The filled slot of a due entry; raises `Fault` if the body is not what the step waits for.

    ``turn`` is what `played` has made of the same move in the same step, where that is done already.
    """
    kind, author = transcript.step.kind, entry.author
    if entry.kind == "resign":
        if kind not in ("move", "seal") or entry.body:
            raise Fault("a resignation where none is possible")
        return Filled(record, author, key)
    due = "move" if kind == "open" else kind
    if entry.kind != due:
        raise Fault(f"a {entry.kind} where a {due} is due")
    if kind == "share":
        (share,) = _items(entry, 1)
        _check_share(transcript, key, share)
        return Filled(record, author, key, share=share)
    if kind == "seal":
        (seal,) = _items(entry, 1)
        if not isinstance(seal, bytes) or len(seal) != 32:
            raise Fault("a seal that is not 32 bytes")
        return Filled(record, author, key, seal=seal)
    if kind == "result":
        if not same(entry.body, result_body(transcript)):
            raise Fault("a result that is not this game's")
        return Filled(record, author, key)
    answers, extra = _items(entry, 2)
    if kind == "open":
        turn = _opened(transcript, author, answers, extra)
        return Filled(record, author, key, turn=turn)
    mark = transcript.game.mark
    try:
        turn = turn or played(transcript, author, answers, itself=True)
        if not isinstance(extra, bytes):
            raise Fault("a share that is no bytes")
        if bool(extra) != turn.leads_to_draw():
            raise Fault("a share without a draw next" if extra else "no share, although a draw is next")
        if extra:
            _check_share(transcript, key, extra)
    except BaseException:  # whatever it was: nothing of the move has happened
        transcript.game.back(mark)
        raise
    return Filled(record, author, key, share=extra, turn=turn)


def seal_of(charter: bytes, step: int, author: int, answers: object, salt: bytes) -> bytes:
    """The seal of a move (transcript 4.3): the answers stay hidden until the salt is shown.

    ``charter`` and ``step`` are those of the sealing entry, whatever charter it is opened under.
    """
    return H("seal", charter, u32(step), u32(author), salt, pack(answers))


def result_body(transcript: Transcript) -> tuple[int, tuple[int, ...]]:
    """What a result must say: how it ended and the scores by charter seat."""
    return (GIVEN_UP if transcript.game.pending else FINISHED, transcript.scores())


def same(left: object, right: object) -> bool:
    """Whether two values have the same bytes, so that True is not 1."""
    return pack(left) == pack(right)


def played(
    transcript: Transcript, author: int, answers: Any, *, sealed: bool = False, itself: bool = False
) -> Turn[Any]:
    """The move that these answers make, whole and no longer; raises `Fault`.

    It is played on a clone, or on the transcript's game ``itself``: then a `Fault` leaves it half-way.
    """
    try:
        wire.answers(answers)
        seat, seats = transcript.places.index(author), transcript.played_seats()
        turn = Turn(transcript.game, seat, played=seats, sealed=sealed, itself=itself)
        for answer in answers:
            if turn.done:
                raise Fault("a move that goes on after its end")
            turn.answer(answer)
    except BadMessage as error:
        raise Fault(f"an answer that was not offered: {error}") from None
    except IllegalChoice:  # its text quotes the peer and lists everything offered
        raise Fault(f"an answer that was not offered to seat {author}") from None
    if not turn.done:
        raise Fault("a move that stops half-way")
    return turn


def opens(transcript: Transcript, author: int, answers: object, salt: bytes) -> bool:
    """Whether these answers and this salt give the seal that this seat has made (transcript 4.3)."""
    charter, sealed = transcript.step.seals[author]
    return seal_of(charter, transcript.step.number - 1, author, answers, salt) == sealed


def _opened(transcript: Transcript, author: int, answers: Any, salt: Any) -> Turn[Any]:
    if not isinstance(salt, bytes) or len(salt) != 32:
        raise Fault("a salt that is not 32 bytes")
    turn = played(transcript, author, answers, sealed=True)
    if not opens(transcript, author, answers, salt):
        raise Fault("a sealed move opened with other answers")
    return turn


def _check_share(transcript: Transcript, key: bytes, share: Any) -> None:
    if not isinstance(share, bytes):
        raise Fault("a share that is no bytes")
    try:
        transcript.chains.check(key, transcript.draw, share)
    except (BadShare, OutOfDraws) as error:
        raise Fault(str(error)) from None


def _items(entry: Entry, count: int) -> tuple[Any, ...]:
    if len(entry.body) != count:
        raise Fault(f"a {entry.kind} with {len(entry.body)} parts instead of {count}")
    return entry.body
