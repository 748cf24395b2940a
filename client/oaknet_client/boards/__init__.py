"""Boards: a position as a picture with spots to choose at. No toolkit here."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Protocol, cast

from oaknet.kernel import Ask, Game, Option, Rules
from oaknet_client import views
from oaknet_client.boards.records import Drawing, Key, of_panel
from oaknet_client.feed import Seat

BOARDS = {"five_towers": "oaknet_client.boards.five_towers", "oak": "oaknet_client.boards.oak"}
"""Module of each game's own board, by the game's wire name."""


class Board(Protocol):
    """What the module of a game's board offers; positions are read, never changed."""

    def blocks(
        self, rules: Rules[Any], s: Any, seats: Sequence[Seat], seat: int | None, /
    ) -> tuple[Drawing, ...]:
        """The parts of the picture, in the order in which they should be seen."""
        ...

    def place(self, game: Game[Any], ask: Ask, option: Option, /) -> Key | None:
        """The key of the spot at which an option is chosen; None if it has no place on the board."""
        ...

    def notes(self, game: Game[Any], ask: Ask, option: Option, /) -> tuple[str, list[str]]:
        """The entry of the rules' texts that an option is about, or ``""``; lines about its cost."""
        ...

    def effects(self, before: Any, after: Any, seat: int, /) -> list[str]:
        """What has changed for a seat between two positions, in lines."""
        ...

    def chapter(self, s: Any, /) -> str:
        """The part of the game that a position belongs to, for timelines."""
        ...


def board(name: str) -> Board | None:
    """The board of a game; None if it has none of its own."""
    module = BOARDS.get(name)
    return None if module is None else cast(Board, importlib.import_module(module))


def blocks(game: Game[Any], seats: Sequence[Seat], seat: int | None) -> tuple[Drawing, ...]:
    """The parts of a position's picture as ``seat`` sees it; those of the plain view without a board."""
    found = board(game.rules.name)
    if found is not None:
        return found.blocks(game.rules, game.state, seats, seat)
    return tuple(map(of_panel, views.picture(game, seats, seat).panels))


def places(game: Game[Any], ask: Ask) -> tuple[Key | None, ...]:
    """The spot of each option of a question; of options that share one, the first has it."""
    found = board(game.rules.name)
    keys: list[Key | None] = []
    for option in ask.options:
        key = None if found is None else found.place(game, ask, option)
        keys.append(None if key in keys else key)
    return tuple(keys)


def chapter(game: Game[Any]) -> str:
    """The part of the game that a position belongs to; empty where the game has none."""
    found = board(game.rules.name)
    return "" if found is None else found.chapter(game.state)
