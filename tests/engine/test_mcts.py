"""Bots that look ahead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from oaknet import bots, registry
from oaknet.kernel import CHANCE, Ask, Game, Option, Rng, root
from oaknet.kernel.rng import sample
from oaknet.mcts import EASY, HARD, HARD_JUDGED, NORMAL, Luck, Search, Strength, think
from tests.engine.toys import Market

SHORT = replace(HARD, playouts=12)


def midgame(name: str, seats: int, answers: int) -> Game[Any]:
    """A position after so many drawn answers, where a player is asked."""
    game, rng = Game[Any].new(registry.rules(name), seats), Rng(b"midgame")
    while answers > 0 or game.pending[0].seat == CHANCE:
        ask = game.pending[0]
        game.answer(ask.seat, ask.options[rng.below(len(ask.options))])
        answers -= 1
    return game


@pytest.mark.parametrize("n", [*range(70), 99, 100, 10**12 - 1, 10**12, 2**64 - 1])
def test_the_whole_part_of_a_square_root(n: int) -> None:
    assert root(n) ** 2 <= n < (root(n) + 1) ** 2


@pytest.mark.parametrize("strength", [EASY, NORMAL, SHORT], ids=["easy", "normal", "hard"])
@pytest.mark.parametrize(("name", "seats"), [("oak", 1), ("oak", 3), ("five_towers", 2), ("five_towers", 5)])
def test_the_answer_is_offered_repeatable_and_leaves_the_game_alone(
    name: str, seats: int, strength: Strength
) -> None:
    strength = replace(strength, playouts=min(strength.playouts, 6))
    game, base = midgame(name, seats, 40), bots.bot("greedy", name)
    ask, before = game.pending[0], game.digest()
    found = [think(game, ask.seat, Rng(b"s"), base, strength) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0] in ask.options
    assert game.digest() == before


def last_option(game: Game[Any], seat: int, rng: Rng) -> Option:
    ask = game.asked(seat)
    assert ask is not None
    return ask.options[0]


def test_a_gain_that_the_base_policy_misses_is_found() -> None:
    game = Game[Any].new(Market(), 2).play(0, 0)
    assert (game.pending[0].about, game.pending[0].options) == ("tip", (0, 1, 2))
    assert last_option(game, 0, Rng(b"")) == 0
    assert think(game, game.pending[0].seat, Rng(b"x"), last_option, SHORT) == 2


def test_phases_of_all_seats_are_played() -> None:
    game = Game[Any].new(Market(), 3)
    assert len(game.pending) == 3
    assert think(game, 2, Rng(b"x"), bots.random, SHORT) in (0, 1, 2)
    game.answer(0, 1)
    assert think(game, 1, Rng(b"x"), bots.random, SHORT) in (0, 1, 2)


def test_thinking_stops_when_it_is_told_to() -> None:
    game, asked = midgame("oak", 2, 30), []

    def more() -> bool:
        asked.append(1)
        return len(asked) < 4

    seat = game.pending[0].seat
    base = bots.bot("greedy", "oak")
    assert think(game, seat, Rng(b"x"), base, HARD, more=more) == base(game, seat, Rng(b"y"))
    assert len(asked) == 4


def test_luck_is_the_same_for_the_same_deck_whatever_else_is_drawn() -> None:
    cards = Ask(CHANCE, "cards", (1, 2, 3, 4, 5, 6), (1,) * 6)
    coins = Ask(CHANCE, "coins", (0, 1), (1, 1))
    one, other = Luck(b"seed"), Luck(b"seed")
    plain = [one.draw(cards) for _ in range(20)]
    mixed = [(other.draw(coins), other.rng.below(9), other.draw(cards))[2] for _ in range(20)]
    assert plain == mixed
    assert len({*plain}) > 1


def test_slips_are_drawn_from_all_answers_and_as_often_as_said() -> None:
    game = midgame("oak", 2, 30)
    ask, slipping = game.pending[0], replace(EASY, playouts=0, slips=40)
    found = [think(game, ask.seat, Rng(b"%d" % n), last_option, slipping) for n in range(200)]
    others = [option for option in found if option != ask.options[0]]
    assert {*found} == {*ask.options}
    assert len(others) * len(ask.options) // (len(ask.options) - 1) in range(60, 101)
    assert {
        think(game, ask.seat, Rng(b"%d" % n), last_option, replace(slipping, slips=0)) for n in range(9)
    } == {ask.options[0]}


def test_draws_in_a_row_count_as_one_before_luck_runs_out() -> None:
    game, luck, asked = Game[Any].new(registry.rules("five_towers"), 2), Luck(b"seed", 2), []
    while (ask := luck.next(game)) is not None:
        asked.append(ask.about)
        game.answer(ask.seat, luck.draw(ask) if ask.seat == CHANCE else "pass" if ask.about == "bid" else 0)
    assert asked == ["reveal"] * 5 + ["bid"] * 2
    assert game.pending[0].seat == CHANCE


@pytest.mark.parametrize("draws", [1, 2])
def test_prospects_are_asked_before_the_draw_that_ends_a_playout(draws: int) -> None:
    game, seen = midgame("five_towers", 2, 60), []

    def prospects(s: Any) -> tuple[int, ...]:
        seen.append((s.display, len(s.deck)))
        return (0, 0)

    left, base = len(game.state.deck), bots.bot("greedy", "five_towers")
    think(
        game, game.pending[0].seat, Rng(b"x"), base, replace(HARD_JUDGED, draws=draws, playouts=5), prospects
    )
    assert seen == [([], left - 5 * (draws - 1))] * len(seen)
    assert 1 < len(seen) <= 5


def test_without_prospects_a_playout_goes_on_to_the_end() -> None:
    game, ended = midgame("five_towers", 2, 60), []

    def base(game: Game[Any], seat: int, rng: Rng) -> Option:
        ended.append(game.state.times_through)
        return bots.random(game, seat, rng)

    think(game, game.pending[0].seat, Rng(b"x"), base, replace(HARD_JUDGED, playouts=1))
    assert ended[-1] == 2


def test_the_tree_grows_below_the_answers_and_keeps_to_its_width() -> None:
    game = midgame("five_towers", 2, 60)
    search = Search(game, game.pending[0].seat, Rng(b"t"), bots.bot("greedy", "five_towers"), HARD)
    for _ in range(30):
        search.playout()
    inner, deepest = [(search._root, 0)], 0
    while inner:
        node, depth = inner.pop()
        deepest = max(deepest, depth)
        if depth:
            assert len(node.children) <= 2 + root(HARD.widen * node.visits // 100)
        inner += [(child, depth + 1) for child in node.children.values()]
    assert deepest >= 2
    assert search._root.children
    assert sum(child.visits for child in search._root.children.values()) == 30


def won(name: str, one: bots.Bot, other: bots.Bot, games: int, seed: bytes) -> float:
    """Victories of one bot over another in games of two, seats changing, seeds in pairs."""
    wins = 0.0
    for number in range(games):
        game = Game[Any].new(registry.rules(name), 2)
        luck, thoughts = Rng(seed + bytes([number // 2])), Rng(seed + b"bots" + bytes([number]))
        seats = (one, other) if number % 2 else (other, one)
        while game.pending:
            ask = game.pending[0]
            if ask.seat == CHANCE:
                game.answer(CHANCE, sample(luck, ask))
            else:
                game.answer(ask.seat, seats[ask.seat](game.clone(), ask.seat, thoughts))
        winners = game.rules.winners(game.state)
        wins += (seats.index(one) in winners) / max(1, len(winners))
    return wins


@pytest.mark.parametrize("name", registry.games())
def test_easy_is_beaten_by_greedy(name: str) -> None:
    greedy, easy = bots.bot("greedy", name), bots.bot("easy", name)
    assert won(name, greedy, easy, 4, b"easy") >= 3
