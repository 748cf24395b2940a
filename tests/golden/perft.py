"""Numbers of distinct lines of player answers, to some depth, from fixed positions (perft).

A number that changes is a rule that changed. Chance is answered from a fixed seed, and in a phase the lowest
seat answers first, so that the number does not depend on orders that make no difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from oaknet.kernel import CHANCE, Game, Rng, resolve
from oaknet.kernel.rng import sample
from tests.golden.playthrough import rules, tables

FILE = Path(__file__).parent / "perft.json"
POSITIONS = 20
"""A game, spread over its seat counts."""
LINES = 1000
"""A position is counted as deep as its lines stay below this number."""
DEEPEST = 5


def position(name: str, seats: int, after: int) -> Game[Any]:
    """The game after so many drawn answers of players, chance resolved."""
    game, rng = Game.new(rules(name), seats), Rng(f"perft {name} {seats} {after}".encode())
    resolve(game, rng)
    for _ in range(after):
        if not game.pending:
            break
        ask = game.pending[0]
        game.answer(ask.seat, ask.options[rng.below(len(ask.options))])
        resolve(game, rng)
    return game


def lines(game: Game[Any], depth: int, limit: int | None = None) -> int:
    """How many lines of ``depth`` answers there are, or of fewer if the game ends; at most ``limit``."""
    while game.pending and game.pending[0].seat == CHANCE:
        game.answer(CHANCE, sample(Rng(bytes([depth])), game.pending[0]))
    if not depth or not game.pending:
        return 1
    ask, total = game.pending[0], 0
    if depth == 1:
        return len(ask.options)
    for option in ask.options:
        twin = game.clone()
        twin.answer(ask.seat, option)
        total += lines(twin, depth - 1, limit)
        if limit is not None and total > limit:
            break
    return total


def places() -> list[tuple[str, int, int]]:
    """The positions: game, seats, and how many answers have been given."""
    found = []
    for name in dict.fromkeys(name for name, _, _ in tables()):
        counts = list(rules(name).seats)
        longest = {seats: answers_of(name, seats) for seats in counts}
        for index in range(POSITIONS):
            seats = counts[index % len(counts)]
            found.append((name, seats, longest[seats] * index // POSITIONS * 4 // 5))
    return found


def answers_of(name: str, seats: int) -> int:
    """How many answers players give in a game of drawn answers."""
    game, rng, count = Game.new(rules(name), seats), Rng(b"length"), 0
    resolve(game, rng)
    while game.pending:
        ask = game.pending[0]
        game.answer(ask.seat, ask.options[rng.below(len(ask.options))])
        resolve(game, rng)
        count += 1
    return count


def counted() -> str:
    """The text of a new file."""
    rows = []
    for name, seats, after in places():
        depth = 1
        while depth < DEEPEST and lines(position(name, seats, after), depth + 1, LINES) <= LINES:
            depth += 1
        row = {"game": name, "seats": seats, "after": after, "depth": depth}
        rows.append(json.dumps({**row, "lines": lines(position(name, seats, after), depth)}))
    return "[\n" + ",\n".join(rows) + "\n]\n"
