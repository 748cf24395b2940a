"""Gathering ingredients after passing (oak 5.5)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.branches import choose_druid
from oaknet.oak.forest import EMPTY, growing, pick
from oaknet.oak.free import free_actions
from oaknet.oak.queries import card_with
from oaknet.oak.state import State, by_kind, move
from oaknet.oak.tables import DRUIDS, FOREST, INGREDIENTS, ROOTS

NOBODY = "nobody"


def may_gather(s: State, seat: int) -> bool:
    """Whether a passed seat has a druid on the roots, or the Unicorn, and the forest an ingredient (oak
    5.5)."""
    p = s.players[seat]
    return (ROOTS in p.place or card_with(p, "gather-alone") > 0) and any(i != EMPTY for i in s.forest)


async def gather(s: State, seat: int) -> None:
    """Move a druid from the roots to the forest and take an ingredient, or decline (oak 5.5).

    Ghillie Dhu's owner may take one from the crane bag instead (oak 16.14).
    """
    while may_gather(s, seat):
        free = free_actions(s, seat)
        answer = await choose(seat, "gather", [*growing(s), *from_bag(s, seat), *free, "decline"])
        if answer in free:
            await free[answer].do(s, seat)
            continue
        if answer == "decline":
            break
        await send_gatherer(s, seat)
        if answer in INGREDIENTS:
            pick(s, seat, answer)
        else:
            await take_from_bag(s, seat, INGREDIENTS.index(answer.removeprefix("bag-")))
        s.idle = 0
        return
    s.idle += 1


async def send_gatherer(s: State, seat: int) -> None:
    """Move a druid of choice to the forest; the Unicorn's owner may send nobody (oak 16.15)."""
    p = s.players[seat]
    druids = by_kind(p, ROOTS)
    if not card_with(p, "gather-alone"):
        move(p, await choose_druid(p, seat, "gatherer", druids), FOREST)
        return
    name = await choose(seat, "gatherer", [NOBODY, *(DRUIDS[p.kind[druid]] for druid in druids)])
    if name != NOBODY:
        move(p, next(druid for druid in druids if DRUIDS[p.kind[druid]] == name), FOREST)


def from_bag(s: State, seat: int) -> list[str]:
    """What Ghillie Dhu lets a seat take from the crane bag instead."""
    if not card_with(s.players[seat], "gather-from-bag"):
        return []
    return [f"bag-{name}" for i, name in enumerate(INGREDIENTS) if s.bag[i]]


async def take_from_bag(s: State, seat: int, ingredient: int) -> None:
    """Ghillie Dhu: take any ingredient from the crane bag, then return one of the forest's to it (oak
    16.14)."""
    s.bag[ingredient] -= 1
    s.players[seat].ingredients[ingredient] += 1
    discarded = INGREDIENTS.index(await choose(seat, "discard", growing(s)))
    s.forest[s.forest.index(discarded)] = EMPTY
    s.bag[discarded] += 1
