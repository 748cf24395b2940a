"""What can be had: creatures, artifacts and potions, with points, and what each costs who looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oaknet.oak.potions import DARKWOOD
from oaknet.oak.queries import artifact_places, slot_free
from oaknet.oak.state import State
from oaknet.oak.tables import ARTIFACTS, BELOW, CREATURES, INGREDIENTS, POTIONS
from oaknet_client.boards.oak.costs import ways
from oaknet_client.boards.records import Canvas, Drawing, padded
from oaknet_client.feed import Seat
from oaknet_client.views.records import Span

WIDTH = 46
NAME = 20

SHORT = ("bark", "root", "blueb.", "acorn", "mushr.")
"""Ingredients where there is little room."""


def displays(s: State, seats: Sequence[Seat], seat: int | None) -> tuple[Drawing, ...]:
    """The two displays and the potions."""
    looker = seat if seat is not None and s.players[seat].order >= 0 else None
    parts = (_creatures(s, looker), _artifacts(s, looker), _potions(s, looker))
    rows = s.box.cards.display + 4  # a heading, the cards, how to refresh them, two rows of ways to take one
    return tuple(padded(part, rows) for part in parts)


def _creatures(s: State, seat: int | None) -> Drawing:
    canvas = Canvas()
    canvas.heading("Creatures", WIDTH, Span(f"  deck {len(s.creature_deck)}", "dim"))
    canvas.spot(("look",), WIDTH - 11, 0, 11, entry="Cailleach")
    note = "" if seat is None or slot_free(s, seat, BELOW) else "needs a slot"
    for y, card in enumerate([*s.creatures, *s.looked], 1):
        canvas.spot(("creature", card), 0, y, WIDTH, entry=CREATURES[card].name)
        _row(canvas, y, CREATURES[card].name, s.box.creatures.vp[card - 1], note)
    _ways(canvas, s, seat, "creature", "refresh-creature")
    return canvas.drawing("Creatures", WIDTH)


def _artifacts(s: State, seat: int | None) -> Drawing:
    canvas = Canvas()
    canvas.heading("Artifacts", WIDTH, Span(f"  stack {len(s.artifact_stack)}", "dim"))
    full = seat is not None and len(s.players[seat].artifacts) >= artifact_places(s, seat)
    for y, tile in enumerate(s.artifacts, 1):
        canvas.spot(("display", tile), 0, y, WIDTH, entry=ARTIFACTS[tile].name)
        _row(canvas, y, ARTIFACTS[tile].name, s.box.artifacts.vp, "no place is free" if full else "")
    _ways(canvas, s, seat, "artifact", "refresh-artifact")
    return canvas.drawing("Artifacts", WIDTH)


def _row(canvas: Canvas, y: int, name: str, points: int, note: str) -> None:
    canvas.put(1, y, name, "strong")
    text = f"{points:+d}".replace("-", "−")
    canvas.put(NAME + 4 - len(text), y, text, "good" if points >= 0 else "bad")
    canvas.put(NAME + 5, y, note, "dim")


def _ways(canvas: Canvas, s: State, seat: int | None, action: str, refresh: str) -> None:
    """How who looks may take one now, and where the display can be refreshed."""
    y = canvas.height
    canvas.put(
        1, y, f"refresh: {s.box.cards.refresh} {'mistletoe' if action == 'creature' else 'rune'}", "dim"
    )
    canvas.spot((refresh,), 0, y, 24, entry="Displays")
    if seat is None:
        return
    found = list(ways(s, seat, action))
    for text in _wrapped("you, now: ", found or ["no way to take one"], WIDTH - 1):
        y += 1
        canvas.put(1, y, text, "dim")


def _wrapped(head: str, parts: Sequence[str], width: int) -> Iterator[str]:
    """A list in lines of at most so many cells, broken between its items."""
    text = head
    for index, part in enumerate(parts):
        piece = part if index + 1 == len(parts) else f"{part}; "
        if len(text) + len(piece.rstrip()) > width and text != head:
            yield text.rstrip()
            text = "  "
        text += piece
    yield text.rstrip()


# -- potions -------------------------------------------------------------------------------------------------


def _potions(s: State, seat: int | None) -> Drawing:
    """Each recipe, what the looking seat has of it ticked off."""
    canvas = Canvas()
    canvas.heading("Potions", WIDTH, Span("  ✓ you have it" if seat is not None else "", "dim"))
    own = [s.players[seat].seelie] if seat is not None and s.players[seat].seelie else []
    y = 0
    for y, tile in enumerate([*s.potions, *own], 1):
        canvas.spot(("potion", tile), 0, y, WIDTH, entry=POTIONS[tile].name)
        canvas.put(1, y, POTIONS[tile].name, "strong")
        x = NAME
        for text, have in recipe(s, seat, tile):
            x = canvas.put(x, y, f"{'✓' if have else '·'}{text}", "good" if have else "") + 1
    canvas.spot(("darkwood",), 0, y + 1, WIDTH, entry=DARKWOOD.title())
    canvas.put(1, y + 1, DARKWOOD.title(), "strong")
    kinds_here = 0 if seat is None else sum(1 for n in s.players[seat].ingredients if n)
    x = canvas.put(NAME, y + 1, "kinds", "dim") + 1
    for kinds, points in s.box.potions.darkwood:
        ready = kinds_here >= kinds
        x = canvas.put(x, y + 1, f"{'✓' if ready else '·'}{kinds}:+{points}", "good" if ready else "") + 1
    return canvas.drawing("Potions", WIDTH)


def recipe(s: State, seat: int | None, tile: int) -> list[tuple[str, bool]]:
    """The ingredients of a tile one by one, each with whether the seat has it for this potion."""
    amounts = s.box.potions.recipe[tile - 1]
    left = [0] * len(INGREDIENTS) if seat is None else s.players[seat].ingredients[:]
    found: list[tuple[str, bool]] = []
    for kind, name in enumerate(SHORT):
        for _ in range(amounts[kind]):
            found.append((name, left[kind] > 0))
            left[kind] -= 1
    spare = sum(n for n in left if n > 0)
    return found + [("any", n < spare) for n in range(amounts[-1])]
