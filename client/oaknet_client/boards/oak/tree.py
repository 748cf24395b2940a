"""The Oak itself: a trunk, three branches that fork, and who stands where on them."""

from __future__ import annotations

from collections.abc import Sequence

from oaknet.oak.branches import income, tip
from oaknet.oak.state import State
from oaknet.oak.tables import BRANCH, KINDS, RESOURCES, ROOTS
from oaknet_client.boards.oak.druids import ELDER_SIGNS, druids_on
from oaknet_client.boards.records import Canvas, Drawing
from oaknet_client.feed import Seat
from oaknet_client.words import SEAT_LETTERS

ARM = 8
"""Cells of an arm; a branch has two."""

STEM = 5
"""Where the stem's spaces begin within a branch; its line is a cell further in each direction."""

TIPS = {
    "vp": "points",
    "elder": "elder",
    "creature": "creature",
    "potion": "potion",
    "shrine": "shrine",
    "artifact": "artifact",
}
"""What a tip counts, in words."""


def tree(s: State, seats: Sequence[Seat]) -> Drawing:
    """All branches side by side from their tips down, joined to the trunk, and the druids on the roots."""
    canvas = Canvas()
    width = 2 * ARM * len(KINDS)
    canvas.heading("The Oak", width)
    feet = [_branch(canvas, s, seats, branch, 2 * ARM * branch) for branch in KINDS]
    low = max(feet)
    lines = [2 * ARM * branch + STEM + 2 for branch in KINDS]
    for branch, foot in zip(KINDS, feet, strict=True):
        for y in range(foot, low):
            canvas.put(lines[branch], y, "│", "wood")
    for x in range(lines[0], lines[-1] + 1):
        canvas.put(x, low, "╰" if x == lines[0] else "╯" if x == lines[-1] else "─", "wood")
    for x in lines[1:-1]:
        canvas.put(x, low, "┼", "wood")
    trunk = lines[len(lines) // 2]
    canvas.put(trunk, low + 1, "║", "wood")
    _roots(canvas, s, seats, low + 1)
    return canvas.drawing("Oak", width)


def _branch(canvas: Canvas, s: State, seats: Sequence[Seat], branch: int, left: int) -> int:
    """A branch from the name down to the line below its first space; the row below that."""
    box = s.box
    fork = len(box.branches.stem[branch])
    low = tip(box, branch, 0)
    name = RESOURCES[branch]
    canvas.spot(("branch", branch), left + STEM - 1, 1, len(name) + 2, entry="Oak action")
    canvas.put(left + STEM, 1, name, f"{name} strong")
    for arm in (0, 1):
        text = _formula(s, branch, arm)
        canvas.put(left + 1 if arm == 0 else left + 2 * ARM - 1 - len(text), 2 + arm, text, "dim")
    y = 4
    for space in range(low, fork, -2):
        for arm in (0, 1):
            _space(canvas, s, seats, branch, space + arm, left + ARM * arm, y)
            _stroke(canvas, s, branch, space + arm, left + ARM * arm + 2, y + 1)
        y += 2
    canvas.put(left + 2, y - 1, "╰───┬────╯", "wood")
    canvas.put(left + 2 + ARM, y - 1, "╯ ", "wood")
    _tokens(canvas, s, branch, fork + 1, left + ARM + 4, y - 1)
    canvas.put(left + STEM + 2, y - 1, "┬", "wood")
    canvas.put(left + 6, y - 1, "─", "wood")
    for space in range(fork, 0, -1):
        _space(canvas, s, seats, branch, space, left + STEM, y)
        _stroke(canvas, s, branch, space, left + STEM + 2, y + 1)
        y += 2
    return y - 1


def _stroke(canvas: Canvas, s: State, branch: int, space: int, x: int, y: int) -> None:
    """The line below a space, and beside it the solar tokens that whoever steps up from here passes."""
    canvas.put(x, y, "│", "wood")
    _tokens(canvas, s, branch, space, x + 2, y)


def _tokens(canvas: Canvas, s: State, branch: int, space: int, x: int, y: int) -> None:
    if space == s.box.branches.token[branch] and s.tokens[branch]:
        canvas.put(x, y, "☼" * s.tokens[branch], "sun strong")


def _space(canvas: Canvas, s: State, seats: Sequence[Seat], branch: int, space: int, x: int, y: int) -> None:
    """A space with its income, or a tip open or locked, and the druids on it."""
    low = tip(s.box, branch, 0)
    name = RESOURCES[branch]
    if space < low:
        canvas.put(x + 1, y, f"({income(s.box, branch, space)})", name)
    elif s.locked[branch * 2 + space - low]:
        canvas.put(x + 1, y, "(✕)", "bad")
    else:
        canvas.put(x + 1, y, "(○)", f"{name} strong")
    entry = "Tips" if space >= low else "Branches"
    canvas.spot(("space", branch, space), x, y, ARM, entry=entry)
    canvas.spans(x + 4, y, druids_on(s, seats, BRANCH + branch, space, ARM - 4))


def _formula(s: State, branch: int, arm: int) -> str:
    """What a tip gives, in short."""
    box = s.box.branches
    counts = box.tips[branch][arm]
    if counts == "vp":
        return f"{box.vp} per {box.per} points"
    amount = {
        "elder": box.elder,
        "creature": box.creature,
        "potion": box.potion,
        "shrine": box.shrine,
        "artifact": box.artifact,
    }[counts]
    return f"{amount} a {TIPS[counts]}" if counts not in ("elder", "artifact") else f"{amount} an {counts}"


def _roots(canvas: Canvas, s: State, seats: Sequence[Seat], y: int) -> None:
    """How many druids of each seat wait on the roots, elders by their signs."""
    x = canvas.put(0, y + 1, "roots ", "dim")
    for seat, p in enumerate(s.players):
        kinds = [kind for kind, place in zip(p.kind, p.place, strict=True) if place == ROOTS]
        elders = "".join(ELDER_SIGNS[kind] for kind in sorted(kinds) if kind)
        text = f"{SEAT_LETTERS[seats[seat].place]}{kinds.count(0)}{'+' if elders else ''}{elders}"
        x = canvas.put(x + 1, y + 1, text, f"seat{seat}") + 1
