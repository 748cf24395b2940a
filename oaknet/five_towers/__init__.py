"""5 Towers: bid for cards, build five towers (specs/five_towers.md)."""

from __future__ import annotations

from oaknet.five_towers.rules import FiveTowers
from oaknet.five_towers.state import State
from oaknet.kernel import Rules

__all__ = ["FiveTowers", "State", "make"]


def make(text: str) -> Rules[State]:
    """The rules with the numbers in this data file text; raises `oaknet.kernel.DataFault`."""
    return FiveTowers(text)
