"""The mutants of a module, those that matter, and a sample of them that a seed decides."""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import parso
from cosmic_ray.mutating import MutationVisitor
from cosmic_ray.operators.operator import Operator

from tests.mutation.operators import operators

Name: TypeAlias = tuple[str, str, str, str]
"""What a mutant is known by: path, function, lines before and after; changes elsewhere do not touch it."""


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


def mutants(root: Path, path: str) -> list[Mutant]:
    """All mutants of a module that do something else when run: annotations do not count, types are checked
    apart; of those that come to the same code there is one."""
    source = (root / path).read_text(encoding="utf-8")
    plain, seen, found = _meaning(source), dict[str, None](), list[Mutant]()
    for name, operator in operators().items():
        for occurrence in range(_positions(source, operator)):
            code = MutationVisitor.mutate_code(source, operator, occurrence)
            assert code is not None, f"{name} has no occurrence {occurrence} in {path}"
            meaning = _meaning(code)
            if meaning != plain and meaning not in seen:
                seen[meaning] = None
                found.append(_mutant(path, name, source, code))
    return found


def sample(found: list[Mutant], count: int, seed: str) -> list[Mutant]:
    """So many of them, in the order in which the seed has them: a larger sample begins with the smaller one,
    and a change of the module leaves in it whatever it does not touch."""
    repeated: dict[Name, int] = {}
    ranked: list[tuple[bytes, Mutant]] = []
    for mutant in found:
        again = repeated[mutant.name] = repeated.get(mutant.name, 0) + 1
        ranked.append((sha256(repr((seed, mutant.name, again)).encode()).digest(), mutant))
    return [mutant for _, mutant in sorted(ranked, key=lambda pair: pair[0])[:count]]


def _positions(source: str, operator: Operator) -> int:
    """How often an operator can be applied to a module."""
    count, nodes = 0, [parso.parse(source)]
    while nodes:
        node = nodes.pop()
        count += sum(1 for _ in operator.mutation_positions(node))
        nodes.extend(getattr(node, "children", ()))
    return count


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
