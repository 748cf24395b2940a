"""Where on the board each answer is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oaknet.kernel import Ask, Game, Option
from oaknet.oak.branches import climber
from oaknet.oak.state import State
from oaknet.oak.tables import (
    DRUIDS,
    INGREDIENTS,
    KINDS,
    MOOTS,
    RESOURCES,
    ROWS,
)
from oaknet_client.boards.records import Key

Where = Callable[[State, int, Option], "Key | None"]


def place(game: Game[Any], ask: Ask, option: Option) -> Key | None:
    """The key of an option's spot; None where the board has no place for it."""
    if ask.about in ("arm", "branch", "ride", "again", "way"):
        return _ahead(game, ask, option)
    find = PLACES.get(ask.about)
    return None if find is None else find(game.state, ask.seat, option)


def _ahead(game: Game[Any], ask: Ask, option: Option) -> Key | None:
    """Where a step leads, found by taking it on a clone; the temple, if the card is used there."""
    before: State = game.state
    card = before.players[ask.seat].played[-1:] if ask.about == "way" else []
    if option == "temple" and card:
        return None if MOOTS[card[0]].temple < 0 else ("temple", MOOTS[card[0]].temple)
    if option in ("no", "stop"):
        return None
    after = game.clone()
    after.answer(ask.seat, option)
    mine, then = before.players[ask.seat], after.state.players[ask.seat]
    for branch in KINDS:
        druid = climber(then, branch)
        if druid >= 0 and (climber(mine, branch) != druid or mine.space[druid] != then.space[druid]):
            return ("space", branch, then.space[druid])
    if ask.about == "way" and card and MOOTS[card[0]].temple >= 0:
        return ("branch", MOOTS[card[0]].temple)
    return ("branch", RESOURCES.index(str(option))) if option in RESOURCES else None


def _turn(s: State, seat: int, option: Option) -> Key | None:
    what, _, which = str(option).partition("-")
    for card, moot in enumerate(MOOTS):
        if moot.name == option:
            return ("moot", seat, card)
    if option == "menhir":
        return ("menhir", seat)
    if option == "limit":
        return ("row", seat, 0)
    if option == "trade":
        return ("ingredients", seat)
    if what == "order":
        return ("order", seat, which)
    if what == "artifact":
        return ("artifact", seat, int(which))
    return ("own", seat, int(which)) if what == "creature" else None


def _gather(s: State, seat: int, option: Option) -> Key | None:
    if option in INGREDIENTS:
        return ("forest", INGREDIENTS.index(str(option)))
    if str(option).startswith("bag-"):
        return ("bag", INGREDIENTS.index(str(option).removeprefix("bag-")))
    return _turn(s, seat, option)


def _stone(s: State, seat: int, option: Option) -> Key | None:
    temple = MOOTS[s.players[seat].played[-1]].temple
    return ("stone", temple * 3 + option - 1) if isinstance(option, int) else None


def _druid(where: str) -> Where:
    def find(s: State, seat: int, option: Option) -> Key | None:
        return (where, seat, DRUIDS.index(str(option))) if option in DRUIDS else None

    return find


def _creature(s: State, seat: int, option: Option) -> Key | None:
    if option == "refresh":
        return ("refresh-creature",)
    return ("look",) if option == 0 else ("creature", option) if isinstance(option, int) else None


def _artifact(s: State, seat: int, option: Option) -> Key | None:
    return ("display", option) if isinstance(option, int) else ("refresh-artifact",)


def _own_artifact(s: State, seat: int, option: Option) -> Key | None:
    return ("artifact", seat, option) if isinstance(option, int) else None


def _potion(s: State, seat: int, option: Option) -> Key | None:
    return ("potion", option) if isinstance(option, int) else ("darkwood",)


def _upgrade(s: State, seat: int, option: Option) -> Key | None:
    """The place of the druid that is to become an elder."""
    what, _, which = str(option).partition("-")
    if what in ("rest", "roots"):
        return (what, seat, 0)
    if what == "branch":
        branch = RESOURCES.index(which)
        p = s.players[seat]
        return ("space", branch, p.space[climber(p, branch)])
    if what == "temple":
        name, _, stones = which.partition("-")
        return ("stone", RESOURCES.index(name) * 3 + int(stones) - 1)
    return ("artifact", seat, int(which)) if what == "artifact" else None


def _row(s: State, seat: int, option: Option) -> Key | None:
    return ("row", seat, ROWS.index(str(option))) if option in ROWS else None


def _bag(s: State, seat: int, option: Option) -> Key | None:
    return ("bag", INGREDIENTS.index(str(option)))


PLACES: dict[str, Where] = {
    "turn": _turn,
    "gather": _gather,
    "gather-too": _gather,
    "discard": _gather,
    "stone": _stone,
    "druid": _druid("rest"),
    "second": _druid("rest"),
    "climber": _druid("roots"),
    "recruit": _druid("roots"),
    "gatherer": _druid("roots"),
    "creature": _creature,
    "creature-under": _creature,
    "artifact": _artifact,
    "artifact-under": _artifact,
    "recharge": _own_artifact,
    "lugh": _own_artifact,
    "potion": _potion,
    "upgrade": _upgrade,
    "row": _row,
    "limits": _row,
    "ingredient": _bag,
}
"""By what is asked about."""
