"""The games there are, by name; the only place of the engine that reads files (their data)."""

from __future__ import annotations

import importlib
import importlib.util
from importlib import resources
from typing import Any

from oaknet.kernel.lookup import Entry
from oaknet.kernel.rules import Rules

GAMES = {"five_towers": "oaknet.five_towers", "oak": "oaknet.oak"}
"""Package of each game, by the name it has on the wire.

A package has ``make(text) -> Rules``. Its module ``texts``, if there is one, has ``entries(box)``, what can
be looked up.
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
    module = f"{package(rules.name)}.texts"
    if importlib.util.find_spec(module) is None:
        return ()
    found: tuple[Entry, ...] = importlib.import_module(module).entries(rules.data.box)
    return found
