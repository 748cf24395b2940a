"""What a game may tell besides its rules: facts for tables of games, prospects for bots (engine 7.4, 7.6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from oaknet.kernel.ask import Option


class Facts(NamedTuple):
    """Of one seat: what it played as, by which games are told apart, and what can be counted and averaged."""

    groups: dict[str, str]
    counts: dict[str, int]


Statistics: TypeAlias = Callable[[Any, int, Sequence[tuple[str, Option]]], Facts]
"""``facts(state, seat, answers)`` of a finished game; ``answers`` are all of that seat, each with what it was
asked about, in order."""


def no_facts(state: Any, seat: int, answers: Sequence[tuple[str, Option]]) -> Facts:
    """Those of a game that keeps none."""
    return Facts({}, {})


Prospects: TypeAlias = Callable[[Any], Sequence[int]]
"""``prospects(state)``: what each seat may expect to have in the end, in hundredths of a point."""
