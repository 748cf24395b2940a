"""Building and tearing down (five towers 4, 5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from oaknet.five_towers.numbers import NONE, VALUES, BuildingNumbers
from oaknet.five_towers.state import Player, State, Tower, card, kind_of, value_of
from oaknet.kernel import choose

EMPTY = -1
"""What stands for the top card where no tower stands."""


# -- what may be built --------------------------------------------------------------------------------------


def top(tower: Tower) -> int:
    """The value of a tower's top card, or `EMPTY`."""
    return tower[-1] if tower else EMPTY


def fits(numbers: BuildingNumbers, top: int, value: int) -> bool:
    """Whether a card may be laid on that top card of its tower (five towers 4.3 to 4.6).

    Any card begins a tower. Nothing lies on a 0. Any card lies on an 8. A 9 lies on anything else. All others
    must be smaller than the card they are laid on.
    """
    if top == EMPTY:
        return True
    if top == numbers.tops:
        return False
    return top == numbers.takes_any or value == numbers.goes_on_any or value < top


@lru_cache(maxsize=1 << 14)
def longest(numbers: BuildingNumbers, top: int, values: tuple[int, ...]) -> int:
    """The most of these cards of one type that can be laid on that top card, in the best order."""
    best = 0
    for index, value in enumerate(values):
        if fits(numbers, top, value):
            best = max(best, 1 + longest(numbers, value, values[:index] + values[index + 1 :]))
    return best


def room(numbers: BuildingNumbers, towers: Sequence[Tower], display: Sequence[int]) -> int:
    """The most cards of a display that can be added to these towers, tearing nothing down.

    Types are independent of each other: a card goes onto the tower of its type and nowhere else.
    """
    return sum([longest(numbers, top(towers[kind]), cards) for kind, cards in by_type(display).items()])


def by_type(cards: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The values of cards, in their order, by the type."""
    values: dict[int, tuple[int, ...]] = {}
    for one in cards:
        kind, value = divmod(one, VALUES)
        values[kind] = (*values.get(kind, ()), value)
    return values


def buildable(s: State, player: Player) -> int:
    """The highest number of displayed cards a player can build, with at most one card torn down first
    (five towers 3.4); every smaller number can be built too."""
    numbers = s.box.building
    most = gained = 0
    for kind, cards in by_type(s.display).items():  # tearing down another tower makes no room
        tower = player.towers[kind]
        here = longest(numbers, top(tower), cards)
        if here < len(cards) and may_tear_down(numbers, tower):
            gained = max(gained, longest(numbers, top(tower[:-1]), cards) - here)
        most += here
    return most + gained


def may_tear_down(numbers: BuildingNumbers, tower: Tower) -> bool:
    """Whether a tower has a top card that may be torn down: any but a 0 (five towers 5.3)."""
    return bool(tower) and tower[-1] != numbers.tops


def lowered(towers: Sequence[Tower], kind: int) -> list[Tower]:
    """These towers without the top card of one of them, which is gone if that was its only card
    (five towers 5.4)."""
    left = list(towers)
    left[kind] = left[kind][:-1]
    return left


def raised(towers: Sequence[Tower], card: int) -> list[Tower]:
    """These towers with a card laid on the one of its type."""
    left = list(towers)
    left[kind_of(card)] = (*left[kind_of(card)], value_of(card))
    return left


# -- the winner's turn --------------------------------------------------------------------------------------


async def build(s: State, seat: int) -> None:
    """Build exactly as many cards of the display as were bid: which ones, and in which order, is the winner's
    choice (five towers 4.1). One card may be torn down first (five towers 5)."""
    await tear_down(s, seat)
    while s.owed:
        await lay_card(s, seat)


async def tear_down(s: State, seat: int) -> None:
    """Take away one own top card, or none, before the new cards are laid (five towers 5.1, 5.2).

    It is set aside for the rest of the game and costs points at the end (five towers 5.5).
    """
    player, types = s.players[seat], s.box.deck.types
    choice = await choose(seat, "tear down", tear_downs(s, player))
    if choice == NONE:
        return
    kind = types.index(choice)
    player.torn_down.append(card(kind, top(player.towers[kind])))
    player.torn_down.sort()
    player.towers = lowered(player.towers, kind)


def tear_downs(s: State, player: Player) -> list[str]:
    """What may be torn down so that the number bid can still be built: `NONE`, or the type of the tower."""
    numbers, towers = s.box.building, player.towers
    choices = [NONE] if room(numbers, towers, s.display) >= s.owed else []
    for kind, name in enumerate(s.box.deck.types):
        can_go = may_tear_down(numbers, towers[kind])
        if can_go and room(numbers, lowered(towers, kind), s.display) >= s.owed:
            choices.append(name)
    return choices


async def lay_card(s: State, seat: int) -> None:
    """Take a card of the display and lay it on top of the own tower of its type (five towers 4.2)."""
    player, types = s.players[seat], s.box.deck.types
    name, value = await choose(seat, "card", [(types[kind_of(c)], value_of(c)) for c in layable(s, player)])
    taken = card(types.index(name), value)
    s.display.remove(taken)
    player.towers = raised(player.towers, taken)
    s.owed -= 1


def layable(s: State, player: Player) -> list[int]:
    """The displayed cards that may be laid next so that the rest of the bid can still be built
    (five towers 4.7); equal cards count once."""
    numbers, towers = s.box.building, player.towers
    found: list[int] = []
    for shown in dict.fromkeys(s.display):
        if fits(numbers, top(towers[kind_of(shown)]), value_of(shown)):
            rest = s.display[:]
            rest.remove(shown)
            if room(numbers, raised(towers, shown), rest) >= s.owed - 1:
                found.append(shown)
    return found
