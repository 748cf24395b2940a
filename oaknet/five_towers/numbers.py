"""The printed numbers of 5 Towers: the box of its data file."""

from __future__ import annotations

from dataclasses import dataclass

from oaknet.kernel import Data, DataFault


@dataclass(frozen=True, slots=True)
class DeckNumbers:
    """The cards and how often they are played through (five towers 1, 6)."""

    players: tuple[int, int]
    """Fewest and most."""
    types: tuple[str, ...]
    """The names of the tower types, in the order that type numbers follow."""
    values: tuple[int, ...]
    """Of each type one card with each of these values."""
    extra_values: tuple[int, ...]
    """Of each type one more card with each of these, in larger rounds."""
    extra_from_players: int
    times_through: int


@dataclass(frozen=True, slots=True)
class AuctionNumbers:
    """Cards on display and the bounds of a bid (five towers 2, 3)."""

    display: int
    lowest_bid: int
    highest_bid: int


@dataclass(frozen=True, slots=True)
class BuildingNumbers:
    """The card values that are special when building (five towers 4)."""

    takes_any: int
    goes_on_any: int
    tops: int


@dataclass(frozen=True, slots=True)
class ScoringNumbers:
    """Points (five towers 7); ``torn_down`` holds those lost, by the number of cards torn down."""

    card: int
    card_in_topped_tower: int
    card_in_highest_tower: int
    torn_down: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """All numbers of the game."""

    deck: DeckNumbers
    auction: AuctionNumbers
    building: BuildingNumbers
    scoring: ScoringNumbers


NONE = "none"
"""The option that tears nothing down, so no type can have this name."""

VALUES = 16
"""Card values are below this: a card is the number ``type * VALUES + value``."""


def read(text: str) -> Data[Box]:
    """The numbers in a data file; raises `DataFault` with everything that is wrong."""
    data = Data[Box].read(Box, text)
    if faults := _faults(data.box):
        raise DataFault(faults)
    return data


def _faults(box: Box) -> list[str]:
    """What makes these numbers unplayable, one sentence each."""
    deck, auction = box.deck, box.auction
    fewest, most = deck.players
    checks = (
        (1 <= fewest <= most, "deck.players must be the fewest and the most players, at least 1"),
        (
            deck.types and all(_is_name(name) for name in deck.types),
            f"deck.types must be short lower-case words, none of them {NONE!r}",
        ),
        (len(dict.fromkeys(deck.types)) == len(deck.types), "deck.types must all be different"),
        (deck.values, "deck.values must not be empty"),
        (
            all(0 <= value < VALUES for value in deck.values + deck.extra_values),
            f"deck.values and deck.extra_values must be 0 to {VALUES - 1}",
        ),
        (deck.times_through >= 1, "deck.times_through must be at least 1"),
        (1 <= auction.display <= 8, "auction.display must be 1 to 8"),
        (
            0 <= auction.lowest_bid <= auction.highest_bid,
            "auction.lowest_bid must be 0 to auction.highest_bid",
        ),
        (box.scoring.torn_down[:1] == (0,), "scoring.torn_down must begin with 0, for no card"),
    )
    return [fault for good, fault in checks if not good]


def _is_name(name: str) -> bool:
    return name != NONE and name.isascii() and name.isalpha() and name.islower() and len(name) <= 20
