"""How strong the bots are and what they cost: ``python -m tests.bench.bots [GAMES] [SECONDS] [PYTHON]``.

For each game with two seats: every bot against ``greedy``, with at most so many seconds of processor time an
answer, seats changing and luck in pairs; the share of games won with its 95 % interval (Wilson), and the mean
time of an answer. Then, if a Python is named that has catanatron, random playouts of Oak with four seats
beside those of catanatron's random players, both by processor time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

from oaknet import registry
from oaknet.bots import BOTS, bot
from oaknet.kernel import CHANCE, Game, Rng
from oaknet.kernel.rng import sample
from oaknet_client.arena import pairings, standings, timed
from oaknet_client.runners import local
from tests.bench.playouts import played

CATANATRON = """
import random, time
from catanatron import Color, Game, RandomPlayer
random.seed(1)
begin, actions, games = time.process_time(), 0, 0
while time.process_time() - begin < 5:
    game = Game([RandomPlayer(color) for color in Color])
    game.play()
    state = game.state
    actions += len(getattr(state, "actions", None) or state.action_records)
    games += 1
spent = time.process_time() - begin
print(actions / spent, games / spent)
"""


def answer_time(game: str, name: str, seconds: float, answers: int = 12) -> float:
    """Mean processor time of an answer over one game of two by ``greedy``, in seconds."""
    mind, greedy = timed(bot(name, game), seconds), bot("greedy", game)
    state, rng, luck = Game[Any].new(registry.rules(game), 2), Rng(b"time"), Rng(b"luck")
    spent: list[float] = []
    number = 0
    while state.pending:
        ask = state.pending[0]
        if ask.seat == CHANCE:
            state.answer(CHANCE, sample(luck, ask))
            continue
        number += 1
        if number % 8 == 0 and len(spent) < answers:
            begin = time.thread_time()
            mind(state.clone(), ask.seat, rng)
            spent.append(time.thread_time() - begin)
        state.answer(ask.seat, greedy(state, ask.seat, rng))
    return sum(spent) / len(spent)


def strengths(games: int, seconds: float) -> None:
    """The table for the README."""
    print(f"| bot against greedy, {games} games of two, {seconds:g} s | 5 Towers | Oak | an answer |")
    print("|---|---|---|---|")
    for name in BOTS:
        if name == "greedy":
            continue
        cells: list[str] = []
        times: list[float] = []
        for game in registry.games():
            plan = list(pairings(game, None, {}, (name, "greedy"), games, b"bots", seconds=seconds))
            results = [each for _, each in sorted(local(plan, os.cpu_count() or 1), key=lambda one: one[0])]
            (row,) = (row for row in standings(results) if row.bot == name)
            cells.append(f"{row.share:.0%} ({row.low:.0%}–{row.high:.0%})")
            times.append(answer_time(game, name, seconds))
        print(f"| {name} | {' | '.join(cells)} | {' / '.join(f'{1000 * each:.1f}' for each in times)} ms |")


def anchor(python: str) -> None:
    """Random playouts beside catanatron's."""
    start, rng = Game[Any].new(registry.rules("oak"), 4), Rng(b"anchor")
    begin, answers, games = time.process_time(), 0, 0
    while (spent := time.process_time() - begin) < 5:
        answers += played(start.clone(keep=False), rng)
        games += 1
    mine = answers / spent
    print(f"Oak, 4 random seats:        {mine:>9,.0f} decisions/s, a game {1000 * spent / games:>5.1f} ms")
    done = subprocess.run([python, "-c", CATANATRON], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"catanatron: not measured: {done.stderr.strip().splitlines()[-1]}")
        return
    theirs, rate = map(float, done.stdout.split())
    print(f"catanatron, 4 random seats: {theirs:>9,.0f} decisions/s, a game {1000 / rate:>5.1f} ms")
    print(f"Oak beside catanatron:      {mine / theirs:>9.2f} x the decisions")


def main(games: int = 100, seconds: float = 0.2, python: str = "") -> None:
    if games:
        strengths(games, seconds)
    if python:
        anchor(python)


if __name__ == "__main__":
    main(*(kind(text) for kind, text in zip((int, float, str), sys.argv[1:], strict=False)))  # type: ignore[arg-type]
