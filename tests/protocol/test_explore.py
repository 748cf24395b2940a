"""The exploration of tables with malicious peers, shortly; and rules that are shown to be needed."""

from __future__ import annotations

import pytest

from tests.protocol.explore import TABLES, explore, run
from tests.protocol.rules_off import RULES
from tests.protocol.watching import Broken

RUNS = 1
"""Of each table; ``python -m tests.protocol.explore 1000`` makes more."""


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_nothing_breaks(table: tuple[int, tuple[int, ...]]) -> None:
    (counts,) = explore(RUNS, [table]).values()
    assert [what for what in counts if what.startswith("BROKEN")] == []
    assert counts["draws seen complete"] > 0


@pytest.mark.parametrize(("table", "seed"), [((5, (2,)), 2), ((5, (2,)), 5), ((4, (1, 2, 3)), 42)], ids=str)
def test_what_once_broke(table: tuple[int, tuple[int, ...]], seed: int) -> None:
    """Five peers that had weighed so much that they signed nothing of each other; a log that lost its end."""
    assert run(seed, *table)["draws seen complete"] > 0


def breaks(first: int, table: tuple[int, tuple[int, ...]], invariant: str) -> str:
    """How an invariant breaks in the first of 40 runs in which it does, beginning with a likely one."""
    for seed in (first, *range(first), *range(first + 1, 40)):
        try:
            run(seed, *table)
        except Broken as broken:
            if str(broken).startswith(invariant):
                return str(broken)
    return "nothing"


@pytest.mark.parametrize("name", RULES)
def test_rule_is_needed(name: str) -> None:
    """Without it, the invariant breaks; with it, it does not in the same run."""
    rule = RULES[name]
    with rule.off():
        assert breaks(rule.seed, rule.table, rule.breaks).startswith(rule.breaks)
    run(rule.seed, *rule.table)
