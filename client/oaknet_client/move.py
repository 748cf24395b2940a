"""A turn as a person makes it: choices by number, the trail of them in words, and when it may go."""

from __future__ import annotations

from typing import Any

from oaknet.kernel import Game
from oaknet_client.feed import Asked, Submit
from oaknet_client.words import said
from oaknet_protocol.turn import Turn


class Move:
    """Fills the `Turn` of an `Asked`. ``trail`` has a line in words for each answer so far."""

    def __init__(self, asked: Asked, confirm: str) -> None:
        self.turn: Turn[Any] = asked.turn
        self.seat = asked.seat
        self.trail: list[str] = []
        self._confirm = confirm

    @property
    def game(self) -> Game[Any]:
        """The position that the choices so far lead to."""
        return self.turn.game

    @property
    def about(self) -> str:
        """What is asked now; empty if the turn is whole."""
        return "" if self.turn.ask is None else self.turn.ask.about

    @property
    def choices(self) -> list[str]:
        """The options of the question that waits, in words; none if the turn is whole."""
        ask = self.turn.ask
        if ask is None:
            return []
        return [said(self.game.rules, self.game, self.seat, option) for option in ask.options]

    def choose(self, number: int) -> None:
        """Give the answer with this number, counted from 0; raises `IndexError` if there is none."""
        ask = self.turn.ask
        if ask is None or not 0 <= number < len(ask.options):
            raise IndexError(number)
        words = said(self.game.rules, self.game, self.seat, ask.options[number])
        self.turn.answer(ask.options[number])
        self.trail.append(words)

    def undo(self) -> bool:
        """Take back the last choice; False if there is none."""
        if not self.trail:
            return False
        self.turn.undo()
        self.trail.pop()
        return True

    @property
    def ready(self) -> bool:
        """Whether the turn is whole and, by the setting, goes without being confirmed."""
        if not self.turn.done or self._confirm == "turn":
            return False
        return self._confirm == "never" or not self.turn.leads_to_draw()

    @property
    def warning(self) -> str:
        """What sending this whole turn means."""
        draw = " Then comes a draw." if self.turn.leads_to_draw() else ""
        return f"This ends your turn.{draw} Enter sends it, u takes the last choice back."

    def submit(self) -> Submit:
        """The whole turn, to be sent."""
        assert self.turn.done, "a turn is sent when it is whole"
        return Submit(self.seat, tuple(self.turn.answers))
