"""The games there are, by name; the only place of the engine that reads files (their data)."""

from __future__ import annotations

import importlib
import importlib.util
from importlib import resources
from typing import Any

from oaknet.kernel.lookup import Entry
from oaknet.kernel.rules import Rules
from oaknet.kernel.statistics import Prospects, Statistics, no_facts

GAMES = {"five_towers": "oaknet.five_towers", "oak": "oaknet.oak"}
"""Package of each game, by the name it has on the wire.

A package has ``make(text) -> Rules``. It may have a module ``texts`` with ``entries(box)``, what can be
looked up, and perhaps ``holders(s, entry)``, who has it; a module ``statistics`` with ``facts``, what a
finished game tells; and a module ``prospects`` with ``prospects(s)``, what each seat may expect.
"""


class UnknownGame(ValueError):
    """No game has that name."""


def games() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(GAMES))


def package(name: str) -> str:
    """The import name of a game's package; raises `UnknownGame`."""
    if name not in GAMES:
        raise UnknownGame(f"There is no game {name!r} here; the games are {', '.join(games())}.")
    return GAMES[name]


def data_text(name: str) -> str:
    """The data file that comes with a game."""
    return resources.files(package(name)).joinpath("data.toml").read_text(encoding="utf-8")


def rules(name: str, data: str | None = None) -> Rules[Any]:
    """The rules of a game with its printed numbers, or with those of the data file text ``data``.

    Raises `UnknownGame`, and `oaknet.kernel.DataFault` if the numbers cannot be used.
    """
    made: Rules[Any] = importlib.import_module(package(name)).make(data_text(name) if data is None else data)
    return made


def entries(rules: Rules[Any]) -> tuple[Entry, ...]:
    """What can be looked up about a game, chapter by chapter; nothing if it has no texts."""
    module = _module(rules.name, "texts")
    return () if module is None else module.entries(rules.data.box)


def holders(rules: Rules[Any], s: Any, entry: Entry) -> tuple[tuple[int, str], ...]:
    """Who has a card or tile in a position: the seat, or -1 for the table, and words for it; often nobody."""
    find = getattr(_module(rules.name, "texts"), "holders", None)
    return () if find is None else find(s, entry)


def statistics(name: str) -> Statistics:
    """What tells the facts of a finished game; raises `UnknownGame`."""
    module = _module(name, "statistics")
    return no_facts if module is None else module.facts


def prospects(name: str) -> Prospects | None:
    """What judges a position of a game that is not over; None if the game has no such thing. Raises
    `UnknownGame`."""
    module = _module(name, "prospects")
    return None if module is None else module.prospects


def _module(name: str, part: str) -> Any:
    """A module that a game may have or not; None if it has not."""
    module = f"{package(name)}.{part}"
    return None if importlib.util.find_spec(module) is None else importlib.import_module(module)
