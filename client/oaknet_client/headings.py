"""What a question is called on the screen: what the player has to choose, in a few words."""

from __future__ import annotations

from typing import Any

from oaknet.kernel import Rules
from oaknet_client.words import inert

HEADINGS: dict[str, dict[str, str]] = {
    "oak": {
        "way": "Temple or Oak action",
        "stone": "Space of the temple",
        "as": "What the space counts as",
        "druid": "Druid to place",
        "second": "Second druid, to the roots",
        "ride": "The Oak action too",
        "heart": "Action of the card",
        "pay": "Payment",
        "trade": "What to give",
        "resource": "Resource to have",
        "row": "Marker to move",
        "climber": "Druid to climb",
        "arm": "Arm of the branch",
        "branch": "Branch to climb",
        "again": "Another step",
        "festival": "Gain at the Festival",
        "upgrade": "Druid to upgrade",
        "elder": "Elder that it becomes",
        "recruit": "Druid to fetch",
        "creature": "Creature to take",
        "creature-under": "Creature for under the deck",
        "artifact": "Artifact to take",
        "artifact-under": "Artifact for under the stack",
        "shrine": "Whom the shrine is for",
        "seelie": "Potion for the card",
        "gather-too": "Ingredient to gather too",
        "ingredient": "Ingredient to take",
        "potion": "Potion to brew",
        "ingredients": "Ingredients to use up",
        "reclaim": "Ingredient to take back",
        "recharge": "Artifact to recharge",
        "limits": "Markers to move",
        "lugh": "Artifact to use",
        "bloom": "Resource to fill up",
        "gain": "Resource to gain",
        "give": "Resource to exchange",
        "take": "Resource to receive",
        "amount": "Amount to exchange",
        "learn": "Moot card to take",
        "replay": "Action to repeat",
        "gatherer": "Druid to send",
        "discard": "Ingredient to return",
        "home": "Druid to bring home",
        "last": "A last Darkwood",
    }
}
"""By game and question, where the question's own name would not tell it."""


def question(rules: Rules[Any], about: str) -> str:
    """The heading of a question: what is to be chosen, or else the name that the rules give it."""
    text = HEADINGS.get(rules.name, {}).get(about) or inert(about).replace("_", " ")
    return text[:1].upper() + text[1:]
