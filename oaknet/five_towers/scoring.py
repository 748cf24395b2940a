"""Points and victory (five towers 7)."""

from __future__ import annotations

from oaknet.five_towers.numbers import ScoringNumbers
from oaknet.five_towers.state import Player, State


def points(s: State, seat: int) -> dict[str, int]:
    """Where the points of a seat come from; they add up to its score (five towers 7.1 to 7.4)."""
    player, numbers = s.players[seat], s.box.scoring
    topped = topped_cards(s, player)
    standing = sum(map(len, player.towers))
    return {
        "cards": numbers.card * (standing - topped),
        "topped towers": numbers.card_in_topped_tower * topped,
        "highest tower": numbers.card_in_highest_tower * highest_tower(player),
        "torn down": -torn_down_penalty(numbers, len(player.torn_down)),
    }


def topped_cards(s: State, player: Player) -> int:
    """The number of cards in towers topped by a 0, which count double (five towers 7.2)."""
    return sum(len(tower) for tower in player.towers if tower[-1:] == (s.box.building.tops,))


def highest_tower(player: Player) -> int:
    """The number of cards in the own highest tower; of equally high ones one counts (five towers 7.3)."""
    return max(map(len, player.towers))


def torn_down_penalty(numbers: ScoringNumbers, cards: int) -> int:
    """The points lost for cards torn down: 1 for the first, 2 more for the second … (five towers 7.4)."""
    if cards < len(numbers.torn_down):
        return numbers.torn_down[cards]
    return cards * (cards + 1) // 2


def scores(s: State) -> tuple[int, ...]:
    """The points of each seat, now."""
    return tuple(sum(points(s, seat).values()) for seat in range(len(s.players)))


def winners(s: State) -> tuple[int, ...]:
    """The seats with the most points: they share the victory (five towers 7.5)."""
    totals = scores(s)
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))
