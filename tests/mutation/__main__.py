"""Changes the code a little and sees whether a test notices: ``python -m tests.mutation``.

Of each group of modules a sample of mutants, decided by a seed, is tested one by one in a copy of the
project. A mutant that no test notices must stand in ``tests/MUTANTS.md`` with the reason why nobody could
notice it; the command ends with status 1 if one does not. It needs the extra ``mutation``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.mutation.explained import FILE, Name, explained, stale
from tests.mutation.mutants import Mutant, mutants, places
from tests.mutation.trial import Copy

ROOT = Path(__file__).parents[2]
PLAN = Path(__file__).with_name("plan.toml")


def arguments(groups: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(groups)}; all without")
    parser.add_argument("--sample", type=int, default=100, help="mutants of each group (100)")
    parser.add_argument("--skip", type=int, default=0, help="pass over the first so many of the sample (0)")
    parser.add_argument("--seed", default="1", help="which sample (1)")
    parser.add_argument("--minutes", type=float, default=120, help="end after so many minutes (120)")
    parser.add_argument("--module", help="mutate this file of the group alone")
    parser.add_argument("--results", type=Path, help="write a line of JSON for each mutant to this file")
    parser.add_argument("--again", type=Path, help="no sample, but what survived by the results in this file")
    asked = parser.parse_args()
    for name in asked.groups:
        if name not in groups:
            parser.error(f"there is no group {name}: choose of {', '.join(groups)}")
    return asked


def chosen(asked: argparse.Namespace, root: Path, patterns: list[str]) -> tuple[int, Iterator[Mutant]]:
    """How many places there are where these modules can be changed, and the mutants to test."""
    files = [path.relative_to(root).as_posix() for one in patterns for path in sorted(root.glob(one))]
    found = [place for path in files if asked.module in (None, path) for place in places(root, path)]
    found.sort(key=lambda place: place.rank(asked.seed))
    if asked.again is None:
        return len(found), islice(mutants(root, found), asked.skip, asked.skip + asked.sample)
    again = survived(asked.again)
    lines = [(path, before) for path, _, before, _ in again]
    near = (p for p in found if any(p.path == path and p.text in before for path, before in lines))
    return len(found), (mutant for mutant in mutants(root, near) if mutant.name in again)


def judged(
    copy: Copy, tests: tuple[str, ...], found: Iterator[Mutant], known: dict[Name, None], ends: float
) -> Iterator[tuple[Mutant, str, str]]:
    """Each mutant with its fate and what killed it, until the time is over."""
    took = copy.seconds(tests)
    print(f"  the tests take {took} s of the processor", flush=True)
    for mutant in found:
        if time.monotonic() > ends:
            print("  the time is over", flush=True)
            return
        killer = copy.kills(mutant, tests, 5 + 2 * took)
        yield mutant, "killed" if killer else "explained" if mutant.name in known else "survived", killer


def main() -> int:
    plan: dict[str, dict[str, list[str]]] = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    asked = arguments([*plan])
    known = explained(FILE.read_text(encoding="utf-8"))
    ends = time.monotonic() + 60 * asked.minutes
    gone = stale(known, ROOT)
    for path, where, before, _ in gone:
        print(f"{FILE.name} explains what is not there any more: {path} {where}: {before}")
    left = len(gone)
    os.nice(10)  # it takes long, and others may want the machine
    for group in asked.groups or plan:
        fates: dict[str, int] = {}
        tests, loaded = (tuple(plan[group].get(name, ())) for name in ("tests", "loaded"))
        with TemporaryDirectory(prefix="oaknet-mutants-") as folder, Copy(ROOT, Path(folder), loaded) as copy:
            count, found = chosen(asked, copy.root, plan[group]["modules"])
            print(f"{group}: {count} places", flush=True)
            for mutant, fate, killer in judged(copy, tests, found, known, ends):
                fates[fate] = fates.get(fate, 0) + 1
                note(asked.results, mutant, fate, killer)
                if fate == "survived":
                    print(f"  {mutant.path}:{mutant.line} {mutant.operator}")
                    print(f"- `{mutant.where}`: `{mutant.before}` → `{mutant.after}`", flush=True)
        told = ", ".join(f"{number} {fate}" for fate, number in sorted(fates.items()))
        print(f"{group}: {told or 'nothing to test'}", flush=True)
        left += fates.get("survived", 0)
    return 1 if left else 0


def note(file: Path | None, mutant: Mutant, fate: str, killer: str) -> None:
    """Add a mutant to a file of results."""
    if file is None:
        return
    facts = {"name": mutant.name, "line": mutant.line, "operator": mutant.operator}
    facts |= {"fate": fate, "killer": killer}
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(facts, ensure_ascii=False) + "\n")


def survived(file: Path) -> dict[Name, None]:
    """The names of those that survived or were explained, by a file of results."""
    rows: list[Any] = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {(a, b, c, d): None for row in rows if row["fate"] != "killed" for a, b, c, d in [row["name"]]}


if __name__ == "__main__":
    sys.exit(main())
