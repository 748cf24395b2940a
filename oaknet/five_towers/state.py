"""What lies on the table in 5 Towers (five towers 1)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from oaknet.five_towers.numbers import VALUES, Box, DeckNumbers
from oaknet.kernel import SHARED, Deck

REVEAL, AUCTION, BUILD = "reveal", "auction", "build"
"""The phases: what the next stage does."""

PASS = -1
"""A pass among the bids: lower than any bid."""

Tower: TypeAlias = tuple[int, ...]
"""The values of the cards in a tower, the lowest card first; empty if it does not stand."""


@dataclass(slots=True)
class Player:
    """The towers of a seat, one a type in the order of the types, and the cards it has torn down, sorted."""

    towers: list[Tower]
    torn_down: list[int] = field(default_factory=list[int])

    def copy(self) -> Player:
        """An independent copy."""
        return Player(self.towers[:], self.torn_down[:])


@dataclass(slots=True)
class State:
    """A position. Cards are ints, see `card`; seats count from 0, clockwise."""

    box: Box = field(metadata=SHARED)
    players: list[Player]
    deck: Deck
    display: list[int] = field(default_factory=list[int])
    """The cards that lie open, sorted."""
    discards: list[int] = field(default_factory=list[int])
    """The discard pile, sorted: its order has no meaning, it is shuffled before it is used."""
    phase: str = REVEAL
    start_player: int = 0
    times_through: int = 1
    """Which time the deck is being played through."""
    bids: list[int] = field(default_factory=list[int])
    """The bids of this auction from the start player on; `PASS` for a pass."""
    owed: int = 0
    """How many cards the winner of the auction still has to build."""

    def copy(self) -> State:
        """An independent copy that shares the box."""
        return State(
            self.box,
            [player.copy() for player in self.players],
            self.deck.copy(),
            self.display[:],
            self.discards[:],
            self.phase,
            self.start_player,
            self.times_through,
            self.bids[:],
            self.owed,
        )


def card(kind: int, value: int) -> int:
    """The number of the card of this type and value."""
    return kind * VALUES + value


def kind_of(card: int) -> int:
    """The type of a card: an index into the names of the types."""
    return card // VALUES


def value_of(card: int) -> int:
    """The value of a card."""
    return card % VALUES


def cards_in_play(deck: DeckNumbers, players: int) -> list[int]:
    """Every card used by that many players: 80 up to three, 110 from four on (five towers 1.2, 1.3)."""
    values = deck.values + (deck.extra_values if players >= deck.extra_from_players else ())
    return [card(kind, value) for kind in range(len(deck.types)) for value in values]


def cards_to_come(s: State) -> list[tuple[int, ...]]:
    """The cards that can still be revealed, sorted, of each type: those of the deck, and the discards as long
    as they will be played through again (five towers 6.3)."""
    again = s.discards if s.times_through < s.box.deck.times_through else []
    cards = sorted(s.deck.cards() + again)
    ends = [bisect_left(cards, card(kind, 0)) for kind in range(len(s.box.deck.types) + 1)]
    return [tuple(cards[low:high]) for low, high in pairwise(ends)]
