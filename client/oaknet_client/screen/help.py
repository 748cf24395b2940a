"""The keys that work, one key away."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

HELP = """\
Choosing
  1-9, a-z, A-Z   choose what bears that sign (q, u and U are taken)
  up, down        move along the choices
  Enter, click    choose; at the end of a turn: send it
  u               take back the last choice of this turn
  U               take back the whole turn, until it is sent

Looking
  Tab             go from the choices to the board, to the log, and back
  arrows, PgUp, PgDn, mouse wheel
                  scroll where you are
  ?               this help
  Ctrl-P          all commands by name

Leaving
  q, Ctrl-C       leave; the screen is restored as it was

Esc or ? closes this."""


class HelpScreen(ModalScreen[None]):
    """A list of the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter", "dismiss", "Close"),
        Binding("q", "app.leave", "Quit"),
    ]

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help"):
            yield Static(HELP, markup=False)
