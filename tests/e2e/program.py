"""The installed program in processes of its own: started, read line by line, stopped, and looked at."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PROGRAM = str(Path(sysconfig.get_path("scripts")) / "oaknet")
PATIENCE = 30
"""Seconds after which a test fails instead of waiting on: no run comes near."""
PAGE = 4096
"""Bytes of a pipe: a program that is not read stops when it is full, so a game can be held where it is."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """What the program sees: a home of its own and no wishes of who runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OAKNET_", "COV_"))}
    return {**kept, "OAKNET_HOME": str(home), "COLUMNS": "100", "TERM": "dumb", **more}


def oaknet(home: Path, *args: object, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, its standard input being ``typed``."""
    done = subprocess.run(
        [PROGRAM, *map(str, args)],
        env=environment(home, **more),
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done


class Running:
    """A command in progress, leader of a process group of its own; leaving the block ends all of it.

    ``program`` is what runs the program, if it is to be run by something else.
    """

    def __init__(self, home: Path, *args: object, program: Sequence[str] = (PROGRAM,)) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [*program, *map(str, args)],
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pipesize=PAGE,
            start_new_session=True,
        )
        self.keyboard, self.process.stdin = self.process.stdin, None  # `communicate` would close it
        self._rest = b""
        self._watched: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):  # nothing of it is left
            os.killpg(self.process.pid, signal.SIGKILL)
        for pipe in (self.keyboard, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        self.process.wait(PATIENCE)
        for handle in self._watched:
            os.close(handle)

    def line(self) -> str:
        """The next line of standard output with its end; empty where the output ends."""
        assert self.process.stdout is not None
        while b"\n" not in self._rest:
            assert select.select([self.process.stdout], [], [], PATIENCE)[0], "it says nothing"
            more = os.read(self.process.stdout.fileno(), 256)
            if not more:
                return ""
            self._rest += more
        line, end, self._rest = self._rest.partition(b"\n")
        return (line + end).decode()

    def until(self, words: str) -> str:
        """Read up to the first line with these words in it."""
        for line in iter(self.line, ""):
            if words in line:
                return line
        raise AssertionError(f"it never said {words!r}: {self.end()}")

    def end(self) -> tuple[int, str, str]:
        """Read to the end: exit status, standard output and standard error."""
        out, errors = self.process.communicate(timeout=PATIENCE)
        text = (self._rest + out).decode(), errors.decode()
        assert "Traceback" not in "".join(text), text
        return self.process.returncode, *text

    # -- its peers -------------------------------------------------------------------------------------------

    def peers(self) -> list[int]:
        """The processes it has started, each watched from now on."""
        own = str(self.process.pid)
        found: list[int] = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and (entry / "stat").read_text().rpartition(")")[2].split()[1] == own:
                    found.append(int(entry.name))
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended while we looked
        self._watched += [os.pidfd_open(pid) for pid in found]
        return found

    def all_gone(self) -> bool:
        """Wait until every watched process has ended; False if one has not after `PATIENCE` seconds."""
        return all(select.select([handle], [], [], PATIENCE)[0] for handle in self._watched)


def result(output: str) -> dict[str, Any]:
    """The last line of the output, which is the result."""
    record: dict[str, Any] = json.loads(output.splitlines()[-1])
    assert record["event"] == "result", record
    return record


def logs(home: Path) -> list[Path]:
    """The logs of all peers of all tables under a home."""
    return sorted(home.glob("demo/*/peer-*/tables/*/game.oak"))


def verified(home: Path, *logs: Path) -> list[dict[str, Any]]:
    """What ``oaknet verify`` says of logs that are good, in their order."""
    done = oaknet(home, "verify", "--json", *logs)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return [result(line) for line in done.stdout.splitlines()]
