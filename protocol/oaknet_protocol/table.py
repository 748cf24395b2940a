"""The table itself: its opening, who sits at it and under which charter (transcript 1–2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from oaknet.kernel import BadOptions, H, Rules, WrongSeats
from oaknet.kernel.rules import Options, checked_options, rules_digest
from oaknet.registry import UnknownGame
from oaknet_protocol import wire
from oaknet_protocol.refused import BadCharter, BadSignature, Malformed, OtherRules
from oaknet_protocol.signing import fingerprint, verify
from oaknet_protocol.wire import BadMessage, Charter, Open, Record, Sit

NOBODY = 255
"""The sit index of a charter seat that nobody plays."""
PLAYED, ABSENT, OUT_OF_TIME, RESIGNED, CHEATED = range(5)
"""Why a charter seat is as it is."""
LONGEST_JUMP = 16
"""How far the number of a charter may be above the last that a peer has signed, for it to sign."""

SITS_CHECKED = 256
"""Sits whose signatures are remembered to be good or bad."""

TABLE_OPTIONS = {
    "grace": ("600", r"0|[1-9][0-9]{0,5}", "seconds that an absent peer is waited for"),
    "clock": (
        "none",
        r"none|[1-9][0-9]{0,5}\+[0-9]{1,4}",
        "none, or seconds of a bank and of each move: 900+10",
    ),
}
"""Options of every table: default, what a value looks like, what it means (transcript 1.3)."""

RulesFor: TypeAlias = Callable[[str], Rules[Any]]
"""Finds the rules of a game by name; raises `UnknownGame`."""

T = TypeVar("T", Open, Sit, Charter, wire.Entry, wire.Chat, wire.At)


def read(kind: type[T], data: bytes) -> T:
    """Decode something signed; raises `Malformed`."""
    try:
        return wire.decode(kind, data)
    except BadMessage as error:
        raise Malformed(str(error), kind=kind.__name__.lower()) from None


def named_options(rules: Rules[Any], seats: int, options: Options) -> dict[str, str]:
    """The options that an opening names, by name: all of the game's, and those of every table that are not
    left at their defaults.

    Raises `oaknet.kernel.WrongSeats` or `oaknet.kernel.BadOptions`.
    """
    own = {name: options.get(name, default) for name, (default, _, _) in TABLE_OPTIONS.items()}
    for name, value in own.items():
        _, pattern, text = TABLE_OPTIONS[name]
        if not re.fullmatch(pattern, value):
            raise BadOptions(f"Option {name!r} is {text}; not {value!r}.")
    game = {name: value for name, value in options.items() if name not in own}
    chosen = {name: value for name, value in own.items() if value != TABLE_OPTIONS[name][0]}
    return dict(sorted({**chosen, **checked_options(rules, seats, game)}.items()))


@dataclass(frozen=True, slots=True)
class Opening:
    """A checked opening: ``table`` is its id (32 bytes), ``rules`` are ours and agree with it."""

    record: Record
    table: bytes
    terms: Open
    rules: Rules[Any]

    def table_option(self, name: str) -> str:
        """The value of an option of every table (`TABLE_OPTIONS`)."""
        return dict(self.terms.options).get(name, TABLE_OPTIONS[name][0])

    @property
    def options(self) -> dict[str, str]:
        """The options of the game alone."""
        return {name: value for name, value in self.terms.options if name not in TABLE_OPTIONS}

    @classmethod
    def check(cls, record: Record, rules_for: RulesFor) -> Opening:
        """Raises `Malformed`, `BadSignature`, or `OtherRules` where ours differ from the opener's."""
        terms = read(Open, record.data)
        if terms.version != wire.VERSION:
            raise OtherRules(f"it speaks protocol version {terms.version}; this is version {wire.VERSION}")
        if record.kind != "open" or not verify(terms.key, "open", record.data, record.signatures[0]):
            raise BadSignature("the opening is not signed by its opener", kind="open")
        try:
            rules = rules_for(terms.game)
        except UnknownGame as error:
            raise OtherRules(str(error), kind="open") from None
        ours = rules_digest(rules)
        if terms.rules != ours:
            raise OtherRules(
                f"it was opened with {rules.title} rules {terms.rules.hex()[:8]} of version {terms.engine};"
                f" here they are {ours.hex()[:8]}",
                kind="open",
            )
        try:
            complete = named_options(rules, terms.seats, dict(terms.options))
        except (WrongSeats, BadOptions) as error:
            raise BadCharter(str(error), kind="open") from None
        if tuple(complete.items()) != terms.options:
            raise BadCharter("the opening does not name every table option", kind="open")
        return cls(record, H("open", record.data), terms, rules)


@lru_cache(maxsize=SITS_CHECKED)
def _sit_signed(key: bytes, data: bytes, signature: bytes) -> bool:
    """Whether a sit is signed: checked once, though it stands in every charter of its peer."""
    return verify(key, "sit", data, signature)


def check_sit(opening: Opening, data: bytes, signature: bytes) -> Sit:
    """The sit of a peer at this table; raises `Malformed`, `BadCharter` or `BadSignature`."""
    sit = read(Sit, data)
    if sit.table != opening.table:
        raise BadCharter("it sits at another table", kind="sit")
    if not _sit_signed(sit.key, data, signature):
        raise BadSignature(f"the sit of {fingerprint(sit.key)} is not signed by it", kind="sit")
    if len(sit.names) > opening.terms.seats:
        raise BadCharter(f"it takes {len(sit.names)} of {opening.terms.seats} seats", kind="sit")
    return sit


@dataclass(frozen=True, slots=True)
class Seating:
    """A checked charter: who plays which charter seat.

    ``peers`` has the key of each charter seat's peer or None, ``why`` how each seat is (`PLAYED` …),
    ``names`` the name of each, ``sits`` the sits by key, in the order of the keys.
    """

    record: Record
    id: bytes
    charter: Charter
    sits: dict[bytes, Sit]
    peers: tuple[bytes | None, ...]
    names: tuple[str, ...]
    why: tuple[int, ...]

    @classmethod
    def check(
        cls, opening: Opening, record: Record, before: Seating | None, *, whole: bool = True
    ) -> Seating:
        """Check all that a charter says but its place in the transcript, which `Transcript.charter` checks.

        With ``whole=False`` signatures may still be missing (empty), as while they are gathered. Raises
        `Malformed`, `BadCharter` or `BadSignature`.
        """
        charter = read(Charter, record.data)
        last = before.charter.number if before else 0
        if charter.table != opening.table:
            raise BadCharter("a charter of another table", kind="charter")
        if charter.number <= last:
            raise BadCharter(f"charter number {charter.number} cannot follow {last}", kind="charter")
        sits: dict[bytes, Sit] = {}
        for data, signature in charter.sits:
            sit = check_sit(opening, data, signature)
            if sits and sit.key <= max(sits):
                raise BadCharter("its sits are not in the order of their keys", kind="charter")
            sits[sit.key] = sit
        if record.kind != "charter" or len(record.signatures) != len(sits):
            raise BadSignature("not one signature for each of its peers", kind="charter")
        for key, signature in zip(sits, record.signatures, strict=True):
            if (whole or signature) and not verify(key, "charter", record.data, signature):
                raise BadSignature(f"the charter is not signed by {fingerprint(key)}", kind="charter")
        names = before.names if before else tuple(name for sit in sits.values() for name in sit.names)
        peers = _peers(charter, list(sits), opening.terms.seats)
        if before is None:
            if charter.parent or charter.draw != 1 or charter.given:
                raise BadCharter("a first charter that follows another", kind="charter")
            everybody = tuple((index, PLAYED) for index, sit in enumerate(sits.values()) for _ in sit.names)
            if charter.seats != everybody:
                raise BadCharter("the first charter does not seat everybody in order", kind="charter")
        why = tuple(reason for _, reason in charter.seats)
        return cls(record, H("charter", record.data), charter, sits, peers, names, why)

    def with_record(self, record: Record) -> Seating:
        """The same charter with other signatures."""
        return replace(self, record=record)

    def signed_by(self, key: bytes) -> bool:
        """Whether the signature of a peer in it is there."""
        return any(
            one == key and signature for one, signature in zip(self.sits, self.record.signatures, strict=True)
        )

    def parent_of(self) -> tuple[bytes, int, bytes]:
        """What a later charter goes on from: charter id, step, T."""
        parent = self.charter.parent
        if len(parent) != 3 or not isinstance(parent[0], bytes) or not isinstance(parent[2], bytes):
            raise BadCharter("a later charter without a parent", kind="charter")
        return parent[0], int(parent[1]) if type(parent[1]) is int else -1, parent[2]

    def author(self, key: bytes) -> int | None:
        """The lowest charter seat of a peer, its author of shares and results; None without a seat."""
        return self.peers.index(key) if key in self.peers else None


def _peers(charter: Charter, keys: list[bytes], seats: int) -> tuple[bytes | None, ...]:
    if len(charter.seats) != seats:
        raise BadCharter(f"it has {len(charter.seats)} seats at a table of {seats}", kind="charter")
    for index, why in charter.seats:
        if why > CHEATED or (index == NOBODY) != (why != PLAYED) or (index != NOBODY and index >= len(keys)):
            raise BadCharter("a seat that is neither played nor said to be empty", kind="charter")
    seated = [index for index, _ in charter.seats]
    if not all(index in seated for index in range(len(keys))):
        raise BadCharter("it is to be signed by a peer without a seat", kind="charter")
    return tuple(None if index == NOBODY else keys[index] for index in seated)
