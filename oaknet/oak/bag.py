"""The crane bag (oak 2.5)."""

from __future__ import annotations

from oaknet.kernel import chance
from oaknet.oak.state import State
from oaknet.oak.tables import INGREDIENTS


async def draw_ingredient(s: State) -> int:
    """Draw an ingredient from the crane bag, each token equally likely."""
    kinds = [i for i, n in enumerate(s.bag) if n]
    name = await chance("bag", [INGREDIENTS[i] for i in kinds], [s.bag[i] for i in kinds])
    ingredient = INGREDIENTS.index(name)
    s.bag[ingredient] -= 1
    return ingredient


async def draw_ingredients(s: State, seat: int, amount: int) -> None:
    """Draw so many ingredients for a seat, as far as the bag reaches."""
    for _ in range(min(amount, sum(s.bag))):
        s.players[seat].ingredients[await draw_ingredient(s)] += 1
