"""Starts tests in processes that have the libraries already: a child for each line of JSON on the input.

Run in the copy of the project that is to be tested, with the modules to load beforehand as arguments: none of
them may be one that is mutated. For each child a line of JSON tells how it ended.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import tempfile

import pytest

MEMORY = 4 << 30
"""Bytes a mutant may use: one that loops must not fill the machine."""


def started(options: list[str], limit: int, output: int) -> int:
    """Run pytest in a child within ``limit`` seconds of the processor; its exit status, or -1 if killed."""
    child = os.fork()
    if child == 0:
        status: int = pytest.ExitCode.INTERNAL_ERROR
        try:
            os.dup2(output, 1)
            os.dup2(output, 2)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            status = pytest.main(options)
            sys.stdout.flush()
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    return os.WEXITSTATUS(ended) if os.WIFEXITED(ended) else -1


def main() -> None:
    for name in sys.argv[1:]:
        importlib.import_module(name)
    for line in sys.stdin:
        wanted = json.loads(line)
        sys.dont_write_bytecode = not wanted["keep bytecode"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryFile() as output:
            status = started(wanted["options"], wanted["limit"], output.fileno())
            output.seek(0)
            text = output.read().decode(errors="replace")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(json.dumps({"status": status, "output": text, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
