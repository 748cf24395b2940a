"""Dawn: income (oak 4)."""

from __future__ import annotations

from oaknet.oak.state import DAY, State, gain, is_broichan, seats_from
from oaknet.oak.tables import CREATURES, KINDS


async def dawn(s: State) -> None:
    """Everybody gains the basic income and what cards bring at Dawn, in seat order from the first player;
    not in the first round (oak 4.1). Broichan has no income (oak 14.3)."""
    for seat in seats_from(s, s.first):
        if is_broichan(s, seat):
            continue
        for kind in KINDS:
            gain(s, seat, kind, s.box.play.income[kind])
        for card in s.players[seat].creatures:
            if income := CREATURES[card].dawn:
                await income(s, seat)
    s.phase, s.mover = DAY, s.first
