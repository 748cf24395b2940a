"""Oak: one player's board."""

from __future__ import annotations

from collections.abc import Sequence

from oaknet.oak.queries import rest_places, slots, slots_used
from oaknet.oak.state import Player, State, is_broichan
from oaknet.oak.tables import (
    ABOVE,
    ARTIFACT,
    ARTIFACTS,
    BELOW,
    BRANCH,
    CREATURES,
    DRUIDS,
    FOREST,
    HEART,
    INGREDIENTS,
    MENHIR,
    MOOTS,
    ORDER,
    ORDERS,
    RESOURCES,
    REST,
    ROOTS,
    SIDES,
    TEMPLE,
)
from oaknet_client.feed import Seat
from oaknet_client.views.records import Line, Panel, Span, line
from oaknet_client.words import SEAT_LETTERS, seat_name

WIDTH = 37
"""Cells of a board: two of them stand side by side on the smallest screen."""

SIGNS = ("d", "a", "b", "o", "r", "t", "n")
"""A druid's sign behind its seat's letter, by kind: a regular druid, then the elders."""

PLACES = {
    REST: "rest",
    ROOTS: "roots",
    FOREST: "forest",
    TEMPLE: "temples",
    ORDER: "order",
    MENHIR: "menhir",
    ARTIFACT: "artifact",
    HEART: "heart",
}


def druid(seats: Sequence[Seat], seat: int, kind: int) -> Span:
    """A druid as two letters: whose it is, and its kind."""
    return Span(f"{SEAT_LETTERS[seats[seat].place]}{SIGNS[kind]}", f"seat{seat}")


def listed_in(label: str, items: Sequence[str]) -> tuple[Line, ...]:
    """A labelled list, broken between its items into lines of a board's width."""
    rows: list[str] = []
    current = f"{label}: "
    for index, item in enumerate(items or ["-"]):
        piece = item if index + 1 >= len(items) else f"{item},"
        if len(current) + len(piece) > WIDTH and not current.endswith(": "):
            rows.append(current.rstrip())
            current = "  "
        current += f"{piece} "
    return tuple(line(row) for row in (*rows, current.rstrip()))


def board(s: State, seats: Sequence[Seat], seat: int) -> Panel:
    """All that lies before a seat, or before Broichan."""
    p = s.players[seat]
    first = "  first" if s.first == seat else ""
    passed = "  passed" if p.passed else ""
    title = line(Span(seat_name(seats, seat), f"seat{seat}"), f"  {p.vp} points{first}{passed}")
    if is_broichan(s, seat):
        return Panel(title, _rival(s, seat, p))
    order = ORDERS[p.order].name.title() if p.order >= 0 else "not chosen yet"
    resources = " ".join(f"{name} {n}" for name, n in zip(RESOURCES, p.resources, strict=True))
    cards = _cards(s, seat, p) if p.order >= 0 else ()
    rows = (
        line(f"order: {order}"),
        line(Span(resources, "strong")),
        *listed_in("ingredients", _ingredients(p)),
        *_druids(s, seat, p),
        *cards,
        *listed_in("artifacts", [_artifact(s, p, i) for i in range(len(p.artifacts))]),
        *listed_in("moot cards", [_moot(p, card) for card in p.hand]),
        line(f"potions brewed: {p.markers}"),
    )
    return Panel(title, rows)


def _rival(s: State, seat: int, p: Player) -> tuple[Line, ...]:
    """Broichan's cards, druids, and what he has taken; he has no board and no resources."""
    his = s.broichan[0]
    played = MOOTS[his.discards[-1]].name if his.discards else "none"
    return (
        line(f"last card: {played}  deck {len(his.deck)}"),
        *listed_in("ingredients", _ingredients(p)),
        *_druids(s, seat, p),
        *listed_in("shrines", [SIDES[side] for side in p.shrines]),
        *listed_in("creatures", [CREATURES[card].name for card in p.creatures]),
        *listed_in("artifacts", [ARTIFACTS[tile].name for tile in p.flipped]),
        line(f"potions brewed: {p.markers}"),
    )


def _ingredients(p: Player) -> list[str]:
    return [f"{n} {name}" for name, n in zip(INGREDIENTS, p.ingredients, strict=True) if n]


def _druids(s: State, seat: int, p: Player) -> tuple[Line, ...]:
    """Where the druids are, elders by name."""
    rows: list[Line] = []
    for place in sorted(dict.fromkeys(p.place)):
        kinds = sorted(p.kind[i] for i, where in enumerate(p.place) if where == place)
        regular = kinds.count(0)
        names = [f"{regular} regular"] if regular else []
        names += [DRUIDS[kind] for kind in kinds if kind]
        label = f"{RESOURCES[place - BRANCH]} branch" if place >= BRANCH else PLACES.get(place, "elsewhere")
        if place == REST and p.order >= 0:
            elder, common = rest_places(s, seat)
            label = f"rest ({elder} any + {common} regular)"
        rows += listed_in(label, names)
    return tuple(rows)


def _cards(s: State, seat: int, p: Player) -> tuple[Line, ...]:
    """The rows of cards above and below the board, with how many of their slots are used."""
    above = f"above {slots_used(s, seat, ABOVE)}/{slots(s, seat, ABOVE)}"
    below = f"below {slots_used(s, seat, BELOW)}/{slots(s, seat, BELOW)}"
    sides = [f"{SIDES[side]} shrine" if SIDES[side] != "menhir" else "menhir" for side in p.shrines]
    return (
        *listed_in(above, sides),
        *listed_in(below, [CREATURES[card].name for card in p.creatures]),
    )


def _artifact(s: State, p: Player, index: int) -> str:
    """An active artifact and how often it has been used, of how many times."""
    tile = p.artifacts[index]
    return f"{ARTIFACTS[tile].name} {p.uses[index]}/{len(s.box.artifacts.loss[tile - 1])}"


def _moot(p: Player, card: int) -> str:
    return f"({MOOTS[card].name})" if card in p.played else MOOTS[card].name
