"""The forest: taking an ingredient from it (oak 5.5)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.queries import card_with
from oaknet.oak.state import State
from oaknet.oak.tables import INGREDIENTS

EMPTY = -1


def growing(s: State) -> list[str]:
    """The kinds of ingredients in the forest."""
    return [name for i, name in enumerate(INGREDIENTS) if i in s.forest]


def pick(s: State, seat: int, name: str) -> None:
    """Take an ingredient of this kind: of equal ones the first from top left clockwise (oak 5.5)."""
    ingredient = INGREDIENTS.index(name)
    s.forest[s.forest.index(ingredient)] = EMPTY
    s.players[seat].ingredients[ingredient] += 1


async def gather_too(s: State, seat: int, power: str) -> None:
    """Glaistig with a shrine or menhir, Leanan sídhe with recruiting: the owner may also take an ingredient
    from the forest, without a druid (oak 16.16)."""
    if card_with(s.players[seat], power) and growing(s):
        name = await choose(seat, "gather-too", [*growing(s), "decline"])
        if name != "decline":
            pick(s, seat, name)
