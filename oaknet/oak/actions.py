"""The actions of temple spaces by name: whether each can be done after paying, and doing it (oak 6.5)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.branches import choose_branch, climb, open_spaces
from oaknet.oak.cards import (
    build_shrine,
    can_build_shrine,
    can_take_artifact,
    can_take_creature,
    take_artifact,
    take_creature,
)
from oaknet.oak.deeds import ACTIONS, Action
from oaknet.oak.druids import can_recruit, can_upgrade, recruit, recruit_more, upgrade
from oaknet.oak.pay import affordable, choose_row
from oaknet.oak.potions import brew, can_brew
from oaknet.oak.queries import FREE, cost_of, limit_movable, plus
from oaknet.oak.state import State, gain
from oaknet.oak.tables import ADVANCED, INGREDIENTS, KINDS, MOOTS, RESOURCES

# -- Storytelling, Knowledge ---------------------------------------------------------------------------------


def can_move_limit(s: State, seat: int, owed: Cost) -> bool:
    """Whether a card limit marker is not yet at its end."""
    return any(limit_movable(s, seat, row) for row in (0, 1)) and affordable(s, seat, owed)


async def move_limit(s: State, seat: int) -> None:
    """Storytelling, 1 stone: move a card limit marker one space to the right (oak 6.5)."""
    s.players[seat].limits[await choose_row(s, seat)] += 1


def can_fetch(s: State, seat: int, owed: Cost) -> bool:
    """Whether there is an ingredient in the crane bag."""
    return any(s.bag) and affordable(s, seat, owed)


async def fetch(s: State, seat: int) -> None:
    """Knowledge, 1 stone: look through the crane bag and take an ingredient of choice (oak 6.5)."""
    names = [name for i, name in enumerate(INGREDIENTS) if s.bag[i]]
    ingredient = INGREDIENTS.index(await choose(seat, "ingredient", names))
    s.bag[ingredient] -= 1
    s.players[seat].ingredients[ingredient] += 1


# -- Worship -------------------------------------------------------------------------------------------------


def can_advance(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can take a step on some branch after paying."""
    return any(open_spaces(s, seat, branch) for branch in KINDS) and affordable(s, seat, owed)


async def advance(s: State, seat: int) -> None:
    """Worship, 2 stones: take one step on any branch, be it the first from the roots (oak 6.5)."""
    await climb(s, seat, await choose_branch(s, seat))


# -- Wisdom --------------------------------------------------------------------------------------------------


def exchangeable(s: State, seat: int, owed: Cost) -> list[int]:
    """The resources of which a seat has one left to exchange after paying, while another is not at its
    limit."""
    have = s.players[seat].resources
    left = [max(0, n - owed[kind]) for kind, n in enumerate(have)]
    return [
        kind
        for kind in KINDS
        if left[kind] and takes(s, left, kind) and affordable(s, seat, plus(owed, cost_of(kind, 1)))
    ]


def can_exchange(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat has something to exchange after paying."""
    return bool(exchangeable(s, seat, owed))


def takes(s: State, resources: list[int], give: int) -> list[int]:
    """The kinds that one could exchange ``give`` for: those that are not at their limit."""
    return [kind for kind in KINDS if kind != give and resources[kind] < s.box.play.most]


async def exchange(s: State, seat: int) -> None:
    """Wisdom, 1 stone: exchange any amount of one resource for as much of another; what goes beyond the
    track is lost (oak 6.5)."""
    await exchange_for(s, seat, 0)


async def exchange_for(s: State, seat: int, more: int) -> None:
    """Exchange any amount of one resource for as much of another and ``more``."""
    have = s.players[seat].resources
    gives = [RESOURCES[kind] for kind in exchangeable(s, seat, FREE)]
    give = RESOURCES.index(await choose(seat, "give", gives))
    take = RESOURCES.index(await choose(seat, "take", [RESOURCES[kind] for kind in takes(s, have, give)]))
    amount = await choose(seat, "amount", range(1, have[give] + 1))
    have[give] -= amount
    gain(s, seat, take, amount + more)


# -- Ritual, Mysticism ---------------------------------------------------------------------------------------


def advanced(s: State, seat: int) -> list[int]:
    """The advanced moot cards that are not yet in a seat's hand."""
    hand = s.players[seat].hand
    return [card for card in ADVANCED if card not in hand]


def can_learn(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat has an advanced card left to take."""
    return bool(advanced(s, seat)) and affordable(s, seat, owed)


async def learn(s: State, seat: int) -> None:
    """Ritual, 3 stones: take an advanced moot card into the hand, to be played from now on (oak 6.5)."""
    name = await choose(seat, "learn", [MOOTS[card].name for card in advanced(s, seat)])
    hand = s.players[seat].hand
    hand.append(next(card for card, moot in enumerate(MOOTS) if moot.name == name))
    hand.sort()


def replays(s: State, seat: int, owed: Cost) -> list[str]:
    """The actions of moot cards played this Day, each once: temple actions and, as ``oak-`` and the branch,
    Oak actions; never the replay itself (oak 6.6)."""
    names: list[str] = []
    for card in sorted(s.players[seat].played):
        moot = MOOTS[card]
        names += [name for name in moot.actions if name != "replay" and ACTIONS[name].can(s, seat, owed)]
        if moot.temple < 0:  # the Oak action of Heart of the Oak is on any branch
            names += ["advance"] if can_advance(s, seat, owed) else []
        elif open_spaces(s, seat, moot.temple) and affordable(s, seat, owed):
            names.append(f"oak-{RESOURCES[moot.temple]}")
    return list(dict.fromkeys(names))


def can_replay(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can pay and then repeat something."""
    return bool(replays(s, seat, owed))


async def replay(s: State, seat: int) -> None:
    """Mysticism, 3 stones, and what repeats like it: do an action of a moot card played this Day, Mysticism's
    others included, without its cost in resources and without a druid (oak 6.6)."""
    name = await choose(seat, "replay", replays(s, seat, FREE))
    if name.startswith("oak-"):
        await climb(s, seat, RESOURCES.index(name.removeprefix("oak-")))
    else:
        await ACTIONS[name].do(s, seat)


TEMPLE_ACTIONS: dict[str, Action] = {
    "limit": Action(can_move_limit, move_limit),
    "creature": Action(can_take_creature, take_creature),
    "artifact": Action(can_take_artifact, take_artifact),
    "recruit": Action(can_recruit, recruit),
    "advance": Action(can_advance, advance),
    "upgrade": Action(can_upgrade, upgrade),
    "ingredient": Action(can_fetch, fetch),
    "shrine": Action(can_build_shrine, build_shrine),
    "exchange": Action(can_exchange, exchange),
    "brew": Action(can_brew, brew),
    "recruit-two": Action(can_recruit, recruit_more),
    "learn": Action(can_learn, learn),
    "replay": Action(can_replay, replay),
}
"""By the names that `MOOTS` gives them."""
