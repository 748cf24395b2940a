"""Hand-made positions of Oak: a bare table on a Day, to be filled by each test."""

from __future__ import annotations

from oaknet import registry
from oaknet.kernel import Data, Deck, Game
from oaknet.oak import Oak
from oaknet.oak.box import Box
from oaknet.oak.setup import table
from oaknet.oak.state import DAY, Player, State
from oaknet.oak.tables import ARTIFACTS, BRANCH, CREATURES, DRUIDS, INGREDIENTS, ORDERS, PLACES, REST, TEMPLE

RULES = Oak(Data[Box].read(Box, registry.data_text("oak")))
BOX = RULES.data.box


def day(*orders: str, first: int = 0) -> State:
    """Day, nobody has acted: a seat for each order, no neutral druids, the forest empty; creatures 1, 2, 5
    and artifacts 1, 4, 6 on display, the others in ascending order in their decks; no potion tile in play."""
    s = table(BOX, len(orders) or 2)
    for p, name in zip(s.players, orders or ("fox", "wild"), strict=True):
        p.order = [order.name for order in ORDERS].index(name)
    s.neutrals = []
    s.creatures, s.artifacts = [1, 2, 5], [1, 4, 6]
    s.creature_deck = Deck(layers=[[card] for card in CREATURES if card not in s.creatures])
    s.artifact_stack = Deck(layers=[[tile] for tile in ARTIFACTS if tile not in s.artifacts])
    s.phase, s.first, s.mover = DAY, first, first
    return s


def play(s: State, *answers: int | str | tuple[str, ...] | tuple[int, int, int]) -> Game[State]:
    """The game at this position after these answers."""
    return Game(RULES, s).play(*answers)


def give(s: State, seat: int, *names: str) -> None:
    """Take these ingredients from the bag."""
    for name in names:
        s.bag[INGREDIENTS.index(name)] -= 1
        s.players[seat].ingredients[INGREDIENTS.index(name)] += 1


def grow(s: State, *names: str) -> None:
    """Put these ingredients into the forest, from top left."""
    for space, name in enumerate(names):
        s.bag[INGREDIENTS.index(name)] -= 1
        s.forest[space] = INGREDIENTS.index(name)


def put(p: Player, kind: str, place: str, space: int = 0) -> int:
    """Make a regular druid of the seat one of this kind at a place: a resting one if it goes to rest or is
    put to use, else one from the roots."""
    source = REST if place in ("rest", "temple", "menhir", "order") else 1
    druid = next(i for i in range(9) if p.place[i] == source and p.kind[i] == 0)
    p.kind[druid] = DRUIDS.index(kind)
    p.place[druid], p.space[druid] = PLACES.index(place), space
    return druid


def on_branch(p: Player, branch: int, space: int) -> None:
    """A regular druid from the roots on a branch."""
    druid = p.place.index(1)
    p.place[druid], p.space[druid] = BRANCH + branch, space


def druids(p: Player, place: str) -> list[str]:
    """The kinds of the druids at a place, sorted."""
    where = PLACES.index(place)
    return sorted(DRUIDS[kind] for kind, at in zip(p.kind, p.place, strict=True) if at == where)


def temple(p: Player) -> list[int]:
    """The temple spaces of a seat's druids, sorted."""
    return sorted(space for place, space in zip(p.place, p.space, strict=True) if place == TEMPLE)


def rests(p: Player, *kinds: str) -> None:
    """Let exactly these druids rest; the other resting ones go to the roots."""
    for i, place in enumerate(p.place):
        if place == REST:
            p.place[i] = 1
    for name in kinds:
        druid = next(i for i in range(9) if p.place[i] == 1 and p.kind[i] == 0)
        p.kind[druid], p.place[druid] = DRUIDS.index(name), REST


def asked(game: Game[State]) -> tuple[int, str, list[object]]:
    """The one question that waits: seat, about, options."""
    (ask,) = game.pending
    return ask.seat, ask.about, list(ask.options)


def offered(game: Game[State]) -> list[object]:
    """The options of the one question that waits."""
    return asked(game)[2]


def all_pass(s: State) -> None:
    """Everybody has passed."""
    for p in s.players:
        p.passed = 1
