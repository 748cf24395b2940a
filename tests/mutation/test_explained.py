"""The list of explained mutants, and what the operators do."""

from __future__ import annotations

import pytest

from tests.mutation.explained import FILE, explained


def test_every_entry_is_read() -> None:
    text = FILE.read_text(encoding="utf-8")
    found = explained(text)
    assert len(found) == sum(line.startswith("- `") for line in text.splitlines()) > 0
    assert all(before != after for _, _, before, after in found)


def test_operators_do_what_their_examples_say() -> None:
    mutating = pytest.importorskip("cosmic_ray.mutating", reason="needs the extra mutation")
    from tests.mutation.operators import OWN

    for operator in OWN:
        for example in operator.examples():
            code = mutating.mutate_code(example.pre_mutation_code, operator(), example.occurrence)
            assert code == example.post_mutation_code
