"""The auction (five towers 3)."""

from __future__ import annotations

from oaknet.five_towers.building import buildable
from oaknet.five_towers.state import PASS, State
from oaknet.kernel import choose

PASSES = "pass"
"""The option that makes no bid."""


async def bid(s: State) -> None:
    """The next player bids higher than all before, or passes (five towers 3.1, 3.2)."""
    seat = bidder(s)
    choice = await choose(seat, "bid", legal_bids(s, seat))
    s.bids.append(PASS if isinstance(choice, str) else choice)


def bidder(s: State) -> int:
    """Whose turn it is to bid: the start player first, then clockwise, each once (five towers 3.1)."""
    return (s.start_player + len(s.bids)) % len(s.players)


def legal_bids(s: State, seat: int) -> list[int | str]:
    """A pass, and each number above the highest bid so far that the player can build (five towers 3.2, 3.4).

    0 may be bid while nobody has made a bid (five towers 3.3).
    """
    lowest = max(s.box.auction.lowest_bid, highest_bid(s) + 1)
    most = min(unbeatable_bid(s), buildable(s, s.players[seat]))
    return [PASSES, *range(lowest, most + 1)]


def highest_bid(s: State) -> int:
    """The highest bid of this auction, `PASS` if there is none."""
    return max(s.bids, default=PASS)


def unbeatable_bid(s: State) -> int:
    """The bid that nobody can beat: 5, or the number of cards in a short display (five towers 3.5)."""
    return min(s.box.auction.highest_bid, len(s.display))


def decided(s: State) -> bool:
    """Whether the auction is over: all have bid or passed, or nobody can bid higher (five towers 3.5)."""
    return len(s.bids) == len(s.players) or highest_bid(s) == unbeatable_bid(s)


def winner(s: State) -> int:
    """The seat with the highest bid, once there is one (five towers 3.6)."""
    return (s.start_player + s.bids.index(highest_bid(s))) % len(s.players)
