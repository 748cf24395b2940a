"""The three temples with their stone spaces, and the forest with the crane bag."""

from __future__ import annotations

from collections.abc import Sequence

from oaknet.oak.state import State
from oaknet.oak.tables import INGREDIENTS, KINDS, RESOURCES, TEMPLE
from oaknet_client.boards.oak.druids import druids_on
from oaknet_client.boards.records import Canvas, Drawing
from oaknet_client.feed import Seat
from oaknet_client.views.records import Span

SPACE = 9
LABEL = 11
STONES = (1, 2, 3)

FOREST = 12
"""Cells of a space of the forest."""


def temples(s: State, seats: Sequence[Seat]) -> Drawing:
    """A row a temple, a column a stone space; N is a neutral druid."""
    canvas = Canvas()
    width = LABEL + SPACE * len(STONES)
    canvas.heading("Temples", width, Span("  N: a neutral druid", "dim"))
    for stones in STONES:
        canvas.put(LABEL + SPACE * (stones - 1) + 1, 1, "●" * stones, "strong")
    for temple in KINDS:
        y = 2 + temple
        canvas.spot(("temple", temple), 0, y, LABEL, entry="Temple action")
        canvas.put(1, y, RESOURCES[temple], RESOURCES[temple])
        for stones in STONES:
            space = temple * 3 + stones - 1
            x = LABEL + SPACE * (stones - 1)
            canvas.spot(("stone", space), x, y, SPACE, entry="Temple action")
            start = x + 1
            if space in s.neutrals:
                start = canvas.put(start, y, "N", "strong")
            there = druids_on(s, seats, TEMPLE, space, x + SPACE - start)
            if there:
                canvas.spans(start, y, there)
            elif start == x + 1:
                canvas.put(start, y, "·", "dim")
    return canvas.drawing("Temples", width)


def forest(s: State) -> Drawing:
    """What grows, in a ring read from top left clockwise, and what is in the crane bag."""
    canvas = Canvas()
    count = len(s.forest)
    top = (count + 1) // 2
    width = max(38, FOREST * top)
    canvas.heading("Forest", width, Span("  first top left, clockwise", "dim"))
    for i, kind in enumerate(s.forest):
        x, y = (FOREST * i, 1) if i < top else (FOREST * (count - 1 - i), 2)
        if kind < 0:
            canvas.put(x + 1, y, "·", "dim")
            continue
        if kind not in s.forest[:i]:  # equal ones are one choice
            canvas.spot(("forest", kind), x, y, FOREST, entry="Gathering")
        canvas.put(x + 1, y, INGREDIENTS[kind], INGREDIENTS[kind])
    canvas.put(0, 3, f"crane bag, {sum(s.bag)} in all:", "dim")
    x, y = 0, 4
    for kind, amount in enumerate(s.bag):
        text = f"{INGREDIENTS[kind]} {amount}"
        if x + len(text) + 1 > width:
            x, y = 0, y + 1
        canvas.spot(("bag", kind), x, y, len(text) + 1)
        x = canvas.put(x + 1, y, text, "" if amount else "dim") + 1
    return canvas.drawing("Forest", width)
