"""The keys that work, one key away."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from oaknet_client.screen.base import Dialog

HELP = """\
Choosing
  1-9, a-z, A-Z  choose what bears that sign, listed or on the board
  arrows         go over what can be chosen: it is explained
  Enter, click   choose; at the end of a turn: send it
  u              take back the last choice of this turn
  U              take back the whole turn, until it is sent
Looking
  , .            turn the board over, where it has several parts
  mouse          has the card or space under it explained
  n, N           step through what I missed since my last turn
  t              say something to all at the table
  i, R           who is here: mute, block; give up my seat
  l, r           the whole log, and back; the rules, by name
  Tab            from the choices to the board, the log, and back
  ?, Ctrl-P      this help; all commands by name
  q, Ctrl-C      leave; the screen is restored as it was

Esc or ? closes this."""

REPLAY_HELP = """\
Going through the game
  right, left    a step forwards, back
  Home, End      the beginning, the end
  PgDn, PgUp     the next part of the game, the one before
  1-9            the beginning of that part of the game
  A-H, a-h       the next step of that player, the one before
  t, T           the next turning point, the one before
  space, + -     play, and stop; faster, slower
  click          on the curve: go there
Looking
  , .            turn the board over, where it has several parts
  v              the verdict: what was checked, all fingerprints
  r              the rules, by name
  ?, Ctrl-P      this help; all commands by name
  q, Ctrl-C      leave

Esc or ? closes this."""


class HelpScreen(Dialog[None]):
    """A text to read and close; by default the list of the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter", "dismiss", "Close"),
        Binding("q", "app.leave", "Quit"),
    ]

    def __init__(self, text: str = HELP) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help"):
            yield Static(self._text, markup=False)
