"""Druids: upgrading to elders, fetching from the roots, coming home (oak 2)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.branches import choose_druid
from oaknet.oak.forest import gather_too
from oaknet.oak.pay import affordable
from oaknet.oak.queries import rest_free
from oaknet.oak.state import Player, State, by_kind, move
from oaknet.oak.tables import (
    ARTIFACT,
    BRANCH,
    DRUIDS,
    ELDERS,
    ORDER,
    PLACES,
    REGULAR,
    RESOURCES,
    REST,
    ROOTS,
    TEMPLE,
)


def where(p: Player, druid: int) -> str:
    """The name of the place of a druid, as answers spell it."""
    place, space = p.place[druid], p.space[druid]
    if place >= BRANCH:
        return f"branch-{RESOURCES[place - BRANCH]}"
    if place == TEMPLE:
        return f"temple-{RESOURCES[space // 3]}-{space % 3 + 1}"
    return f"{PLACES[place]}-{space}" if place in (ORDER, ARTIFACT) else PLACES[place]


# -- upgrading -----------------------------------------------------------------------------------------------


def elders_left(p: Player) -> list[int]:
    """The elder kinds that a seat does not have yet: one of each (oak 2.3)."""
    return [kind for kind in ELDERS if kind not in p.kind]


def upgrades(s: State, seat: int, druid: int, kinds: list[int]) -> list[int]:
    """The elders that a druid can become: any where it stands, but on a resting space only if, rearranged, a
    space for that elder is free (oak 2.3)."""
    if s.players[seat].place[druid] != REST:
        return kinds
    return [kind for kind in kinds if rest_free(s, seat, kind, instead=druid)]


def can_upgrade(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can upgrade a druid after paying."""
    return can_upgrade_to(s, seat, elders_left(s.players[seat]), owed)


def can_upgrade_to(s: State, seat: int, kinds: list[int], owed: Cost) -> bool:
    """Whether a seat can upgrade a druid to one of these kinds after paying."""
    if not kinds or not affordable(s, seat, owed):
        return False
    druids = enumerate(s.players[seat].kind)
    return any(kind == REGULAR and upgrades(s, seat, druid, kinds) for druid, kind in druids)


async def upgrade(s: State, seat: int) -> None:
    """Upgrade a regular druid, wherever it is, to an elder that the seat does not have yet (oak 2.3)."""
    await upgrade_to(s, seat, elders_left(s.players[seat]))


async def upgrade_to(s: State, seat: int, kinds: list[int]) -> None:
    """Upgrade a regular druid, wherever it is, to one of these kinds."""
    p = s.players[seat]
    places: dict[str, int] = {}
    for druid in sorted(range(len(p.kind)), key=lambda druid: (p.place[druid], p.space[druid])):
        if p.kind[druid] == REGULAR and upgrades(s, seat, druid, kinds):
            places.setdefault(where(p, druid), druid)
    druid = places[await choose(seat, "upgrade", list(places))]
    names = [DRUIDS[kind] for kind in upgrades(s, seat, druid, kinds)]
    p.kind[druid] = DRUIDS.index(await choose(seat, "elder", names))


# -- from the roots to rest ----------------------------------------------------------------------------------


def recruits(s: State, seat: int) -> list[int]:
    """The druids on the roots for which a resting space is free, one of each kind (oak 6.5)."""
    p = s.players[seat]
    return [druid for druid in by_kind(p, ROOTS) if rest_free(s, seat, p.kind[druid])]


def can_recruit(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can fetch a druid after paying."""
    return affordable(s, seat, owed) and bool(recruits(s, seat))


async def recruit(s: State, seat: int) -> None:
    """Take a druid, elder or not, from the roots to a free resting space that suits it (oak 6.5)."""
    await fetch_druid(s, seat)
    await gather_too(s, seat, "gather-with-recruit")


async def fetch_druid(s: State, seat: int) -> None:
    """One druid from the roots to rest."""
    p = s.players[seat]
    move(p, await choose_druid(p, seat, "recruit", recruits(s, seat)), REST)


async def recruit_more(s: State, seat: int) -> None:
    """The same for up to as many druids as Ritual says; after the first one may stop (oak 6.5)."""
    await fetch_druid(s, seat)
    p = s.players[seat]
    for _ in range(s.box.moot.recruits - 1):
        names = [DRUIDS[p.kind[druid]] for druid in recruits(s, seat)]
        name = await choose(seat, "recruit", [*names, "done"])
        if name == "done":
            break
        kind = DRUIDS.index(name)
        move(p, next(druid for druid in by_kind(p, ROOTS) if p.kind[druid] == kind), REST)
    await gather_too(s, seat, "gather-with-recruit")
