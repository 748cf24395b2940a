"""Paying: resources, what can stand for them, card slots that are short (oak 2.6, 5.2, 9.2, 9.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.deeds import Can
from oaknet.oak.queries import card_with, limit_costs, limit_movable, plus, slot_free
from oaknet.oak.state import Player, State
from oaknet.oak.tables import CREATURES, INGREDIENTS, KINDS, RESOURCES, ROWS


def affordable(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can pay: with resources exchanged (oak 16.1) and ingredients (oak 2.6, 16.7) where some
    are short."""
    p = s.players[seat]
    have = p.resources
    if owed[0] <= have[0] and owed[1] <= have[1] and owed[2] <= have[2]:
        return True
    short = sum([owed[kind] - have[kind] for kind in KINDS if owed[kind] > have[kind]])
    short -= sum([have[kind] - owed[kind] for kind in swaps(p) if have[kind] > owed[kind]])
    return short <= 0 or short * rate(s, p) <= sum(p.ingredients)


def rate(s: State, p: Player) -> int:
    """Ingredients that stand for one resource."""
    card = card_with(p, "barter")
    return s.box.creatures.amount[card - 1] if card else s.box.play.trade


def swaps(p: Player) -> list[int]:
    """The resources that a seat can exchange for others at will (oak 16.1)."""
    return [CREATURES[card].swap for card in p.creatures if CREATURES[card].swap >= 0]


async def pay(s: State, seat: int, costs: Sequence[Cost], can: Can = affordable) -> None:
    """Pay one of these costs such that the seat ``can`` then go on; find what is short on the way."""
    cost = await choose(seat, "pay", [cost for cost in costs if can(s, seat, cost)])
    p = s.players[seat]
    for kind in KINDS:
        while p.resources[kind] < cost[kind]:
            await find(s, seat, kind, cost, lambda: can(s, seat, cost))
    for kind in KINDS:
        p.resources[kind] -= cost[kind]


async def find(s: State, seat: int, kind: int, cost: Cost, still: Callable[[], bool]) -> None:
    """Get 1 resource that is short, for ingredients or for another resource that the ``cost`` leaves, such
    that the seat can ``still`` go on (oak 5.2)."""
    p = s.players[seat]
    sizes = [s.box.play.trade] if rate(s, p) == s.box.play.trade else [s.box.play.trade, rate(s, p)]
    options: list[str | tuple[str, ...]] = [
        option for size in sizes for option in trades(s, seat, kind, size, still)
    ]
    for given in swaps(p):
        if given != kind and p.resources[given] > cost[given]:
            exchange_one(p, given, kind)
            if still():
                options.append(RESOURCES[given])
            exchange_one(p, kind, given)
    chosen = await choose(seat, "trade", options)
    if isinstance(chosen, str):
        exchange_one(p, RESOURCES.index(chosen), kind)
    else:
        swap(s, seat, [INGREDIENTS.index(name) for name in chosen], kind, 1)


def exchange_one(p: Player, given: int, kind: int) -> None:
    """One resource for another."""
    p.resources[given] -= 1
    p.resources[kind] += 1


def trades(
    s: State, seat: int, kind: int, size: int, still: Callable[[], bool] = lambda: True
) -> list[tuple[str, ...]]:
    """The ingredients that a seat could return for 1 resource and ``still`` go on."""
    found: list[tuple[str, ...]] = []
    for bundle in bundles(s.players[seat], size):
        swap(s, seat, bundle, kind, 1)
        if still():
            found.append(tuple([INGREDIENTS[i] for i in bundle]))
        swap(s, seat, bundle, kind, -1)
    return found


async def trade_for(s: State, seat: int, kind: int, size: int) -> None:
    """Return so many ingredients of choice to the crane bag for 1 resource."""
    chosen = await choose(seat, "trade", trades(s, seat, kind, size))
    swap(s, seat, [INGREDIENTS.index(name) for name in chosen], kind, 1)


def bundles(p: Player, size: int) -> list[tuple[int, ...]]:
    """All ways to take so many of a seat's ingredients."""
    have = p.ingredients
    if sum(have) < size:
        return []
    return [bundle for bundle, parts in _bundles(size) if all(have[i] >= n for i, n in parts)]


@cache
def _bundles(size: int) -> tuple[tuple[tuple[int, ...], tuple[tuple[int, int], ...]], ...]:
    """Every bundle of so many ingredients, and how many of each kind it has."""
    bundles = combinations_with_replacement(range(len(INGREDIENTS)), size)
    return tuple((b, tuple((i, b.count(i)) for i in dict.fromkeys(b))) for b in bundles)


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
