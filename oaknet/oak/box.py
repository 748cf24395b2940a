"""The printed numbers of Oak, as the data file holds them (oak 1.3). Amounts of an effect stand in card
order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Cost: TypeAlias = "tuple[int, int, int]"
"""Feathers, mistletoe, runes."""


@dataclass(frozen=True, slots=True)
class PlayNumbers:
    """Rounds, druids, resources and ingredients."""

    rounds: int
    druids: int
    active: int  # druids that start on resting spaces
    start: Cost
    most: int  # of each resource
    income: Cost
    tokens: tuple[int, int, int, int, int]  # of each ingredient
    forest: int  # ingredients in the forest beyond one a player
    trade: int  # ingredients for one resource


@dataclass(frozen=True, slots=True)
class BranchNumbers:
    """The branches: incomes by space, solar tokens, points."""

    cost: int
    step: int  # points of a step
    stem: tuple[tuple[int, ...], ...]  # a branch: income of the spaces up to the fork
    arm: tuple[tuple[int, ...], ...]  # a branch: income of the spaces of each arm below the tip
    token: tuple[int, int, int]  # a branch: the space whose entry passes the solar tokens
    tokens: tuple[int, int, int, int]  # on each branch, by the number of players
    tips: tuple[tuple[str, str], ...]  # a branch: what its left and its right tip count
    vp: int  # points for every `per` points
    per: int
    elder: int
    creature: int
    potion: int
    shrine: int
    artifact: int


@dataclass(frozen=True, slots=True)
class SunNumbers:
    """The solar track: its Solstice spaces, and the points that each space is level with."""

    start: int
    solstice: tuple[int, ...]
    level: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TempleNumbers:
    """The temples: pictured spaces, and how the neutral druids go round."""

    pictured: tuple[int, int, int]  # a temple: stones of the space that shows a druid
    blue: int  # the temple that shows the druid with a staff
    clockwise: tuple[int, int, int]  # stones in clockwise order
    order: tuple[int, int, int]  # temples in clockwise order


@dataclass(frozen=True, slots=True)
class MootNumbers:
    """What the temple actions of each moot card cost, 1-stone to 3-stone."""

    storytelling: Cost
    worship: Cost
    knowledge: Cost
    wisdom: Cost
    ritual: Cost
    mysticism: Cost
    heart: Cost
    heart_oak: int
    recruits: int  # druids that Ritual fetches at most


@dataclass(frozen=True, slots=True)
class CardNumbers:
    """Displays, slots, shrines, menhirs."""

    display: int
    refresh: int
    slots: tuple[int, int]  # above and below, with the marker at its end
    limit: tuple[int, int]  # above and below, at the start
    bard: int
    ancient: int
    supply: int  # shrine/menhir cards
    shrine: tuple[int, int]  # points with a resting space for elders, and with a regular one
    menhir: int
    menhir_cost: Cost


@dataclass(frozen=True, slots=True)
class ArtifactNumbers:
    """Artifact tiles: points when taken, places at a board, points lost at each use, amounts."""

    vp: int
    places: int
    extension: int
    loss: tuple[tuple[int, ...], ...]
    amount: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CreatureNumbers:
    """Creature cards: points when taken, amounts."""

    vp: tuple[int, ...]
    amount: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PotionNumbers:
    """Recipes as bark, root, blueberry, acorn, mushroom, any; amounts; Darkwood's kinds and points."""

    recipe: tuple[tuple[int, int, int, int, int, int], ...]
    amount: tuple[int, ...]
    darkwood: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class OrderNumbers:
    """The order boards: resting spaces, special spaces, the cost of a limit marker's step."""

    elder: tuple[int, ...]  # resting spaces for any druid
    regular: tuple[int, ...]  # resting spaces for regular druids
    recluse: tuple[int, ...]  # resting spaces for the Recluse alone
    limit: tuple[int, ...]  # resources for one step of a card limit marker
    mixed: tuple[int, ...]  # 1 where these may be of any kinds, 0 where they are of one kind
    shrines: tuple[int, ...]  # shrine cards that share a slot
    special: tuple[tuple[int, ...], ...]  # an order: resources that each special space costs
    gain: int
    draw: int


@dataclass(frozen=True, slots=True)
class ElderNumbers:
    """What the Arch-Druid and the Ovate save, and the fewest ingredients of a potion."""

    arch_druid: int
    ovate: int
    least: int


@dataclass(frozen=True, slots=True)
class BroichanNumbers:
    """The rival of the game for one: points lost by Storytelling, ingredients drawn by Wisdom, size of a
    set."""

    loss: int
    draw: int
    set: int


@dataclass(frozen=True, slots=True)
class Box:
    """Everything that is printed on the components."""

    play: PlayNumbers
    branches: BranchNumbers
    sun: SunNumbers
    temples: TempleNumbers
    moot: MootNumbers
    cards: CardNumbers
    artifacts: ArtifactNumbers
    creatures: CreatureNumbers
    potions: PotionNumbers
    orders: OrderNumbers
    elders: ElderNumbers
    broichan: BroichanNumbers
