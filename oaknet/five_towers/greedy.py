"""The greedy bot: bids for, and builds, what makes its own towers worth most (five towers 8.4).

Worth is counted in hundredths of a point: what the towers score as they stand, and what they may still grow
to, judged by the cards that can still come.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from oaknet.five_towers.building import fits, lowered, may_tear_down, raised, top
from oaknet.five_towers.numbers import BuildingNumbers, ScoringNumbers
from oaknet.five_towers.scoring import torn_down_penalty
from oaknet.five_towers.state import State, Tower, card, cards_to_come, kind_of, value_of
from oaknet.kernel import Ask, Game, Option, Rng

POINT = 100
GROWTH = 70  # this, TOPPING and OUTBID were found by letting bots with different numbers play each other
"""What each card is worth that can still come and fits on the tower."""
TOPPING = 40
"""What each card of an open tower is worth while a 0 that could top it can still come."""
OUTBID = 40
"""What one more card is worth to a bidder whom others may still outbid."""


def greedy(game: Game[State], seat: int, rng: Rng) -> Option:
    """One of the best answers, each of them equally likely."""
    ask = game.asked(seat)
    assert ask is not None, f"seat {seat} is not asked"
    best = best_answers(game.state, ask)
    return best[rng.below(len(best))]


def best_answers(s: State, ask: Ask) -> list[Option]:
    """The options of a question that are worth most, in the order of the options."""
    outlook = Outlook(s, ask.seat)
    worth = {"bid": outlook.bid, "tear down": outlook.tear_down, "card": outlook.lay_card}[ask.about]
    worths = [worth(option) for option in ask.options]
    return [option for option, each in zip(ask.options, worths, strict=True) if each == max(worths)]


class Outlook:
    """What one seat can make of the display, and how much that is worth to it."""

    def __init__(self, s: State, seat: int) -> None:
        self.s = s
        self.player = s.players[seat]
        self._coming = cards_to_come(s)
        self._bids: dict[int, int] = {}

    # -- the worth of an option -----------------------------------------------------------------------------

    def bid(self, option: Option) -> int:
        """Of a bid: what so many cards are worth, built as well as possible; of a pass: the towers as they
        are (five towers 8.7)."""
        if not self._bids:
            self._bids = self._all_bids()
        return self._bids[option] if isinstance(option, int) else self._bids[0]

    def _all_bids(self) -> dict[int, int]:
        s, towers = self.s, self.player.towers
        contested = len(s.bids) + 1 < len(s.players)
        found = self.builds(towers, s.display)
        nothing = found[0]
        for kind in dict.fromkeys(map(kind_of, s.display)):
            if may_tear_down(s.box.building, towers[kind]):
                for number, worth in self.builds(lowered(towers, kind), s.display, torn=1).items():
                    found[number] = max(worth, found.get(number, worth))
        if contested:
            found = {number: worth + OUTBID * number for number, worth in found.items()}
        return {**found, 0: nothing}

    def tear_down(self, option: Option) -> int:
        """What the cards owed are worth, built as well as possible after tearing this down
        (five towers 8.8)."""
        types, towers = self.s.box.deck.types, self.player.towers
        if option in types:
            return self.builds(lowered(towers, types.index(option)), self.s.display, torn=1)[self.s.owed]
        return self.builds(towers, self.s.display)[self.s.owed]

    def lay_card(self, option: Option) -> int:
        """What the cards owed are worth when this one is laid first (five towers 8.8)."""
        assert isinstance(option, tuple)
        assert isinstance(option[1], int)
        laid = card(self.s.box.deck.types.index(str(option[0])), option[1])
        rest = self.s.display[:]
        rest.remove(laid)
        return self.builds(raised(self.player.towers, laid), rest)[self.s.owed - 1]

    # -- the worth of towers --------------------------------------------------------------------------------

    def builds(self, towers: Sequence[Tower], display: Sequence[int], torn: int = 0) -> dict[int, int]:
        """The worth of the best way to build 0, 1, 2 … cards of a display, as far as that goes, with so many
        more cards torn down (five towers 8.6)."""
        numbers, scoring = self.s.box.building, self.s.box.scoring
        values: list[tuple[int, ...]] = [()] * len(towers)
        for shown in display:
            values[kind_of(shown)] += (value_of(shown),)
        sure = -POINT * torn_down_penalty(scoring, len(self.player.torn_down) + torn)
        tallest = 0  # of the towers that can get no card
        growing: list[tuple[int, tuple[int, ...]]] = []
        for tower, cards, coming in zip(towers, values, self._coming, strict=True):
            height = len(tower)
            worths = growths(numbers, scoring, coming, height, top(tower), cards)
            if len(worths) == 1:
                sure += worths[0]
                tallest = max(tallest, height)
            else:
                growing.append((height, worths))
        ways = {(0, tallest): sure}  # (cards built, highest tower): worth
        for height, worths in growing:
            longer: dict[tuple[int, int], int] = {}
            for (built, highest), others in ways.items():
                for count, worth in enumerate(worths, height):
                    key = built + count - height, highest if highest > count else count
                    total = worth + others
                    if key not in longer or longer[key] < total:
                        longer[key] = total
            ways = longer
        found: dict[int, int] = {}
        for (built, highest), worth in ways.items():
            total = worth + POINT * scoring.card_in_highest_tower * highest
            found[built] = max(total, found.get(built, total))
        return found


@lru_cache(maxsize=1 << 16)
def growths(
    numbers: BuildingNumbers,
    scoring: ScoringNumbers,
    coming: tuple[int, ...],
    height: int,
    top: int,
    values: tuple[int, ...],
) -> tuple[int, ...]:
    """The most a tower can be worth with 0, 1, 2 … of these values laid on it; ``coming`` are the cards of
    its type that can still come."""
    found = [tower_worth(numbers, scoring, coming, height, top)]
    for index, value in enumerate(values):
        if fits(numbers, top, value):
            rest = values[:index] + values[index + 1 :]
            for count, worth in enumerate(growths(numbers, scoring, coming, height + 1, value, rest), 1):
                if count == len(found):
                    found.append(worth)
                found[count] = max(worth, found[count])
    return tuple(found)


def tower_worth(
    numbers: BuildingNumbers, scoring: ScoringNumbers, coming: tuple[int, ...], height: int, top: int
) -> int:
    """The worth of a tower: what its cards score, and what may still come of it (five towers 8.5)."""
    if top == numbers.tops:
        return POINT * scoring.card_in_topped_tower * height
    fitting = [value_of(later) for later in coming if fits(numbers, top, value_of(later))]
    return (
        POINT * scoring.card * height + GROWTH * len(fitting) + TOPPING * height * (numbers.tops in fitting)
    )
