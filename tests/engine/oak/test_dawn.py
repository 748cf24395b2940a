"""oak 4: income."""

from __future__ import annotations

from oaknet.kernel import Game
from oaknet.oak.state import DAWN, DAY
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
