"""Special action spaces: building a menhir (oak 8)."""

from __future__ import annotations

from oaknet.oak.branches import choose_druid
from oaknet.oak.cards import build_menhir, can_build_menhir
from oaknet.oak.pay import pay
from oaknet.oak.queries import menhir_costs
from oaknet.oak.state import State, by_kind, move
from oaknet.oak.tables import MENHIR, REGULAR, REST


def menhir_builders(s: State, seat: int) -> list[int]:
    """The active elder druids that could build a menhir now: one menhir a seat and round, as each has one
    space for it (oak 8.1, 8.3)."""
    p = s.players[seat]
    if MENHIR in p.place:
        return []
    elders = [druid for druid in by_kind(p, REST) if p.kind[druid] != REGULAR]
    return [d for d in elders if any(can_build_menhir(s, seat, c) for c in menhir_costs(s, seat, d))]


async def menhir(s: State, seat: int) -> None:
    """Place an active elder on the seat's menhir space, pay 3 of each resource, lay a menhir, gain 6 (oak
    8.3)."""
    p = s.players[seat]
    druid = await choose_druid(p, seat, "druid", menhir_builders(s, seat))
    move(p, druid, MENHIR)
    await pay(s, seat, menhir_costs(s, seat, druid), can_build_menhir)
    await build_menhir(s, seat)
