"""Games in words: log lines, whose turn it is, results. No markup, nothing that a terminal could obey."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from oaknet.bots import STRENGTHS
from oaknet.kernel import CHANCE, Game, Option, Rules
from oaknet_client.feed import Lobby, Result, Seat
from oaknet_client.inert import inert as inert

SEAT_LETTERS = "ABCDEFGH"
"""Colours never tell seats apart alone: each seat has its letter."""


def seat_name(seats: Sequence[Seat], seat: int) -> str:
    """A seat's letter and name: ``A Ann``."""
    return f"{SEAT_LETTERS[seats[seat].place]} {inert(seats[seat].name)}"


def scorer(seats: Sequence[Seat], number: int) -> str:
    """Whose score that is: rules may keep one beside those of the seats, of a rival whom nobody plays."""
    return seat_name(seats, number) if number < len(seats) else "against you"


def said_line(seats: Sequence[Seat], seat: int, name: str, text: str) -> str:
    """What somebody said; whose key has a seat at the table is called by it, whatever name they give."""
    known = 0 <= seat < len(seats)
    return f"{seat_name(seats, seat) if known else inert(name)} says: {inert(text)}"


def counted(number: int, what: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """``A``, ``A and B``, ``A, B and C``."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def said(rules: Rules[Any], game: Game[Any], seat: int, option: Option) -> str:
    """An answer in the game's words; to be called before it is given."""
    ask = game.asked(seat)
    assert ask is not None, f"seat {seat} is not asked"
    return inert(rules.say(game.state, ask, option))


def log_line(game: Game[Any], seats: Sequence[Seat], seat: int, option: Option) -> str:
    """The log's line for an answer of a seat or of chance; to be called before it is given."""
    text = said(game.rules, game, seat, option)
    return f"· {text}" if seat == CHANCE else f"{seat_name(seats, seat)}: {text}"


def turn_line(game: Game[Any], seats: Sequence[Seat]) -> str:
    """Whose turn it is, or that the game is over."""
    if game.over:
        return "The game is over."
    if game.pending[0].seat == CHANCE:
        return "Drawing."
    if all(seats[ask.seat].bot in STRENGTHS for ask in game.pending):
        names = listed(seat_name(seats, ask.seat) for ask in game.pending)
        return f"{names} {'is' if len(game.pending) == 1 else 'are'} thinking…"
    return f"Waiting for {listed(seat_name(seats, ask.seat) for ask in game.pending)}."


def lobby_line(lobby: Lobby) -> str:
    """Who is there before the game begins, and what it waits for."""
    here = ", ".join(
        f"{inert(seat.name)} ({inert(seat.bot)} bot)"
        if seat.bot and seat.bot != seat.name
        else inert(seat.name)
        for seat in lobby.seats
    )
    if not lobby.free:
        return f"At the table: {here}. All seats are taken: the game begins."
    seats = "1 seat is" if lobby.free == 1 else f"{lobby.free} seats are"
    return f"At the table: {here or 'nobody'}. {seats} free."


HOW = {
    "finished": "The game was played to its end.",
    "resigned": "The game ended because seats resigned.",
    "absent": "Players who stayed away were left out.",
    "timed-out": "Players who ran out of time were left out.",
    "cheated": "Players who cheated were left out.",
    "abandoned": "The game was abandoned: nobody was left to go on with.",
    "unfinished": "The game is not finished.",
}


def score_table(game: Game[Any], seats: Sequence[Seat]) -> list[str]:
    """The scores, best first, each with where its points come from."""
    scores = game.rules.score(game.state)
    width = max(len(scorer(seats, number)) for number in range(len(scores)))
    lines: list[str] = []
    for seat in sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat)):
        if seat >= len(seats):
            lines.append(f"{scorer(seats, seat):<{width}}  {scores[seat]:>4}")
            continue
        parts = game.rules.breakdown(game.state, seat)
        whence = ", ".join(f"{inert(name)} {points}" for name, points in parts.items())
        lines.append(f"{seat_name(seats, seat):<{width}}  {scores[seat]:>4}  ({whence})")
    return lines


def result_lines(result: Result) -> list[str]:
    """A result for people: who won, the scores, how it ended."""
    names = [scorer(result.seats, number) for number in range(len(result.scores))]
    width = max(map(len, names))
    lines = [f"  {name:<{width}}  {score:>4}" for name, score in zip(names, result.scores, strict=True)]
    if result.how in ("unfinished", "abandoned"):
        lead = "The game is not finished; the points so far:"
    elif not result.winner:
        lead = "Nobody wins."
    elif len(result.winner) == 1:
        lead = f"{names[result.winner[0]]} wins."
    else:
        lead = f"{listed(names[seat] for seat in result.winner)} share the victory."
    ending = [HOW[result.how]] if result.how in HOW and result.how not in ("finished", "unfinished") else []
    return [lead, *lines, *ending]


def kept_lines(result: Result) -> list[str]:
    """Where the logs of a table are that has ended here; nothing for a table that kept none."""
    if len(result.logs) > 1:
        return [f"All {len(result.logs)} logs agree and verify:", *(f"  {inert(log)}" for log in result.logs)]
    return [f"Its log: {inert(result.log)}"] if result.log else []
