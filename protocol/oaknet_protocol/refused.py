"""Why something signed was not taken: one class a reason, each with its sentence (transcript 6).

All of these are the other side's doing. What a peer asks of its own session wrongly raises
`LocalProtocolError`, so the two are never mixed up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from oaknet_protocol.wire import Record


class LocalProtocolError(ValueError):
    """This side asked its session for something that is not its to do now."""


class Refused(ValueError):
    """A record that was not taken; the state is as it was before.

    ``step`` and ``kind`` say where it belongs, as far as known; ``author`` is its charter seat or None.
    """

    reason: ClassVar[str] = "refused"
    key: bytes = b""

    def __init__(
        self, why: str, *, step: int | None = None, kind: str | None = None, author: int | None = None
    ) -> None:
        super().__init__(why)
        self.why, self.step, self.kind, self.author = why, step, kind, author

    def at(self, step: int | None, kind: str) -> Refused:
        """The same, with step and kind filled in where they were not known."""
        self.step = step if self.step is None else self.step
        self.kind = self.kind or kind
        return self


class Malformed(Refused):
    """Bytes that are no message of this protocol."""

    reason = "malformed"


class BadSignature(Refused):
    """Not signed by whom it should be."""

    reason = "signature"


class OtherRules(Refused):
    """Another protocol version, or a game with other rules or printed numbers."""

    reason = "rules"


class BadCharter(Refused):
    """A charter that does not follow from the one before, or a table that cannot be."""

    reason = "charter"


class Elsewhere(Refused):
    """An entry of another table, charter or transcript."""

    reason = "elsewhere"


class Early(Refused):
    """An entry of a step that has not begun here: it cannot be checked yet."""

    reason = "early"


class Known(Refused):
    """The same record again."""

    reason = "repeated"


class NotDue(Refused):
    """An entry that nobody waits for: out of turn, or after the end."""

    reason = "not due"


class Fault(Refused):
    """A due entry with the right past that the rules do not allow: kept, never applied; its slot is shut."""

    reason = "fault"


class Desync(Refused):
    """An entry that builds on another state: shown, and nobody accused."""

    reason = "desync"


class Fork(Refused):
    """Two different entries in one slot, or charters of one number, that one peer signed.

    ``first`` and ``second`` together prove it; ``key`` is that peer's, where it is known.
    """

    reason = "fork"

    def __init__(
        self,
        why: str,
        first: Record,
        second: Record,
        *,
        step: int | None = None,
        author: int | None = None,
        key: bytes = b"",
    ) -> None:
        super().__init__(why, step=step, kind=second.kind, author=author)
        self.first, self.second, self.key = first, second, key
