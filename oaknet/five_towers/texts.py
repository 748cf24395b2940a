"""5 Towers to look up, in our own words; what a text leaves out stands in specs/five_towers.md."""

from __future__ import annotations

from oaknet.five_towers.numbers import Box
from oaknet.kernel.lookup import Entry

ENTRIES = (
    Entry(
        "cards",
        "Deck",
        "Of each type there is one card of each value, and a second one of some from {from} players on. The "
        "deck is played through {times} times, then the game ends.",
        (
            ("types", "deck.types"),
            ("values", "deck.values"),
            ("second_cards", "deck.extra_values"),
            ("from", "deck.extra_from_players"),
            ("times", "deck.times_through"),
            ("players", "deck.players"),
        ),
    ),
    Entry(
        "cards",
        "8",
        "Any card may be laid on a card of this value, a higher one too.",
        (("value", "building.takes_any"),),
    ),
    Entry(
        "cards",
        "9",
        "A card of this value may be laid on any card but one that tops a tower.",
        (("value", "building.goes_on_any"),),
    ),
    Entry(
        "cards",
        "0",
        "A card of this value tops its tower: nothing goes on it, it is never torn down, and the cards below "
        "count more.",
        (("value", "building.tops"),),
    ),
    Entry(
        "rules",
        "Round",
        "{display} cards are turned up and auctioned, the winner builds, the rest is laid aside. The player "
        "to the left begins the next round.",
        (("display", "auction.display"),),
    ),
    Entry(
        "rules",
        "Auction",
        "Everybody is asked once: bid for more cards than anybody before, or pass. You can only bid what you "
        "could build.",
        (("lowest_bid", "auction.lowest_bid"), ("highest_bid", "auction.highest_bid")),
    ),
    Entry(
        "rules",
        "Building",
        "The winner takes exactly as many cards as were bid and lays each on the tower of its type, smaller "
        "on larger, or begins that tower.",
    ),
    Entry(
        "rules",
        "Tearing down",
        "Before building, the winner may take the top card off one own tower. In the end it costs points: "
        "the numbers are for none, one, two cards and so on.",
        (("points_lost", "scoring.torn_down"),),
    ),
    Entry(
        "rules",
        "Points",
        "A card counts {card}, in a topped tower {topped}; each card of your highest tower counts {highest} "
        "more. Most points win; a tie is a shared victory.",
        (
            ("card", "scoring.card"),
            ("topped", "scoring.card_in_topped_tower"),
            ("highest", "scoring.card_in_highest_tower"),
        ),
    ),
)


def entries(box: Box) -> tuple[Entry, ...]:
    """All that can be looked up, chapter by chapter."""
    return ENTRIES
