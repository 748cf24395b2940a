"""What bots take things to be worth, in hundredths of a point, reckoned by hand (five towers 8.4).

The numbers of the box all differ here, so that none can stand for another.
"""

from __future__ import annotations

import pytest

from oaknet.five_towers import make
from oaknet.five_towers.greedy import Outlook
from oaknet.five_towers.prospects import prospects
from oaknet.five_towers.state import AUCTION, Player, State
from oaknet.kernel import Deck
from oaknet.registry import data_text
from tests.engine.five_towers.positions import TYPES, cards

OTHER = {
    "card = { value = 1": "card = { value = 3",
    "card_in_topped_tower = { value = 2": "card_in_topped_tower = { value = 5",
    "card_in_highest_tower = { value = 1": "card_in_highest_tower = { value = 7",
    "torn_down = { value = [0, 1, 3,": "torn_down = { value = [0, 2, 11,",
}


def outlook(**towers: tuple[int, ...]) -> Outlook:
    """Of seat 0, which has torn one card down; to come are candy 3 and 0, tree 2 and scary 1, if not more."""
    text = data_text("five_towers")
    for old, new in OTHER.items():
        assert f"\n{old}" in text
        text = text.replace(f"\n{old}", f"\n{new}")
    rules = make(text)
    player = Player([towers.get(name, ()) for name in TYPES], cards("sand 9"))
    deck = Deck(cards("candy 3, candy 0, tree 2, scary 1"))
    display, discards = cards("candy 10, tree 4"), cards("scrap 5")
    state = State(
        rules.data.box, [player, Player([()] * 5)], deck, display, discards, AUCTION, times_through=2
    )
    return Outlook(state, 0)


BUILT = {
    0: -200 + (600 + 140 + 80) + 1000 + 70 + 1400,
    1: -200 + (900 + 140 + 120) + 1000 + 70 + 2100,
    2: -200 + (900 + 140 + 120) + 1000 + (300 + 70) + 2100,
}
"""With candy 15, 12 (two may still come on it, one tops it) and scary 9, 0; a tree may begin with 2."""


def test_worth_of_the_best_way_to_build_so_many() -> None:
    mine = outlook(candy=(15, 12), scary=(9, 0))
    assert mine.builds(mine.player.towers, mine.s.display) == BUILT


def test_better_of_two_ways_to_build_so_many_counts() -> None:
    """Both lead to as high a tower: candy 2 leaves less to come on it than tree 4 does."""
    mine = outlook(candy=(15, 12), tree=(15, 12))
    candy, tree, scary = (600 + 140 + 80, 900 + 70 + 120), (600 + 70, 900 + 70), 70
    assert mine.builds(mine.player.towers, cards("candy 2, tree 4")) == {
        0: -200 + candy[0] + tree[0] + scary + 1400,
        1: -200 + candy[0] + tree[1] + scary + 2100,
        2: -200 + candy[1] + tree[1] + scary + 2100,
    }


def test_card_is_laid_once() -> None:
    """Another 9 would go on a 9."""
    mine = outlook(candy=(15,))
    mine.s.display, mine.s.owed = cards("candy 9, tree 4"), 2
    assert mine.lay_card(("candy", 9)) == -200 + (600 + 140 + 80) + (300 + 70) + 70 + 1400


def test_card_more_torn_down_costs_what_the_box_says() -> None:
    mine = outlook(candy=(15, 12), scary=(9, 0))
    torn = mine.builds(mine.player.towers, mine.s.display, torn=1)
    assert torn == {number: worth + 200 - 1100 for number, worth in BUILT.items()}


def test_discards_may_come_again_the_first_time_through() -> None:
    mine = outlook()
    assert mine.builds(mine.player.towers, [])[0] == -200 + 140 + 70 + 70
    mine.s.times_through = 1
    again = Outlook(mine.s, 0)
    assert again.builds(mine.player.towers, [])[0] == -200 + 140 + 70 + 70 + 70


def test_bid_is_worth_more_while_somebody_may_outbid_it() -> None:
    mine = outlook(candy=(15, 12), scary=(9, 0))
    worth = [mine.bid(option) for option in ("pass", 0, 1, 2)]
    assert worth == [BUILT[0], BUILT[0], BUILT[1] + 40, BUILT[2] + 80]
    mine.s.bids = [-1]
    last = Outlook(mine.s, 0)
    assert [last.bid(option) for option in ("pass", 0, 1, 2)] == [BUILT[0], *BUILT.values()]


def test_bid_counts_what_tearing_down_makes_room_for() -> None:
    """Candy 10 does not go on candy 1: without that card there are 10 more points and room for candy 10."""
    mine = outlook(candy=(15, 1))
    mine.s.bids = [-1]
    kept = -200 + (600 + 70 + 80) + 70 + 70 + 1400
    assert mine.bid(1) == kept + 300
    torn = -1100 + (600 + 140 + 80) + 70 + (300 + 70) + 1400
    assert mine.bid(2) == torn
    mine.s.owed = 1
    assert mine.tear_down("none") == kept + 300
    assert mine.tear_down("candy") == -1100 + (600 + 140 + 80) + 70 + 70 + 1400


@pytest.mark.parametrize(("option", "worth"), [(("candy", 10), BUILT[1]), (("tree", 4), BUILT[0] + 300)])
def test_card_is_worth_what_the_towers_are_with_it(option: tuple[str, int], worth: int) -> None:
    mine = outlook(candy=(15, 12), scary=(9, 0))
    mine.s.owed = 1
    assert mine.lay_card(option) == worth
    mine.s.owed = 2
    assert mine.lay_card(option) == BUILT[2]


def test_prospects_of_each_seat_are_its_points_and_what_may_still_come() -> None:
    """The root of 2 · 250² is 353: of two cards that may come the second counts less."""
    mine = outlook(candy=(15, 12), scary=(9, 0))
    points = 100 * (2 * 3 + 2 * 5 + 2 * 7 - 2)
    candy, tree, scary = 80 + 353, 40 + 250, 40 + 250
    assert prospects(mine.s) == [points + candy + 2 * 40 + tree, candy + tree + scary]
