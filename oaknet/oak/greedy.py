"""A careful beginner: takes what is worth most against what it costs, without looking past its own action.

Worths are in tenths of a victory point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from oaknet.kernel import Game, Option, Rng
from oaknet.oak.actions import replays
from oaknet.oak.artifacts import KETTLE, SHIELD, bonus, loss, usable_by_lugh
from oaknet.oak.box import Cost
from oaknet.oak.branches import above, climber, height, income, open_spaces, tip, tip_points
from oaknet.oak.cards import LOOK
from oaknet.oak.free import FREE_ACTIONS
from oaknet.oak.moot import STONES, action_of, heart_druids, oak_fits, reads, temple_space
from oaknet.oak.potions import DARKWOOD, darkwood_payments, reward_can, tile_payments, tiles
from oaknet.oak.queries import FREE, hands, menhir_costs, oak_costs, readings, slot_free, temple_cost
from oaknet.oak.special import menhir_builders
from oaknet.oak.state import State, by_kind
from oaknet.oak.tables import (
    ABOVE,
    ARTIFACTS,
    BELOW,
    CREATURES,
    HEART_CARD,
    INGREDIENTS,
    KINDS,
    MOOTS,
    POTIONS,
    RESOURCES,
    REST,
    RUNIC_POWER,
)

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


def gain_worth(s: State, seat: int, kind: int, amount: int) -> int:
    """So many resources of a kind, as far as the track reaches."""
    have = s.players[seat].resources[kind]
    return stock(s, min(s.box.play.most, have + amount)) - stock(s, have)


def action_worth(s: State, seat: int, name: str) -> int:
    """What an action brings, before its cost; 0 where only the druids yet to be placed make it possible."""
    p, box, left = s.players[seat], s.box, rounds_left(s)
    if name.startswith("oak-"):
        return step_worth(s, seat, RESOURCES.index(name.removeprefix("oak-")))
    if name == "creature":
        points = max((box.creatures.vp[card - 1] for card in s.creatures), default=0)
        return POINT * points + 4 * left - slot_price(s, seat, BELOW)
    if name == "artifact":
        return POINT * box.artifacts.vp + 4 * left
    if name == "shrine":
        return POINT * max(box.cards.shrine) + 3 * left - slot_price(s, seat, ABOVE)
    if name in ("brew", "kettle"):
        return brew_worth(s, seat, box.artifacts.amount[KETTLE - 1] if name == "kettle" else 0)
    if name == "advance":
        branches = [branch for branch in KINDS if open_spaces(s, seat, branch)]
        return max((step_worth(s, seat, branch) for branch in branches), default=0)
    if name == "replay":
        return max((action_worth(s, seat, name) for name in replays(s, seat, FREE)), default=0)
    if name == "exchange":
        return 2 * (max(p.resources) - min(p.resources)) - 8
    if name == "cornucopia":
        return 2 * (max(p.resources) - min(p.resources)) + 2
    if name == "gain-any":
        return max(gain_worth(s, seat, kind, box.orders.gain) for kind in KINDS)
    if name.startswith("gain-"):
        kind = RESOURCES.index(name.removeprefix("gain-"))
        return gain_worth(s, seat, kind, box.artifacts.amount[kind])
    if name == "points":
        return POINT * box.artifacts.amount[SHIELD - 1]
    if name in ("draw", "sickle"):
        return 15 + 3 * left
    per_round = {"limit": 2, "recruit": 4, "upgrade": 6, "ingredient": 2, "recruit-two": 6, "learn": 12}
    return per_round[name] * left + (4 if name == "ingredient" else 0)


def brew_worth(s: State, seat: int, saved: int) -> int:
    """The best potion that could be brewed, Darkwood by its points."""
    s.saved += saved
    points = max(darkwood_payments(s, seat).values(), default=0)
    found = [POINT * points] if points else []
    found += [
        reward_worth(s, seat, POTIONS[tile].reward)
        for tile in tiles(s, seat)
        if tile_payments(s, seat, tile) and reward_can(s, seat, tile, FREE)
    ]
    s.saved -= saved
    return max(found) - 8 + 2 * rounds_left(s) if found else 0


def reward_worth(s: State, seat: int, name: str) -> int:
    """What a potion tile brings."""
    p, box, left = s.players[seat], s.box, rounds_left(s)
    steps = [step_worth(s, seat, branch) for branch in KINDS if open_spaces(s, seat, branch)]
    if name == "upgrade":
        return action_worth(s, seat, name)
    if name == "warp":
        return sum(steps)
    if name in ("dryad", "grant"):
        return max(steps, default=0)
    if name == "renewal":
        return max(nested_worth(s, seat, action) for action in replays(s, seat, FREE))
    if name == "lugh":
        return max(nested_worth(s, seat, ARTIFACTS[tile].action) for tile in usable_by_lugh(s, seat, FREE))
    if name == "boon":
        return 4 * sum(income(box, b, p.space[d]) for b in KINDS if (d := climber(p, b)) >= 0)
    if name == "runic":
        return POINT * box.cards.menhir - 4 * box.potions.amount[RUNIC_POWER - 1] - slot_price(s, seat, ABOVE)
    if name == "companion":
        return POINT * max(box.creatures.vp) + 4 * left - slot_price(s, seat, BELOW)
    if name == "gift":
        return POINT * box.artifacts.vp + 6 * left
    if name == "bloom":
        return gain_worth(s, seat, p.resources.index(min(p.resources)), box.play.most)
    if name == "recharge":
        return 2 * left * len(p.artifacts)
    return {"limits": 4, "chosen": 10, "heart": 8}[name] * left


def nested_worth(s: State, seat: int, action: str) -> int:
    """An action that a potion allows; brewing once more is not thought through."""
    return 15 if action in ("brew", "kettle", "replay") else action_worth(s, seat, action)


def plans(s: State, seat: int, card: int) -> dict[tuple[str, int, int], int]:
    """What each way to play a card is worth, its cost and druids taken off: the Oak action, a stone space and
    what it counts as, or an action of Heart of the Oak."""
    worth: dict[tuple[str, int, int], int] = {}
    if oak_fits(s, seat, card):
        branches = KINDS if card == HEART_CARD else (MOOTS[card].temple,)
        steps = [step_worth(s, seat, branch) for branch in branches if open_spaces(s, seat, branch)]
        worth["oak", 0, 0] = max(steps) - cheapest(s, seat, oak_costs(s, card))
    ways = [(0, index) for index in range(len(MOOTS[card].actions)) if heart_druids(s, seat, index)]
    if card != HEART_CARD:
        p = s.players[seat]
        ways = [(stone, reading) for stone in STONES for reading in readings(p, stone)]
        ways = [way for way in ways if reads(s, seat, card, *way)]
    for stone, reading in ways:
        druid = by_kind(s.players[seat], REST)[0]
        cost = price(s, seat, temple_cost(s, seat, card, reading, druid))
        crowded = stone and hands(s, seat, temple_space(card, stone), druid) == 2
        action = action_worth(s, seat, action_of(card, reading))
        worth["temple", stone, reading] = action - cost - (4 if crowded else 2)
    return worth


def cheapest(s: State, seat: int, costs: Sequence[Cost]) -> int:
    """The price of the cheapest of these costs."""
    return min(price(s, seat, cost) for cost in costs)


def special_worth(s: State, seat: int, name: str) -> int:
    """A special space: what its action brings, less what it costs."""
    what, _, which = name.partition("-")
    if what == "menhir":
        costs = cheapest(s, seat, menhir_costs(s, seat, menhir_builders(s, seat)[0]))
        return POINT * s.box.cards.menhir - costs - slot_price(s, seat, ABOVE)
    if what == "order":
        return action_worth(s, seat, which) - 2
    tile = int(which)
    points = bonus(s, seat) - loss(s, seat, tile)
    return action_worth(s, seat, ARTIFACTS[tile].action) + POINT * points - 2


# -- what each answer is worth -------------------------------------------------------------------------------


def turn_worth(s: State, seat: int, option: Option) -> int:
    """Cards by their best use; free actions only as part of another."""
    if option == "pass":
        return 1
    name = cast(str, option)
    if name in FREE_ACTIONS or name.startswith("creature-"):
        return 0
    if name == "menhir" or name.startswith(("order-", "artifact-")):
        return special_worth(s, seat, name)
    card = next(card for card, moot in enumerate(MOOTS) if moot.name == name)
    s.players[seat].played.append(card)
    worth = max(plans(s, seat, card).values(), default=0)
    s.players[seat].played.pop()
    return worth


def played_plans(s: State, seat: int) -> dict[tuple[str, int, int], int]:
    """The plans for the card just played."""
    return plans(s, seat, s.players[seat].played[-1])


def way_worth(s: State, seat: int, option: Option) -> int:
    """The two halves of the card just played."""
    return max(worth for (way, _, _), worth in played_plans(s, seat).items() if way == option)


def stone_worth(s: State, seat: int, option: Option) -> int:
    """The spaces of its temple."""
    return max(worth for (_, stone, _), worth in played_plans(s, seat).items() if stone == option)


def reading_worth(s: State, seat: int, option: Option) -> int:
    """What the space may count as."""
    return max(worth for (_, _, reading), worth in played_plans(s, seat).items() if reading == option)


def heart_worth(s: State, seat: int, option: Option) -> int:
    """The actions of Heart of the Oak."""
    actions = MOOTS[HEART_CARD].actions
    return played_plans(s, seat)["temple", 0, actions.index(cast(str, option))]


def ride_worth(s: State, seat: int, option: Option) -> int:
    """The Oak action with the temple action, for one more resource."""
    temple = MOOTS[s.players[seat].played[-1]].temple
    return step_worth(s, seat, temple) - 6 if option == "yes" else 0


def potion_worth(s: State, seat: int, option: Option) -> int:
    """What to brew."""
    if option == DARKWOOD:
        return POINT * max(darkwood_payments(s, seat).values())
    return reward_worth(s, seat, POTIONS[cast(int, option)].reward)


def pay_worth(s: State, seat: int, option: Option) -> int:
    """Pay from what one has most of."""
    return -price(s, seat, cast(Cost, option))


def bundle_worth(s: State, seat: int, option: Option) -> int:
    """Give away ingredients that one has several of; resources rather than ingredients."""
    if isinstance(option, str):
        return 1
    left = s.players[seat].ingredients[:]
    for name in cast("tuple[str, ...]", option):
        left[INGREDIENTS.index(name)] -= 1
    return sum(1 for n in left if n) - 4 * len(cast("tuple[str, ...]", option))


def payment_worth(s: State, seat: int, option: Option) -> int:
    """Brew Darkwood with as many kinds as there are, and keep the ingredients one has few of."""
    names = cast("tuple[str, ...]", option)
    return 20 * len(names) + sum(
        -8 if name == "resources" else s.players[seat].ingredients[INGREDIENTS.index(name)] for name in names
    )


def ingredient_worth(s: State, seat: int, option: Option) -> int:
    """Take kinds that one has not got."""
    if isinstance(option, str) and option in INGREDIENTS:
        return 9 - s.players[seat].ingredients[INGREDIENTS.index(option)]
    return -1


def card_worth(s: State, seat: int, option: Option) -> int:
    """Creatures by their points, with a little for those that go on giving; no refreshing, no looking."""
    if not isinstance(option, int) or option == LOOK:
        return -99
    row = CREATURES[option]
    lasting = bool(row.dawn or row.discount or row.power)
    return 5 * s.box.creatures.vp[option - 1] + lasting * rounds_left(s)


def artifact_worth(s: State, seat: int, option: Option) -> int:
    """Artifacts by what their action brings; no refreshing."""
    return action_worth(s, seat, ARTIFACTS[option].action) if isinstance(option, int) else -99


def seelie_worth(s: State, seat: int, option: Option) -> int:
    """The potion of a kind that is of use again and again."""
    favour = ("warp", "dryad", "upgrade", "companion", "gift", "grant", "renewal", "runic")
    name = POTIONS[cast(int, option)].reward
    return -favour.index(name) if name in favour else -len(favour)


def lugh_worth(s: State, seat: int, option: Option) -> int:
    """The artifact to use."""
    return nested_worth(s, seat, ARTIFACTS[cast(int, option)].action)


def again_worth(s: State, seat: int, option: Option) -> int:
    """One more step, always."""
    return 1 if option == "step" else 0


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
    branch = RESOURCES.index(cast(str, option))
    # only a locked tip is open where no space is
    return step_worth(s, seat, branch) if open_spaces(s, seat, branch) else 3 * POINT


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
    "as": reading_worth,
    "heart": heart_worth,
    "ride": ride_worth,
    "pay": pay_worth,
    "trade": bundle_worth,
    "resource": take_worth,
    "row": row_worth,
    "arm": arm_worth,
    "branch": branch_worth,
    "upgrade": preference("rest", "menhir", "roots"),
    "elder": preference("recluse", "arch-druid", "bard", "talon-master"),
    "creature": card_worth,
    "artifact": artifact_worth,
    "seelie": seelie_worth,
    "potion": potion_worth,
    "ingredients": payment_worth,
    "lugh": lugh_worth,
    "again": again_worth,
    "shrine": shrine_worth,
    "ingredient": ingredient_worth,
    "give": give_worth,
    "take": take_worth,
    "amount": amount_worth,
    "learn": preference("mysticism", "wisdom"),
    "replay": replay_worth,
    "gather": ingredient_worth,
    "gather-too": ingredient_worth,
    "reclaim": ingredient_worth,
    "festival": take_worth,
    "gain": take_worth,
    "bloom": take_worth,
    "home": preference("arch-druid", "bard", "ovate", "talon-master"),
}
"""How to weigh the answers of each question; of all others the first is taken."""
