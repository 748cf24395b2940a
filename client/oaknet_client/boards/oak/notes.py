"""What an answer is about, what it costs, and what it changes, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oaknet.kernel import Ask, Game, Option
from oaknet.oak.state import Player, State
from oaknet.oak.tables import (
    ARTIFACTS,
    BRANCH,
    CREATURES,
    HEART_CARD,
    INGREDIENTS,
    MOOTS,
    POTIONS,
    REGULAR,
    RESOURCES,
    ROOTS,
)
from oaknet_client.boards.oak.costs import card_costs, cheapest, spelt

ENTRIES: dict[str, Callable[[str], str]] = {
    "elder": lambda name: name.title(),
    "order": lambda name: f"Order of the {name.title()}",
    "learn": lambda name: name.title(),
    "arm": lambda name: "Branches",
    "branch": lambda name: "Oak action",
    "shrine": lambda name: "Shrine",
    "upgrade": lambda name: "Upgrade",
}
"""The entry of the rules' texts for answers that are words, by question."""


def notes(game: Game[Any], ask: Ask, option: Option) -> tuple[str, list[str]]:
    """The entry's name, empty if there is none, and what is to be said of costs."""
    s: State = game.state
    p = s.players[ask.seat]
    if isinstance(option, int):
        return _numbered(ask.about, option), _stone_cost(s, ask, option)
    if not isinstance(option, str):
        return "", []
    if ask.about in ("turn", "gather"):
        what, _, which = option.partition("-")
        card = next((card for card, moot in enumerate(MOOTS) if moot.name == option), -1)
        if card >= 0:
            name = "Heart of the Oak card" if card == HEART_CARD else MOOTS[card].name.title()
            return name, card_costs(s, ask.seat, card)
        if what == "artifact":
            return ARTIFACTS[int(which)].name, []
        if what == "creature":
            return CREATURES[int(which)].name, []
        named = {"menhir": "Menhir", "limit": "Card limits", "pass": "Gathering", "decline": "Gathering"}
        return named.get(option, "Gathering" if option in INGREDIENTS else ""), []
    if ask.about == "way" and p.played:
        costs = card_costs(s, ask.seat, p.played[-1])
        return ("Oak action", costs[-1:]) if option == "oak" else ("Temple action", costs[:-1])
    if option == "darkwood":
        return "Darkwood", []
    make = ENTRIES.get(ask.about)
    return ("" if make is None else make(option)), []


def _numbered(about: str, number: int) -> str:
    """The name of a card or tile."""
    table: dict[str, Any] = {
        "creature": CREATURES,
        "artifact": ARTIFACTS,
        "recharge": ARTIFACTS,
        "lugh": ARTIFACTS,
        "potion": POTIONS,
        "seelie": POTIONS,
    }
    rows = table.get(about.split("-")[0], {})
    if about == "creature" and not number:
        return "Cailleach"
    return rows[number].name if number in rows else "Temple action" if about in ("stone", "as") else ""


def _stone_cost(s: State, ask: Ask, option: int) -> list[str]:
    p = s.players[ask.seat]
    if ask.about not in ("stone", "as") or not p.played or p.played[-1] == HEART_CARD:
        return []
    return [f"costs {spelt(cheapest(s, ask.seat, p.played[-1], option))}"]


# -- what has changed ----------------------------------------------------------------------------------------


def effects(before: State, after: State, seat: int) -> list[str]:
    """A seat's gains and losses between two positions, and where its druids have gone."""
    old, new = before.players[seat], after.players[seat]
    found = _amounts(
        [("points", new.vp - old.vp)]
        + [(name, b - a) for name, a, b in zip(RESOURCES, old.resources, new.resources, strict=True)]
        + [(name, b - a) for name, a, b in zip(INGREDIENTS, old.ingredients, new.ingredients, strict=True)]
    )
    lines = [", ".join(found)] if found else []
    lines += _moved(old, new)
    if after.sun != before.sun:
        lines.append(f"the sun moves to space {after.sun}")
    return lines


def _amounts(changes: list[tuple[str, int]]) -> list[str]:
    return [f"{'+' if n > 0 else '−'}{abs(n)} {name}" for name, n in changes if n]


def _moved(old: Player, new: Player) -> list[str]:
    """Druids that are elsewhere, or have become elders."""
    lines: list[str] = []
    roots = sum(1 for a, b in zip(old.place, new.place, strict=True) if a != ROOTS and b == ROOTS)
    if roots:
        lines.append(f"{roots} druid{'s' if roots > 1 else ''} to the roots")
    for i, (a, b) in enumerate(zip(old.place, new.place, strict=True)):
        if b >= BRANCH and (a != b or old.space[i] != new.space[i]):
            lines.append(f"a druid to space {new.space[i]} of the {RESOURCES[b - BRANCH]} branch")
        if old.kind[i] == REGULAR != new.kind[i]:
            lines.append("a druid becomes an elder")
    return lines
