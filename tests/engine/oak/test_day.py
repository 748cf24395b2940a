"""oak 5: turns, free actions, passing, gathering, the end of the Day."""

from __future__ import annotations

from oaknet.kernel import Game
from oaknet.oak.state import DAY, DUSK
from tests.engine.oak.positions import RULES, all_pass, asked, day, druids, give, grow, offered, play, rests


def test_a_turn_offers_cards_free_actions_and_passing() -> None:
    s = day()
    give(s, 0, "bark", "acorn")
    assert asked(Game(RULES, s)) == (
        0,
        "turn",
        ["storytelling", "knowledge", "ritual", "trade", "limit", "pass"],
    )


def test_who_can_do_nothing_passes_unasked() -> None:
    s = day()
    grow(s, "bark")
    s.players[0].resources = [0, 0, 0]
    game = Game(RULES, s)
    assert asked(game) == (0, "gather", ["bark", "decline"])
    assert game.state.players[0].passed


def test_turns_go_round_clockwise() -> None:
    game = play(day("bee", "fox", "wild", first=1), "knowledge", "oak")
    assert asked(game)[0] == 2
    game.play("ritual", "oak")
    assert asked(game)[0] == 0


def test_trading_two_ingredients_for_a_resource_leaves_the_turn_open() -> None:
    s = day()
    give(s, 0, "bark", "acorn", "acorn")
    s.players[0].resources = [9, 8, 5]
    game = play(s, "trade")
    assert asked(game) == (0, "resource", ["mistletoe", "rune"])
    game.play("rune")
    assert asked(game) == (0, "trade", [("bark", "acorn"), ("acorn", "acorn")])
    game.play(("acorn", "acorn"))
    assert game.state.players[0].resources == [9, 8, 6]
    assert game.state.bag == [7, 8, 8, 8, 8]
    assert asked(game)[:2] == (0, "turn")


def test_the_limit_marker_moves_for_three_of_one_kind() -> None:
    game = play(day("bee", "fox"), "limit", "below")
    assert asked(game) == (0, "pay", [(3, 0, 0), (0, 3, 0), (0, 0, 3)])
    game.play((0, 3, 0))
    assert game.state.players[0].limits == [1, 2]
    assert game.state.players[0].resources == [6, 3, 6]
    assert asked(game)[:2] == (0, "turn")


def test_the_marker_stops_at_the_last_slot() -> None:
    s = day()
    s.players[0].limits = [4, 4]
    assert "limit" not in offered(Game(RULES, s))
    s.players[0].limits = [4, 3]
    game = play(s, "limit")
    assert asked(game)[1] == "pay"  # only the lower marker can move


def test_passing_allows_to_gather_at_once() -> None:
    """The rulebook's example: a druid goes to the forest for one ingredient."""
    s = day()
    grow(s, "bark", "acorn", "bark")
    game = play(s, "pass")
    assert asked(game) == (0, "gather", ["bark", "acorn", "limit", "decline"])
    game.play("bark")
    p = game.state.players[0]
    assert p.passed
    assert p.ingredients == [1, 0, 0, 0, 0]
    assert game.state.forest == [-1, 3, 0, -1]  # the first bark from top left
    assert len(druids(p, "forest")) == 1
    assert len(druids(p, "roots")) == 5
    assert asked(game)[0] == 1


def test_a_passed_seat_gathers_once_a_turn_or_declines() -> None:
    s = day()
    grow(s, "bark", "acorn", "root")
    s.players[0].passed = 1
    s.players[0].resources = [0, 0, 0]
    game = play(s, "acorn", "knowledge", "oak")
    assert asked(game) == (0, "gather", ["bark", "root", "decline"])
    game.play("decline", "ritual", "oak")
    assert asked(game)[1] == "gather"
    assert game.state.players[0].ingredients == [0, 0, 0, 1, 0]


def test_the_gathering_druid_is_chosen_where_they_differ() -> None:
    s = day()
    grow(s, "bark", "acorn")
    s.players[0].kind[-1] = 2
    game = play(s, "pass", "bark")
    assert asked(game) == (0, "gatherer", ["regular", "bard"])
    game.play("bard")
    assert druids(game.state.players[0], "forest") == ["bard"]


def test_free_actions_may_come_before_gathering() -> None:
    s = day()
    grow(s, "bark", "acorn")
    give(s, 0, "root", "root")
    s.players[0].resources = [0, 0, 0]
    game = play(s, "pass", "trade", "rune")
    assert asked(game) == (0, "gather", ["bark", "acorn", "decline"])
    assert game.state.players[0].resources == [0, 0, 1]


def test_a_passed_seat_without_a_druid_on_the_roots_is_skipped() -> None:
    s = day()
    grow(s, "bark", "acorn")
    p = s.players[0]
    p.passed = 1
    p.place = [2 if place == 1 else place for place in p.place]
    assert asked(Game(RULES, s))[0] == 1


def test_the_day_ends_when_all_have_passed_and_the_forest_is_empty() -> None:
    s = day()
    s.bag = [0] * 5
    s.forest = [0, -1, -1, -1]
    s.players[1].passed = 1
    game = play(s, "pass", "bark")
    assert game.state.round == 2


def test_the_day_ends_when_all_have_passed_and_no_druid_is_on_the_roots() -> None:
    s = day()
    grow(s, "bark", "acorn", "root")
    all_pass(s)
    for p in s.players:
        p.place = [2 if place == 1 else place for place in p.place]
    s.players[0].place[-1] = 1
    game = play(s, "bark")  # the last druid on the roots goes to the forest
    assert game.state.phase == DUSK


def test_the_day_goes_on_while_somebody_has_not_passed() -> None:
    s = day()
    s.players[0].passed = 1
    assert asked(Game(RULES, s))[:2] == (1, "turn")


def test_the_day_ends_when_nobody_gathers_for_a_round() -> None:
    s = day("fox", "wild", "bee")
    grow(s, "bark", "acorn", "root", "root")
    all_pass(s)
    for p in s.players:
        p.resources = [0, 0, 0]
    game = play(s, "decline", "bark", "decline", "decline")
    assert game.state.phase == DAY
    assert asked(game)[0] == 1
    game.play("decline")
    assert game.state.phase == DUSK


def test_dawn_follows_dusk_and_the_next_seat_begins() -> None:
    s = day()
    all_pass(s)
    game = play(s, "bark", "bark", "root", "root")
    assert game.state.phase == DAY
    assert asked(game)[:2] == (1, "turn")
    assert game.state.players[0].resources == [9, 9, 9]


def test_after_the_last_day_comes_the_final_scoring() -> None:
    s = day()
    s.round = 5
    all_pass(s)
    game = Game(RULES, s)
    assert game.over
    assert game.state.sun == 1


def test_a_card_that_can_do_nothing_is_not_offered() -> None:
    s = day()
    p = s.players[0]
    p.resources = [0, 3, 0]
    rests(p)
    p.place = [2] * 9  # nobody on the roots, nobody at rest
    s.players[1].passed = 1
    grow(s, "bark")
    assert offered(Game(RULES, s)) == ["limit", "pass"]
