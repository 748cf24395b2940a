"""Runs tests over a mutant, in a copy of the project that nobody else uses."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.mutation.mutants import Mutant

LEFT_OUT = (".git", "__pycache__", ".venv", ".hypothesis", ".*_cache", "build", "dist", "*.egg-info")
MEMORY = 4 << 30
"""Bytes a mutant may use: one that loops must not fill the machine."""
HOUR = 3600


class Copy:
    """A copy of the project, and the tests of it."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = folder / "copy"
        shutil.copytree(root, self.root, ignore=shutil.ignore_patterns(*LEFT_OUT))
        paths = (self.root, self.root / "protocol", self.root / "client")
        self._environment = {
            **os.environ,
            "CI": "true",  # hypothesis then tries the same examples each time
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PYTHONHASHSEED": "0",
        }

    def seconds(self, tests: tuple[str, ...]) -> int:
        """The processor time that these tests take without a mutant; `SystemExit` if they do not pass."""
        start = _used()
        status, output = self._run(tests, HOUR, keep_bytecode=True)
        if status != 0:
            raise SystemExit(f"The tests do not pass as they are: {' '.join(tests)}\n{output[-3000:]}")
        return round(_used() - start)

    def kills(self, mutant: Mutant, tests: tuple[str, ...], limit: int) -> str:
        """The first test that fails over a mutant, or why they did not end; empty if all pass.

        ``limit`` is the processor time, in seconds, after which they are taken not to end.
        """
        path = self.root / mutant.path
        source = path.read_text(encoding="utf-8")
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()  # it is younger than a second, and would be taken for that of the mutant
        path.write_text(mutant.code, encoding="utf-8")
        try:
            status, output = self._run(tests, limit)
        finally:
            path.write_text(source, encoding="utf-8")
        if status == 0:
            return ""
        if status == -signal.SIGXCPU:
            return "no end"
        failed = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return failed[0].split(" - ")[0] if failed else f"status {status}"

    def _run(self, tests: tuple[str, ...], limit: int, *, keep_bytecode: bool = False) -> tuple[int, str]:
        command = [sys.executable, *([] if keep_bytecode else ["-B"]), "-m", "pytest", "-x", "-q", "--tb=no"]
        command += ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider"]
        command += ["-p", "pytest_trio", "-p", "pytest_asyncio.plugin", *tests]
        done = subprocess.run(
            command,
            check=False,
            cwd=self.root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=HOUR,
            preexec_fn=partial(_bound, limit),
        )
        return done.returncode, done.stdout


def _bound(limit: int) -> None:
    """Before the tests start: processor time, not that of a clock, so that others may use the machine too."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 10))
    os.nice(10)


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
