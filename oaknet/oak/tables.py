"""Names of everything in the box: places, druids, cards, tiles (oak 1). Printed numbers are in the data
file.

Creatures and artifacts go by the number printed on them, potions by their place in the rulebook's list.
Each row has keyword columns for what the card does; a rule never names a card, it asks a query of
`oaknet.oak.queries` or looks through a column."""

from __future__ import annotations

from typing import NamedTuple

RESOURCES = ("feather", "mistletoe", "rune")
KINDS = FEATHER, MISTLETOE, RUNE = (0, 1, 2)
"""The three resources; a temple and a branch bear the number of their resource."""

INGREDIENTS = ("bark", "root", "blueberry", "acorn", "mushroom")
BARK, ROOT, BLUEBERRY, ACORN, MUSHROOM = range(5)

DRUIDS = ("regular", "arch-druid", "bard", "ovate", "recluse", "talon-master", "ancient")
REGULAR, ARCH_DRUID, BARD, OVATE, RECLUSE, TALON_MASTER, ANCIENT = range(7)
ELDERS = (ARCH_DRUID, BARD, OVATE, RECLUSE, TALON_MASTER)
"""The elder druids one may always upgrade to; the Ancient needs its potion."""

PLACES = ("rest", "roots", "forest", "temple", "order", "menhir", "artifact", "heart", "branch")
REST, ROOTS, FOREST, TEMPLE, ORDER, MENHIR, ARTIFACT, HEART, BRANCH = range(9)
"""Where a druid is. `BRANCH` + kind is the branch of that kind."""

ROWS = ("above", "below")
ABOVE, BELOW = range(2)
"""The rows of cards at a player board: shrines and menhirs above, creatures below."""

SIDES = ("elder", "regular", "menhir")
ELDER_SHRINE, REGULAR_SHRINE, MENHIR_SIDE = range(3)
"""How a shrine/menhir card lies: which druids may rest on the shrine, or as a menhir."""

SOURCES = ("branches", "tips", "creatures", "shrines and menhirs", "potions", "artifacts", "other")
BRANCHES, TIPS, CREATURE_CARDS, SHRINES, POTIONS_BREWED, ARTIFACT_TILES, OTHER = range(7)
"""Where victory points come from."""


class Moot(NamedTuple):
    """A moot card: its temple and branch (-1 for the card that has its own), and its temple actions, from the
    1-stone space to the 3-stone one."""

    name: str
    temple: int
    actions: tuple[str, ...]
    starting: bool = False


MOOTS = (
    Moot("storytelling", FEATHER, ("limit", "creature", "artifact"), starting=True),
    Moot("worship", FEATHER, ("recruit", "advance", "upgrade")),
    Moot("knowledge", MISTLETOE, ("ingredient", "shrine", "upgrade"), starting=True),
    Moot("wisdom", MISTLETOE, ("exchange", "brew", "creature")),
    Moot("ritual", RUNE, ("recruit-two", "brew", "learn"), starting=True),
    Moot("mysticism", RUNE, ("shrine", "artifact", "replay")),
    Moot("heart", -1, ("upgrade", "creature", "brew", "shrine", "artifact")),
)
STORYTELLING, WORSHIP, KNOWLEDGE, WISDOM, RITUAL, MYSTICISM, HEART_CARD = range(7)
ADVANCED = (WORSHIP, WISDOM, MYSTICISM)
"""The moot cards that the Ritual brings to hand; Heart of the Oak comes by its potion alone."""

HEART_PAYS = (FEATHER, MISTLETOE, MISTLETOE, RUNE, RUNE)
"""The resource that each action of Heart of the Oak's own temple costs."""


class Order(NamedTuple):
    """A druidic order; ``special`` has who may be placed on each special space and the action there."""

    name: str
    special: tuple[tuple[str, str], ...]


ORDERS = (
    Order("bee", (("any", "upgrade"),)),
    Order("blackbird", (("elder", "creature"),)),
    Order("cairns", (("elder", "shrine"),)),
    Order("fox", (("elder", "gain-any"),)),
    Order("wild", (("any", "brew"), ("elder", "draw"))),
)
BEE, BLACKBIRD, CAIRNS, FOX, WILD = range(5)


class Artifact(NamedTuple):
    """An artifact tile: its name and the action of its space."""

    name: str
    action: str


ARTIFACTS = {
    1: Artifact("Moonstone Necklace", "gain-feather"),
    2: Artifact("Arduinna's Pendant", "gain-mistletoe"),
    3: Artifact("Bag of Runestones", "gain-rune"),
    4: Artifact("Plaque of Cernunnos", "creature"),
    5: Artifact("Wyrdwood Shaper", "shrine"),
    6: Artifact("Carnyx", "advance"),
    7: Artifact("Antler Headdress", "upgrade"),
    8: Artifact("Golden Kettle", "kettle"),
    9: Artifact("Golden Sickle", "sickle"),
    10: Artifact("Cornucopia", "cornucopia"),
    11: Artifact("Ring of the Seer", "replay"),
    12: Artifact("Shield of Toutatis", "points"),
}


class Potion(NamedTuple):
    """A potion tile of level 1–3 and the action that is its reward; ``freely`` where the reward may be had in
    part or not at all, so that the potion can be brewed even then."""

    name: str
    level: int
    reward: str
    freely: bool = False


POTIONS = {
    1: Potion("Inspiration", 1, "upgrade"),
    2: Potion("Bolt of Taranis", 1, "recharge", freely=True),
    3: Potion("Nature's Gift", 1, "limits"),
    4: Potion("Lugh's Touch", 1, "lugh"),
    5: Potion("Belenos' Boon", 1, "boon", freely=True),
    6: Potion("Runic Power", 2, "runic"),
    7: Potion("Summon Dryad", 2, "dryad", freely=True),
    8: Potion("Arduinna's Grant", 2, "grant"),
    9: Potion("Renewal", 2, "renewal"),
    10: Potion("Bloom", 2, "bloom"),
    11: Potion("Warp Wood", 3, "warp", freely=True),
    12: Potion("Animal Companion", 3, "companion"),
    13: Potion("Gift from the Gods", 3, "gift"),
    14: Potion("Chosen of the Oak", 3, "chosen"),
    15: Potion("Heart of the Oak", 3, "heart"),
}
BOLT, NATURES_GIFT, LUGHS_TOUCH, RUNIC_POWER, RENEWAL, BLOOM, DRYAD = 2, 3, 4, 6, 9, 10, 7


class Creature(NamedTuple):
    """A creature card and its columns; the amounts are in the data file.

    ``dawn``: what it brings at Dawn. ``taken``, ``free``: the action that taking it begins, or that its owner
    may do at will. ``discount``: what costs less. ``swap``: the resource that can be exchanged at will.
    ``stone``: what any temple space may be treated as. ``rides``: the temple whose actions may be followed by
    the card's Oak action. ``adds``: rests or slots. ``power``: a power that one rule asks for by this name.
    """

    name: str
    dawn: str = ""
    taken: str = ""
    free: str = ""
    discount: str = ""
    swap: int = -1
    stone: int = 0
    rides: int = -1
    adds: str = ""
    power: str = ""


CREATURES = {
    1: Creature("Slúagh na Marbh", swap=FEATHER, free="swap-feather"),
    2: Creature("Bodach", swap=MISTLETOE, free="swap-mistletoe"),
    3: Creature("Selkie", swap=RUNE, free="swap-rune"),
    4: Creature("Boggart", stone=1),
    5: Creature("Dobhar-Chù", stone=2),
    6: Creature("Each-uisge", stone=3),
    7: Creature("Cù-sìth", rides=FEATHER),
    8: Creature("Buggane", rides=MISTLETOE),
    9: Creature("Yan-Gant-Y-Tan", rides=RUNE),
    10: Creature("Ceiliog Lugus", dawn="feather"),
    11: Creature("Korrigan", dawn="mistletoe"),
    12: Creature("Pixie Queen", dawn="rune"),
    13: Creature("Aos Si", dawn="ingredient"),
    14: Creature("Aonbharr", power="festival-more"),
    15: Creature("Bugul Noz", power="festival-choice"),
    16: Creature("Caoineag", discount="temple"),
    17: Creature("Clurichaun", power="reclaim"),
    18: Creature("Fear Dearg", power="substitute"),
    19: Creature("Abhartach", power="barter", free="barter"),
    20: Creature("Fear Gorta", discount="creature"),
    21: Creature("Cailleach", power="look"),
    22: Creature("Fuath", power="any-druid"),
    23: Creature("Groac'h", power="elders-join"),
    24: Creature("Ghillie Dhu", power="gather-from-bag"),
    25: Creature("Unicorn", power="gather-alone"),
    26: Creature("Fachan", discount="menhir"),
    27: Creature("Glaistig", power="gather-with-shrine"),
    28: Creature("Leanan sídhe", power="gather-with-recruit"),
    29: Creature("Tarw Cernunnos", power="artifact-points"),
    30: Creature("The Unseelie Court", discount="limit"),
    31: Creature("Gancanagh", adds="rests"),
    32: Creature("The Seelie Court", taken="seelie"),
    33: Creature("Pùca", adds="slots"),
    34: Creature("Carw Gwyn", free="carw"),
    35: Creature("Ellén Trechend"),
}
CARW_GWYN = 34
