"""The home screen: first start, menu, tables, and the wishes that it leaves with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from oaknet import registry
from oaknet_client import home as stays
from oaknet_client.around import Mine, Nearby
from oaknet_client.config import Config, read_config
from oaknet_client.errand import Errand
from oaknet_client.failures import Failure
from oaknet_client.main import Wishes, cli
from oaknet_client.screen import at_home as at_home_again
from oaknet_client.screen.help import HelpScreen
from oaknet_client.screen.home import MENU, HomeApp, HomeScreen
from oaknet_client.screen.page import Rows
from oaknet_client.screen.rules import RulesScreen
from oaknet_protocol.address import Address
from oaknet_protocol.invite import Invite
from tests.client.conftest import Run
from tests.client.homes import HOSTILE, at_home

OAK = Errand(("resume", "aa"), "Oak with Ben", "step 41, since 2026-11-30 21:14")
TOWERS = Errand(("resume", "bb"), "5 Towers with Ben and Cid", "waiting for players, since 2026-11-29 20:00")
NEAR = Errand(("lan", "--", "cc"), "Oak: 1 of 3 seats free", "cccc, by Dan, whom you know")
INVITE = Invite(b"s" * 16, b"k" * 16, (Address("127.0.0.1", 4711),))


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games that people see: without the toy of these tests."""
    monkeypatch.delitem(registry.GAMES, "market")


def parsed(errand: Errand | None) -> dict[str, object]:
    """What the command makes of an errand: it must be one of its command lines."""
    assert errand is not None
    ctx = click.Context(cli)
    name, command, rest = cli.resolve_command(ctx, list(errand.arguments))
    assert command is not None
    return {"command": name, **command.make_context(name, rest, parent=ctx).params}


# -- the first start -----------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_first_start_asks_the_name_and_keeps_it(home: Path) -> None:
    async with at_home(Config("login", named=False)) as h:
        assert h.heading == "Welcome to oaknet"
        h.line.value = " "
        await h.pilot.press("enter")
        assert "ame must be 1 to 24" in h.about
        h.line.value = "Ann K."
        await h.pilot.press("enter")
        assert h.heading == "oaknet · Ann K."
        assert "Choose" in h.text()
    assert (home / "config.toml").read_text() == 'name = "Ann K."\n'
    assert read_config().named
    async with at_home(read_config()) as h:
        assert isinstance(h.app.screen, HomeScreen)


@pytest.mark.asyncio
async def test_a_first_start_without_a_name_asks_again_next_time(home: Path) -> None:
    async with at_home(Config("login", named=False)) as h:
        assert "q Quit" not in h.text()  # it would be written
        await h.pilot.press("escape")
        assert h.heading == "oaknet · login"
    assert not (home / "config.toml").exists()


# -- the menu ------------------------------------------------------------------------------------------------

OPENS = {
    "b": "Play against bots",
    "h": "Host a table",
    "j": "Join a table",
    "g": "Games played",
    "r": "Rules",
    "p": "Players",
    "s": "Settings",
}


@pytest.mark.asyncio
async def test_every_entry_opens_by_key_and_has_help() -> None:
    async with at_home() as h:
        for row in MENU[1:]:
            await h.pilot.press(row.sign)
            await h.opened(OPENS[row.sign])
            if row.sign in "hgp":
                await h.pilot.press("question_mark")
                assert isinstance(h.app.screen, HelpScreen)
                await h.pilot.press("escape")
            await h.pilot.press("escape")
            await h.opened("oaknet · Ann")
        assert h.app.errand is None


@pytest.mark.asyncio
async def test_every_entry_opens_by_mouse_and_one_by_arrows() -> None:
    async with at_home() as h:
        for number, row in enumerate(MENU[1:], 1):
            if row.sign == "p":
                await h.pilot.press("down", "enter")  # from the rules
            else:
                assert await h.pilot.click("#rows", offset=(6, number))
            await h.opened(OPENS[row.sign])
            await h.pilot.press("escape")
            await h.opened("oaknet · Ann")


@pytest.mark.asyncio
@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+q", 0), ("ctrl+c", 130)])
async def test_leaving(key: str, code: int) -> None:
    async with at_home() as h:
        await h.pilot.press(key)
    assert (h.app.return_code, h.app.errand, h.app.fault) == (code, None, None)
    assert h.look.began
    assert h.app.stop()
    assert h.look.ended


@pytest.mark.asyncio
async def test_help_palette_and_footer() -> None:
    async with at_home() as h:
        assert all(part in h.text() for part in ("Enter Choose", "? Help", "q Quit", "^p palette"))
        titles = [command.title for command in h.app.get_system_commands(h.app.screen)]
        assert titles == [row.text for row in MENU] + ["Help", "Quit"]
        await h.pilot.press("question_mark")
        assert "play against bots" in h.text()
        await h.pilot.press("escape")
        column = h.text().splitlines()[-1].index("? Help")
        assert await h.pilot.click("KeyLine", offset=(column, 0))
        assert isinstance(h.app.screen, HelpScreen)
        await h.pilot.press("escape", "b")
        titles = [command.title for command in h.app.get_system_commands(h.app.screen)]
        assert titles[-3:] == ["Play", "Help", "Quit"]
        await h.pilot.press("ctrl+p")
        assert type(h.app.screen).__name__ == "CommandPalette"
        await h.pilot.press("escape")


@pytest.mark.asyncio
async def test_the_rules_of_a_game_are_two_keys_away() -> None:
    async with at_home() as h:
        await h.pilot.press("r", "1")
        assert isinstance(h.app.screen, RulesScreen)
        await h.until(lambda: "Auction" in h.text())
        await h.pilot.press("escape", "escape")
        await h.opened("oaknet")


# -- tables --------------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("keys", "errand"),
    [
        (["c"], OAK),
        (["2"], TOWERS),
        (["right", "left", "tab", "up", "enter"], NEAR),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else value.line,
)
async def test_a_table_is_chosen_by_key(keys: list[str], errand: Errand) -> None:
    async with at_home() as h:
        assert "Looking for tables…" in h.text()
        await h.tell(Mine((OAK, TOWERS)), Nearby((NEAR,), 1))
        assert "1 Oak with Ben" in h.text()
        assert "since 2026-11-30 21:14" in h.text()
        assert "A private table: joining needs the invite." in h.text()
        await h.pilot.press(*keys)
    assert h.app.errand == errand
    assert parsed(errand)["command"] == errand.arguments[0]


@pytest.mark.asyncio
async def test_a_table_is_chosen_by_mouse_and_stays_chosen_when_others_come() -> None:
    async with at_home() as h:
        await h.tell(Nearby((NEAR,)))
        await h.pilot.press("right")
        await h.tell(Mine((OAK, TOWERS)))
        tables = h.app.screen.query_one("#tables", Rows)
        assert str(tables.get_option_at_index(tables.highlighted or 0).prompt).startswith(" 3 Oak: 1 of 3")
        assert await h.pilot.click("#tables", offset=(6, 3))
    assert h.app.errand == TOWERS


@pytest.mark.asyncio
async def test_where_there_is_nothing_it_says_so() -> None:
    async with at_home() as h:
        await h.pilot.press("c")
        assert h.about == "Your tables are still being read."
        await h.tell(Mine(trouble="No."), Nearby(trouble="This machine is in no network."))
        assert "This machine is in no network." in h.text()
        assert "No." in h.text()
        await h.tell(Mine(), Nearby())
        assert "No table is unfinished." in h.text()
        await h.pilot.press("c", "1", "tab")
        assert h.about == "No table is unfinished. h opens one, j joins one."
        await h.pilot.press("g")
        assert "No table with others is finished yet." in h.text()
    assert h.app.errand is None


# -- forms ---------------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_game_against_bots() -> None:
    async with at_home() as h:
        await h.pilot.press("b", "enter")
    found = parsed(h.app.errand)
    assert (found["command"], found["game"], found["players"]) == ("play", "five_towers", 2)
    assert (found["places"], found["bots"]) == (("you",), ("easy",))
    async with at_home() as h:
        await h.pilot.press("b", "g", "n", "n", "left", "right", "o")
        h.line.value = "Ben,  Cid "
        await h.pilot.press("enter")
        assert "Ben, Cid" in h.text()
        for _ in range(4):
            assert await h.pilot.click("#rows", offset=(6, 3))  # the strength, by mouse
        await h.pilot.press("b", "p")
    found = parsed(h.app.errand)
    assert (found["game"], found["players"]) == ("oak", 4)
    assert (found["places"], found["bots"]) == (("you", "you:Ben", "you:Cid"), ("easy",))
    assert "orders=chosen" in str(found["options"]) or found["options"] != ()


@pytest.mark.asyncio
async def test_more_people_than_seats_is_said() -> None:
    async with at_home() as h:
        await h.pilot.press("b", "o")
        h.line.value = "Ben, " + "x" * 30
        await h.pilot.press("enter")
        assert "ame must be 1 to 24" in h.about
        h.line.value = "Ben, Cid"
        await h.pilot.press("enter", "p")
        assert h.about.startswith("3 play at this keyboard, but the table has 2 seats.")
    assert h.app.errand is None


@pytest.mark.asyncio
async def test_a_table_for_friends() -> None:
    async with at_home() as h:
        await h.pilot.press("h", "n", "b", "k", "c", "l", "h")
    found = parsed(h.app.errand)
    assert (found["command"], found["game"], found["seats"]) == ("host", "five_towers", 3)
    assert (found["places"], found["bots"], found["options"]) == (("you",), ("normal",), ("clock=300+5",))
    assert found["private"] is True
    async with at_home() as h:
        await h.pilot.press("h", "g", "l", "l", "h")
    found = parsed(h.app.errand)
    assert (found["game"], found["seats"], found["bots"], found["no_lan"]) == ("oak", 2, (), True)


@pytest.mark.asyncio
@pytest.mark.parametrize("command", ["join", "watch"])
async def test_an_invite_however_it_was_pasted(command: str) -> None:
    pasted = f"oaknet {command} {str(INVITE)[:30]}\r\n  {str(INVITE)[30:]}\n"
    async with at_home() as h:
        await h.pilot.press("j")
        await h.paste(pasted)
        await h.pilot.press("enter", *(["h"] if command == "watch" else []), "j")
    assert h.app.errand == Errand((command, "--", str(INVITE)))
    assert parsed(h.app.errand)["invite"] == (str(INVITE),)


@pytest.mark.asyncio
async def test_a_bad_invite_is_told_by_its_place() -> None:
    wrong = str(INVITE)[:20] + ("x" if str(INVITE)[20] != "x" else "y") + str(INVITE)[21:]
    async with at_home() as h:
        await h.pilot.press("j")
        for text, says in (("", "There is no invite."), (wrong, "group, «"), ("oak2", "This is no invite.")):
            h.line.value = text
            await h.pilot.press("enter")
            assert says in h.about, text
        await h.pilot.press("x")
        assert h.about == "The line that begins with oak1."
        await h.pilot.press("escape")
        await h.opened("oaknet")
    assert h.app.errand is None


# -- what others wrote ---------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=str)
async def test_hostile_texts_are_inert_at_home(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    nasty = Errand(("resume", "aa"), f"Oak with {HOSTILE}", HOSTILE)
    async with at_home(Config("Ann"), HOSTILE, size) as h:
        await h.tell(Mine((nasty,), trouble=HOSTILE), Nearby((nasty,), trouble=HOSTILE))
        await h.tell(Mine(trouble=HOSTILE), Nearby(trouble=HOSTILE))
        await h.tell(Mine((nasty,)), Nearby((nasty,)))
        h.shows_hostile()
        await h.pilot.press("j")
        await h.paste(HOSTILE)
        await h.pilot.press("enter")
        assert all(char.isprintable() or char == "\n" for char in h.about)
        await h.pilot.press("escape")
        await h.opened("oaknet")
        monkeypatch.setattr("oaknet_client.screen.shelves.mine", lambda: Mine((), (nasty,)))
        await h.pilot.press("g")
        await h.opened("Games played")
        h.shows_hostile()
        await h.pilot.press("ctrl+p")
        await h.until(lambda: "(@click=app.quit)x" in " ".join(h.text().split()))
        await h.pilot.press("escape")
        assert (h.app.fault, h.app.return_code) == (None, None)


# -- home again ----------------------------------------------------------------------------------------------


class Visits:
    """Wishes one after the other, instead of a screen; ``notices`` are what was said at each visit."""

    def __init__(self, *errands: Errand | None) -> None:
        self.errands = list(errands)
        self.notices: list[str] = []

    def __call__(self, config: Config, notice: str) -> Errand | None:
        self.notices.append(notice)
        return self.errands.pop(0)


def stayed(visits: Visits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oaknet_client.screen.at_home", visits)
    stays.stay(click.Context(cli, obj=Wishes()))


def test_after_each_errand_it_is_home_again_with_what_went_wrong(
    monkeypatch: pytest.MonkeyPatch, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visits = Visits(
        Errand(("replay", "--", str(log))),  # by lines: there is no terminal
        Errand(("join", "--", "oak1nonsense")),
        Errand(("play", "chess")),
        Errand(("play", "--nonsense")),
        None,
    )
    stayed(visits, monkeypatch)
    assert visits.notices[:2] == ["", ""]
    assert "wins" in capsys.readouterr().out
    assert "1st group" in visits.notices[2]
    assert visits.notices[3].startswith("There is no game 'chess' here")
    assert "--nonsense" in visits.notices[4]


def test_what_ends_the_program_is_not_told_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> None:
        raise Failure("Stopped.", 143)

    monkeypatch.setattr("oaknet_client.front.run", ended)
    with pytest.raises(Failure) as stopped:
        stayed(Visits(Errand(("play", "five_towers")), None), monkeypatch)
    assert stopped.value.status == 143


def test_no_screen_takes_the_wish_for_no_colour_from_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    async def shown(self: HomeApp) -> None:
        assert self.no_color

    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(HomeApp, "run_async", shown)
    for _ in range(2):
        assert at_home_again(Config("Ann"), "") is None


def test_home_is_opened_in_a_terminal_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("oaknet_client.home.stay", lambda ctx: asked.append(ctx.find_object(Wishes).ascii))
    assert "oaknet play" in run().stdout
    assert asked == []
    monkeypatch.setattr("oaknet_client.front.terminal", lambda: True)
    assert run("--ascii").stdout == ""
    run()
    assert asked == [True, False]


def test_before_it_is_painted_neither_network_nor_games_are_loaded() -> None:
    code = "import sys, oaknet_client.home, oaknet_client.screen.home; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()} | set(done.stdout.split())
    assert "textual" in loaded
    assert not loaded & {
        "trio",
        "zeroconf",
        "cryptography",
        "msgspec",
        "oaknet.kernel",
        "oaknet_client.words",
    }
