"""Paying: resources, ingredients in their place, card slots that are short (oak 2.6, 9.2, 9.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.queries import limit_costs, limit_movable, plus, slot_free
from oaknet.oak.state import Player, State
from oaknet.oak.tables import INGREDIENTS, KINDS, ROWS, Can


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
            await trade_for(s, seat, kind, lambda: can(s, seat, cost))
    for kind in KINDS:
        p.resources[kind] -= cost[kind]


async def trade_for(s: State, seat: int, kind: int, still: Callable[[], bool]) -> None:
    """Return ingredients to the crane bag for 1 resource, such that the seat can ``still`` go on."""
    options: list[tuple[str, ...]] = []
    for bundle in bundles(s.players[seat], s.box.play.trade):
        swap(s, seat, bundle, kind, 1)
        if still():
            options.append(tuple([INGREDIENTS[i] for i in bundle]))
        swap(s, seat, bundle, kind, -1)
    chosen = await choose(seat, "trade", options)
    swap(s, seat, [INGREDIENTS.index(name) for name in chosen], kind, 1)


def bundles(p: Player, size: int) -> list[tuple[int, ...]]:
    """All ways to take so many of a seat's ingredients."""
    return [b for b in _bundles(size) if all(b.count(i) <= p.ingredients[i] for i in b)]


@cache
def _bundles(size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(combinations_with_replacement(range(len(INGREDIENTS)), size))


def swap(s: State, seat: int, bundle: Sequence[int], kind: int, sign: int) -> None:
    """Exchange a bundle of ingredients for one resource, or with ``sign`` -1 take that back."""
    p = s.players[seat]
    for ingredient in bundle:
        p.ingredients[ingredient] -= sign
        s.bag[ingredient] += sign
    p.resources[kind] += sign


# -- card limits -------------------------------------------------------------------------------------------


def limit_payable(s: State, seat: int, owed: Cost) -> bool:
    """Whether a step of a limit marker could be paid on top of what is owed."""
    return any(affordable(s, seat, plus(owed, cost)) for cost in limit_costs(s, seat))


async def choose_row(s: State, seat: int) -> int:
    """Which card limit marker to move."""
    return ROWS.index(await choose(seat, "row", [ROWS[row] for row in (0, 1) if limit_movable(s, seat, row)]))


async def buy_step(s: State, seat: int, row: int) -> None:
    """Pay for a step of a card limit marker and move it (oak 9.3)."""
    await pay(s, seat, limit_costs(s, seat))
    s.players[seat].limits[row] += 1


def slot_payable(s: State, seat: int, row: int, owed: Cost, side: int = 0) -> bool:
    """Whether a seat can pay what it owes and have a slot for a card, buying it if need be (oak 9.2)."""
    if slot_free(s, seat, row, side):
        return affordable(s, seat, owed)
    return limit_movable(s, seat, row) and limit_payable(s, seat, owed)


async def open_slot(s: State, seat: int, row: int, side: int = 0) -> None:
    """Where the row is full, move its marker as a free action before the card is placed (oak 9.2)."""
    if not slot_free(s, seat, row, side):
        await buy_step(s, seat, row)
