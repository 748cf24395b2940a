"""Others at the table: who is here, talking, wanting to hear no more, giving up, waiting; by key."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import trio

from oaknet import registry
from oaknet.kernel import Game
from oaknet_client import seating, shelf
from oaknet_client.config import Config, folders
from oaknet_client.feed import (
    Asked,
    Block,
    Command,
    Emit,
    Lobby,
    Mute,
    Peer,
    Resign,
    Said,
    Say,
    Seat,
    Started,
)
from oaknet_client.local import Local
from oaknet_client.players import FILE, Players
from oaknet_client.screen.company import Company, PeopleScreen, TalkLine
from oaknet_client.screen.help import HelpScreen
from oaknet_client.screen.lobby import LobbyScreen, QuestionScreen
from oaknet_client.screen.replay import ReplayScreen
from oaknet_protocol.invite import Invite
from oaknet_protocol.turn import Turn
from tests.client.tables import ANN, BEN, NOON, Table, feed_of, table
from tests.client.test_choosing import QUIET
from tests.client.test_snapshots import towers

MINE, HIS = "11" * 32, "22" * 32
PAIR = (Seat("Ann", key=MINE, place=0), Seat("Ben", key=HIS, place=1))


class Between:
    """A feed of a table between two peers; Ann is asked, if ``mine``. It keeps what she sends."""

    def __init__(self, *events: Peer | Said | Lobby, mine: bool = True) -> None:
        self.events, self.mine = events, mine
        self.heard: list[Command] = []

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        game = towers()
        if not self.mine:
            game.answer(0, 0)
        emit(Started(PAIR, game, "ab" * 32, MINE))
        for event in self.events:
            emit(event)
        if self.mine:
            emit(Asked(0, Turn(game, 0)))
        async for command in commands:
            self.heard.append(command)


# -- what is known of the others -----------------------------------------------------------------------------


def _waiting(*events: Peer) -> str:
    company = Company(MINE)
    for event in events:
        company.hear(event, NOON + timedelta(minutes=2))
    game = Game.new(registry.rules("market"), 2)
    return " ".join(company.waiting(game, PAIR, NOON))


def test_waiting_says_for_whom_since_when_and_what_to_do() -> None:
    assert _waiting() == "Waiting for B Ben since 12:00. t says something to them."
    gone = _waiting(Peer(1, "missing", ""))
    assert "B Ben is not connected, since 12:02." in gone
    assert "you will be asked whether to go on without them" in gone
    assert "oaknet resume" in gone
    assert "is heard of only through others" in _waiting(Peer(1, "relayed", ""))
    assert _waiting(Peer(1, "missing", ""), Peer(1, "connected", "")) == _waiting()


def test_who_only_looks_on_is_asked_about_nobody() -> None:
    company = Company("33" * 32)
    company.hear(Peer(1, "missing", ""), NOON)
    lines = company.waiting(Game.new(registry.rules("market"), 2), PAIR, NOON)
    assert lines[-1] == "t says something to them."
    assert "B Ben is not connected, since 12:00." in lines


def test_nobody_waits_for_whom_is_here() -> None:
    game = Game.new(registry.rules("market"), 2)
    assert Company().waiting(game, (ANN, BEN), NOON) == []
    assert Company(MINE).waiting(game, (PAIR[0], Seat("bot", "greedy", MINE)), NOON) == []


def test_everybody_is_listed_and_others_can_be_muted_whether_they_sit_or_look_on() -> None:
    company = Company(MINE)
    company.hear(Peer(1, "missing", ""), NOON)
    company.hear(Said(-1, "Zoë", "hi"), NOON)
    rows = company.rows(PAIR)
    assert rows[0] == "A Ann: at this keyboard"
    assert rows[2] == "B Ben: is not connected since 12:00"
    assert rows[-1] == "Zoë looks on"
    assert rows[1].startswith("   key ")
    assert company.others(PAIR) == ["Ben", "Zoë"]
    assert company.mine(PAIR) == [0]
    company.hear(Lobby("oak", PAIR, 0, own=HIS), NOON)
    assert company.others(company.arrived) == ["Ann", "Zoë"]


# -- at the table --------------------------------------------------------------------------------------------


async def _opened(t: Table, screen: type[object]) -> None:
    await t.until(lambda: isinstance(t.app.screen, screen) and t.app.screen.is_mounted)
    await t.pilot.pause()


@pytest.mark.asyncio
async def test_one_says_something_to_all_and_reads_who_says_what() -> None:
    feed = Between(Said(1, "A Ann", "[bold]well played[/]"), Said(-1, "Zoë", "hi"))
    async with table(feed, QUIET) as t:
        await t.asked()
        await t.until(lambda: "B Ben says: [bold]well played[/]" in t.log)
        assert "Zoë says: hi" in t.log
        await t.pilot.press("t")
        await t.until(lambda: isinstance(t.app.focused, TalkLine))
        await t.pilot.press(*"1 u q!")
        await t.pilot.press("enter")
        await t.until(lambda: feed.heard == [Say("1 u q!")])
        await t.until(lambda: not t.app.screen.query(TalkLine))
        await t.pilot.press("t")
        await t.until(lambda: isinstance(t.app.focused, TalkLine))
        await t.pilot.press("x", "escape")
        await t.until(lambda: not t.app.screen.query(TalkLine))
        await t.pilot.press("2")
        await t.until(lambda: t.rows == [] and len(feed.heard) == 2)
        assert t.shown("question").startswith("Waiting for B Ben since 12:00.")


@pytest.mark.asyncio
async def test_who_is_here_is_muted_and_blocked_by_key_and_by_mouse() -> None:
    feed = Between()
    async with table(feed, QUIET) as t:
        await t.asked()
        await t.pilot.press("i")
        await _opened(t, PeopleScreen)
        await t.until(lambda: "B Ben: is at the table" in t.screen_text())
        await t.pilot.press("1")
        await t.until(lambda: feed.heard == [Mute("Ben")])
        await t.pilot.press("i")
        await _opened(t, PeopleScreen)
        await t.pilot.click("#people OptionList", offset=(4, 1))
        await t.until(lambda: feed.heard == [Mute("Ben"), Block("Ben")])
        await t.pilot.press("i")
        await _opened(t, PeopleScreen)
        await t.pilot.press("escape")
        await t.until(lambda: len(t.app.screen_stack) == 1)


@pytest.mark.asyncio
async def test_what_is_chosen_twice_at_once_is_done_once_and_closes_one_screen() -> None:
    """Two keys that arrive together: the second finds the screen closed, but still there to hear it."""
    feed = Between()
    async with table(feed, QUIET) as t:
        await t.asked()
        await t.pilot.press("i")
        await _opened(t, PeopleScreen)
        people = t.app.screen
        assert isinstance(people, PeopleScreen)
        people._do(1)
        people._do(1)
        people.dismiss()
        await t.until(lambda: feed.heard == [Block("Ben")])
        assert len(t.app.screen_stack) == 1
        await t.pilot.press("R")
        await _opened(t, QuestionScreen)
        asked = t.app.screen
        assert isinstance(asked, QuestionScreen)
        await t.app.push_screen(HelpScreen())
        asked.dismiss(1)
        asked.settle()
        assert isinstance(t.app.screen, HelpScreen)
        await t.pilot.press("escape")
        await t.until(lambda: len(t.app.screen_stack) == 1)
        assert feed.heard == [Block("Ben")]


@pytest.mark.asyncio
async def test_a_seat_is_given_up_only_after_a_second_thought() -> None:
    feed = Between()
    async with table(feed, QUIET) as t:
        await t.asked()
        for key in ("escape", "enter"):
            await t.pilot.press("R")
            await _opened(t, QuestionScreen)
            await t.pilot.press(key)
            await t.until(lambda: len(t.app.screen_stack) == 1)
        assert feed.heard == []
        await t.pilot.press("R")
        await _opened(t, QuestionScreen)
        await t.until(lambda: "Give up the seat of A Ann?" in t.screen_text())
        await t.pilot.press("2")
        await t.until(lambda: feed.heard == [Resign(0)])
        assert t.app.check_action("resign", ()) is None


@pytest.mark.asyncio
async def test_between_turns_one_still_looks_from_the_own_seat() -> None:
    async with table(Between(mine=False), QUIET) as t:
        await t.until(lambda: "since 12:00" in t.shown("question"))
        drawn = t.drawn()
        assert drawn.index("A Ann 13") < drawn.index("B Ben 8")
        assert "you could build up to 5" in drawn
        assert "t says something" in t.shown("question")


@pytest.mark.asyncio
async def test_before_the_game_the_footer_has_only_what_can_be_done_then() -> None:
    class Alone:
        async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
            emit(Lobby("oak", PAIR, 1, own=MINE))
            await trio.sleep_forever()

    async with table(Alone(), QUIET, size=(120, 30)) as t:
        await _opened(t, LobbyScreen)
        await t.until(lambda: "Copy the invite" in t.screen_text())
        await t.until(lambda: "Who is here" in t.screen_text())
        footer = t.screen_text().splitlines()[-2]
        assert "Take back" not in footer
        assert "Missed" not in footer
        assert "Leave" in footer
        await t.pilot.press("i")
        await _opened(t, PeopleScreen)
        await t.until(lambda: "B Ben: is at the table" in t.screen_text())
        assert "Mute Ben" in t.screen_text()


# -- at one keyboard -----------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_at_one_keyboard_a_seat_given_up_is_played_by_the_stand_in_until_one_is_left() -> None:
    rules, three = registry.rules("five_towers"), (ANN, BEN, Seat("Cleo", place=2))
    async with table(Local(rules, three, {}, b"s"), QUIET) as t:
        await t.asked()
        for who in ("A Ann", "B Ben"):
            await t.until(lambda who=who: f"{who}, it is your turn" in t.shown("turn"))  # type: ignore[misc]
            await t.pilot.press("R")
            await _opened(t, QuestionScreen)
            await t.pilot.press("2")
            await t.until(lambda who=who: f"{who} has resigned; the stand-in plays on." in t.log)  # type: ignore[misc]
        await t.until(lambda: t.app.result is not None)
        assert t.app.result is not None
        assert (t.app.result.how, t.app.result.winner) == ("resigned", (2,))
        assert "A Ann: " in t.log, "the stand-in has moved"
        await t.until(lambda: t.shown("turn") == "5 Towers · The table has ended.")


@pytest.mark.asyncio
async def test_at_one_keyboard_there_is_nobody_to_talk_to_and_leaving_a_game_is_asked_about() -> None:
    async with table(feed_of(), QUIET) as t:
        await t.asked()
        assert t.app.check_action("talk", ()) is False
        t.app.bridge.send(Say("hello"))
        await t.until(lambda: "nobody to talk to" in t.log)
        first = t.rows
        await t.pilot.press("2")
        await t.until(lambda: bool(t.rows) and t.rows != first)
        await t.pilot.press("q")
        await _opened(t, QuestionScreen)
        await t.until(lambda: "at this keyboard alone" in t.screen_text())
        await t.pilot.press("1")
        await t.until(lambda: len(t.app.screen_stack) == 1)
        assert t.app.return_code is None
        await t.pilot.press("q")
        await _opened(t, QuestionScreen)
        await t.pilot.press("q")
    assert t.app.return_code == 0


# -- between two programs, over loopback ---------------------------------------------------------------------


@pytest.mark.asyncio
async def test_host_join_chat_leave_resume_and_give_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oaknet_client.table.LOOK_EVERY", 0.1)

    def home(name: str) -> seating.Wishes:
        monkeypatch.setenv("OAKNET_HOME", str(tmp_path / name))
        return seating.Wishes(Config(name, confirm="never", bell=False), None, False, None, "ask")

    rules = registry.rules("five_towers")
    hosted = seating.opened(home("Ann"), rules, 2, {}, [ANN], private=True)
    async with table(hosted, QUIET) as ann:
        await _opened(ann, LobbyScreen)
        lobby = ann.app.screen
        assert isinstance(lobby, LobbyScreen)
        await ann.until(lambda: bool(lobby.invite))
        invite = Invite.parse(lobby.invite.removeprefix("oaknet join "))
        async with table(seating.joined(home("Ben"), invite, [BEN]), QUIET) as ben:
            await ben.until(lambda: len(ben.app.screen_stack) == 1 and "Ann" in ben.log)
            await ann.until(lambda: len(ann.app.screen_stack) == 1)
            ben.app.bridge.send(Say("[/] hello"))
            await ann.until(lambda: " Ben says: [/] hello" in ann.log)
            ann.app.bridge.send(Mute("Ben"))
            await ann.until(lambda: "is not shown any more" in ann.log)
            ben.app.bridge.send(Say("again"))
            await ben.until(lambda: " Ben says: again" in ben.log)
            ann.app.bridge.send(Block("Ben"))
            await ann.until(lambda: "Ben is blocked" in ann.log)
            assert "says: again" not in ann.log
            ann.app.bridge.send(Block("Ben"))
            await ann.until(lambda: "not blocked any more" in ann.log)
            await ben.pilot.press("q")
        assert ben.app.return_code == 0
        assert not Players.read(tmp_path / "Ann" / FILE).find("Ben").blocked
        await ann.until(lambda: "Ben is not connected" in ann.log)
        wishes = home("Ben")
        (kept,) = shelf.tables(folders().tables)
        async with table(seating.resumed(wishes, kept), QUIET) as ben:
            await ben.until(lambda: "The table goes on at step" in ben.log)
            await ann.until(lambda: "Ben is connected" in ann.log)
            await ann.until(lambda: bool(ann.rows) or bool(ben.rows))
            loser, other = (ann, ben) if ann.rows else (ben, ann)
            loser.app.bridge.send(Resign(loser.app._move.seat))  # type: ignore[union-attr]
            for one in (ann, ben):
                await one.until(lambda one=one: one.app.result is not None)  # type: ignore[misc]
            assert ann.app.result is not None
            assert ben.app.result is not None
            assert ann.app.result.how == "resigned"
            assert ann.app.result.transcript == ben.app.result.transcript
            await other.until(lambda: "Look the game over" in "".join(other.rows))
            number = next(n for n, row in enumerate(other.rows) if "Look the game over" in row)
            await other.pilot.press(str(number + 1))
            await _opened(other, ReplayScreen)
            await other.pilot.press("v")
            await other.until(lambda: ann.app.result.transcript in other.screen_text().replace(" ", ""))  # type: ignore[union-attr]
            rematch = seating.rematch(wishes, ben.app.result)
            assert [seat.name for seat in rematch.seats] == ["Ben"]
            assert rematch.terms is not None
            assert (rematch.terms.rules.name, rematch.terms.seats) == ("five_towers", 2)
