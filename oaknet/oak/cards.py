"""Cards and tiles to take: creatures, artifacts, shrines and menhirs (oak 9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from oaknet.kernel import Deck, choose, draw
from oaknet.oak.box import Cost
from oaknet.oak.deeds import ACTIONS, Action
from oaknet.oak.forest import gather_too
from oaknet.oak.pay import affordable, open_slot, pay, slot_payable
from oaknet.oak.queries import artifact_places, card_with, refresh_cost, shrine_cards
from oaknet.oak.state import State
from oaknet.oak.tables import (
    ABOVE,
    ARTIFACT_TILES,
    BELOW,
    CREATURE_CARDS,
    CREATURES,
    MENHIR_SIDE,
    MISTLETOE,
    RUNE,
    SHRINES,
    SIDES,
)

LOOK = 0
"""Where a card's number is due: Cailleach's look into the deck."""

DISPLAYS = ("creature", "artifact")
CREATURE_DISPLAY, ARTIFACT_DISPLAY = range(2)
"""Which display `State.refreshed` tells of."""


async def refill(deck: Deck, display: list[int], size: int, about: str) -> None:
    """Fill a display from its deck, as far as the deck reaches (oak 9.4)."""
    while len(display) < size and len(deck):
        display.append(await draw(deck, about))


# -- creatures -----------------------------------------------------------------------------------------------


def takable(s: State, seat: int) -> list[int]:
    """The creatures on display that a seat may take."""
    return bearable(s, seat, s.creatures)


def bearable(s: State, seat: int, cards: Sequence[int]) -> list[int]:
    """Those of these creatures whose loss of points, if any, the seat can bear (oak 2.7, 9.5)."""
    vp, points = s.players[seat].vp, s.box.creatures.vp
    return [card for card in cards if vp + points[card - 1] >= 0]


def look_size(s: State, seat: int) -> int:
    """How many cards of the deck Cailleach's owner may look at: 0 without her, or where it could be that none
    of them may be taken (oak 16.11)."""
    card, deck = card_with(s.players[seat], "look"), s.creature_deck.cards()
    size = min(len(deck), s.box.creatures.amount[card - 1]) if card else 0
    return size if size > len(deck) - len(bearable(s, seat, deck)) else 0


def can_take_creature(s: State, seat: int, owed: Cost) -> bool:
    """Whether a creature can be taken after paying: one that may be had, and a slot for it."""
    return bool(takable(s, seat) or look_size(s, seat)) and slot_payable(s, seat, BELOW, owed)


async def take_creature(s: State, seat: int) -> None:
    """Take a creature from the display, refreshed first if wished; gain or lose its points; refill the
    display at once; then it takes effect (oak 9.4–9.6). Cailleach's owner may look into the deck instead."""
    await open_slot(s, seat, BELOW)
    card = await pick(s, seat, CREATURE_DISPLAY, creature_options)
    if card == LOOK:
        card = await look(s, seat)
    else:
        s.creatures.remove(card)
        gain_creature(s, seat, card)
        await refill(s.creature_deck, s.creatures, s.box.cards.display, "creature-display")
    await take_effect(s, seat, card)


def creature_options(s: State, seat: int) -> list[int]:
    """The creatures on display that a seat may take, and Cailleach's look."""
    return [*takable(s, seat), *([LOOK] if look_size(s, seat) else [])]


async def look(s: State, seat: int) -> int:
    """Cailleach: turn up the top 6 cards of the deck, for all to see, and take one; the others go under the
    deck, shuffled (oak 16.11)."""
    for _ in range(look_size(s, seat)):
        s.looked.append(await draw(s.creature_deck, "look"))
    card = await choose(seat, "creature", bearable(s, seat, s.looked))
    s.looked.remove(card)
    gain_creature(s, seat, card)
    s.creature_deck.shuffle_under(s.looked)
    s.looked.clear()
    return card


def gain_creature(s: State, seat: int, card: int) -> None:
    """A creature comes below the board with its points (oak 9.5)."""
    p = s.players[seat]
    p.creatures.append(card)
    p.ledger[CREATURE_CARDS] += s.box.creatures.vp[card - 1]


async def take_effect(s: State, seat: int, card: int) -> None:
    """What a creature does when it is taken (oak 9.5)."""
    if taken := CREATURES[card].taken:
        await ACTIONS[taken].do(s, seat)


async def place_potion(s: State, seat: int) -> None:
    """The Seelie Court: choose a potion tile of those left in the box; it lies on the card, and the owner
    alone may brew it, as often as it likes (oak 16.18)."""
    tiles = sorted([tile for pile in s.potion_piles for tile in pile.cards()])
    tile = await choose(seat, "seelie", tiles)
    next(pile for pile in s.potion_piles if tile in pile.cards()).search(tile)
    s.players[seat].seelie = tile


# -- artifacts -----------------------------------------------------------------------------------------------


def can_take_artifact(s: State, seat: int, owed: Cost) -> bool:
    """Whether an artifact can be taken after paying: one on display, and an open place for it (oak 9.7)."""
    open_place = len(s.players[seat].artifacts) < artifact_places(s, seat)
    return bool(s.artifacts) and open_place and affordable(s, seat, owed)


async def take_artifact(s: State, seat: int) -> None:
    """Take an artifact from the display, refreshed first if wished; gain its points; refill (oak 9.7)."""
    tile = await pick(s, seat, ARTIFACT_DISPLAY, lambda s, seat: s.artifacts)
    s.artifacts.remove(tile)
    gain_artifact(s, seat, tile)
    await refill(s.artifact_stack, s.artifacts, s.box.cards.display, "artifact-display")


def gain_artifact(s: State, seat: int, tile: int) -> None:
    """An artifact comes to an open place at the board, unused, with its points (oak 9.7)."""
    p = s.players[seat]
    p.artifacts.append(tile)
    p.uses.append(0)
    p.ledger[ARTIFACT_TILES] += s.box.artifacts.vp


# -- displays ------------------------------------------------------------------------------------------------


async def pick(s: State, seat: int, which: int, choices: Callable[[State, int], Sequence[int]]) -> int:
    """Choose a card by its printed number, or refresh the display first (oak 9.6); 0 is Cailleach's look."""
    about = DISPLAYS[which]
    options: list[int | str] = [*choices(s, seat)]
    cost = refresh_cost(s, (MISTLETOE, RUNE)[which])
    deck = (s.creature_deck, s.artifact_stack)[which]
    if len(deck) and not s.refreshed[which] and affordable(s, seat, cost):
        options.append("refresh")
    chosen = await choose(seat, about, options)
    if isinstance(chosen, int):
        return chosen
    await pay(s, seat, [cost])
    await refresh(s, seat, which)
    return await choose(seat, about, choices(s, seat))


async def refresh(s: State, seat: int, which: int) -> None:
    """Once a turn: put the whole display under the deck in the order of choice, and draw a new one (oak
    9.6)."""
    s.refreshed[which] = 1
    display, deck = ((s.creatures, s.creature_deck), (s.artifacts, s.artifact_stack))[which]
    while display:
        card = await choose(seat, f"{DISPLAYS[which]}-under", display)
        display.remove(card)
        deck.put_under([card])
    await refill(deck, display, s.box.cards.display, f"{DISPLAYS[which]}-display")


# -- shrines and menhirs -------------------------------------------------------------------------------------


def can_build_shrine(s: State, seat: int, owed: Cost) -> bool:
    """Whether a shrine can be taken after paying: a card in the supply, and a slot for it."""
    return shrine_cards(s) > 0 and slot_payable(s, seat, ABOVE, owed)


async def build_shrine(s: State, seat: int) -> None:
    """Take a shrine card and lay it in either orientation: 2 points and a resting space that elders may
    use, or 4 points and a regular one; its points come at once (oak 9.8)."""
    await open_slot(s, seat, ABOVE)
    side = SIDES.index(await choose(seat, "shrine", SIDES[:MENHIR_SIDE]))
    s.players[seat].shrines.append(side)
    s.players[seat].ledger[SHRINES] += s.box.cards.shrine[side]
    await gather_too(s, seat, "gather-with-shrine")


def can_build_menhir(s: State, seat: int, owed: Cost) -> bool:
    """Whether a menhir can be taken after paying: a card in the supply, and a slot of its own."""
    return shrine_cards(s) > 0 and slot_payable(s, seat, ABOVE, owed, MENHIR_SIDE)


async def build_menhir(s: State, seat: int) -> None:
    """Take a shrine/menhir card, lay it with the menhir up, and gain its points (oak 8.3)."""
    await open_slot(s, seat, ABOVE, MENHIR_SIDE)
    s.players[seat].shrines.append(MENHIR_SIDE)
    s.players[seat].ledger[SHRINES] += s.box.cards.menhir
    await gather_too(s, seat, "gather-with-shrine")


TAKEN = {"seelie": Action(affordable, place_potion)}
"""By the names in the column ``taken`` of `CREATURES`."""
