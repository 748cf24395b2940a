"""Final scoring and the winners (oak 12)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.branches import steps
from oaknet.oak.broichan import brew_darkwood
from oaknet.oak.potions import darkwood_sets, spend
from oaknet.oak.state import OVER, State, is_broichan
from oaknet.oak.tables import POTIONS_BREWED


async def last_potion(s: State) -> None:
    """One seat may brew Darkwood once more with what it has left (oak 12.1)."""
    seat = s.mover
    if is_broichan(s, seat):
        brew_darkwood(s)
    else:
        await brew_last(s, seat)
    s.mover = (seat + 1) % len(s.players)
    if s.mover == s.first:
        s.phase = OVER


async def brew_last(s: State, seat: int) -> None:
    """Darkwood of as many ingredients as the seat says, or none (oak 12.1)."""
    p = s.players[seat]
    sets = darkwood_sets(s, p)
    sizes = dict.fromkeys(len(kinds) for kinds in sets)
    size = await choose(seat, "last", [*sizes, "decline"])
    if isinstance(size, int):
        spent = next(
            kinds for kinds in sets if len(kinds) == size
        )  # any other of this size is worth the same
        p.ledger[POTIONS_BREWED] += dict(s.box.potions.darkwood)[await spend(s, seat, [spent])]


def winners(s: State) -> tuple[int, ...]:
    """The seats with the most points, of these those with the most steps on the branches (oak 12.3); nobody
    if that is Broichan alone (oak 14.13)."""
    ranks = [(p.vp, steps(s, seat)) for seat, p in enumerate(s.players)]
    best = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    return tuple([seat for seat in best if not is_broichan(s, seat)])
