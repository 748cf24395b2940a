"""Free actions: what the mover may do any number of times during its turn (oak 5.2)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.pay import buy_step, choose_row, limit_payable, trade_for
from oaknet.oak.queries import FREE, limit_movable
from oaknet.oak.state import State
from oaknet.oak.tables import CREATURES, KINDS, RESOURCES, Action


def can_trade(s: State, seat: int, owed: Cost) -> bool:
    """Whether 2 ingredients could be exchanged for a resource that is not at its limit (oak 2.6)."""
    p = s.players[seat]
    return sum(p.ingredients) >= s.box.play.trade and min(p.resources) < s.box.play.most


async def trade(s: State, seat: int) -> None:
    """Return 2 ingredients, equal or not, to the crane bag for 1 resource of choice (oak 2.6)."""
    p, most = s.players[seat], s.box.play.most
    names = [RESOURCES[kind] for kind in KINDS if p.resources[kind] < most]
    kind = RESOURCES.index(await choose(seat, "resource", names))
    await trade_for(s, seat, kind, lambda: True)


def can_raise(s: State, seat: int, owed: Cost) -> bool:
    """Whether a card limit marker can be moved and paid for (oak 9.3)."""
    return any(limit_movable(s, seat, row) for row in (0, 1)) and limit_payable(s, seat, owed)


async def raise_limit(s: State, seat: int) -> None:
    """Pay what the order's board shows: move one card limit marker a space to the right (oak 9.3)."""
    await buy_step(s, seat, await choose_row(s, seat))


FREE_ACTIONS = {"trade": Action(can_trade, trade), "limit": Action(can_raise, raise_limit)}
"""What everybody has; creatures add theirs."""


def free_actions(s: State, seat: int) -> dict[str, Action]:
    """The free actions that a seat can do now, by name."""
    actions = {name: action for name, action in FREE_ACTIONS.items() if action.can(s, seat, FREE)}
    for card in s.players[seat].creatures:
        if (free := CREATURES[card].free) and free.can(s, seat, FREE):
            actions[f"creature-{card}"] = free
    return actions
