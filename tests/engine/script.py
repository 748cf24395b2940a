"""A game made of given stages, to try the kernel with rules of a few lines."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from oaknet.kernel import Ask, Data, Deck, Game, Option, Options, TableOption


@dataclass(frozen=True, slots=True)
class NoBox:
    pass


@dataclass(slots=True)
class Notes:
    """What the stages wrote down; ``stage`` is the index of the one that is next."""

    marks: list[int]
    deck: Deck
    parts: list[list[int]] = field(default_factory=lambda: [[] for _ in range(4)])
    stage: int = 0

    def copy(self) -> Notes:
        return Notes(self.marks[:], self.deck.copy(), [part[:] for part in self.parts], self.stage)


Stage = Callable[[Notes], Awaitable[object]]


class Script:
    """The stages, one after the other, then the game is over."""

    name, title, version = "script", "Script", 1
    seats = range(1, 5)
    options: tuple[TableOption, ...] = ()
    state = Notes
    data: Data[NoBox] = Data.read(NoBox, "")

    def __init__(self, *stages: Stage) -> None:
        self.stages = stages

    def setup(self, seats: int, options: Options) -> Notes:
        return Notes([], Deck(range(3)))

    async def stage(self, s: Notes) -> None:
        s.stage += 1
        await self.stages[s.stage - 1](s)

    def over(self, s: Notes) -> bool:
        return s.stage >= len(self.stages)

    def score(self, s: Notes) -> tuple[int, ...]:
        return (sum(s.marks),)

    def winners(self, s: Notes) -> tuple[int, ...]:
        return (0,)

    def breakdown(self, s: Notes, seat: int) -> dict[str, int]:
        return {"marks": sum(s.marks)}

    def stand_in(self, game: Game[Notes], seat: int) -> Option:
        ask = game.asked(seat)
        assert ask is not None
        return ask.options[0]

    def say(self, s: Notes, ask: Ask, option: Option) -> str:
        return f"{ask.about}: {option}"


def script(*stages: Stage) -> Game[Notes]:
    """A game of these stages."""
    return Game.new(Script(*stages), 2)
