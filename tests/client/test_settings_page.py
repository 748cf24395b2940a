"""Settings and players on the screen: what is changed there is in the files at once."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from oaknet_client.config import Config, put, read_config
from oaknet_client.players import FILE, Players, edited
from oaknet_client.screen.page import Rows
from tests.client.homes import HOSTILE, Home, at_home

ANN, BEN = bytes([1]) * 32, bytes([2]) * 32
MONDAY = datetime.date(2026, 11, 30)


@pytest.fixture
def known(home: Path) -> Path:
    with edited(home / FILE) as players:
        players.meet(ANN, "Ann", MONDAY)
        players.meet(BEN, "Ben [/] [@click=x]", MONDAY)
    return home / FILE


def put_down(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)


def inside(home: Path) -> list[str]:
    return [path.name for path in home.iterdir()]


async def write(h: Home, *texts: str) -> None:
    """Write in the line, one text after the other, each with Enter."""
    for text in texts:
        await h.until(lambda: h.app.focused is h.line)
        h.line.value = text
        await h.pilot.press("enter")


@pytest.mark.asyncio
async def test_every_setting_by_key_and_its_line_in_the_file(home: Path) -> None:
    put_down(home / "config.toml", '# mine\nname = "Ann"\n')
    async with at_home(read_config()) as h:
        await h.pilot.press("s")
        await h.opened("Settings")
        await h.pilot.press("n")
        await write(h, "x" * 25)
        assert h.about.startswith("Name must be 1 to 24")
        await write(h, "Ann K.")
        await h.pilot.press("p")
        for wrong in ("65536", "x", "-1", "²"):
            await write(h, wrong)
            assert h.about == "Port must be a number from 0 to 65535.", wrong
        await write(h, "4711")
        await h.pilot.press("c", "b", "a", "escape")
        await h.opened("oaknet · Ann K.")
    assert read_config() == Config("Ann K.", "", "draw", 4711, bell=False, ascii=True)
    assert (home / "config.toml").read_text().splitlines().count("# mine") == 1
    assert inside(home) == ["config.toml"]


@pytest.mark.asyncio
async def test_a_theme_shows_at_once_and_the_mouse_sets_too(home: Path) -> None:
    async with at_home() as h:
        await h.pilot.press("s")
        await h.opened("Settings")
        before = h.app.theme
        assert await h.pilot.click("#rows", offset=(6, 1))
        await h.until(lambda: h.app.theme != before)
        assert read_config().theme == h.app.theme
        await h.pilot.press("left")
        await h.until(lambda: h.app.theme == before)
        assert read_config().theme == before
        assert await h.pilot.click("#rows", offset=(6, 3))
        await h.until(lambda: not read_config().bell)
        assert "‹ no ›" in h.text()


@pytest.mark.asyncio
async def test_a_setting_that_cannot_be_written_stays_as_it_was(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "config.toml")

    async with at_home() as h:
        await h.pilot.press("s")
        await h.opened("Settings")
        monkeypatch.setattr("oaknet_client.files.put", full)
        await h.pilot.press("b")
        assert h.about == "config.toml: No space left on device."
        assert h.text().count("‹ yes ›") == 1
    assert not (home / "config.toml").exists()


def test_a_file_is_whole_or_as_it_was(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("name", "Ann")

    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="Input/output"):
        put("name", "Ben")
    assert read_config().name == "Ann"
    assert [path.name for path in home.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    ("before", "key"),
    [('"name" = "Ann"\n', "name"), ('theme = """\nx"""\nport = 1\n', "theme"), ("bell=false\n", "bell")],
)
def test_a_setting_is_found_however_it_is_written_or_left_alone(home: Path, before: str, key: str) -> None:
    home.mkdir()
    (home / "config.toml").write_text(before)
    if key == "theme":
        with pytest.raises(Exception, match="Set theme there yourself"):
            put(key, "nord")
        assert (home / "config.toml").read_text() == before
    else:
        put(key, True if key == "bell" else "Ben")
        assert len((home / "config.toml").read_text().splitlines()) == 1
        assert read_config().name == "Ben" or read_config().bell


def test_a_name_that_others_could_not_be_shown() -> None:
    with pytest.raises(Exception, match="48 cells wide"):
        put("name", "漢" * 24)


@pytest.mark.asyncio
async def test_players_are_renamed_blocked_and_forgotten(known: Path) -> None:
    async with at_home() as h:
        await h.pilot.press("p")
        await h.opened("Players")
        assert "first seen 2026-11-30" in h.text()
        ann = Players.read(known).get(ANN)
        assert ann is not None
        assert ann.fingerprint in h.text()
        await h.pilot.press("r")
        await write(h, "", "Anne")
        assert h.about == f"{ann.fingerprint} is Anne to you now."
        assert "calls themselves Ann" in " ".join(h.text().split())
        await h.pilot.press("b")
        assert "Anne (blocked)" in h.text()
        assert Players.read(known).blocked(ANN)
        await h.pilot.press("b")
        assert h.about == "Anne is not blocked any more."
        assert not Players.read(known).blocked(ANN)
        await h.pilot.press("f", "down", "up", "f")
        assert h.about == "f again forgets Anne: the next time is the first."
        await h.pilot.press("f")
        assert h.about == "Anne is forgotten."
    assert [player.key for player in Players.read(known)] == [BEN]


@pytest.mark.asyncio
async def test_players_by_mouse_and_what_others_call_themselves_is_inert(known: Path) -> None:
    async with at_home(size=(120, 36)) as h:
        await h.pilot.press("p")
        await h.opened("Players")
        assert "Ben [/] [@click=x]" in h.text()
        column = h.text().splitlines()[-1].index("b Block")
        assert await h.pilot.click("#rows", offset=(6, 2))  # opens the line for the second one
        await write(h, HOSTILE)
        assert h.about.startswith("That cannot be a name")
        await h.pilot.press("escape")
        assert await h.pilot.click("KeyLine", offset=(column, 0))
        await h.until(lambda: Players.read(known).blocked(BEN))
        assert not Players.read(known).blocked(ANN)


@pytest.mark.asyncio
async def test_a_broken_file_of_players_is_said(home: Path) -> None:
    put_down(home / FILE, "nonsense")
    async with at_home() as h:
        await h.pilot.press("p")
        await h.opened("Players")
        assert "is not TOML" in " ".join(h.text().split())
        await h.pilot.press("r", "b", "f")
        assert not h.app.screen.query("Line")
        rows = h.app.screen.query_one("#rows", Rows)
        assert rows.highlighted is None
    assert (home / FILE).read_text() == "nonsense"
