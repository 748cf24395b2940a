"""What things cost a seat now, by the queries of the rules (oak 6.3, 8.2, 9.3)."""

from __future__ import annotations

from collections.abc import Iterator

from oaknet.oak.box import Cost
from oaknet.oak.queries import oak_costs, temple_cost
from oaknet.oak.state import State, by_kind
from oaknet.oak.tables import HEART_CARD, KINDS, MOOTS, ORDERS, RESOURCES, REST
from oaknet.oak.words import DEEDS


def spelt(cost: Cost) -> str:
    """A cost in words."""
    return ", ".join(f"{cost[kind]} {RESOURCES[kind]}" for kind in KINDS if cost[kind]) or "nothing"


def cheapest(s: State, seat: int, card: int, reading: int) -> Cost:
    """The least that a temple action costs a seat, with the best of its active druids."""
    druids = by_kind(s.players[seat], REST) or [-1]
    return min((temple_cost(s, seat, card, reading, druid) for druid in druids), key=sum)


def ways(s: State, seat: int, action: str) -> Iterator[str]:
    """How a seat can come to an action this Day: cards in hand that have not been played, with what they
    cost it now, and its order's special space."""
    p = s.players[seat]
    for card in p.hand:
        if card in p.played or action not in MOOTS[card].actions:
            continue
        index = MOOTS[card].actions.index(action)
        reading = index if card == HEART_CARD else index + 1
        yield f"{MOOTS[card].name.title()} {spelt(cheapest(s, seat, card, reading))}"
    if p.order >= 0 and any(action == deed for _, deed in ORDERS[p.order].special):
        yield "your order's space"


def card_costs(s: State, seat: int, card: int) -> list[str]:
    """A moot card's actions with what each costs this seat now."""
    lines: list[str] = []
    for index, action in enumerate(MOOTS[card].actions):
        reading = index if card == HEART_CARD else index + 1
        stones = "" if card == HEART_CARD else f"{'●' * reading:<3} "
        lines.append(f"{stones}{DEEDS[action]}: {spelt(cheapest(s, seat, card, reading))}")
    oak = oak_costs(s, card)
    price = spelt(oak[0]) if len(oak) == 1 else f"{sum(oak[0])} of any kinds"
    return [*lines, f"Oak action: {price}"]
