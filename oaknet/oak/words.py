"""Answers in words, for log and screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from oaknet.kernel import CHANCE, Ask, Option
from oaknet.oak.queries import readings
from oaknet.oak.state import State
from oaknet.oak.tables import ARTIFACTS, CREATURES, MOOTS, POTIONS, RESOURCES

SENTENCES = {
    # a seat's answers, in the order of the rules
    "order": "takes the Order of the {}",
    "turn": "plays {}",
    "way": "uses its {} action",
    "stone": "chooses the {}-stone space, to {}",
    "as": "treats it as the {}-stone space, to {}",
    "druid": "places a druid: {}",
    "second": "sends a second druid to the roots: {}",
    "ride": "{}",
    "heart": "uses the card's own temple, to {}",
    "pay": "pays {}",
    "trade": "gives {} for a resource",
    "resource": "will have {} for ingredients",
    "row": "moves the card limit marker {} the board",
    "climber": "sends up the branch: {}",
    "arm": "takes the {} arm",
    "branch": "climbs the {} branch",
    "again": "{}",
    "festival": "gains at the Festival: {}",
    "upgrade": "upgrades a druid {}",
    "elder": "makes it the {}",
    "recruit": "fetches from the roots: {}",
    "creature": "takes {}",
    "creature-under": "puts under the deck: {}",
    "artifact": "takes {}",
    "artifact-under": "puts under the stack: {}",
    "shrine": "lays a shrine for: {}",
    "seelie": "lays on The Seelie Court: {}",
    "gather-too": "also gathers {}",
    "ingredient": "takes from the crane bag: {}",
    "potion": "brews {}",
    "ingredients": "uses up {}",
    "reclaim": "takes back: {}",
    "recharge": "recharges {}",
    "limits": "moves the card limit marker {} the board two spaces",
    "lugh": "uses {} by Lugh's Touch",
    "bloom": "fills up: {}",
    "gain": "gains {}",
    "give": "exchanges {}",
    "take": "receives {}",
    "amount": "exchanges {} of them",
    "learn": "takes the moot card {}",
    "replay": "repeats an action: to {}",
    "gather": "gathers {}",
    "gatherer": "sends to the forest: {}",
    "discard": "returns from the forest to the crane bag: {}",
    "home": "brings home: {}",
    "last": "brews a last Darkwood of {}",
    # what chance answers
    "bag": "drawn from the crane bag: {}",
    "first-player": "the first player is {}",
    "potion-tile": "potion in play: {}",
    "creature-display": "creature on display: {}",
    "artifact-display": "artifact on display: {}",
    "look": "turned up from the deck: {}",
    "broichan-card": "Broichan plays {}",
}
"""What answering each question means."""

PLAIN: dict[tuple[str, int | str], str] = {
    ("turn", "pass"): "passes",
    ("turn", "menhir"): "builds a menhir",
    ("creature", "refresh"): "refreshes the creatures on display",
    ("artifact", "refresh"): "refreshes the artifacts on display",
    ("creature", 0): "looks at the top of the deck, for all to see",
    ("ride", "yes"): "pays 1 more, to do the Oak action too",
    ("ride", "no"): "leaves it at the temple action",
    ("again", "step"): "takes another step",
    ("again", "stop"): "takes no other step",
    ("limits", "both"): "moves both card limit markers a space",
    ("recharge", "done"): "recharges no more",
    ("gather-too", "decline"): "gathers nothing more",
    ("gather", "decline"): "gathers nothing",
    ("recruit", "done"): "fetches no more",
    ("last", "decline"): "brews no last potion",
    **{(about, "trade"): "exchanges ingredients for a resource" for about in ("turn", "gather")},
    **{(about, "limit"): "pays to move a card limit marker" for about in ("turn", "gather")},
}
"""Answers that have a sentence of their own."""

DEEDS = {
    "limit": "move a card limit marker",
    "creature": "take a creature",
    "artifact": "take an artifact",
    "recruit": "fetch a druid from the roots",
    "advance": "take a step on any branch",
    "upgrade": "upgrade a druid",
    "ingredient": "take an ingredient from the crane bag",
    "shrine": "build a shrine",
    "exchange": "exchange resources",
    "brew": "brew a potion",
    "recruit-two": "fetch up to two druids from the roots",
    "learn": "take an advanced moot card",
    "replay": "repeat an action",
    **{f"oak-{name}": f"climb the {name} branch" for name in RESOURCES},
    "gain-any": "gain resources",
    "draw": "draw ingredients",
}
"""What the actions do, by the names that `oaknet.oak.actions` knows them by."""

NAMES: dict[str, dict[int, str]] = {
    **{key: {number: row.name for number, row in CREATURES.items()} for key in ("creature", "look")},
    **{
        key: {number: row.name for number, row in ARTIFACTS.items()}
        for key in ("artifact", "recharge", "lugh")
    },
    **{key: {number: row.name for number, row in POTIONS.items()} for key in ("potion", "seelie")},
    "broichan": {number: row.name.title() for number, row in enumerate(MOOTS)},
    "first": {seat: f"seat {seat + 1}" for seat in range(4)},
}
"""What the numbers of cards and tiles stand for, by the first word of the question."""


STANDS = {
    "rest": "at rest",
    "roots": "at the roots",
    "forest": "in the forest",
    "order": "on the order's special space",
    "menhir": "on the menhir space",
    "artifact": "on {}",
    "heart": "on the Heart of the Oak",
    "branch": "on the {} branch",
}
"""Where a druid may stand; what follows the hyphen in a place's name fills the gap."""

PLACES: dict[str, Callable[[str], str]] = {
    "creature": lambda number: f"uses {CREATURES[int(number)].name}",
    "artifact": lambda number: f"places a druid on {ARTIFACTS[int(number)].name}",
    "order": lambda action: f"uses the order's special space, to {DEEDS[action]}",
    "bag": lambda name: f"takes from the crane bag instead: {name}",
}
"""Answers such as ``creature-19``: what stands before the hyphen, and a sentence for what follows."""


def say(s: State, ask: Ask, option: Option) -> str:
    """An answer in words, without the seat's name."""
    if not isinstance(option, tuple) and (ask.about, option) in PLAIN:
        return PLAIN[ask.about, option]
    if isinstance(option, str):
        what, _, which = option.partition("-")
        if which and ask.about in ("turn", "gather"):
            return PLACES[what](which)
        if ask.seat == CHANCE and ask.about == "order":
            return f"an order board is dealt: {option.title()}"
    if isinstance(option, int) and ask.about in ("stone", "as"):
        return _stone(s, ask, option)
    return SENTENCES[ask.about].format(_named(ask.about, option))


def _stone(s: State, ask: Ask, option: int) -> str:
    """A temple space with its action, or what it is treated as."""
    p = s.players[ask.seat]
    if ask.about == "stone" and len(readings(p, option)) > 1:
        return f"chooses the {option}-stone space"
    return SENTENCES[ask.about].format(option, DEEDS[MOOTS[p.played[-1]].actions[option - 1]])


def _place(name: str) -> str:
    """Where a druid stands, as `oaknet.oak.druids.where` spells it."""
    place, _, which = name.partition("-")
    if place == "temple":
        kind, _, stones = which.partition("-")
        return f"on the {stones}-stone space of the {kind} temple"
    return STANDS[place].format(ARTIFACTS[int(which)].name if place == "artifact" else which)


def _named(about: str, option: Option) -> str:
    """The name of what was chosen."""
    if isinstance(option, tuple):
        parts = cast("tuple[int | str, ...]", option)
        if about == "pay":
            return (
                ", ".join([f"{n} {name}" for n, name in zip(parts, RESOURCES, strict=True) if n]) or "nothing"
            )
        return ", ".join(map(str, parts))
    if isinstance(option, int):
        names = NAMES.get(about.split("-")[0], {})
        return names[option] if names else f"{option} ingredients" if about == "last" else str(option)
    if about in ("replay", "heart"):
        return DEEDS[option]
    if about == "upgrade":
        return _place(option)
    if option == "heart":
        return "Heart of the Oak"
    return option.title() if about in ("order", "turn", "learn") or option == "darkwood" else option
