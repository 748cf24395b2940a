"""The board of Oak: its parts in the order of their weight, and where choices are on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oaknet.kernel import Ask, Game, Option, Rules
from oaknet.oak.state import State
from oaknet_client.boards.oak import notes as _notes
from oaknet_client.boards.oak import places as _places
from oaknet_client.boards.oak.displays import displays
from oaknet_client.boards.oak.player import player
from oaknet_client.boards.oak.temples import forest, temples
from oaknet_client.boards.oak.tracks import tracks
from oaknet_client.boards.oak.tree import tree
from oaknet_client.boards.records import Drawing, Key, padded
from oaknet_client.feed import Seat

PLAYER = 16
"""Rows kept for a player's board: as much as there is room for on the smallest screen."""


def blocks(rules: Rules[Any], s: State, seats: Sequence[Seat], seat: int | None) -> tuple[Drawing, ...]:
    """The table, then the board of the seat that looks, then the others clockwise."""
    if s.broichan:
        seats = (*seats, Seat("Broichan", bot="rules", place=len(seats)))
    order = [(i + (seat or 0)) % len(s.players) for i in range(len(s.players))]
    boards = tuple(padded(player(s, seats, i), PLAYER) for i in order)
    shared = (tree(s, seats), tracks(s, seats), temples(s, seats), forest(s))
    return (*shared, *displays(s, seats, seat), *boards)


def place(game: Game[Any], ask: Ask, option: Option) -> Key | None:
    """The spot that an option is chosen at, if it has one."""
    return _places.place(game, ask, option)


def notes(game: Game[Any], ask: Ask, option: Option) -> tuple[str, list[str]]:
    """The name of what an option is about in the rules' texts, and what it costs, in lines."""
    return _notes.notes(game, ask, option)


def effects(before: State, after: State, seat: int) -> list[str]:
    """What has changed for a seat, in words."""
    return _notes.effects(before, after, seat)


def chapter(s: State) -> str:
    """The part of the game that a position belongs to, for timelines."""
    return f"round {min(s.round, s.box.play.rounds)}"
