"""What source code must not do where the same answers must give the same bytes on every machine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

CALLS = ("hash", "id", "round", "float", "complex", "eval", "exec", "compile", "open", "print", "input")
"""Names whose call depends on the machine, or reads or writes."""

ORDERLESS = ("sorted", "len", "any", "all", "bool", "set", "frozenset", "isinstance")
"""What may be done with all of a set: nothing of it depends on the set's order."""

MODULES = (
    *(
        "random",
        "time",
        "datetime",
        "os",
        "sys",
        "secrets",
        "uuid",
        "locale",
        "platform",
        "calendar",
        "zoneinfo",
    ),
    *("pickle", "marshal", "shelve", "copy", "yaml", "math", "cmath", "decimal", "fractions", "statistics"),
    *(
        "trio",
        "asyncio",
        "socket",
        "ssl",
        "select",
        "selectors",
        "threading",
        "multiprocessing",
        "subprocess",
    ),
    *(
        "io",
        "pathlib",
        "tempfile",
        "shutil",
        "glob",
        "logging",
        "warnings",
        "weakref",
        "gc",
        "ctypes",
        "signal",
    ),
)
"""Modules that bring clocks, chance, the machine, input and output, or numbers that are rounded."""

STANDARD = (
    "__future__",
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "itertools",
    "operator",
)
ENGINE = (*STANDARD, "re", "string", "tomllib", "types", "typing")
"""All the modules that the engine may import, beside its own and `importlib` in the registry and the bots."""


def modules(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every imported module, with the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield node.lineno, "." * node.level
            elif node.module in ("oaknet", "oaknet_protocol"):
                for name in node.names:
                    yield node.lineno, f"{node.module}.{name.name}"
            else:
                yield node.lineno, str(node.module)


class Impure(ast.NodeVisitor):
    """Collects ``faults``: ``"12: hash()"`` and the like."""

    def __init__(self, tree: ast.AST) -> None:
        self.faults: list[str] = []
        self.sets = {*set_names(tree)}
        self.visit(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outside = self.sets
        self.sets = outside | {*set_names(node)}
        self.generic_visit(node)
        self.sets = outside

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def fault(self, node: Any, what: str) -> None:
        self.faults.append(f"{node.lineno}: {what}")

    def is_set(self, node: ast.AST) -> bool:
        match node:
            case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset")):
                return True
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return name in self.sets
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor() | ast.Sub(), right=right):
                return any(self.is_set(side) or is_keys(side) for side in (left, right))
            case ast.Call(func=ast.Attribute(value=value, attr="union" | "intersection" | "difference")):
                return self.is_set(value)
        return False

    def iterated(self, node: ast.AST) -> None:
        if self.is_set(node):
            self.fault(node, "the order of a set")

    def visit_For(self, node: ast.For) -> None:
        self.iterated(node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.iterated(node.iter)
        self.generic_visit(node)

    def visit_Starred(self, node: ast.Starred) -> None:
        self.iterated(node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in CALLS:
            self.fault(node, f"{name}()")
        if name not in ORDERLESS:
            for argument in node.args:
                if name:
                    self.iterated(argument)
        match node.func:
            case ast.Attribute(attr="join" | "fromkeys" | "extend"):
                for argument in node.args:
                    self.iterated(argument)
            case ast.Attribute(value=value, attr="pop") if self.is_set(value):
                self.fault(node, "the order of a set")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, float | complex):
            self.fault(node, f"{node.value} is no whole number")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Div):
            self.fault(node, "division with /")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.Div):
            self.fault(node, "division with /")
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in ("environ", "getenv"):
            self.fault(node, "the environment")
        self.generic_visit(node)

    def visit_With(self, node: ast.With) -> None:
        self.around_a_question(node, "with")

    def visit_Try(self, node: ast.Try) -> None:
        if node.finalbody:
            self.around_a_question(node, "finally")
        self.generic_visit(node)

    def around_a_question(self, node: ast.AST, what: str) -> None:
        # the rule of a dropped clone ends at its question, and would run what follows there
        if any(isinstance(part, ast.Await) for part in ast.walk(node)):
            self.fault(node, f"{what} around a question")
        if what == "with":
            self.generic_visit(node)


def is_keys(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys"


def within(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of the functions in it."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from within(node)


def set_names(scope: ast.AST) -> Iterator[str]:
    """Names that are bound to a set, or are annotated as one, in a module or function."""
    for node in within(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value):
                match value:
                    case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset")):
                        yield name
            case (
                ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name), annotation=kind)
                | ast.arg(arg=name, annotation=kind)
            ) if kind is not None and ast.unparse(kind).startswith(("set[", "frozenset[", "AbstractSet[")):
                yield name


def faults(source: str) -> list[str]:
    """All that is wrong with a module, imports aside."""
    return Impure(ast.parse(source)).faults


def imported(source: str) -> list[tuple[int, str]]:
    """The modules that a module imports, with the lines."""
    return [*modules(ast.parse(source))]
