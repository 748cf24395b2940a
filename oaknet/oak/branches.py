"""The branches of the Oak: steps, forks, tips, solar tokens, the sun and its Festivals (oak 7).

Space 0 is the roots. The stem is 1, 2, … up to the fork; beyond it the left arm has every second space from
fork + 1 on and the right arm those from fork + 2 on, so that the tips have the two highest numbers.
"""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.box import Box
from oaknet.oak.queries import card_with, elders
from oaknet.oak.state import Player, State, by_kind, count_at, gain, is_broichan, move, seats_from
from oaknet.oak.tables import BRANCH, BRANCHES, DRUIDS, KINDS, RESOURCES, ROOTS, TIPS

ARMS = ("left", "right")


# -- the map -------------------------------------------------------------------------------------------------


def tip(box: Box, branch: int, arm: int) -> int:
    """The highest space of an arm."""
    fork = len(box.branches.stem[branch])
    return fork + 2 * len(box.branches.arm[branch]) + 1 + arm


def above(box: Box, branch: int, space: int) -> tuple[int, ...]:
    """The spaces that one step leads to: two at the fork, none from a tip."""
    fork = len(box.branches.stem[branch])
    if space < fork:
        return (space + 1,)
    if space == fork:
        return (space + 1, space + 2)
    return (space + 2,) if space < tip(box, branch, 0) else ()


def height(box: Box, branch: int, space: int) -> int:
    """How many steps a space is from the roots."""
    fork = len(box.branches.stem[branch])
    return space if space <= fork else fork + (space - fork + 1) // 2


def income(box: Box, branch: int, space: int) -> int:
    """Festival income of a space, in the branch's own resource; a tip has none (oak 7.7)."""
    fork = len(box.branches.stem[branch])
    if space <= fork:
        return box.branches.stem[branch][space - 1]
    arm = box.branches.arm[branch]
    step = (space - fork - 1) // 2
    return arm[step] if step < len(arm) else 0


def climber(p: Player, branch: int) -> int:
    """The druid that a seat has on a branch; -1 if there is none. Never more than one (oak 7.2)."""
    place = BRANCH + branch
    return p.place.index(place) if place in p.place else -1


def steps(s: State, seat: int) -> int:
    """Steps that a seat has taken on all branches."""
    p = s.players[seat]
    return sum(height(s.box, b, p.space[d]) for b in KINDS if (d := climber(p, b)) >= 0)


# -- the Oak action ------------------------------------------------------------------------------------------


def open_spaces(s: State, seat: int, branch: int, *, locked: bool = False) -> list[int]:
    """Where a seat's druid could step on a branch (oak 7.2, 7.3, 7.5).

    From the roots onto the first space, if no druid of the seat is on this branch; never onto a locked tip
    unless ``locked`` ones are open too (oak 10.13), and from a tip nowhere."""
    p, box = s.players[seat], s.box
    druid = climber(p, branch)
    if druid < 0:
        return [1] if ROOTS in p.place else []
    low = tip(box, branch, 0)
    return [
        space
        for space in above(box, branch, p.space[druid])
        if space < low or locked or not s.locked[branch * 2 + space - low]
    ]


async def choose_branch(s: State, seat: int, *, locked: bool = False) -> int:
    """Which branch to step on, of those where the seat can."""
    names = [RESOURCES[branch] for branch in KINDS if open_spaces(s, seat, branch, locked=locked)]
    return RESOURCES.index(await choose(seat, "branch", names))


async def climb(s: State, seat: int, branch: int, *, points: bool = True, locked: bool = False) -> None:
    """Move the druid on a branch one space up, or bring one from the roots; take the ``points``; if a solar
    token was passed, remove it and move the sun (oak 7.2)."""
    await ride_first(s, seat, branch)
    p = s.players[seat]
    spaces = open_spaces(s, seat, branch, locked=locked)
    druid = climber(p, branch)
    if druid < 0:
        druid = await choose_druid(p, seat, "climber", by_kind(p, ROOTS))
    space = spaces[0]
    if len(spaces) == 2:
        space = spaces[ARMS.index(await choose(seat, "arm", ARMS))]
    await step(s, seat, druid, branch, space, points=points)


async def step(s: State, seat: int, druid: int, branch: int, space: int, *, points: bool = True) -> None:
    """One step of a druid onto a space, with the points and the sun that go with it (oak 7.2)."""
    p, box = s.players[seat], s.box
    move(p, druid, BRANCH + branch, space)
    low = tip(box, branch, 0)
    if points and space < low:
        p.ledger[BRANCHES] += box.branches.step
    elif points:
        p.ledger[TIPS] += tip_points(s, seat, branch, space - low)
    if space == box.branches.token[branch] and s.tokens[branch]:
        s.tokens[branch] -= 1
        await move_sun(s, seat)


async def choose_druid(p: Player, seat: int, about: str, druids: list[int]) -> int:
    """Ask which kind of druid, of one druid a kind."""
    kind = DRUIDS.index(await choose(seat, about, [DRUIDS[p.kind[druid]] for druid in druids]))
    return next(druid for druid in druids if p.kind[druid] == kind)


async def ride(s: State, seat: int) -> None:
    """Do the Oak action that was paid for with a temple action, if it has not been done yet and its druid can
    still move (oak 16.3)."""
    branch, s.rider = s.rider, -1
    if branch >= 0 and open_spaces(s, seat, branch):
        await climb(s, seat, branch)


async def ride_first(s: State, seat: int, branch: int) -> None:
    """Of the movements of one turn the one further left comes first, unless it would take the druid that the
    other needs (oak 7.8)."""
    p = s.players[seat]
    entering = [b for b in (s.rider, branch) if climber(p, b) < 0]
    if 0 <= s.rider < branch and count_at(p, ROOTS) >= len(entering):
        await ride(s, seat)


def tip_points(s: State, seat: int, branch: int, arm: int) -> int:
    """What a tip gives, counted at the moment it is entered (oak 7.4)."""
    p, n = s.players[seat], s.box.branches
    counts = n.tips[branch][arm]
    if counts == "vp":
        return n.vp * (p.vp // n.per)
    if counts == "elder":
        return n.elder * elders(p)
    if counts == "creature":
        return n.creature * len(p.creatures)
    if counts == "potion":
        return n.potion * p.markers
    if counts == "shrine":
        return n.shrine * len(p.shrines)
    return n.artifact * (len(p.artifacts) + len(p.flipped))


# -- the sun -------------------------------------------------------------------------------------------------


async def move_sun(s: State, active: int) -> None:
    """Move the solar marker one space; on a Solstice space a Festival begins at once (oak 7.6).

    ``active`` is whose turn it is: the Festival goes round from there.
    """
    if s.sun == len(s.box.sun.level):
        return
    s.sun += 1
    if s.sun in s.box.sun.solstice:
        await festivals(s, active)


async def festivals(s: State, active: int) -> None:
    """The Festival of everybody; only then does Broichan use what he drew (oak 7.7, 14.8)."""
    from oaknet.oak import broichan  # a Festival may make him climb: the two chapters need each other

    for seat in seats_from(s, active):
        await (broichan.festival(s) if is_broichan(s, seat) else festival(s, seat))
    if s.broichan:
        await broichan.use_sets(s)


def behind(s: State, seat: int) -> bool:
    """Whether a seat's points are fewer than the sun's space is level with (oak 7.7)."""
    return s.players[seat].vp < s.box.sun.level[s.sun - 1]


async def festival(s: State, seat: int, *, alone: bool = False) -> None:
    """A seat behind the sun gains the income of each space that its druids hold on the branches (oak 7.7);
    with Belenos' Boon it does so ``alone``, behind or not (oak 10.10). Then come the creatures."""
    p = s.players[seat]
    incomes = [income(s.box, b, p.space[d]) if (d := climber(p, b)) >= 0 else 0 for b in KINDS]
    gained = [0, 0, 0]
    if alone or behind(s, seat):
        gained = incomes
        for kind in KINDS:
            gain(s, seat, kind, gained[kind])
    elif s.eclipse and ahead(s, seat):
        for kind in KINDS:
            p.resources[kind] -= min(p.resources[kind], incomes[kind])
    if card := card_with(p, "festival-choice"):
        await gain_choice(s, seat, s.box.creatures.amount[card - 1], gained)
    if card := card_with(p, "festival-more"):
        for kind in KINDS:
            gain(s, seat, kind, s.box.creatures.amount[card - 1] if gained[kind] else 0)


def ahead(s: State, seat: int) -> bool:
    """Whether a seat's points are more than the sun's space is level with (oak 13.1)."""
    return s.players[seat].vp > s.box.sun.level[s.sun - 1]


async def gain_choice(s: State, seat: int, amount: int, gained: list[int]) -> None:
    """Bugul Noz: so many of a resource of choice that is not at its limit (oak 16.10)."""
    names = [RESOURCES[kind] for kind in KINDS if s.players[seat].resources[kind] < s.box.play.most]
    if names:
        kind = RESOURCES.index(await choose(seat, "festival", names))
        gain(s, seat, kind, amount)
        gained[kind] += amount
