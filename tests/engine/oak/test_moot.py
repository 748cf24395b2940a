"""oak 6.1–6.4: playing a moot card for its temple action; crowding, payment, look-ahead."""

from __future__ import annotations

from oaknet.kernel import Game
from oaknet.oak.tables import KNOWLEDGE, ORDER, RITUAL, STORYTELLING, TEMPLE, WORSHIP
from tests.engine.oak.positions import (
    RULES,
    asked,
    day,
    druids,
    give,
    offered,
    on_branch,
    play,
    rests,
    temple,
)


def test_questions_follow_the_order_of_the_rules() -> None:
    s = day("blackbird", "wild")
    rests(s.players[0], "regular", "regular", "bard")
    s.neutrals = [4]
    game = play(s, "knowledge")
    assert asked(game) == (0, "way", ["temple", "oak"])
    game.play("temple")
    assert asked(game) == (0, "stone", [1, 2, 3])
    game.play(2)
    assert asked(game) == (0, "druid", ["regular", "bard"])
    game.play("bard")
    assert temple(game.state.players[0]) == [4]  # both other druids are regular: no question
    assert game.state.players[0].resources == [6, 1, 6]
    assert asked(game) == (0, "shrine", ["elder", "regular"])


def test_a_shrine_on_an_occupied_space_takes_two_druids() -> None:
    """The rulebook's example: another druid stands there; 5 mistletoe; the shrine goes into an open slot."""
    s = day()
    s.players[1].place[0], s.players[1].space[0] = TEMPLE, 4
    game = play(s, "knowledge", "temple", 2, "regular")
    p = game.state.players[0]
    assert temple(p) == [4]
    assert len(druids(p, "rest")) == 1
    assert len(druids(p, "roots")) == 7
    assert p.resources == [6, 1, 6]
    assert p.shrines == [1]
    assert p.vp == 4


def test_ones_own_druid_crowds_a_space_too() -> None:
    s = day()
    s.players[0].place[0], s.players[0].space[0] = TEMPLE, 3
    game = play(s, "knowledge", "temple", 1)
    assert len(druids(game.state.players[0], "rest")) == 0
    assert len(druids(game.state.players[0], "roots")) == 7


def test_with_one_active_druid_occupied_spaces_are_closed() -> None:
    s = day()
    rests(s.players[0], "regular")
    s.neutrals = [0, 4, 8]
    game = play(s, "knowledge", "temple")
    assert offered(game) == [1, 3]


def test_the_second_druid_is_chosen_where_they_differ() -> None:
    s = day()
    rests(s.players[0], "regular", "regular", "ovate")
    s.neutrals = [3]
    game = play(s, "knowledge", "temple", 1, "regular")
    assert asked(game) == (0, "second", ["regular", "ovate"])
    game.play("ovate")
    assert "ovate" in druids(game.state.players[0], "roots")


def test_the_second_druid_comes_straight_back() -> None:
    """Worked case 13: Worship's first action fetches the Ovate that was just sent."""
    s = day("fox", "wild")
    p = s.players[0]
    rests(p, "regular", "ovate")
    p.place = [2 if place == 1 else place for place in p.place]  # nobody on the roots
    p.hand, s.neutrals = [WORSHIP], [0]
    p.resources = [0, 0, 0]
    game = play(s, "worship", "regular")
    assert druids(game.state.players[0], "rest") == ["ovate"]
    assert temple(game.state.players[0]) == [0]
    assert game.state.players[0].resources == [0, 0, 0]


def test_the_second_druid_must_leave_something_to_do() -> None:
    """Case 13, with one active druid: the occupied space is closed."""
    s = day("fox", "wild")
    p = s.players[0]
    rests(p, "ovate")
    p.place = [2 if place == 1 else place for place in p.place]
    p.place[8] = ORDER
    p.hand, s.neutrals, p.resources = [WORSHIP], [0], [0, 0, 0]
    s.players[1].passed = 1
    s.forest[0] = 0
    assert asked(Game(RULES, s))[0] == 1  # seat 0 could only pass


def test_the_second_druid_may_climb_at_once() -> None:
    s = day()
    p = s.players[0]
    rests(p, "regular", "regular")
    p.place = [2 if place == 1 else place for place in p.place]
    p.hand, s.neutrals = [WORSHIP], [1]
    game = play(s, "worship", 2, "mistletoe")
    assert temple(game.state.players[0]) == [1]
    assert druids(game.state.players[0], "roots") == []
    assert game.state.players[0].vp == 2


def test_a_card_is_played_once_a_day() -> None:
    game = play(day(), "knowledge", "oak", "pass")
    assert "knowledge" not in offered(game)
    assert game.state.players[0].played == [KNOWLEDGE]


def test_a_card_with_nothing_to_do_is_not_offered() -> None:
    s = day()
    s.players[0].resources = [2, 3, 9]
    s.players[0].limits = [4, 4]
    assert offered(Game(RULES, s)) == ["knowledge", "ritual", "pass"]


def test_spaces_that_cannot_be_paid_for_are_not_offered() -> None:
    s = day()
    s.players[0].resources = [0, 5, 0]
    s.players[0].limits = [1, 4]
    game = play(s, "knowledge", "temple")
    assert offered(game) == [1, 2]


def test_a_space_is_not_offered_when_a_slot_could_not_be_paid_for_after_it() -> None:
    s = day("bee", "fox")
    p = s.players[0]
    p.resources, p.creatures = [6, 0, 2], [9]
    game = play(s, "storytelling", "temple")
    assert offered(game) == [1, 3]  # a creature would need 3 of one kind beyond the 6 feathers
    p.resources = [6, 0, 3]
    game = play(s, "storytelling", "temple")
    assert offered(game) == [1, 2, 3]


def test_a_slot_is_bought_after_the_payment_and_before_the_card() -> None:
    s = day("bee", "fox")
    p = s.players[0]
    p.resources, p.creatures = [6, 3, 3], [9]
    game = play(s, "storytelling", "temple", 2)
    assert asked(game) == (0, "pay", [(0, 3, 0), (0, 0, 3)])
    game.play((0, 0, 3), 5)
    assert game.state.players[0].creatures == [9, 5]
    assert game.state.players[0].limits == [1, 2]
    assert game.state.players[0].resources == [0, 3, 0]


def test_ingredients_stand_in_for_missing_resources() -> None:
    s = day()
    p = s.players[0]
    p.resources = [0, 4, 0]
    give(s, 0, "bark", "bark", "root")
    game = play(s, "knowledge", "temple", 2)
    assert asked(game) == (0, "trade", [("bark", "bark"), ("bark", "root")])
    game.play(("bark", "root"), "elder")
    assert game.state.players[0].resources == [0, 0, 0]
    assert game.state.players[0].ingredients == [1, 0, 0, 0, 0]
    assert game.state.players[0].shrines == [0]


def test_ingredients_that_a_brew_needs_are_not_traded_away() -> None:
    s = day()
    p = s.players[0]
    p.resources, p.hand = [0, 0, 2], [RITUAL]
    give(s, 0, "bark", "root", "acorn", "acorn")
    assert offered(play(s, "ritual", "temple")) == [1, 3]
    give(s, 0, "acorn")
    assert offered(play(s, "ritual", "temple")) == [1, 2, 3]
    game = play(s, "ritual", "temple", 2)  # only two acorns can go: no question
    assert game.state.players[0].ingredients == [0, 0, 0, 0, 0]
    assert game.state.players[0].vp == 3


def test_the_oak_action_pays_then_climbs() -> None:
    game = play(day(), "ritual", "oak")
    p = game.state.players[0]
    assert p.resources == [6, 6, 3]
    assert p.vp == 2
    assert asked(game)[0] == 1


def test_the_oak_action_of_a_finished_branch_is_not_offered() -> None:
    s = day()
    s.players[0].hand = [STORYTELLING]
    on_branch(s.players[0], 0, 6)
    game = play(s, "storytelling")
    assert asked(game)[1] == "stone"  # the temple action is all there is
