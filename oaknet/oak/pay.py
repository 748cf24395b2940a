"""Paying: resources, ingredients for resources, free actions (oak 2.4–2.6, 9.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import TypeAlias

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.queries import limit_costs, limit_movable, plus, slot_free
from oaknet.oak.state import Player, State
from oaknet.oak.tables import INGREDIENTS, KINDS, RESOURCES, ROWS

Can: TypeAlias = "Callable[[State, int, Cost], bool]"
"""Whether a seat that still owes a cost can pay it, and then do something."""


def affordable(s: State, seat: int, owed: Cost, keep: int = 0) -> bool:
    """Whether a seat can pay, with ingredients where resources are short and ``keep`` of them left (oak
    2.6)."""
    p = s.players[seat]
    short = sum([max(0, owed[kind] - p.resources[kind]) for kind in KINDS])
    return short == 0 or short * s.box.play.trade + keep <= sum(p.ingredients)


async def pay(s: State, seat: int, costs: Sequence[Cost], can: Can = affordable) -> None:
    """Pay one of these costs such that the seat ``can`` then go on; trade ingredients where it is short."""
    cost = await choose(seat, "pay", [cost for cost in costs if can(s, seat, cost)])
    p = s.players[seat]
    for kind in KINDS:
        while p.resources[kind] < cost[kind]:
            await _trade(s, seat, kind, lambda: can(s, seat, cost))
    for kind in KINDS:
        p.resources[kind] -= cost[kind]


async def _trade(s: State, seat: int, kind: int, still: Callable[[], bool]) -> None:
    """Return ingredients to the crane bag for 1 resource, such that the seat can ``still`` go on."""
    options: list[tuple[str, ...]] = []
    for bundle in bundles(s.players[seat], s.box.play.trade):
        _swap(s, seat, bundle, kind, 1)
        if still():
            options.append(tuple([INGREDIENTS[i] for i in bundle]))
        _swap(s, seat, bundle, kind, -1)
    chosen = await choose(seat, "trade", options)
    _swap(s, seat, [INGREDIENTS.index(name) for name in chosen], kind, 1)


def bundles(p: Player, size: int) -> list[tuple[int, ...]]:
    """All ways to take so many of a seat's ingredients."""
    return [b for b in _bundles(size) if all(b.count(i) <= p.ingredients[i] for i in b)]


@cache
def _bundles(size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(combinations_with_replacement(range(len(INGREDIENTS)), size))


def _swap(s: State, seat: int, bundle: Sequence[int], kind: int, sign: int) -> None:
    p = s.players[seat]
    for ingredient in bundle:
        p.ingredients[ingredient] -= sign
        s.bag[ingredient] += sign
    p.resources[kind] += sign


# -- free actions --------------------------------------------------------------------------------------------


def may_trade(s: State, seat: int) -> bool:
    """Whether 2 ingredients could be exchanged for a resource that is not at its limit (oak 2.6)."""
    p = s.players[seat]
    return sum(p.ingredients) >= s.box.play.trade and min(p.resources) < s.box.play.most


async def trade(s: State, seat: int) -> None:
    """Return 2 ingredients, equal or not, to the crane bag for 1 resource of choice (oak 2.6)."""
    p, most = s.players[seat], s.box.play.most
    names = [RESOURCES[kind] for kind in KINDS if p.resources[kind] < most]
    kind = RESOURCES.index(await choose(seat, "resource", names))
    await _trade(s, seat, kind, lambda: True)


def limit_payable(s: State, seat: int, owed: Cost) -> bool:
    """Whether a step of a limit marker could be paid on top of what is owed."""
    return any(affordable(s, seat, plus(owed, cost)) for cost in limit_costs(s, seat))


def may_raise(s: State, seat: int, owed: Cost) -> bool:
    """Whether a card limit marker can be moved and paid for (oak 9.3)."""
    return any(limit_movable(s, seat, row) for row in (0, 1)) and limit_payable(s, seat, owed)


async def raise_limit(s: State, seat: int) -> None:
    """Pay what the order's board shows: move one card limit marker a space to the right (oak 9.3)."""
    row = await choose_row(s, seat)
    await pay(s, seat, limit_costs(s, seat))
    s.players[seat].limits[row] += 1


async def choose_row(s: State, seat: int) -> int:
    """Which card limit marker to move."""
    return ROWS.index(await choose(seat, "row", [ROWS[row] for row in (0, 1) if limit_movable(s, seat, row)]))


def slot_payable(s: State, seat: int, row: int, owed: Cost, side: int = 0) -> bool:
    """Whether a seat can pay what it owes and have a slot for a card, buying it if need be (oak 9.2)."""
    if slot_free(s, seat, row, side):
        return affordable(s, seat, owed)
    return limit_movable(s, seat, row) and limit_payable(s, seat, owed)


async def open_slot(s: State, seat: int, row: int, side: int = 0) -> None:
    """Where the row is full, move its marker as a free action before the card is placed (oak 9.2)."""
    if not slot_free(s, seat, row, side):
        await pay(s, seat, limit_costs(s, seat))
        s.players[seat].limits[row] += 1
