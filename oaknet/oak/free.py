"""Free actions: what the mover may do any number of times during its turn (oak 5.2)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.deeds import ACTIONS, Action
from oaknet.oak.pay import buy_step, choose_row, limit_payable, trade_for
from oaknet.oak.queries import FREE, limit_movable
from oaknet.oak.state import State, gain
from oaknet.oak.tables import CARW_GWYN, CREATURE_CARDS, CREATURES, KINDS, RESOURCES


def wanting(s: State, seat: int) -> list[str]:
    """The resources of a seat that are not at their limit."""
    have, most = s.players[seat].resources, s.box.play.most
    return [RESOURCES[kind] for kind in KINDS if have[kind] < most]


def can_trade(s: State, seat: int, owed: Cost) -> bool:
    """Whether 2 ingredients could be exchanged for a resource that is not at its limit (oak 2.6)."""
    return sum(s.players[seat].ingredients) >= s.box.play.trade and bool(wanting(s, seat))


async def trade(s: State, seat: int) -> None:
    """Return 2 ingredients, equal or not, to the crane bag for 1 resource of choice (oak 2.6)."""
    kind = RESOURCES.index(await choose(seat, "resource", wanting(s, seat)))
    await trade_for(s, seat, kind, s.box.play.trade)


def can_raise(s: State, seat: int, owed: Cost) -> bool:
    """Whether a card limit marker can be moved and paid for (oak 9.3)."""
    movable = limit_movable(s, seat, 0) or limit_movable(s, seat, 1)
    return movable and limit_payable(s, seat, owed)


async def raise_limit(s: State, seat: int) -> None:
    """Pay what the order's board shows: move one card limit marker a space to the right (oak 9.3)."""
    await buy_step(s, seat, await choose_row(s, seat))


# -- creatures -----------------------------------------------------------------------------------------------


def can_barter(s: State, seat: int, owed: Cost) -> bool:
    """Whether Abhartach has an ingredient to take and a resource to give (oak 16.7)."""
    return any(s.players[seat].ingredients) and bool(wanting(s, seat))


async def barter(s: State, seat: int) -> None:
    """Abhartach: return 1 ingredient to the crane bag for 1 resource of choice (oak 16.7)."""
    kind = RESOURCES.index(await choose(seat, "resource", wanting(s, seat)))
    card = next(card for card in s.players[seat].creatures if CREATURES[card].free == "barter")
    await trade_for(s, seat, kind, s.box.creatures.amount[card - 1])


def swappable(s: State, seat: int, given: int) -> list[int]:
    """What one may exchange a resource for: kinds below their limit, each once a turn (oak 16.1)."""
    have = s.players[seat].resources
    return [
        kind
        for kind in KINDS
        if kind != given and have[kind] < s.box.play.most and not s.swapped >> (3 * given + kind) & 1
    ]


def swap(given: int) -> Action:
    """Slúagh, Bodach and Selkie: exchange as many of one resource as one likes for one other; what goes
    beyond the track is lost; each of the two ways once a turn (oak 16.1)."""

    def can(s: State, seat: int, owed: Cost) -> bool:
        return s.players[seat].resources[given] > 0 and bool(swappable(s, seat, given))

    async def do(s: State, seat: int) -> None:
        names = [RESOURCES[kind] for kind in swappable(s, seat, given)]
        kind = RESOURCES.index(await choose(seat, "take", names))
        have = s.players[seat].resources
        amount = await choose(seat, "amount", range(1, have[given] + 1))
        have[given] -= amount
        gain(s, seat, kind, amount)
        s.swapped |= 1 << (3 * given + kind)

    return Action(can, do)


def can_discard_carw(s: State, seat: int, owed: Cost) -> bool:
    """Whether Carw Gwyn is there: always, since it is a row of the seat's own creatures (oak 16.17)."""
    return CARW_GWYN in s.players[seat].creatures


async def discard_carw(s: State, seat: int) -> None:
    """Discard Carw Gwyn, which leaves the game and its slot, and gain 6 points (oak 16.17)."""
    p = s.players[seat]
    p.creatures.remove(CARW_GWYN)
    s.gone.append(CARW_GWYN)
    p.ledger[CREATURE_CARDS] += s.box.creatures.amount[CARW_GWYN - 1]


CREATURE_ACTIONS: dict[str, Action] = {
    **{f"swap-{name}": swap(kind) for kind, name in enumerate(RESOURCES)},
    "barter": Action(can_barter, barter),
    "carw": Action(can_discard_carw, discard_carw),
}
"""By the names in the column ``free`` of `CREATURES`."""

FREE_ACTIONS = {"trade": Action(can_trade, trade), "limit": Action(can_raise, raise_limit)}
"""What everybody has; creatures add theirs."""


def free_actions(s: State, seat: int) -> dict[str, Action]:
    """The free actions that a seat can do now, by name."""
    actions = {name: action for name, action in FREE_ACTIONS.items() if action.can(s, seat, FREE)}
    for card in s.players[seat].creatures:
        if (name := CREATURES[card].free) and ACTIONS[name].can(s, seat, FREE):
            actions[f"creature-{card}"] = ACTIONS[name]
    return actions
