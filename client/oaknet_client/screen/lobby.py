"""Before the game, and between the moves: the lobby with its invite, and what only the player can decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Input, OptionList, RichLog, Static

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
from oaknet_client.words import inert

if TYPE_CHECKING:
    from oaknet_client.screen.app import TableApp


class LobbyScreen(Screen[None]):
    """Who is here, which seats are free, and the line by which others join. The game begins by itself."""

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
        Binding("q", "app.leave", "Leave"),
        Binding("escape", "board", "", show=False),
    ]

    def __init__(self, say: Callable[[str], None], copy: Callable[[str], None]) -> None:
        super().__init__()
        self._say, self._copy = say, copy
        self._invite = ""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("Setting up the table.", id="lobby-title", markup=False)
            yield Static("", id="lobby-seats", markup=False)
            yield Static("", id="lobby-invite", markup=False)
            yield Static("", id="lobby-hint", markup=False)
            yield RichLog(
                id="lobby-log", markup=False, highlight=False, wrap=True, min_width=20, max_lines=500
            )
            yield Input(placeholder="Say something to all who are here", id="lobby-say", max_length=400)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#lobby-invite").display = False
        self.query_one("#lobby-log").focus()

    def invited(self, event: Invited) -> None:
        """Show the line by which others join."""
        self._invite = f"oaknet join {event.invite}"
        invite = self.query_one("#lobby-invite", Static)
        invite.update(Content(self._invite))
        invite.display = True
        self.query_one("#lobby-hint", Static).update(
            Content(
                f"Send this line to your friends; c copies it. This machine listens on port {event.port}."
            )
        )

    def filled(self, event: Lobby) -> None:
        """Show who is here."""
        rows = [
            f"  {number}  {inert(seat.name)}{f' (bot {inert(seat.bot)})' if seat.bot else ''}"
            for number, seat in enumerate(event.seats, 1)
        ]
        rows += [f"  {number}  free" for number in range(len(rows) + 1, len(rows) + event.free + 1)]
        self.query_one("#lobby-seats", Static).update(Content("\n".join(rows)))
        options = ", ".join(f"{inert(name)} {inert(value)}" for name, value in event.options)
        title = f"Waiting for players: {inert(event.game)}{f' ({options})' if options else ''}"
        self.query_one("#lobby-title", Static).update(Content(title))

    def note(self, line: str) -> None:
        """Add a line to what has happened."""
        self.query_one("#lobby-log", RichLog).write(inert(line))

    def action_copy(self) -> None:
        """Put the invite on the clipboard."""
        if self._invite:
            self._copy(self._invite)
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


class QuestionScreen(ModalScreen[int]):
    """Something that the player decides; gives the place of the choice."""

    CSS = """
    QuestionScreen { align: center middle; }
    #asked { width: 70; height: auto; border: round $warning; padding: 0 1; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.leave", "Quit")]

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question
        self._moot = False

    def compose(self) -> ComposeResult:
        with Vertical(id="asked"):
            yield Static(Content(inert(self.question.line)), markup=False)
            yield OptionList(*(Content(inert(choice)) for choice in self.question.choices), markup=False)

    def settle(self) -> None:
        """It has settled itself: ask no more, as soon as nothing else is asked over it."""
        self._moot = True
        if self.is_current:
            self.dismiss(None)

    def on_screen_resume(self) -> None:
        """What was asked over it is answered."""
        if self._moot:
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
            lobby = LobbyScreen(lambda text: app.bridge.send(Say(text)), app.copy_to_clipboard)
            app.push_screen(lobby)
        show = lobby.invited if isinstance(event, Invited) else lobby.filled
        app.call_after_refresh(show, event)  # once it is there
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
                app.call_after_refresh(lobby.note, line)
            else:
                app.note(line)
        return True
    return False


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
