"""Questions: what a rule awaits and a seat, or chance, answers (engine 2)."""

from __future__ import annotations

import types
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from typing import NamedTuple, ParamSpec, TypeAlias, TypeVar, cast

CHANCE = -1
"""The seat that answers draws."""

Option: TypeAlias = "int | str | tuple[Option, ...]"
"""One answer a question offers: an int, a short ASCII string, or a tuple of these. Never a bool."""

T = TypeVar("T")
P = ParamSpec("P")
Answer: TypeAlias = tuple[int, Option]
"""Who answered, and what."""


class Ask(NamedTuple):
    """A question to one seat; awaiting it hands it to the driver, which sends the chosen option.

    ``options`` are unique, at least two, in an order that the rules define. ``weights``, for `CHANCE` alone,
    are ints of 1 or more, one an option.
    """

    seat: int
    about: str
    options: tuple[Option, ...]
    weights: tuple[int, ...] = ()

    def __await__(self) -> Generator[tuple[Ask, ...], Answer, Option]:
        return (yield (self,))[1]


Rule: TypeAlias = Coroutine[tuple[Ask, ...], Answer, T]
"""A rule in progress: yields the questions that wait, is sent ``(seat, option)``."""


class Several(tuple[Ask, ...]):
    """The questions of one simultaneous phase; ``phase`` is the same object throughout it."""

    phase: object


def _rule(steps: Callable[P, Generator[tuple[Ask, ...], Answer, T]]) -> Callable[P, Rule[T]]:
    """A generator as a rule: as `types.coroutine`, with a type of which checkers tell if it is not awaited.

    It costs one frame less than an ``async def`` that awaits an `Ask`, at every question of every game."""
    return cast("Callable[P, Rule[T]]", types.coroutine(steps))


@_rule
def choose(seat: int, about: str, options: Sequence[T]) -> Generator[tuple[Ask, ...], Answer, T]:
    """Ask ``seat`` for one of ``options``; a question with one answer is not asked (engine 2.3)."""
    if len(options) == 1:
        return options[0]
    assert options, f"nothing to choose for {about!r}"
    return cast(T, (yield (Ask(seat, about, cast("tuple[Option, ...]", tuple(options))),))[1])


async def confirm(seat: int, about: str) -> bool:
    """Ask ``seat`` a question whose options are ``"yes"`` and ``"no"``."""
    return await choose(seat, about, ("yes", "no")) == "yes"


@_rule
def chance(about: str, options: Sequence[T], weights: Sequence[int]) -> Generator[tuple[Ask, ...], Answer, T]:
    """Let chance pick one of ``options`` with these integer weights (engine 3.1)."""
    if len(options) == 1:
        return options[0]
    assert options, f"nothing to draw for {about!r}"
    ask = Ask(CHANCE, about, cast("tuple[Option, ...]", tuple(options)), tuple(weights))
    return cast(T, (yield (ask,))[1])


def same(left: Option, right: Option) -> bool:
    """Whether two options have the same bytes: equal in value and in type, so that ``True`` is not 1."""
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


@types.coroutine
def _phase(rules: Mapping[int, Rule[T]]) -> Generator[tuple[Ask, ...], Answer, dict[int, T]]:
    """The simultaneous phase that `together` awaits."""
    results: dict[int, T] = {}
    waiting: dict[int, Ask] = {}
    phase = object()

    def step(seat: int, answer: Answer | None) -> None:
        try:
            (ask,) = rules[seat].send(cast(Answer, answer))
        except StopIteration as done:
            results[seat] = done.value
            waiting.pop(seat, None)
            return
        assert ask.seat in (seat, CHANCE), f"the rule of seat {seat} asks seat {ask.seat} in a phase"
        waiting[seat] = ask

    for seat in sorted(rules):
        step(seat, None)
    while waiting:
        asks = [waiting[seat] for seat in sorted(waiting) if waiting[seat].seat != CHANCE]
        if asks:
            questions = Several(asks)
            questions.phase = phase
            seat, option = yield questions
        else:  # chance waits until no seat can answer, then serves the lowest seat first
            seat = min(waiting)
            _, option = yield (waiting[seat],)
        step(seat, (waiting[seat].seat, option))
    return {seat: results[seat] for seat in sorted(results)}


async def together(rules: Mapping[int, Rule[T]]) -> dict[int, T]:
    """Run one rule a seat at the same time; returns the result of each (engine 2.6).

    Each rule may ask its own seat and chance only and may write only to its own part of the state, so the
    order in which the seats answer never matters.
    """
    return await _phase(rules)
