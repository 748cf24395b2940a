"""Brewing potions (oak 10)."""

from __future__ import annotations

from itertools import combinations
from typing import TypeAlias

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.deeds import ACTIONS
from oaknet.oak.pay import affordable, bundles, pay
from oaknet.oak.queries import FREE, card_with, fewer, plus, splits
from oaknet.oak.state import Player, State
from oaknet.oak.tables import INGREDIENTS, POTIONS, POTIONS_BREWED

DARKWOOD = "darkwood"

SUBSTITUTE = len(INGREDIENTS)
NAMES = (*INGREDIENTS, "resources")
"""What a potion is paid with; Fear Dearg lets resources stand for an ingredient (oak 16.6)."""

Payment: TypeAlias = "tuple[int, ...]"
"""Ingredients, then a `SUBSTITUTE` for each one that resources stand for."""


# -- what a potion is paid with ------------------------------------------------------------------------------


def size_of(s: State, seat: int, printed: int) -> int:
    """How many ingredients are to be paid where so many are printed; never less than one (oak 10.4)."""
    return max(min(printed, s.box.elders.least), printed - fewer(s, seat))


def substitutes(p: Player, size: int) -> range:
    """How many of the ingredients to be paid may be replaced by resources."""
    return range(size + 1 if card_with(p, "substitute") else 1)


def darkwood_payments(s: State, seat: int) -> dict[Payment, int]:
    """The ways to pay for Darkwood, with different ingredients, and the points of each, the highest first
    (oak 10.3)."""
    p = s.players[seat]
    found: dict[Payment, int] = {}
    held = [i for i, n in enumerate(p.ingredients) if n]
    for printed, points in reversed(s.box.potions.darkwood):
        size = size_of(s, seat, printed)
        for n in substitutes(p, size):
            for kinds in combinations(held, size - n):
                found.setdefault((*kinds, *(SUBSTITUTE,) * n), points)
    return found


def tile_payments(s: State, seat: int, tile: int) -> list[Payment]:
    """The ways to pay for a tile: the ingredients named, any in place of a wild one, some left out or
    replaced where that is allowed (oak 10.2, 10.4)."""
    p = s.players[seat]
    *named, wild = s.box.potions.recipe[tile - 1]
    size = size_of(s, seat, sum(named) + wild)
    return [
        (*bundle, *(SUBSTITUTE,) * n)
        for n in substitutes(p, size)
        for bundle in bundles(p, size - n)
        if sum([max(0, bundle.count(i) - due) for i, due in enumerate(named)]) <= wild
    ]


def substitute_costs(s: State, p: Player, payment: Payment) -> tuple[Cost, ...]:
    """The ways to pay the resources in a payment: of any kinds (oak 16.6)."""
    n = payment.count(SUBSTITUTE)
    return splits(n * s.box.creatures.amount[card_with(p, "substitute") - 1], 1) if n else (FREE,)


# -- what can be brewed --------------------------------------------------------------------------------------


def tiles(s: State, seat: int) -> list[int]:
    """The tiles that a seat may brew: those in play and the one on its Seelie Court (oak 10.1, 16.18)."""
    own = s.players[seat].seelie
    return [*s.potions, own] if own else s.potions


def reward_can(s: State, seat: int, tile: int, owed: Cost) -> bool:
    """Whether a tile's reward can be had after paying (oak 10.5)."""
    if POTIONS[tile].freely:
        return affordable(s, seat, owed)
    return ACTIONS[POTIONS[tile].reward].can(s, seat, owed)


def darkwood_fits(s: State, seat: int, payment: Payment, owed: Cost) -> bool:
    """Whether a seat can pay what it owes and Darkwood."""
    p = s.players[seat]
    spend(s, p, payment, 1)
    fits = any(affordable(s, seat, plus(owed, cost)) for cost in substitute_costs(s, p, payment))
    spend(s, p, payment, -1)
    return fits


def tile_fits(s: State, seat: int, tile: int, payment: Payment, owed: Cost) -> bool:
    """Whether a seat can pay what it owes and a potion, and then have its reward; tried on the table and
    taken back."""
    p = s.players[seat]
    acting, saved, s.acting, s.saved = s.acting, s.saved, -1, 0
    spend(s, p, payment, 1)
    fits = any(
        reward_fits(s, seat, tile, payment, plus(owed, cost)) for cost in substitute_costs(s, p, payment)
    )
    spend(s, p, payment, -1)
    s.acting, s.saved = acting, saved
    return fits


def reward_fits(s: State, seat: int, tile: int, payment: Payment, owed: Cost) -> bool:
    """Whether the reward can be had after the ingredients are spent, perhaps with the one that Clurichaun
    gives back; that one comes too late to be traded for what is owed."""
    if not affordable(s, seat, owed):  # said here to end look-aheads early
        return False
    if reward_can(s, seat, tile, owed):
        return True
    p = s.players[seat]
    have = p.resources
    if not card_with(p, "reclaim") or any(n > have[kind] for kind, n in enumerate(owed)):
        return False
    p.resources = [n - owed[kind] for kind, n in enumerate(have)]
    fits = any(reclaim_fits(s, seat, tile, ingredient) for ingredient in reclaimable(payment))
    p.resources = have
    return fits


def reclaim_fits(s: State, seat: int, tile: int, ingredient: int) -> bool:
    """Whether the reward can be had once this ingredient has been taken back."""
    p = s.players[seat]
    spend(s, p, (ingredient,), -1)
    fits = reward_can(s, seat, tile, FREE)
    spend(s, p, (ingredient,), 1)
    return fits


def reclaimable(payment: Payment) -> list[int]:
    """The ingredients in a payment, each kind once; resources cannot be taken back (oak 16.5)."""
    return [i for i in range(len(INGREDIENTS)) if i in payment]


def spend(s: State, p: Player, payment: Payment, sign: int) -> None:
    """Return the ingredients of a payment to the crane bag, or with ``sign`` -1 take them back."""
    for ingredient in payment:
        if ingredient != SUBSTITUTE:
            p.ingredients[ingredient] -= sign
            s.bag[ingredient] += sign


def can_brew(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can brew a potion after paying (oak 10.1). A potion whose reward is being looked ahead
    to is left out: what a second brewing of it would allow the first allows too."""
    return any(darkwood_fits(s, seat, payment, owed) for payment in darkwood_payments(s, seat)) or any(
        tile_fits(s, seat, tile, payment, owed)
        for tile in tiles(s, seat)
        if not s.ahead >> tile & 1
        for payment in tile_payments(s, seat, tile)
    )


# -- brewing -------------------------------------------------------------------------------------------------


async def brew(s: State, seat: int) -> None:
    """Brew one potion: return its ingredients to the crane bag, take a completed potion marker and the reward
    (oak 10.1)."""
    darkwood = {
        payment: points
        for payment, points in darkwood_payments(s, seat).items()
        if darkwood_fits(s, seat, payment, FREE)
    }
    payments = {tile: ways for tile in tiles(s, seat) if (ways := fitting(s, seat, tile))}
    options: list[int | str] = [DARKWOOD] if darkwood else []
    potion = await choose(seat, "potion", [*options, *payments])
    payment = await choose_payment(seat, [*darkwood] if isinstance(potion, str) else payments[potion])
    s.acting, s.saved = -1, 0  # an elder's power and the Kettle are for this brewing alone (oak 15.1)
    if isinstance(potion, str):
        await pay_potion(s, seat, payment)
        s.players[seat].ledger[POTIONS_BREWED] += darkwood[payment]
        return
    await pay_potion(s, seat, payment, potion)
    if ACTIONS[POTIONS[potion].reward].can(s, seat, FREE):
        await ACTIONS[POTIONS[potion].reward].do(s, seat)


def fitting(s: State, seat: int, tile: int) -> list[Payment]:
    """The ways to pay for a tile such that its reward can be had."""
    return [payment for payment in tile_payments(s, seat, tile) if tile_fits(s, seat, tile, payment, FREE)]


async def choose_payment(seat: int, payments: list[Payment]) -> Payment:
    """Which ingredients to brew with, and how many are replaced by resources."""
    names = [tuple([NAMES[i] for i in payment]) for payment in payments]
    return payments[names.index(await choose(seat, "ingredients", names))]


async def pay_potion(s: State, seat: int, payment: Payment, tile: int = 0) -> None:
    """Return the ingredients, pay the resources that stand for others, take a marker; with Clurichaun take
    one ingredient back (oak 10.1, 16.5, 16.6). ``tile`` is 0 for Darkwood."""
    p = s.players[seat]
    spend(s, p, payment, 1)

    def can_go_on(s: State, seat: int, owed: Cost) -> bool:
        return reward_fits(s, seat, tile, payment, owed) if tile else affordable(s, seat, owed)

    if SUBSTITUTE in payment:
        await pay(s, seat, substitute_costs(s, p, payment), can_go_on)
    p.markers += 1
    back = reclaimable(payment)
    if back and card_with(p, "reclaim"):
        if tile:
            back = [i for i in back if reclaim_fits(s, seat, tile, i)]
        ingredient = INGREDIENTS.index(await choose(seat, "reclaim", [INGREDIENTS[i] for i in back]))
        spend(s, p, (ingredient,), -1)
