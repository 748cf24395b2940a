"""Final scoring and the winners (oak 12)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.branches import steps
from oaknet.oak.potions import darkwood_sets, spend
from oaknet.oak.state import OVER, State
from oaknet.oak.tables import POTIONS_BREWED


async def last_potion(s: State) -> None:
    """One seat may brew Darkwood once more with what it has left (oak 12.1)."""
    seat = s.mover
    p = s.players[seat]
    sets = darkwood_sets(s, p)
    sizes = dict.fromkeys(len(kinds) for kinds in sets)
    size = await choose(seat, "last", [*sizes, "decline"])
    if isinstance(size, int):
        spent = next(
            kinds for kinds in sets if len(kinds) == size
        )  # any other of this size is worth the same
        p.ledger[POTIONS_BREWED] += dict(s.box.potions.darkwood)[await spend(s, seat, [spent])]
    s.mover = (seat + 1) % len(s.players)
    if s.mover == s.first:
        s.phase = OVER


def winners(s: State) -> tuple[int, ...]:
    """The seats with the most points, of these those with the most steps on the branches (oak 12.3)."""
    ranks = [(p.vp, steps(s, seat)) for seat, p in enumerate(s.players)]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
