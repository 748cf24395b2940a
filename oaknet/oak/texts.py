"""Oak to look up, in our own words: its rules, moot cards, orders, elders, cards and tiles, and Broichan.

Each text is short; what it leaves out stands in specs/oak.md."""

from __future__ import annotations

from collections.abc import Iterator

from oaknet.kernel.lookup import Entry
from oaknet.oak.box import Box
from oaknet.oak.card_texts import artifacts, creatures, potions
from oaknet.oak.state import State
from oaknet.oak.tables import ARTIFACTS, CREATURES, DRUIDS, HEART_CARD, INGREDIENTS, MOOTS, ORDERS, POTIONS

RULES = (
    Entry(
        "rules",
        "The game",
        "{rounds} rounds of Dawn, Day and Dusk; after the last Day comes the final scoring. Most points win.",
        (("rounds", "play.rounds"),),
    ),
    Entry(
        "rules",
        "Druids",
        "{active} of your {druids} druids begin at rest, the others on the roots. Resting ones are active "
        "and can be placed; those on the roots are passive: they climb branches and gather.",
        (("druids", "play.druids"), ("active", "play.active")),
    ),
    Entry(
        "rules",
        "Resources",
        "Feathers, mistletoe and runes, each from 0 to {most}; what goes beyond is lost. Returning {trade} "
        "ingredients to the crane bag gives a resource, at any time in your turn.",
        (("start", "play.start"), ("most", "play.most"), ("trade", "play.trade")),
    ),
    Entry(
        "rules",
        "Ingredients",
        f"There are five: {', '.join(INGREDIENTS)}. The forest has {{forest}} more than there are players, "
        "and is filled again each Dusk.",
        (("tokens_of_each", "play.tokens"), ("forest", "play.forest")),
    ),
    Entry(
        "rules",
        "Dawn",
        "From the second round on everybody gains the income, and what creatures bring.",
        (("income", "play.income"),),
    ),
    Entry(
        "rules",
        "Day",
        "In turn, each plays a moot card for its temple or its Oak action, uses a special space, or passes "
        "and gathers. The Day ends when all have passed and the forest is empty or nobody is left on the "
        "roots.",
    ),
    Entry(
        "rules",
        "Temple action",
        "Place an active druid on one of the three spaces of the card's temple, pay, act. Where any druid "
        "stands already, a second active druid of yours goes to the roots.",
    ),
    Entry(
        "rules",
        "Oak action",
        "Pay {cost} of the card's resource and take a step on its branch: your druid there goes one space "
        "up, or one from the roots enters. Below the tip a step gives {step} points.",
        (("cost", "branches.cost"), ("step", "branches.step")),
    ),
    Entry(
        "rules",
        "Branches",
        "Three, each with a fork and two arms; the numbers are the Festival income of the spaces up to the "
        "fork, then of the arms. The first to step past solar tokens removes one and moves the sun.",
        (
            ("feather_stem", "branches.stem.0"),
            ("mistletoe_stem", "branches.stem.1"),
            ("rune_stem", "branches.stem.2"),
            ("feather_arms", "branches.arm.0"),
            ("mistletoe_arms", "branches.arm.1"),
            ("rune_arms", "branches.arm.2"),
            ("tokens_before_space", "branches.token"),
            ("tokens_by_players", "branches.tokens"),
        ),
    ),
    Entry(
        "rules",
        "Tips",
        "Who enters the end of an arm counts what it names: {vp} point for every {per} points, {elder} an "
        "elder, {creature} a creature, {potion} a potion marker, {shrine} a shrine or menhir, {artifact} an "
        "artifact, used-up ones included. Others may follow in the same round; from Dusk on the tip is "
        "locked.",
        (
            ("tips_left_and_right", "branches.tips"),
            ("vp", "branches.vp"),
            ("per", "branches.per"),
            ("elder", "branches.elder"),
            ("creature", "branches.creature"),
            ("potion", "branches.potion"),
            ("shrine", "branches.shrine"),
            ("artifact", "branches.artifact"),
        ),
    ),
    Entry(
        "rules",
        "Festival",
        "When the sun reaches a Solstice space, everybody with fewer points than the space is level with "
        "gains the income of the branch spaces where their druids stand. With the Eclipse variant who has "
        "more points pays it, as far as they can.",
        (("solstice_spaces", "sun.solstice"), ("level_with", "sun.level"), ("sun_starts_on", "sun.start")),
    ),
    Entry(
        "rules",
        "Gathering",
        "Once you have passed, each of your turns can send a druid from the roots to the forest for one "
        "ingredient.",
    ),
    Entry(
        "rules",
        "Card limits",
        "Shrines and menhirs lie above your board, creatures below. A card needs a slot left of its marker; "
        "moving a marker costs what your order's board says, at any time in your turn.",
        (("slots_above_and_below", "cards.slots"), ("at_the_start", "cards.limit")),
    ),
    Entry(
        "rules",
        "Displays",
        "{display} creatures and {display} artifacts lie open and are refilled at once. Just before you take "
        "one, once a turn, {refresh} mistletoe replaces all the creatures, {refresh} rune all the artifacts.",
        (("display", "cards.display"), ("refresh", "cards.refresh")),
    ),
    Entry(
        "rules",
        "Shrine",
        "Lies one of two ways for good: with a resting space for any druid, or with more points and a space "
        "for regular druids.",
        (("points_any_or_regular", "cards.shrine"), ("cards", "cards.supply")),
    ),
    Entry(
        "rules",
        "Menhir",
        "Once a round, an active elder on your menhir space builds one for feathers, mistletoe and runes: "
        "{points} points. It needs a slot above your board.",
        (("cost", "cards.menhir_cost"), ("points", "cards.menhir")),
    ),
    Entry(
        "rules",
        "Artifact",
        "Gives {points} points when you take it, then has a space for an active druid of yours. Each use may "
        "cost points; after the last it is used up, and its place is free.",
        (("points", "artifacts.vp"), ("places", "artifacts.places"), ("extension", "artifacts.extension")),
    ),
    Entry(
        "rules",
        "Dusk",
        "Druids come home: elders to spaces for elders, who finds no space to the roots. Tips with a druid "
        "are locked, cards return to hand, the forest is filled, the sun moves, the first-player token and "
        "the neutral druids go on.",
        (
            ("neutral_druids_start", "temples.pictured"),
            ("round_a_temple", "temples.clockwise"),
            ("one_of_three_players", "temples.blue"),
            ("round_the_temples", "temples.order"),
        ),
    ),
    Entry(
        "rules",
        "Final scoring",
        "Everybody may brew one more Darkwood, then give up Carw Gwyn. A tie goes to who has taken more "
        "steps on the branches; who ties in that too shares the victory.",
    ),
)

MOOT_TEXTS = (
    (
        "storytelling",
        "Feather. 1 stone: move a card limit marker a step. 2 stones: take a creature. 3 stones: take an "
        "artifact.",
    ),
    (
        "worship",
        "Feather, advanced. 1 stone: fetch a druid from the roots to rest. 2 stones: take a step on any "
        "branch. 3 stones: upgrade a druid.",
    ),
    (
        "knowledge",
        "Mistletoe. 1 stone: pick an ingredient from the crane bag. 2 stones: take a shrine. 3 stones: "
        "upgrade a druid.",
    ),
    (
        "wisdom",
        "Mistletoe, advanced. 1 stone: exchange any number of one resource for another. 2 stones: brew. 3 "
        "stones: take a creature.",
    ),
    (
        "ritual",
        "Rune. 1 stone: fetch up to {fetched} druids from the roots to rest. 2 stones: brew. 3 stones: take "
        "an advanced card into your hand.",
    ),
    (
        "mysticism",
        "Rune, advanced. 1 stone: take a shrine. 2 stones: take an artifact. 3 stones: repeat an action of a "
        "moot card that you have played this Day, Mysticism's others included.",
    ),
)
"""The moot cards in order: name as in the data file, and what they do."""

HEART = (
    "Joins your hand with the potion of its name, and has a temple of its own, for one druid of yours. "
    "Feathers: upgrade a druid. Mistletoe: take a creature or brew. Runes: take a shrine or an artifact. Its "
    "Oak action is a step on any branch, for {oak_cost} resources of any kinds."
)

ORDER_TEXTS = {
    "bee": "Any druid on its space upgrades a druid. All its resting spaces take elders.",
    "blackbird": "An elder on its space takes a creature.",
    "cairns": "An elder on its space takes a shrine. Shrines share slots, {shrines_a_slot} in each.",
    "fox": "An elder on its space brings {gain} of one resource. Resources of any kinds move a limit marker.",
    "wild": "Any druid on the one space brews; an elder on the other draws {draw} ingredients from the bag.",
}

ELDERS = (
    Entry(
        "elders",
        "Arch-Druid",
        "Placed on an action space, it lowers the cost of that action by {saved}, in resources only.",
        (("saved", "elders.arch_druid"),),
    ),
    Entry(
        "elders",
        "Bard",
        "As soon as you have it, its board gives you {slots} more slot above and below.",
        (("slots", "cards.bard"),),
    ),
    Entry(
        "elders",
        "Ovate",
        "A potion brewed from the space where it was placed takes {saved} ingredient less, but at least "
        "{least}.",
        (("saved", "elders.ovate"), ("least", "elders.least")),
    ),
    Entry("elders", "Recluse", "It has a resting space of its own on your board and never takes up another."),
    Entry(
        "elders",
        "Talon-Master",
        "It may be placed on a temple space where somebody stands without a second druid going to the roots.",
    ),
    Entry(
        "elders",
        "Ancient",
        "Comes by the potion Chosen of the Oak alone. It has the powers of all other elders, {slots} more "
        "slot above and below, and a resting space of its own.",
        (("slots", "cards.ancient"),),
    ),
)

BROICHAN = (
    Entry(
        "broichan",
        "Broichan",
        "Your rival in the game for one. With a druid on the roots he turns up a card and places a druid on "
        "the first free space of its temple, clockwise from the neutral druid, then does what the card says. "
        "If none is free he takes a step on the card's branch instead.",
    ),
    Entry(
        "broichan",
        "Broichan's cards",
        "Storytelling: he loses {loss} points. Worship: a druid of his becomes an elder. Knowledge: he takes "
        "the creature with the highest number. Wisdom: he brews Darkwood or draws {draw} ingredients. "
        "Mysticism: he takes the artifact with the highest number. Ritual: he takes a shrine, for 2 and 4 "
        "points in turn.",
        (("loss", "broichan.loss"), ("draw", "broichan.draw")),
    ),
    Entry(
        "broichan",
        "Broichan's branches",
        "{set} ingredients of a kind are a step: on the branch whose open tip would give him most now, then "
        "where he is closest to the top, then the leftmost. With no open tip he looks for a Festival.",
        (("set", "broichan.set"),),
    ),
    Entry(
        "broichan",
        "Broichan's gathering",
        "He passes with no druid on the roots, or in the turn after you passed; then he takes the ingredient "
        "at the top left, turn by turn. At a Festival behind the sun he draws one for each druid on a "
        "branch.",
    ),
)


def moots() -> Iterator[Entry]:
    """The moot cards with their costs."""
    stones = ("at_1_stone", "at_2_stones", "at_3_stones")
    for name, text in MOOT_TEXTS:
        costs = tuple([(label, f"moot.{name}.{i}") for i, label in enumerate(stones)])
        fetched = (("fetched", "moot.recruits"),) if "{fetched}" in text else ()
        yield Entry("moot cards", name.title(), text, (*costs, ("oak_cost", "branches.cost"), *fetched))
    printed = (("feathers", "moot.heart.0"), ("mistletoe", "moot.heart.1"), ("runes", "moot.heart.2"))
    yield Entry("moot cards", "Heart of the Oak card", HEART, (*printed, ("oak_cost", "moot.heart_oak")))


def orders() -> Iterator[Entry]:
    """The order boards."""
    for i, order in enumerate(ORDERS):
        text = ORDER_TEXTS[order.name]
        printed = (
            ("resting_spaces_for_any", f"orders.elder.{i}"),
            ("resting_spaces_for_regular", f"orders.regular.{i}"),
            ("resting_space_of_the_recluse", f"orders.recluse.{i}"),
            ("cost_of_each_special_space", f"orders.special.{i}"),
            ("cost_of_a_limit_step", f"orders.limit.{i}"),
            ("of_mixed_kinds", f"orders.mixed.{i}"),
            ("shrines_a_slot", f"orders.shrines.{i}"),
        )
        more = tuple([(name, f"orders.{name}") for name in ("gain", "draw") if f"{{{name}}}" in text])
        yield Entry("orders", f"Order of the {order.name.title()}", text, (*printed, *more))


def entries(box: Box) -> tuple[Entry, ...]:
    """All that can be looked up, chapter by chapter."""
    return (*RULES, *moots(), *orders(), *ELDERS, *creatures(), *artifacts(), *potions(box), *BROICHAN)


# -- at a table ----------------------------------------------------------------------------------------------


def holders(s: State, entry: Entry) -> tuple[tuple[int, str], ...]:
    """Where a card, tile, order or elder is in a position: the seats that have it, or -1 for the table, each
    with what there is to say."""
    find = FINDERS.get(entry.chapter)
    return () if find is None else tuple(find(s, entry.name))


def _creature(s: State, name: str) -> Iterator[tuple[int, str]]:
    card = next(number for number, row in CREATURES.items() if row.name == name)
    for seat, p in enumerate(s.players):
        if card in p.creatures:
            yield seat, "has it"
    if card in s.creatures:
        yield -1, "on display"
    if card in s.creature_deck.cards():
        yield -1, "in the deck"
    if card in s.looked:
        yield -1, "turned up for Cailleach"
    if card in s.gone:
        yield -1, "out of the game"


def _artifact(s: State, name: str) -> Iterator[tuple[int, str]]:
    tile = next(number for number, row in ARTIFACTS.items() if row.name == name)
    for seat, p in enumerate(s.players):
        if tile in p.artifacts:
            uses = p.uses[p.artifacts.index(tile)]
            yield seat, f"has it, used {uses} of {len(s.box.artifacts.loss[tile - 1])} times"
        if tile in p.flipped:
            yield seat, "has it, of no more use"
    if tile in s.artifacts:
        yield -1, "on display"
    if tile in s.artifact_stack.cards():
        yield -1, "in the stack"


def _potion(s: State, name: str) -> Iterator[tuple[int, str]]:
    tile = next((number for number, row in POTIONS.items() if row.name == name), 0)
    if tile in s.potions or not tile:
        yield -1, "can be brewed by all"
    for seat, p in enumerate(s.players):
        if tile and p.seelie == tile:
            yield seat, "alone can brew it"
    if any(tile in pile.cards() for pile in s.potion_piles):
        yield -1, "in the box"


def _moot(s: State, name: str) -> Iterator[tuple[int, str]]:
    card = next((card for card, row in enumerate(MOOTS) if row.name == name.lower()), HEART_CARD)
    for seat, p in enumerate(s.players):
        if card in p.hand:
            yield seat, "has played it this Day" if card in p.played else "has it in hand"


def _order(s: State, name: str) -> Iterator[tuple[int, str]]:
    for seat, p in enumerate(s.players):
        if p.order >= 0 and name.endswith(ORDERS[p.order].name.title()):
            yield seat, "has its board"


def _elder(s: State, name: str) -> Iterator[tuple[int, str]]:
    for seat, p in enumerate(s.players):
        if DRUIDS.index(name.lower()) in p.kind:
            yield seat, "has it"


FINDERS = {
    "moot cards": _moot,
    "orders": _order,
    "elders": _elder,
    "creatures": _creature,
    "artifacts": _artifact,
    "potions": _potion,
}
"""How what is in a chapter is found."""
