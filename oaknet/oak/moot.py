"""Playing a moot card for its temple action or its Oak action (oak 6, 7.1)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.actions import ACTIONS
from oaknet.oak.branches import choose_druid, climb, open_spaces
from oaknet.oak.pay import affordable, pay
from oaknet.oak.queries import hands, oak_cost, temple_cost
from oaknet.oak.state import State, by_kind, count_at, move
from oaknet.oak.tables import MOOTS, REST, ROOTS, TEMPLE

STONES = (1, 2, 3)


def playable(s: State, seat: int) -> list[int]:
    """The moot cards in hand, not yet played this Day, that can do something (oak 6.1)."""
    p = s.players[seat]
    return [card for card in p.hand if card not in p.played and _fits(s, seat, card)]


def _fits(s: State, seat: int, card: int) -> bool:
    played = s.players[seat].played
    played.append(card)  # a card that is being played counts as played for what it repeats
    fits = oak_fits(s, seat, card) or any(usable(s, seat, card, stone) for stone in STONES)
    played.pop()
    return fits


async def play_card(s: State, seat: int, card: int) -> None:
    """Lay the card face up, then do either its temple action or its Oak action (oak 6.1)."""
    s.players[seat].played.append(card)
    ways = ["temple"] if any(usable(s, seat, card, stone) for stone in STONES) else []
    ways += ["oak"] if oak_fits(s, seat, card) else []
    await (temple_action if await choose(seat, "way", ways) == "temple" else oak_action)(s, seat, card)


# -- the temple action ---------------------------------------------------------------------------------------


async def temple_action(s: State, seat: int, card: int) -> None:
    """Place an active druid on a space of the card's temple; where somebody stands already, send a second
    active druid to the roots; pay; act (oak 6.2–6.4)."""
    p = s.players[seat]
    stone = await choose(seat, "stone", [stone for stone in STONES if usable(s, seat, card, stone)])
    druids = [druid for druid in by_kind(p, REST) if placeable(s, seat, card, stone, druid)]
    druid = await choose_druid(p, seat, "druid", druids)
    space = temple_space(card, stone)
    crowded = hands(s, seat, space, druid) == 2
    seconds = [
        other for other in by_kind(p, REST, druid) if crowded and fit(s, seat, card, stone, druid, other)
    ]
    move(p, druid, TEMPLE, space)
    if crowded:
        move(p, await choose_druid(p, seat, "second", seconds), ROOTS)
    action = ACTIONS[MOOTS[card].actions[stone - 1]]
    await pay(s, seat, [temple_cost(s, seat, card, stone, druid)], action.can)
    await action.do(s, seat)


def temple_space(card: int, stone: int) -> int:
    """The temple space that a card's action stands for."""
    return MOOTS[card].temple * 3 + stone - 1


def usable(s: State, seat: int, card: int, stone: int) -> bool:
    """Whether some active druid can use this stone space."""
    return any(placeable(s, seat, card, stone, druid) for druid in by_kind(s.players[seat], REST))


def placeable(s: State, seat: int, card: int, stone: int, druid: int) -> bool:
    """Whether this druid can be placed here, with a second one sent to the roots where that is due."""
    p = s.players[seat]
    need = hands(s, seat, temple_space(card, stone), druid)
    if count_at(p, REST) < need:
        return False
    if need == 1:
        return fit(s, seat, card, stone, druid)
    return any(fit(s, seat, card, stone, druid, second) for second in by_kind(p, REST, druid))


def fit(s: State, seat: int, card: int, stone: int, druid: int, second: int = -1) -> bool:
    """Whether this can be placed, paid and done, tried on the table itself and taken back (oak 6.4)."""
    p = s.players[seat]
    p.place[druid] = TEMPLE
    if second >= 0:
        p.place[second] = ROOTS
    cost = temple_cost(s, seat, card, stone, druid)
    done = ACTIONS[MOOTS[card].actions[stone - 1]].can(s, seat, cost)
    p.place[druid] = REST
    if second >= 0:
        p.place[second] = REST
    return done


# -- the Oak action ------------------------------------------------------------------------------------------


def oak_fits(s: State, seat: int, card: int) -> bool:
    """Whether the Oak action can be paid and its druid moved."""
    return affordable(s, seat, oak_cost(s, card)) and bool(open_spaces(s, seat, MOOTS[card].temple))


async def oak_action(s: State, seat: int, card: int) -> None:
    """Pay 3 of the card's resource, then take a step on its branch (oak 7.1)."""
    await pay(s, seat, [oak_cost(s, card)])
    await climb(s, seat, MOOTS[card].temple)
