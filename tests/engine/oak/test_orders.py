"""oak 8.1, 8.2: the special spaces of the order boards."""

from __future__ import annotations

import pytest

from oaknet import registry
from oaknet.kernel import CHANCE, Game
from oaknet.oak.queries import rest_places, slots_used, special_costs
from oaknet.oak.state import HOME, State
from oaknet.oak.tables import ABOVE
from tests.engine.oak.positions import RULES, asked, day, druids, give, offered, play, rests


def board(order: str, *kinds: str) -> State:
    """Seat 0 has this order, these resting druids and no resources."""
    s = day(order, "fox" if order != "fox" else "bee")
    rests(s.players[0], *(kinds or ("regular",)))
    s.players[0].resources = [0, 0, 0]
    return s


def test_order_of_the_bee_upgrades_with_any_druid() -> None:
    s = board("bee")
    game = play(s, "order-upgrade", "order-0", "ovate")
    assert druids(game.state.players[0], "order") == ["ovate"]
    assert game.state.players[0].resources == [0, 0, 0]
    assert rest_places(s, 0) == (3, 0)


def test_order_of_the_blackbird_takes_a_creature_with_an_elder() -> None:
    game = play(board("blackbird", "bard"), "order-creature", 2)
    assert game.state.players[0].creatures == [2]
    assert "order-creature" not in offered(play(board("blackbird")))


def test_order_of_the_cairns_takes_a_shrine_with_an_elder_and_two_share_a_slot() -> None:
    s = board("cairns", "bard")
    s.players[0].shrines = [0]
    game = play(s, "order-shrine", "regular")
    assert game.state.players[0].shrines == [0, 1]
    assert slots_used(game.state, 0, ABOVE) == 1
    assert "order-shrine" not in offered(play(board("cairns")))


def test_order_of_the_fox_gains_six_of_one_resource_with_an_elder() -> None:
    s = board("fox", "bard")
    s.players[0].resources = [9, 5, 0]
    game = play(s, "order-gain-any")
    assert asked(game) == (0, "gain", ["mistletoe", "rune"])
    assert game.play("mistletoe").state.players[0].resources == [9, 9, 0]
    s.players[0].resources = [9, 9, 9]
    assert "order-gain-any" not in offered(Game(RULES, s))
    assert "order-gain-any" not in offered(play(board("fox")))


def test_order_of_the_wild_brews_with_any_druid_and_draws_with_an_elder() -> None:
    s = board("wild", "regular", "bard")
    give(s, 0, "bark", "root", "acorn")
    assert [option for option in offered(Game(RULES, s)) if str(option).startswith("order")] == [
        "order-brew",
        "order-draw",
    ]
    game = play(s, "order-brew", "regular")
    assert game.state.players[0].vp == 3
    game = play(s, "order-draw")
    assert asked(game)[:2] == (CHANCE, "bag")
    game.play("root", "root", "root")
    assert game.state.players[0].ingredients == [1, 4, 0, 1, 0]
    assert "order-draw" not in offered(play(board("wild", "regular")))


def test_a_special_space_takes_one_druid_until_dusk() -> None:
    s = board("wild", "regular", "talon-master")
    give(s, 0, *["bark", "root", "acorn"] * 2)
    s.players[1].passed = 1
    s.forest[0] = 0
    game = play(s, "order-brew", "regular", "decline")
    assert druids(game.state.players[0], "order") == ["regular"]
    assert "order-brew" not in offered(game)  # not for a Talon-Master either
    s = game.state.copy()
    s.phase = HOME
    assert druids(Game(RULES, s).state.players[0], "order") == []


@pytest.mark.parametrize(
    ("order", "kind", "costs"), [("blackbird", "bard", 3), ("blackbird", "arch-druid", 1), ("fox", "bard", 3)]
)
def test_a_printed_cost_would_be_paid_in_any_kinds(order: str, kind: str, costs: int) -> None:
    text = registry.data_text("oak").replace(
        "special = { value = [[0], [0], [0], [0], [0, 0]]", "special = { value = [[3], [3], [3], [3], [3, 3]]"
    )
    rules = registry.rules("oak", text)
    s = board(order, kind)
    s.box = rules.data.box
    s.players[0].resources = [1, 1, 1]
    assert all(sum(cost) == costs for cost in special_costs(s, 0, 0, 0 if kind == "bard" else rests_at(s)))
    game = Game(rules, s)
    assert any(str(option).startswith("order-") for option in offered(game))
    s.players[0].creatures = [20]
    assert sum(special_costs(s, 0, 0, rests_at(s))[0]) == (max(0, costs - 2) if order == "blackbird" else 3)


def rests_at(s: State) -> int:
    """The druid of seat 0 that rests."""
    return s.players[0].place.index(0)
