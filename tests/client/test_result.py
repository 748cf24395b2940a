"""After the game: where it turned, the game looked over at once, a page of it, a rematch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oaknet import registry
from oaknet.kernel import Game
from oaknet_client import front
from oaknet_client.feed import Emit, Ended, Feed, Result, Seat, Started
from oaknet_client.front import Front
from oaknet_client.replays import LEADS, LEAPS, Position, turnings
from oaknet_client.screen.replay import ReplayScreen
from tests.client.tables import ANN, BEN, GREEDY, Table, feed_of, short_game, table
from tests.client.test_choosing import QUIET, area

SEATS = (ANN, BEN, Seat("Cleo", place=2))


def _game(*history: tuple[int, ...]) -> list[Position]:
    game = Game.new(registry.rules("five_towers"), 2)
    return [Position(i, (), (), game, scores, f"round {i // 4 + 1}") for i, scores in enumerate(history)]


def test_turning_points_are_where_the_lead_changed_and_the_distance_grew_most() -> None:
    positions = _game((0, 0), (3, 0), (3, 3), (3, 4), (9, 4), (9, 5), (9, 20))
    assert [(turning.at, turning.line) for turning in turnings(positions, SEATS[:2])] == [
        (1, "round 1: A Ann gains 3 points"),
        (3, "round 1: B Ben takes the lead, 4 to 3"),
        (4, "round 2: A Ann takes the lead, 9 to 4"),
        (6, "round 2: B Ben takes the lead, 20 to 9"),
    ]


def test_of_many_turning_points_the_last_leads_and_the_largest_leaps_are_told() -> None:
    history = [(i + i % 2 * 2, i + 1, 0) for i in range(40)]
    found = turnings(_game(*history), SEATS)
    assert len(found) <= LEADS + LEAPS
    assert [turning.at for turning in found][-LEADS:] == [36, 37, 38, 39]
    assert [turning.at for turning in found] == sorted(turning.at for turning in found)


def test_a_game_without_rivals_or_without_points_has_no_turning_points() -> None:
    assert turnings(_game((0,), (5,)), SEATS[:1]) == ()
    assert turnings(_game((0, 0), (0, 0)), SEATS[:2]) == ()


def test_who_scores_beside_the_seats_may_take_the_lead_too() -> None:
    (first,) = turnings(_game((1, 0), (1, 2)), SEATS[:1])
    assert first.line == "round 1: against you takes the lead, 2 to 1"


# -- on the screen -------------------------------------------------------------------------------------------


async def ended(t: Table) -> None:
    await t.until(lambda: "Look the game over" in "".join(t.rows) and not t.app._stale)


def bots(game: str = "five_towers") -> Feed:
    return feed_of(game, (replace(ANN, bot="greedy"), GREEDY))


@pytest.mark.asyncio
async def test_the_result_has_the_points_over_the_game_and_each_turning_point_is_gone_to() -> None:
    async with table(bots(), QUIET, size=(120, 50)) as t:
        await ended(t)
        assert "Where the points came from" in t.drawn()
        assert "The points over the game" in t.drawn()
        assert "▲ turning points" in t.drawn()
        assert "Rematch" not in "".join(t.rows), "there can be none here"
        found = t.app._replay
        assert found is not None
        assert [row[2:] for row in t.rows[3:]] == [f"See {turning.line}" for turning in found.turnings]
        await t.pilot.press("4")
        await t.until(lambda: isinstance(t.app.screen, ReplayScreen) and t.app.screen.is_current)
        looked = t.app.screen
        assert isinstance(looked, ReplayScreen)
        assert looked.at == found.turnings[0].at
        await t.pilot.pause()
        await t.pilot.press("t")
        await t.until(lambda: looked.at == found.turnings[1].at)
        assert found.turnings[1].line in str(looked.query_one("#told").content)  # type: ignore[attr-defined]
        await t.pilot.press("T", "3")
        await t.until(lambda: looked.at == found.chapters[2])
        await t.pilot.press("q")
        await t.until(lambda: len(t.app.screen_stack) == 1)
        assert t.app.return_code is None
        await t.until(lambda: t.board.spot(3) is not None or len(area(t).pages) > 1)
        area(t).find(("turning", found.turnings[0].at))
        await t.pilot.pause()
        spot = t.board.drawing.spot(("turning", found.turnings[0].at))
        assert spot is not None
        assert await t.pilot.click("#board", offset=(spot.x + 3, spot.y - t.board.scroll_offset.y))
        await t.until(
            lambda: isinstance(t.app.screen, ReplayScreen) and t.app.screen.at == found.turnings[0].at
        )


@pytest.mark.asyncio
async def test_a_game_is_saved_as_a_page_and_a_rematch_asked_for(home: Path) -> None:
    async with table(short_game(), QUIET) as t:
        t.app.again = True
        while t.app.result is None:
            await t.asked()
            await t.pilot.press("1")
        await ended(t)
        assert t.rows[1] == "2 Rematch: the same players and options"
        await t.pilot.press("4")
        await t.until(lambda: "The page is in" in t.log)
        (page,) = (home / "pages").iterdir()
        assert "<title>5 Towers: A Ann, B greedy</title>" in page.read_text(encoding="utf-8")
        await t.pilot.press("2")
    assert t.app.wanted
    assert t.app.return_code == 0


class Spoilt:
    """A table whose log cannot be read."""

    def __init__(self, log: Path) -> None:
        self.log = log

    async def run(self, emit: Emit, commands: object) -> None:
        game = Game.new(registry.rules("five_towers"), 2)
        emit(Started((ANN, GREEDY), game.clone()))
        emit(
            Ended(Result("five_towers", (ANN, GREEDY), (0, 0), (0, 1), "absent", "", log=str(self.log)), game)
        )


@pytest.mark.asyncio
async def test_a_log_that_cannot_be_read_is_said_and_the_game_is_looked_over_anyway(
    tmp_path: Path,
) -> None:
    async with table(Spoilt(tmp_path / "none.oak"), QUIET) as t:  # type: ignore[arg-type]
        await ended(t)
        assert "The log cannot be looked over:" in t.log
        assert t.app.fault is None


# -- one table after the other -------------------------------------------------------------------------------


def test_a_rematch_follows_for_as_long_as_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = [replace(_result(), scores=(n, 0)) for n in (1, 2)]
    shown: list[object] = []

    def play(feed: Feed, config: object, *, again: bool) -> tuple[Result | None, bool]:
        shown.append(feed)
        return (results[len(shown) - 1], len(shown) < 2) if again else (None, False)

    monkeypatch.setattr("oaknet_client.screen.play", play)
    first, second = feed_of(), feed_of()
    assert front.run(first, Front("screen"), QUIET, lambda result: second) == results[1]
    assert shown == [first, second]
    assert capsys.readouterr().out.count("A Ann wins.") == 2


def _result() -> Result:
    return Result("five_towers", (ANN, GREEDY), (1, 0), (0,), "finished", "")
