"""The exploration of tables with malicious peers, shortly; and rules that are shown to be needed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import pytest

from oaknet_protocol.council import Council
from oaknet_protocol.history import History
from tests.protocol.explore import TABLES, Broken, explore, run

RUNS = 1
"""Of each table; ``python -m tests.protocol.explore 1000`` makes more."""


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_nothing_breaks(table: tuple[int, tuple[int, ...]]) -> None:
    (counts,) = explore(RUNS, [table]).values()
    assert [what for what in counts if what.startswith("BROKEN")] == []
    assert counts["draws seen complete"] > 0


Off = Callable[[], AbstractContextManager[Any]]

RULES: dict[str, tuple[Off, str, int, tuple[int, tuple[int, ...]]]] = {
    "nobody goes back behind a complete draw": (
        lambda: mock.patch.object(History, "drawn_since", return_value=False),
        "I3",
        13,
        (4, (2, 3)),
    ),
    "nothing is signed under a charter that was signed away": (
        lambda: mock.patch.object(Council, "frozen", False),
        "I3",
        4,
        (3, (2,)),
    ),
}
"""How a rule is switched off, what breaks, and in which run of which table it was found to."""


def breaks(first: int, table: tuple[int, tuple[int, ...]]) -> str:
    """What breaks in the first of 60 runs in which something does, beginning with a likely one."""
    for seed in (first, *range(first), *range(first + 1, 60)):
        try:
            run(seed, *table)
        except Broken as broken:
            return str(broken)
    return "nothing"


@pytest.mark.parametrize("rule", RULES)
def test_rule_is_needed(rule: str) -> None:
    off, invariant, first, table = RULES[rule]
    with off():
        assert breaks(first, table).startswith(invariant)
