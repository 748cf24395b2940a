"""What every game stands on: questions, chance, positions, decks, data and canonical bytes.

A rule is an ``async def`` that awaits questions; `Game` drives it (specs/engine.md).
"""

from oaknet.kernel.ask import CHANCE, Ask, Option, Rule, chance, choose, confirm, same, together
from oaknet.kernel.canonical import H, Plain, canonical
from oaknet.kernel.data import Data, DataFault
from oaknet.kernel.deck import Deck, draw
from oaknet.kernel.game import CannotUndo, Game, IllegalChoice
from oaknet.kernel.plain import SHARED, plain, revive
from oaknet.kernel.rng import Rng, resolve, weighted
from oaknet.kernel.root import root
from oaknet.kernel.rules import BadOptions, Options, Position, Rules, TableOption, WrongSeats

__all__ = [
    "CHANCE",
    "SHARED",
    "Ask",
    "BadOptions",
    "CannotUndo",
    "Data",
    "DataFault",
    "Deck",
    "Game",
    "H",
    "IllegalChoice",
    "Option",
    "Options",
    "Plain",
    "Position",
    "Rng",
    "Rule",
    "Rules",
    "TableOption",
    "WrongSeats",
    "canonical",
    "chance",
    "choose",
    "confirm",
    "draw",
    "plain",
    "resolve",
    "revive",
    "root",
    "same",
    "together",
    "weighted",
]
