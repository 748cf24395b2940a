"""Random games of Oak over all seat counts and table options, every position looked at, every effect counted.

``python -m tests.engine.oak.survey [N]`` plays N games (20,000 if it is not said) and prints how often each
card, tile, order, elder and rule was used. Two bots take turns: one answers at random, the other likewise but
never stops while there is something else to do. A third is biased: it is drawn to what is rare, since random
answers alone seldom come to it; the games that it plays are counted with the others, and the report says so.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import product
from typing import Any
from unittest.mock import patch

from oaknet import bots
from oaknet.kernel import CHANCE, Game, Option, Rng
from oaknet.kernel.rng import sample
from oaknet.oak import (
    STAGES,
    artifacts,
    branches,
    cards,
    druids,
    final,
    forest,
    free,
    gather,
    moot,
    pay,
    potions,
    rewards,
    special,
)
from oaknet.oak.deeds import ACTIONS, Action
from oaknet.oak.moot import temple_space
from oaknet.oak.potions import SUBSTITUTE
from oaknet.oak.queries import acts_as, occupied, rest_places, slots
from oaknet.oak.state import HOME, Player, State
from oaknet.oak.tables import (
    ANCIENT,
    ARCH_DRUID,
    ARTIFACT,
    ARTIFACTS,
    BELOW,
    CREATURES,
    DRUIDS,
    HEART,
    HEART_CARD,
    INGREDIENTS,
    MENHIR,
    MOOTS,
    ORDER,
    ORDERS,
    OVATE,
    POTIONS,
    RECLUSE,
    REGULAR,
    REST,
    TALON_MASTER,
    TEMPLE,
)
from tests.engine.oak.positions import RULES
from tests.engine.oak.random_games import eager, faults

dawn: Any = import_module("oaknet.oak.dawn")  # the package has a function of this name

LEAST = 200
"""So often each effect must be used in `GAMES` games."""
GAMES = 20_000

EFFECTS = [
    *(f"creature {number}" for number in CREATURES),
    *(f"artifact {number}" for number in ARTIFACTS),
    *(f"potion {number}" for number in (0, *POTIONS)),
    *(f"order {order.name} {action}" for order in ORDERS for _, action in order.special),
    *(f"elder {DRUIDS[kind]}" for kind in range(1, 7)),
    "heart temple",
    "heart oak",
    "replay by mysticism",
    "replay by the ring",
    "replay by renewal",
    "the menhir",
    "extension",
    "eclipse paid",
]
"""Everything that is counted; potion 0 is Darkwood."""


def named(effect: str) -> str:
    """An effect with the name of its card or tile."""
    kind, _, which = effect.partition(" ")
    if kind == "potion" and which == "0":
        return "potion Darkwood"
    tables: dict[str, dict[int, Any]] = {"creature": CREATURES, "artifact": ARTIFACTS, "potion": POTIONS}
    return f"{effect} {tables[kind][int(which)].name}" if kind in tables else effect


# -- counting ------------------------------------------------------------------------------------------------


class Counting:
    """Counts uses while games are played: by answers (`note`), and by watching the rules (`watched`)."""

    def __init__(self) -> None:
        self.uses: Counter[str] = Counter()
        self.depth = 0
        self.stone = 0

    def creature(self, p: Player, card: int, holds: bool = True) -> None:
        """The creature was of use if the seat has it and this holds."""
        if card in p.creatures and holds:
            self.uses[f"creature {card}"] += 1

    def note(self, s: State, about: str, seat: int, option: Option) -> None:
        """What an answer uses."""
        p = s.players[seat]
        if about == "stone":
            self.stone = option if isinstance(option, int) else 0
        if about == "as" and option != self.stone:
            self.creature(p, 3 + int(str(option)))
        if about == "ride" and option == "yes":
            self.creature(p, 7 + MOOTS[p.played[-1]].temple)
        if about == "festival":
            self.creature(p, 15)
        if about == "creature" and option == 0:
            self.creature(p, 21)
        if about == "trade" and isinstance(option, str):
            self.creature(p, 1 + ("feather", "mistletoe", "rune").index(option))
        if about == "trade" and isinstance(option, tuple) and len(option) == 1:
            self.creature(p, 19)
        if isinstance(option, str) and about in ("turn", "gather"):
            if option in ("creature-1", "creature-2", "creature-3"):
                self.uses[option.replace("-", " ")] += 1
            if option.startswith("bag-"):
                self.creature(p, 24)

    # -- what is watched: called after a rule has been done, with what that was called with ------------------

    def brought(self, s: State, seat: int, what: str, amount: int) -> None:
        if what:
            card = next(number for number, row in CREATURES.items() if row.dawn == what)
            self.creature(s.players[seat], card)

    def brewed(self, s: State, seat: int, payment: tuple[int, ...], tile: int = 0) -> None:
        p = s.players[seat]
        self.uses[f"potion {tile}"] += 1
        self.creature(p, 17, payment != (SUBSTITUTE,) * len(payment))
        self.creature(p, 18, SUBSTITUTE in payment)
        self.creature(p, 32, tile > 0 and tile == p.seelie)

    def activated(self, s: State, seat: int, tile: int) -> None:
        self.uses[f"artifact {tile}"] += 1
        self.creature(s.players[seat], 29)

    def stepped(self, s: State, seat: int, row: int) -> None:
        self.creature(s.players[seat], 30)

    def built(self, s: State, seat: int) -> None:
        p = s.players[seat]
        self.uses["the menhir"] += 1
        self.creature(p, 26)
        if MENHIR in p.place:
            kind = p.kind[p.place.index(MENHIR)]
            self.creature(p, 22, kind == REGULAR)
            self.uses["elder arch-druid"] += kind in (ARCH_DRUID, ANCIENT)

    def received(self, s: State, seat: int) -> None:
        self.uses["extension"] += s.players[seat].extension

    def gained_creature(self, s: State, seat: int, card: int) -> None:
        p = s.players[seat]
        self.creature(p, 35, card == 35)
        self.creature(p, 33, len(p.creatures) > slots(s, seat, BELOW) - 2)

    def came_home(self, s: State) -> None:
        for seat, p in enumerate(s.players):
            resting = [kind for kind, place in zip(p.kind, p.place, strict=True) if place == REST]
            self.uses["elder recluse"] += RECLUSE in resting
            self.creature(p, 31, len(resting) > sum(rest_places(s, seat)) - 2)

    def sent(self, s: State, seat: int) -> None:
        self.creature(s.players[seat], 25, s.players[seat].place.count(2) == 0)

    def discarded(self, s: State, seat: int) -> None:
        self.uses["creature 34"] += 1

    def upgraded(self, s: State, seat: int, kinds: list[int]) -> None:
        made = s.players[seat].kind
        self.uses["elder bard"] += made.count(2) and 2 in kinds
        self.uses["elder ancient"] += kinds == [ANCIENT]

    def oak(self, s: State, seat: int, card: int) -> None:
        self.uses["heart oak"] += card == HEART_CARD

    def acted(self, name: str, s: State, seat: int) -> None:
        """An action is about to be done: whose space, and what its druid and creatures did for it."""
        p = s.players[seat]
        place = p.place[s.acting] if s.acting >= 0 else -1
        if name == "seelie":
            self.creature(p, 32)
        if name == "replay":
            by = {TEMPLE: "mysticism", ARTIFACT: "the ring"}.get(place, "renewal")
            self.uses[f"replay by {by}"] += 1
        if name == "renewal":
            self.uses["replay by renewal"] += 1
        if name in ("brew", "kettle"):
            self.uses["elder ovate"] += acts_as(p, s.acting, OVATE)
        if self.depth or place not in (TEMPLE, HEART, ORDER):
            return
        if place == ORDER:
            self.uses[f"order {ORDERS[p.order].name} {name}"] += 1
            who = {action: who for who, action in ORDERS[p.order].special}[name]
            self.creature(p, 22, who == "elder" and p.kind[s.acting] == REGULAR)
            return
        self.uses["heart temple"] += place == HEART
        self.creature(p, 16)
        self.creature(p, 20, name == "creature")
        self.creature(p, 30, name == "limit")
        self.uses["elder arch-druid"] += acts_as(p, s.acting, ARCH_DRUID)
        space = p.space[s.acting]
        there = sum((TEMPLE, space) in zip(o.place, o.space, strict=True) for o in s.players if o is not p)
        there += sum(
            (TEMPLE, space) == where
            for druid, where in enumerate(zip(p.place, p.space, strict=True))
            if druid != s.acting
        )
        if place == TEMPLE and (space in s.neutrals or there) and p.kind[s.acting] != REGULAR:
            joins = acts_as(p, s.acting, TALON_MASTER)
            self.uses["elder talon-master"] += joins
            self.creature(p, 23, not joins)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the rules while games are played."""
        with ExitStack() as stack:
            for module, name, seen in (
                (dawn, "bring", self.brought),
                (potions, "pay_potion", self.brewed),
                (artifacts, "activate", self.activated),
                (pay, "buy_step", self.stepped),
                (free, "buy_step", self.stepped),
                (cards, "build_menhir", self.built),
                (special, "build_menhir", self.built),
                (rewards, "build_menhir", self.built),
                (cards, "gain_creature", self.gained_creature),
                (rewards, "gain_creature", self.gained_creature),
                (gather, "send_gatherer", self.sent),
                (final, "discard_carw", self.discarded),
                (druids, "upgrade_to", self.upgraded),
                (rewards, "upgrade_to", self.upgraded),
                (moot, "oak_action", self.oak),
            ):
                original = getattr(module, name)
                wrap = after_sync if name == "gain_creature" else after
                stack.enter_context(patch.object(module, name, wrap(original, seen)))
            stack.enter_context(patch.object(branches, "festival", self.festival(branches.festival)))
            stack.enter_context(patch.object(rewards, "festival", self.festival(rewards.festival)))
            for module, card in ((cards, 27), (druids, 28)):
                stack.enter_context(patch.object(module, "gather_too", self.gathering(card)))
            come_home = after_stage(STAGES[HOME], self.came_home)
            stack.enter_context(patch.dict(STAGES, {HOME: come_home}))
            traced = {name: Action(can, self.traced(name, do)) for name, (can, do) in ACTIONS.items()}
            stack.enter_context(patch.dict(ACTIONS, traced))
            yield

    def traced(self, name: str, do: Any) -> Any:
        async def watched(s: State, seat: int) -> None:
            self.acted(name, s, seat)
            if name == "carw":
                self.discarded(s, seat)
            self.depth += 1
            await do(s, seat)
            self.depth -= 1
            if name == "gift":
                self.received(s, seat)

        return watched

    def festival(self, original: Any) -> Any:
        async def watched(s: State, seat: int, *, alone: bool = False) -> None:
            p = s.players[seat]
            before = p.resources[:]
            pays = s.eclipse and not alone and branches.ahead(s, seat)
            await original(s, seat, alone=alone)
            self.creature(p, 14, any(new > old for new, old in zip(p.resources, before, strict=True)))
            self.uses["eclipse paid"] += bool(pays) and p.resources != before

        return watched

    def gathering(self, card: int) -> Any:
        async def watched(s: State, seat: int, power: str) -> None:
            before = sum(s.players[seat].ingredients)
            await forest.gather_too(s, seat, power)
            self.creature(s.players[seat], card, sum(s.players[seat].ingredients) > before)

        return watched


def after(original: Any, seen: Callable[..., None]) -> Any:
    async def watched(s: State, *args: Any) -> Any:
        result = await original(s, *args)
        seen(s, *args)
        return result

    return watched


def after_sync(original: Any, seen: Callable[..., None]) -> Any:
    def watched(s: State, *args: Any) -> None:
        original(s, *args)
        seen(s, *args)

    return watched


def after_stage(original: Any, seen: Callable[..., None]) -> Any:
    async def watched(s: State) -> None:
        await original(s)
        seen(s)

    return watched


# -- playing -------------------------------------------------------------------------------------------------


WANTED = (4, 5, 6, 7, 8, 9, 17, 20, 21, 23, 26, 27, 30, 32, 33)
"""Creatures whose effect random answers seldom come to."""

RAREST = 23
"""The creature that is preferred to all: Groac'h needs an elder at hand and somebody in the way."""

DEEDS = ("brew", "creature", "learn", "upgrade", "artifact", "replay")
"""The temple actions that lead to what is rare."""


def needed(s: State) -> list[str]:
    """The ingredients that the mover lacks for the highest tile in play."""
    have, recipe = s.players[s.mover].ingredients, s.box.potions.recipe[max(s.potions) - 1]
    return [name for i, name in enumerate(INGREDIENTS) if have[i] < recipe[i]]


def likes(s: State, about: str, option: Option) -> bool:
    """Whether an answer leads to what is rare."""
    if about == "turn":
        return str(option).startswith(("order-", "artifact-", "heart", "creature-19"))
    if about == "stone" and RAREST in s.players[s.mover].creatures:
        return occupied(s, temple_space(s.players[s.mover].played[-1], int(str(option))))
    if about == "as" and 4 in s.players[s.mover].creatures:
        return option == 1
    if about in ("stone", "as"):
        return MOOTS[s.players[s.mover].played[-1]].actions[int(str(option)) - 1] in DEEDS
    if about == "creature":
        return option == RAREST if RAREST in s.creatures else option in WANTED or option == 0
    if about == "elder":
        return option in ("talon-master", "ovate", "arch-druid")
    if about in ("potion", "seelie"):
        return isinstance(option, int) and option >= 9
    if about in ("gather", "ingredient", "gather-too"):
        return option in needed(s)
    if about in ("druid", "home"):
        return option != "regular"
    return option in ("brew", "temple", "yes", "step", "lugh")


def drawn_to_rare(game: Game[State], seat: int, rng: Rng) -> Option:
    """At random, but three times in four among the answers that lead to what is rare."""
    ask = game.pending[0]
    liked = [option for option in ask.options if likes(game.state, ask.about, option)]
    if liked and rng.below(4):
        return liked[rng.below(len(liked))]
    return eager(game, seat, rng)


BOTS = (bots.random, eager, drawn_to_rare, drawn_to_rare, drawn_to_rare)


def choices() -> list[dict[str, str]]:
    """All combinations of table options."""
    names = [option.name for option in RULES.options]
    return [
        dict(zip(names, values, strict=True))
        for values in product(*(option.values for option in RULES.options))
    ]


def play(number: int, counting: Counting) -> int:
    """One game, every position looked at; returns how many questions it had."""
    options = choices()
    seats, chosen = RULES.seats[number % 4], options[number // 4 % len(options)]
    bot, rng = BOTS[number // 4 % len(BOTS)], Rng(f"survey {number}".encode())
    game, questions = Game[State].new(RULES, seats, chosen).clone(keep=False), 0
    while not game.over:
        (ask,) = game.pending
        assert len(dict.fromkeys(ask.options)) == len(ask.options) >= 2, (number, ask)
        found = faults(game.state)
        assert not found, (number, found)
        option = sample(rng, ask) if ask.seat == CHANCE else bot(game, ask.seat, rng)
        if ask.seat != CHANCE:
            counting.note(game.state, ask.about, ask.seat, option)
        game.answer(ask.seat, option)
        questions += 1
    assert not faults(game.state), number
    return questions


def survey(games: int) -> Counter[str]:
    """How often each effect was used in so many games; raises where something is wrong in one of them."""
    counting = Counting()
    with counting.watching():
        for number in range(games):
            counting.depth = 0
            play(number, counting)
    return counting.uses


def main(games: int) -> int:
    uses = survey(games)
    print(f"{games} games of 1 to 4 seats under every table option: every position was in order.")
    print("One in five by random answers, one by eager ones, three by a bot that is drawn to what is rare.")
    due = LEAST * games // GAMES
    for effect in EFFECTS:
        print(f"{uses[effect]:>9}  {named(effect)}{'' if uses[effect] >= due else f'   below {due}'}")
    rare = [effect for effect in EFFECTS if uses[effect] < due]
    return 1 if rare else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
