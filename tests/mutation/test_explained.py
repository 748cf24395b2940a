"""That the list of explained mutants tells of the code as it is, and the operators of their examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation.explained import FILE, explained

ROOT = Path(__file__).parents[2]
EXPLAINED = [*explained(FILE.read_text(encoding="utf-8"))]


def test_every_entry_is_read() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(EXPLAINED) == sum(line.startswith("- `") for line in text.splitlines()) > 0


@pytest.mark.parametrize(("path", "where", "before", "after"), EXPLAINED)
def test_explained_mutant_changes_code_that_there_is(path: str, where: str, before: str, after: str) -> None:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    assert before in " ".join(line.strip() for line in lines)
    assert before != after
    name = where.rsplit(".", 1)[-1]
    assert name == "module" or any(f"{kind} {name}" in line for kind in ("def", "class") for line in lines)


def test_operators_do_what_their_examples_say() -> None:
    mutating = pytest.importorskip("cosmic_ray.mutating", reason="needs the extra mutation")
    from tests.mutation.operators import OWN

    for operator in OWN:
        for example in operator.examples():
            code = mutating.mutate_code(example.pre_mutation_code, operator(), example.occurrence)
            assert code == example.post_mutation_code
