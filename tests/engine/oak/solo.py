"""Hand-made positions of the game for one: Broichan's turn, or what may bring it."""

from __future__ import annotations

from oaknet.kernel import Deck, Game
from oaknet.oak.broichan import HIM, YOU
from oaknet.oak.setup import table
from oaknet.oak.state import DAY, Player, State, move
from oaknet.oak.tables import (
    ARTIFACTS,
    CREATURES,
    FOREST,
    INGREDIENTS,
    MOOTS,
    ORDERS,
    OTHER,
    REST,
    ROOTS,
    TEMPLE,
)
from tests.engine.oak.positions import BOX, RULES

NAMES = [moot.name for moot in MOOTS]


def solo(*cards: str, order: str = "fox", turn: int = HIM, points: int = 0) -> State:
    """Day of the game for one: his deck has these cards from the top, neutral druids stand on the 2-stone
    spaces, the forest is empty; creatures 1, 2, 5 and artifacts 1, 4, 6 on display, the others in ascending
    order in their decks. He has so many points."""
    s = table(BOX, 1)
    s.players[YOU].order = [order.name for order in ORDERS].index(order)
    s.neutrals = [1, 4, 7]
    s.creatures, s.artifacts, s.potions = [1, 2, 5], [1, 4, 6], [1, 6, 11]
    s.creature_deck = Deck(layers=[[card] for card in CREATURES if card not in s.creatures])
    s.artifact_stack = Deck(layers=[[tile] for tile in ARTIFACTS if tile not in s.artifacts])
    s.broichan[0].deck = Deck(layers=[[NAMES.index(card)] for card in cards])
    s.phase, s.mover = DAY, turn
    s.players[HIM].ledger[OTHER] = points
    return s


def him(game: Game[State]) -> Player:
    """Broichan, as the game has him now."""
    return game.state.players[HIM]


def after_his_turn(s: State) -> Game[State]:
    """The game after a turn of his without a draw."""
    game = Game(RULES, s)
    assert game.pending[0].seat == YOU, game.pending
    return game


def bag(s: State, *names: str) -> None:
    """Only these ingredients are in the bag; the others are in nobody's way."""
    s.bag = [names.count(name) for name in INGREDIENTS]


def holds(s: State, *names: str) -> None:
    """Broichan has these ingredients."""
    s.players[HIM].ingredients = [names.count(name) for name in INGREDIENTS]


def has(p: Player) -> list[str]:
    """The ingredients of a player, one name each."""
    return [name for name, n in zip(INGREDIENTS, p.ingredients, strict=True) for _ in range(n)]


def yours(s: State, *spaces: int) -> None:
    """Your resting druids stand on these temple spaces."""
    for space in spaces:
        p = s.players[YOU]
        move(p, p.place.index(REST), TEMPLE, space)


def his_roots(s: State, number: int) -> None:
    """He has so many druids on the roots; the others are out of the way, where he never sends any."""
    p = s.players[HIM]
    for druid in [i for i, place in enumerate(p.place) if place == ROOTS][number:]:
        move(p, druid, FOREST)
