"""Points and victory (five towers 7)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from oaknet.five_towers.scoring import torn_down_penalty
from tests.engine.five_towers.positions import RULES, Towers, auction, cards

SHOWN = "candy 1"


def breakdown(standing: Towers, torn_down: str = "") -> dict[str, int]:
    game = auction(standing, {}, display=SHOWN)
    game.state.players[0].torn_down = cards(torn_down)
    parts = RULES.breakdown(game.state, 0)
    assert sum(parts.values()) == RULES.score(game.state)[0]
    return parts


def test_each_card_counts_one() -> None:
    assert breakdown({"candy": (9, 4), "sand": (3,)}) == {
        "cards": 3,
        "topped towers": 0,
        "highest tower": 2,
        "torn down": 0,
    }


def test_each_card_of_a_topped_tower_counts_two() -> None:
    assert breakdown({"candy": (9, 4, 0), "sand": (3,)}) == {
        "cards": 1,
        "topped towers": 6,
        "highest tower": 3,
        "torn down": 0,
    }


def test_a_tower_of_nothing_but_a_0_is_topped() -> None:
    assert breakdown({"tree": (0,)})["topped towers"] == 2


def test_of_equally_high_towers_one_counts() -> None:
    assert breakdown({"candy": (9, 4), "sand": (3, 2), "tree": (1,)})["highest tower"] == 2


def test_the_height_is_the_number_of_cards() -> None:
    assert breakdown({"candy": (15,), "sand": (3, 2, 1)})["highest tower"] == 3


def test_without_towers_nothing_is_scored() -> None:
    assert set(breakdown({}).values()) == {0}


def test_everybody_has_a_highest_tower_of_their_own() -> None:
    game = auction({"candy": (9, 4)}, {"sand": (3,)}, display=SHOWN)
    assert RULES.score(game.state) == (4, 2)


@pytest.mark.parametrize(
    ("torn_down", "lost"),
    [
        ("sand 1", 1),
        ("sand 1, sand 2", 3),
        ("sand 1, sand 2, sand 3", 6),
        ("sand 1, sand 2, sand 3, sand 4", 10),
    ],
)
def test_torn_down_cards_cost_one_more_each(torn_down: str, lost: int) -> None:
    assert breakdown({"candy": (9,)}, torn_down)["torn down"] == -lost


def test_the_penalty_goes_on_beyond_the_printed_table() -> None:
    numbers = RULES.data.box.scoring
    costs = [torn_down_penalty(numbers, n) for n in range(40)]
    assert [after - before for before, after in pairwise(costs)] == list(range(1, 40))
    assert len(numbers.torn_down) < 40


def test_points_may_be_fewer_than_none() -> None:
    game = auction({}, {}, display=SHOWN)
    game.state.players[1].torn_down = cards("sand 1, sand 2")
    assert RULES.score(game.state) == (0, -3)
    assert RULES.winners(game.state) == (0,)


def test_most_points_win() -> None:
    game = auction({"candy": (9,)}, {"sand": (3, 2)}, {"tree": (1,)}, display=SHOWN)
    assert RULES.winners(game.state) == (1,)


def test_equal_points_share_the_victory() -> None:
    game = auction({"candy": (9, 1)}, {"sand": (3,)}, {"tree": (5, 2)}, display=SHOWN)
    assert RULES.winners(game.state) == (0, 2)


def test_more_cards_do_not_break_a_tie() -> None:
    game = auction({"candy": (9, 0)}, {"sand": (3, 2), "tree": (1,), "candy": (2,)}, display=SHOWN)
    assert RULES.score(game.state) == (6, 6)
    assert RULES.winners(game.state) == (0, 1)
