"""Playing a moot card for its temple action or its Oak action (oak 6, 7.1)."""

from __future__ import annotations

from oaknet.kernel import choose, confirm
from oaknet.oak.box import Cost
from oaknet.oak.branches import choose_branch, choose_druid, climb, open_spaces, ride
from oaknet.oak.deeds import ACTIONS, Action
from oaknet.oak.pay import affordable, pay
from oaknet.oak.queries import cost_of, hands, oak_costs, plus, readings, temple_cost
from oaknet.oak.state import State, by_kind, count_at, move
from oaknet.oak.tables import CREATURES, HEART, HEART_CARD, KINDS, MOOTS, REST, ROOTS, TEMPLE

STONES = (1, 2, 3)


def playable(s: State, seat: int) -> list[int]:
    """The moot cards in hand, not yet played this Day, that can do something (oak 6.1)."""
    p = s.players[seat]
    return [card for card in p.hand if card not in p.played and _fits(s, seat, card)]


def _fits(s: State, seat: int, card: int) -> bool:
    played = s.players[seat].played
    played.append(card)  # a card that is being played counts as played for what it repeats
    fits = oak_fits(s, seat, card) or temple_fits(s, seat, card)
    played.pop()
    return fits


async def play_card(s: State, seat: int, card: int) -> None:
    """Lay the card face up, then do either its temple action or its Oak action (oak 6.1)."""
    s.players[seat].played.append(card)
    ways = ["temple"] if temple_fits(s, seat, card) else []
    ways += ["oak"] if oak_fits(s, seat, card) else []
    if await choose(seat, "way", ways) == "oak":
        await oak_action(s, seat, card)
    else:
        await (heart_action(s, seat) if card == HEART_CARD else temple_action(s, seat, card))


def temple_fits(s: State, seat: int, card: int) -> bool:
    """Whether some temple action of the card can be done."""
    if card == HEART_CARD:
        return bool(heart_actions(s, seat))
    return any(usable(s, seat, card, stone) for stone in STONES)


# -- the temple action ---------------------------------------------------------------------------------------


async def temple_action(s: State, seat: int, card: int) -> None:
    """Place an active druid on a space of the card's temple; where somebody stands already, send a second
    active druid to the roots; pay; act (oak 6.2–6.4). ``reading`` is the number of stones that the space
    counts as (oak 6.7)."""
    p = s.players[seat]
    stone = await choose(seat, "stone", [stone for stone in STONES if usable(s, seat, card, stone)])
    counts = [reading for reading in readings(p, stone) if reads(s, seat, card, stone, reading)]
    reading = await choose(seat, "as", counts)
    druids = [druid for druid in by_kind(p, REST) if placeable(s, seat, card, stone, reading, druid)]
    druid = await choose_druid(p, seat, "druid", druids)
    space = temple_space(card, stone)
    crowded = hands(s, seat, space, druid) == 2
    seconds = [
        other for other in by_kind(p, REST, druid) if crowded and fit(s, seat, card, reading, druid, other)
    ]
    move(p, druid, TEMPLE, space)
    if crowded:
        move(p, await choose_druid(p, seat, "second", seconds), ROOTS)
    s.acting = druid
    action = ACTIONS[MOOTS[card].actions[reading - 1]]
    cost = temple_cost(s, seat, card, reading, druid)
    if rides(s, seat, card, cost, action) and await confirm(seat, "ride"):
        cost = plus(cost, ride_cost(s, seat, MOOTS[card].temple))
        s.rider = MOOTS[card].temple
    await pay(s, seat, [cost], action.can)
    await action.do(s, seat)
    await ride(s, seat)


def temple_space(card: int, stone: int) -> int:
    """The temple space that a card's action stands for."""
    return MOOTS[card].temple * 3 + stone - 1


def usable(s: State, seat: int, card: int, stone: int) -> bool:
    """Whether some active druid can use this stone space."""
    return any(reads(s, seat, card, stone, reading) for reading in readings(s.players[seat], stone))


def reads(s: State, seat: int, card: int, stone: int, reading: int) -> bool:
    """Whether some active druid can use this space for the action of ``reading`` stones."""
    druids = by_kind(s.players[seat], REST)
    return any(placeable(s, seat, card, stone, reading, druid) for druid in druids)


def placeable(s: State, seat: int, card: int, stone: int, reading: int, druid: int) -> bool:
    """Whether this druid can be placed here, with a second one sent to the roots where that is due."""
    p = s.players[seat]
    need = hands(s, seat, temple_space(card, stone), druid)
    if count_at(p, REST) < need:
        return False
    if need == 1:
        return fit(s, seat, card, reading, druid)
    return any(fit(s, seat, card, reading, druid, second) for second in by_kind(p, REST, druid))


def fit(s: State, seat: int, card: int, reading: int, druid: int, second: int = -1) -> bool:
    """Whether this can be placed, paid and done, tried on the table itself and taken back (oak 6.4)."""
    p = s.players[seat]
    p.place[druid], s.acting = HEART if card == HEART_CARD else TEMPLE, druid
    if second >= 0:
        p.place[second] = ROOTS
    cost = temple_cost(s, seat, card, reading, druid)
    done = ACTIONS[action_of(card, reading)].can(s, seat, cost)
    p.place[druid], s.acting = REST, -1
    if second >= 0:
        p.place[second] = REST
    return done


def action_of(card: int, reading: int) -> str:
    """The temple action of a card for so many stones; Heart of the Oak's go by their number from 0."""
    return MOOTS[card].actions[reading if card == HEART_CARD else reading - 1]


# -- the Oak action with it (oak 16.3) -----------------------------------------------------------------------


def ride_cost(s: State, seat: int, temple: int) -> Cost:
    """What the Oak action costs as well: 1 more of the temple's resource, which nothing lowers."""
    card = next(card for card in s.players[seat].creatures if CREATURES[card].rides == temple)
    return cost_of(temple, s.box.creatures.amount[card - 1])


def rides(s: State, seat: int, card: int, cost: Cost, action: Action) -> bool:
    """Whether the seat has the creature of this temple and can pay for the Oak action too."""
    temple = MOOTS[card].temple
    if not any(CREATURES[creature].rides == temple for creature in s.players[seat].creatures):
        return False
    total = plus(cost, ride_cost(s, seat, temple))
    return bool(open_spaces(s, seat, temple)) and action.can(s, seat, total)


# -- Heart of the Oak ----------------------------------------------------------------------------------------


def heart_actions(s: State, seat: int) -> list[str]:
    """The actions of the card's own temple, which has one space and is never crowded (oak 6.8)."""
    actions = MOOTS[HEART_CARD].actions
    return [action for index, action in enumerate(actions) if heart_druids(s, seat, index)]


def heart_druids(s: State, seat: int, index: int) -> list[int]:
    """The active druids that could do one of its actions."""
    return [druid for druid in by_kind(s.players[seat], REST) if fit(s, seat, HEART_CARD, index, druid)]


async def heart_action(s: State, seat: int) -> None:
    """Choose an action, place an active druid on the card, pay, act (oak 6.8)."""
    p = s.players[seat]
    name = await choose(seat, "heart", heart_actions(s, seat))
    index = MOOTS[HEART_CARD].actions.index(name)
    druid = await choose_druid(p, seat, "druid", heart_druids(s, seat, index))
    move(p, druid, HEART)
    s.acting = druid
    await pay(s, seat, [temple_cost(s, seat, HEART_CARD, index, druid)], ACTIONS[name].can)
    await ACTIONS[name].do(s, seat)


# -- the Oak action ------------------------------------------------------------------------------------------


def oak_fits(s: State, seat: int, card: int) -> bool:
    """Whether the Oak action can be paid and its druid moved."""
    if card != HEART_CARD:
        (cost,) = oak_costs(s, card)
        return affordable(s, seat, cost) and bool(open_spaces(s, seat, MOOTS[card].temple))
    payable = any(affordable(s, seat, cost) for cost in oak_costs(s, card))
    return payable and any(open_spaces(s, seat, branch) for branch in KINDS)


async def oak_action(s: State, seat: int, card: int) -> None:
    """Pay 3 of the card's resource, then take a step on its branch; with Heart of the Oak any three and any
    branch (oak 7.1)."""
    await pay(s, seat, oak_costs(s, card))
    await climb(s, seat, await choose_branch(s, seat) if card == HEART_CARD else MOOTS[card].temple)
