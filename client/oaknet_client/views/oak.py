"""Oak: the sun, the temples, the branches, what is on display, and every player's board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oaknet.kernel import Rules
from oaknet.oak.branches import behind, income, tip
from oaknet.oak.state import State
from oaknet.oak.tables import (
    ARTIFACTS,
    BRANCH,
    CREATURES,
    INGREDIENTS,
    KINDS,
    POTIONS,
    RESOURCES,
    TEMPLE,
)
from oaknet_client.feed import Seat
from oaknet_client.views.oak_board import board, druid, listed_in
from oaknet_client.views.records import Line, Panel, Picture, Span, cells, line, padded
from oaknet_client.words import SEAT_LETTERS

PHASES = ("set-up", "choosing orders", "Dawn", "Day", "end of the Day", "Dusk", "final scoring", "over")
TIPS = {
    "vp": "points",
    "elder": "elders",
    "creature": "creatures",
    "potion": "potions",
    "shrine": "shrines",
    "artifact": "artifacts",
}
"""What a tip counts, in words."""

ARM = 11
"""Cells of one arm of a branch."""


def picture(rules: Rules[Any], state: State, seats: Sequence[Seat], seat: int | None) -> Picture:
    """The table; the board of the seat that looks comes first, the others clockwise."""
    s = state
    if s.broichan:  # the rival in the game for one has a place, but no seat
        seats = (*seats, Seat("Broichan", bot="rules", place=len(seats)))
    order = [(i + (seat or 0)) % len(s.players) for i in range(len(s.players))]
    boards = tuple(board(s, seats, i) for i in order)
    own = 0 if seat is None else 1
    shared = (_temples(s, seats), _forest(s), *(_branch(s, seats, b) for b in KINDS), _sun(s, seats))
    panels = (*boards[:own], *shared, *_displays(s), *boards[own:])
    return Picture(_status(s, seats, seat), panels, _brief(s, seats, seat))


def _status(s: State, seats: Sequence[Seat], seat: int | None) -> str:
    """Round, phase, points, sun, and the resources of the seat that looks."""
    points = " ".join(f"{SEAT_LETTERS[seats[i].place]} {p.vp}" for i, p in enumerate(s.players))
    rounds = s.box.play.rounds
    status = f"Round {min(s.round, rounds)}/{rounds} {PHASES[s.phase]} · {points} · sun {s.sun}"
    if seat is not None:
        mine = zip(RESOURCES, s.players[seat].resources, strict=True)
        status += " · " + " ".join(f"{name} {amount}" for name, amount in mine)
    return status


def _brief(s: State, seats: Sequence[Seat], seat: int | None) -> str:
    """The status in short."""
    points = " ".join(f"{SEAT_LETTERS[seats[i].place]}{p.vp}" for i, p in enumerate(s.players))
    rounds = s.box.play.rounds
    status = f"R{min(s.round, rounds)}/{rounds} {PHASES[s.phase]} · {points} sun {s.sun}"
    if seat is not None:
        names = (name if len(name) < 8 else f"{name[:5]}." for name in RESOURCES)
        mine = zip(names, s.players[seat].resources, strict=True)
        status += " · " + " ".join(f"{name} {amount}" for name, amount in mine)
    return status


def _sun(s: State, seats: Sequence[Seat]) -> Panel:
    """The solar track above the points it is level with; Solstice spaces bear a star."""
    spaces = range(1, len(s.box.sun.level) + 1)
    numbers = [Span(f"{_sun_space(s, space):>4}", "strong" if space == s.sun else "") for space in spaces]
    levels = [f"{level:>4}" for level in s.box.sun.level]
    late = [
        Span(f" {SEAT_LETTERS[seats[i].place]}", f"seat{i}") for i in range(len(s.players)) if behind(s, i)
    ]
    return Panel(
        line(Span("Sun", "strong"), "  (*: a Festival begins)"),
        (
            line("space ", *numbers),
            line("points", *levels),
            line("behind the sun:", *(late or [Span(" nobody", "dim")])),
        ),
    )


def _sun_space(s: State, space: int) -> str:
    shown = f"{space}*" if space in s.box.sun.solstice else str(space)
    return f"({shown})" if space == s.sun else shown


def _temples(s: State, seats: Sequence[Seat]) -> Panel:
    """Each temple's three stone spaces with the druids there; N is a neutral druid."""
    rows: list[Line] = []
    for temple in KINDS:
        row = line(f"{RESOURCES[temple]:<10}")
        for stones in (1, 2, 3):
            there = _druids(s, seats, TEMPLE, temple * 3 + stones - 1)
            if temple * 3 + stones - 1 in s.neutrals:
                there = (Span("N"), Span(" " if there else ""), *there)
            row = (*row, *padded((*line(f"{stones}: "), *(there or line(Span("-", "dim")))), ARM))
        rows.append(row)
    title = line(Span("Temples", "strong"), "  (d: regular, a b o r t n: elders, N: neutral)")
    return Panel(title, tuple(rows))


def _druids(s: State, seats: Sequence[Seat], place: int, space: int) -> Line:
    """Everybody's druids on one space."""
    spans: list[Span] = []
    for seat, p in enumerate(s.players):
        for i, where in enumerate(p.place):
            if where == place and p.space[i] == space:
                spans += (
                    [Span(" "), druid(seats, seat, p.kind[i])] if spans else [druid(seats, seat, p.kind[i])]
                )
    return line(*spans)


def _branch(s: State, seats: Sequence[Seat], branch: int) -> Panel:
    """A branch from its two tips down to the roots: each space with its income and the druids on it."""
    box = s.box
    fork = len(box.branches.stem[branch])
    top = tip(box, branch, 0)
    names = (TIPS.get(name, name) for name in box.branches.tips[branch])
    rows: list[Line] = [line(*(Span(f"{name:<{ARM}}", "dim") for name in names))]
    lefts = range(top, fork, -2)
    rows += [(*_space(s, seats, branch, left), *_space(s, seats, branch, left + 1)) for left in lefts]
    rows += [_space(s, seats, branch, space) for space in range(fork, 0, -1)]
    return Panel(line(Span(f"Branch: {RESOURCES[branch]}", "strong"), "  (*: token)"), tuple(rows))


def _space(s: State, seats: Sequence[Seat], branch: int, space: int) -> Line:
    low = tip(s.box, branch, 0)
    there = _druids(s, seats, BRANCH + branch, space)
    if space >= low:
        sign = "x" if s.locked[branch * 2 + space - low] else "o"
    else:
        sign = str(income(s.box, branch, space))
    if space == s.box.branches.token[branch] and s.tokens[branch]:
        there = (*there, Span(f"{' ' if there else ''}{'*' * s.tokens[branch]}", "strong"))
    row = (*line(f"{sign} "), *(there or line(Span("-", "dim"))))
    return row if cells(row) >= ARM else padded(row, ARM)


def _forest(s: State) -> Panel:
    """The ingredients that can be gathered, and how many are in the crane bag."""
    here = [INGREDIENTS[kind] for kind in s.forest if kind >= 0]
    rows = listed_in("forest", here)
    return Panel(line(Span("Forest", "strong")), (*rows, line(f"crane bag: {sum(s.bag)}")))


def _displays(s: State) -> tuple[Panel, ...]:
    """Creatures and artifacts to take, with the points they give, and potions with their recipes."""
    creatures = [
        line(f"{CREATURES[card].name:<19}", f"{s.box.creatures.vp[card - 1]:>3}") for card in s.creatures
    ]
    artifacts = [line(f"{ARTIFACTS[tile].name:<20}", f"{s.box.artifacts.vp:>3}") for tile in s.artifacts]
    potions = [line(f"{POTIONS[tile].name:<19} ", _recipe(s, tile)) for tile in s.potions]
    return (
        Panel(line(Span("Creatures", "strong"), f"  deck {len(s.creature_deck)}"), tuple(creatures)),
        Panel(line(Span("Artifacts", "strong"), f"  stack {len(s.artifact_stack)}"), tuple(artifacts)),
        Panel(line(Span("Potions", "strong")), tuple(potions)),
    )


def _recipe(s: State, tile: int) -> str:
    names = (*INGREDIENTS, "any")
    amounts = s.box.potions.recipe[tile - 1]
    return ", ".join(f"{n} {name}" for n, name in zip(amounts, names, strict=True) if n)
