"""Playthroughs as text: every question of a game, its options, the answer and the digest after it.

A file holds the answers, so it can be played again without any bot: `again` makes the text that the rules
of today give. Standard library and engine only: it runs under every Python there is.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from oaknet import registry
from oaknet.kernel import CHANCE, Ask, Game, H, IllegalChoice, Option, Rng, Rules, canonical
from oaknet.kernel.rng import sample
from oaknet.kernel.rules import rules_digest
from tests.engine.toys import Market

FOLDER = Path(__file__).parent / "playthroughs"
TOY = "market"
LONG = 90
"""Option lists with more characters than this are given by their number and hash."""

Answers = Callable[[Game[Any], Ask], Option]


def rules(name: str) -> Rules[Any]:
    return Market() if name == TOY else registry.rules(name)


def tables() -> Iterator[tuple[str, int, str]]:
    """Every game and seat count with its default options, and every other value of an option, such as
    ``eclipse=on``, with a middling number of seats; each has a file."""
    for name in (TOY, *registry.games()):
        seats = rules(name).seats
        for count in seats:
            yield name, count, ""
        for option in rules(name).options:
            for value in option.values[1:]:
                yield name, seats[len(seats) // 2], f"{option.name}={value}"


def file(name: str, seats: int, option: str = "") -> Path:
    return FOLDER / f"{name}-{seats}{'-' if option else ''}{option.replace('=', '-')}.txt"


def head(name: str, seats: int, option: str = "") -> list[str]:
    made = rules(name)
    return [
        f"# {made.title}, {seats} seats{', ' if option else ''}{option}: "
        "seat, question, options, answer, digest after it",
        f"# rules {name} version {made.version} digest {rules_digest(made).hex()}",
    ]


def line(ask: Ask, option: Option, digest: bytes, *, full: bool) -> str:
    listed: Any = [list(ask.options), list(ask.weights)]
    offered = json.dumps([*zip(ask.options, ask.weights, strict=True)] if ask.weights else ask.options)
    if not full or len(offered) > LONG:
        offered = f"{len(ask.options)} options {H('options', canonical(listed)).hex()[:8]}"
    who = "chance" if ask.seat == CHANCE else str(ask.seat)
    return "\t".join([who, ask.about, offered, json.dumps(option), digest.hex()[:16]])


def points(game: Game[Any]) -> str:
    return " ".join(map(str, game.rules.score(game.state)))


def play(name: str, seats: int, answers: Answers, option: str = "") -> Iterator[str]:
    """The lines of a game that is played with these answers.

    The game with the fewest seats has its options in full, the others have them by number and hash.
    """
    chosen = dict([option.split("=")]) if option else {}
    game = Game.new(rules(name), seats, chosen)
    full = seats == game.rules.seats[0]
    yield from head(name, seats, option)
    yield f"start\t{game.digest().hex()}"
    while game.pending:
        ask = game.pending[-1]  # the last seat first: in a phase this is not the order of the answers
        answer = answers(game, ask)
        game.answer(ask.seat, answer)
        row = line(ask, answer, game.digest(), full=full)
        yield row if game.answers else f"{row}\tstage ends, points {points(game)}"
    winners = " ".join(map(str, game.rules.winners(game.state)))
    yield f"end\tpoints {points(game)}\twinners {winners}\t{game.digest().hex()}"


def tupled(value: Any) -> Any:
    return tuple(map(tupled, value)) if isinstance(value, list) else value


def again(name: str, seats: int, text: str, option: str = "") -> str:
    """What the answers of this text lead to now; it stops at an answer that is offered no more."""
    told = [json.loads(row.split("\t")[3]) for row in text.splitlines() if row[0] in "c0123456789"]
    answers = iter(told)
    lines = []
    try:
        for row in play(name, seats, lambda game, ask: tupled(next(answers, None)), option):
            lines.append(row)  # noqa: PERF402 - what came before a refusal is kept
    except IllegalChoice as refused:
        lines.append(f"stopped\t{refused}")
    return "\n".join(lines) + "\n"


def fault(name: str, seats: int, option: str = "") -> str | None:
    """What is wrong with a file: a sentence with what to do, and where it differs; None if nothing is."""
    kept = file(name, seats, option).read_text(encoding="ascii")
    now = again(name, seats, kept, option)
    if kept == now:
        return None
    if kept.splitlines()[1] == head(name, seats)[1]:
        what = f"{name} with {seats} seats plays differently under the same rules: raise their version"
    else:
        what = f"The playthrough of {name} with {seats} seats is of other rules than these"
    shown = difference(kept.splitlines(), now.splitlines())
    return f"{what}; then write it anew (python -m tests.golden.write).\n{shown}"


def difference(kept: list[str], now: list[str]) -> str:
    """The first lines in which a file (-) and the rules (+) differ, after the two before them."""
    at = next(i for i, (old, new) in enumerate(itertools.zip_longest(kept, now)) if old != new)
    before = [f"  {row}" for row in now[max(at - 2, 0) : at]]
    return "\n".join(
        [f"line {at + 1}:", *before, f"- {''.join(kept[at : at + 1])}", f"+ {''.join(now[at : at + 1])}"]
    )


def mixed(name: str, seats: int) -> Answers:
    """Answers for a new file: greedy players who take any option at every sixth question; chance as drawn.

    The toy has no greedy player.
    """
    rng = Rng(f"golden {name} {seats}".encode())
    greedy = None
    if name != TOY:
        from oaknet.bots import bot

        greedy = bot("greedy", name)

    def answer(game: Game[Any], ask: Ask) -> Option:
        if ask.seat == CHANCE:
            return sample(rng, ask)
        if greedy is None or rng.below(6) == 0:
            return ask.options[rng.below(len(ask.options))]
        return greedy(game.clone(), ask.seat, rng)

    return answer


def hashes(replay: bool) -> str:
    """A line for each playthrough with the hash of its file, or of what its answers lead to now."""
    rows = []
    for name, seats, option in tables():
        text = file(name, seats, option).read_text(encoding="ascii")
        text = again(name, seats, text, option) if replay else text
        rows.append(f"{name} {seats} {option} {H('golden', text.encode()).hex()}\n")
    return "".join(rows)


if __name__ == "__main__":
    print(hashes(replay=True), end="")
