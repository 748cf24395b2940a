"""Gathering ingredients after passing (oak 5.5)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.branches import choose_druid
from oaknet.oak.free import free_actions
from oaknet.oak.state import State, by_kind, move
from oaknet.oak.tables import FOREST, INGREDIENTS, ROOTS

EMPTY = -1


def may_gather(s: State, seat: int) -> bool:
    """Whether a passed seat has a druid on the roots and the forest an ingredient (oak 5.5)."""
    return ROOTS in s.players[seat].place and any(ingredient != EMPTY for ingredient in s.forest)


async def gather(s: State, seat: int) -> None:
    """Move a druid from the roots to the forest and take an ingredient, or decline (oak 5.5).

    Of equal ingredients the first from top left clockwise is taken.
    """
    while may_gather(s, seat):
        names = [name for i, name in enumerate(INGREDIENTS) if i in s.forest]
        free = free_actions(s, seat)
        answer = await choose(seat, "gather", [*names, *free, "decline"])
        if answer in free:
            await free[answer].do(s, seat)
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
