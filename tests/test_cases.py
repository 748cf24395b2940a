"""The lists of `tests/CASES.md`: every test they name exists; and what no other test holds of them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TEXT = (TESTS / "CASES.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([\w/]+\.py)::(\w+)`", TEXT)
NUMBERS = (
    *(
        1,
        2,
        3,
        4,
        6,
        7,
        13,
        15,
        16,
        17,
        19,
        20,
        21,
        22,
        25,
        27,
        28,
        29,
        31,
        32,
        34,
        35,
        36,
        37,
        39,
        40,
        41,
        43,
    ),
    *(44, 45, 46, 47, 48, 49, 50, 51, 53, 54, 55, 56, 57, 58, 60, 62, 64, 65, 66, 69, 70, 71, 73, 74, 75, 76),
    *(78, 79, 81),
)
"""The cases that there are."""


def test_every_test_named_exists() -> None:
    found: dict[str, str] = {}
    for file, name in NAMED:
        text = found.setdefault(file, (TESTS / file).read_text(encoding="utf-8"))
        assert re.search(rf"^(async )?def {name}\(", text, re.MULTILINE), f"{file} has no {name}"


def test_every_row_names_a_test() -> None:
    attacks, failures = TEXT.split("## Attacks")[1].split("## Failures of other programs")
    for chapter, title in ((attacks, "| attack "), (failures, "| | kind")):
        rows = [line for line in chapter.splitlines() if line.startswith("| ") and title not in line]
        assert len(rows) >= 20
        assert [row for row in rows if "::" not in row] == []
    numbers = re.findall(r"^\| (\d+) \|", failures, re.MULTILINE)
    assert tuple(map(int, numbers)) == NUMBERS


RUNS = ("eval", "exec", "compile", "__import__")
READERS = ("pickle", "marshal", "shelve", "dill", "yaml", "joblib", "jsonpickle")


@pytest.mark.parametrize("package", ["oaknet", "protocol/oaknet_protocol", "client/oaknet_client"])
def test_nothing_that_is_read_can_run(package: str) -> None:
    """No file and no message is read by anything that could run what is in it."""
    files = sorted((TESTS.parent / package).rglob("*.py"))
    assert files
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name.split(".")[0] for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [(node.module or "").split(".")[0]]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                names = [name for name in RUNS if name == node.func.id]
            wrong = [name for name in names if name in (*READERS, *RUNS)]
            assert wrong == [], f"{file.name}, line {getattr(node, 'lineno', 0)}: {wrong}"
