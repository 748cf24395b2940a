"""Dusk: the way home, locks, the forest, the sun, the next round (oak 11)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.bag import draw_ingredient
from oaknet.oak.branches import climber, move_sun, tip
from oaknet.oak.forest import EMPTY
from oaknet.oak.queries import own_rest, rest_free, resting, rests_fit
from oaknet.oak.state import DAWN, DUSK, State, is_broichan, move
from oaknet.oak.tables import (
    ARTIFACT,
    DRUIDS,
    FOREST,
    HEART,
    KINDS,
    MENHIR,
    ORDER,
    REGULAR,
    REST,
    ROOTS,
    TEMPLE,
)

AWAY = (TEMPLE, ORDER, MENHIR, ARTIFACT, HEART)
"""The places whose druids come home."""


async def come_home(s: State) -> None:
    """One seat's druids return from temples and special spaces to resting spaces that suit them, the others
    to the roots; those of the forest return to the roots (oak 11.1). Where not all can rest the owner
    chooses. Broichan's all go to the roots (oak 14.12)."""
    seat = s.mover
    p = s.players[seat]
    away = [druid for druid, place in enumerate(p.place) if place in AWAY]
    while away and not is_broichan(s, seat):
        kinds = [
            kind for kind in sorted(dict.fromkeys([p.kind[d] for d in away])) if rest_free(s, seat, kind)
        ]
        if not kinds:
            break
        options = [DRUIDS[kind] for kind in kinds]
        name = options[0] if all_rest(s, seat, away) else await choose(seat, "home", options)
        druid = next(druid for druid in away if DRUIDS[p.kind[druid]] == name)
        away.remove(druid)
        move(p, druid, REST)
    for druid in away:
        move(p, druid, ROOTS)
    for druid, place in enumerate(p.place):
        if place == FOREST:
            move(p, druid, ROOTS)
    s.mover = (seat + 1) % len(s.players)
    if s.mover == s.first:
        s.phase = DUSK


def all_rest(s: State, seat: int, away: list[int]) -> bool:
    """Whether these druids can all rest."""
    common = [kind for druid in away if not own_rest(s, seat, kind := s.players[seat].kind[druid])]
    elders, regulars = resting(s, seat)
    more = common.count(REGULAR)
    return rests_fit(s, seat, elders + len(common) - more, regulars + more)


async def dusk(s: State) -> None:
    """The steps that concern all, in order (oak 11.2–11.7)."""
    lock_tips(s)
    for p in s.players:
        p.played.clear()
        p.passed = 0
    await fill_forest(s)
    await move_sun(s, s.first)
    s.first = (s.first + 1) % len(s.players)
    s.round += 1
    move_neutrals(s)
    s.phase, s.mover = DAWN, s.first


def lock_tips(s: State) -> None:
    """Every tip with a druid on it is locked from now on (oak 11.2)."""
    for p in s.players:
        for branch in KINDS:
            druid = climber(p, branch)
            if druid >= 0 and (arm := p.space[druid] - tip(s.box, branch, 0)) >= 0:
                s.locked[branch * 2 + arm] = 1


async def fill_forest(s: State) -> None:
    """Draw ingredients from the crane bag onto the empty spaces of the forest, from top left clockwise (oak
    11.4)."""
    for space, ingredient in enumerate(s.forest):
        if ingredient == EMPTY and any(s.bag):
            s.forest[space] = await draw_ingredient(s)


def move_neutrals(s: State) -> None:
    """Neutral druids go on clockwise: each within its temple, or a lone one to the next temple's pictured
    space (oak 11.7)."""
    temples = s.box.temples
    if len(s.neutrals) == 1:
        temple = after(temples.order, s.neutrals[0] // 3)
        s.neutrals[0] = pictured_space(s, temple)
        return
    for i, space in enumerate(s.neutrals):
        s.neutrals[i] = space // 3 * 3 + after(temples.clockwise, space % 3 + 1) - 1


def after(circle: tuple[int, int, int], item: int) -> int:
    """What follows in a circle."""
    return circle[(circle.index(item) + 1) % len(circle)]


def pictured_space(s: State, temple: int) -> int:
    """The space of a temple that shows a druid."""
    return temple * 3 + s.box.temples.pictured[temple] - 1
