"""5 Towers in words, for log and screen."""

from __future__ import annotations

from oaknet.five_towers.auction import PASSES
from oaknet.five_towers.building import top
from oaknet.five_towers.numbers import NONE
from oaknet.five_towers.state import State, kind_of, value_of
from oaknet.kernel import Ask, Option


def say(s: State, ask: Ask, option: Option) -> str:
    """An answer as a clause without its subject; ``s`` is the state in which it was given."""
    types = s.box.deck.types
    match ask.about, option:
        case "reveal", int(card):
            return f"reveals {types[kind_of(card)]} {value_of(card)}"
        case "bid", str(word) if word == PASSES:
            return "passes"
        case "bid", int(number):
            return f"bids {number} {'card' if number == 1 else 'cards'}"
        case "tear down", str(word) if word == NONE:
            return "tears nothing down"
        case "tear down", str(word):
            return f"tears down {word} {top(s.players[ask.seat].towers[types.index(word)])}"
        case "card", (str(word), int(value)):
            return f"builds {word} {value}"
        case _:
            raise AssertionError(f"{ask.about!r} has no answer {option!r}")
