"""What the potion tiles bring, in the rulebook's order (oak 10.6–10.20)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak.actions import can_replay, replay
from oaknet.oak.artifacts import can_use_by_lugh, use_by_lugh
from oaknet.oak.box import Cost
from oaknet.oak.branches import choose_branch, climb, festival, open_spaces
from oaknet.oak.cards import (
    bearable,
    build_menhir,
    can_build_menhir,
    gain_artifact,
    gain_creature,
    take_effect,
)
from oaknet.oak.deeds import Action, Can
from oaknet.oak.druids import can_upgrade_to, upgrade_to
from oaknet.oak.free import wanting
from oaknet.oak.pay import affordable, open_slot, pay, slot_payable
from oaknet.oak.queries import artifact_places, plus, runic_costs
from oaknet.oak.special import can_gain_any
from oaknet.oak.state import State
from oaknet.oak.tables import (
    ABOVE,
    ANCIENT,
    BELOW,
    BLOOM,
    BOLT,
    DRYAD,
    HEART_CARD,
    KINDS,
    LUGHS_TOUCH,
    NATURES_GIFT,
    RENEWAL,
    RESOURCES,
)

# -- level I (Inspiration upgrades a druid: oak 10.6, 2.3) ---------------------------------------------------


def rechargeable(s: State, seat: int) -> list[int]:
    """The active artifacts of a seat that have been used (oak 10.7)."""
    p = s.players[seat]
    return [tile for tile, uses in zip(p.artifacts, p.uses, strict=True) if uses]


def can_recharge(s: State, seat: int, owed: Cost) -> bool:
    """Whether there is an artifact to recharge."""
    return bool(rechargeable(s, seat)) and affordable(s, seat, owed)


async def recharge(s: State, seat: int) -> None:
    """Bolt of Taranis: turn up to 2 active artifacts back by 2 uses each, never beyond the start; no points
    are gained or lost (oak 10.7)."""
    p, amount = s.players[seat], s.box.potions.amount[BOLT - 1]
    tiles = rechargeable(s, seat)
    for _ in range(min(amount, len(tiles))):
        tile = await choose(seat, "recharge", [*tiles, "done"])
        if not isinstance(tile, int):
            return
        tiles.remove(tile)
        i = p.artifacts.index(tile)
        p.uses[i] = max(0, p.uses[i] - amount)


def limit_moves(s: State, seat: int) -> dict[str, tuple[int, int]]:
    """How Nature's Gift could move the card limit markers: one of them twice, or both once (oak 10.8)."""
    amount, most = s.box.potions.amount[NATURES_GIFT - 1], s.box.cards.slots
    limits = s.players[seat].limits
    moves = {"above": (amount, 0), "below": (0, amount), "both": (1, 1)}
    return {name: m for name, m in moves.items() if all(limits[row] + m[row] <= most[row] for row in (0, 1))}


def can_move_limits(s: State, seat: int, owed: Cost) -> bool:
    """Whether Nature's Gift can be had whole."""
    return bool(limit_moves(s, seat)) and affordable(s, seat, owed)


async def move_limits(s: State, seat: int) -> None:
    """Nature's Gift: move one card limit marker two spaces, or both one, for nothing (oak 10.8)."""
    moves = limit_moves(s, seat)
    above, below = moves[await choose(seat, "limits", [*moves])]
    s.players[seat].limits[ABOVE] += above
    s.players[seat].limits[BELOW] += below


def looking_ahead(tile: int, can: Can) -> Can:
    """``can``, with this tile left out of what may be brewed on the way: such a brewing would begin the same
    look-ahead again (oak 10.5). No druid's power and no Kettle has a part in it."""

    def ahead(s: State, seat: int, owed: Cost) -> bool:
        kept = s.ahead, s.acting, s.saved
        s.ahead, s.acting, s.saved = s.ahead | 1 << tile, -1, 0
        found = can(s, seat, owed)
        s.ahead, s.acting, s.saved = kept
        return found

    return ahead


async def boon(s: State, seat: int) -> None:
    """Belenos' Boon: a Festival for this seat alone, behind the sun or not; the sun stays (oak 10.10)."""
    await festival(s, seat, alone=True)


# -- level II ------------------------------------------------------------------------------------------------


def can_build_runic(s: State, seat: int, owed: Cost) -> bool:
    """Whether a menhir can be paid on top of what is owed, and has a slot."""
    return any(can_build_menhir(s, seat, plus(owed, cost)) for cost in runic_costs(s, seat))


async def build_runic(s: State, seat: int) -> None:
    """Runic Power: build a menhir for 6 resources of any kinds, without a druid (oak 10.11)."""
    await pay(s, seat, runic_costs(s, seat), can_build_menhir)
    await build_menhir(s, seat)


def can_step(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can take a step on some branch after paying."""
    return any(open_spaces(s, seat, branch) for branch in KINDS) and affordable(s, seat, owed)


async def dryad(s: State, seat: int) -> None:
    """Summon Dryad: one or two steps on one branch; the first, be it onto a tip, gives no points, but its
    solar token and Festival come before the second (oak 10.12)."""
    branch = await choose_branch(s, seat)
    await climb(s, seat, branch, points=False)
    for _ in range(s.box.potions.amount[DRYAD - 1] - 1):
        if not open_spaces(s, seat, branch) or await choose(seat, "again", ("step", "stop")) == "stop":
            return
        await climb(s, seat, branch)


def can_step_anywhere(s: State, seat: int, owed: Cost) -> bool:
    """Whether a seat can take a step on some branch, locked tips included."""
    return any(open_spaces(s, seat, branch, locked=True) for branch in KINDS) and affordable(s, seat, owed)


async def grant(s: State, seat: int) -> None:
    """Arduinna's Grant: a step on any branch, even onto a locked tip (oak 10.13)."""
    await climb(s, seat, await choose_branch(s, seat, locked=True), locked=True)


async def bloom(s: State, seat: int) -> None:
    """Bloom: move a resource marker of choice to the end of its track (oak 10.15)."""
    kind = RESOURCES.index(await choose(seat, "bloom", wanting(s, seat)))
    s.players[seat].resources[kind] = s.box.potions.amount[BLOOM - 1]


# -- level III -----------------------------------------------------------------------------------------------


async def warp(s: State, seat: int) -> None:
    """Warp Wood: a step on each branch where there is one, from left to right, each done with all that
    follows from it before the next (oak 10.16)."""
    for branch in KINDS:
        if open_spaces(s, seat, branch):
            await climb(s, seat, branch)


def can_call(s: State, seat: int, owed: Cost) -> bool:
    """Whether the deck has a creature for the seat, and there is a slot for it."""
    return bool(bearable(s, seat, s.creature_deck.cards())) and slot_payable(s, seat, BELOW, owed)


async def call(s: State, seat: int) -> None:
    """Animal Companion: take any creature from the deck, with its points, and shuffle the deck (oak
    10.17)."""
    await open_slot(s, seat, BELOW)
    card = await choose(seat, "creature", bearable(s, seat, s.creature_deck.cards()))
    s.creature_deck.search(card)
    gain_creature(s, seat, card)
    await take_effect(s, seat, card)


def can_receive(s: State, seat: int, owed: Cost) -> bool:
    """Whether the stack has an artifact, and there is a place for it, the extension included."""
    p = s.players[seat]
    places = artifact_places(s, seat) + (0 if p.extension else s.box.artifacts.extension)
    return len(s.artifact_stack) > 0 and len(p.artifacts) < places and affordable(s, seat, owed)


async def receive(s: State, seat: int) -> None:
    """Gift from the Gods: the first time, take an artifact extension; then any artifact from the stack, with
    its points, and shuffle the stack (oak 10.18)."""
    s.players[seat].extension = s.box.artifacts.extension
    tile = await choose(seat, "artifact", s.artifact_stack.cards())
    s.artifact_stack.search(tile)
    gain_artifact(s, seat, tile)


def can_choose(s: State, seat: int, owed: Cost) -> bool:
    """Whether the seat has no Ancient yet and a druid to become it."""
    return can_upgrade_to(s, seat, [] if ANCIENT in s.players[seat].kind else [ANCIENT], owed)


async def become_ancient(s: State, seat: int) -> None:
    """Chosen of the Oak: upgrade a druid to the Ancient, once a game (oak 10.19)."""
    await upgrade_to(s, seat, [ANCIENT])


def can_take_heart(s: State, seat: int, owed: Cost) -> bool:
    """Whether the seat does not have its Heart of the Oak card yet."""
    return HEART_CARD not in s.players[seat].hand and affordable(s, seat, owed)


async def take_heart(s: State, seat: int) -> None:
    """Heart of the Oak: take the moot card of this name into the hand, once a game (oak 10.20)."""
    s.players[seat].hand.append(HEART_CARD)


REWARDS: dict[str, Action] = {
    "recharge": Action(can_recharge, recharge),
    "limits": Action(can_move_limits, move_limits),
    "lugh": Action(looking_ahead(LUGHS_TOUCH, can_use_by_lugh), use_by_lugh),
    "boon": Action(affordable, boon),
    "runic": Action(can_build_runic, build_runic),
    "dryad": Action(can_step, dryad),
    "grant": Action(can_step_anywhere, grant),
    "renewal": Action(looking_ahead(RENEWAL, can_replay), replay),
    "bloom": Action(can_gain_any, bloom),
    "warp": Action(can_step, warp),
    "companion": Action(can_call, call),
    "gift": Action(can_receive, receive),
    "chosen": Action(can_choose, become_ancient),
    "heart": Action(can_take_heart, take_heart),
}
"""By the names that `POTIONS` gives them."""
