"""Whole games by random answers, decision by decision, and what must hold at each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from oaknet import bots
from oaknet.kernel import CHANCE, Game, Option, Rng, resolve
from oaknet.kernel.rng import sample
from oaknet.oak import IDLE
from oaknet.oak.queries import artifact_places, own_rest, rest_places, slots, slots_used
from oaknet.oak.state import CHOOSING, State, is_broichan
from oaknet.oak.tables import ABOVE, BELOW, BRANCH, PLACES, REGULAR, REST
from tests.engine.oak.positions import RULES


def eager(game: Game[State], seat: int, rng: Rng) -> Option:
    """A random answer, but never to stop while there is something else to do: its games go deep."""
    options = game.pending[0].options
    options = tuple([option for option in options if option not in IDLE]) or options
    return options[rng.below(len(options))]


def decisions(
    seats: int, seed: bytes, games: int, *, draws: bool = True, bot: bots.Bot = bots.random
) -> Iterator[Game[State]]:
    """Each game at each question, before the bot answers it."""
    for number in range(games):
        rng = Rng(seed + bytes([seats]) + number.to_bytes(2, "big"))
        game = Game[State].new(RULES, seats)
        while not game.over:
            if game.pending[0].seat == CHANCE and not draws:
                resolve(game, rng)
                continue
            yield game
            (ask,) = game.pending
            game.answer(ask.seat, sample(rng, ask) if ask.seat == CHANCE else bot(game, ask.seat, rng))
        yield game


def faults(s: State) -> list[str]:
    """What is wrong with a position; empty if nothing is."""
    found: list[str] = []

    def must(holds: bool, what: str) -> None:
        if not holds:
            found.append(what)

    box = s.box
    tokens = [n + s.forest.count(i) + sum(p.ingredients[i] for p in s.players) for i, n in enumerate(s.bag)]
    must(tokens == list(box.play.tokens), f"ingredients: {tokens}")
    must(min(s.bag) >= 0, "the bag owes ingredients")
    held = [card for p in s.players for card in p.creatures]
    shown = s.creatures + s.looked + s.gone
    must(Counter(s.creature_deck.cards() + shown + held) == Counter(range(1, 36)), "creatures")
    tiles = [tile for p in s.players for tile in p.artifacts + p.flipped]
    must(Counter(s.artifact_stack.cards() + s.artifacts + tiles) == Counter(range(1, 13)), "artifacts")
    boxed = [tile for pile in s.potion_piles for tile in pile.cards()]
    must(
        sorted(s.potions + boxed + [p.seelie for p in s.players if p.seelie]) == list(range(1, 16)),
        "potions",
    )
    must(all(0 <= n <= box.branches.tokens[len(s.players) - 1] for n in s.tokens), "solar tokens")
    must(1 <= s.sun <= len(box.sun.level), "the sun")
    must(1 <= s.round <= box.play.rounds, "the round")
    for seat, p in enumerate(s.players):
        must(len(p.kind) == len(p.place) == len(p.space) == box.play.druids, f"seat {seat}: druids")
        must(all(0 <= n <= box.play.most for n in p.resources), f"seat {seat}: resources {p.resources}")
        must(min(p.ingredients) >= 0, f"seat {seat}: ingredients {p.ingredients}")
        must(p.vp >= 0, f"seat {seat}: {p.vp} points")
        must(
            all(0 <= place < BRANCH + 3 for place in p.place) and len(PLACES) == BRANCH + 1,
            f"seat {seat}: place",
        )
        must(all(p.place.count(BRANCH + b) <= 1 for b in range(3)), f"seat {seat}: two druids on a branch")
        elders = [kind for kind in p.kind if kind != REGULAR]
        must(len(elders) == len(dict.fromkeys(elders)), f"seat {seat}: an elder twice")
        must(len(p.artifacts) == len(p.uses) <= artifact_places(s, seat), f"seat {seat}: artifacts")
        must(
            len(p.played) == len(dict.fromkeys(p.played)) and all(c in p.hand for c in p.played),
            f"seat {seat}: cards",
        )
        must(
            all(n <= most for n, most in zip(p.limits, box.cards.slots, strict=True)), f"seat {seat}: limits"
        )
        if s.phase > CHOOSING and not is_broichan(s, seat):  # he has no board
            must(slots_used(s, seat, ABOVE) <= slots(s, seat, ABOVE), f"seat {seat}: slots above")
            must(slots_used(s, seat, BELOW) <= slots(s, seat, BELOW), f"seat {seat}: slots below")
            resting = [kind for kind, place in zip(p.kind, p.place, strict=True) if place == REST]
            resting = [kind for kind in resting if not own_rest(s, seat, kind)]
            for_elders, for_regulars = rest_places(s, seat)
            must(len(resting) <= for_elders + for_regulars, f"seat {seat}: more druids rest than may")
            must(
                len(resting) - resting.count(REGULAR) <= for_elders,
                f"seat {seat}: an elder on a regular space",
            )
    return found
