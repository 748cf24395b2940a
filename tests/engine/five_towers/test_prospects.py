"""What a seat may expect of its towers (engine 7.6)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from oaknet import bots
from oaknet.five_towers.prospects import POINT, growth, prospects
from oaknet.kernel import CHANCE, Rng
from oaknet.kernel.rng import sample
from oaknet.mcts import HARD_JUDGED, think
from tests.engine.five_towers.positions import RULES, auction, cards, new_game

BOX = RULES.data.box


def grown(*, by: str, tower: tuple[int, ...] = (12,)) -> int:
    return growth(BOX, tower, cards(by))


def test_a_card_to_come_adds_less_the_more_there_are() -> None:
    worths = [grown(by=", ".join(f"candy {n}" for n in range(1, number + 1))) for number in range(8)]
    steps = [after - before for before, after in pairwise(worths)]
    assert worths[0] == 0
    assert steps == sorted(steps, reverse=True)
    assert min(steps) > 0


def test_only_cards_that_fit_count() -> None:
    assert grown(by="candy 13, candy 14") == 0
    assert grown(by="candy 9, candy 13") == grown(by="candy 9") > 0
    assert grown(by="candy 13, candy 14", tower=()) > 0
    assert grown(by="candy 3", tower=(5, 0)) == 0


def test_a_0_to_come_promises_more_to_a_higher_tower() -> None:
    high, low = (15, 14, 13, 12), (12,)
    assert grown(by="candy 0", tower=high) > grown(by="candy 0", tower=low) > grown(by="candy 1", tower=low)
    assert grown(by="candy 1", tower=high) == grown(by="candy 1", tower=low)


def test_discards_that_come_again_promise_what_the_deck_promises() -> None:
    later = "candy 3, tree 5"
    shuffled = auction({}, {"tree": (4,)}, display="sand 1", deck=later)
    waiting = auction({}, {"tree": (4,)}, display="sand 1", discards=later, times_through=1)
    gone = auction({}, {"tree": (4,)}, display="sand 1", discards=later)
    assert prospects(shuffled.state) == prospects(waiting.state)
    assert prospects(gone.state) == [0, 2 * POINT]


@pytest.mark.parametrize("seats", [2, 5])
def test_at_the_end_nothing_is_left_to_expect_but_the_points(seats: int) -> None:
    game, rng = new_game(seats), Rng(b"end")
    while game.pending:
        ask = game.pending[0]
        answer = sample(rng, ask) if ask.seat == CHANCE else ask.options[rng.below(len(ask.options))]
        game.answer(ask.seat, answer)
    assert prospects(game.state) == [POINT * points for points in RULES.score(game.state)]


def test_hard_denies_a_card_that_greedy_leaves_to_who_needs_it_more() -> None:
    later = "candy 11, candy 12, candy 13, candy 14, candy 15"
    game = auction({}, {"candy": (15, 14, 13, 12, 11, 10)}, display="candy 0", deck=later)
    base = bots.bot("greedy", "five_towers")
    assert base(game, 0, Rng(b"g")) in ("pass", 0)
    assert base(game.clone().play("pass"), 1, Rng(b"g")) == 1
    assert think(game, 0, Rng(b"h"), base, replace(HARD_JUDGED, playouts=40), prospects) == 1


def test_the_value_that_tops_is_that_of_the_box() -> None:
    other = replace(BOX, building=replace(BOX.building, tops=3))
    one, three, four = (growth(other, (12,), cards(f"candy {value}")) for value in (1, 3, 4))
    assert one == four < three
