"""oak 18: the table of every card with its clause and test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oaknet.oak.tables import ARTIFACTS, CREATURES, DRUIDS, MOOTS, ORDERS, POTIONS

ROOT = Path(__file__).parents[3]
SPEC = (ROOT / "specs" / "oak.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+?) \| (\d+\.\d+) \| (test_\w+)::(test_\w+) \|$", SPEC, re.MULTILINE)


def test_the_table_has_every_card_once() -> None:
    due = [
        *(moot.name.title() for moot in MOOTS if moot.temple >= 0),
        "Heart (moot card)",
        *(f"Order of the {order.name.title()}" for order in ORDERS),
        "Menhir",
        "Shrine",
        *(kind.title() for kind in DRUIDS[1:]),
        "Darkwood",
        *(row.name for row in POTIONS.values()),
        *(f"{number} {row.name}" for number, row in ARTIFACTS.items()),
        *(f"{number} {creature.name}" for number, creature in CREATURES.items()),
    ]
    assert [name for name, _, _, _ in ROWS] == due


def test_no_two_cards_share_a_test() -> None:
    tests = [test for _, _, _, test in ROWS]
    assert len(dict.fromkeys(tests)) == len(tests)


@pytest.mark.parametrize(("name", "clause", "module", "test"), ROWS, ids=[row[0] for row in ROWS])
def test_a_card_has_its_clause_and_its_test(name: str, clause: str, module: str, test: str) -> None:
    source = (Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8")
    assert f"\ndef {test}(" in source
    (text,) = re.findall(rf"^{re.escape(clause)} .*?(?=\n\n(?:#|\d+\.\d)|\Z)", SPEC, re.MULTILINE | re.DOTALL)
    word = re.sub(r"^\d+ |^Order of the | \(moot card\)$", "", name)
    assert word.lower() in " ".join(text.split()).lower(), f"clause {clause} does not speak of {name}"
