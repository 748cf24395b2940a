"""Views: what a state looks like, as frozen records that any front end can show."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from oaknet.kernel import Game
from oaknet_client.feed import Seat
from oaknet_client.views.records import Picture, View, flow, text

VIEWS = {"five_towers": "oaknet_client.views.five_towers", "oak": "oaknet_client.views.oak"}
"""Module of each game's own view, by the game's wire name; any other game has the generic one."""


def picture(game: Game[Any], seats: Sequence[Seat], seat: int | None = None) -> Picture:
    """The picture of a position, as ``seat`` sees it."""
    module = VIEWS.get(game.rules.name, "oaknet_client.views.generic")
    view: View = importlib.import_module(module).picture
    return view(game.rules, game.state, seats, seat)


def drawn(game: Game[Any], seats: Sequence[Seat], seat: int | None = None, width: int = 80) -> list[str]:
    """The picture as lines of plain text."""
    return [text(line) for line in flow(picture(game, seats, seat).panels, width)]
