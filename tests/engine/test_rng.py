"""Integers from a seed (engine 3.3)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from oaknet.kernel import CHANCE, Game, Rng, chance, choose, resolve, weighted
from tests.engine.chi_square import alike, fits
from tests.engine.script import Notes, script


@pytest.mark.parametrize("n", [2, 3, 4, 6, 7, 10, 24, 30, 51])
def test_below_is_even(n: int) -> None:
    rng = Rng(b"below")
    assert fits(Counter(rng.below(n) for _ in range(200 * n)), dict.fromkeys(range(n), 1))


def test_a_bad_generator_would_not_pass() -> None:
    rng = Rng(b"below")
    assert not fits(Counter(rng.word() % 8 % 6 for _ in range(1200)), dict.fromkeys(range(6), 1))
    assert not alike(Counter(rng.below(6) for _ in range(1200)), Counter(i % 2 for i in range(1200)))


def test_pairs_of_numbers_are_even_too() -> None:
    rng = Rng(b"pairs")
    pairs = Counter((rng.below(5), rng.below(6)) for _ in range(6000))
    assert fits(pairs, {(a, b): 1 for a in range(5) for b in range(6)})


def test_first_numbers_of_neighbouring_seeds_are_even() -> None:
    first = Counter(Rng(i.to_bytes(4, "big")).below(6) for i in range(1200))
    assert fits(first, dict.fromkeys(range(6), 1))


def test_below_stays_below() -> None:
    rng = Rng(b"bounds")
    for n in (1, 2, 3, 2**63, 2**63 + 1, 2**64 - 1, 2**64):
        assert all(0 <= rng.below(n) < n for _ in range(50))


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_below_has_its_bounds(n: int) -> None:
    with pytest.raises(ValueError, match="has no answer"):
        Rng(b"").below(n)


def test_words_that_would_favour_small_remainders_are_passed_over() -> None:
    class Given(Rng):
        def word(self) -> int:
            return words.pop(0)

    words = [2**64 - 1, 2**64 - 6, 17]  # the limit for 10 is 2**64 - 6
    assert Given(b"").below(10) == 7
    assert words == []


def test_the_same_seed_gives_the_same_words_and_another_gives_others() -> None:
    words = [[rng.word() for _ in range(5)] for rng in (Rng(b"a"), Rng(b"a"), Rng(b"b"), Rng(b""))]
    assert words[0] == words[1]
    assert len({word for row in words[1:] for word in row}) == 15


def test_weights_are_kept() -> None:
    rng, weights = Rng(b"weights"), (1, 2, 3, 4)
    assert fits(Counter(weighted(rng, weights) for _ in range(5000)), dict(enumerate(weights)))


def test_a_weight_of_nearly_everything_leaves_the_rest_possible() -> None:
    rng = Rng(b"weights")
    seen = Counter(weighted(rng, (1, 500, 1)) for _ in range(5000))
    assert all(seen[i] for i in range(3))
    assert fits(seen, {0: 1, 1: 500, 2: 1})


def test_all_orders_are_equally_likely() -> None:
    rng = Rng(b"shuffled")
    orders = Counter(rng.shuffled(4) for _ in range(4800))
    assert len(orders) == 24
    assert fits(orders, dict.fromkeys(orders, 1))


@pytest.mark.parametrize("n", [0, 1, 2, 60])
def test_a_shuffle_loses_nothing(n: int) -> None:
    assert sorted(Rng(b"s").shuffled(n)) == list(range(n))


async def draws(s: Notes) -> None:
    for _ in range(3):
        s.marks.append(await chance("die", (1, 2, 3), (1, 2, 3)))
    await choose(0, "go on", (1, 2))
    s.marks.append(await chance("die", (1, 2, 3), (1, 2, 3)))


def test_resolve_answers_chance_alone_and_stops_at_a_seat() -> None:
    game = script(draws)
    resolve(game, Rng(b"r"))
    assert len(game.state.marks) == 3
    assert game.pending[0].about == "go on"
    before = game.digest()
    resolve(game, Rng(b"other"))
    assert game.digest() == before
    game.play(1)
    assert game.pending[0].seat == CHANCE
    resolve(game, Rng(b"r"))
    assert game.over
    resolve(game, Rng(b"r"))


def test_draws_of_a_game_have_their_weights() -> None:
    def drawn(i: int) -> list[int]:
        game: Game[Any] = script(draws)
        resolve(game, Rng(b"game" + i.to_bytes(4, "big")))
        return list(game.state.marks)

    seen = Counter(mark for i in range(800) for mark in drawn(i))
    assert fits(seen, {1: 1, 2: 2, 3: 3})
