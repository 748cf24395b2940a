"""Runs tests over a mutant, in a copy of the project that nobody else uses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.mutation.mutants import Mutant

LEFT_OUT = (".git", "__pycache__", ".venv", ".hypothesis", ".*_cache", "build", "dist", "*.egg-info")
OPTIONS = ["-x", "-q", "--tb=no", "-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider"]
OPTIONS += ["-p", "pytest_trio", "-p", "pytest_asyncio.plugin"]
LIBRARIES = ("trio", "asyncio", "hypothesis.strategies", "cryptography.x509", "msgpack", "msgspec")
HOUR = 3600


class Copy:
    """A copy of the project, and a process that runs tests in it; to be used by ``with``."""

    def __init__(self, root: Path, folder: Path, loaded: tuple[str, ...] = ()) -> None:
        """``loaded`` are modules to load once for all tests: such as are not mutated."""
        self.root = folder / "copy"
        shutil.copytree(root, self.root, ignore=shutil.ignore_patterns(*LEFT_OUT))
        paths = (self.root, self.root / "protocol", self.root / "client")
        environment = {
            **os.environ,
            "CI": "true",  # hypothesis then tries the same examples each time
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PYTHONHASHSEED": "0",
        }
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.mutation.server", *LIBRARIES, *loaded],
            cwd=self.root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._server.terminate()
        self._server.communicate()

    def seconds(self, tests: tuple[str, ...]) -> int:
        """The processor time that these tests take without a mutant; `SystemExit` if they do not pass."""
        told = self._run(tests, HOUR, keep_bytecode=True)
        if told["status"] != 0:
            raise SystemExit(
                f"The tests do not pass as they are: {' '.join(tests)}\n{told['output'][-3000:]}"
            )
        return round(told["seconds"])

    def kills(self, mutant: Mutant, tests: tuple[str, ...], limit: int) -> str:
        """The first test that fails over a mutant, or why they did not end; empty if all pass.

        ``limit`` is the processor time, in seconds, after which they are taken not to end: that of a clock
        would depend on what else the machine does.
        """
        path = self.root / mutant.path
        source = path.read_text(encoding="utf-8")
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()  # it is younger than a second, and would be taken for that of the mutant
        path.write_text(mutant.code, encoding="utf-8")
        try:
            told = self._run(tests, limit)
        finally:
            path.write_text(source, encoding="utf-8")
        if told["status"] == 0:
            return ""
        if told["status"] < 0:
            return "no end"
        failed = [line for line in told["output"].splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return failed[0].split(" - ")[0] if failed else f"status {told['status']}"

    def _run(self, tests: tuple[str, ...], limit: int, *, keep_bytecode: bool = False) -> dict[str, Any]:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        wanted = {"options": [*OPTIONS, *tests], "limit": limit, "keep bytecode": keep_bytecode}
        self._server.stdin.write(json.dumps(wanted) + "\n")
        self._server.stdin.flush()
        told: dict[str, Any] = json.loads(self._server.stdout.readline())
        return told
