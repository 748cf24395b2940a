"""The actions of temple spaces by name: whether each can be done after paying, and doing it (oak 6.5)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.box import Cost
from oaknet.oak.branches import climb, open_spaces
from oaknet.oak.cards import (
    build_shrine,
    can_build_shrine,
    can_take_artifact,
    can_take_creature,
    take_artifact,
    take_creature,
)
from oaknet.oak.druids import can_recruit, can_upgrade, recruit, recruit_more, upgrade
from oaknet.oak.pay import affordable, choose_row
from oaknet.oak.potions import brew, can_brew
from oaknet.oak.queries import limit_movable
from oaknet.oak.state import State, gain
from oaknet.oak.tables import INGREDIENTS, KINDS, MOOTS, RESOURCES, Action

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
    names = [RESOURCES[branch] for branch in KINDS if open_spaces(s, seat, branch)]
    await climb(s, seat, RESOURCES.index(await choose(seat, "branch", names)))


# -- Wisdom --------------------------------------------------------------------------------------------------


def can_exchange(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat has a resource left, after paying, to exchange for one that is not at its limit."""
    left = [max(0, have - due) for have, due in zip(s.players[seat].resources, owed, strict=True)]
    return affordable(s, seat, owed) and any(left[give] and takes(s, left, give) for give in KINDS)


def takes(s: State, resources: list[int], give: int) -> list[int]:
    """The kinds that one could exchange ``give`` for: those that are not at their limit."""
    return [kind for kind in KINDS if kind != give and resources[kind] < s.box.play.most]


async def exchange(s: State, seat: int) -> None:
    """Wisdom, 1 stone: exchange any amount of one resource for as much of another; what goes beyond the
    track is lost (oak 6.5)."""
    have = s.players[seat].resources
    gives = [RESOURCES[kind] for kind in KINDS if have[kind] and takes(s, have, kind)]
    give = RESOURCES.index(await choose(seat, "give", gives))
    take = RESOURCES.index(await choose(seat, "take", [RESOURCES[kind] for kind in takes(s, have, give)]))
    amount = await choose(seat, "amount", range(1, have[give] + 1))
    have[give] -= amount
    gain(s, seat, take, amount)


# -- Ritual, Mysticism ---------------------------------------------------------------------------------------


def advanced(s: State, seat: int) -> list[int]:
    """The advanced moot cards that are not yet in a seat's hand."""
    hand = s.players[seat].hand
    return [card for card, moot in enumerate(MOOTS) if not moot.starting and card not in hand]


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
        if open_spaces(s, seat, moot.temple) and affordable(s, seat, owed):
            names.append(f"oak-{RESOURCES[moot.temple]}")
    return list(dict.fromkeys(names))


def can_replay(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can pay and then repeat something."""
    return bool(replays(s, seat, owed))


async def replay(s: State, seat: int) -> None:
    """Mysticism, 3 stones: do an action of a moot card played this Day, Mysticism's others included,
    without its cost in resources and without a druid (oak 6.6)."""
    name = await choose(seat, "replay", replays(s, seat, (0, 0, 0)))
    if name.startswith("oak-"):
        await climb(s, seat, RESOURCES.index(name.removeprefix("oak-")))
    else:
        await ACTIONS[name].do(s, seat)


ACTIONS = {
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
"""The temple actions, by the names that `MOOTS` gives them."""
