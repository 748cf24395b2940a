"""The greedy bot and the stand-in (five towers 8.4)."""

from __future__ import annotations

import pytest

from oaknet import bots
from oaknet.five_towers import State
from oaknet.five_towers.greedy import best_answers, greedy
from oaknet.kernel import CHANCE, Game, Option, Rng, resolve
from tests.engine.five_towers.positions import RULES, asked, auction, cards, new_game

FIVE = "candy 15, scary 15, tree 15, scrap 15, sand 15"


def against_random(seats: int, greedy_seat: int, seed: bytes) -> Game[State]:
    """A finished game of one greedy bot among random ones."""
    game, rng = new_game(seats), Rng(seed)
    while game.pending:
        seat = game.pending[0].seat
        if seat == CHANCE:
            resolve(game, rng)
        else:
            game.answer(seat, (greedy if seat == greedy_seat else bots.random)(game, seat, rng))
    return game


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_greedy_beats_random(seats: int) -> None:
    games = [against_random(seats, n % seats, b"%d" % n) for n in range(20)]
    won = sum(RULES.winners(game.state) == (n % seats,) for n, game in enumerate(games))
    assert won >= 18


def best(game: Game[State]) -> list[Option]:
    return best_answers(game.state, game.pending[0])


def test_it_takes_everything_that_is_good() -> None:
    assert best(auction({}, {}, display=FIVE)) == [5]


def test_it_passes_on_a_card_that_would_spoil_a_promising_tower() -> None:
    game = auction({}, {}, display="candy 1", deck="candy 15, candy 14, candy 13, candy 12, candy 11")
    assert best(game) == ["pass", 0]


def test_it_tops_a_high_tower() -> None:
    game = auction({"candy": (15, 14, 12)}, {}, display="candy 0, tree 3").play(1, "pass", "none")
    assert best(game) == [("candy", 0)]


def test_it_tears_nothing_down_for_nothing() -> None:
    game = auction({"candy": (15, 14)}, {}, display="candy 3, tree 3").play(1, "pass")
    assert best(game) == ["none"]


def test_it_tears_down_what_is_in_the_way() -> None:
    game = auction(
        {"candy": (15, 1)}, {}, display="candy 13, candy 12, candy 11, candy 10, candy 3", start_player=1
    )
    game.play("pass")
    assert best(game) == [5]
    game.play(5)
    assert game.state.players[0].torn_down == cards("candy 1")


def test_it_tears_down_a_low_card_to_build_a_better_one() -> None:
    later = "candy 11, candy 10, candy 9, sand 15, sand 14, sand 13"
    game = auction({"candy": (15, 14, 13, 2)}, {}, display="candy 12, sand 1", deck=later).play(1, "pass")
    assert best(game) == ["candy"]
    game.play("candy")
    assert best(game) == [("candy", 12)]


def test_it_does_not_tear_down_what_costs_more_than_it_brings() -> None:
    game = auction({"candy": (15, 5)}, {}, display="candy 6", deck="candy 5")
    game.state.players[0].torn_down = cards("sand 1, sand 2, sand 3")
    assert best(game) == ["pass", 0]


def test_discards_count_as_cards_to_come_the_first_time_through_only() -> None:
    later = "candy 15, candy 14, candy 13, candy 12, candy 11"
    assert best(auction({}, {}, display="candy 1", discards=later, times_through=1)) == ["pass", 0]
    assert best(auction({}, {}, display="candy 1", discards=later, times_through=2)) == [1]


def test_it_bids_a_little_more_while_others_may_outbid_it() -> None:
    game = auction({}, {}, display="tree 1", deck="tree 5, tree 6, tree 7")
    assert best(game) == [1]
    game.play("pass")
    assert best(game) == ["pass", 0]


@pytest.mark.parametrize(
    ("deck", "card"), [("candy 0, tree 1", ("candy", 5)), ("candy 1, tree 0", ("tree", 5))]
)
def test_it_prefers_a_tower_that_can_still_be_topped(deck: str, card: tuple[str, int]) -> None:
    game = auction({}, {}, display="candy 5, tree 5", deck=deck).play(1, "pass")
    assert best(game) == [card]


def test_greedy_picks_one_of_the_best_answers() -> None:
    game = auction({}, {}, display="candy 3, tree 3").play(1, "pass")
    picks = [greedy(game, 0, Rng(b"%d" % n)) for n in range(20)]
    assert {*picks} == {("candy", 3), ("tree", 3)} == {*best(game)}


def test_the_stand_in_gives_the_first_of_the_best_answers() -> None:
    game = auction({}, {}, display="candy 3, tree 3").play(1, "pass")
    before = game.digest()
    assert RULES.stand_in(game, 0) == ("candy", 3)
    assert game.digest() == before


def test_who_is_not_asked_has_no_stand_in() -> None:
    game = auction({}, {}, display=FIVE)
    assert asked(game)[0] == 0
    with pytest.raises(AssertionError, match="seat 1 is not asked"):
        RULES.stand_in(game, 1)
    with pytest.raises(AssertionError, match="seat 1 is not asked"):
        greedy(game, 1, Rng(b""))


@pytest.mark.parametrize("seats", [2, 5])
def test_stand_ins_alone_play_a_game_to_its_end(seats: int) -> None:
    game, rng = new_game(seats), Rng(b"absent")
    while game.pending:
        seat = game.pending[0].seat
        if seat == CHANCE:
            resolve(game, rng)
        else:
            game.answer(seat, RULES.stand_in(game, seat))
    assert min(RULES.score(game.state)) > 0
