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
