"""A game looked over: the positions of a log, the screen, the picture, the page."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from oaknet_client import logs
from oaknet_client.boards.page import page
from oaknet_client.boards.records import Canvas
from oaknet_client.boards.svg import svg
from oaknet_client.config import Config
from oaknet_client.feed import Seat
from oaknet_client.replays import Replay, Turning, replay
from oaknet_client.screen.help import HelpScreen
from oaknet_client.screen.replay import Course, ReplayApp, ReplayScreen
from oaknet_client.screen.rules import RulesScreen
from tests.client.conftest import Run

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def game(log: Path) -> Replay:
    return replay(logs.opened(log, None))


@asynccontextmanager
async def looking(game: Replay, at: int = 0) -> AsyncIterator[tuple[ReplayScreen, Pilot[None]]]:
    app = ReplayApp(game, Config("Ann"), at)
    async with app.run_test(size=(110, 36)) as pilot:
        await pilot.pause()
        yield app.replay, pilot


def shown(screen: ReplayScreen, widget: str) -> str:
    return str(screen.query_one(f"#{widget}", Static).content)


# -- positions -----------------------------------------------------------------------------------------------


def test_every_position_is_kept_with_its_points_and_its_part_of_the_game(log: Path, game: Replay) -> None:
    steps = list(logs.steps(logs.opened(log, None).reading))
    assert len(game.positions) == len(steps) + 1
    assert [p.number for p in game.positions] == [-1, *(step.number for step in steps)]
    assert game.positions[-1].game.digest() == steps[-1].game.digest()
    assert game.history[0] == (0, 0)
    assert max(game.history[-1]) == max(game.positions[-1].scores) > 0
    assert all(game.positions[at].chapter != game.positions[at - 1].chapter for at in game.chapters if at)


def test_the_way_to_a_part_and_to_a_player(game: Replay) -> None:
    second = game.chapters[1]
    assert game.chapter(0, 1) == second
    assert game.chapter(second, -1) == 0
    assert game.chapter(len(game.positions) - 1, 1) == len(game.positions) - 1
    ann = game.step_of(0, 0, 1)
    assert game.positions[ann].seats == (0,)
    assert game.step_of(0, ann, -1) == ann
    assert game.step_of(0, game.step_of(0, ann, 1), -1) == ann


def test_the_verdict_has_every_fingerprint(log: Path, game: Replay) -> None:
    told = "\n".join(game.verdict)
    found = logs.opened(log, None).reading.result
    assert game.verdict[0].startswith("valid: ")
    assert found.transcript.hex() in told
    assert found.digest.hex() in told
    assert told.count(": key ") == 2


def test_of_a_damaged_log_the_good_part_is_kept(log: Path, log_bytes: bytes) -> None:
    log.write_bytes(log_bytes[: len(log_bytes) // 2])
    half = replay(logs.opened(log, None))
    assert len(half.positions) > 3
    assert half.verdict[0].startswith("not valid: ")


# -- the screen ----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_steps_parts_and_players_by_key(game: Replay) -> None:
    async with looking(game) as (replay, pilot):
        assert shown(replay, "turn").startswith(f"5 Towers · step 0 of {len(game.positions) - 1}")
        await pilot.press("right", "right", "left")
        assert replay.at == 1
        await pilot.press("pagedown")
        assert replay.at == game.chapter(1, 1)
        await pilot.press("pageup", "home")
        assert replay.at == 0
        await pilot.press("B")
        assert replay.at == game.step_of([s.place for s in game.seats].index(1), 0, 1)
        await pilot.press("right", "b")
        assert "B Ben: " in "\n".join(game.positions[replay.at].lines)
        await pilot.press("end")
        await pilot.pause()
        assert replay.at == len(game.positions) - 1
        assert shown(replay, "told").splitlines() == list(game.positions[-1].lines)
        await pilot.press("right")
        assert replay.at == len(game.positions) - 1


@pytest.mark.asyncio
async def test_playing_runs_to_the_end_and_stops(game: Replay) -> None:
    async with looking(game, len(game.positions) - 3) as (replay, pilot):
        await pilot.press("minus", "minus", "space")
        await pilot.pause()
        assert "playing, 0.5 a second" in shown(replay, "turn")
        await pilot.press(*["plus"] * 9)
        for _ in range(200):
            if replay.at == len(game.positions) - 1:
                break
            await pilot.pause(0.01)
        await pilot.pause()
        assert replay.at == len(game.positions) - 1
        assert "playing" not in shown(replay, "turn")
        await pilot.press(*["minus"] * 9, "space")
        await pilot.pause()
        assert replay.at == 0
        assert "playing, 0.5 a second" in shown(replay, "turn")
        await pilot.press("space")
        await pilot.pause()
        assert "playing" not in shown(replay, "turn")


@pytest.mark.asyncio
async def test_hostile_names_are_inert_on_every_screen_of_it(game: Replay) -> None:
    evil = "[/] [@click=app.leave]x[/] \x1b[2J \u202e"
    seats = tuple(Seat(evil, key="00" * 32, place=i) for i in (0, 1))
    lines = (evil,)
    positions = tuple(replace(position, lines=lines) for position in game.positions)
    hostile = Replay(game.title, seats, positions, game.chapters, (evil,), (Turning(1, evil),))
    async with looking(hostile) as (replay, pilot):
        for key in ("right", "v", "escape", "r", "escape"):
            await pilot.press(key)
            await pilot.pause()
            text = "".join(strip.text for strip in pilot.app.screen._compositor.render_strips())
            assert text.isprintable()
        assert "[/] [@click=app.leave]x[/] ?[2J ?" in shown(replay, "told")
        await pilot.click("#told", offset=(6, 0))
        await pilot.pause()
        assert pilot.app.return_code is None


@pytest.mark.asyncio
async def test_a_click_on_the_curve_goes_there(game: Replay) -> None:
    async with looking(game) as (replay, pilot):
        width = replay.query_one("#course", Course).size.width
        assert await pilot.click("#course", offset=(width // 2, 3))
        await pilot.pause()
        assert abs(replay.at - (len(game.positions) - 1) // 2) <= 1
        assert "●" in "".join(
            span.text for row in replay.query_one("#course", Course).drawing.rows for span in row
        )


@pytest.mark.asyncio
async def test_verdict_rules_and_help_are_a_key_away(game: Replay) -> None:
    async with looking(game) as (_, pilot):
        for key, screen in (("v", HelpScreen), ("question_mark", HelpScreen), ("r", RulesScreen)):
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(pilot.app.screen, screen)
            text = "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())
            if key == "v":
                assert "valid: " in text
            elif key == "question_mark":
                assert "the next step of that player" in text
            await pilot.press("escape")
            await pilot.pause()
        titles = [command.title for command in pilot.app.get_system_commands(pilot.app.screen)]
        assert titles == [
            "Play",
            "Beginning",
            "End",
            "Turn over",
            "Turning point",
            "Verdict",
            "Rules",
            "Help",
            "Theme",
            "Close",
        ]
        await pilot.press("q")
    assert pilot.app.return_code == 0


# -- the picture ---------------------------------------------------------------------------------------------


def test_the_picture_is_well_formed_and_shows_the_board(run: Run, log: Path) -> None:
    result = run("export", log, "--to", "svg")
    assert (result.exit_code, result.stderr) == (0, "")
    tree = ElementTree.fromstring(result.stdout)  # noqa: S314 - our own output
    texts = [node.text or "" for node in tree.iter(f"{SVG}text")]
    assert any("5 Towers: " in text for text in texts)
    assert any("Ann" in text for text in texts)
    assert "Display" in texts
    early = run("export", log, "--to", "svg", "--step", 3, "--light").stdout
    assert "after step 3" in early
    assert "#ffffff" in early


def test_a_picture_needs_a_step_that_there_is_and_its_options_a_picture(run: Run, log: Path) -> None:
    assert run("export", log, "--to", "svg", "--step", 9999).exit_code == 2
    assert run("export", log, "--to", "html", "--step", 1).exit_code == 2


def test_nothing_in_a_name_becomes_markup_in_a_picture() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "<script>&\x1b[2J", "seat0")
    found = svg(canvas.drawing("t"), ["<b>\u202e"])
    tree = ElementTree.fromstring(found)  # noqa: S314 - our own output
    assert [node.text for node in tree.iter(f"{SVG}text")] == ["<b>?", "<script>&?[2J"]


# -- the page ------------------------------------------------------------------------------------------------


def _hostile(game: Replay) -> Replay:
    seats = (Seat("</script><img src=x onerror=alert(1)>", place=0), Seat("`${1}`\u2028", place=1))
    return Replay(game.title, seats, game.positions, game.chapters, ("</details><b>",))


def test_the_page_stands_alone_and_nothing_in_a_name_becomes_markup(game: Replay) -> None:
    found = page(_hostile(game))
    loads = re.findall(r"https?:|<img|<link|<iframe|url\(|</details><b>|import ", found)
    assert loads == []
    assert found.count("</script>") == 1


def test_the_page_in_a_browser(run: Run, log: Path, game: Replay, tmp_path: Path) -> None:
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed (Debian: chromium chromium-driver)")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    path = tmp_path / "game.html"
    path.write_text(run("export", log, "--to", "html").stdout, encoding="utf-8")
    hostile = tmp_path / "hostile.html"
    hostile.write_text(page(_hostile(game)), encoding="utf-8")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        browser.get(path.as_uri())

        def seen(name: str) -> str:
            return browser.find_element("id", name).text

        last = len(game.positions) - 1
        assert seen("label").startswith(f"step 0 of {last}")
        assert "Display" in seen("board")
        for button, step in (("next", 1), ("next", 2), ("back", 1), ("last", last), ("first", 0)):
            browser.find_element("id", button).click()
            assert seen("label").startswith(f"step {step} of"), button
        browser.find_element("id", "next").click()
        assert seen("told").splitlines() == list(game.positions[1].lines)
        browser.find_element("id", "curve").click()
        assert abs(int(seen("label").split()[1]) - last // 2) <= 2
        browser.find_element("id", "play").click()
        assert seen("play") == "stop"
        browser.find_element("id", "play").click()
        assert seen("play") == "play"
        browser.get(hostile.as_uri())
        assert browser.find_element("tag name", "h1").text.startswith("5 Towers: A </script><img")
        browser.find_element("id", "last").click()
        assert seen("label").startswith(f"step {last} of")
        assert [entry["message"] for entry in browser.get_log("browser")] == []
    finally:
        browser.quit()
