"""Check a log completely, offline: signatures, links, shares, moves, and the game replayed (transcript 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from oaknet.kernel import H
from oaknet.kernel.rules import rules_digest
from oaknet.registry import UnknownGame
from oaknet_protocol import log
from oaknet_protocol.log import CutInside, Framed, LogFault
from oaknet_protocol.refused import OtherRules, Refused
from oaknet_protocol.result import Result
from oaknet_protocol.signing import Claim
from oaknet_protocol.table import RulesFor
from oaknet_protocol.transcript import Done, Transcript
from oaknet_protocol.wire import BadMessage, Charter, Entry, Record, Sit, decode

OTHER, BROKEN = 3, 4
"""Exit status: another version or other rules; failed verification."""


class BadLog(ValueError):
    """A log that does not verify, with the first fault.

    ``status`` is 3 (a whole header of another version or other rules) or 4. ``step`` and ``kind`` say where,
    as far as known, ``why`` says what; ``valid`` is how many records before it are good, ``result`` how the
    table stands after them, None if there is no table yet.
    """

    def __init__(
        self,
        why: str,
        *,
        status: int = BROKEN,
        step: int | None = None,
        kind: str | None = None,
        valid: int = 0,
        result: Result | None = None,
    ) -> None:
        self.why, self.status, self.step, self.kind = why, status, step, kind
        self.valid, self.result = valid, result
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        where = "" if self.step is None else f" at step {self.step}"
        what = "" if self.kind is None else f" ({self.kind})"
        before = f" The {self.valid} entries before it are valid." if self.valid else ""
        why = self.why[0].upper() + self.why[1:]
        return f"{why}{where}{what}.{before}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A log that verifies: the transcript it makes, its steps, how many records it has, and how it stands."""

    transcript: Transcript
    steps: tuple[Done, ...]
    records: int

    @property
    def result(self) -> Result:
        """How the table stands at the end of the log."""
        return Result.of(self.transcript)


Ahead: TypeAlias = Callable[[Sequence[Claim]], Sequence[bool]]
"""Checks many signatures at once, as `oaknet_protocol.pool.check` does on all cores."""


def verify(data: bytes, rules_for: RulesFor, ahead: Ahead | None = None) -> Reading:
    """Read a whole log; raises `BadLog` with the first fault.

    Signatures are checked one by one as the game is replayed, or by ``ahead`` before; what it finds bad is
    checked again in its place.
    """
    rules_for = cache(rules_for)  # header and opening ask for the same: a data file is read once
    try:
        header, offset = log.read_header(data)
    except LogFault as fault:
        status = OTHER if isinstance(fault, log.OtherVersion) else BROKEN
        raise BadLog(fault.why, status=status, kind="header") from None
    _check_rules(header, rules_for)
    framed, failed = _framed(data, offset)
    if not framed:
        raise _cut(failed, None) if failed else BadLog("the log ends before the table is opened", kind="open")
    transcript = _begin(framed[0].record, header, rules_for)
    known = _known(framed[1:], ahead) if ahead else {}
    return _end(_replay(framed[1:], Reading(transcript, (), 1), known), failed)


Known: TypeAlias = tuple[Entry, bytes]
"""An entry, and the key whose signature is known to be good; empty if none is."""


def _known(framed: list[Framed], ahead: Ahead) -> dict[int, Known]:
    """The entries of a log by offset, their signatures checked for the keys that their charters name."""
    found: dict[int, Known] = {}
    claims: dict[int, Claim] = {}
    peers: dict[bytes, dict[int, bytes]] = {}
    for part in framed:
        kind, data = part.record.kind, part.record.data
        try:
            if kind == "charter":
                charter = decode(Charter, data)
                keys = dict(enumerate(decode(Sit, sit).key for sit, _ in charter.sits))
                seats = enumerate(index for index, _ in charter.seats)
                peers[H("charter", data)] = {seat: keys[index] for seat, index in seats if index in keys}
            elif kind == "entry":
                entry = decode(Entry, data)
                found[part.offset] = (entry, b"")
                key = peers.get(entry.charter, {}).get(entry.author)
                if key is not None:
                    claims[part.offset] = (key, kind, data, part.record.signatures[0])
        except BadMessage:
            break  # the replay says so when it gets there, and reads nothing after it
    for (offset, (key, *_)), good in zip(claims.items(), ahead([*claims.values()]), strict=True):
        if good:
            found[offset] = (found[offset][0], key)
    return found


def go_on(before: Reading, data: bytes) -> Reading:
    """Read on in a log: ``data`` are the records that follow those of ``before``, whose transcript is used up
    by it. Raises `BadLog`; a record that is refused leaves the transcript as it was before it.
    """
    framed, failed = _framed(data, 0)
    return _end(_replay(framed, before, {}), failed)


def _framed(data: bytes, offset: int) -> tuple[list[Framed], LogFault | None]:
    """The whole records from ``offset`` on, and what is wrong with what follows them."""
    try:
        return log.records(data, offset), None
    except LogFault as fault:
        return log.records(data[: fault.offset], offset), fault


def _cut(failed: LogFault, before: Reading | None) -> BadLog:
    kind = "cut" if isinstance(failed, CutInside) else "entry"
    if before is None:
        return BadLog(failed.why, kind=kind)
    step = before.transcript.step.number
    return BadLog(failed.why, step=step, kind=kind, valid=before.records, result=before.result)


def _end(reading: Reading, failed: LogFault | None) -> Reading:
    if failed is not None:
        raise _cut(failed, reading)
    _check_partial(reading)
    return reading


def _check_rules(header: log.Header, rules_for: RulesFor) -> None:
    try:
        rules = rules_for(header.game)
    except UnknownGame as error:
        raise BadLog(str(error).rstrip("."), status=OTHER, kind="header") from None
    ours = rules_digest(rules)
    if header.rules != ours:
        raise BadLog(
            f"this log needs {rules.title} rules {header.rules.hex()[:8]} (engine {header.engine}); "
            f"here they are {ours.hex()[:8]}",
            status=OTHER,
            kind="header",
        )


def _begin(record: Record, header: log.Header, rules_for: RulesFor) -> Transcript:
    try:
        transcript = Transcript.begin(record, rules_for)
        terms = transcript.opening.terms
        if (terms.game, terms.rules, terms.engine) != (header.game, header.rules, header.engine):
            raise Refused("the opening is of another game than the header says", kind="open")
    except Refused as refusal:
        raise _bad(refusal, record.kind, 0, None) from None
    return transcript


def _replay(framed: list[Framed], before: Reading, known: Mapping[int, Known]) -> Reading:
    transcript, steps = before.transcript, list(before.steps)
    for index, part in enumerate(framed, before.records):
        record = part.record
        try:
            if record.kind == "charter":
                steps += transcript.charter(record)
            else:
                entry, key = known.get(part.offset, (None, b""))
                steps += transcript.take(record, entry, signed=key)
        except Refused as refusal:
            raise _bad(refusal, record.kind, index, transcript) from None
    return Reading(transcript, tuple(steps), before.records + len(framed))


def _bad(refusal: Refused, kind: str, index: int, transcript: Transcript | None) -> BadLog:
    step, result = refusal.step, None
    if transcript is not None:
        step = transcript.step.number if step is None else step
        result = Result.of(transcript)
    # the header agreed with our rules, so other rules in the opening are damage, not another version
    why = refusal.why if not isinstance(refusal, OtherRules) else f"the opening does not fit: {refusal.why}"
    return BadLog(why.rstrip("."), step=step, kind=refusal.kind or kind, valid=index, result=result)


def _check_partial(reading: Reading) -> None:
    """A log cut between entries ends with the first authors of a step: a gap means that one was taken out."""
    step, due = reading.transcript.step, reading.transcript.due()
    new = [author for author in step.entries if author not in step.given]
    if step.kind != "over" and new and due and min(due) < max(new):
        raise BadLog(
            f"the entry of seat {min(due)} is missing",
            step=step.number,
            kind=step.kind,
            valid=reading.records,
            result=reading.result,
        )


def rules_named(rules: dict[str, Any]) -> RulesFor:
    """A `RulesFor` over these rules by name, as tests and tools with a data file of their own use it."""

    def find(name: str) -> Any:
        if name not in rules:
            raise UnknownGame(f"There is no game {name!r} here; the games are {', '.join(sorted(rules))}.")
        return rules[name]

    return find
