"""The mutants of a module, those that matter, and a sample of them that a seed decides."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import parso
from cosmic_ray.mutating import MutationVisitor
from cosmic_ray.operators.operator import Operator
from parso.tree import NodeOrLeaf

from tests.mutation.explained import Name
from tests.mutation.operators import operators


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a module: ``before`` and ``after`` are the lines it changes, ``code`` all of it then."""

    path: str
    operator: str
    where: str
    """The function it is in, with its class."""
    line: int
    before: str
    after: str
    code: str

    @property
    def name(self) -> Name:
        return self.path, self.where, self.before, self.after


@dataclass(frozen=True, slots=True)
class Place:
    """Where an operator can be applied: ``occurrence`` counts its places in the module.

    ``text`` is the line there, ``again`` how many such places of the same line come before.
    """

    path: str
    operator: str
    occurrence: int
    text: str
    again: int

    def rank(self, seed: str) -> bytes:
        """What orders the places of a sample; a change of the module leaves those that it does not touch."""
        return sha256(repr((seed, self.path, self.operator, self.text, self.again)).encode()).digest()


def places(root: Path, path: str) -> list[Place]:
    """All places of a module where it can be changed."""
    source = (root / path).read_text(encoding="utf-8")
    lines, tree = source.splitlines(), parso.parse(source)
    found: list[Place] = []
    for name, operator in operators().items():
        before: dict[str, int] = {}
        for occurrence, line in enumerate(_lines(tree, operator)):
            text = lines[line - 1].strip()
            found.append(Place(path, name, occurrence, text, before.get(text, 0)))
            before[text] = before.get(text, 0) + 1
    return found


def mutants(root: Path, found: Iterable[Place]) -> Iterator[Mutant]:
    """The mutants made at these places that do something else when run; no two of them the same.

    Annotations do not count: types are checked apart.
    """
    seen: dict[tuple[str, str], None] = {}
    for place in found:
        source = (root / place.path).read_text(encoding="utf-8")
        code = MutationVisitor.mutate_code(source, operators()[place.operator], place.occurrence)
        assert code is not None, f"{place.path} has no such place: {place.operator} {place.occurrence}"
        try:
            meaning = place.path, _meaning(code)
        except SyntaxError:  # the star before an argument was taken for a product
            continue
        if meaning not in seen and meaning[1] != _meaning(source):
            seen[meaning] = None
            yield _mutant(place.path, place.operator, source, code)


def _lines(node: NodeOrLeaf, operator: Operator) -> Iterator[int]:
    """The lines of the places where an operator can be applied, in the order in which cosmic-ray counts."""
    for (line, _), _ in operator.mutation_positions(node):
        yield line
    for child in getattr(node, "children", ()):
        yield from _lines(child, operator)


class _Bare(ast.NodeTransformer):
    """Takes the annotations of functions and of their variables out of a tree."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant("")
        return self.generic_visit(node)


def _meaning(code: str) -> str:
    return ast.dump(_Bare().visit(ast.parse(code)))


def _mutant(path: str, operator: str, source: str, code: str) -> Mutant:
    old, new = source.splitlines(), code.splitlines()
    changes = [c for c in difflib.SequenceMatcher(None, old, new, False).get_opcodes() if c[0] != "equal"]
    start, end, after_start, after_end = changes[0][1], changes[-1][2], changes[0][3], changes[-1][4]
    before = " ".join(line.strip() for line in old[start:end])
    after = " ".join(line.strip() for line in new[after_start:after_end])
    return Mutant(path, operator, _where(source, start + 1), start + 1, before, after or "nothing", code)


def _where(source: str, line: int) -> str:
    """The innermost function or class around a line, with those around it."""
    names: list[str] = []
    body: list[ast.stmt] = ast.parse(source).body
    while True:
        for node in body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= line <= (node.end_lineno or node.lineno):
                names.append(node.name)
                body = node.body
                break
        else:
            return ".".join(names) or "module"
