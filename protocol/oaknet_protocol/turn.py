"""A move in the making: the answers of one seat until somebody else, or chance, is next (transcript 4)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Generic, TypeAlias, TypeVar

from oaknet.kernel import CHANCE, Ask, CannotUndo, Game, IllegalChoice, Option, Position

S = TypeVar("S", bound=Position)


Answer: TypeAlias = tuple[int, Option]
"""Who answered (a seat of the rules, or `CHANCE`), and what."""


def settle(game: Game[S], played: Collection[int]) -> list[Answer]:
    """Let stand-ins answer, lowest seat first, until chance or a played seat is asked or the game is over.

    Returns what they answered.
    """
    answers: list[Answer] = []
    while not settled(game, played):
        answers.append(stand_in(game, game.pending[0].seat))
    return answers


def settled(game: Game[S], played: Collection[int]) -> bool:
    """Whether no stand-in is to answer: chance or a played seat is asked, or the game is over."""
    return not game.pending or any(ask.seat == CHANCE or ask.seat in played for ask in game.pending)


def stand_in(game: Game[S], seat: int) -> Answer:
    """Let the rules' stand-in answer for a seat; returns what it answered."""
    option = game.rules.stand_in(game, seat)
    game.answer(seat, option)
    return seat, option


class Turn(Generic[S]):
    """One move of ``seat``, on a clone of the game: free to undo until it is sent; or on the game ``itself``,
    for who goes back to a mark of it if the move is not taken.

    ``game`` is the position that the ``answers`` so far lead to, ``done`` says that the move is whole. A
    move goes on until chance or another played seat is asked or the stage ends; a sealed one until its seat
    has no question left. ``played`` are the seats that a peer plays (default: all); stand-ins answer for the
    others as soon as nobody else is asked.
    """

    def __init__(
        self,
        game: Game[S],
        seat: int,
        *,
        played: Collection[int] | None = None,
        sealed: bool = False,
        itself: bool = False,
    ) -> None:
        """Begin a move; raises `IllegalChoice` if the seat is not asked."""
        if game.asked(seat) is None:
            raise IllegalChoice(seat, (), game.pending)
        self.seat = seat
        self.sealed = sealed
        self.answers: list[Option] = []
        self.line: list[Answer] = []
        self.done = False
        self._played = played
        self._start = game
        self.game = game if itself else game.clone()

    @property
    def ask(self) -> Ask | None:
        """The question that waits for the seat; None when the move is whole."""
        return None if self.done else self.game.asked(self.seat)

    def answer(self, option: Option) -> None:
        """Answer the question; raises `IllegalChoice`, also when the move is whole already."""
        if self.done:
            raise IllegalChoice(self.seat, option, ())
        self.game.answer(self.seat, option)
        self.answers.append(option)
        self.line.append((self.seat, option))
        self.done = self._ends()

    def undo(self) -> None:
        """Take back the last answer; raises `CannotUndo` at the beginning of the move."""
        if not self.answers:
            raise CannotUndo("there is nothing to take back here")
        answers = self.answers[:-1]
        self.game, self.answers, self.done = self._start.clone(), [], False
        self.line = []
        for option in answers:
            self.answer(option)

    def leads_to_draw(self) -> bool:
        """Whether the step after this whole move is a draw."""
        game, played = self.game, self._seats(self.game)
        if not settled(game, played):
            game = game.clone()
            settle(game, played)
        return bool(game.pending) and game.pending[0].seat == CHANCE

    def _seats(self, game: Game[S]) -> Collection[int]:
        return range(len(game.rules.score(game.state))) if self._played is None else self._played

    def _ends(self) -> bool:
        game, seat = self.game, self.seat
        if self.sealed:
            return game.asked(seat) is None
        played = self._seats(game)
        while game.answers:  # none: the stage ended, and a new one has begun
            if any(ask.seat == CHANCE or (ask.seat in played and ask.seat != seat) for ask in game.pending):
                return True
            if game.asked(seat) is not None:
                return False
            self.line.append(stand_in(game, game.pending[0].seat))
        return True
