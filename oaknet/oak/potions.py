"""Brewing potions (oak 10)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.pay import affordable, bundles
from oaknet.oak.queries import FREE
from oaknet.oak.state import Player, State
from oaknet.oak.tables import INGREDIENTS, POTIONS, POTIONS_BREWED

DARKWOOD = "darkwood"


@cache
def _sets(size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(combinations(range(len(INGREDIENTS)), size))


def darkwood_sets(s: State, p: Player) -> list[tuple[int, ...]]:
    """The sets of different ingredients that a seat could brew Darkwood with, the largest first (oak
    10.3)."""
    sizes = sorted((size for size, _ in s.box.potions.darkwood), reverse=True)
    return [kinds for size in sizes for kinds in _sets(size) if all(p.ingredients[i] for i in kinds)]


def tile_sets(s: State, p: Player, tile: int) -> list[tuple[int, ...]]:
    """The ingredients that a seat could brew a tile with: those named, and any other in place of a wild one
    (oak 10.2)."""
    *named, wild = s.box.potions.recipe[tile - 1]
    size = sum(named) + wild
    return [b for b in bundles(p, size) if all(b.count(i) >= n for i, n in enumerate(named))]


def tiles(s: State, seat: int, owed: Cost = FREE) -> list[int]:
    """The tiles in play whose reward the seat could have after paying; those whose reward these rules lack
    are not brewed (oak 13.4)."""
    return [tile for tile in s.potions if (reward := POTIONS[tile].reward) and reward.can(s, seat, owed)]


def brews(s: State, seat: int, owed: Cost) -> list[tuple[int, ...]]:
    """Every set of ingredients that the seat could brew something with after paying."""
    p = s.players[seat]
    return [*darkwood_sets(s, p), *(b for tile in tiles(s, seat, owed) for b in tile_sets(s, p, tile))]


def fewest(sets: Iterable[tuple[int, ...]]) -> int:
    """The size of the smallest set; -1 if there is none."""
    return min(map(len, sets), default=-1)


def can_brew(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can brew a potion after paying: what it trades for resources is gone (oak 10.1)."""
    size = fewest(brews(s, seat, owed))
    return size >= 0 and affordable(s, seat, owed, keep=size)


async def brew(s: State, seat: int) -> None:
    """Brew one potion: return its ingredients to the crane bag, take a completed potion marker and the reward
    (oak 10.1)."""
    p = s.players[seat]
    options: list[int | str] = [tile for tile in tiles(s, seat) if tile_sets(s, p, tile)]
    if darkwood_sets(s, p):
        options.insert(0, DARKWOOD)
    potion = await choose(seat, "potion", options)
    if isinstance(potion, str):
        await brew_darkwood(s, seat)
        return
    await spend(s, seat, tile_sets(s, p, potion))
    reward = POTIONS[potion].reward
    assert reward is not None, "a tile without a reward is not offered"
    await reward.do(s, seat)


async def brew_darkwood(s: State, seat: int) -> None:
    """Darkwood, printed on the board: 3, 4 or 5 different ingredients for 3, 5 or 7 points (oak 10.3)."""
    p = s.players[seat]
    size = await spend(s, seat, darkwood_sets(s, p))
    p.ledger[POTIONS_BREWED] += dict(s.box.potions.darkwood)[size]


async def spend(s: State, seat: int, sets: list[tuple[int, ...]]) -> int:
    """Choose the set to brew with, return it to the bag, take a marker; returns how many ingredients it
    had."""
    names = [tuple([INGREDIENTS[i] for i in kinds]) for kinds in sets]
    chosen = [INGREDIENTS.index(name) for name in await choose(seat, "ingredients", names)]
    p = s.players[seat]
    for ingredient in chosen:
        p.ingredients[ingredient] -= 1
        s.bag[ingredient] += 1
    p.markers += 1
    return len(chosen)
