"""What creatures, artifacts and potions do, in our own words (oak 9, 10); numbers come from the data file."""

from __future__ import annotations

from collections.abc import Iterator

from oaknet.kernel.lookup import Entry, Labels
from oaknet.oak.box import Box
from oaknet.oak.tables import ARTIFACTS, CREATURES, INGREDIENTS, POTIONS

SWAP = (
    "In your turn you may exchange {gives} for as many {takes}. Each of the two ways is offered once a turn, "
    "and again wherever a cost is short."
)
STONE = (
    "Wherever your druid is placed in a temple, you may do the {amount}-stone action of the card instead of "
    "the one its space stands for. Whether somebody is in the way depends on the real space. Not for the "
    "temple of Heart of the Oak."
)
RIDE = (
    "After a {temple} temple action you may also do the Oak action of the same card for {amount} more "
    "{gives}, paid together with the temple action. No discount lowers this."
)

CREATURE_TEXTS = {
    1: SWAP.replace("{gives}", "feathers").replace("{takes}", "mistletoe or runes"),
    2: SWAP.replace("{gives}", "mistletoe").replace("{takes}", "feathers or runes"),
    3: SWAP.replace("{gives}", "runes").replace("{takes}", "feathers or mistletoe"),
    4: STONE,
    5: STONE,
    6: STONE,
    7: RIDE.replace("{temple}", "feather").replace("{gives}", "feather"),
    8: RIDE.replace("{temple}", "mistletoe").replace("{gives}", "mistletoe"),
    9: RIDE.replace("{temple}", "rune").replace("{gives}", "rune"),
    10: "Each Dawn brings you {amount} more feathers.",
    11: "Each Dawn brings you {amount} more mistletoe.",
    12: "Each Dawn brings you {amount} more runes.",
    13: "Each Dawn you draw {amount} ingredient from the crane bag.",
    14: "Of each resource that a Festival brings you, you get {amount} more, also of one that Bugul Noz "
    "brings.",
    15: "At each Festival you get {amount} of one resource of your choice, whether you are behind the sun or "
    "not. Another's Belenos' Boon does not count.",
    16: "A temple action costs you {amount} resource less.",
    17: "When you brew, you pay in full and then take {amount} ingredient of those back, whichever you like.",
    18: "When you brew, {amount} resources of any kind can stand for a missing ingredient, as often as you "
    "like.",
    19: "In your turn you may return {amount} ingredient to the crane bag for a resource of your choice, any "
    "number of times.",
    20: "Taking a creature costs you {amount} resources less, beginning with the next one.",
    21: "When you take a creature you may look at the top {amount} of the deck instead of the display; then "
    "you must take one of these, and the others are shuffled under the deck. Everybody sees them: this "
    "game has nothing hidden.",
    22: "Special action spaces that ask for an elder take any druid of yours.",
    23: "Your elders may be placed on a temple space where somebody stands without a second druid going to "
    "the roots, as the Talon-Master may.",
    24: "When you gather after passing, you may take any ingredient from the crane bag instead of one from "
    "the forest. Then {amount} ingredient of your choice leaves the forest for the bag. Both must have "
    "one.",
    25: "When you gather after passing, no druid has to go to the forest, and you need none on the roots.",
    26: "A menhir costs you {amount} resources less, whichever you like.",
    27: "With a shrine or menhir that you take comes {amount} ingredient from the forest; no druid goes "
    "there.",
    28: "With an action that fetches druids from the roots comes {amount} ingredient from the forest; no "
    "druid goes there. Once an action.",
    29: "Each use of an artifact, by Lugh's Touch too, gives you {amount} point, after any loss has been "
    "paid.",
    30: "Moving a card limit marker costs you {amount} resources less, by the board as well as by "
    "Storytelling.",
    31: "You have {amount} more resting spaces for regular druids.",
    32: "When you take it, choose one of the potion tiles that stayed in the box and lay it on this card: "
    "from now on you alone may brew it.",
    33: "You have {amount} more slots for creatures; the card itself takes one.",
    34: "It costs points when you take it. Once, in your turn or in the final scoring, you may give it up "
    "for {amount} points; its slot is free then.",
    35: "It gives its points and does nothing else.",
}

ARTIFACT_TEXTS = {
    1: "You gain {amount} feathers.",
    2: "You gain {amount} mistletoe.",
    3: "You gain {amount} runes.",
    4: "You take a creature from the display and place it; you need a slot.",
    5: "You take a shrine and lay it; you need a slot.",
    6: "You take a step on any branch without paying.",
    7: "You upgrade one of your regular druids, wherever it stands.",
    8: "You brew with {amount} ingredient less, but never with none.",
    9: "You draw {amount} ingredients from the crane bag.",
    10: "You exchange any number of one resource for as many of one other, and get {amount} more of that "
    "one.",
    11: "You repeat an action, temple or Oak, of a moot card that you have played this Day, free of "
    "resources and druids.",
    12: "You gain {amount} points.",
}

POTION_TEXTS = {
    1: "You upgrade one of your regular druids, wherever it stands.",
    2: "Up to {amount} of your active artifacts are turned back by {amount} uses each, at most to where they "
    "began. Points stay as they are.",
    3: "You move your card limit markers {amount} steps in all, for free.",
    4: "You use an artifact in play, your own or another's, without placing a druid and without using it up.",
    5: "A Festival for you alone: you gain the income of your spaces, wherever the sun and your points are.",
    6: "You build a menhir for {amount} resources of any kinds, without a druid; you need a slot.",
    7: "You take up to {amount} steps on one branch. The first gives no points, but it may move the sun, and "
    "a Festival runs before you go on.",
    8: "You take {amount} step on any branch, even onto a tip that is locked.",
    9: "You repeat an action, temple or Oak, of a moot card that you have played this Day, free of resources "
    "and druids.",
    10: "One resource of your choice goes up to {amount}.",
    11: "You take {amount} step on each branch where you can, from left to right, from the roots too; never "
    "onto a locked tip.",
    12: "You search the creature deck for a card of your choice and place it; the deck is shuffled. You need "
    "a slot.",
    13: "You search the artifact stack for a tile of your choice and take it; the stack is shuffled. The "
    "first time you get an extension as well: from then on you have one more place for artifacts.",
    14: "One of your regular druids becomes the Ancient. Once a game.",
    15: "The moot card Heart of the Oak joins your hand. Once a game.",
}


def amount(table: str, number: int, text: str) -> Labels:
    """The number in the effect, where the text names it."""
    return (("amount", f"{table}.amount.{number - 1}"),) if "{amount}" in text else ()


def creatures() -> Iterator[Entry]:
    """The creature cards, by number."""
    for number, text in CREATURE_TEXTS.items():
        points = (("points", f"creatures.vp.{number - 1}"),)
        yield Entry("creatures", CREATURES[number].name, text, (*points, *amount("creatures", number, text)))


def artifacts() -> Iterator[Entry]:
    """The artifact tiles, by number."""
    for number, text in ARTIFACT_TEXTS.items():
        printed = (
            ("points", "artifacts.vp"),
            ("points_lost_by_use", f"artifacts.loss.{number - 1}"),
            *amount("artifacts", number, text),
        )
        yield Entry("artifacts", ARTIFACTS[number].name, text, printed)


def potions(box: Box) -> Iterator[Entry]:
    """The potion tiles by number, each with its recipe, and Darkwood."""
    for number, text in POTION_TEXTS.items():
        recipe = [
            (name, f"potions.recipe.{number - 1}.{i}")
            for i, (name, n) in enumerate(
                zip((*INGREDIENTS, "any"), box.potions.recipe[number - 1], strict=True)
            )
            if n
        ]
        yield Entry("potions", POTIONS[number].name, text, (*recipe, *amount("potions", number, text)))
    yield Entry(
        "potions",
        "Darkwood",
        "In every game: different ingredients give points by their number, one set at a time, and once more "
        "in the final scoring.",
        tuple(
            [
                (f"of_{size}_kinds", f"potions.darkwood.{i}.1")
                for i, (size, _) in enumerate(box.potions.darkwood)
            ]
        ),
    )
