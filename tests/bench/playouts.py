"""How fast the games play: ``python -m tests.bench.playouts [SECONDS]``.

For each game and seat count: random playouts on throwaway copies (decisions of players and of chance a
second, whole games a second), and what one copy and one digest cost, at the start of a stage and within it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from oaknet import registry
from oaknet.kernel import Game, Rng


def played(game: Game[Any], rng: Rng) -> int:
    """Play to the end with drawn answers; returns the number of answers."""
    answers = 0
    while game.pending:
        ask = game.pending[0]
        game.answer(ask.seat, ask.options[rng.below(len(ask.options))])
        answers += 1
    return answers


def positions(start: Game[Any], rng: Rng) -> tuple[list[Game[Any]], list[Game[Any]]]:
    """The positions of a random game: those where a stage begins, and the others."""
    begun: list[Game[Any]] = []
    within: list[Game[Any]] = []
    game = start.clone()
    while game.pending:
        (within if game.answers else begun).append(game.clone())
        ask = game.pending[0]
        game.answer(ask.seat, ask.options[rng.below(len(ask.options))])
    return begun, within


def micros(games: list[Game[Any]], do: Callable[[Game[Any]], object]) -> float:
    """Mean time of one call, in microseconds, the best of five rounds."""
    if not games:
        return 0.0
    rounds: list[float] = []
    for _ in range(5):
        begin = time.perf_counter()
        for game in games:
            do(game)
        rounds.append(time.perf_counter() - begin)
    return min(rounds) / len(games) * 1e6


def measure(name: str, seats: int, seconds: float) -> str:
    start, rng = Game[Any].new(registry.rules(name), seats), Rng(b"bench")
    games = answers = 0
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        answers += played(start.clone(keep=False), rng)
        games += 1
    begun, within = positions(start, rng)
    costs = [micros(part, do) for do in (Game[Any].clone, Game[Any].digest) for part in (begun, within)]
    figures = "".join(f"{cost:>10.1f}" for cost in costs)
    return (
        f"{name:<12}{seats:>5}{answers / spent:>13,.0f}{games / spent:>9.1f}{answers / games:>9.0f}{figures}"
    )


def main(seconds: float) -> None:
    print(f"Python {sys.version.split()[0]}, {seconds:g} s each; times in µs (stage start, within a stage)")
    heads = ("decisions/s", "games/s", "a game", "clone", "within", "digest", "within")
    widths = (13, 9, 9, 10, 10, 10, 10)
    print(f"{'game':<12}{'seats':>5}" + "".join(f"{h:>{w}}" for h, w in zip(heads, widths, strict=True)))
    for name in registry.games():
        for seats in registry.rules(name).seats:
            print(measure(name, seats, seconds))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
