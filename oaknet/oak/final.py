"""Final scoring and the winners (oak 12)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.branches import steps
from oaknet.oak.broichan import brew_darkwood
from oaknet.oak.free import discard_carw
from oaknet.oak.potions import Payment, darkwood_payments, spend, substitute_costs
from oaknet.oak.state import OVER, Player, State, is_broichan
from oaknet.oak.tables import CARW_GWYN, KINDS, POTIONS_BREWED


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
    """Darkwood of as many ingredients as the seat says, or none; then Carw Gwyn's points (oak 12.1, 12.2).

    No druid is placed, so no elder helps; Fear Dearg does, but nothing else is exchanged any more."""
    p = s.players[seat]
    left = sum(p.resources)
    ways: dict[int, tuple[Payment, int]] = {}
    for payment, points in darkwood_payments(s, seat).items():
        if due(s, p, payment) <= left:
            ways.setdefault(len(payment), (payment, points))
    size = await choose(seat, "last", [*ways, "decline"])
    if isinstance(size, int):
        payment, points = ways[size]  # any other of this size is worth the same
        spend(s, p, payment, 1)
        pay_any(p, due(s, p, payment))
        p.markers += 1
        p.ledger[POTIONS_BREWED] += points
    if CARW_GWYN in p.creatures:
        await discard_carw(s, seat)


def due(s: State, p: Player, payment: Payment) -> int:
    """The resources that stand for ingredients in a payment."""
    return sum(substitute_costs(s, p, payment)[0])


def pay_any(p: Player, amount: int) -> None:
    """Pay so many resources; it does not matter any more of which kinds."""
    for kind in KINDS:
        paid = min(amount, p.resources[kind])
        p.resources[kind] -= paid
        amount -= paid


def winners(s: State) -> tuple[int, ...]:
    """The seats with the most points, of these those with the most steps on the branches (oak 12.3); nobody
    if that is Broichan alone (oak 14.13)."""
    ranks = [(p.vp, steps(s, seat)) for seat, p in enumerate(s.players)]
    best = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    return tuple([seat for seat in best if not is_broichan(s, seat)])
