"""Names of everything in the box: places, druids, cards, tiles (oak 1). Printed numbers are in the data
file.

Creatures and artifacts go by the number printed on them, potions by their place in the rulebook's list.
Each row has keyword columns for what the card does; a rule never names a card, it asks a query of
`oaknet.oak.queries` or looks through a column."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from oaknet.kernel import Rule

if TYPE_CHECKING:
    from oaknet.oak.box import Cost
    from oaknet.oak.state import State

Deed: TypeAlias = "Callable[[State, int], Rule[None]]"
"""Something a card makes its owner do: called with the state and the owner's seat."""

Can: TypeAlias = "Callable[[State, int, Cost], bool]"
"""Whether a seat that still owes a cost can pay it, and then do something."""


class Action(NamedTuple):
    """``can`` tells whether a seat can pay what it owes and then ``do`` this with some effect."""

    can: Can
    do: Deed


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
    """A moot card: its temple and branch, and its temple actions from the 1-stone space to the 3-stone
    one."""

    name: str
    temple: int
    actions: tuple[str, str, str]
    starting: bool = False


MOOTS = (
    Moot("storytelling", FEATHER, ("limit", "creature", "artifact"), starting=True),
    Moot("worship", FEATHER, ("recruit", "advance", "upgrade")),
    Moot("knowledge", MISTLETOE, ("ingredient", "shrine", "upgrade"), starting=True),
    Moot("wisdom", MISTLETOE, ("exchange", "brew", "creature")),
    Moot("ritual", RUNE, ("recruit-two", "brew", "learn"), starting=True),
    Moot("mysticism", RUNE, ("shrine", "artifact", "replay")),
)
STORYTELLING, WORSHIP, KNOWLEDGE, WISDOM, RITUAL, MYSTICISM = range(6)


class Order(NamedTuple):
    """A druidic order; ``special`` has who may be placed on each special space and the action there."""

    name: str
    special: tuple[tuple[str, str], ...]


ORDERS = (
    Order("bee", (("any", "upgrade"),)),
    Order("blackbird", (("elder", "creature"),)),
    Order("cairns", (("elder", "shrine"),)),
    Order("fox", (("elder", "gain"),)),
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
    8: Artifact("Golden Kettle", "brew"),
    9: Artifact("Golden Sickle", "draw"),
    10: Artifact("Cornucopia", "exchange"),
    11: Artifact("Ring of the Seer", "replay"),
    12: Artifact("Shield of Toutatis", "points"),
}


class Potion(NamedTuple):
    """A potion tile of level 1–3; ``reward`` is what brewing it does, and a tile without one is not
    brewed."""

    name: str
    level: int
    reward: Action | None = None


POTIONS = {
    1: Potion("Inspiration", 1),
    2: Potion("Bolt of Taranis", 1),
    3: Potion("Nature's Gift", 1),
    4: Potion("Lugh's Touch", 1),
    5: Potion("Belenos' Boon", 1),
    6: Potion("Runic Power", 2),
    7: Potion("Summon Dryad", 2),
    8: Potion("Arduinna's Grant", 2),
    9: Potion("Renewal", 2),
    10: Potion("Bloom", 2),
    11: Potion("Warp Wood", 3),
    12: Potion("Animal Companion", 3),
    13: Potion("Gift from the Gods", 3),
    14: Potion("Chosen of the Oak", 3),
    15: Potion("Heart of the Oak", 3),
}


class Creature(NamedTuple):
    """A creature card and its columns: what it does at Dawn, at a Festival, when it is taken, as a free
    action; how many resting spaces and creature slots it adds."""

    name: str
    dawn: Deed | None = None
    festival: Deed | None = None
    taken: Deed | None = None
    free: Action | None = None
    rests: int = 0
    slots: int = 0


CREATURES = {
    1: Creature("Slúagh na Marbh"),
    2: Creature("Bodach"),
    3: Creature("Selkie"),
    4: Creature("Boggart"),
    5: Creature("Dobhar-Chù"),
    6: Creature("Each-uisge"),
    7: Creature("Cù-sìth"),
    8: Creature("Buggane"),
    9: Creature("Yan-Gant-Y-Tan"),
    10: Creature("Ceiliog Lugus"),
    11: Creature("Korrigan"),
    12: Creature("Pixie Queen"),
    13: Creature("Aos Si"),
    14: Creature("Aonbharr"),
    15: Creature("Bugul Noz"),
    16: Creature("Caoineag"),
    17: Creature("Clurichaun"),
    18: Creature("Fear Dearg"),
    19: Creature("Abhartach"),
    20: Creature("Fear Gorta"),
    21: Creature("Cailleach"),
    22: Creature("Fuath"),
    23: Creature("Groac'h"),
    24: Creature("Ghillie Dhu"),
    25: Creature("Unicorn"),
    26: Creature("Fachan"),
    27: Creature("Glaistig"),
    28: Creature("Leanan sídhe"),
    29: Creature("Tarw Cernunnos"),
    30: Creature("The Unseelie Court"),
    31: Creature("Gancanagh"),
    32: Creature("The Seelie Court"),
    33: Creature("Pùca"),
    34: Creature("Carw Gwyn"),
    35: Creature("Ellén Trechend"),
}
