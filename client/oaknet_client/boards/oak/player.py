"""What lies before one player of Oak."""

from __future__ import annotations

from collections.abc import Sequence

from oaknet.oak.artifacts import loss
from oaknet.oak.queries import artifact_places, own_rest, rest_places, slots, slots_used
from oaknet.oak.state import Player, State, is_broichan
from oaknet.oak.tables import (
    ABOVE,
    ARTIFACT,
    ARTIFACTS,
    BELOW,
    CREATURES,
    DRUIDS,
    INGREDIENTS,
    KINDS,
    MENHIR,
    MENHIR_SIDE,
    MOOTS,
    ORDER,
    ORDERS,
    REGULAR,
    RESOURCES,
    REST,
    ROOTS,
    SIDES,
)
from oaknet.oak.words import DEEDS
from oaknet_client.boards.oak.displays import SHORT
from oaknet_client.boards.records import Canvas, Drawing, Key, fitted, of_panel
from oaknet_client.feed import Seat
from oaknet_client.views import oak_board
from oaknet_client.views.oak_board import SIGNS
from oaknet_client.words import SEAT_LETTERS, seat_name

WIDTH = 40
LABEL = 11


def player(s: State, seats: Sequence[Seat], seat: int) -> Drawing:
    """A board: resources as tracks, resting spaces, druids, cards in their slots, artifacts, moot cards."""
    if is_broichan(s, seat):
        drawn = of_panel(oak_board.board(s, seats, seat))
        return Drawing("Broichan", drawn.width, drawn.rows)
    p = s.players[seat]
    canvas = Canvas()
    _title(canvas, s, seats, seat, p)
    _order(canvas, seat, p)
    for kind in KINDS:
        _track(canvas, s, p, kind, 3 + kind)
    _ingredients(canvas, seat, p, 6)
    y = _druids(canvas, s, seat, p, 7)
    if p.order >= 0:
        for row in (ABOVE, BELOW):
            y = _slots(canvas, s, seat, p, row, y)
        y = _artifacts(canvas, s, seat, p, y)
    y = _hand(canvas, seat, p, y)
    canvas.put(0, y, f"{'potions':<{LABEL}}", "dim")
    canvas.put(LABEL + 1, y, f"{p.markers} brewed")
    return canvas.drawing(SEAT_LETTERS[seats[seat].place], WIDTH)


def _title(canvas: Canvas, s: State, seats: Sequence[Seat], seat: int, p: Player) -> None:
    canvas.put(0, 0, "─" * WIDTH, "dim")
    x = canvas.put(0, 0, fitted(seat_name(seats, seat), 24), f"seat{seat}")
    more = f"  {p.vp} points{'  first' if s.first == seat else ''}{'  passed' if p.passed else ''} "
    canvas.put(x, 0, more, "strong")


def _order(canvas: Canvas, seat: int, p: Player) -> None:
    """The order with its special spaces."""
    canvas.put(0, 1, f"{'order':<{LABEL}}", "dim")
    if p.order < 0:
        canvas.put(LABEL + 1, 1, "not chosen yet", "dim")
        return
    order = ORDERS[p.order]
    canvas.put(LABEL + 1, 1, order.name.title())
    canvas.put(0, 2, f"{'special':<{LABEL}}", "dim")
    x = LABEL
    for space, (who, action) in enumerate(order.special):
        text = f"{'elder: ' if who == 'elder' else ''}{DEEDS[action].split(' ', 1)[0]}"
        entry = f"Order of the {order.name.title()}"
        canvas.spot(("order", seat, action), x, 2, len(text) + 2, entry=entry)
        x = canvas.put(x + 1, 2, text, "dim")
        x = canvas.put(x, 2, _there(p, ORDER, space), f"seat{seat}") + 1
    canvas.spot(("menhir", seat), x, 2, 8, entry="Menhir")
    x = canvas.put(x + 1, 2, "menhir", "dim")
    canvas.put(x, 2, _there(p, MENHIR, 0), f"seat{seat}")


def _there(p: Player, place: int, space: int) -> str:
    """The sign of the druid on a special space, behind a dot; nothing if it is free."""
    druids = zip(p.kind, p.place, p.space, strict=True)
    return "".join([f"·{SIGNS[kind]}" for kind, where, at in druids if (where, at) == (place, space)])


def _track(canvas: Canvas, s: State, p: Player, kind: int, y: int) -> None:
    """A resource as a track up to its limit."""
    most, amount = s.box.play.most, p.resources[kind]
    canvas.put(0, y, f"{RESOURCES[kind]:<{LABEL}}", RESOURCES[kind])
    x = canvas.put(LABEL + 1, y, "■" * amount, f"{RESOURCES[kind]} strong")
    x = canvas.put(x, y, "·" * (most - amount), "dim")
    canvas.put(x + 1, y, str(amount), "strong")


def _ingredients(canvas: Canvas, seat: int, p: Player, y: int) -> None:
    canvas.put(0, y, f"{'ingredients':<{LABEL}}", "dim")
    canvas.spot(("ingredients", seat), LABEL, y, WIDTH - LABEL)
    x = LABEL + 1
    for kind, amount in enumerate(p.ingredients):
        if amount:
            x = canvas.put(x, y, f"{SHORT[kind]} {amount}", INGREDIENTS[kind]) + 1
    if not any(p.ingredients):
        canvas.put(x, y, "none", "dim")


# -- druids --------------------------------------------------------------------------------------------------


def _druids(canvas: Canvas, s: State, seat: int, p: Player, y: int) -> int:
    """Resting spaces with who rests there, then the roots; signs as in the legend of kinds."""
    canvas.put(0, y, f"{'at rest':<{LABEL}}", "dim")
    kinds = sorted(kind for kind, place in zip(p.kind, p.place, strict=True) if place == REST)
    seen: list[int] = []
    x = LABEL
    if p.order < 0:
        for kind in kinds:
            x = _druid(canvas, seat, "rest", kind, seen, x, y)
    else:
        y = _rests(canvas, s, seat, kinds, y)
    canvas.put(0, y + 1, f"{'roots':<{LABEL}}", "dim")
    there = sorted(kind for kind, place in zip(p.kind, p.place, strict=True) if place == ROOTS)
    seen = []
    x = LABEL
    for kind in there:
        x = _druid(canvas, seat, "roots", kind, seen, x, y + 1)
    elders = [f"{SIGNS[kind]} {DRUIDS[kind]}" for kind in sorted(p.kind) if kind]
    if not elders:
        return y + 2
    canvas.put(0, y + 2, f"{'elders':<{LABEL}}", "dim")
    x, y = LABEL + 1, y + 2
    for text in elders:
        if x + len(text) > WIDTH:
            x, y = LABEL + 1, y + 1
        x = canvas.put(x, y, text) + 2
    return y + 1


def _druid(canvas: Canvas, seat: int, where: str, kind: int, seen: list[int], x: int, y: int) -> int:
    """A druid's sign; the first of its kind there is a spot."""
    if kind not in seen:
        seen.append(kind)
        canvas.spot((where, seat, kind), x, y, 2, entry=DRUIDS[kind].title() if kind else "")
    return canvas.put(x + 1, y, SIGNS[kind], f"seat{seat}")


def _rests(canvas: Canvas, s: State, seat: int, kinds: list[int], y: int) -> int:
    """The spaces for any druid, those for regular ones, and those of one kind alone; the last row."""
    x = LABEL
    any_druid, regular = rest_places(s, seat)
    elders = [kind for kind in kinds if kind != REGULAR and not own_rest(s, seat, kind)]
    commons = [kind for kind in kinds if kind == REGULAR]
    own = [kind for kind in kinds if kind != REGULAR and own_rest(s, seat, kind)]
    seen: list[int] = []
    below = commons[:regular]
    spare = commons[regular:]
    for label, there, places in (
        ("any", elders + spare, any_druid),
        ("regular", below, regular),
        ("own", own, len(own)),
    ):
        if not places and not there:
            continue
        if x + len(label) + 4 + 2 * max(places, len(there)) > WIDTH and x > LABEL:
            x, y = LABEL, y + 1
        x = canvas.put(x + 1, y, f"{label}[", "dim")
        for kind in there:
            x = _druid(canvas, seat, "rest", kind, seen, x, y)
        x = canvas.put(x, y, " ·" * (places - len(there)), "dim")
        x = canvas.put(x, y, " ]", "dim")
    return y


# -- cards ---------------------------------------------------------------------------------------------------


def _slots(canvas: Canvas, s: State, seat: int, p: Player, row: int, y: int) -> int:
    """A row of card slots, used, open, and beyond the marker; then what lies there."""
    used, free = slots_used(s, seat, row), slots(s, seat, row)
    closed = s.box.cards.slots[row] - p.limits[row]
    canvas.put(0, y, f"{('above', 'below')[row]:<{LABEL}}", "dim")
    canvas.spot(("row", seat, row), LABEL, y, 10, entry="Card limits")
    x = canvas.put(LABEL + 1, y, "▣" * used, "strong")
    x = canvas.put(x, y, "▢" * (free - used))
    x = canvas.put(x, y, "░" * closed, "dim")
    x = LABEL + 11
    cards: list[tuple[Key, str]]
    if row == BELOW:
        cards = [(("own", seat, card), CREATURES[card].name) for card in p.creatures]
    else:
        cards = [
            (("side", seat, side), f"{f'{n} × ' if n > 1 else ''}{_side(side)}")
            for side in range(len(SIDES))
            if (n := p.shrines.count(side))
        ]
    for key, name in cards:
        if x + len(name) + 1 > WIDTH and x > LABEL + 11:
            x, y = LABEL + 11, y + 1
        entry = name if row == BELOW else "Menhir" if "menhir" in name else "Shrine"
        canvas.spot(key, x, y, len(name) + 1, entry=entry)
        x = canvas.put(x + 1, y, name) + 1
    return y + 1


def _side(side: int) -> str:
    return "menhir" if side == MENHIR_SIDE else f"{SIDES[side]} shrine"


def _artifacts(canvas: Canvas, s: State, seat: int, p: Player, y: int) -> int:
    """Active artifacts with their uses and the points that the next one costs; then completed ones."""
    places = artifact_places(s, seat)
    canvas.put(0, y, f"{f'artif. {len(p.artifacts)}/{places}':<{LABEL}}", "dim")
    for tile, uses in zip(p.artifacts, p.uses, strict=True):
        canvas.spot(("artifact", seat, tile), LABEL, y, WIDTH - LABEL, entry=ARTIFACTS[tile].name)
        of = len(s.box.artifacts.loss[tile - 1])
        x = canvas.put(LABEL + 1, y, f"{ARTIFACTS[tile].name} ")
        x = canvas.put(x, y, "●" * uses + "○" * (of - uses), "strong")
        x = canvas.put(x, y, _there(p, ARTIFACT, tile), f"seat{seat}")
        if uses < of:
            lost = loss(s, seat, tile)
            canvas.put(x + 1, y, f"−{lost}" if lost else "free", "bad" if lost else "good")
        y += 1
    for tile in p.flipped:
        canvas.spot(("flipped", seat, tile), LABEL, y, WIDTH - LABEL, entry=ARTIFACTS[tile].name)
        canvas.put(LABEL + 1, y, f"({ARTIFACTS[tile].name}, used up)", "dim")
        y += 1
    return y if p.artifacts or p.flipped else y + 1


def _hand(canvas: Canvas, seat: int, p: Player, y: int) -> int:
    """Moot cards: in hand, then played ones in brackets."""
    canvas.put(0, y, f"{'moot cards':<{LABEL}}", "dim")
    x = LABEL
    for card in sorted(p.hand, key=lambda card: (card in p.played, card)):
        name = MOOTS[card].name.title()
        text = f"({name})" if card in p.played else name
        if x + len(text) + 1 > WIDTH:
            x, y = LABEL, y + 1
        entry = name if name != "Heart" else "Heart of the Oak card"
        canvas.spot(("moot", seat, card), x, y, len(text) + 1, entry=entry)
        x = canvas.put(x + 1, y, text, "dim" if card in p.played else "strong") + 1
    return y + 1
