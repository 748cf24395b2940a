"""Clocks: a bank of seconds for each seat and some more for each move, by our own time (session 7.4).

Every peer keeps them for itself, from when it could see that a move was due to when the move came; nobody's
clock is told to anybody. Pure: the caller says what time it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Clock:
    """``bank`` and ``increment`` in seconds; times in seconds of any steady clock."""

    bank: float
    increment: float
    used: dict[int, float] = field(default_factory=dict[int, float])
    since: dict[int, float] = field(default_factory=dict[int, float])

    @classmethod
    def of(cls, option: str) -> Clock | None:
        """The clock that a table option asks for, such as ``900+10``; None for ``none``."""
        if option == "none":
            return None
        bank, increment = option.split("+")
        return cls(int(bank), int(increment))

    def due(self, seats: Iterable[int], now: float) -> None:
        """These seats, and no others, owe a move now."""
        owing = sorted(seats)
        for seat in [seat for seat in self.since if seat not in owing]:
            spent = now - self.since.pop(seat)
            self.used[seat] = max(0.0, self.used.get(seat, 0.0) + spent - self.increment)
        for seat in owing:
            self.since.setdefault(seat, now)

    def left(self, seat: int, now: float) -> float:
        """Seconds that a seat has left, below 0 when its flag has fallen."""
        running = now - self.since[seat] if seat in self.since else 0.0
        return self.bank + self.increment * (seat in self.since) - self.used.get(seat, 0.0) - running

    def fallen(self, now: float) -> list[int]:
        """The seats that owe a move and have no time left, ascending."""
        return [seat for seat in sorted(self.since) if self.left(seat, now) < 0]
