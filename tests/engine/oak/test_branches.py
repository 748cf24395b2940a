"""oak 7: steps, forks, tips, solar tokens, Festivals."""

from __future__ import annotations

import pytest

from oaknet.oak.branches import height, income, steps, tip, tip_points
from oaknet.oak.state import HOME, State
from oaknet.oak.tables import BRANCHES, KNOWLEDGE, OTHER, RITUAL, RUNE, STORYTELLING, TIPS
from tests.engine.oak.positions import BOX, all_pass, asked, day, druids, on_branch, play, put

LEFT, RIGHT = 6, 7  # the tips
FORK = 3


def score(s: State, seat: int, points: int) -> None:
    """Let a seat have so many points."""
    s.players[seat].ledger[OTHER] = points


def test_the_map_has_a_stem_of_three_and_two_arms_of_two() -> None:
    assert [height(BOX, RUNE, space) for space in range(8)] == [0, 1, 2, 3, 4, 4, 5, 5]
    assert [income(BOX, RUNE, space) for space in range(1, 8)] == [1, 1, 2, 3, 3, 0, 0]
    assert [tip(BOX, RUNE, arm) for arm in (0, 1)] == [LEFT, RIGHT]


def test_the_first_step_comes_from_the_roots() -> None:
    s = day()
    s.players[0].kind[-1] = 2
    game = play(s, "ritual", "oak")
    assert asked(game) == (0, "climber", ["regular", "bard"])
    game.play("bard")
    assert druids(game.state.players[0], "branch") == []  # "branch" is the feather branch
    assert game.state.players[0].place[-1] == 10
    assert game.state.players[0].space[-1] == 1
    assert game.state.players[0].vp == 2


def test_a_branch_needs_a_druid_on_it_or_on_the_roots() -> None:
    s = day()
    p = s.players[0]
    p.place = [2 if place == 1 else place for place in p.place]
    p.hand = [RITUAL]
    assert asked(play(s, "ritual"))[1] == "learn"  # neither the Oak action nor fetching a druid


def test_the_druid_already_on_the_branch_goes_on() -> None:
    s = day()
    on_branch(s.players[0], RUNE, 1)
    game = play(s, "ritual", "oak")
    assert game.state.players[0].place.count(10) == 1
    assert steps(game.state, 0) == 2


def test_passing_a_solar_token_removes_it_and_moves_the_sun_to_a_festival() -> None:
    """The rulebook's example: a step of the rune branch, 2 points, a token, a Festival, 2 runes; the fork
    is next."""
    s = day()
    on_branch(s.players[0], RUNE, 2)
    s.sun = 2
    game = play(s, "ritual", "oak")
    p = game.state.players[0]
    assert p.vp == 2
    assert game.state.tokens == [2, 2, 1]
    assert game.state.sun == 3
    assert p.resources == [6, 6, 6 - 3 + 2]
    game.play("pass")
    s = game.state
    s.players[0].played, s.mover = [], 0
    game = play(s, "ritual", "oak")
    assert asked(game) == (0, "arm", ["left", "right"])
    game.play("right")
    assert steps(game.state, 0) == 4


def test_without_a_token_the_sun_stays() -> None:
    s = day()
    on_branch(s.players[0], RUNE, 2)
    s.tokens, s.sun = [2, 2, 0], 2
    assert play(s, "ritual", "oak").state.sun == 2


def test_between_solstices_there_is_no_festival() -> None:
    s = day()
    on_branch(s.players[0], RUNE, 2)
    game = play(s, "ritual", "oak")
    assert game.state.sun == 2
    assert game.state.players[0].resources == [6, 6, 3]


def test_the_sun_stays_on_its_last_space() -> None:
    s = day()
    on_branch(s.players[0], RUNE, 2)
    s.sun = 11
    game = play(s, "ritual", "oak")
    assert game.state.sun == 11
    assert game.state.players[0].resources == [6, 6, 3]


def test_the_steps_points_count_before_the_festival_looks_who_is_behind() -> None:
    s = day()
    on_branch(s.players[0], RUNE, 2)
    s.sun = 2
    score(s, 0, 13)  # 15 with the step: level with the sun, so not behind
    assert play(s, "ritual", "oak").state.players[0].resources == [6, 6, 3]
    score(s, 0, 12)
    assert play(s, "ritual", "oak").state.players[0].resources == [6, 6, 5]


def test_everybody_behind_gains_from_every_branch_and_nothing_from_tips() -> None:
    s = day("fox", "wild", "bee")
    on_branch(s.players[0], RUNE, 2)
    for branch, space in enumerate((1, FORK, 5)):
        on_branch(s.players[1], branch, space)
    on_branch(s.players[2], 0, LEFT)
    s.players[1].resources = [0, 8, 0]
    s.sun = 2
    score(s, 1, 14)
    game = play(s, "ritual", "oak")
    assert game.state.players[1].resources == [1, 9, 3]
    assert game.state.players[2].resources == [6, 6, 6]


@pytest.mark.parametrize(
    ("branch", "arm", "points"),
    [(0, 0, 4), (0, 1, 4), (1, 0, 6), (1, 1, 8), (2, 0, 2), (2, 1, 9)],
)
def test_tips_count_what_the_seat_has(branch: int, arm: int, points: int) -> None:
    s = day()
    p = s.players[0]
    score(s, 0, 23)
    put(p, "bard", "roots")
    put(p, "ovate", "temple", 5)
    p.creatures, p.markers, p.shrines, p.artifacts, p.flipped = [1, 2, 3], 4, [2], [4], [6, 7]
    assert tip_points(s, 0, branch, arm) == points


def test_a_tip_gives_its_points_and_none_for_the_step() -> None:
    s = day()
    on_branch(s.players[0], RUNE, 4)
    s.players[0].shrines = [0, 2]
    game = play(s, "ritual", "oak")
    p = game.state.players[0]
    assert p.ledger[BRANCHES] == 0
    assert p.ledger[TIPS] == 4
    assert steps(game.state, 0) == 5


def test_two_players_share_a_tip_in_one_day_then_it_is_closed() -> None:
    """Worked case 4."""
    s = day("fox", "wild", "bee")
    s.round = 3
    for seat, points in enumerate((23, 31, 0)):
        on_branch(s.players[seat], 0, 4)
        score(s, seat, points)
        s.players[seat].hand = [STORYTELLING]
    game = play(s, "storytelling", "oak", "storytelling", "oak")
    assert [p.vp for p in game.state.players] == [27, 37, 0]
    s = game.state
    all_pass(s)
    s.phase, s.mover, s.bag, s.sun = HOME, 0, [0] * 5, 4
    game = play(s)
    s = game.state
    assert s.locked == [1, 0, 0, 0, 0, 0]
    assert s.sun == 5
    assert [p.resources[0] for p in s.players] == [
        6,
        6,
        9,
    ]  # only the one on 4L had Festival income: 3, then Dawn
    s.mover = 2
    game = play(s, "storytelling")
    assert asked(game)[1] == "stone"  # no Oak action: the tip is locked


def test_an_arm_with_a_locked_tip_may_be_climbed_up_to_the_tip() -> None:
    s = day()
    on_branch(s.players[0], RUNE, FORK)
    s.locked = [0, 0, 0, 0, 1, 0]
    game = play(s, "ritual", "oak", "left")
    assert game.state.players[0].vp == 2
    assert steps(game.state, 0) == 4


def test_where_one_arm_is_open_it_is_taken_unasked() -> None:
    s = day()
    s.players[0].hand = [KNOWLEDGE]
    on_branch(s.players[0], 1, 5)
    game = play(s, "knowledge", "oak")
    assert steps(game.state, 0) == 5
