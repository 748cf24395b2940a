"""Dawn: income (oak 4)."""

from __future__ import annotations

from oaknet.oak.bag import draw_ingredients
from oaknet.oak.state import DAY, State, gain, is_broichan, seats_from
from oaknet.oak.tables import CREATURES, KINDS, RESOURCES


async def dawn(s: State) -> None:
    """Everybody gains the basic income and what cards bring at Dawn, in seat order from the first player;
    not in the first round (oak 4.1). Broichan has no income (oak 14.3)."""
    for seat in seats_from(s, s.first):
        if is_broichan(s, seat):
            continue
        for kind in KINDS:
            gain(s, seat, kind, s.box.play.income[kind])
        for card in s.players[seat].creatures:
            await bring(s, seat, CREATURES[card].dawn, s.box.creatures.amount[card - 1])
    s.phase, s.mover = DAY, s.first


async def bring(s: State, seat: int, what: str, amount: int) -> None:
    """What a creature brings at Dawn: so many of a resource, ingredients drawn from the crane bag, or
    nothing (oak 16.8)."""
    if what in RESOURCES:
        gain(s, seat, RESOURCES.index(what), amount)
    elif what == "ingredient":
        await draw_ingredients(s, seat, amount)
