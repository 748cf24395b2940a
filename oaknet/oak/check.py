"""Whether a data file's numbers are fit to play with (oak 1.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from oaknet.oak.box import Box
from oaknet.oak.tables import ARTIFACTS, CREATURES, ORDERS, POTIONS

TIPS = ("vp", "elder", "creature", "potion", "shrine", "artifact")
"""What a tip can count."""

LENGTHS = {
    "branches.stem": 3,
    "branches.arm": 3,
    "branches.tips": 3,
    "artifacts.loss": len(ARTIFACTS),
    "artifacts.amount": len(ARTIFACTS),
    "creatures.vp": len(CREATURES),
    "creatures.amount": len(CREATURES),
    "potions.recipe": len(POTIONS),
    "potions.amount": len(POTIONS),
    **{
        f"orders.{name}": len(ORDERS) for name in ("elder", "regular", "recluse", "limit", "mixed", "shrines")
    },
    "orders.special": len(ORDERS),
}
"""How many values each list has that goes by card, tile, order or branch."""

FIXED = {
    "creatures.amount": {4: 1, 5: 2, 6: 3, 17: 1, 24: 1, 27: 1, 28: 1, 32: 1},
    "artifacts.amount": {4: 1, 5: 1, 6: 1, 7: 1, 11: 1},
    "potions.amount": {1: 1, 4: 1, 5: 1, 8: 1, 9: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1},
}
"""Amounts, by card or tile, that are part of what the card does: other numbers would be other rules."""

LARGEST = 99
"""No number may be above this: the ways to pay are listed one by one."""

MOST_AMOUNT = 9
"""What Fear Dearg asks for is paid several times over, in any kinds."""

AT_LEAST_ONE = (
    "play.rounds",
    "play.active",
    "play.trade",
    "branches.per",
    "sun.start",
    "cards.display",
    "broichan.set",
)
"""Numbers that cannot be 0."""


def faults(box: Box) -> list[str]:
    """What the rules cannot play with, one sentence each; an empty list if the numbers will do."""
    values = dict(_values(box))
    found = [
        f"{name} has {len(values[name])} values; it must have {n}"
        for name, n in LENGTHS.items()
        if len(values[name]) != n
    ]
    found += [f"{name} must be 1 or more" for name in AT_LEAST_ONE if values[name] < 1]
    for name, value in values.items():
        if name != "creatures.vp" and any(n < 0 for n in _numbers(value)):
            found.append(f"{name} must not be below 0")
        if any(n > LARGEST for n in _numbers(value)):
            found.append(f"{name} must not be above {LARGEST}")
    return found or _related(box) + _fixed(values)


def _fixed(values: dict[str, Any]) -> list[str]:
    """Amounts that the rules do not play with as they stand, or that would list too many ways to pay."""
    found = [
        f"{name} must be {due} for number {number}"
        for name, amounts in FIXED.items()
        for number, due in amounts.items()
        if values[name][number - 1] != due
    ]
    if max(values["creatures.amount"]) > MOST_AMOUNT:
        found.append(f"creatures.amount must not be above {MOST_AMOUNT}")
    return found


def _related(box: Box) -> list[str]:
    """Numbers that do not go together; their shapes are right."""
    play, branches, sun, temples, cards = box.play, box.branches, box.sun, box.temples, box.cards
    costs = _numbers(
        [value for name, value in _values(box) if name.startswith("moot.") and name != "moot.recruits"]
    )
    stems = list(map(len, branches.stem))
    known = {
        "play.active must not exceed play.druids": play.active <= play.druids,
        "play.active druids must fit the resting spaces of every order": play.active
        <= min(map(sum, zip(box.orders.elder, box.orders.regular, strict=True))),
        "play.trade must not exceed 4": play.trade <= 4,
        "play.start must not exceed play.most": max(play.start) <= play.most,
        "no cost may exceed play.most": play.most
        >= max(*costs, *cards.menhir_cost, *box.orders.limit, branches.cost, cards.refresh),
        "branches.stem must have a space for each branch": min(stems) > 0,
        "branches.token must name a space of each stem": all(
            0 < space <= stem for space, stem in zip(branches.token, stems, strict=True)
        ),
        f"branches.tips can count {', '.join(TIPS)}": all(
            name in TIPS for pair in branches.tips for name in pair
        ),
        "sun.level must reach to sun.start and all of sun.solstice": len(sun.level)
        >= max(sun.start, *sun.solstice, 1),
        "temples.clockwise must have 1, 2 and 3": sorted(temples.clockwise) == [1, 2, 3],
        "temples.order must have 0, 1 and 2": sorted(temples.order) == [0, 1, 2],
        "temples.pictured must be 1, 2 or 3": all(1 <= stones <= 3 for stones in temples.pictured),
        "temples.blue must be 0, 1 or 2": temples.blue <= 2,
        "cards.limit must not exceed cards.slots": cards.limit[0] <= cards.slots[0]
        and cards.limit[1] <= cards.slots[1],
        "fewer creatures than cards.display may cost points": sum(vp < 0 for vp in box.creatures.vp)
        < cards.display,
        "artifacts.loss must have a number for each use": all(box.artifacts.loss),
        "potions.recipe must ask for 1 to 5 ingredients": all(1 <= sum(r) <= 5 for r in box.potions.recipe),
        "potions.darkwood must ask for 1 to 5 ingredients, each number once": [
            size for size, _ in box.potions.darkwood
        ]
        == sorted({size for size, _ in box.potions.darkwood if 1 <= size <= 5}),
        "orders.special must have a cost for each special space": [len(costs) for costs in box.orders.special]
        == [len(order.special) for order in ORDERS],
        "orders.mixed must be 0 or 1": max(box.orders.mixed) <= 1,
        "orders.shrines must be 1 or more": min(box.orders.shrines) > 0,
        "play.tokens must have some ingredient": any(play.tokens),
    }
    return [sentence for sentence, holds in known.items() if not holds]


def _values(box: Box) -> Iterator[tuple[str, Any]]:
    """Each entry of the data file with its dotted name."""
    for section in fields(box):
        numbers: Any = getattr(box, section.name)
        for entry in fields(numbers):
            yield f"{section.name}.{entry.name}", getattr(numbers, entry.name)


def _numbers(value: int | str | Sequence[Any]) -> list[int]:
    """All whole numbers in a value."""
    if isinstance(value, int):
        return [value]
    if isinstance(value, str):
        return []
    return [n for item in value for n in _numbers(item)]
