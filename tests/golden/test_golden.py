"""Every game plays as its golden playthroughs do, here and everywhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oaknet.kernel import choose
from tests.engine.toys import MARKET, Market, MarketState
from tests.golden import perft, playthrough, write

ROOT = Path(__file__).parents[2]


def test_every_game_and_seat_count_has_a_playthrough() -> None:
    due = sorted(playthrough.file(*table).name for table in playthrough.tables())
    assert sorted(file.name for file in playthrough.FOLDER.iterdir()) == due


@pytest.mark.parametrize(("name", "seats", "option"), [*playthrough.tables()])
def test_a_game_plays_as_it_did(name: str, seats: int, option: str) -> None:
    fault = playthrough.fault(name, seats, option)
    assert fault is None, fault


COUNTED = json.loads(perft.FILE.read_text(encoding="ascii"))


@pytest.mark.parametrize("row", COUNTED, ids=lambda row: "{game}-{seats}-after-{after}".format(**row))
def test_there_are_as_many_lines_as_there_were(row: dict[str, Any]) -> None:
    game = perft.position(row["game"], row["seats"], row["after"])
    assert perft.lines(game, row["depth"]) == row["lines"]


def test_every_game_has_its_lines_counted() -> None:
    for name, _, _ in playthrough.tables():
        assert [row["game"] for row in COUNTED].count(name) == perft.POSITIONS


# -- changes are told ----------------------------------------------------------------------------------------


class Generous(Market):
    """Market with another rule under the same version."""

    async def stage(self, s: MarketState) -> None:
        await super().stage(s)
        s.traders[0].points += await choose(0, "gift", (0, 1))


class NextVersion(Generous):
    version = 2


def test_other_rules_under_the_same_version_are_told_to_raise_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for file in playthrough.FOLDER.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.setattr(playthrough, "FOLDER", tmp_path)
    before = playthrough.file("market", 2).read_bytes()
    monkeypatch.setattr(playthrough, "rules", lambda name: Generous())
    fault = playthrough.fault("market", 2)
    assert fault is not None
    assert fault.startswith("market with 2 seats plays differently under the same rules: raise their version")
    assert "\n- 0\ttip\t" in fault
    assert "\n+ 0\ttip\t" in fault
    assert write.main(["market"]) == 1
    assert "raise their version" in capsys.readouterr().err
    assert playthrough.file("market", 2).read_bytes() == before


@pytest.mark.parametrize("rules", [NextVersion(), Market(MARKET.replace("value = 4", "value = 3"))])
def test_a_new_version_or_other_numbers_are_told_to_be_written(
    monkeypatch: pytest.MonkeyPatch, rules: Market
) -> None:
    monkeypatch.setattr(playthrough, "rules", lambda name: rules)
    fault = playthrough.fault("market", 3)
    assert fault is not None
    assert fault.startswith(
        "The playthrough of market with 3 seats is of other rules than these; then write it"
    )


# -- the same everywhere -------------------------------------------------------------------------------------


def replayed(python: str, *arguments: str, **environment: str) -> str:
    """What another process makes of all playthroughs, with the standard library and this checkout only."""
    run = subprocess.run(
        [python, "-S", "-B", *(arguments or ("-m", "tests.golden.playthrough"))],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("seed", ["0", "1", "777"])
def test_every_hash_seed_plays_the_same(seed: str) -> None:
    assert replayed(sys.executable, PYTHONHASHSEED=seed) == playthrough.hashes(replay=False)


IN_LOCALE = """
import locale, runpy
assert locale.setlocale(locale.LC_ALL, {name!r}) == {name!r}
runpy.run_module("tests.golden.playthrough", run_name="__main__")
"""


def locale_folder(name: str, folder: Path) -> dict[str, str]:
    """The environment in which the locale can be set: as it is, or with the locale made in ``folder``."""
    have = subprocess.run(
        [sys.executable, "-S", "-c", f"import locale; locale.setlocale(locale.LC_ALL, {name!r})"],
        capture_output=True,
        check=False,
    )
    if have.returncode == 0:
        return {}
    maker = shutil.which("localedef")
    if maker is None:
        pytest.skip(f"the locale {name} is not installed, and localedef, which would make it, is not either")
    language, _, charset = name.partition(".")
    made = subprocess.run(
        [maker, "-i", language, "-f", charset, str(folder / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    if not (folder / name).exists():
        pytest.skip(f"the locale {name} is not installed and cannot be made: {made.stderr.strip()}")
    return {"LOCPATH": str(folder)}


@pytest.mark.parametrize("name", ["C", "tr_TR.UTF-8"])
def test_every_locale_plays_the_same(name: str, tmp_path: Path) -> None:
    environment = locale_folder(name, tmp_path)
    found = replayed(sys.executable, "-c", IN_LOCALE.format(name=name), LC_ALL=name, **environment)
    assert found == playthrough.hashes(replay=False)


def pythons() -> list[str]:
    """Every Python of 3.11 or newer on the PATH or of pyenv (not its shims, which start one of these)."""
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 30)]
    for folder in sorted(Path.home().glob(".pyenv/versions/*")):
        number = re.match(r"3\.(\d+)", folder.name)
        if number and int(number[1]) >= 11:
            found.append(shutil.which(str(folder / "bin" / "python")))
    paths = [sys.executable, *(path for path in found if path and "/shims/" not in path)]
    return [*dict.fromkeys(map(os.path.realpath, paths))]


@pytest.mark.parametrize("python", pythons(), ids=lambda path: str(path).replace(os.sep, "-").strip("-"))
def test_every_python_plays_the_same(python: str) -> None:
    version = subprocess.run(
        [python, "-S", "-c", "import sys; print(sys.version_info >= (3, 11))"],
        capture_output=True,
        text=True,
        check=False,
    )
    if version.stdout.strip() != "True":
        pytest.skip(f"{python} does not run or is older than 3.11: {version.stderr.strip()[:200]}")
    assert replayed(python) == playthrough.hashes(replay=False)
