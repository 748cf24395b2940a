"""Changes the code a little and sees whether a test notices: ``python -m tests.mutation``.

Of each group of modules a sample of mutants, decided by a seed, is tested one by one in a copy of the
project. A mutant that no test notices must stand in ``tests/MUTANTS.md`` with the reason why nobody could
notice it; the command ends with status 1 if one does not. It needs the extra ``mutation``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutation.explained import FILE, explained
from tests.mutation.mutants import Mutant, mutants, sample
from tests.mutation.trial import Copy

ROOT = Path(__file__).parents[2]
PLAN = Path(__file__).with_name("plan.toml")


def main() -> int:
    plan = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(plan)}; all without")
    parser.add_argument("--sample", type=int, default=100, help="mutants of each group (100)")
    parser.add_argument("--skip", type=int, default=0, help="pass over the first so many of the sample (0)")
    parser.add_argument("--seed", default="1", help="which sample (1)")
    parser.add_argument("--minutes", type=float, default=60, help="end after so many minutes (60)")
    parser.add_argument("--module", help="mutate this file of the group alone")
    parser.add_argument("--results", type=Path, help="write a line of JSON for each mutant to this file")
    asked = parser.parse_args()
    if unknown := [name for name in asked.groups if name not in plan]:
        parser.error(f"there is no group {unknown[0]}: choose of {', '.join(plan)}")
    ends = time.monotonic() + 60 * asked.minutes
    known = explained(FILE.read_text(encoding="utf-8"))
    survivors: list[Mutant] = []
    with TemporaryDirectory(prefix="oaknet-mutants-") as folder:
        copy = Copy(ROOT, Path(folder))
        for group in asked.groups or plan:
            paths = [asked.module] if asked.module else _files(plan[group]["modules"])
            tests = tuple(plan[group]["tests"])
            found = [mutant for path in paths for mutant in mutants(ROOT, path)]
            chosen = sample(found, asked.skip + asked.sample, asked.seed)[asked.skip :]
            took = copy.seconds(tests)
            print(f"{group}: {len(chosen)} of {len(found)} mutants; its tests take {took} s", flush=True)
            counts = {"killed": 0, "explained": 0, "survived": 0}
            for mutant in chosen:
                if time.monotonic() > ends:
                    print("The time is over.")
                    break
                killer = copy.kills(mutant, tests, 5 + 2 * took)
                fate = "killed" if killer else "explained" if mutant.name in known else "survived"
                counts[fate] += 1
                _note(asked.results, mutant, fate, killer)
                if fate == "survived":
                    survivors.append(mutant)
                    print(f"  {mutant.path}:{mutant.line} {mutant.operator}", flush=True)
                    print(f"- `{mutant.where}`: `{mutant.before}` → `{mutant.after}`", flush=True)
            print(f"{group}: " + ", ".join(f"{count} {fate}" for fate, count in counts.items()), flush=True)
    return 1 if survivors else 0


def _files(patterns: list[str]) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for one in patterns for path in sorted(ROOT.glob(one))]


def _note(file: Path | None, mutant: Mutant, fate: str, killer: str) -> None:
    if file is None:
        return
    facts = {"path": mutant.path, "line": mutant.line, "where": mutant.where, "operator": mutant.operator}
    facts |= {"before": mutant.before, "after": mutant.after, "fate": fate, "killer": killer}
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(facts, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
