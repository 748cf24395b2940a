"""Before the game, and between the moves: the lobby with its invite, and what only the player can decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, RichLog, Static

from oaknet import registry
from oaknet_client.feed import (
    Decide,
    Ended,
    Event,
    Failed,
    Forked,
    Invited,
    Lobby,
    Note,
    Question,
    Said,
    Say,
    Started,
)
from oaknet_client.headless import event_lines
from oaknet_client.screen.base import Dialog
from oaknet_client.words import inert

if TYPE_CHECKING:
    from oaknet_client.screen.app import TableApp


class LobbyScreen(Screen[None]):
    """Who is here, which seats are free, and the line by which others join (``invite``). The game begins by
    itself. ``login`` is the name that one has here, if it was never chosen."""

    CSS = """
    LobbyScreen { padding: 1 2; }
    #lobby-title { text-style: bold; height: auto; }
    #lobby-seats { height: auto; margin: 1 0; }
    #lobby-invite { height: auto; border: round $primary; padding: 0 1; }
    #lobby-hint { height: auto; color: $text-muted; margin: 0 0 1 0; }
    #lobby-log { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "Copy the invite"),
        Binding("t", "talk", "Talk"),
        Binding("i", "app.people", "Who is here"),
        Binding("q", "app.leave", "Leave"),
        Binding("escape", "board", "", show=False),
    ]

    def __init__(self, say: Callable[[str], None], copy: Callable[[str], None], login: str = "") -> None:
        super().__init__()
        self._say, self._copy, self._login = say, copy, login
        self.invite = ""
        self._title, self._seats, self._hint = "Setting up the table.", "", ""
        self._lines: list[str] = []

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("", id="lobby-title", markup=False)
            yield Static("", id="lobby-seats", markup=False)
            yield Static("", id="lobby-invite", markup=False)
            yield Static("", id="lobby-hint", markup=False)
            yield RichLog(
                id="lobby-log", markup=False, highlight=False, wrap=True, min_width=20, max_lines=500
            )
            yield Input(placeholder="Say something to all who are here", id="lobby-say", max_length=400)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#lobby-log").focus()
        self._show()

    def invited(self, event: Invited) -> None:
        """Show the line by which others join."""
        self.invite = f"oaknet join {event.invite}"
        self._hint = (
            f"Send this line to your friends; c copies it. This machine listens on port {event.port}."
        )
        self._show()

    def filled(self, event: Lobby) -> None:
        """Show who is here."""
        rows = [
            f"  {number}  {inert(seat.name)}{f' (bot {inert(seat.bot)})' if seat.bot else ''}"
            for number, seat in enumerate(event.seats, 1)
        ]
        rows += [f"  {number}  free" for number in range(len(rows) + 1, len(rows) + event.free + 1)]
        self._seats = "\n".join(rows)
        options = ", ".join(f"{inert(name)} {inert(value)}" for name, value in event.options)
        game = registry.rules(event.game).title if event.game in registry.games() else inert(event.game)
        if self._login and any(seat.name == self._login for seat in event.seats):
            self.note(
                f"You are called {self._login}, as at the login. For your next table, oaknet identity "
                "rename NAME changes it."
            )
            self._login = ""
        self._title = f"Waiting for players: {game}{f' ({options})' if options else ''}"
        self._show()

    def note(self, line: str) -> None:
        """Add a line to what has happened."""
        self._lines.append(inert(line))
        self._show()

    def _show(self) -> None:
        """Show what is known with the parts that are there: none at first, nor while the program ends."""
        parts = {"title": self._title, "seats": self._seats, "invite": self.invite, "hint": self._hint}
        for name, text in parts.items():
            for part in self.query(f"#lobby-{name}").results(Static):
                part.update(Content(text))
                part.display = bool(text)
        for log in self.query("#lobby-log").results(RichLog):
            for line in self._lines:
                log.write(line)
            self._lines.clear()

    def action_copy(self) -> None:
        """Put the invite on the clipboard."""
        if self.invite:
            self._copy(self.invite)
            self.note("The invite is on the clipboard, if this terminal allows it.")

    def action_talk(self) -> None:
        """Go to the line where one says something."""
        self.query_one("#lobby-say").focus()

    def action_board(self) -> None:
        """Leave the line where one says something."""
        self.query_one("#lobby-log").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it."""
        if event.value.strip():
            self._say(event.value.strip())
        event.input.value = ""


class QuestionScreen(Dialog[int]):
    """Something that the player decides; gives the place of the choice."""

    CSS = """
    QuestionScreen { align: center middle; }
    #asked { width: 70; max-width: 96%; height: auto; max-height: 96%; }
    #asked { border: round $warning; padding: 0 1; background: $surface; }
    #asked OptionList { height: auto; border: none; padding: 0; margin: 1 0 0 0; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "app.leave", "Quit"),
        Binding("escape", "let_be", "", show=False),
    ]

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question
        self._moot = False

    def compose(self) -> ComposeResult:
        with Vertical(id="asked"):
            yield Static(Content(inert(self.question.line)), markup=False)
            rows = (f"{number} {inert(text)}" for number, text in enumerate(self.question.choices, 1))
            yield OptionList(*map(Content, rows), markup=False)

    def settle(self) -> None:
        """It has settled itself: ask no more, as soon as nothing else is asked over it."""
        self._moot = True
        if self.is_active:
            self.dismiss(None)

    def on_screen_resume(self) -> None:
        """What was asked over it is answered."""
        if self._moot:
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """The number of a choice chooses it."""
        number = "123456789".find(event.character) if event.character else -1
        if 0 <= number < len(self.question.choices):
            event.stop()
            self.dismiss(number)

    def action_let_be(self) -> None:
        """Let a question of our own be; what others wait for is answered."""
        if not self.question.number:
            self.dismiss(None)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The choice is made."""
        event.stop()
        self.dismiss(event.option_index)


def heard(app: TableApp, event: Event) -> bool:
    """Show what is not the game's; says whether the event is used up by that."""
    lobby = next((screen for screen in app.screen_stack if isinstance(screen, LobbyScreen)), None)
    if isinstance(event, Invited | Lobby):
        if lobby is None:
            login = "" if app.config.named else app.config.name
            lobby = LobbyScreen(lambda text: app.bridge.send(Say(text)), app.copy_to_clipboard, login)
            app.push_screen(lobby)
        if isinstance(event, Invited):
            lobby.invited(event)
        else:
            lobby.filled(event)
        return True
    if isinstance(event, Started | Ended | Failed):
        if lobby is not None:
            while app.screen is not lobby:  # what was asked before the game begins is settled by it
                app.pop_screen()
            app.pop_screen()
        return False
    if isinstance(event, Question):
        _ask(app, event)
        return True
    if isinstance(event, Note | Said | Forked):
        for line in event_lines(event, app.seats):
            if lobby is not None:
                lobby.note(line)
            else:
                app.note(line, "bold" if isinstance(event, Said) else "")
        return True
    return False


def ask(app: TableApp, line: str, no: str, yes: str, act: Callable[[], None]) -> None:
    """Do something after a second thought."""

    def decided(choice: int | None) -> None:
        if choice == 1:
            act()

    app.push_screen(QuestionScreen(Question(0, line, (no, yes))), decided)


def _ask(app: TableApp, question: Question) -> None:
    for screen in app.screen_stack:
        if isinstance(screen, QuestionScreen) and screen.question.number == question.number:
            screen.settle()
    if not question.choices:
        return

    def decided(choice: int | None) -> None:
        if choice is not None:
            app.bridge.send(Decide(question.number, choice))

    app.push_screen(QuestionScreen(question), decided)
