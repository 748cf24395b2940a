"""Setting up, and the choice of the druidic orders (oak 3)."""

from __future__ import annotations

from oaknet.kernel import Deck, Options, chance, choose, draw
from oaknet.oak.box import Box
from oaknet.oak.broichan import rival
from oaknet.oak.cards import refill
from oaknet.oak.dusk import fill_forest, pictured_space
from oaknet.oak.forest import EMPTY
from oaknet.oak.state import CHOOSING, CHOSEN, DAY, DRAWN, Broichan, State, is_broichan, new_player
from oaknet.oak.tables import ARTIFACTS, CREATURES, KINDS, MOOTS, ORDERS, POTIONS

ORDERINGS = ("chosen", "drawn", "fixed")
"""The values of the table option for the orders, as `State.orders` numbers them (oak 13.3)."""


def table(box: Box, seats: int, options: Options | None = None) -> State:
    """The table before anything is drawn, with the table options (oak 3.1, 13); seat 0 has the first-player
    token unless the first player is drawn.

    For one seat it is a table for two, with Broichan in the second place, who has the token (oak 14.1, 14.2).
    """
    players = [new_player(box) for _ in range(seats)]
    his: list[Broichan] = []
    if seats == 1:
        player, cards = rival(box)
        players, his = [*players, player], [cards]
    s = State(
        box,
        players,
        creature_deck=Deck(CREATURES),
        artifact_stack=Deck(ARTIFACTS),
        potion_piles=[
            Deck(tile for tile, row in POTIONS.items() if row.level == level) for level in (1, 2, 3)
        ],
        bag=list(box.play.tokens),
        tokens=[box.branches.tokens[seats - 1]] * 3,
        neutrals=[],
        forest=[EMPTY] * (len(players) + box.play.forest),
        sun=box.sun.start,
        first=len(his),
        broichan=his,
    )
    chosen = options or {}
    s.eclipse = int(chosen.get("eclipse") == "on")
    s.draw_first = int(chosen.get("start") == "drawn" and not his)
    s.orders = ORDERINGS.index(chosen.get("orders", ORDERINGS[0]))
    for p in s.players[:seats]:
        p.hand = [card for card, moot in enumerate(MOOTS) if moot.starting]
    if seats <= 2:
        s.neutrals = [pictured_space(s, temple) for temple in KINDS]
    elif seats == 3:
        s.neutrals = [pictured_space(s, box.temples.blue)]
    return s


async def set_up(s: State) -> None:
    """Draw the first player, the forest, a potion tile of each level, the creatures and the artifacts on
    display (oak 3.1)."""
    if s.draw_first:
        seats = range(len(s.players))
        s.first = await chance("first-player", seats, [1] * len(seats))
    await fill_forest(s)
    for pile in s.potion_piles:
        s.potions.append(await draw(pile, "potion-tile"))
    await refill(s.creature_deck, s.creatures, s.box.cards.display, "creature-display")
    await refill(s.artifact_stack, s.artifacts, s.box.cards.display, "artifact-display")
    s.phase, s.mover = CHOOSING, (s.first - 1) % len(s.players)


async def choose_order(s: State) -> None:
    """One seat takes an order board; the seat to the first player's right begins, and so on counterclockwise
    (oak 3.4)."""
    if not is_broichan(s, s.mover):  # he has no board (oak 14.2)
        taken = [p.order for p in s.players]
        left = [order.name for i, order in enumerate(ORDERS) if i not in taken]
        if s.orders == CHOSEN:
            name = await choose(s.mover, "order", left)
        elif s.orders == DRAWN:
            name = await chance("order", left, [1] * len(left))
        else:
            name = ORDERS[s.mover].name
        s.players[s.mover].order = next(i for i, order in enumerate(ORDERS) if order.name == name)
    if s.mover == s.first:
        s.phase = DAY
    else:
        s.mover = (s.mover - 1) % len(s.players)
