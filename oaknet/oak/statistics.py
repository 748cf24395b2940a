"""What a finished game says about Oak's balance, seat by seat."""

from __future__ import annotations

from collections.abc import Sequence

from oaknet.kernel import Option
from oaknet.kernel.statistics import Facts
from oaknet.oak.branches import steps
from oaknet.oak.queries import elders
from oaknet.oak.state import State
from oaknet.oak.tables import MOOTS, ORDERS

DEEDS = ("menhir", *[moot.name for moot in MOOTS])
SPACES = ("order-", "artifact-")
"""What begins the name of a special space of a board or of an artifact."""


def facts(s: State, seat: int, answers: Sequence[tuple[str, Option]]) -> Facts:
    """Turns in which the seat did more than pass, steps on branches, Festivals of the game, and what the seat
    has in the end; by order board, and by the place in turn in the first round."""
    p, n = s.players[seat], len(s.players)
    first = (s.first - s.round + 1) % n  # the token has moved on since
    turns = [option for about, option in answers if about == "turn" and _is_deed(option)]
    counts = {
        "turns": len(turns),
        "steps": steps(s, seat),
        "festivals": sum(space <= s.sun for space in s.box.sun.solstice),
        "potions brewed": p.markers,
        "elder druids": elders(p),
        "creature cards": len(p.creatures),
        "shrine and menhir cards": len(p.shrines),
        "artifact tiles": len(p.artifacts) + len(p.flipped),
    }
    return Facts({"order": ORDERS[p.order].name, "in turn": str((seat - first) % n + 1)}, counts)


def _is_deed(option: Option) -> bool:
    return option in DEEDS or (isinstance(option, str) and option.startswith(SPACES))
