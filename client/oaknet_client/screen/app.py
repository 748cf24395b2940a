"""One table on the screen: the state, the log and the choices of any game, by keyboard and mouse."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, OptionList, RichLog, Static
from textual.widgets.option_list import Option as Choice

from oaknet.kernel import Game
from oaknet_client import views
from oaknet_client.bridge import Bridge
from oaknet_client.config import Config
from oaknet_client.failures import Failure, explain
from oaknet_client.feed import (
    Asked,
    Ended,
    Event,
    Failed,
    Feed,
    Peer,
    Result,
    Seat,
    Shown,
    Started,
)
from oaknet_client.move import Move
from oaknet_client.screen.help import HelpScreen
from oaknet_client.screen.styles import content
from oaknet_client.views.records import flow
from oaknet_client.words import inert, question, result_lines, seat_name, turn_line

SIGNS = "123456789abcdefghijklmnoprstvwxyzABCDEFGHIJKLMNOPQRSTVWXYZ"
"""The keys of the choices, in order: all letters but those of the commands."""


class Told(Message):
    """Something happened at the table."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class Resized(Message):
    """The room for the board has changed."""


class BoardArea(VerticalScroll):
    """Where the board is; tells when its size has changed."""

    def on_resize(self) -> None:
        """The board is laid out for the new width."""
        self.post_message(Resized())


class TableApp(App[None]):
    """Shows a feed. ``result`` is the table's once it has ended, ``fault`` what went wrong."""

    TITLE = "oaknet"
    CSS = """
    #turn { height: 1; background: $primary; color: $text; text-style: bold; padding: 0 1; }
    #turn.mine { background: $success; }
    #status { height: 1; color: $text-muted; padding: 0 1; }
    #middle { height: 1fr; }
    #table { width: 1fr; padding: 0 1; }
    #side { width: 35%; min-width: 28; max-width: 60; border-left: solid $primary; padding: 0 0 0 1; }
    #question { height: auto; max-height: 4; text-style: bold; }
    #choices { height: 1fr; border: none; padding: 0; background: $background; }
    #trail { height: auto; max-height: 6; color: $text-muted; }
    #log { height: 6; border-top: solid $primary; padding: 0 1; background: $background; }
    HelpScreen { align: center middle; }
    #help { width: 70; height: auto; max-height: 90%; border: round $primary; padding: 0 1; }
    #help { background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Take back", tooltip="Take back the last choice of this turn"),
        Binding("U", "undo_turn", "Whole turn", tooltip="Take back the whole turn"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "leave", "Quit"),
        Binding("ctrl+q", "leave", "Quit", show=False, priority=True),
        Binding("ctrl+c", "interrupt", "Stop", show=False, priority=True),
    ]

    def __init__(self, feed: Feed, config: Config) -> None:
        super().__init__()
        self.bridge = Bridge(feed, self._tell)
        self.result: Result | None = None
        self.fault: Failure | None = None
        self._confirm = config.confirm
        self._wanted_theme = config.theme
        self._seats: tuple[Seat, ...] = ()
        self._game: Game[Any] | None = None
        self._move: Move | None = None
        self._stale = False

    def compose(self) -> ComposeResult:
        yield Static("Setting up the table.", id="turn", markup=False)
        yield Static("", id="status", markup=False)
        with Horizontal(id="middle"):
            with BoardArea(id="table"):
                yield Static("", id="board", markup=False)
            with Vertical(id="side"):
                yield Static("", id="question", markup=False)
                yield OptionList(id="choices", markup=False)
                yield Static("", id="trail", markup=False)
        yield RichLog(id="log", markup=False, highlight=False, wrap=True, min_width=20, max_lines=5000)
        yield Footer()

    def on_mount(self) -> None:
        if self._wanted_theme in self.available_themes:
            self.theme = self._wanted_theme
        elif self._wanted_theme:
            self._note(f"There is no theme {self._wanted_theme!r}; Ctrl-P lists those there are.")
        self.theme_changed_signal.subscribe(self, lambda _: self._touch())
        self.query_one("#choices").focus()
        self.bridge.start()

    def on_resized(self) -> None:
        """Draw for the room there is now."""
        self._touch()

    def _tell(self, event: Event) -> None:
        self.post_message(Told(event))  # from the feed's thread

    # -- from the table --------------------------------------------------------------------------------------

    def on_told(self, message: Told) -> None:
        """Take in an event; what it changes is drawn once all that have arrived are in."""
        event = message.event
        if isinstance(event, Started):
            self._seats, self._game = event.seats, event.game
            names = ", ".join(seat_name(event.seats, seat) for seat in range(len(event.seats)))
            self._note(f"{event.game.rules.title}: {names}")
        elif isinstance(event, Shown):
            self._game = event.game
            for line in event.lines:
                self._note(line)
        elif isinstance(event, Peer):
            self._note(event.line)
        elif isinstance(event, Asked):
            self._move = Move(event, self._confirm)
        elif isinstance(event, Ended):
            self._game, self._move, self.result = event.game, None, event.result
            for line in result_lines(event.result):
                self._note(line)
        else:
            assert isinstance(event, Failed)
            self.fault = Failure(event.sentence, event.status)
            self.exit(return_code=event.status)
        self._touch()

    def _note(self, line: str) -> None:
        self.query_one("#log", RichLog).write(inert(line))

    def _touch(self) -> None:
        """Draw everything anew, once, after the messages that wait already."""
        if not self._stale:
            self._stale = True
            self.call_later(self._draw)

    # -- what is seen ----------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._stale = False
        game = self._move.game if self._move else self._game
        if game is None or not self.is_running:
            return
        seat = self._move.seat if self._move else self._own_seat()
        picture = views.picture(game, self._seats, seat)
        width = max(20, self.query_one("#table").scrollable_content_region.width)
        board = content(flow(picture.panels, width), dark=self.current_theme.dark)
        base = self.screen_stack[0]
        base.query_one("#board", Static).update(board)
        base.query_one("#status", Static).update(Content(inert(picture.status)))
        turn = base.query_one("#turn", Static)
        turn.update(Content(self._turn_line(game)))
        turn.set_class(self._move is not None, "mine")
        self._draw_choices()
        self.refresh_bindings()

    def _own_seat(self) -> int | None:
        """The only person at this keyboard, whose board comes first."""
        persons = [number for number, seat in enumerate(self._seats) if not seat.bot]
        return persons[0] if len(persons) == 1 else None

    def _turn_line(self, game: Game[Any]) -> str:
        if self._move is not None:
            return f"{game.rules.title} · {seat_name(self._seats, self._move.seat)}, it is your turn."
        return f"{game.rules.title} · {turn_line(game, self._seats)}"

    def _draw_choices(self) -> None:
        base = self.screen_stack[0]
        heading, trail = "", ""
        rows: list[str] = []
        if self.result is not None:
            heading = "\n".join(result_lines(self.result)[:1])
            rows = ["Leave the table"]
        elif (move := self._move) is not None:
            heading = move.warning if move.turn.done else question(move.about)
            rows = ["Send this turn"] if move.turn.done else move.choices
            if move.trail:
                trail = f"So far: {' › '.join(move.trail)}"
        base.query_one("#question", Static).update(Content(heading))
        base.query_one("#trail", Static).update(Content(trail))
        choices = base.query_one("#choices", OptionList)
        choices.clear_options()
        choices.add_options(Choice(Content(self._row(number, row))) for number, row in enumerate(rows))
        if rows:
            choices.highlighted = 0

    def _row(self, number: int, text: str) -> str:
        return f"{SIGNS[number] if number < len(SIGNS) else ' '} {text}"

    # -- what is done ----------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A sign chooses what bears it."""
        choices = self.query_one("#choices", OptionList)
        number = SIGNS.find(event.character) if event.character else -1
        if 0 <= number < choices.option_count and len(self.screen_stack) == 1:
            event.stop()
            self._choose(number)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "choices":
            self._choose(event.option_index)

    def _choose(self, number: int) -> None:
        if self.result is not None:
            self.action_leave()
            return
        if self._move is None or self._stale:  # what is shown is no longer what is asked
            return
        if self._move.turn.done:
            self._send(self._move)
            return
        self._move.choose(number)
        if self._move.ready:
            self._send(self._move)
        self._touch()

    def _send(self, move: Move) -> None:
        self._move, self._game = None, move.game
        self.bridge.send(move.submit())
        self._touch()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what there is nothing to do for."""
        if action in ("undo", "undo_turn"):
            return True if self._move is not None and self._move.trail else None
        return True

    def action_undo(self) -> None:
        """Take back the last choice of this turn."""
        if self._move is not None and self._move.undo():
            self._touch()

    def action_undo_turn(self) -> None:
        """Take back the whole turn."""
        while self._move is not None and self._move.undo():
            self._touch()

    def action_help(self) -> None:
        """List the keys."""
        self.push_screen(HelpScreen())

    def action_leave(self) -> None:
        """Leave the table."""
        self.exit(return_code=0)

    def action_interrupt(self) -> None:
        """Leave as Ctrl-C does anywhere."""
        self.exit(return_code=130)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield SystemCommand("Take back", "Take back the last choice of this turn (u)", self.action_undo)
        yield SystemCommand("Take back the turn", "Take back the whole turn (U)", self.action_undo_turn)
        yield SystemCommand("Help", "The keys that work (?)", self.action_help)
        yield SystemCommand("Theme", "Choose the colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave the table (q)", self.action_leave)

    # -- when the screen itself fails ------------------------------------------------------------------------

    def _handle_exception(self, error: Exception) -> None:
        """Keep what went wrong, to be told in a sentence once the terminal is as it was."""
        if self.fault is None:
            self.fault = explain(error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Close without the traceback that Textual would print."""
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
