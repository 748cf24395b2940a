"""The worked example is what the log says, and the vectors have the form that their schema gives."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest

from tests.conformance import make_example
from tests.conformance.schema import faults
from tests.engine.test_specs import ROOT, clauses
from tests.protocol.apart import Table

SPECS = ROOT / "specs"
SCHEMA = json.loads((SPECS / "vectors" / "schema.json").read_text(encoding="utf-8"))
SCHEMA_SPECS = SCHEMA["$defs"]["clause"]["pattern"].split("(")[1].split(")")[0].split("|")
"""The specs whose clauses a vector may name."""
VECTORS = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((SPECS / "vectors").glob("*.json"))
    if file.stem != "schema"
}


def test_the_example_is_what_the_script_makes() -> None:
    text = make_example.FILE.read_text(encoding="utf-8")
    assert text == make_example.example(), "python -m tests.conformance.make_example"


def test_the_example_has_every_byte_of_the_log() -> None:
    text = make_example.FILE.read_text(encoding="utf-8")
    rows = re.findall(r"^[0-9a-f]{4}  ((?:[0-9a-f]{2} ?){1,16})", text, re.MULTILINE)
    assert bytes.fromhex("".join(rows)) == Table().log()


def test_the_vectors_are_as_their_schema_says() -> None:
    assert list(faults(SCHEMA, VECTORS, SCHEMA)) == []


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        (("frames", 0, "bytes"), "0", "/frames/0/bytes: not as"),
        (("frames", 0, "limit"), True, "/frames/0/limit: no integer"),
        (("wire", "hostile", 3, "expect"), "maybe", "/wire/hostile/3/expect: none of"),
        (("beacon", "chains (beacon 2)", 0, "links", 0), [0], "/links/0: fewer than 2"),
        (("engine", "canonical 5.1", 0, "value"), 0.5, "/engine/canonical 5.1/0: none of 2 forms"),
        (("transcript", "result (transcript 7)", "who"), 1, "'who' is not known"),
        (("tls",), {}, "/tls: no array"),
    ],
)
def test_what_is_not_as_the_schema_says_is_found(place: tuple[Any, ...], value: Any, fault: str) -> None:
    changed = copy.deepcopy(VECTORS)
    part: Any = changed
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    found = list(faults(SCHEMA, changed, SCHEMA))
    assert len(found) == 1
    assert fault in found[0]


def cited(vectors: Any) -> set[str]:
    """Every clause that some vector names."""
    if isinstance(vectors, dict):
        own = {vectors["clause"]} if "clause" in vectors else set[str]()
        return own.union(*map(cited, vectors.values()))
    return set[str]().union(*map(cited, vectors)) if isinstance(vectors, list) else set()


def test_every_clause_that_a_vector_names_exists() -> None:
    there = {name: clauses((SPECS / f"{name}.md").read_text(encoding="utf-8")) for name in SCHEMA_SPECS}
    for clause in sorted(cited(VECTORS)):
        spec, *numbers = clause.replace(" to ", " ").split()
        assert [number for number in numbers if number not in there[spec]] == [], clause


def test_the_clauses_of_the_versions_stand_in_their_order() -> None:
    there = [
        tuple(map(int, clause.split("."))) for clause in clauses((SPECS / "versions.md").read_text("utf-8"))
    ]
    assert there == sorted(set(there))
