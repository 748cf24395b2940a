"""Check a log completely, offline: signatures, links, shares, moves, and the game replayed (transcript 9)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from oaknet.kernel.rules import rules_digest
from oaknet.registry import UnknownGame
from oaknet_protocol import log
from oaknet_protocol.log import CutInside, Framed, LogFault
from oaknet_protocol.refused import OtherRules, Refused
from oaknet_protocol.result import Result
from oaknet_protocol.table import RulesFor
from oaknet_protocol.transcript import Done, Transcript

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
    """A log that verifies: the transcript it makes, its steps, and how it stands."""

    transcript: Transcript
    steps: tuple[Done, ...]
    records: int

    @property
    def result(self) -> Result:
        """How the table stands at the end of the log."""
        return Result.of(self.transcript)


def verify(data: bytes, rules_for: RulesFor) -> Reading:
    """Read a whole log; raises `BadLog` with the first fault."""
    rules_for = cache(rules_for)  # header and opening ask for the same: a data file is read once
    try:
        header, offset = log.read_header(data)
    except LogFault as fault:
        status = OTHER if isinstance(fault, log.OtherVersion) else BROKEN
        raise BadLog(fault.why, status=status, kind="header") from None
    _check_rules(header, rules_for)
    failed: LogFault | None = None
    try:
        framed = log.records(data, offset)
    except LogFault as fault:
        failed = fault
        framed = log.records(data[: fault.offset], offset)
    reading = _replay(framed, header, rules_for)
    if failed is not None:
        kind = "cut" if isinstance(failed, CutInside) else "entry"
        step = reading.transcript.step.number if reading else None
        result = reading.result if reading else None
        raise BadLog(failed.why, step=step, kind=kind, valid=len(framed), result=result)
    if reading is None:
        raise BadLog("the log ends before the table is opened", kind="open")
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


def _replay(framed: list[Framed], header: log.Header, rules_for: RulesFor) -> Reading | None:
    transcript: Transcript | None = None
    steps: list[Done] = []
    for index, part in enumerate(framed):
        record = part.record
        try:
            if transcript is None:
                transcript = Transcript.begin(record, rules_for)
                terms = transcript.opening.terms
                if (terms.game, terms.rules, terms.engine) != (header.game, header.rules, header.engine):
                    raise Refused("the opening is of another game than the header says", kind="open")
            elif record.kind == "charter":
                steps += transcript.charter(record)
            else:
                steps += transcript.take(record)
        except Refused as refusal:
            raise _bad(refusal, record.kind, index, transcript) from None
    return None if transcript is None else Reading(transcript, tuple(steps), len(framed))


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
    if step.kind == "over" or not step.entries or not due:
        return
    if min(due) < max(step.entries):
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
