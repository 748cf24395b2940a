"""The clauses that the code of the engine and the protocol cites are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oaknet import registry

ROOT = Path(__file__).parents[2]
KERNEL = ("engine", "transport", "wire", "beacon", "transcript", "session", "invite", "discovery")
SPECS = {
    **{name: f"{name}.md" for name in KERNEL},
    **{game.replace("_", " "): f"{game}.md" for game in registry.games()},
}


def clauses(text: str) -> list[str]:
    """The numbers of a spec's chapters (``## 2. …``) and clauses (``2.3 …``)."""
    pattern = r"^(?:#+ (\d+(?:\.\d+)*)\. |(?:- |\*\*)*(\d+(?:\.\d+)+)\.?(?:\*\*)? )"
    return [chapter or clause for chapter, clause in re.findall(pattern, text, re.MULTILINE)]


def cited(name: str) -> list[tuple[str, str]]:
    """Every citation of a spec in the engine and the protocol: the clause, and where."""
    files = [file for folder in ("oaknet", "protocol") for file in sorted((ROOT / folder).rglob("*.py"))]
    return [
        (match[1], str(file.relative_to(ROOT)))
        for file in files
        for match in re.finditer(rf"\b{name} (\d+(?:\.\d+)*)", file.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("name", SPECS)
def test_every_clause_that_is_cited_exists(name: str) -> None:
    there = clauses((ROOT / "specs" / SPECS[name]).read_text(encoding="utf-8"))
    citations = cited(name)
    assert citations
    assert [(clause, file) for clause, file in citations if clause not in there] == []


@pytest.mark.parametrize("name", SPECS)
def test_no_clause_has_the_number_of_another(name: str) -> None:
    there = clauses((ROOT / "specs" / SPECS[name]).read_text(encoding="utf-8"))
    assert len({*there}) == len(there)


@pytest.mark.parametrize("name", KERNEL)
def test_the_clauses_stand_in_their_order(name: str) -> None:
    there = clauses((ROOT / "specs" / SPECS[name]).read_text(encoding="utf-8"))
    numbers = [tuple(map(int, clause.split("."))) for clause in there]
    assert numbers == sorted(numbers)
