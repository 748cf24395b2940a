"""One table on the screen: the board, the log and the choices of any game, by keyboard and mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, RichLog, Static
from textual.widgets.option_list import Option as Choice

from oaknet.kernel import CHANCE, Game
from oaknet_client import boards, views
from oaknet_client.boards.preview import entry_lines, explained
from oaknet_client.boards.records import Drawing, Key
from oaknet_client.bridge import Bridge
from oaknet_client.config import Config
from oaknet_client.failures import Failure
from oaknet_client.feed import (
    Asked,
    Ended,
    Event,
    Failed,
    Feed,
    Peer,
    Resign,
    Result,
    Say,
    Seat,
    Shown,
    Started,
)
from oaknet_client.headings import question
from oaknet_client.lookup import Table
from oaknet_client.move import Move
from oaknet_client.screen import company, lobby, result
from oaknet_client.screen.base import COMMON, OakApp
from oaknet_client.screen.board import Board
from oaknet_client.screen.company import Company, TalkLine
from oaknet_client.screen.help import HelpScreen
from oaknet_client.screen.parts import BoardArea
from oaknet_client.screen.replay import ReplayScreen
from oaknet_client.screen.rules import RulesScreen
from oaknet_client.words import inert, result_lines, seat_name, turn_line

if TYPE_CHECKING:
    from oaknet_client.replays import Replay

SIGNS = "123456789abcdefghjkmopsvwxyzABCDEFGHIJKLMOPQSTVWXYZ"
"""The keys of the choices, in order: all letters but those of commands."""

PATIENCE = 3
"""Seconds after which one may have looked away, so that the bell rings."""

MISSED = 300
"""Events kept to be looked at again."""

AT_THE_TABLE = ("undo", "undo_turn", "part", "missed", "now", "talk", "resign", "log", "rules")
"""What there is nothing to do for before the game begins."""


class Told(Message):
    """Something happened at the table."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class TableApp(OakApp):
    """Shows a feed. ``result`` is the table's once it has ended, ``fault`` what went wrong.

    Where a rematch is offered (``again``), ``wanted`` says whether the person wants it.
    """

    CSS = (
        OakApp.CSS
        + """
    #turn.mine { background: $success; }
    #question { height: auto; max-height: 50%; text-style: bold; }
    #choices { height: 1fr; min-height: 5; border: none; padding: 0; background: $background; }
    #choices { scrollbar-gutter: stable; scrollbar-size-vertical: 1; }
    #about { height: auto; max-height: 50%; }
    #trail { height: auto; max-height: 4; color: $text-muted; }
    #log { height: 8; border-top: solid $primary; padding: 0 1; background: $background; }
    .-low #log { height: 3; }
    .-low #about { max-height: 8; }
    #say { dock: bottom; margin: 0 0 1 0; height: 3; }
    .log #middle { display: none; }
    .log #log { height: 1fr; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Take back", tooltip="Take back the last choice of this turn"),
        Binding("U", "undo_turn", "Whole turn", show=False, tooltip="Take back the whole turn"),
        Binding("comma", "part(-1)", "Turn over", key_display=",", show=False),
        Binding("full_stop", "part(1)", "Turn over", key_display=".", show=False),
        Binding("n", "missed(1)", "Missed", tooltip="Go through what has happened since my last turn"),
        Binding("N", "missed(-1)", "Missed, back", show=False),
        Binding("escape", "now", "Now", show=False),
        Binding("t", "talk", "Talk", tooltip="Say something to all at the table"),
        Binding("i", "people", "Who", tooltip="Who is here; mute or block somebody; give up a seat"),
        Binding("R", "resign", "Give up", show=False),
        Binding("l", "log", "Log"),
        Binding("r", "rules", "Rules"),
        *COMMON,
    ]

    def __init__(
        self,
        feed: Feed,
        config: Config,
        clock: Callable[[], datetime] = datetime.now,
        *,
        again: bool = False,
    ) -> None:
        super().__init__(config)
        self.bridge = Bridge(feed, self._tell)
        self.result: Result | None = None
        self.again, self.wanted = again, False
        self.seats: tuple[Seat, ...] = ()
        self.company = Company()
        self._clock = clock
        self._course: result.Course | None = None
        self._replay: Replay | None = None
        self._sent = False  # whether anything would be lost by leaving
        self._game: Game[Any] | None = None
        self._move: Move | None = None
        self._stale = False
        self._drawn: tuple[object, int, int] = (None, 0, -1)  # what the choices on the screen belong to
        self._flash = False
        self._focused = ""  # the question that the focus was set for
        self._concluded = False  # whether the page of the result has been opened
        self._since = clock()
        self._missed: list[Shown] = []
        self._back = -1  # which of the missed events is looked at; -1: none

    def compose(self) -> ComposeResult:
        yield Static("Setting up the table.", id="turn", markup=False)
        yield Static("", id="status", markup=False)
        with Horizontal(id="middle"):
            yield BoardArea()
            with Vertical(id="side"):
                yield Static("", id="question", markup=False)
                yield OptionList(id="choices", markup=False)
                yield Static("", id="about", markup=False)
                yield Static("", id="trail", markup=False)
        yield RichLog(id="log", markup=False, highlight=False, wrap=True, min_width=20, max_lines=5000)
        yield Footer()

    def on_mount(self) -> None:
        if complaint := self.apply_theme():
            self._note(complaint)
        self.theme_changed_signal.subscribe(self, lambda _: self._recolour())
        self._recolour()
        self.query_one("#choices").focus()
        self.call_after_refresh(self.bridge.start)  # what the feed does must not delay the first paint

    def _recolour(self) -> None:
        self._base.query_one("#board", Board).colour(dark=self.current_theme.dark)

    @property
    def _base(self) -> Screen[Any]:
        """The table's own screen, whatever lies over it."""
        return self.screen_stack[0]

    def on_resized(self) -> None:
        """Draw for the room there is now."""
        self._touch()

    def _tell(self, event: Event) -> None:
        self.post_message(Told(event))  # from the feed's thread

    # -- from the table --------------------------------------------------------------------------------------

    def on_told(self, message: Told) -> None:
        """Take in an event; what it changes is drawn once all that have arrived are in."""
        event = message.event
        self.company.hear(event, self._clock())
        if lobby.heard(self, event):
            return
        if isinstance(event, Started):
            self.seats, self._game = event.seats, event.game
            self.company.own, self._course = event.own, result.Course(event.game)
            names = ", ".join(seat_name(event.seats, seat) for seat in range(len(event.seats)))
            self._note(f"{event.game.rules.title}: {names}")
        elif isinstance(event, Shown):
            self._shown(event)
        elif isinstance(event, Peer):
            self._note(event.line)
        elif isinstance(event, Asked):
            waited = (self._clock() - self._since).total_seconds()
            if self.config.bell and waited > PATIENCE:
                self.bell()
            self._move, self._since = Move(event, self.config.confirm), self._clock()
        elif isinstance(event, Ended):
            self._game, self._move, self.result = event.game, None, event.result
            for line in result_lines(event.result):
                self._note(line)
            if self._course is not None:
                self.run_worker(self._recall(event, self._course))
        else:
            assert isinstance(event, Failed)
            self.fault = Failure(event.sentence, event.status)
            self.exit(return_code=event.status)
        self._touch()

    async def _recall(self, event: Ended, course: result.Course) -> None:
        self._replay = await result.recall(self, event.result, course, event.game)
        self._concluded = False  # the page of the result comes first again
        self._touch()

    def note(self, line: str, style: str = "") -> None:
        """Add a line to the log, in a style of Textual's if that is wished for."""
        self._note(line, style)

    def _shown(self, event: Shown) -> None:
        if self._game is None or _asked(self._game) != _asked(event.game):
            self._since = self._clock()
        self._game = event.game
        assert self._course is not None, "a table begins before anything happens at it"
        self._course.add(event)
        for line in event.lines:
            self._note(line)
        self._flash = True
        self._missed = [*self._missed[-MISSED + 1 :], event]

    def _note(self, line: str, style: str = "") -> None:
        for base in self.screen_stack[:1]:  # none any more while the program ends
            for log in base.query("#log").results(RichLog):
                log.write(Text(inert(line), style))

    def _touch(self) -> None:
        """Draw everything anew, once, after the messages that wait already."""
        if not self._stale:
            self._stale = True
            self.call_later(self._draw)

    # -- what is seen ----------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._stale = False
        game = self._visible()
        if game is None or not self.is_running:
            return
        base = self._base
        seat = self._move.seat if self._move else self._own_seat()
        blocks: Sequence[Drawing] = boards.blocks(game, self.seats, seat)
        area = base.query_one("#table", BoardArea)
        if self.result is not None and self._back < 0:
            blocks = (*result.pages(game, self.seats, self._replay, area.size.width - 1), *blocks)
        area.show(blocks, self._signs(), flash=self._flash)
        if self.result is not None and not self._concluded:
            self._concluded = True
            area.open(0)
        self._flash = False
        status = views.picture(game, self.seats, seat).within(self.size.width - 2)
        base.query_one("#status", Static).update(Content(inert(status)))
        turn = base.query_one("#turn", Static)
        turn.update(Content(self._turn_line(game)))
        turn.set_class(self._move is not None and self._back < 0, "mine")
        self._draw_choices()
        self._drawn = self._asked_now()
        self.refresh_bindings()

    def _asked_now(self) -> tuple[object, int, int]:
        """What tells one question from the next."""
        return self._move, len(self._move.trail) if self._move else 0, self._back

    def _visible(self) -> Game[Any] | None:
        """The position that is shown: an earlier one while looking back."""
        if self._back >= 0:
            return self._missed[self._back].game
        return self._move.game if self._move else self._game

    def _own_seat(self) -> int | None:
        """The only person at this keyboard, whose board comes first."""
        persons = self.company.mine(self.seats)
        return persons[0] if len(persons) == 1 else None

    def _signs(self) -> list[tuple[Key | None, str]]:
        """Where each choice is on the board, and the sign that it bears."""
        move = self._move
        if self._back < 0 and self.result is not None:
            placed = result.keys(self, self._replay)
            return [(key, _sign(number)) for number, key in enumerate(placed)]
        if move is None or move.turn.ask is None or self._back >= 0:
            return []
        keys = boards.places(move.game, move.turn.ask)
        return [(key, _sign(number)) for number, key in enumerate(keys)]

    def _turn_line(self, game: Game[Any]) -> str:
        title = game.rules.title
        if self._back >= 0:
            at = f"{self._back + 1} of {len(self._missed)}"
            return f"{title} · Looking back: {at}. n goes on, Esc ends it."
        if self._move is not None:
            return f"{title} · {seat_name(self.seats, self._move.seat)}, it is your turn."
        if self.result is not None and not game.over:
            return f"{title} · The table has ended."
        since = "" if game.over else f" Since {self._since:%H:%M}."
        return f"{title} · {turn_line(game, self.seats)}{since}"

    def _draw_choices(self) -> None:
        base = self._base
        heading, trail = "", ""
        rows: list[str] = []
        if self._back >= 0:
            heading = "\n".join(self._missed[self._back].lines[-4:])
        elif self.result is not None:
            heading = "\n".join(result_lines(self.result)[:1])
            rows = [text for text, _ in result.acts(self, self._replay)]
        elif (move := self._move) is not None:
            heading = move.warning if move.turn.done else question(move.game.rules, move.about)
            rows = ["Send this turn"] if move.turn.done else move.choices
            if move.trail:
                trail = f"So far: {' › '.join(move.trail)}"
        elif (game := self._game) is not None:
            heading = "\n".join(self.company.waiting(game, self.seats, self._since))
        base.query_one("#question", Static).update(Content(inert_lines(heading)))
        base.query_one("#trail", Static).update(Content(trail))
        choices = base.query_one("#choices", OptionList)
        with self.prevent(OptionList.OptionHighlighted):
            choices.clear_options()
            choices.add_options(Choice(Content(f"{_sign(n)} {row}")) for n, row in enumerate(rows))
            # A last Enter too many must not leave the table before its result has been seen.
            choices.highlighted = 0 if rows and self.result is None else None
        self._point(0 if rows else -1)
        self._set_focus(rows)

    def _set_focus(self, rows: Sequence[str]) -> None:
        """Where every choice has its place on the board the arrows move there, else along the list."""
        board = self._base.query_one("#board", Board)
        choices = self._base.query_one("#choices", OptionList)
        asked = "\n".join(rows)
        if asked == self._focused or self._base.focused not in (board, choices):
            return
        self._focused = asked
        signs = self._signs()
        placed = bool(signs) and all(key is not None for key, _ in signs)
        self._base.set_focus(board if placed else choices, scroll_visible=False)

    def _point(self, number: int, *, find: bool = False) -> None:
        """Make a choice the current one: on the board, and in the words that explain it."""
        area = self._base.query_one("#table", BoardArea)
        move = self._move
        if move is None or move.turn.ask is None or self._back >= 0:
            ended = self.result is not None and self._back < 0
            area.board.point(number if ended else -1)
            self._about(result.about(self.result) if self.result is not None and ended else [])
            return
        if find:
            area.find(boards.places(move.game, move.turn.ask)[number])
        area.board.point(number)
        self._about(explained(move.game, move.turn.ask, move.turn.ask.options[number]))

    def _about(self, lines: Sequence[str]) -> None:
        self._base.query_one("#about", Static).update(Content("\n".join(map(inert, lines))))

    # -- what is done ----------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A sign chooses what bears it."""
        choices = self._base.query_one("#choices", OptionList)
        number = SIGNS.find(event.character) if event.character else -1
        if 0 <= number < choices.option_count and len(self.screen_stack) == 1:
            event.stop()
            self._choose(number)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "choices":
            self._choose(event.option_index)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list.id == "choices" and self._drawn == self._asked_now():
            self._point(event.option_index, find=True)

    def on_board_chosen(self, message: Board.Chosen) -> None:
        """Chosen on the board."""
        self._choose(message.number)

    def on_board_moved(self, message: Board.Moved) -> None:
        """The board's cursor went elsewhere: the list and the explanation follow."""
        choices = self._base.query_one("#choices", OptionList)
        if message.number < choices.option_count and self._drawn == self._asked_now():
            with self.prevent(OptionList.OptionHighlighted):
                choices.highlighted = message.number
            self._point(message.number)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """The mouse is over something: explain it."""
        move, game = self._move, self._visible()
        ask = move.turn.ask if move is not None and self._back < 0 else None
        if move is not None and ask is not None and 0 <= message.number < len(ask.options):
            self._about(explained(move.game, ask, ask.options[message.number]))
        elif game is not None and message.entry:
            self._about(entry_lines(game.rules, message.entry))

    def _choose(self, number: int) -> None:
        if self._back >= 0 or self._drawn != self._asked_now():  # what is shown is not what is asked
            return
        if self.result is not None:
            result.acts(self, self._replay)[number][1]()
            return
        if self._move is None:
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
        self._missed, self._since, self._sent = [], self._clock(), True
        self.bridge.send(move.submit())
        self._touch()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what there is nothing to do for."""
        if action in AT_THE_TABLE and any(isinstance(one, lobby.LobbyScreen) for one in self.screen_stack):
            return False
        if action in ("undo", "undo_turn"):
            return True if self._move is not None and self._move.trail and self._back < 0 else None
        if action == "missed":
            return True if self._missed else None
        if action == "talk":
            return bool(self.company.own) and self.result is None
        if action == "resign":
            return True if self._move is not None and self._back < 0 else None
        return True

    def action_leave(self) -> None:
        """Leave; what is kept nowhere is not lost by one key."""
        if self.result is not None or self.company.own or not self._sent or len(self.screen_stack) > 1:
            super().action_leave()
            return
        line = "Leave this game? It is played at this keyboard alone and kept nowhere."
        lobby.ask(self, line, "Play on", "Leave it", super().action_leave)

    def rematch(self) -> None:
        """Leave this table for a new one with the same game, seats and options."""
        self.wanted = True
        super().action_leave()

    def look_over(self, found: Replay, at: int) -> None:
        """Show the game from a position on."""
        self.push_screen(ReplayScreen(self, found, at))

    # -- others ----------------------------------------------------------------------------------------------

    def action_talk(self) -> None:
        """Open the line where one says something to all at the table."""
        company.talk(self)

    def action_quiet(self) -> None:
        """Close that line."""
        self._base.query(TalkLine).remove()
        self._focused = ""
        self._base.set_focus(self._base.query_one("#choices"), scroll_visible=False)
        self._touch()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it."""
        if event.input.id == "say":
            if event.value.strip():
                self.bridge.send(Say(event.value.strip()))
            self.action_quiet()

    def action_people(self) -> None:
        """Who is here, and what can be done about it."""
        company.show_people(self, self._move.seat if self._move is not None else None)

    def action_resign(self) -> None:
        """Give up the seat whose turn it is, after a second thought."""
        move = self._move
        if move is None:
            self.note("A seat can be given up when it is its turn.")
            return

        def give_up() -> None:
            if self._move is move:
                self._move = None
                self.bridge.send(Resign(move.seat))
                self._touch()

        who = seat_name(self.seats, move.seat)
        line = f"Give up the seat of {who}? The stand-in plays it to the end; there is no way back."
        lobby.ask(self, line, "Play on", f"Give up the seat of {who}", give_up)

    def action_undo(self) -> None:
        """Take back the last choice of this turn."""
        if self._move is not None and self._move.undo():
            self._touch()

    def action_undo_turn(self) -> None:
        """Take back the whole turn."""
        while self._move is not None and self._move.undo():
            self._touch()

    def action_part(self, steps: int) -> None:
        """Turn the board over."""
        self._base.query_one("#table", BoardArea).turn(steps)

    def action_missed(self, steps: int) -> None:
        """Go through what has happened since my last turn; past the last of it is now."""
        last = len(self._missed) - 1
        there = self._back + steps if self._back >= 0 else 0 if steps > 0 else last
        self._back = there if 0 <= there <= last else -1
        self._flash = True
        self._touch()

    def action_now(self) -> None:
        """Back to the position as it is."""
        self._back = -1
        if self._base.has_class("log"):
            self.action_log()
        self._touch()

    def action_log(self) -> None:
        """The whole log instead of the board, or the board again."""
        self._base.toggle_class("log")
        log = self._base.query_one("#log", RichLog)
        self.call_after_refresh(log.scroll_end, animate=False)  # it stays where it was, at other lines

    def action_rules(self) -> None:
        """Look up a rule, at what is being chosen."""
        game, move = self._visible(), self._move
        if game is None:
            return
        name = ""
        found, ask = boards.board(game.rules.name), move.turn.ask if move is not None else None
        number = self._base.query_one("#choices", OptionList).highlighted
        if found is not None and move is not None and ask is not None and number is not None:
            name, _ = found.notes(move.game, ask, ask.options[number])
        self.push_screen(RulesScreen(game.rules, Table(game.rules, game.state, self.seats), name))

    def action_help(self) -> None:
        """List the keys."""
        self.push_screen(HelpScreen())

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        if isinstance(screen, ReplayScreen):
            yield from screen.commands()
            return
        yield SystemCommand("Take back", "Take back the last choice of this turn (u)", self.action_undo)
        yield SystemCommand("Take back the turn", "Take back the whole turn (U)", self.action_undo_turn)
        yield SystemCommand("Turn over", "The next part of the board (.)", lambda: self.action_part(1))
        yield SystemCommand("What I missed", "Step through it (n)", lambda: self.action_missed(1))
        yield SystemCommand("Talk", "Say something to all at the table (t)", self.action_talk)
        yield SystemCommand("Who is here", "Mute or block somebody, give up a seat (i)", self.action_people)
        yield SystemCommand("Give up", "Let the stand-in play this seat to the end (R)", self.action_resign)
        yield SystemCommand("Log", "All of the log, and back (l)", self.action_log)
        yield SystemCommand("Rules", "Look up a card or rule (r)", self.action_rules)
        yield SystemCommand("Help", "The keys that work (?)", self.action_help)
        yield SystemCommand("Theme", "Choose the colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave the table (q)", self.action_leave)


def _sign(number: int) -> str:
    return SIGNS[number] if number < len(SIGNS) else " "


def _asked(game: Game[Any]) -> tuple[int, ...]:
    """Whose turn it is."""
    return tuple(ask.seat for ask in game.pending if ask.seat != CHANCE)


def inert_lines(text: str) -> str:
    """Text of several lines, each of them inert."""
    return "\n".join(map(inert, text.split("\n")))
