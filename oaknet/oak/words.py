"""Answers in words, for log and screen."""

from __future__ import annotations

from typing import cast

from oaknet.kernel import Ask, Option
from oaknet.oak.state import State
from oaknet.oak.tables import ARTIFACTS, CREATURES, MOOTS, POTIONS, RESOURCES

SENTENCES = {
    # a seat's answers, in the order of the rules
    "order": "takes the Order of the {}",
    "turn": "plays {}",
    "way": "uses its {} action",
    "stone": "chooses the {}-stone space, to {}",
    "druid": "places a druid: {}",
    "second": "sends a second druid to the roots: {}",
    "pay": "pays {}",
    "trade": "returns {} to the crane bag for a resource",
    "resource": "will have {} for ingredients",
    "row": "moves the card limit marker {} the board",
    "climber": "sends up the branch: {}",
    "arm": "takes the {} arm",
    "branch": "climbs the {} branch",
    "upgrade": "upgrades the druid at: {}",
    "elder": "makes it the {}",
    "recruit": "fetches from the roots: {}",
    "creature": "takes {}",
    "creature-under": "puts under the deck: {}",
    "artifact": "takes {}",
    "artifact-under": "puts under the stack: {}",
    "shrine": "lays a shrine for: {}",
    "ingredient": "takes from the crane bag: {}",
    "potion": "brews {}",
    "ingredients": "uses up {}",
    "give": "exchanges {}",
    "take": "receives {}",
    "amount": "exchanges {} of them",
    "learn": "takes the moot card {}",
    "replay": "repeats an action: to {}",
    "gather": "gathers {}",
    "gatherer": "sends to the forest: {}",
    "home": "brings home: {}",
    "last": "brews a last Darkwood of {}",
    # what chance answers
    "bag": "drawn from the crane bag: {}",
    "potion-tile": "potion in play: {}",
    "creature-display": "creature on display: {}",
    "artifact-display": "artifact on display: {}",
    "broichan-card": "Broichan plays {}",
}
"""What answering each question means."""

PLAIN = {
    ("turn", "pass"): "passes",
    ("turn", "menhir"): "builds a menhir",
    ("creature", "refresh"): "refreshes the creatures on display",
    ("artifact", "refresh"): "refreshes the artifacts on display",
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
}
"""What the actions do, by the names that `oaknet.oak.actions` knows them by."""

NAMES: dict[str, dict[int, str]] = {
    "creature": {number: row.name for number, row in CREATURES.items()},
    "artifact": {number: row.name for number, row in ARTIFACTS.items()},
    "potion": {number: row.name for number, row in POTIONS.items()},
    "broichan": {number: row.name.title() for number, row in enumerate(MOOTS)},
}
"""What the numbers of cards and tiles stand for, by the first word of the question."""


def say(s: State, ask: Ask, option: Option) -> str:
    """An answer in words, without the seat's name."""
    if isinstance(option, str) and (ask.about, option) in PLAIN:
        return PLAIN[ask.about, option]
    if isinstance(option, str) and option.startswith("creature-"):
        return f"uses {CREATURES[int(option.removeprefix('creature-'))].name}"
    if isinstance(option, int) and ask.about == "stone":
        card = MOOTS[s.players[ask.seat].played[-1]]
        return SENTENCES["stone"].format(option, DEEDS[card.actions[option - 1]])
    return SENTENCES[ask.about].format(_named(ask.about, option))


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
    if about == "replay":
        return DEEDS[option]
    return option.title() if about in ("order", "turn", "learn") or option == "darkwood" else option
