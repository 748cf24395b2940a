"""A game looked over on the screen: the board, the steps in words, the timeline and the points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static

from oaknet_client import boards, views
from oaknet_client.boards.charts import curve, timeline
from oaknet_client.boards.preview import entry_lines
from oaknet_client.boards.records import Canvas
from oaknet_client.config import Config
from oaknet_client.lookup import Table
from oaknet_client.screen.base import Dialog, OakApp, Resized
from oaknet_client.screen.board import Board
from oaknet_client.screen.help import REPLAY_HELP, HelpScreen
from oaknet_client.screen.parts import BoardArea
from oaknet_client.screen.rules import RulesScreen
from oaknet_client.words import SEAT_LETTERS, inert

if TYPE_CHECKING:
    from oaknet_client.replays import Replay

SPEEDS = (0.5, 1, 2, 4, 10, 25)
"""Steps a second."""


class Course(Board, can_focus=False):
    """The points over the game above its timeline; a click goes there."""

    class Picked(Message):
        """A column was clicked, of so many."""

        def __init__(self, column: int, columns: int) -> None:
            super().__init__()
            self.column, self.columns = column, columns

    def on_click(self, event: events.Click) -> None:
        """Go to what was clicked."""
        self.post_message(self.Picked(event.x, max(1, self.size.width)))


class ReplayScreen(Dialog[None]):
    """Shows one position of a replay at a time over the ``shell``'s other screens; ``at`` is its index."""

    CSS = """
    ReplayScreen { background: $background; }
    #lines { height: 1fr; }
    ReplayScreen #about { max-height: 40%; color: $text-muted; }
    #course { height: 9; border-top: solid $primary; background: $background; overflow: hidden; }
    .-low #course { height: 6; }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Back", show=False),
        Binding("right", "step(1)", "Step", key_display="← →"),
        Binding("space", "play", "Play"),
        Binding("home", "go(0)", "Beginning", show=False),
        Binding("end", "go(-1)", "End", show=False),
        Binding("pagedown", "chapter(1)", "Part", key_display="PgDn"),
        Binding("pageup", "chapter(-1)", "Part before", show=False),
        Binding("plus", "speed(1)", "Faster", show=False),
        Binding("minus", "speed(-1)", "Slower", show=False),
        Binding("comma", "part(-1)", "Turn over", show=False),
        Binding("full_stop", "part(1)", "Turn over", show=False),
        Binding("t", "turning(1)", "Turn", key_display="t"),
        Binding("T", "turning(-1)", "Turning point before", show=False),
        Binding("v", "verdict", "Verdict"),
        Binding("r", "rules", "Rules"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "dismiss", "Close", key_display="q"),
    ]

    def __init__(self, shell: OakApp, replay: Replay, at: int = 0) -> None:
        super().__init__()
        self.replay = replay
        self._shell = shell
        self.at = at
        self.speed = SPEEDS.index(2)
        self._playing: Timer | None = None
        self._stale = False
        self._flash = False

    def compose(self) -> ComposeResult:
        yield Static("", id="turn", markup=False)
        yield Static("", id="status", markup=False)
        with Horizontal(id="middle"):
            yield BoardArea()
            with Vertical(id="side"):
                with VerticalScroll(id="lines", can_focus=False):
                    yield Static("", id="told", markup=False)
                yield Static("", id="about", markup=False)
        yield Course(id="course")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#board", Board).can_focus = False
        self._shell.theme_changed_signal.subscribe(self, lambda _: self._recolour())
        self._recolour()
        self._touch()

    def _recolour(self) -> None:
        for board in self.query(Board):
            board.colour(dark=self._shell.current_theme.dark)

    def on_resized(self, message: Resized) -> None:
        """Draw for the room there is now."""
        message.stop()
        self._touch()

    def _touch(self) -> None:
        if not self._stale:
            self._stale = True
            self.call_later(self._draw)

    # -- what is seen ----------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._stale = False
        if not self.is_running:
            return
        base, replay = self, self.replay
        here = replay.positions[self.at]
        base.query_one("#table", BoardArea).show(
            boards.blocks(here.game, replay.seats, None), flash=self._flash
        )
        self._flash = False
        base.query_one("#turn", Static).update(Content(self._title()))
        status = views.picture(here.game, replay.seats).within(self.size.width - 2)
        base.query_one("#status", Static).update(Content(inert(status)))
        lines = [*here.lines, *("", *(t.line for t in replay.turnings if t.at == self.at))]
        told = "\n".join(map(inert, lines)).rstrip()
        base.query_one("#told", Static).update(Content(told))
        self._draw_course()

    def _title(self) -> str:
        replay, here = self.replay, self.replay.positions[self.at]
        playing = f" · playing, {SPEEDS[self.speed]:g} a second" if self._playing is not None else ""
        chapter = f" · {here.chapter}" if here.chapter else ""
        return f"{replay.title} · step {self.at} of {len(replay.positions) - 1}{chapter}{playing}"

    def _draw_course(self) -> None:
        course, replay = self.query_one("#course", Course), self.replay
        width, height = max(20, course.size.width), max(4, course.size.height)
        canvas = Canvas()
        canvas.paste(0, 0, curve(replay.history, replay.seats, width, height - 2, self.at))
        named = [(first, replay.positions[first].chapter) for first in replay.chapters]
        turned = [turning.at for turning in replay.turnings]
        canvas.paste(0, height - 2, timeline(named, len(replay.positions), width, self.at, turned))
        course.show(canvas.drawing("Course", width))

    # -- what is done ----------------------------------------------------------------------------------------

    def go(self, at: int) -> None:
        """Show this position, or the nearest that there is."""
        there = max(0, min(len(self.replay.positions) - 1, at))
        self._flash = abs(there - self.at) == 1
        self.at = there
        if there == len(self.replay.positions) - 1 and self._playing is not None:
            self.action_play()
        self._touch()

    def on_key(self, event: events.Key) -> None:
        """A seat's letter goes to its next step, in lower case to the one before."""
        letter = event.character or ""
        places = [seat.place for seat in self.replay.seats]
        place = SEAT_LETTERS.find(letter.upper()) if len(letter) == 1 else -1
        if place in places:
            event.stop()
            self.go(self.replay.step_of(places.index(place), self.at, 1 if letter.isupper() else -1))
        elif len(letter) == 1 and letter in "123456789" and int(letter) <= len(self.replay.chapters):
            event.stop()
            self.go(self.replay.chapters[int(letter) - 1])

    def on_course_picked(self, message: Course.Picked) -> None:
        """The timeline was clicked."""
        self.go(message.column * (len(self.replay.positions) - 1) // max(1, message.columns - 1))

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """The mouse is over something: explain it."""
        lines = entry_lines(self.replay.positions[self.at].game.rules, message.entry)
        message.stop()
        self.query_one("#about", Static).update(Content("\n".join(map(inert, lines))))

    def action_step(self, steps: int) -> None:
        """A step forwards or back."""
        self.go(self.at + steps)

    def action_go(self, at: int) -> None:
        """To the beginning (0) or the end (-1)."""
        self.go(at if at >= 0 else len(self.replay.positions) + at)

    def action_chapter(self, steps: int) -> None:
        """To where a part of the game begins."""
        self.go(self.replay.chapter(self.at, steps))

    def action_play(self) -> None:
        """Play, or stop."""
        if self._playing is not None:
            self._playing.stop()
            self._playing = None
        else:
            if self.at == len(self.replay.positions) - 1:
                self.at = 0
            self._playing = self.set_interval(1 / SPEEDS[self.speed], lambda: self.go(self.at + 1))
        self._touch()

    def action_speed(self, steps: int) -> None:
        """Play faster or slower."""
        self.speed = max(0, min(len(SPEEDS) - 1, self.speed + steps))
        if self._playing is not None:
            self.action_play()
            self.action_play()
        self._touch()

    def action_part(self, steps: int) -> None:
        """Turn the board over."""
        self.query_one("#table", BoardArea).turn(steps)

    def action_turning(self, steps: int) -> None:
        """To the next turning point, or the one before; where there is none, stay."""
        found = [turning.at for turning in self.replay.turnings]
        ahead = [at for at in found if (at - self.at) * steps > 0]
        if ahead:
            self.go(min(ahead) if steps > 0 else max(ahead))

    def action_verdict(self) -> None:
        """What was checked, and all fingerprints."""
        self._shell.push_screen(HelpScreen("\n".join(map(inert, self.replay.verdict))))

    def action_rules(self) -> None:
        """Look up a rule."""
        game = self.replay.positions[self.at].game
        self._shell.push_screen(RulesScreen(game.rules, Table(game.rules, game.state, self.replay.seats)))

    def action_help(self) -> None:
        """List the keys."""
        self._shell.push_screen(HelpScreen(REPLAY_HELP))

    def commands(self) -> Iterable[SystemCommand]:
        """What the palette offers here."""
        yield SystemCommand("Play", "Play the game at speed, or stop (space)", self.action_play)
        yield SystemCommand("Beginning", "To the first step (Home)", lambda: self.action_go(0))
        yield SystemCommand("End", "To the last step (End)", lambda: self.action_go(-1))
        yield SystemCommand("Turn over", "The next part of the board (.)", lambda: self.action_part(1))
        yield SystemCommand("Turning point", "To the next one (t)", lambda: self.action_turning(1))
        yield SystemCommand("Verdict", "What was checked, all fingerprints (v)", self.action_verdict)
        yield SystemCommand("Rules", "Look up a card or rule (r)", self.action_rules)
        yield SystemCommand("Help", "The keys that work (?)", self.action_help)
        yield SystemCommand("Theme", "Choose the colours", self._shell.action_change_theme)
        yield SystemCommand("Close", "Leave the replay (q)", self.dismiss)


class ReplayApp(OakApp):
    """A replay as a program of its own."""

    def __init__(self, replay: Replay, config: Config, at: int = 0) -> None:
        super().__init__(config)
        self.replay = ReplayScreen(self, replay, at)

    def on_mount(self) -> None:
        self.apply_theme()
        self.push_screen(self.replay, lambda _: self.action_leave())

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield from self.replay.commands()
