"""Named queries: each gathers in one place everything that modifies a rule (oak 1.4)."""

from __future__ import annotations

from functools import cache

from oaknet.oak.box import Cost
from oaknet.oak.state import Player, State
from oaknet.oak.tables import (
    ANCIENT,
    ARCH_DRUID,
    BARD,
    BELOW,
    CREATURES,
    ELDER_SHRINE,
    HEART_CARD,
    HEART_PAYS,
    KINDS,
    MENHIR_SIDE,
    MOOTS,
    ORDERS,
    OVATE,
    RECLUSE,
    REGULAR,
    REGULAR_SHRINE,
    REST,
    RUNIC_POWER,
    TALON_MASTER,
    TEMPLE,
)

FREE: Cost = (0, 0, 0)


def cost_of(kind: int, amount: int) -> Cost:
    """So many resources of one kind."""
    return (amount if kind == 0 else 0, amount if kind == 1 else 0, amount if kind == 2 else 0)


def plus(left: Cost, right: Cost) -> Cost:
    """Both costs together."""
    return (left[0] + right[0], left[1] + right[1], left[2] + right[2])


# -- what cards and druids can do ----------------------------------------------------------------------------


def card_with(p: Player, power: str) -> int:
    """The creature of a seat that has this power; 0 if it has none."""
    for card in p.creatures:
        if CREATURES[card].power == power:
            return card
    return 0


def discount(s: State, seat: int, what: str) -> int:
    """What a seat's creatures save on ``what``: temple, creature, menhir or limit (oak 16.4)."""
    saved = 0
    for card in s.players[seat].creatures:
        if CREATURES[card].discount == what:
            saved += s.box.creatures.amount[card - 1]
    return saved


def acts_as(p: Player, druid: int, elder: int) -> bool:
    """Whether a druid has the power of this elder: it is one, or it is the Ancient (oak 15.7)."""
    return druid >= 0 and p.kind[druid] in (elder, ANCIENT)


def arch_druid(s: State, seat: int, druid: int) -> int:
    """What a druid saves on the resources of the action that it is placed for (oak 15.2)."""
    return s.box.elders.arch_druid if acts_as(s.players[seat], druid, ARCH_DRUID) else 0


def fewer(s: State, seat: int) -> int:
    """How many ingredients may be left out of the brewing under way: by the Ovate whose space is in use, and
    by the Golden Kettle (oak 15.4, 17.8)."""
    return s.saved + (s.box.elders.ovate if acts_as(s.players[seat], s.acting, OVATE) else 0)


def willing(s: State, seat: int, who: str) -> bool:
    """Whether regular druids may be placed on a special space that is for ``who``, any or elder (oak
    8.1)."""
    return who == "any" or card_with(s.players[seat], "any-druid") > 0


# -- costs ---------------------------------------------------------------------------------------------------


def temple_cost(s: State, seat: int, card: int, reading: int, druid: int) -> Cost:
    """What a temple action costs a seat that places ``druid`` for it: that of a moot card's space with this
    number of stones, or this action, from 0, of Heart of the Oak (oak 6.3)."""
    n = s.box.moot
    if card == HEART_CARD:
        kind, action = HEART_PAYS[reading], MOOTS[card].actions[reading]
        printed = n.heart[kind]
    else:
        costs = (n.storytelling, n.worship, n.knowledge, n.wisdom, n.ritual, n.mysticism)
        kind, printed = MOOTS[card].temple, costs[card][reading - 1]
        action = MOOTS[card].actions[reading - 1]
    if not printed:
        return FREE
    saving = arch_druid(s, seat, druid) + discount(s, seat, "temple")
    if action in ("creature", "limit"):
        saving += discount(s, seat, action)
    return cost_of(kind, max(0, printed - saving))


def special_costs(s: State, seat: int, space: int, druid: int) -> tuple[Cost, ...]:
    """The ways to pay for a special space of a seat's order board when ``druid`` is placed there (oak
    8.2)."""
    order = s.players[seat].order
    printed = s.box.orders.special[order][space]
    if not printed:
        return (FREE,)
    saving = arch_druid(s, seat, druid)
    if ORDERS[order].special[space][1] == "creature":
        saving += discount(s, seat, "creature")
    return splits(max(0, printed - saving), 1)


def oak_costs(s: State, card: int) -> tuple[Cost, ...]:
    """The ways to pay for the Oak action of a moot card; nothing ever lowers it (oak 7.1)."""
    if card == HEART_CARD:
        return splits(s.box.moot.heart_oak, 1)
    return (cost_of(MOOTS[card].temple, s.box.branches.cost),)


def menhir_costs(s: State, seat: int, druid: int) -> tuple[Cost, ...]:
    """The ways to pay for a menhir when ``druid`` builds it: what is saved may be of any kinds (oak 8.3)."""
    return lowered(s.box.cards.menhir_cost, arch_druid(s, seat, druid) + discount(s, seat, "menhir"))


def runic_costs(s: State, seat: int) -> tuple[Cost, ...]:
    """The ways to pay for a menhir with Runic Power: resources of any kinds (oak 10.11)."""
    return splits(max(0, s.box.potions.amount[RUNIC_POWER - 1] - discount(s, seat, "menhir")), 1)


@cache
def lowered(cost: Cost, saving: int) -> tuple[Cost, ...]:
    """All ways to pay a cost less so many resources of choice."""
    saving = min(saving, sum(cost))
    return tuple(
        (cost[0] - f, cost[1] - m, cost[2] - r)
        for f, m, r in splits(saving, 1)
        if f <= cost[0] and m <= cost[1] and r <= cost[2]
    )


def limit_costs(s: State, seat: int) -> tuple[Cost, ...]:
    """The ways to pay for one step of a card limit marker: what the order's board shows (oak 9.3)."""
    orders, order = s.box.orders, s.players[seat].order
    return splits(max(0, orders.limit[order] - discount(s, seat, "limit")), orders.mixed[order])


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
    """How many druids it takes to use a temple space with ``druid``: two if somebody stands there, but one
    if it is the Talon-Master, or an elder of the owner of Groac'h (oak 6.2)."""
    p = s.players[seat]
    joins = acts_as(p, druid, TALON_MASTER) or (p.kind[druid] != REGULAR and card_with(p, "elders-join") > 0)
    return 1 if joins or not occupied(s, space) else 2


def readings(p: Player, stone: int) -> list[int]:
    """The numbers of stones that a temple space may count as for a seat: its own, and what its creatures
    make of any space (oak 6.7)."""
    more = [CREATURES[card].stone for card in p.creatures if CREATURES[card].stone]
    return [n for n in (1, 2, 3) if n == stone or n in more] if more else [stone]


# -- cards ---------------------------------------------------------------------------------------------------


def slots(s: State, seat: int, row: int) -> int:
    """How many card slots of a row are open: those left of the marker and what boards and cards add (oak
    9.2)."""
    p, cards = s.players[seat], s.box.cards
    boards = (cards.bard if BARD in p.kind else 0) + (cards.ancient if ANCIENT in p.kind else 0)
    return p.limits[row] + boards + (added(s, p, "slots") if row == BELOW else 0)


def added(s: State, p: Player, what: str) -> int:
    """What a seat's creatures add: rests or slots."""
    return sum([s.box.creatures.amount[card - 1] for card in p.creatures if CREATURES[card].adds == what])


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
    return s.box.artifacts.places + s.players[seat].extension


# -- resting spaces ------------------------------------------------------------------------------------------


def rest_places(s: State, seat: int) -> tuple[int, int]:
    """Resting spaces of a seat for any druid, and for regular druids alone (oak 2.2)."""
    p, orders = s.players[seat], s.box.orders
    elder = orders.elder[p.order] + p.shrines.count(ELDER_SHRINE)
    regular = orders.regular[p.order] + p.shrines.count(REGULAR_SHRINE)
    return elder, regular + added(s, p, "rests")


def own_rest(s: State, seat: int, kind: int) -> bool:
    """Whether a druid of this kind has a resting space of its own, that no other uses (oak 2.2)."""
    return kind == ANCIENT or (kind == RECLUSE and s.box.orders.recluse[s.players[seat].order] > 0)


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
