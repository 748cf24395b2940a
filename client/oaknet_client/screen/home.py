"""The home screen: what one may go on with, find nearby, begin, look over and set. It leaves with an errand.

Neither network, keys nor games are loaded before it is painted: `Lookout` does that afterwards, and the pages
are loaded when they are opened.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static

from oaknet_client.config import Config, folders
from oaknet_client.errand import Errand
from oaknet_client.inert import inert
from oaknet_client.lookout import Lookout, Tell
from oaknet_client.screen.base import COMMON, OakApp
from oaknet_client.screen.keyline import KeyLine
from oaknet_client.screen.page import Page, Row, Rows, Wanted

if TYPE_CHECKING:
    from oaknet_client.around import Mine, Nearby, News

MENU = (
    Row("Continue", "c", about="Go on with the table where something happened last."),
    Row("Play against bots", "b", about="A game at this keyboard, without a network."),
    Row("Host a table", "h", about="Open a table for friends: you get one line to send them."),
    Row("Join a table", "j", about="Paste the line that a friend has sent you."),
    Row("Games played", "g", about="Look a finished game over, step by step."),
    Row("Rules", "r", about="Every rule, card and tile in our own words."),
    Row("Players", "p", about="Whom you have met: rename, forget, block."),
    Row("Settings", "s", about="Your name, colours, and what asks before it is sent."),
)
"""What can always be done, by its key."""

PAGES = {
    "b": ("oaknet_client.screen.forms", "BotsForm"),
    "h": ("oaknet_client.screen.forms", "HostForm"),
    "j": ("oaknet_client.screen.forms", "JoinForm"),
    "g": ("oaknet_client.screen.shelves", "GamesPage"),
    "r": ("oaknet_client.screen.shelves", "RulesPage"),
    "p": ("oaknet_client.screen.known", "PlayersPage"),
    "s": ("oaknet_client.screen.settings", "SettingsForm"),
}
"""Module and class of what a key of the menu opens."""

SIGNS = "123456789"
"""The keys of the tables."""

HOME_HELP = """\
  c  go on with the table where something happened last
  b  play against bots            h  host a table for friends
  j  join by an invite            g  look finished games over
  r  the rules, by name           p  players you have met
  s  settings                     q  leave
  1-9            go on with, or join, the table of that number
  arrows, Enter  choose in a list; Tab, left and right: the other list
  mouse          a click chooses
  Ctrl-P         everything by name
  Ctrl-C         leave at once; the screen is restored as it was

Tables in your local network appear by themselves as they are opened.
Where one does not: oaknet doctor says what is in the way.

Esc or ? closes this."""


class Ending(Protocol):
    """What looks around while the screen is shown (`oaknet_client.lookout.Lookout`)."""

    def start(self) -> None: ...
    def cancel(self) -> None: ...
    def stop(self) -> bool: ...


class Heard(Message):
    """The lookout has news."""

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


class Side(Rows):
    """One of the two lists: left and right go from one to the other."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.focus_previous", "The other list", show=False),
        Binding("right", "screen.focus_next", "The other list", show=False),
        Binding("tab", "screen.focus_next", "Other list", key_display="Tab"),
    ]


class HomeScreen(Page):
    """The menu, beside it the tables: those to go on with, and those nearby."""

    CSS = """
    HomeScreen #rows { width: 25; height: 1fr; }
    #there { width: 1fr; height: 1fr; border-left: solid $primary; padding: 0 0 0 1; }
    #tables { height: auto; max-height: 1fr; }
    HomeScreen #about { height: 3; padding: 1 0 0 0; }
    """
    HELP_TEXT = HOME_HELP

    def __init__(self, name: str, notice: str) -> None:
        super().__init__(f"oaknet · {name}")
        self._notice = notice
        self.mine: Mine | None = None  # not known yet
        self.nearby: Nearby | None = None
        self._errands: dict[int, Errand] = {}  # by the row of the list of tables

    def compose(self) -> ComposeResult:
        yield Static(Content(inert(self._heading)), classes="heading", id="heading")
        with Vertical(classes="page"):
            with Horizontal():
                yield Side(id="rows", markup=False)
                with Vertical(id="there"):
                    yield Side(id="tables", markup=False)
            yield Static("", id="about", classes="about", markup=False)
        yield KeyLine()

    def ready(self) -> None:
        begun = folders().tables
        self.show(0 if begun.is_dir() and any(begun.iterdir()) else 1)
        self._show_tables()
        if self._notice:
            self.say(self._notice, wrong=True)

    def rows(self) -> Iterable[Row]:
        return MENU

    def called(self, name: str) -> None:
        """Another name was chosen."""
        self._heading = f"oaknet · {name}"
        self.query_one("#heading", Static).update(Content(inert(self._heading)))

    # -- the tables ------------------------------------------------------------------------------------------

    def _there(self) -> Iterable[tuple[Row, Errand | None]]:
        """The rows beside the menu, each with what choosing it does."""
        number = 0
        yield Row("Go on with", live=False), None
        mine, nearby = self.mine, self.nearby
        for errand in mine.unfinished if mine is not None else ():
            yield self._table(errand, number), errand
            number += 1
        if mine is None:
            yield Row("  …", live=False), None
        elif mine.trouble or not mine.unfinished:
            yield Row(f"  {mine.trouble or 'No table is unfinished.'}", live=False), None
        yield Row(" ", live=False), None
        yield Row("In your local network", live=False), None
        for errand in nearby.tables if nearby is not None else ():
            yield self._table(errand, number), errand
            number += 1
        if nearby is not None and nearby.others:
            many = "A private table" if nearby.others == 1 else f"{nearby.others} private tables"
            yield Row(f"  {many}: joining needs the invite.", live=False), None
        elif nearby is not None and nearby.trouble:
            yield Row(f"  {nearby.trouble}", live=False), None
        elif nearby is None or not nearby.tables:
            yield Row("  Looking for tables…", live=False), None

    @staticmethod
    def _table(errand: Errand, number: int) -> Row:
        sign = SIGNS[number] if number < len(SIGNS) else ""
        return Row(errand.line, sign, errand.more)

    def _show_tables(self) -> None:
        """Show the tables as they are now, the current one still current wherever it has gone."""
        tables = self.query_one("#tables", Rows)
        current = self._errands.get(-1 if tables.highlighted is None else tables.highlighted)
        there = list(self._there())
        self._errands = {n: errand for n, (_, errand) in enumerate(there) if errand is not None}
        with self.prevent(OptionList.OptionHighlighted):
            tables.clear_options()
            tables.add_options(row.option() for row, _ in there)
            if self._errands:
                same = [n for n, e in self._errands.items() if current and e.arguments == current.arguments]
                tables.highlighted = same[0] if same else min(self._errands)
        tables.can_focus = bool(self._errands)
        self.refresh_bindings()
        if not self._errands and self.focused is None:
            self.query_one("#rows").focus()

    def heard(self, news: News) -> None:
        """Take in what the lookout tells."""
        from oaknet_client.around import Mine  # loaded by who tells

        if isinstance(news, Mine):
            self.mine = news
        else:
            self.nearby = news
        if self.query("#tables"):  # else they are shown once the page is there
            self._show_tables()

    # -- what is done ----------------------------------------------------------------------------------------

    def pressed(self, sign: str) -> bool:
        """A number chooses its table, a letter what is in the menu."""
        number = SIGNS.find(sign)
        if 0 <= number < len(self._errands):
            self.leave([*self._errands.values()][number])
            return True
        return super().pressed(sign)

    def selected(self, rows: OptionList, number: int) -> None:
        if rows.id == "tables":
            self.leave(self._errands[number])
        else:
            self.chosen(number)

    def chosen(self, number: int) -> None:
        sign = MENU[number].sign
        if sign == "c":
            self._continue()
        else:
            module, name = PAGES[sign]
            page: Page = getattr(importlib.import_module(module), name)()
            self.oak.push_screen(page, lambda _: self.called(self.config.name))

    def _continue(self) -> None:
        if self.mine is None:
            self.say("Your tables are still being read.")
        elif self.mine.unfinished:
            self.leave(self.mine.unfinished[0])
        else:
            self.say("No table is unfinished. h opens one, j joins one.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing behind the home screen, and at first no other list."""
        if action == "back":
            return False
        return bool(self._errands) or action not in ("focus_next", "focus_previous")


class HomeApp(OakApp):
    """``errand`` is what was wished when the screen is left; None if the person wants to leave altogether.

    ``notice`` is said first. ``lookout`` makes what looks around.
    """

    CSS = OakApp.CSS + Page.CSS + HomeScreen.CSS
    BINDINGS: ClassVar[list[BindingType]] = [*COMMON]

    def __init__(self, config: Config, notice: str = "", lookout: Callable[[Tell], Ending] = Lookout) -> None:
        super().__init__(config)
        self.errand: Errand | None = None
        self._notice = notice
        self._lookout = lookout(self._tell)

    def get_default_screen(self) -> Screen[Any]:
        return HomeScreen(self.config.name, self._notice)

    def on_mount(self) -> None:
        complaint = self.apply_theme()
        if complaint and isinstance(self.screen, HomeScreen):
            self.screen.say(complaint, wrong=True)
        if not self.config.named:
            from oaknet_client.screen.settings import NamePage

            self.push_screen(NamePage(), lambda _: self._home.called(self.config.name))
        self.call_after_refresh(self._lookout.start)

    def cancel(self) -> None:
        """Look around no more, without waiting for the end."""
        self._lookout.cancel()

    def stop(self) -> bool:
        """Look around no more; nothing is lost by what does not end in time, so it counts as ended."""
        self._lookout.stop()
        return True

    @property
    def _home(self) -> HomeScreen:
        home = self.screen_stack[0]
        assert isinstance(home, HomeScreen)
        return home

    def _tell(self, news: News) -> None:
        self.post_message(Heard(news))  # from a thread of the lookout

    def on_heard(self, message: Heard) -> None:
        """Show what there is around."""
        if self.is_running:
            self._home.heard(message.news)

    def on_wanted(self, message: Wanted) -> None:
        """Leave for an errand."""
        self.errand = message.errand
        self.exit(return_code=0)

    def action_help(self) -> None:
        """List the keys."""
        from oaknet_client.screen.help import HelpScreen

        if isinstance(self.screen, Page):
            self.push_screen(HelpScreen(self.screen.HELP_TEXT))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        if isinstance(screen, Page):
            yield from screen.commands()
            yield SystemCommand("Help", "The keys that work here (?)", self.action_help)
        yield SystemCommand("Quit", "Leave oaknet (q)", self.action_leave)
