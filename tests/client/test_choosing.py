"""Choosing on the board, following others, rules and result: by key and by mouse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
import trio
from textual.geometry import Offset
from textual.widgets import RichLog

from oaknet.kernel import Game
from oaknet_client import boards
from oaknet_client.boards.glyphs import ascii_only
from oaknet_client.config import Config
from oaknet_client.feed import Asked, Command, Emit, Seat, Shown, Started
from oaknet_client.screen.app import SIGNS, TableApp
from oaknet_client.screen.parts import BoardArea
from oaknet_client.screen.rules import RulesScreen
from oaknet_protocol.turn import Turn
from tests.client.tables import ANN, GREEDY, NOON, Table, feed_of, short_game, table
from tests.engine.oak.positions import RULES, day

QUIET = Config("Ann", confirm="never", bell=False)


def area(t: Table) -> BoardArea:
    return t.app.screen_stack[0].query_one(BoardArea)


async def click(t: Table, number: int) -> None:
    """Click the spot of a choice on the open page."""
    await t.pilot.pause()
    spot = t.board.spot(number)
    assert spot is not None, t.drawn()
    away = t.board.scroll_offset
    assert await t.pilot.click("#board", offset=Offset(spot.x + 1, spot.y) - away)


@dataclass(frozen=True)
class Sitting:
    """A feed that asks one turn at a position and then waits."""

    game: Game[object]
    before: tuple[Shown, ...] = ()

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        emit(Started((ANN, GREEDY), self.game))
        for event in self.before:
            emit(event)
        emit(Asked(0, Turn(self.game, 0)))
        await commands.receive()
        await trio.sleep_forever()


def oak_day() -> Game[object]:
    return Game(RULES, day("fox", "wild"))  # type: ignore[arg-type]


@pytest.mark.asyncio
async def test_a_whole_game_of_5_towers_on_the_board() -> None:
    async with table(short_game(), QUIET, size=(110, 40)) as t:
        asked = 0
        while True:
            await t.asked()
            if t.app.result is not None:
                break
            placed = [number for number in range(len(t.rows)) if t.board.spot(number) is not None]
            if not placed:
                await t.pilot.press("1")
            elif asked % 2:
                await click(t, placed[-1])
            else:
                await t.pilot.press(SIGNS[placed[-1]])
            asked += 1
            await t.until(lambda: not t.app._stale)
        assert asked > 4
        assert "Where the points came from" in t.drawn()
        await t.until(lambda: "Where the points came from" in t.screen_text())
        assert "topped towers" in t.screen_text()
        await t.pilot.press("q")
    assert t.app.result is not None


@pytest.mark.asyncio
async def test_the_result_is_opened_where_the_board_has_several_parts() -> None:
    async with table(feed_of(seats=(replace(ANN, bot="greedy"), GREEDY)), QUIET) as t:
        await t.asked()
        await t.until(lambda: t.app.result is not None and area(t).pages[area(t).page].title == "Result")
        await t.until(lambda: "Where the points came from" in t.screen_text())


@pytest.mark.asyncio
async def test_arrows_go_only_over_what_can_be_chosen_and_tell_what_it_does() -> None:
    async with table(feed_of(), QUIET, size=(100, 36)) as t:
        await t.asked()
        await t.until(lambda: t.app.focused is t.board)
        assert t.board.cursor == 0
        assert "this ends your turn" in t.shown("about")
        await t.pilot.press("right", "right")
        await t.until(lambda: t.board.cursor == 2)
        assert t.choices.highlighted == 2
        assert "you could build up to" in t.shown("about")
        await t.pilot.press("up", "left")
        await t.until(lambda: t.board.cursor == 1)
        log = t.log
        await t.pilot.press("enter")
        await t.until(lambda: "A Ann: bids 0 cards" in t.log.removeprefix(log))


@pytest.mark.asyncio
async def test_an_oak_turn_on_the_board_with_undo() -> None:
    async with table(Sitting(oak_day()), Config("Ann"), size=(160, 50)) as t:
        await t.asked()
        assert [row[2:] for row in t.rows[:3]] == ["plays Storytelling", "plays Knowledge", "plays Ritual"]
        assert "Storytelling: " in t.shown("about")
        await click(t, 0)
        await t.until(lambda: t.shown("question") == "Temple or Oak action")
        assert t.board.spot(0) == t.board.drawing.spot(("temple", 0))
        assert t.board.spot(1) == t.board.drawing.spot(("space", 0, 1))
        await click(t, 1)
        await t.until(lambda: t.rows == ["1 Send this turn"])
        assert "(1)A" in t.drawn()
        await t.pilot.press("u")
        await t.until(lambda: t.shown("question") == "Temple or Oak action")
        assert "(1)A" not in t.drawn()
        await t.pilot.press("U")
        await t.until(lambda: t.shown("question") == "Turn")
        assert t.shown("trail") == ""


@pytest.mark.asyncio
async def test_a_round_of_oak_against_a_bot_by_keys_and_by_mouse() -> None:
    async with table(feed_of("oak"), QUIET, size=(160, 50)) as t:
        asked = 0
        while "Round 2/5" not in t.shown("status"):
            await t.asked()
            number = next((n for n, row in enumerate(t.rows) if row.endswith("passes")), 0)
            if asked % 2 and t.board.spot(number) is not None:
                await click(t, number)
            else:
                await t.pilot.press(SIGNS[number])
            await t.until(lambda: not t.app._stale)
            asked += 1
        assert asked >= 2
        assert "A Ann: takes the Order" in t.log
        assert "A Ann: passes" in t.log


@pytest.mark.asyncio
async def test_the_mouse_has_things_explained_without_choosing_them() -> None:
    async with table(Sitting(oak_day()), QUIET, size=(200, 60)) as t:
        await t.asked()
        await t.until(lambda: len(area(t).pages) == 1)
        spot = t.board.drawing.spot(("creature", 5))
        assert spot is not None
        assert await t.pilot.hover("#board", offset=(spot.x + 3, spot.y))
        await t.until(lambda: t.shown("about").startswith(f"{spot.entry}: "))
        assert await t.pilot.click("#board", offset=(spot.x + 3, spot.y))
        await t.pilot.pause()
        assert t.shown("question") == "Turn"
        moot = t.board.spot(1)
        assert moot is not None
        assert await t.pilot.hover("#board", offset=(moot.x + 3, moot.y))
        await t.until(lambda: "Knowledge: " in t.shown("about"))


@pytest.mark.asyncio
async def test_parts_of_the_board_by_key_and_click_and_the_one_with_the_choices_first() -> None:
    async with table(Sitting(oak_day()), QUIET) as t:
        await t.asked()
        await t.until(lambda: len(area(t).pages) == 7 and not t.app._stale)
        titles = [page.title for page in area(t).pages]
        assert titles[:2] == ["Oak", "Sun"]
        assert titles[area(t).page] == "A"
        await t.pilot.press("full_stop")
        await t.until(lambda: titles[area(t).page] == "B")
        await t.pilot.press("full_stop")
        await t.until(lambda: area(t).page == 0)
        await t.until(lambda: "The Oak" in t.screen_text())
        assert await t.pilot.click("#tabs", offset=(7, 0))
        await t.until(lambda: "behind the sun: A B" in t.screen_text())
        await t.pilot.press("tab", "tab", "tab")
        await t.pilot.press("1")
        await t.until(lambda: t.shown("question") == "Temple or Oak action")
        await t.pilot.resize_terminal(200, 60)
        await t.until(lambda: len(area(t).pages) == 1)
        assert not t.app.screen.query_one("#tabs").display


@pytest.mark.asyncio
async def test_only_what_has_changed_is_painted_anew() -> None:
    async with table(Sitting(oak_day()), QUIET, size=(160, 50)) as t:
        await t.asked()
        await t.pilot.pause()
        before = t.board.repainted
        await t.pilot.press("down")
        await t.until(lambda: t.board.cursor == 1)
        await t.pilot.pause()
        assert 0 < t.board.repainted - before <= 4


def _past(game: Game[object]) -> tuple[Shown, ...]:
    """Three moves that led here: each took a feather of the other seat."""
    shown: list[Shown] = []
    for left in (3, 2, 1):
        s = game.state.copy()  # type: ignore[attr-defined]
        s.players[1].resources[0] = left
        shown.append(Shown(Game(RULES, s), (f"B greedy: {left} left",), 3 - left, 1))  # type: ignore[arg-type]
    return tuple(shown)


@pytest.mark.asyncio
async def test_what_i_missed_can_be_stepped_through() -> None:
    game = oak_day()
    async with table(Sitting(game, _past(game)), QUIET, size=(160, 50)) as t:
        await t.asked()
        for step in (1, 2, 3):
            await t.pilot.press("n")
            await t.until(lambda step=step: f"Looking back: {step} of 3" in t.shown("turn"))  # type: ignore[misc]
            assert t.shown("question") == f"B greedy: {4 - step} left"
            assert f"{'■' * (4 - step)}{'·' * (5 + step)} {4 - step}" in t.drawn()
            assert t.rows == []
        await t.pilot.press("N")
        await t.until(lambda: "Looking back: 2 of 3" in t.shown("turn"))
        await t.pilot.press("1")  # nothing can be chosen from the past
        await t.pilot.press("escape")
        await t.until(lambda: t.shown("question") == "Turn")
        await t.pilot.press("N")
        await t.until(lambda: "Looking back: 3 of 3" in t.shown("turn"))
        await t.pilot.press("n")
        await t.until(lambda: t.shown("question") == "Turn")


@pytest.mark.asyncio
async def test_the_whole_log_and_back() -> None:
    async with table(feed_of(), QUIET) as t:
        await t.asked()
        await t.pilot.press("l")
        await t.until(lambda: "┌───┐" not in t.screen_text())
        assert t.screen_text().count("reveals") == 5
        await t.pilot.press("escape")
        await t.until(lambda: "┌───┐" in t.screen_text())
        log = t.app.query_one("#log", RichLog)
        await t.until(lambda: log.max_scroll_y > 0 and log.scroll_offset.y == log.max_scroll_y)


@pytest.mark.asyncio
async def test_rules_are_one_key_away_and_found_by_name() -> None:
    async with table(Sitting(oak_day()), QUIET, size=(100, 30)) as t:
        await t.asked()
        await t.pilot.press("r")
        await t.until(lambda: isinstance(t.app.screen, RulesScreen))
        await t.until(lambda: "Storytelling (moot cards)" in t.screen_text())
        await t.pilot.press(*"golden k")
        await t.until(lambda: "Golden Kettle (artifacts)" in t.screen_text())
        await t.pilot.press(*"xyz")
        await t.until(lambda: "Nothing is called that, and no text has it." in t.screen_text())
        await t.pilot.press(*["backspace"] * 11, *"sun")
        await t.until(lambda: "Branches (" in t.screen_text())
        await t.pilot.press("escape")
        await t.until(lambda: not isinstance(t.app.screen, RulesScreen))
        assert t.shown("question") == "Turn"


@pytest.mark.asyncio
@pytest.mark.parametrize(("bell", "away", "rings"), [(True, 60, 1), (True, 0, 0), (False, 60, 0)])
async def test_the_bell_rings_when_it_is_mine_after_a_wait(
    bell: bool, away: int, rings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[int] = []
    monkeypatch.setattr(TableApp, "bell", lambda self: rung.append(1))
    times = [NOON, *[NOON + timedelta(seconds=away)] * 99]
    app = TableApp(Sitting(oak_day()), replace(QUIET, bell=bell), clock=lambda: times.pop(0))
    try:
        async with app.run_test() as pilot:
            for _ in range(300):
                await pilot.pause(0.01)
                if app._move is not None:
                    break
    finally:
        assert app.bridge.stop()
    assert len(rung) == rings


@pytest.mark.asyncio
async def test_waiting_says_for_whom_and_since_when() -> None:
    async with table(feed_of(seats=(ANN, GREEDY)), QUIET) as t:
        await t.asked()
        t.app._move = None
        t.app._touch()
        await t.until(lambda: t.shown("turn") == f"5 Towers · Waiting for A Ann. Since {NOON:%H:%M}.")


@pytest.mark.asyncio
async def test_ascii_draws_everything_with_ascii_alone() -> None:
    seats = (Seat("Łódź 日本", place=0), GREEDY)
    async with table(feed_of("oak", seats), replace(QUIET, ascii=True), size=(120, 36)) as t:
        await t.asked()
        await t.pilot.press("question_mark")
        await t.until(lambda: len(t.app.screen_stack) == 2)
        await t.pilot.pause()
        svg = t.app.export_screenshot()
        body = svg[svg.index("<text") :]
        assert ascii_only(body.replace("\xa0", " ")).count("?") >= body.count("?")
        drawn = {char for char in body.replace("&#160;", " ") if ord(char) > 127}
        assert not drawn, drawn


@pytest.mark.asyncio
async def test_a_game_without_a_board_has_the_list_alone() -> None:
    async with table(feed_of("market"), QUIET) as t:
        await t.asked()
        assert boards.board("market") is None
        assert t.app.focused is t.choices
        assert "→ " in t.shown("about")
        await t.pilot.press("down", "enter")
        await t.until(lambda: "A Ann: " in t.log)


def test_the_clock_of_a_real_table_is_the_machines() -> None:
    app = TableApp(feed_of(), QUIET)
    assert abs(datetime.now() - app._since) < timedelta(minutes=1)
