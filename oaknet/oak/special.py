"""Special action spaces: order boards and the menhir (oak 8); those of artifacts stand apart."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.artifacts import can_draw
from oaknet.oak.bag import draw_ingredients
from oaknet.oak.box import Cost
from oaknet.oak.branches import choose_druid
from oaknet.oak.cards import build_menhir, can_build_menhir
from oaknet.oak.deeds import ACTIONS, Action
from oaknet.oak.free import wanting
from oaknet.oak.pay import affordable, pay
from oaknet.oak.queries import menhir_costs, special_costs, willing
from oaknet.oak.state import State, by_kind, gain, move
from oaknet.oak.tables import KINDS, MENHIR, ORDER, ORDERS, REGULAR, RESOURCES, REST


def candidates(s: State, seat: int, who: str) -> list[int]:
    """The active druids, one of each kind, that may be placed on a space for ``who`` (oak 8.1, 16.12)."""
    p = s.players[seat]
    return [d for d in by_kind(p, REST) if p.kind[d] != REGULAR or willing(s, seat, who)]


# -- order boards --------------------------------------------------------------------------------------------


def order_spaces(s: State, seat: int) -> list[str]:
    """The actions of the seat's order board that can be done now (oak 8.2)."""
    special = ORDERS[s.players[seat].order].special
    return [action for space, (_, action) in enumerate(special) if order_users(s, seat, space)]


def order_users(s: State, seat: int, space: int) -> list[int]:
    """The active druids that could use this special space of the seat's order board: it is empty, and its
    cost can be paid and its action done."""
    p = s.players[seat]
    if ORDER in p.place and (ORDER, space) in zip(p.place, p.space, strict=True):
        return []
    who, action = ORDERS[p.order].special[space]
    return [druid for druid in candidates(s, seat, who) if _fits(s, seat, space, druid, action)]


def _fits(s: State, seat: int, space: int, druid: int, action: str) -> bool:
    p = s.players[seat]
    p.place[druid], s.acting = ORDER, druid
    fits = any(ACTIONS[action].can(s, seat, cost) for cost in special_costs(s, seat, space, druid))
    p.place[druid], s.acting = REST, -1
    return fits


async def use_order(s: State, seat: int, name: str) -> None:
    """Place an active druid on a special space of the order board, pay what it costs, act (oak 8.2)."""
    p = s.players[seat]
    space = [action for _, action in ORDERS[p.order].special].index(name)
    s.acting = await choose_druid(p, seat, "druid", order_users(s, seat, space))
    move(p, s.acting, ORDER, space)
    await pay(s, seat, special_costs(s, seat, space, s.acting), ACTIONS[name].can)
    await ACTIONS[name].do(s, seat)


def can_gain_any(s: State, seat: int, owed: Cost) -> bool:
    """Whether a resource will be below its limit after paying."""
    have, most = s.players[seat].resources, s.box.play.most
    return affordable(s, seat, owed) and any(have[kind] - owed[kind] < most for kind in KINDS)


async def gain_any(s: State, seat: int) -> None:
    """Order of the Fox: gain 6 of one resource of choice (oak 8.2)."""
    kind = RESOURCES.index(await choose(seat, "gain", wanting(s, seat)))
    gain(s, seat, kind, s.box.orders.gain)


async def draw_three(s: State, seat: int) -> None:
    """Order of the Wild: draw 3 ingredients from the crane bag (oak 8.2)."""
    await draw_ingredients(s, seat, s.box.orders.draw)


ORDER_ACTIONS: dict[str, Action] = {
    "gain-any": Action(can_gain_any, gain_any),
    "draw": Action(can_draw, draw_three),
}
"""What the other orders' spaces do temple actions do too."""


# -- the menhir ----------------------------------------------------------------------------------------------


def menhir_builders(s: State, seat: int) -> list[int]:
    """The active elder druids that could build a menhir now: one menhir a seat and round, as each has one
    space for it (oak 8.1, 8.3)."""
    if MENHIR in s.players[seat].place:
        return []
    druids = candidates(s, seat, "elder")
    return [d for d in druids if any(can_build_menhir(s, seat, c) for c in menhir_costs(s, seat, d))]


async def menhir(s: State, seat: int) -> None:
    """Place an active elder on the seat's menhir space, pay 3 of each resource, lay a menhir, gain 6 (oak
    8.3)."""
    p = s.players[seat]
    druid = await choose_druid(p, seat, "druid", menhir_builders(s, seat))
    move(p, druid, MENHIR)
    await pay(s, seat, menhir_costs(s, seat, druid), can_build_menhir)
    await build_menhir(s, seat)
