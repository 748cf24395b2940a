"""oak 4: income."""

from __future__ import annotations

import pytest

from oaknet.kernel import Game
from oaknet.oak.state import DAWN, DAY, State, gain
from oaknet.oak.tables import CREATURES, FEATHER
from tests.engine.oak.positions import RULES, day


def test_everybody_gains_three_of_each_and_no_more_than_nine() -> None:
    s = day("fox", "wild", first=1)
    s.phase = DAWN
    s.players[0].resources = [0, 6, 8]
    game = Game(RULES, s)
    assert game.state.players[0].resources == [3, 9, 9]
    assert game.state.players[1].resources == [9, 9, 9]
    assert game.state.phase == DAY
    assert game.state.mover == 1


def test_a_creature_with_a_dawn_column_brings_its_income(monkeypatch: pytest.MonkeyPatch) -> None:
    async def two_feathers(s: State, seat: int) -> None:
        gain(s, seat, FEATHER, 2)

    monkeypatch.setitem(CREATURES, 10, CREATURES[10]._replace(dawn=two_feathers))
    s = day()
    s.phase = DAWN
    s.players[0].resources, s.players[0].creatures = [0, 0, 0], [10]
    assert Game(RULES, s).state.players[0].resources == [5, 3, 3]
