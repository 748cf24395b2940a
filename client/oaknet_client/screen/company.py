"""Who is at the table: whether they are there, what one waits for, talking, and wanting to hear no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from oaknet.kernel import CHANCE, Game
from oaknet_client.feed import Block, Command, Event, Lobby, Mute, Peer, Said, Seat
from oaknet_client.screen.base import Dialog
from oaknet_client.words import inert, listed, seat_name

STATES = {
    "connected": "is connected",
    "relayed": "is heard of only through others",
    "missing": "is not connected",
    "absent": "stayed away; the stand-in plays",
    "out-of-time": "has run out of time; the stand-in plays",
    "resigned": "has resigned; the stand-in plays",
    "cheated": "has cheated; the stand-in plays",
    "back": "plays again",
}


if TYPE_CHECKING:
    from oaknet_client.screen.app import TableApp

Act = tuple[str, Callable[[], None]]
"""Something one may do: its words, and how it is done."""


@dataclass(slots=True)
class Company:
    """What is known of the others. ``own`` is our key in hex, empty where nobody plays elsewhere.

    ``arrived`` are who sit before the game begins, ``strangers`` the names of those without a seat who have
    said something.
    """

    own: str = ""
    arrived: tuple[Seat, ...] = ()
    states: dict[int, tuple[str, datetime]] = field(default_factory=dict[int, tuple[str, datetime]])
    strangers: list[str] = field(default_factory=list[str])

    def hear(self, event: Event, now: datetime) -> None:
        """Follow who is there."""
        if isinstance(event, Peer):
            self.states[event.seat] = event.state, now
        elif isinstance(event, Said) and event.seat < 0 and event.name not in self.strangers:
            self.strangers.append(event.name)
        elif isinstance(event, Lobby):
            self.own, self.arrived = event.own, event.seats

    def others(self, seats: Sequence[Seat]) -> list[str]:
        """The names of those elsewhere, whom one can mute and block: one for each key."""
        named = {seat.key: seat.name for seat in reversed(seats) if seat.key not in ("", self.own)}
        return [*reversed(named.values()), *(name for name in self.strangers if name not in named.values())]

    def mine(self, seats: Sequence[Seat]) -> list[int]:
        """The seats of the persons at this keyboard."""
        return [number for number, seat in enumerate(seats) if not seat.bot and seat.key == self.own]

    def rows(self, seats: Sequence[Seat]) -> list[str]:
        """Everybody in a line: seat, whether they are there, and the fingerprint of their key."""
        from oaknet_protocol.signing import (
            fingerprint,
        )  # not before it is asked for: the first paint is quick

        found: list[str] = []
        for number, seat in enumerate(seats):
            state, since = self.states.get(number, ("", None))
            here = "a bot" if seat.bot else "at this keyboard"
            if seat.key != self.own:
                here = STATES.get(state, "is at the table")
            when = f" since {since:%H:%M}" if since is not None and state in ("missing", "relayed") else ""
            found.append(f"{seat_name(seats, number)}: {here}{when}")
            if seat.key:
                found.append(f"   key {fingerprint(bytes.fromhex(seat.key))}")
        return found + [f"{inert(name)} looks on" for name in self.strangers]

    def waiting(self, game: Game[Any], seats: Sequence[Seat], since: datetime) -> list[str]:
        """For whom the table waits, since when, and what to do; nothing where it waits for a person here, for
        chance, or for a bot."""
        asked = [ask.seat for ask in game.pending if ask.seat != CHANCE]
        elsewhere = [seat for seat in asked if seats[seat].key not in ("", self.own) and not seats[seat].bot]
        if not elsewhere:
            return []
        lines = [f"Waiting for {listed(seat_name(seats, seat) for seat in elsewhere)} since {since:%H:%M}."]
        gone = False
        for seat in elsewhere:
            state, when = self.states.get(seat, ("connected", since))
            if state in ("missing", "relayed"):
                lines.append(f"{seat_name(seats, seat)} {STATES[state]}, since {when:%H:%M}.")
            gone |= state == "missing"
        if gone and self.mine(seats):
            lines.append(
                "If they stay away you will be asked whether to go on without them. You may leave (q) too "
                "and come back later by oaknet resume: nothing is lost."
            )
        else:
            lines.append("t says something to them.")
        return lines


def talk(app: TableApp) -> None:
    """Open the line where one says something, or go to it."""
    base = app.screen_stack[0]
    lines = base.query(TalkLine)
    if lines:
        lines.first().focus()
    elif len(app.screen_stack) == 1:
        base.mount(TalkLine(id="say"))
        app.call_after_refresh(talk, app)


def show_people(app: TableApp, moving: int | None) -> None:
    """Show who is here; ``moving`` is the seat here whose turn it is."""
    seats = app.seats or app.company.arrived
    known = acts(app.company, seats, app.bridge.send)
    if moving is not None:
        known.append((f"Give up the seat of {seat_name(seats, moving)} …", app.action_resign))
    app.push_screen(PeopleScreen(app.company.rows(seats), known))


def acts(company: Company, seats: Sequence[Seat], send: Callable[[Command], None]) -> list[Act]:
    """What can be done about each of the others."""

    def later(command: Command) -> Callable[[], None]:
        return lambda: send(command)

    found: list[Act] = []
    for name in company.others(seats):
        found.append((f"Mute {inert(name)} at this table, or hear them again", later(Mute(name))))
        found.append((f"Block {inert(name)} at every table, or no more", later(Block(name))))
    return found


class TalkLine(Input):
    """One line, to be said to all at the table."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.quiet", "Say nothing")]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        from oaknet_protocol.wire import MAX_CHAT

        super().__init__(placeholder="Say something to all who are here", id=id, max_length=MAX_CHAT)


class PeopleScreen(Dialog[None]):
    """Who is here, and what can be done about it; each act has a number."""

    CSS = """
    PeopleScreen { align: center middle; }
    #people { width: 72; max-width: 96%; height: auto; max-height: 96%; }
    #people { border: round $primary; padding: 0 1; background: $surface; }
    #here { height: auto; max-height: 40vh; }
    #people OptionList { height: auto; max-height: 40vh; border: none; padding: 0; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,i", "dismiss", "Close"),
        Binding("q", "app.leave", "Quit"),
    ]

    def __init__(self, rows: Sequence[str], acts: Sequence[Act]) -> None:
        super().__init__()
        self._rows, self._acts = rows, acts

    def compose(self) -> ComposeResult:
        with Vertical(id="people"):
            with VerticalScroll(id="here", can_focus=False):
                yield Static(Content("\n".join(map(inert, self._rows))), markup=False)
            acts = (Content(f"{number} {inert(text)}") for number, (text, _) in enumerate(self._acts, 1))
            yield OptionList(*acts, markup=False)
            yield Static(Content("Esc closes this."), markup=False)

    def on_key(self, event: events.Key) -> None:
        """Its number chooses an act."""
        if event.character is not None and event.character in "123456789":
            event.stop()
            self._do(int(event.character) - 1)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do it."""
        event.stop()
        self._do(event.option_index)

    def _do(self, number: int) -> None:
        if self.is_active and number < len(self._acts):  # not twice, however fast the keys come
            self.dismiss()
            self._acts[number][1]()
