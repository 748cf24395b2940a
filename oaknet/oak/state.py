"""A position of Oak: plain data, cheap to copy (oak 1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from oaknet.kernel import SHARED, Deck
from oaknet.oak.box import Box
from oaknet.oak.tables import REGULAR, REST, ROOTS, SOURCES

PHASES = ("setup", "orders", "dawn", "day", "home", "dusk", "final", "over")
SETUP, CHOOSING, DAWN, DAY, HOME, DUSK, FINAL, OVER = range(8)
"""What the next stage is: a seat's choice of order, its turn, its druids' way home and its last potion are
one stage each; the rest concern all."""

CHOSEN, DRAWN, FIXED = range(3)
"""How order boards come to seats: each chooses, chance deals them, or each seat has its own."""


@dataclass(slots=True)
class Player:
    """A seat. Druid i is of ``kind[i]`` at ``place[i]``; ``space[i]`` tells spaces of that place apart."""

    kind: list[int]
    place: list[int]
    space: list[int]  # temple * 3 + stones - 1, branch space, artifact, …; 0 where there is but one
    resources: list[int]
    ingredients: list[int] = field(default_factory=lambda: [0] * 5)
    creatures: list[int] = field(default_factory=list[int])  # numbers of CREATURES
    shrines: list[int] = field(default_factory=list[int])  # SIDES
    artifacts: list[int] = field(default_factory=list[int])  # active ones, numbers of ARTIFACTS
    uses: list[int] = field(default_factory=list[int])  # how often each active artifact has been used
    flipped: list[int] = field(default_factory=list[int])  # completed artifacts
    limits: list[int] = field(default_factory=lambda: [1, 1])  # card limit markers, by row
    hand: list[int] = field(default_factory=list[int])  # moot cards, played ones included; sorted
    played: list[int] = field(default_factory=list[int])  # moot cards played this Day, in order
    ledger: list[int] = field(default_factory=lambda: [0] * len(SOURCES))  # points by source
    order: int = -1  # index into ORDERS; -1 before it is chosen
    markers: int = 0  # completed potion markers
    passed: int = 0
    extension: int = 0  # artifact extensions at the board
    seelie: int = 0  # the potion tile that lies on The Seelie Court; 0 where there is none

    @property
    def vp(self) -> int:
        """Victory points."""
        return sum(self.ledger)

    def copy(self) -> Player:
        """An independent copy."""
        return Player(
            self.kind[:],
            self.place[:],
            self.space[:],
            self.resources[:],
            self.ingredients[:],
            self.creatures[:],
            self.shrines[:],
            self.artifacts[:],
            self.uses[:],
            self.flipped[:],
            self.limits[:],
            self.hand[:],
            self.played[:],
            self.ledger[:],
            self.order,
            self.markers,
            self.passed,
            self.extension,
            self.seelie,
        )


@dataclass(slots=True)
class Broichan:
    """What only the rival of the game for one has: moot cards of his own, by index of MOOTS (oak 14.2)."""

    deck: Deck
    discards: list[int] = field(default_factory=list[int])  # the last one is the card he played last

    def copy(self) -> Broichan:
        """An independent copy."""
        return Broichan(self.deck.copy(), self.discards[:])


@dataclass(slots=True)
class State:
    """The whole table. Seats go clockwise; ``first`` has the first-player token, ``mover`` is next to act.

    In the game for one, Broichan plays in the second place (`is_broichan`), which is no seat."""

    box: Box = field(metadata=SHARED)
    players: list[Player]
    creature_deck: Deck
    artifact_stack: Deck
    potion_piles: list[Deck]  # by level; what stays in the box once a tile of each is in play
    bag: list[int]  # ingredients in the crane bag, by kind
    tokens: list[int]  # solar tokens, by branch
    neutrals: list[int]  # temple space of each neutral druid
    forest: list[int]  # ingredient on each space from top left clockwise; -1 where there is none
    sun: int  # space of the solar track, from 1
    locked: list[int] = field(default_factory=lambda: [0] * 6)  # tips: branch * 2 + arm
    creatures: list[int] = field(default_factory=list[int])  # the display
    artifacts: list[int] = field(default_factory=list[int])  # the display
    potions: list[int] = field(default_factory=list[int])  # tiles in play
    refreshed: list[int] = field(default_factory=lambda: [0, 0])  # this turn: creatures, artifacts
    phase: int = SETUP
    round: int = 1
    first: int = 0
    mover: int = 0
    idle: int = 0  # turns of this Day in a row on which a passed seat did not gather
    gone: list[int] = field(default_factory=list[int])  # creatures that have left the game
    looked: list[int] = field(default_factory=list[int])  # creatures that Cailleach has turned up
    eclipse: int = 0  # 1 for the Eclipse variant
    orders: int = CHOSEN  # how order boards come to seats
    draw_first: int = 0  # 1 if the first player is still to be drawn
    # this turn; as here again when it ends
    used: int = 0  # artifacts used, a bit each
    swapped: int = 0  # exchanges made by Slúagh, Bodach and Selkie, bit 3 * given + received
    acting: int = -1  # the druid whose space is in use, -1 for what no druid does
    saved: int = 0  # ingredients that the Kettle saves in the brewing under way
    rider: int = -1  # the branch whose Oak action is still to follow a temple action
    ahead: int = 0  # potion tiles whose reward is looked ahead to, a bit each; 0 at every question
    broichan: list[Broichan] = field(default_factory=list[Broichan])  # one in the game for one

    def copy(self) -> State:
        """An independent copy; the box is shared."""
        return State(
            self.box,
            [player.copy() for player in self.players],
            self.creature_deck.copy(),
            self.artifact_stack.copy(),
            [pile.copy() for pile in self.potion_piles],
            self.bag[:],
            self.tokens[:],
            self.neutrals[:],
            self.forest[:],
            self.sun,
            self.locked[:],
            self.creatures[:],
            self.artifacts[:],
            self.potions[:],
            self.refreshed[:],
            self.phase,
            self.round,
            self.first,
            self.mover,
            self.idle,
            self.gone[:],
            self.looked[:],
            self.eclipse,
            self.orders,
            self.draw_first,
            self.used,
            self.swapped,
            self.acting,
            self.saved,
            self.rider,
            self.ahead,
            [rival.copy() for rival in self.broichan],
        )


def is_broichan(s: State, seat: int) -> bool:
    """Whether a place at the table is Broichan's: the second one in the game for one (oak 14.1)."""
    return seat == 1 and bool(s.broichan)


def seats_from(s: State, seat: int) -> list[int]:
    """All seats clockwise, beginning with ``seat``."""
    n = len(s.players)
    return [(seat + i) % n for i in range(n)]


def by_kind(p: Player, place: int, but: int = -1) -> list[int]:
    """One druid of each kind at a place, ``but`` left out: druids of one kind there are all alike."""
    kinds, first = p.kind, dict[int, int]()
    for druid, where in enumerate(p.place):
        if where == place and druid != but and kinds[druid] not in first:
            first[kinds[druid]] = druid
    return [*first.values()] if len(first) < 2 else [first[kind] for kind in sorted(first)]


def count_at(p: Player, place: int) -> int:
    """How many druids of a seat are at a place."""
    return p.place.count(place)


def move(p: Player, druid: int, place: int, space: int = 0) -> None:
    """Put a druid somewhere."""
    p.place[druid], p.space[druid] = place, space


def gain(s: State, seat: int, kind: int, amount: int) -> None:
    """Gain resources of one kind; what goes beyond the track is lost (oak 2.4)."""
    p = s.players[seat]
    p.resources[kind] = min(s.box.play.most, p.resources[kind] + amount)


def new_player(box: Box) -> Player:
    """A seat with its druids on resting spaces and roots, and its starting resources (oak 3.2)."""
    roots = box.play.druids - box.play.active
    places = [REST] * box.play.active + [ROOTS] * roots
    kinds, spaces = [REGULAR] * box.play.druids, [0] * box.play.druids
    return Player(kinds, places, spaces, list(box.play.start), limits=list(box.cards.limit))
