"""What each seat may expect to have in the end, for the bots that look ahead (engine 7.6)."""

from __future__ import annotations

from collections.abc import Sequence

from oaknet.five_towers.building import fits, top
from oaknet.five_towers.greedy import POINT
from oaknet.five_towers.numbers import Box
from oaknet.five_towers.scoring import scores
from oaknet.five_towers.state import State, Tower, cards_to_come, value_of
from oaknet.kernel import root

EACH = 40  # these three were found by letting bots with different numbers play each other, two at a table
"""What every card is worth that can still come and fits on a tower …"""
FIRST = 250
"""… and how much more the first of them; four together are worth twice as much more, nine three times."""
TOPPING = 40
"""What each card of an open tower is worth while a 0 that could top it can still come."""


def prospects(s: State) -> list[int]:
    """The points of each seat as the towers stand, and what may still come of them, in hundredths."""
    coming = cards_to_come(s)
    return [
        POINT * points + sum(map(lambda tower, cards: growth(s.box, tower, cards), player.towers, coming))
        for points, player in zip(scores(s), s.players, strict=True)
    ]


def growth(box: Box, tower: Tower, coming: Sequence[int]) -> int:
    """What may still come of a tower with these cards of its type to come: the more of them there are, the
    less does one more of them add, since most are never built."""
    numbers, last = box.building, top(tower)
    fitting = [card for card in coming if fits(numbers, last, value_of(card))]
    topping = any(value_of(card) == numbers.tops for card in fitting)
    return EACH * len(fitting) + root(FIRST * FIRST * len(fitting)) + TOPPING * len(tower) * topping
