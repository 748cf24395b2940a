"""The engine, and the core of the protocol, give the same bytes for the same answers: they use nothing that
could differ from one machine to the next, and load nothing that could."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from oaknet import registry
from tests.engine import purity

ROOT = Path(__file__).parents[2]
ENGINE = sorted((ROOT / "oaknet").rglob("*.py"))
PROTOCOL = ROOT / "protocol" / "oaknet_protocol"
EDGE = (
    "clock",
    "discovery",
    "identity",
    "journal",
    "nat",
    "node",
    "peer",
    "pool",
    "reach",
    "tls",
    "transport",
)
"""What of the protocol uses files, sockets, clocks or the system's randomness; all else is its core."""


def is_core(file: Path) -> bool:
    return file.relative_to(PROTOCOL).parts[0].removesuffix(".py") not in EDGE


CORE = sorted(filter(is_core, PROTOCOL.rglob("*.py")))


def name(file: Path) -> str:
    return str(file.relative_to(ROOT))


@pytest.mark.parametrize("file", [*ENGINE, *CORE], ids=name)
def test_nothing_depends_on_the_machine(file: Path) -> None:
    assert purity.faults(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("file", ENGINE, ids=name)
def test_the_engine_imports_a_few_modules_of_the_standard_library(file: Path) -> None:
    allowed: tuple[str, ...] = (*purity.ENGINE, "oaknet")
    if file.name in ("bots.py", "registry.py"):
        allowed += ("importlib",)
    found = purity.imported(file.read_text(encoding="utf-8"))
    assert [(line, module) for line, module in found if module.split(".")[0] not in allowed] == []


@pytest.mark.parametrize("file", CORE, ids=name)
def test_the_core_of_the_protocol_imports_nothing_of_the_machine(file: Path) -> None:
    edge = tuple(f"oaknet_protocol.{module}" for module in EDGE)
    for line, module in purity.imported(file.read_text(encoding="utf-8")):
        assert module.split(".")[0] not in purity.MODULES, line
        assert ".".join(module.split(".")[:2]) not in edge, line
        assert module.split(".")[0] != "oaknet_client", line


def test_games_know_nothing_of_each_other() -> None:
    packages = {game: registry.package(game) for game in registry.games()}
    for game, package in packages.items():
        for file in (ROOT / package.replace(".", "/")).rglob("*.py"):
            for _, module in purity.imported(file.read_text(encoding="utf-8")):
                others = [other for name, other in packages.items() if name != game]
                assert not module.startswith((*others, "oaknet.registry", "oaknet.bots")), name(file)


@pytest.mark.parametrize(
    "source",
    [
        "hash(x)",
        "id(x)",
        "round(x)",
        "eval(x)",
        "exec(x)",
        "open(x)",
        "x = 0.5",
        "x = 1e3",
        "x = 2j",
        "x = a / b",
        "a /= b",
        "for x in {1, 2}: pass",
        "for x in set(y): pass",
        "[x for x in frozenset(y)]",
        "x = [*{1, 2}]",
        "list({x for x in y})",
        "tuple(a | {1})",
        "next(iter({1}))",
        "max({1, 2}, key=f)",
        "', '.join({'a'})",
        "dict.fromkeys({1})",
        "for x in a.keys() & b.keys(): pass",
        "s = {1, 2}\nfor x in s: pass",
        "s: set[int] = f()\nlist(s)",
        "def f(s: frozenset[int]):\n    return [x for x in s]",
        "s = set()\ns.pop()",
        "s = set()\ndef f():\n    return [*s]",
        "class A:\n    s: set[int]\n    def f(self):\n        return [*self.s]",
        "for x in {1}.union(y): pass",
        "x = os.environ['A']",
        "async def f():\n    with g():\n        await choose()",
        "async def f():\n    try:\n        await choose()\n    finally:\n        g()",
    ],
)
def test_the_check_finds(source: str) -> None:
    assert purity.faults(source)


@pytest.mark.parametrize(
    "source",
    [
        "x = a // b % c",
        "for x in sorted({1, 2}): pass",
        "len({1}), any({1}), 1 in {1, 2}",
        "for x in {1: 2}: pass",
        "for x in dict.fromkeys([1]): pass",
        "def f(a, /, b): return a - b",
        "s: list[int] = f()\nlist(s)",
        "def f():\n    s = {1}\n    return len(s)\ndef g(s):\n    return list(s)",
        "async def f():\n    try:\n        await choose()\n    except ValueError:\n        raise",
    ],
)
def test_the_check_lets_pass(source: str) -> None:
    assert purity.faults(source) == []


def test_imports_are_found_wherever_they_stand() -> None:
    source = "import a.b, c\nfrom d.e import f\ndef g():\n    from oaknet import registry\nfrom . import h\n"
    assert purity.imported(source) == [(1, "a.b"), (1, "c"), (2, "d.e"), (5, "."), (4, "oaknet.registry")]


# -- what is really loaded -----------------------------------------------------------------------------------


def loaded(*modules: str, path: str = "", flags: tuple[str, ...] = ()) -> list[str]:
    """The top-level modules that a new Python has loaded after importing these."""
    code = f"import sys; sys.path[:0] = {path.split()!r}; import {', '.join(modules)}; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, *flags, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return sorted({module.split(".")[0] for module in run.stdout.split()})


def test_the_engine_loads_the_standard_library_only() -> None:
    packages = [registry.package(game) for game in registry.games()]
    bots = [f"{package}.greedy" for package in packages]
    found = loaded("oaknet", "oaknet.registry", "oaknet.bots", *packages, *bots, flags=("-S",))
    own = ("oaknet", "__main__")
    assert [module for module in found if module not in sys.stdlib_module_names and module not in own] == []
    assert not {*found} & {"socket", "asyncio", "ssl", "selectors", "subprocess"}
    kernel_and_games = loaded("oaknet.kernel", *packages, flags=("-S",))
    assert not {*kernel_and_games} & {"random", "tempfile", "pickle"}


def test_importing_the_package_loads_nothing_else_of_it() -> None:
    code = "import sys, oaknet; print(*[m for m in sys.modules if m.startswith('oaknet')])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["oaknet"]


def test_the_session_loads_no_network() -> None:
    found = loaded("oaknet_protocol.session", "oaknet_protocol.verify", path="protocol")
    assert "oaknet_protocol" in found
    assert not {*found} & {"trio", "socket", "asyncio", "ssl", "selectors", "textual", "oaknet_client"}
