"""Passing and gathering ingredients (oak 8)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.branches import choose_druid
from oaknet.oak.pay import may_raise, may_trade, raise_limit, trade
from oaknet.oak.queries import FREE
from oaknet.oak.state import State, by_kind, move
from oaknet.oak.tables import FOREST, INGREDIENTS, ROOTS, Deed

EMPTY = -1
FREE_ACTIONS: dict[str, Deed] = {"trade": trade, "limit": raise_limit}
"""What the mover may do any number of times during its turn (oak 2.6, 9.3)."""


def free_actions(s: State, seat: int) -> list[str]:
    """The free actions that are possible now."""
    names = ["trade"] if may_trade(s, seat) else []
    return [*names, "limit"] if may_raise(s, seat, FREE) else names


def may_gather(s: State, seat: int) -> bool:
    """Whether a passed seat has a druid on the roots and the forest an ingredient (oak 5.5)."""
    return ROOTS in s.players[seat].place and any(ingredient != EMPTY for ingredient in s.forest)


async def gather(s: State, seat: int) -> None:
    """Move a druid from the roots to the forest and take an ingredient, or decline (oak 5.5).

    Of equal ingredients the first from top left clockwise is taken.
    """
    while may_gather(s, seat):
        names = [name for i, name in enumerate(INGREDIENTS) if i in s.forest]
        answer = await choose(seat, "gather", [*names, *free_actions(s, seat), "decline"])
        if answer in FREE_ACTIONS:
            await FREE_ACTIONS[answer](s, seat)
            continue
        if answer == "decline":
            break
        p = s.players[seat]
        move(p, await choose_druid(p, seat, "gatherer", by_kind(p, ROOTS)), FOREST)
        ingredient = INGREDIENTS.index(answer)
        s.forest[s.forest.index(ingredient)] = EMPTY
        p.ingredients[ingredient] += 1
        s.idle = 0
        return
    s.idle += 1
