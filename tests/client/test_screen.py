"""The screen, by key and by mouse."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import trio
from textual.filter import Monochrome, NoColor

from oaknet import registry
from oaknet.kernel import Rng
from oaknet_client.config import Config
from oaknet_client.feed import Command, Emit, Peer, Seat, Started
from oaknet_client.local import Local
from oaknet_client.screen.app import SIGNS, TableApp
from oaknet_client.screen.help import HelpScreen
from oaknet_protocol.node import PeerLost
from tests.client.tables import ANN, BEN, GREEDY, feed_of, short_game, table


@pytest.mark.asyncio
async def test_it_shows_whose_turn_the_state_the_log_and_the_choices() -> None:
    async with table() as t:
        await t.asked()
        assert t.shown("turn") == "5 Towers · A Ann, it is your turn."
        assert t.shown("question") == "Bid"
        assert t.rows[:3] == ["1 passes", "2 bids 0 cards", "3 bids 1 card"]
        assert "· reveals " in t.log
        assert "A Ann 0 points" in t.drawn()
        parts = ("Display", "to bid", "5 Towers · A Ann", "1 passes", "? Help")
        await t.until(lambda: all(part in t.screen_text() for part in parts))
        assert max(map(len, t.screen_text().splitlines())) == 80


@pytest.mark.asyncio
@pytest.mark.parametrize("by", ["key", "mouse", "arrows"])
async def test_a_whole_game(by: str) -> None:
    rng = Rng(b"choices")
    moves = 0
    confirm = "turn" if by == "key" else "never"
    async with table(short_game(), Config("Ann", confirm=confirm), size=(100, 40)) as t:
        while True:
            await t.asked()
            if t.app.result is not None:
                break
            number = rng.below(min(8, len(t.rows)))
            if by == "key":
                await t.pilot.press(SIGNS[number])
            elif by == "mouse":
                await t.pilot.pause()  # for the rows to be where they will be clicked
                assert await t.pilot.click("#choices", offset=(4, number))
            else:
                away = "right" if t.app.focused is t.board else "down"
                await t.pilot.press(*[away] * number, "enter")
            moves += 1
        assert moves > 4
        assert t.shown("question").endswith(("wins.", "share the victory."))
        assert "The game is over." in t.shown("turn")
        assert t.rows[0] == "1 Leave the table"
        await t.pilot.press("enter")  # one too many for the last turn: the result stays
        assert t.app.return_code is None
        await t.pilot.press("1")
    assert t.app.result is not None
    assert t.app.result.how == "finished"
    assert t.app.fault is None


@pytest.mark.asyncio
async def test_a_whole_game_that_asks_several_at_once() -> None:
    rules = registry.rules("market")
    seats = (ANN, BEN, Seat("bot", bot="random", place=2))
    async with table(Local(rules, seats, {"pace": "fast"}, b"s"), Config("Ann", confirm="never")) as t:
        turns: set[str] = set()
        while True:
            await t.asked()
            if t.app.result is not None:
                break
            turns.add(t.shown("turn"))
            await t.pilot.press("1")
        assert turns == {"Market · A Ann, it is your turn.", "Market · B Ben, it is your turn."}


@pytest.mark.asyncio
async def test_bots_alone_are_watched() -> None:
    async with table(feed_of(seats=(Seat("x", bot="greedy"), GREEDY))) as t:
        await t.asked()
        assert t.app.result is not None


@pytest.mark.asyncio
async def test_choices_are_a_trail_that_can_be_taken_back_until_it_is_sent() -> None:
    async with table() as t:
        await t.asked()
        first = t.rows
        assert t.app.check_action("undo", ()) is None
        await t.pilot.press("u")  # nothing to take back, nothing happens
        await t.pilot.press("2")
        await t.until(lambda: t.rows == ["1 Send this turn"])
        assert t.shown("question") == "This ends your turn. Enter sends it, u takes the last choice back."
        assert t.shown("trail") == "So far: bids 0 cards"
        assert t.app.check_action("undo", ()) is True
        assert "B greedy: " not in t.log
        await t.pilot.press("u")
        await t.until(lambda: t.rows == first)
        assert t.shown("trail") == ""
        await t.pilot.press("2")
        await t.until(lambda: t.rows == ["1 Send this turn"])
        await t.pilot.press("enter")
        await t.until(lambda: "B greedy: " in t.log)


@pytest.mark.asyncio
async def test_a_whole_turn_is_taken_back_at_once() -> None:
    async with table() as t:
        await t.asked()
        await t.pilot.press("7")
        await t.until(lambda: t.rows == ["1 Send this turn"])
        await t.pilot.press("enter")
        await t.until(lambda: t.shown("question") == "Card")
        building = t.rows
        await t.pilot.press("1")
        await t.until(lambda: t.rows != building)
        await t.pilot.press("1")
        await t.until(lambda: " › " in t.shown("trail"))
        await t.pilot.press("U")
        await t.until(lambda: t.rows == building)
        assert t.shown("trail") == ""


@pytest.mark.asyncio
async def test_the_footer_takes_back_by_mouse() -> None:
    async with table() as t:
        await t.asked()
        first = t.rows
        await t.pilot.press("2")
        await t.until(lambda: t.rows == ["1 Send this turn"])
        await t.pilot.pause()  # for the footer to be made anew
        await t.until(lambda: bool(t.app.screen.query("FooterKey")))
        await t.pilot.pause()
        assert await t.pilot.click("FooterKey")
        await t.until(lambda: t.rows == first)


@pytest.mark.asyncio
@pytest.mark.parametrize(("confirm", "waits"), [("turn", True), ("draw", False), ("never", False)])
async def test_the_setting_says_what_waits_for_enter(confirm: str, waits: bool) -> None:
    async with table(config=Config("Ann", confirm=confirm)) as t:
        await t.asked()
        await t.pilot.press("2")
        await t.until(lambda: t.rows == ["1 Send this turn"] or "B greedy: " in t.log)
        assert ("B greedy: " not in t.log) is waits


@pytest.mark.asyncio
async def test_help_lists_the_keys_and_closes_again() -> None:
    async with table() as t:
        await t.asked()
        rows = t.rows
        await t.pilot.press("question_mark")
        await t.until(lambda: isinstance(t.app.screen, HelpScreen))
        await t.pilot.pause()
        for part in ("take back the last choice", "Ctrl-P", "leave; the screen"):
            assert part in t.screen_text()
        await t.pilot.press("2")  # chooses nothing from behind the help
        await t.pilot.press("escape")
        await t.until(lambda: not isinstance(t.app.screen, HelpScreen))
        assert t.rows == rows
        await t.pilot.press("question_mark")
        await t.until(lambda: isinstance(t.app.screen, HelpScreen))
        await t.pilot.press("q")
    assert t.app.return_code == 0


@pytest.mark.asyncio
async def test_tab_goes_round_and_signs_still_choose() -> None:
    async with table() as t:
        await t.asked()
        seen: list[str] = []
        for _ in range(3):
            assert t.app.focused is not None
            seen.append(t.app.focused.id or "")
            await t.pilot.press("tab")
        assert sorted(seen) == ["board", "choices", "log"]
        await t.pilot.press("tab", "2")
        await t.until(lambda: t.rows == ["1 Send this turn"])


@pytest.mark.asyncio
@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+q", 0), ("ctrl+c", 130)])
async def test_leaving(key: str, code: int) -> None:
    async with table() as t:
        await t.asked()
        await t.pilot.press(key)
    assert (t.app.return_code, t.app.result, t.app.fault) == (code, None, None)


@pytest.mark.asyncio
async def test_every_command_is_in_the_palette() -> None:
    async with table() as t:
        await t.asked()
        titles = [command.title for command in t.app.get_system_commands(t.app.screen)]
        commands = ["Take back", "Take back the turn", "Turn over", "What I missed", "Talk", "Who is here"]
        assert titles == [*commands, "Give up", "Log", "Rules", "Help", "Theme", "Quit"]
        await t.pilot.press("ctrl+p")
        await t.until(lambda: len(t.app.screen_stack) == 2)
        await t.pilot.press("escape")


NASTY = (
    "[/]",
    "[@click=app.leave]x[/] [bold red]",
    "\x1b[2J\x1b]52;c;eA==\x1b\\ \u202eevil\u200b a\nb",
)


@dataclass(frozen=True)
class Nasty:
    """A feed whose every text is hostile."""

    name: str

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        seats = (Seat(self.name, place=0), Seat(self.name, bot="greedy", place=1))
        emit(Peer(1, "connected", f"{self.name} is here {self.name}"))
        inner = Local(registry.rules("five_towers"), seats, {}, b"s")

        def pass_on(event: object) -> None:
            if isinstance(event, Started):
                emit(Peer(0, "back", self.name))
            emit(event)  # type: ignore[arg-type]

        await inner.run(pass_on, commands)


@pytest.mark.asyncio
@pytest.mark.parametrize("name", NASTY)
async def test_hostile_texts_are_inert_in_every_widget(name: str) -> None:
    async with table(Nasty(name)) as t:
        await t.asked()
        await t.pilot.press("2")
        await t.until(lambda: t.rows == ["1 Send this turn"])
        await t.pilot.press("enter")
        await t.until(lambda: t.log.count("bids") >= 2)
        text = t.screen_text()
        assert all(char.isprintable() or char == "\n" for char in text)
        assert all(char.isprintable() or char == "\n" for char in t.log)
        if name.isprintable():
            assert name in t.shown("turn")
            assert name[:10] in t.drawn()
            assert name in t.log
        for widget in ("#turn", "#log", "#board"):
            await t.pilot.click(widget, offset=(14, 0))
        await t.pilot.pause()
        assert t.app.return_code is None


@dataclass(frozen=True)
class Broken:
    """A feed that fails once the table is set up."""

    error: Exception

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        async with trio.open_nursery():
            raise self.error


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("error", "status", "says"),
    [(PeerLost("Ben is gone."), 5, "Ben is gone."), (ValueError("[/] boom"), 1, "oaknet itself is at fault")],
)
async def test_a_feed_that_fails_ends_the_screen(error: Exception, status: int, says: str) -> None:
    async with table(Broken(error)) as t:
        await t.until(lambda: t.app.fault is not None)
    assert t.app.fault is not None
    assert t.app.fault.status == status
    assert says in t.app.fault.sentence


@pytest.mark.asyncio
async def test_a_fault_of_the_screen_itself_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise RuntimeError("[/] boom")

    app = TableApp(feed_of(), Config("Ann"))
    monkeypatch.setattr(app, "action_help", fail)

    async def press() -> None:
        async with app.run_test() as pilot:
            await pilot.press("question_mark")

    try:
        with pytest.raises(RuntimeError):
            await press()
    finally:
        assert app.bridge.stop()
    assert app.fault is not None
    assert "RuntimeError: [/] boom" in app.fault.sentence
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
@pytest.mark.parametrize("game", registry.games())
async def test_every_size_shows_what_matters(size: tuple[int, int], game: str) -> None:
    async with table(feed_of(game), size=size) as t:
        await t.asked()
        parts = ("? Help", "A Ann, it is your turn.", t.rows[0][:12])
        await t.until(lambda: all(part in t.screen_text() for part in parts))


@pytest.mark.asyncio
async def test_a_smaller_window_is_drawn_anew() -> None:
    async with table(size=(200, 60)) as t:
        await t.asked()
        before = t.drawn()
        await t.pilot.resize_terminal(80, 24)
        await t.until(lambda: t.drawn() != before)


@pytest.mark.asyncio
async def test_resizing_at_any_moment_breaks_nothing() -> None:
    sizes = ((3, 2), (160, 50))
    async with table(feed_of(), size=(120, 36)) as t:
        await t.asked()
        for keys in ((), ("n",), ("escape", "r"), ("escape", "i")):
            await t.pilot.press(*keys)
            for size in sizes:
                await t.pilot.resize_terminal(*size)
            await t.pilot.pause()
        await t.pilot.press("escape")
        await t.until(lambda: len(t.app.screen_stack) == 1)
        await t.until(lambda: "A Ann, it is your turn." in t.screen_text() and "Help" in t.screen_text())
        assert t.app.return_code is None


@pytest.mark.asyncio
async def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with table() as t:
        await t.asked()
        assert t.app.no_color
        assert isinstance(t.app.get_line_filters()[-1], Monochrome | NoColor)


@pytest.mark.asyncio
@pytest.mark.parametrize(("theme", "dark"), [("textual-light", False), ("nord", True)])
async def test_themes(theme: str, dark: bool) -> None:
    async with table(config=Config("Ann", theme=theme)) as t:
        await t.asked()
        assert t.app.theme == theme
        assert t.app.current_theme.dark is dark


@pytest.mark.asyncio
async def test_a_theme_that_there_is_not_is_said() -> None:
    async with table(config=Config("Ann", theme="[/]")) as t:
        await t.asked()
        assert "There is no theme '[/]'" in t.log
