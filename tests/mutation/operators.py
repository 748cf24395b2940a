"""How code is mutated: the operators of cosmic-ray that say something here, and some that it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeAlias

import parso
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator
from parso.python.tree import Keyword, PythonNode
from parso.tree import NodeOrLeaf

Span: TypeAlias = tuple[tuple[int, int], tuple[int, int]]

LIKELY_SLIPS = {
    "Eq": ("NotEq", "LtE", "GtE"),
    "NotEq": ("Eq", "Lt", "Gt"),
    "Lt": ("LtE", "GtE", "NotEq"),
    "LtE": ("Lt", "Gt", "Eq"),
    "Gt": ("GtE", "LtE", "NotEq"),
    "GtE": ("Gt", "Lt", "Eq"),
    "Is": ("IsNot",),
    "IsNot": ("Is",),
}
"""Of each comparison those it may be mistaken for; not ``is`` for ``==``, which makes no difference here."""
SUMS = {
    "Add": ("Sub", "Mul"),
    "Sub": ("Add", "Mul"),
    "Mul": ("Add", "FloorDiv"),
    "FloorDiv": ("Mul", "Mod"),
    "Mod": ("FloorDiv", "Mul"),
    "BitOr": ("BitAnd",),
}


class DropStatement(Operator):  # type: ignore[misc]
    """Replaces a statement within a function by ``pass``; not an assertion, which holds in any case."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[Span]:
        if node.type == "simple_stmt" and node.parent is not None and node.parent.type == "suite":
            first = node.children[0]
            idle = first.type in ("string", "strings", "assert_stmt") or first.get_code(False) == "pass"
            if not idle and _in_function(node):
                yield first.start_pos, first.end_pos

    def mutate(self, node: PythonNode, index: int) -> PythonNode:
        first = node.children[0]
        node.children[0] = Keyword("pass", first.start_pos, first.get_first_leaf().prefix)
        return node

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return (Example("def f():\n    g()\n", "def f():\n    pass\n"),)


class TurnMembership(Operator):  # type: ignore[misc]
    """Replaces ``in`` by ``not in`` and the other way round."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[Span]:
        if node.type == "comparison" and node.children[1].get_code(False) in ("in", "not in"):
            yield node.start_pos, node.end_pos

    def mutate(self, node: PythonNode, index: int) -> PythonNode:
        sign = node.children[1]
        turned = "not in" if sign.get_code(False) == "in" else "in"
        node.children[1] = Keyword(turned, sign.start_pos, sign.get_first_leaf().prefix)
        return node

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return (Example("a in b", "a not in b"), Example("a not in b", "a in b"))


class TurnCondition(Operator):  # type: ignore[misc]
    """Negates the condition of an ``if``, wherever one may stand, of a ``while`` or of an ``assert``."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[Span]:
        for index in self._conditions(node):
            yield node.children[index].start_pos, node.children[index].end_pos

    def mutate(self, node: PythonNode, index: int) -> PythonNode:
        place = self._conditions(node)[index]
        node.children[place] = parso.parse(f" not ({node.children[place].get_code().strip()})")
        return node

    def _conditions(self, node: NodeOrLeaf) -> list[int]:
        if node.type not in ("if_stmt", "while_stmt", "assert_stmt", "test", "comp_if"):
            return []
        signs = ("if", "elif", "while", "assert")
        return [i + 1 for i, child in enumerate(node.children) if child.get_code(False) in signs]

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return (
            Example("[a for a in b if c]", "[a for a in b if not (c)]"),
            Example("while a or b: pass", "while not (a or b): pass"),
            Example("if a:\n    b\nelif c:\n    d", "if a:\n    b\nelif not (c):\n    d", occurrence=1),
            Example("a if b else c", "a if not (b) else c"),
        )


def _in_function(node: NodeOrLeaf) -> bool:
    above = node.parent
    while above is not None and above.type not in ("funcdef", "classdef"):
        above = above.parent
    return above is not None and above.type == "funcdef"


OWN = (DropStatement, TurnMembership, TurnCondition)


@cache
def operators() -> dict[str, Operator]:
    """All operators in use, by name."""
    names = [f"ReplaceComparisonOperator_{old}_{new}" for old, news in LIKELY_SLIPS.items() for new in news]
    names += [f"ReplaceBinaryOperator_{old}_{new}" for old, news in SUMS.items() for new in news]
    names += [
        "ReplaceAndWithOr",
        "ReplaceOrWithAnd",
        "ReplaceTrueWithFalse",
        "ReplaceFalseWithTrue",
    ]
    names += ["ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_Delete_USub", "NumberReplacer"]
    names += ["ZeroIterationForLoop", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak"]
    names += ["ExceptionReplacer", "RemoveDecorator"]
    found: dict[str, Operator] = {name: get_operator(f"core/{name}")() for name in names}
    return {**found, **{one.__name__: one() for one in OWN}}
