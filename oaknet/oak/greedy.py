"""A careful beginner: takes what is worth most against what it costs, without looking past its own action.

Worths are in tenths of a victory point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from oaknet.kernel import Game, Option, Rng
from oaknet.oak.actions import replays
from oaknet.oak.box import Cost
from oaknet.oak.branches import above, climber, height, income, open_spaces, tip, tip_points
from oaknet.oak.moot import STONES, oak_fits, usable
from oaknet.oak.potions import darkwood_sets
from oaknet.oak.queries import FREE, oak_cost, slot_free, temple_cost
from oaknet.oak.state import State, by_kind
from oaknet.oak.tables import ABOVE, BELOW, INGREDIENTS, KINDS, MOOTS, RESOURCES, REST

POINT = 10
SPARE = 6
"""Resources of a kind that one rarely needs more of, since Dawn brings the rest."""


def greedy(game: Game[State], seat: int, rng: Rng) -> Option:
    """Answer the question that waits for ``seat``; the same answer every time."""
    ask = game.asked(seat)
    assert ask is not None, f"seat {seat} is not asked"
    s = game.state
    worth = WORTHS.get(ask.about)
    if worth is None:
        return ask.options[0]
    best = max(range(len(ask.options)), key=lambda i: (worth(s, seat, ask.options[i]), -i))
    return ask.options[best]


# -- what things are worth -----------------------------------------------------------------------------------


def rounds_left(s: State) -> int:
    """Rounds after this one."""
    return s.box.play.rounds - s.round


def stock(s: State, amount: int) -> int:
    """What so many resources of a kind are worth to keep."""
    if not rounds_left(s):
        return amount
    return 4 * min(amount, SPARE) + max(0, amount - SPARE)


def price(s: State, seat: int, cost: Cost) -> int:
    """What a cost is worth; a resource that ingredients must stand for is dear."""
    have = s.players[seat].resources
    return sum(
        stock(s, have[kind])
        - stock(s, max(0, have[kind] - cost[kind]))
        + 12 * max(0, cost[kind] - have[kind])
        for kind in KINDS
    )


def step_worth(s: State, seat: int, branch: int) -> int:
    """A step on a branch: its points, Festivals to come, and the tip in reach."""
    return max(space_worth(s, seat, branch, to) for to in open_spaces(s, seat, branch))


def space_worth(s: State, seat: int, branch: int, space: int) -> int:
    """Standing on a space."""
    low = tip(s.box, branch, 0)
    if space >= low:
        return POINT * tip_points(s, seat, branch, space - low) + 5
    worth = POINT * s.box.branches.step + 2 * income(s.box, branch, space) * rounds_left(s)
    arms = [arm for arm in (0, 1) if not s.locked[branch * 2 + arm] and reaches(s, branch, space, arm)]
    tips = max((tip_points(s, seat, branch, arm) for arm in arms), default=0)
    return worth + POINT * tips // (1 + height(s.box, branch, low) - height(s.box, branch, space))


def reaches(s: State, branch: int, space: int, arm: int) -> bool:
    """Whether the tip of an arm can be climbed to from a space."""
    ahead = [space]
    while ahead:
        space = ahead.pop()
        if space == tip(s.box, branch, arm):
            return True
        ahead += above(s.box, branch, space)
    return False


def slot_price(s: State, seat: int, row: int) -> int:
    """A card slot, dearer if it must be bought first."""
    return 4 if slot_free(s, seat, row) else 16


def action_worth(s: State, seat: int, name: str) -> int:
    """What an action brings, before its cost; 0 where only the druids yet to be placed make it possible."""
    p, box, left = s.players[seat], s.box, rounds_left(s)
    if name.startswith("oak-"):
        return step_worth(s, seat, RESOURCES.index(name.removeprefix("oak-")))
    if name == "creature":
        points = max((box.creatures.vp[card - 1] for card in s.creatures), default=0)
        return POINT * points + 2 * left - slot_price(s, seat, BELOW)
    if name == "artifact":
        return POINT * box.artifacts.vp
    if name == "shrine":
        return POINT * max(box.cards.shrine) + 3 * left - slot_price(s, seat, ABOVE)
    if name == "brew":
        sets = darkwood_sets(s, p)
        return (POINT * dict(box.potions.darkwood)[len(sets[0])] - 10 if sets else 0) + 2 * left
    if name == "advance":
        branches = [branch for branch in KINDS if open_spaces(s, seat, branch)]
        return max((step_worth(s, seat, branch) for branch in branches), default=0)
    if name == "replay":
        return max((action_worth(s, seat, name) for name in replays(s, seat, FREE)), default=0)
    if name == "exchange":
        return 2 * (max(p.resources) - min(p.resources)) - 8
    per_round = {"limit": 2, "recruit": 4, "upgrade": 5, "ingredient": 2, "recruit-two": 6, "learn": 12}
    return per_round[name] * left + (4 if name == "ingredient" else 0)


def plans(s: State, seat: int, card: int) -> dict[tuple[str, int], int]:
    """What each way to play a card is worth, its cost and druids taken off."""
    worth: dict[tuple[str, int], int] = {}
    temple = MOOTS[card].temple
    if oak_fits(s, seat, card):
        worth["oak", 0] = step_worth(s, seat, temple) - price(s, seat, oak_cost(s, card))
    for stone in STONES:
        if usable(s, seat, card, stone):
            druid = by_kind(s.players[seat], REST)[0]
            cost = price(s, seat, temple_cost(s, seat, card, stone, druid))
            worth["temple", stone] = action_worth(s, seat, MOOTS[card].actions[stone - 1]) - cost - 2
    return worth


# -- what each answer is worth -------------------------------------------------------------------------------


def turn_worth(s: State, seat: int, option: Option) -> int:
    """Cards by their best use; free actions only as part of another."""
    if option == "pass":
        return 1
    if option in ("trade", "limit"):
        return 0
    if option == "menhir":
        return (
            POINT * s.box.cards.menhir - price(s, seat, s.box.cards.menhir_cost) - slot_price(s, seat, ABOVE)
        )
    card = next(card for card, moot in enumerate(MOOTS) if moot.name == option)
    s.players[seat].played.append(card)
    worth = max(plans(s, seat, card).values(), default=0)
    s.players[seat].played.pop()
    return worth


def way_worth(s: State, seat: int, option: Option) -> int:
    """The two halves of the card just played."""
    found = plans(s, seat, s.players[seat].played[-1])
    return max(worth for (way, _), worth in found.items() if way == option)


def stone_worth(s: State, seat: int, option: Option) -> int:
    """The spaces of its temple."""
    return plans(s, seat, s.players[seat].played[-1])["temple", cast(int, option)]


def pay_worth(s: State, seat: int, option: Option) -> int:
    """Pay from what one has most of."""
    return -price(s, seat, cast(Cost, option))


def bundle_worth(s: State, seat: int, option: Option) -> int:
    """Give away ingredients that one has several of."""
    names = cast("tuple[str, ...]", option)
    left = s.players[seat].ingredients[:]
    for name in names:
        left[INGREDIENTS.index(name)] -= 1
    return sum(1 for n in left if n)


def ingredient_worth(s: State, seat: int, option: Option) -> int:
    """Take kinds that one has not got."""
    if isinstance(option, str) and option in INGREDIENTS:
        return 9 - s.players[seat].ingredients[INGREDIENTS.index(option)]
    return -1


def card_worth(s: State, seat: int, option: Option) -> int:
    """Creatures by their points; no refreshing."""
    return s.box.creatures.vp[option - 1] if isinstance(option, int) else -99


def shrine_worth(s: State, seat: int, option: Option) -> int:
    """Points before resting spaces for elders."""
    return s.box.cards.shrine[0 if option == "elder" else 1]


def arm_worth(s: State, seat: int, option: Option) -> int:
    """The arm whose tip would give more now."""
    arm = 0 if option == "left" else 1
    p = s.players[seat]
    forks = [b for b in KINDS if (d := climber(p, b)) >= 0 and p.space[d] == len(s.box.branches.stem[b])]
    return max((tip_points(s, seat, b, arm) for b in forks if not s.locked[b * 2 + arm]), default=-1)


def branch_worth(s: State, seat: int, option: Option) -> int:
    """The branch whose next step is worth most."""
    return step_worth(s, seat, RESOURCES.index(cast(str, option)))


def replay_worth(s: State, seat: int, option: Option) -> int:
    """The action to repeat."""
    return action_worth(s, seat, cast(str, option))


def row_worth(s: State, seat: int, option: Option) -> int:
    """The row that is full."""
    return 0 if slot_free(s, seat, ABOVE if option == "above" else BELOW) else 1


def give_worth(s: State, seat: int, option: Option) -> int:
    """The resource one has most of."""
    return s.players[seat].resources[RESOURCES.index(cast(str, option))]


def take_worth(s: State, seat: int, option: Option) -> int:
    """The resource one has least of."""
    return -give_worth(s, seat, option)


def amount_worth(s: State, seat: int, option: Option) -> int:
    """Exchange until both are about even."""
    have = s.players[seat].resources
    return -abs(max(have) - min(have) - 2 * cast(int, option))


def preference(*names: str) -> Callable[[State, int, Option], int]:
    """Worth by a list, the best first; what is not in it comes last."""
    return lambda s, seat, option: len(names) - names.index(option) if option in names else 0


WORTHS: dict[str, Callable[[State, int, Option], int]] = {
    "order": preference("cairns", "fox", "wild", "blackbird"),
    "turn": turn_worth,
    "way": way_worth,
    "stone": stone_worth,
    "pay": pay_worth,
    "trade": bundle_worth,
    "resource": take_worth,
    "row": row_worth,
    "arm": arm_worth,
    "branch": branch_worth,
    "upgrade": preference("rest", "menhir", "roots"),
    "elder": preference("recluse", "arch-druid"),
    "creature": card_worth,
    "shrine": shrine_worth,
    "ingredient": ingredient_worth,
    "give": give_worth,
    "take": take_worth,
    "amount": amount_worth,
    "learn": preference("mysticism", "wisdom"),
    "replay": replay_worth,
    "gather": ingredient_worth,
    "home": preference("arch-druid", "bard", "ovate", "talon-master"),
}
"""How to weigh the answers of each question; of all others the first is taken."""
