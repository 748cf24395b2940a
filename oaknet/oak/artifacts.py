"""Artifacts: using them by a druid or by Lugh's Touch, and what they do (oak 17)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.actions import exchange_for, exchangeable
from oaknet.oak.bag import draw_ingredients
from oaknet.oak.box import Cost
from oaknet.oak.branches import choose_druid
from oaknet.oak.deeds import ACTIONS, Action
from oaknet.oak.pay import affordable
from oaknet.oak.potions import brew, can_brew
from oaknet.oak.queries import FREE, card_with
from oaknet.oak.state import State, by_kind, gain, move
from oaknet.oak.tables import ARTIFACT, ARTIFACT_TILES, ARTIFACTS, CREATURE_CARDS, RESOURCES, REST

KETTLE, SICKLE, CORNUCOPIA, SHIELD = 8, 9, 10, 12


# -- using one -----------------------------------------------------------------------------------------------


def loss(s: State, seat: int, tile: int) -> int:
    """The points that the next use of an active artifact costs (oak 17.2)."""
    p = s.players[seat]
    return s.box.artifacts.loss[tile - 1][p.uses[p.artifacts.index(tile)]]


def bonus(s: State, seat: int) -> int:
    """The points that a seat gains whenever it activates an artifact (oak 16.13)."""
    card = card_with(s.players[seat], "artifact-points")
    return s.box.creatures.amount[card - 1] if card else 0


def artifact_users(s: State, seat: int, tile: int) -> list[int]:
    """The active druids, one of each kind, that could use an active artifact of the seat now: nobody stands
    on it, its points can be paid, and then its action done (oak 17.1, 17.2)."""
    p = s.players[seat]
    lost = loss(s, seat, tile)
    used = s.used >> tile & 1 or (ARTIFACT, tile) in zip(p.place, p.space, strict=True)
    if used or lost > p.vp:
        return []
    return [druid for druid in by_kind(p, REST) if _fits(s, seat, tile, druid, lost)]


def _fits(s: State, seat: int, tile: int, druid: int, lost: int) -> bool:
    p = s.players[seat]
    change = bonus(s, seat) - lost
    p.place[druid], s.acting, s.used = ARTIFACT, druid, s.used | 1 << tile
    p.ledger[ARTIFACT_TILES] += change
    fits = ACTIONS[ARTIFACTS[tile].action].can(s, seat, FREE)
    p.ledger[ARTIFACT_TILES] -= change
    p.place[druid], s.acting, s.used = REST, -1, s.used & ~(1 << tile)
    return fits


async def use_artifact(s: State, seat: int, tile: int) -> None:
    """Place an active druid on an artifact, turn it to its next use and lose the points of that; act; if that
    was its last use, flip it: its place is open at once, its druid stays until Dusk (oak 17.1–17.4)."""
    p = s.players[seat]
    s.acting = await choose_druid(p, seat, "druid", artifact_users(s, seat, tile))
    move(p, s.acting, ARTIFACT, tile)
    p.ledger[ARTIFACT_TILES] -= loss(s, seat, tile)
    p.uses[p.artifacts.index(tile)] += 1
    await activate(s, seat, tile)
    i = p.artifacts.index(tile)
    if p.uses[i] == len(s.box.artifacts.loss[tile - 1]):
        del p.artifacts[i], p.uses[i]
        p.flipped.append(tile)


async def activate(s: State, seat: int, tile: int) -> None:
    """Do the action of an artifact, which is not used again this turn; Tarw Cernunnos adds a point (oak 17.5,
    16.13)."""
    s.used |= 1 << tile
    s.players[seat].ledger[CREATURE_CARDS] += bonus(s, seat)
    await ACTIONS[ARTIFACTS[tile].action].do(s, seat)


# -- Lugh's Touch --------------------------------------------------------------------------------------------


def usable_by_lugh(s: State, seat: int, owed: Cost) -> list[int]:
    """The active artifacts, of whomever, that have not been used this turn and whose action can be done
    (oak 10.9)."""
    return [
        tile
        for tile in sorted([tile for p in s.players for tile in p.artifacts])
        if not s.used >> tile & 1 and _fits_lugh(s, seat, tile, owed)
    ]


def _fits_lugh(s: State, seat: int, tile: int, owed: Cost) -> bool:
    s.used |= 1 << tile
    fits = ACTIONS[ARTIFACTS[tile].action].can(s, seat, owed)
    s.used &= ~(1 << tile)
    return fits


def can_use_by_lugh(s: State, seat: int, owed: Cost) -> bool:
    """Whether there is such an artifact."""
    return bool(usable_by_lugh(s, seat, owed))


async def use_by_lugh(s: State, seat: int) -> None:
    """Lugh's Touch: use any active artifact, of whomever, without a druid; it does not turn, and costs no
    points (oak 10.9)."""
    await activate(s, seat, await choose(seat, "lugh", usable_by_lugh(s, seat, FREE)))


# -- what they do --------------------------------------------------------------------------------------------


def gaining(kind: int) -> Action:
    """Necklace, Pendant, Runestones: gain 6 of a resource; what goes beyond the track is lost (oak 17.6)."""

    def can(s: State, seat: int, owed: Cost) -> bool:
        below = s.players[seat].resources[kind] - owed[kind] < s.box.play.most
        return below and affordable(s, seat, owed)

    async def do(s: State, seat: int) -> None:
        gain(s, seat, kind, s.box.artifacts.amount[kind])

    return Action(can, do)


def can_use_kettle(s: State, seat: int, owed: Cost) -> bool:
    """Whether something can be brewed with one ingredient fewer."""
    s.saved += s.box.artifacts.amount[KETTLE - 1]
    can = can_brew(s, seat, owed)
    s.saved -= s.box.artifacts.amount[KETTLE - 1]
    return can


async def use_kettle(s: State, seat: int) -> None:
    """Golden Kettle: brew a potion with one ingredient fewer (oak 17.8, 10.4)."""
    s.saved += s.box.artifacts.amount[KETTLE - 1]
    await brew(s, seat)


def can_draw(s: State, seat: int, owed: Cost) -> bool:
    """Whether the crane bag has an ingredient."""
    return any(s.bag) and affordable(s, seat, owed)


async def use_sickle(s: State, seat: int) -> None:
    """Golden Sickle: draw 3 ingredients from the crane bag (oak 17.9)."""
    await draw_ingredients(s, seat, s.box.artifacts.amount[SICKLE - 1])


def can_use_cornucopia(s: State, seat: int, owed: Cost) -> bool:
    """Whether there is something to exchange."""
    return bool(exchangeable(s, seat, owed))


async def use_cornucopia(s: State, seat: int) -> None:
    """Cornucopia: exchange any amount of one resource for as much of another, and 3 more of it (oak
    17.10)."""
    await exchange_for(s, seat, s.box.artifacts.amount[CORNUCOPIA - 1])


async def use_shield(s: State, seat: int) -> None:
    """Shield of Toutatis: gain 2 points (oak 17.12)."""
    s.players[seat].ledger[ARTIFACT_TILES] += s.box.artifacts.amount[SHIELD - 1]


ARTIFACT_ACTIONS: dict[str, Action] = {
    **{f"gain-{name}": gaining(kind) for kind, name in enumerate(RESOURCES)},
    "kettle": Action(can_use_kettle, use_kettle),
    "sickle": Action(can_draw, use_sickle),
    "cornucopia": Action(can_use_cornucopia, use_cornucopia),
    "points": Action(affordable, use_shield),
}
"""Plaque, Shaper, Carnyx, Headdress and Ring do what temple actions do (oak 17.7, 17.11)."""
