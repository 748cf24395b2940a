"""oak 13: the table options."""

from __future__ import annotations

import pytest

from oaknet.kernel import CHANCE, BadOptions, Game, Rng, resolve
from oaknet.oak.state import DUSK, HOME, State
from oaknet.oak.tables import OTHER, RITUAL, RUNE
from tests.engine.oak.positions import RULES, asked, day, on_branch, play


def eclipse_at_dusk() -> State:
    """Dusk, the sun on 4, in the Eclipse variant; three seats with 26, 25 and 24 points."""
    s = day("fox", "wild", "bee")
    s.eclipse, s.sun, s.phase = 1, 4, DUSK
    for p, points in zip(s.players, (26, 25, 24), strict=True):
        p.ledger[OTHER] = points
    a, b, c = s.players
    on_branch(a, RUNE, 3)
    on_branch(a, 1, 4)
    on_branch(a, 0, 6)
    on_branch(b, RUNE, 3)
    on_branch(c, RUNE, 1)
    a.resources, b.resources, c.resources = [9, 5, 1], [1, 1, 1], [0, 0, 0]
    s.bag = [0] * 5
    return s


def test_eclipse_makes_those_ahead_pay_as_much_as_they_can() -> None:
    """Worked case 9; the Dawn that follows gives 3 of each."""
    game = Game(RULES, eclipse_at_dusk())
    assert [p.resources for p in game.state.players] == [[9, 5, 3], [4, 4, 4], [3, 3, 4]]


def test_without_eclipse_nobody_pays() -> None:
    s = eclipse_at_dusk()
    s.eclipse = 0
    assert Game(RULES, s).state.players[0].resources == [9, 8, 4]


def test_eclipse_is_paid_before_bugul_noz_gives() -> None:
    s = day("fox", "wild")
    s.eclipse, s.sun = 1, 2
    p = s.players[0]
    on_branch(p, RUNE, 2)
    p.hand, p.resources, p.creatures, p.ledger[OTHER] = [RITUAL], [9, 9, 4], [15, 14], 20
    game = play(s, "ritual", "oak")
    assert game.state.players[0].resources == [9, 9, 3]  # 4 - 3, then 1 of the 2 due, then 2 and 1


def test_eclipse_is_a_table_option() -> None:
    assert Game[State].new(RULES, 2, {"eclipse": "on"}).state.eclipse == 1
    assert Game[State].new(RULES, 2).state.eclipse == 0
    with pytest.raises(BadOptions):
        Game.new(RULES, 2, {"eclipse": "perhaps"})


def test_the_first_player_is_drawn_or_the_first_seat() -> None:
    game = Game[State].new(RULES, 3)
    assert asked(game) == (CHANCE, "first-player", [0, 1, 2])
    game.play(1)
    resolve(game, Rng(b"first"))
    assert asked(game)[:2] == (0, "order")  # seats 0, 2, 1: worked case 12
    game.play("fox", "bee", "wild")
    assert [p.order for p in game.state.players] == [3, 4, 0]
    assert asked(game)[:2] == (1, "turn")
    assert Game[State].new(RULES, 3, {"start": "first-seat"}).pending[0].about == "bag"


def test_orders_are_dealt_or_fixed() -> None:
    game = Game[State].new(RULES, 4, {"orders": "fixed"})
    resolve(game, Rng(b"fixed"))
    assert [p.order for p in game.state.players] == [0, 1, 2, 3]
    assert asked(game)[1] == "turn"
    game = Game[State].new(RULES, 2, {"orders": "drawn", "start": "first-seat"})
    while asked(game)[1] != "order":
        game.play(asked(game)[2][0])  # type: ignore[arg-type]
    assert asked(game) == (CHANCE, "order", ["bee", "blackbird", "cairns", "fox", "wild"])
    game.play("cairns", "fox")
    assert [p.order for p in game.state.players] == [3, 2]
    assert asked(game)[1] == "turn"


def test_a_neutral_druid_goes_round_as_in_worked_case_12() -> None:
    s = day("fox", "wild", "bee")
    s.neutrals, s.bag = [0], [0] * 5
    seen = []
    for _ in range(4):
        s.phase = HOME
        s = Game(RULES, s).state.copy()
        seen += s.neutrals
    assert seen == [4, 8, 0, 4]
