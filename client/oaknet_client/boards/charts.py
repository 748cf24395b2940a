"""Points as pictures: where they came from, as bars, and how they grew, as a curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oaknet.kernel import Game
from oaknet_client.boards.records import Canvas, Drawing, fitted
from oaknet_client.feed import Seat
from oaknet_client.words import SEAT_LETTERS, scorer

LABEL = 22


def breakdown(game: Game[Any], seats: Sequence[Seat], width: int) -> Drawing:
    """A bar a source of points for each seat, best seat first; losses are marked as such."""
    canvas = Canvas()
    canvas.heading("Where the points came from", width)
    scores = game.rules.score(game.state)
    parts = [game.rules.breakdown(game.state, seat) for seat in range(len(seats))]
    most = max([1, *(abs(points) for part in parts for points in part.values())])
    room = max(4, width - LABEL - 8)
    y = 1
    for seat in sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat)):
        x = canvas.put(0, y, fitted(scorer(seats, seat), LABEL), f"seat{seat}")
        canvas.put(max(x + 2, LABEL), y, f"{scores[seat]} points", "strong")
        y += 1
        for name, points in (parts[seat] if seat < len(seats) else {}).items():
            canvas.put(2, y, fitted(name, LABEL - 3), "" if points else "dim")
            bar = "█" * (abs(points) * room // most) if points > 0 else "░" * (-points * room // most)
            x = canvas.put(LABEL, y, bar or ("▏" if points else ""), f"seat{seat}" if points > 0 else "bad")
            canvas.put(x + 1 if x > LABEL else x, y, str(points), "" if points else "dim")
            y += 1
    return canvas.drawing("Result", width)


def curve(
    history: Sequence[Sequence[int]], seats: Sequence[Seat], width: int, height: int, now: int
) -> Drawing:
    """Points over the steps of a game, a letter a seat, with a line where ``now`` is.

    ``history`` has the points of all seats after each step; seats that are level take turns.
    """
    canvas = Canvas()
    steps = max(1, len(history) - 1)
    low = min(0, *(min(scores) for scores in history))
    high = max(low + 1, *(max(scores) for scores in history))
    left = len(str(high)) + 1
    room = max(2, width - left)
    for y in range(height):
        canvas.put(0, y, " " * width)
    canvas.put(0, 0, str(high), "dim")
    canvas.put(0, height - 1, str(low), "dim")
    for y in range(height):
        canvas.put(left - 1, y, "│", "dim")
    column = left + now * (room - 1) // steps
    for y in range(height):
        canvas.put(column, y, "│", "sun")
    for x in range(room):
        scores = history[min(len(history) - 1, x * steps // max(1, room - 1))]
        marks: dict[int, list[int]] = {}
        for seat, points in enumerate(scores):
            marks.setdefault((high - points) * (height - 1) // (high - low), []).append(seat)
        for y, there in marks.items():
            seat = there[x % len(there)]
            letter = SEAT_LETTERS[seats[seat].place if seat < len(seats) else seat]
            canvas.put(left + x, y, letter, f"seat{seat}")
    return canvas.drawing("Points", width)


def timeline(
    chapters: Sequence[tuple[int, str]], steps: int, width: int, now: int, turned: Sequence[int] = ()
) -> Drawing:
    """The steps of a game as a line with a mark where each part begins, named where there is room, and a mark
    at each step at which the game has ``turned``."""
    canvas = Canvas()
    last = max(1, steps - 1)
    canvas.put(0, 0, "─" * width, "dim")
    free = 0
    canvas.put(0, 1, " " * width)
    for first, name in chapters:
        x = first * (width - 1) // last
        canvas.put(x, 0, "┼", "dim")
        if x >= free and x + len(name) <= width:
            free = canvas.put(x, 1, name, "dim") + 1
    for at in turned:
        canvas.put(at * (width - 1) // last, 0, "▲", "strong")
    canvas.put(now * (width - 1) // last, 0, "●", "sun strong")
    return canvas.drawing("Timeline", width)
