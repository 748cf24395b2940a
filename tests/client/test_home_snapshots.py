"""The home screen as it was looked at and found good; `tests.client.test_snapshots` says how that is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import textual
from textual.pilot import Pilot

from oaknet_client.around import Mine, Nearby
from oaknet_client.config import Config
from oaknet_client.errand import Errand
from oaknet_client.screen.home import HomeApp
from tests.client.homes import Home, Look

pytestmark = pytest.mark.skipif(
    not textual.__version__.startswith("8.2."), reason="the screens were kept with Textual 8.2"
)

MINE = Mine(
    (
        Errand(("resume", "aa"), "Oak with Ben and Cid", "step 41, since 2026-11-30 21:14"),
        Errand(("resume", "bb"), "5 Towers", "waiting for players, since 2026-11-29 20:00"),
    )
)
NEAR = Nearby((Errand(("lan", "cc"), "Oak: 1 of 3 seats free", "cccccccc, by Dan, whom you know"),), 1)


@pytest.mark.parametrize(
    ("size", "theme", "ascii_only", "page"),
    [
        pytest.param((80, 24), "textual-dark", False, "", id="80x24"),
        pytest.param((120, 36), "textual-light", False, "", id="120x36-light"),
        pytest.param((80, 24), "textual-dark", True, "h", id="host-80x24-ascii"),
    ],
)
def test_home(
    size: tuple[int, int], theme: str, ascii_only: bool, page: str, snap_compare: Callable[..., bool]
) -> None:
    looks: list[Look] = []

    def lookout(tell: Callable[..., None]) -> Look:
        looks.append(Look(tell))
        return looks[0]

    app = HomeApp(Config("Ann", theme=theme, ascii=ascii_only), lookout=lookout)

    async def told(pilot: Pilot[None]) -> None:
        h = Home(app, pilot, looks[0])
        await h.tell(MINE, NEAR)
        if page:
            await pilot.press(page)
            await h.opened("Host")

    assert snap_compare(app, terminal_size=size, run_before=told)
