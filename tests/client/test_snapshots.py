"""A few screens as they were looked at and found good.

``pytest --snapshot-update`` writes them anew, after which each is to be looked at again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import textual
from textual.pilot import Pilot

from oaknet import registry
from oaknet.five_towers.state import AUCTION, Player, State, card
from oaknet.kernel import Deck, Game
from oaknet.oak.state import move
from oaknet.oak.tables import BRANCH, TEMPLE
from oaknet_client.config import Config
from oaknet_client.screen.app import TableApp
from oaknet_client.screen.parts import BoardArea
from tests.client.tables import NOON
from tests.client.test_choosing import Sitting
from tests.engine.oak.positions import RULES, day, give, grow, on_branch, put

pytestmark = pytest.mark.skipif(
    not textual.__version__.startswith("8.2."), reason="the screens were kept with Textual 8.2"
)


def oak() -> Game[Any]:
    """A Day with something of everything on the table."""
    s = day("wild", "cairns")
    ann, ben = s.players
    grow(s, "bark", "acorn", "acorn", "mushroom")
    give(s, 0, "bark", "acorn", "root")
    ann.ledger[0], ben.ledger[0], s.sun = 17, 12, 3
    on_branch(ann, 0, 3)
    on_branch(ann, 1, 1)
    move(ben, put(ben, "bard", "rest"), BRANCH, 4)
    on_branch(ben, 2, 2)
    s.locked[5] = 1
    s.neutrals = [4]
    move(ben, 0, TEMPLE, 0)
    s.potions = [1, 10, 14]
    ann.shrines, ann.creatures, ann.limits = [0, 1], [34], [3, 2]
    ann.artifacts, ann.uses, ann.flipped, ann.markers = [4], [1], [6], 2
    ann.resources = [7, 3, 9]
    return Game(RULES, s)


def towers() -> Game[Any]:
    rules = registry.rules("five_towers")
    players = [
        Player([(15, 9, 8), (), (7, 3, 0), (12,), (3,)], [card(0, 2)]),
        Player([(), (14, 13, 2), (), (8, 11), ()]),
    ]
    display = [card(0, 7), card(1, 12), card(3, 0), card(4, 9), card(4, 2)]
    return Game(rules, State(rules.data.box, players, Deck([card(0, 1)]), display, phase=AUCTION))


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until the board is laid out for the room that there is."""
    app = pilot.app
    assert isinstance(app, TableApp)
    before: tuple[object, ...] = ()
    for _ in range(500):
        await pilot.pause()
        area = app.query_one(BoardArea)
        now = (app._move, area.size, area.pages, app.query_one("#about").size)
        if app._move is not None and not app._stale and now == before:
            return
        before = now
    raise AssertionError("the screen does not settle")


@pytest.mark.parametrize(
    ("game", "size", "theme", "more"),
    [
        pytest.param(oak, (80, 24), "textual-dark", {}, id="oak-80x24"),
        pytest.param(oak, (120, 36), "textual-light", {}, id="oak-120x36-light"),
        pytest.param(oak, (200, 60), "textual-dark", {}, id="oak-200x60"),
        pytest.param(oak, (120, 36), "textual-dark", {"ascii": True}, id="oak-120x36-ascii"),
        pytest.param(towers, (120, 36), "textual-dark", {}, id="towers-120x36"),
        pytest.param(towers, (80, 24), "no-colour", {}, id="towers-80x24-no-colour"),
    ],
)
def test_screen(
    game: Callable[[], Game[Any]],
    size: tuple[int, int],
    theme: str,
    more: dict[str, bool],
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if theme == "no-colour":
        monkeypatch.setenv("NO_COLOR", "1")
        theme = "textual-dark"
    app = TableApp(Sitting(game()), Config("Ann", theme=theme, bell=False, **more), clock=lambda: NOON)  # type: ignore[arg-type]
    try:
        assert snap_compare(app, terminal_size=size, run_before=settled)
    finally:
        assert app.bridge.stop()
