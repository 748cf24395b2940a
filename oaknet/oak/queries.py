"""Named queries: each gathers in one place everything that modifies a rule (oak 1.4)."""

from __future__ import annotations

from functools import cache

from oaknet.oak.box import Cost
from oaknet.oak.state import Player, State
from oaknet.oak.tables import (
    BELOW,
    CREATURES,
    ELDER_SHRINE,
    KINDS,
    MENHIR_SIDE,
    MOOTS,
    RECLUSE,
    REGULAR,
    REGULAR_SHRINE,
    REST,
    TEMPLE,
)

FREE: Cost = (0, 0, 0)


def cost_of(kind: int, amount: int) -> Cost:
    """So many resources of one kind."""
    return (amount if kind == 0 else 0, amount if kind == 1 else 0, amount if kind == 2 else 0)


def plus(left: Cost, right: Cost) -> Cost:
    """Both costs together."""
    return (left[0] + right[0], left[1] + right[1], left[2] + right[2])


# -- costs ---------------------------------------------------------------------------------------------------


def temple_cost(s: State, seat: int, card: int, stone: int, druid: int) -> Cost:
    """What the temple action of a moot card costs a seat that places ``druid`` on this stone space (oak
    6.3)."""
    printed: tuple[Cost, ...] = (
        s.box.moot.storytelling,
        s.box.moot.worship,
        s.box.moot.knowledge,
        s.box.moot.wisdom,
        s.box.moot.ritual,
        s.box.moot.mysticism,
    )
    return cost_of(MOOTS[card].temple, printed[card][stone - 1])


def oak_cost(s: State, card: int) -> Cost:
    """What the Oak action of a moot card costs; nothing ever lowers it (oak 7.1)."""
    return cost_of(MOOTS[card].temple, s.box.branches.cost)


def menhir_costs(s: State, seat: int, druid: int) -> tuple[Cost, ...]:
    """The ways to pay for a menhir when ``druid`` builds it (oak 8.3)."""
    return (s.box.cards.menhir_cost,)


def limit_costs(s: State, seat: int) -> tuple[Cost, ...]:
    """The ways to pay for one step of a card limit marker: what the order's board shows (oak 9.3)."""
    orders, order = s.box.orders, s.players[seat].order
    return splits(orders.limit[order], orders.mixed[order])


@cache
def splits(amount: int, mixed: int) -> tuple[Cost, ...]:
    """All ways to pay an amount in one kind, or in any mixture of kinds."""
    if not mixed:
        return tuple(cost_of(kind, amount) for kind in KINDS) if amount else (FREE,)
    return tuple((f, m, amount - f - m) for f in range(amount, -1, -1) for m in range(amount - f, -1, -1))


def refresh_cost(s: State, kind: int) -> Cost:
    """What it costs to refresh a display: mistletoe for creatures, runes for artifacts (oak 9.6)."""
    return cost_of(kind, s.box.cards.refresh)


# -- temples -------------------------------------------------------------------------------------------------


def occupied(s: State, space: int) -> bool:
    """Whether a druid, of whomever, neutral ones included, stands on a temple space (oak 6.2)."""
    if space in s.neutrals:
        return True
    return any(TEMPLE in p.place and (TEMPLE, space) in zip(p.place, p.space, strict=True) for p in s.players)


def hands(s: State, seat: int, space: int, druid: int) -> int:
    """How many druids it takes to use a temple space with ``druid``: two if somebody stands there (oak
    6.2)."""
    return 2 if occupied(s, space) else 1


# -- cards ---------------------------------------------------------------------------------------------------


def slots(s: State, seat: int, row: int) -> int:
    """How many card slots of a row are open: those left of the marker and what cards add (oak 9.2)."""
    p = s.players[seat]
    return p.limits[row] + (sum(CREATURES[card].slots for card in p.creatures) if row == BELOW else 0)


def slots_used(s: State, seat: int, row: int, side: int = -1) -> int:
    """How many slots of a row hold cards, one more card of this ``side`` included (oak 9.2).

    Shrines share slots where the order's board lets them.
    """
    p = s.players[seat]
    if row == BELOW:
        return len(p.creatures) + (side >= 0)
    menhirs = p.shrines.count(MENHIR_SIDE) + (side == MENHIR_SIDE)
    shrines = len(p.shrines) + (side >= 0) - menhirs
    share = s.box.orders.shrines[p.order]
    return menhirs + (shrines + share - 1) // share


def slot_free(s: State, seat: int, row: int, side: int = 0) -> bool:
    """Whether a card can be placed in a row now."""
    return slots_used(s, seat, row, side) <= slots(s, seat, row)


def limit_movable(s: State, seat: int, row: int) -> bool:
    """Whether the card limit marker of a row is not yet at its end (oak 9.3)."""
    return s.players[seat].limits[row] < s.box.cards.slots[row]


def shrine_cards(s: State) -> int:
    """Shrine/menhir cards left in the supply."""
    return s.box.cards.supply - sum(len(p.shrines) for p in s.players)


def artifact_places(s: State, seat: int) -> int:
    """How many artifacts a seat may have active (oak 9.7)."""
    return s.box.artifacts.places


# -- resting spaces ------------------------------------------------------------------------------------------


def rest_places(s: State, seat: int) -> tuple[int, int]:
    """Resting spaces of a seat for any druid, and for regular druids alone (oak 2.2)."""
    p, orders = s.players[seat], s.box.orders
    elder = orders.elder[p.order] + p.shrines.count(ELDER_SHRINE)
    regular = orders.regular[p.order] + p.shrines.count(REGULAR_SHRINE)
    return elder, regular + sum(CREATURES[card].rests for card in p.creatures)


def own_rest(s: State, seat: int, kind: int) -> bool:
    """Whether a druid of this kind has a resting space of its own, that no other uses (oak 2.2)."""
    return kind == RECLUSE and s.box.orders.recluse[s.players[seat].order] > 0


def resting(s: State, seat: int) -> tuple[int, int]:
    """Elder and regular druids of a seat on the common resting spaces."""
    p = s.players[seat]
    elders = regulars = 0
    for kind, place in zip(p.kind, p.place, strict=True):
        if place == REST:
            if kind == REGULAR:
                regulars += 1
            elif not own_rest(s, seat, kind):
                elders += 1
    return elders, regulars


def rests_fit(s: State, seat: int, elders: int, regulars: int) -> bool:
    """Whether so many druids fit the common resting spaces, rearranged at will: elders only on theirs."""
    elder, regular = rest_places(s, seat)
    return elders <= elder and elders + regulars <= elder + regular


def rest_free(s: State, seat: int, kind: int, instead: int = -1) -> bool:
    """Whether a druid of this kind could come to rest (``instead`` of a resting one) (oak 2.2)."""
    if own_rest(s, seat, kind):
        return True
    elders, regulars = resting(s, seat)
    if instead >= 0:
        regulars -= 1
    return rests_fit(s, seat, elders + (kind != REGULAR), regulars + (kind == REGULAR))


def elders(p: Player) -> int:
    """Elder druids of a seat, wherever they are."""
    return len(p.kind) - p.kind.count(REGULAR)
