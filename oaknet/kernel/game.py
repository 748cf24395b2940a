"""A game in progress: the driver of the rules (engine 4).

A position is the snapshot at the start of the stage and the answers since. ``state`` is that pair already
played; the suspended rule is never copied: a clone copies the snapshot and answers again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar, cast

from oaknet.kernel.ask import CHANCE, Answer, Ask, Option, Rule, Several, same
from oaknet.kernel.canonical import H, Plain, canonical
from oaknet.kernel.plain import plain, revive
from oaknet.kernel.rules import Options, Position, Rules, checked_options

S = TypeVar("S", bound=Position)

_NO_POSITION = (TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError)
"""What revived data or a rule raises where the data was made up; a `ValueError` stays as it is."""


class IllegalChoice(ValueError):
    """An answer that was not offered; carries the seat, the answer and the questions that wait."""

    def __init__(self, seat: int, option: object, pending: tuple[Ask, ...]) -> None:
        self.seat, self.option, self.pending = seat, option, pending
        asked = next((ask for ask in pending if ask.seat == seat), None)
        if asked is None:
            waits = ", ".join(f"seat {ask.seat}" for ask in pending) or "nobody: the game is over"
            super().__init__(f"seat {seat} is not asked anything; waiting for {waits}")
        else:
            super().__init__(f"{option!r} does not answer {asked.about!r}; offered: {list(asked.options)}")


class CannotUndo(ValueError):
    """Nothing of this stage can be taken back: it has just begun, or chance or another seat answered last."""


class Game(Generic[S]):
    """One game: ``pending`` holds the questions that wait, ``answer`` answers one of them.

    ``pending`` is a tuple of `Ask`: one a seat that must answer now, one of seat `CHANCE` for a draw, empty
    when the game is over. ``answers`` holds what was answered since the stage began, as ``(seat, option)``.
    ``state`` is to be read, not written.
    """

    __slots__ = ("_fixed", "_rule", "_start", "answers", "pending", "rules", "state")

    rules: Rules[S]
    state: S
    answers: list[Answer]
    pending: tuple[Ask, ...]
    _start: S | None  # the snapshot; None in a throwaway
    _rule: Rule[None] | None
    _fixed: int  # answers before this index have been followed by chance or by a phase of all

    def __init__(self, rules: Rules[S], start: S, answers: Iterable[Answer] = ()) -> None:
        """The game at a hand-made or saved position; raises `IllegalChoice` if an answer does not fit."""
        self.rules = rules
        self._start = start
        self._open(start)
        for seat, option in answers:
            self.answer(seat, option)

    @classmethod
    def new(cls, rules: Rules[S], seats: int, options: Options | None = None) -> Game[S]:
        """A game before its first draw; raises `WrongSeats` or `BadOptions`."""
        return cls(rules, rules.setup(seats, checked_options(rules, seats, options or {})))

    def __repr__(self) -> str:
        asked = ", ".join(f"{ask.about!r} to {ask.seat}" for ask in self.pending) or "over"
        return f"<Game {self.rules.name}: {asked}>"

    # -- playing ---------------------------------------------------------------------------------------------

    def answer(self, seat: int, option: Option) -> None:
        """Answer the question that waits for ``seat``.

        Raises `IllegalChoice`, and changes nothing, if that was not offered. If a rule itself fails, the
        position before the answer is restored (but not in a throwaway) and the error goes on up.
        """
        pending, start, answers, rule = self.pending, self._start, self.answers, self._rule
        for ask in pending:
            if ask.seat == seat and type(seat) is int:
                break
        else:
            raise IllegalChoice(seat, option, pending)
        try:
            offered = ask.options[ask.options.index(option)]
        except ValueError:
            raise IllegalChoice(seat, option, pending) from None
        if offered is not option and not same(offered, option):
            raise IllegalChoice(seat, option, pending)
        assert rule is not None
        answer = seat, offered
        phase = type(pending) is Several
        index = self._place(seat) if phase else len(answers)
        answers.insert(index, answer)
        try:
            try:
                self.pending = rule.send(answer)
            except StopIteration:
                self._open(self.state)
                return
        except BaseException:  # the rule broke half-way, or the next stage at its very beginning
            if start is not None:
                self._replay(start, answers[:index] + answers[index + 1 :])
            raise
        now = self.pending
        if seat == CHANCE or ((phase or type(now) is Several) and _phase(pending) is not _phase(now)):
            self._fixed = len(answers)

    def play(self, *options: Option) -> Game[S]:
        """Answer one question after the other, each by the first seat that is asked; returns the game."""
        for option in options:
            if not self.pending:
                raise IllegalChoice(0, option, ())
            self.answer(self.pending[0].seat, option)
        return self

    def undo(self, seat: int | None = None) -> None:
        """Take back the last answer of this stage, if it is ``seat``'s; raises `CannotUndo` if it is not.

        In a simultaneous phase a seat may take back its own last answer whatever others have answered since.
        """
        assert self._start is not None, "a throwaway game cannot go back"
        index = len(self.answers) - 1
        while _phase(self.pending) and index >= self._fixed and seat not in (None, self.answers[index][0]):
            index -= 1
        if index < self._fixed or seat not in (None, self.answers[index][0]):
            raise CannotUndo("there is nothing to take back here")
        self._replay(self._start, self.answers[:index] + self.answers[index + 1 :])

    @property
    def mark(self) -> tuple[S, tuple[Answer, ...]]:
        """Where the game stands, for `back`."""
        assert self._start is not None, "a throwaway game cannot go back"
        return self._start, tuple(self.answers)

    def back(self, mark: tuple[S, tuple[Answer, ...]]) -> None:
        """Go back to a mark of this game, whatever has been answered since."""
        self._replay(mark[0], list(mark[1]))

    def clone(self, *, keep: bool = True) -> Game[S]:
        """An independent game at the same position.

        With ``keep=False`` it is a throwaway: it can be played on, faster, but not cloned, undone or saved.
        """
        assert self._start is not None, "a throwaway game cannot be cloned"
        twin = cast("Game[S]", Game.__new__(Game))
        twin.rules = self.rules
        twin._start = self._start if keep else None  # snapshots are never written to
        twin.state = self._start.copy()
        twin.answers = self.answers[:]
        twin.pending = self.pending
        twin._fixed = self._fixed
        twin._rule = None
        if self.pending:
            twin._rule = rule = self.rules.stage(twin.state)
            pending = rule.send(cast(Any, None))
            for answer in self.answers:
                pending = rule.send(answer)
            if type(pending) is Several:
                twin.pending = pending  # a phase of its own
        return twin

    # -- reading ---------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether nothing is asked any more."""
        return not self.pending

    def asked(self, seat: int) -> Ask | None:
        """The question that waits for ``seat``, if any."""
        for ask in self.pending:
            if ask.seat == seat:
                return ask
        return None

    @property
    def position(self) -> tuple[S, list[Answer], list[tuple[Any, ...]]]:
        """Snapshot, answers since, and what is asked: all that the digest covers (engine 5.3)."""
        assert self._start is not None, "a throwaway game cannot be saved"
        asks = [(ask.seat, ask.about, ask.options, ask.weights) for ask in self.pending]
        return self._start, self.answers, asks

    def plain(self) -> Plain:
        """The position with what is asked as plain data."""
        return plain(self.position)

    def digest(self) -> bytes:
        """32 bytes that are equal exactly where the positions are: ``H("state", canonical(plain))``."""
        return H("state", canonical(self.plain()))

    def saved(self) -> Plain:
        """The position as plain data, for `load`."""
        assert self._start is not None, "a throwaway game cannot be saved"
        return [plain(self._start), cast(Plain, [list(answer) for answer in self.answers])]

    @classmethod
    def load(cls, rules: Rules[S], saved: Any) -> Game[S]:
        """The game that was saved; raises `ValueError` if this is no position of these rules."""
        try:
            start, answers = saved
            state = revive(rules.state, start, rules.data.box)
            game = cls(rules, state, [(seat, _tupled(option)) for seat, option in answers])
            canonical(game.plain())  # what has no bytes is no position
        except _NO_POSITION as error:
            raise ValueError(f"not a saved game of {rules.title}: {error}") from error
        return game

    # -- inside ----------------------------------------------------------------------------------------------

    def _open(self, start: S) -> None:
        """Begin stages, from ``start`` on, until one of them asks something or the game is over."""
        rules, keep = self.rules, self._start is not None
        while True:
            if keep:
                self._start, self.state = start, start.copy()
            else:
                self.state = start
            self.answers = []
            self._fixed = 0
            self._rule = None
            if rules.over(start):
                self.pending = ()
                return
            rule = rules.stage(self.state)
            try:
                self.pending = rule.send(cast(Any, None))
            except StopIteration:
                start = self.state
                continue
            self._rule = rule
            return

    def _place(self, seat: int) -> int:
        """Where the answer of a seat in a simultaneous phase goes: they are sorted by seat, so that arrival
        leaves no trace."""
        index = len(self.answers)
        while index > self._fixed and self.answers[index - 1][0] > seat:
            index -= 1
        return index

    def _replay(self, start: S, answers: list[Answer]) -> None:
        """Play the stage that begins at ``start`` again, with these answers."""
        self._open(start)
        for seat, option in answers:
            self.answer(seat, option)


def _phase(pending: tuple[Ask, ...]) -> object:
    """What tells one simultaneous phase from another; None outside of one."""
    return pending.phase if type(pending) is Several else None


def _tupled(option: Any) -> Option:
    """An option as it was before it went through lists."""
    if isinstance(option, list | tuple):
        return tuple(map(_tupled, cast("list[Any]", option)))
    return cast(Option, option)
