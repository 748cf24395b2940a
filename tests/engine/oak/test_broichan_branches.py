"""oak 14.8–14.10: Broichan's Festivals, his sets of three, the branch and the arm that he climbs."""

from __future__ import annotations

import pytest

from oaknet.kernel import CHANCE, Game
from oaknet.oak.broichan import HIM, YOU, choose_branch
from oaknet.oak.state import HOME, Player, State
from oaknet.oak.tables import BRANCH, KINDS, OTHER, ROOTS
from tests.engine.oak.positions import RULES, grow, on_branch
from tests.engine.oak.solo import after_his_turn, bag, has, him, his_roots, holds, solo

FEATHER, MISTLETOE, RUNE = KINDS


def spaces(p: Player) -> dict[int, int]:
    """The space of each branch on which he has a druid."""
    return {place - BRANCH: space for place, space in zip(p.place, p.space, strict=True) if place >= BRANCH}


def gathering(ingredient: str, **counts: int) -> State:
    """He gathers the third of these, so that he climbs; he has elders, creatures, markers, shrines and
    artifacts as told, and 16 points."""
    s = solo(points=16)
    p = s.players[HIM]
    p.kind[: counts.get("elders", 0)] = range(1, 1 + counts.get("elders", 0))
    p.creatures = list(range(20, 20 + counts.get("creatures", 0)))
    p.markers = counts.get("markers", 0)
    p.shrines = [0] * counts.get("shrines", 0)
    p.flipped = list(range(7, 7 + counts.get("artifacts", 0)))
    p.passed = 1
    grow(s, ingredient)
    holds(s, ingredient, ingredient, "bark")
    bag(s)
    s.players[YOU].ledger[OTHER] = 60
    return s


def case_11() -> State:
    s = gathering("acorn", elders=1, creatures=2, markers=1, shrines=2, artifacts=1)
    on_branch(s.players[HIM], MISTLETOE, 2)
    on_branch(s.players[HIM], RUNE, 3)
    s.sun = 4
    return s


# -- Festivals (14.8) ----------------------------------------------------------------------------------------


def dusk(points: int, *bag_holds: str) -> State:
    """Dusk: the sun goes to its third space, level with 15 points; the forest is full."""
    s = solo("storytelling", points=points)
    s.phase, s.mover, s.sun = HOME, s.first, 2
    grow(s, "bark", "bark", "bark", "bark")
    bag(s, *bag_holds)
    s.players[YOU].ledger[OTHER] = 60
    return s


@pytest.mark.parametrize(("points", "drawn"), [(14, 2), (15, 0), (16, 0)])
def test_behind_the_sun_he_draws_as_many_as_he_has_druids_on_branches(points: int, drawn: int) -> None:
    s = dusk(points, "root", "root", "root", "root")
    on_branch(s.players[HIM], FEATHER, 1)
    on_branch(s.players[HIM], RUNE, 6)  # a tip counts too
    game = Game(RULES, s)
    assert has(him(game)) == ["root"] * drawn
    assert him(game).resources == [0, 0, 0]


@pytest.mark.parametrize("points", [15, 40])
def test_ahead_of_the_sun_he_pays_nothing_in_an_eclipse(points: int) -> None:
    s = dusk(points, "root", "root")
    s.eclipse = 1
    holds(s, "acorn", "bark")
    on_branch(s.players[HIM], FEATHER, 3)
    on_branch(s.players[YOU], FEATHER, 3)
    game = Game(RULES, s)
    assert has(him(game)) == ["bark", "acorn"]
    assert him(game).resources == [0, 0, 0]
    assert game.state.players[YOU].resources == [7, 9, 9]  # you, with 60 points, paid 2 before Dawn


def test_in_an_eclipse_he_still_draws_behind_the_sun() -> None:
    s = dusk(14, "root", "root")
    s.eclipse = 1
    on_branch(s.players[HIM], FEATHER, 3)
    assert has(him(Game(RULES, s))) == ["root"]


def test_bugul_noz_asks_you_at_a_festival_of_his_step() -> None:
    s = case_11()
    s.locked[RUNE * 2] = 1
    s.players[YOU].creatures = [15]
    game = Game(RULES, s)
    while game.pending[0].seat == CHANCE:
        game.play(game.pending[0].options[0])
    assert game.pending[0].about == "festival"
    assert game.pending[0].seat == YOU
    game.play("rune")
    assert game.state.players[YOU].resources == [6, 6, 8]
    assert spaces(him(game))[MISTLETOE] == 3


def test_without_a_druid_on_a_branch_he_draws_nothing() -> None:
    assert has(him(Game(RULES, dusk(0, "root", "root")))) == []


def test_he_draws_no_more_than_the_bag_has() -> None:
    s = dusk(0, "root")
    on_branch(s.players[HIM], FEATHER, 1)
    on_branch(s.players[HIM], RUNE, 1)
    assert has(him(Game(RULES, s))) == ["root"]


def test_creatures_before_him_do_nothing_at_a_festival() -> None:
    s = dusk(0, "root", "root", "root")
    s.players[HIM].creatures = [14, 15]
    on_branch(s.players[HIM], FEATHER, 3)
    p = him(Game(RULES, s))
    assert has(p) == ["root"]
    assert p.resources == [0, 0, 0]


def test_a_festival_is_over_for_all_before_he_uses_a_set() -> None:
    """His step would take the sun on, and you would be behind it."""
    s = dusk(0, "root")
    holds(s, "root", "root")
    on_branch(s.players[HIM], FEATHER, 2)
    you = s.players[YOU]
    you.ledger[OTHER], you.resources = 15, [0, 0, 0]
    on_branch(you, RUNE, 3)
    s.players[HIM].kind[0] = 1  # the elders' tip of the feather branch is his best
    game = Game(RULES, s)
    assert spaces(him(game)) == {FEATHER: 3}
    assert game.state.sun == 4
    assert game.state.tokens == [1, 2, 2]
    assert game.state.players[YOU].resources == [3, 3, 3]  # Dawn's alone


def test_his_own_step_may_bring_a_festival_that_feeds_him() -> None:
    s = case_11()
    s.locked[RUNE * 2] = 1
    s.players[HIM].flipped = [7]
    bag(s, "bark", "root")
    s.bag[3] = 0
    game = Game(RULES, s)
    while game.pending[0].seat != YOU:
        game.play(game.pending[0].options[0])
    assert him(game).vp == 18
    assert game.state.sun == 5
    assert len(has(him(game))) == 3  # the bark he had, and two drawn


# -- sets (14.9) ---------------------------------------------------------------------------------------------


def test_three_of_a_kind_are_a_step_on_the_branch_with_the_best_tip() -> None:
    """Worked case 11: feather 3, mistletoe 4, rune 4; the rune druid is nearer the top; left 4, right 3."""
    game = after_his_turn(case_11())
    p = him(game)
    assert spaces(p) == {MISTLETOE: 2, RUNE: 4}
    assert p.vp == 18
    assert has(p) == ["bark"]
    assert game.state.bag == [0, 0, 0, 3, 0]
    assert game.state.sun == 4


def test_locked_tips_are_left_out() -> None:
    """Worked case 11, the variant: rune is 3 now, so mistletoe; token away, sun 5, and he draws for two."""
    s = case_11()
    s.locked[RUNE * 2] = 1
    game = Game(RULES, s)
    assert game.pending[0].about == "turn"  # the bag had the three acorns alone: no choice for chance
    p = him(game)
    assert spaces(p) == {MISTLETOE: 3, RUNE: 3}
    assert p.vp == 18
    assert game.state.tokens == [2, 1, 2]
    assert game.state.sun == 5
    assert has(p) == ["bark", "acorn", "acorn"]


def test_of_equal_tips_the_branch_nearest_the_top_then_the_leftmost() -> None:
    s = gathering("acorn", elders=2, creatures=2, markers=0, shrines=2, artifacts=0)
    assert choose_branch(s) == FEATHER
    on_branch(s.players[HIM], MISTLETOE, 1)
    on_branch(s.players[HIM], RUNE, 1)
    assert choose_branch(s) == MISTLETOE
    on_branch(s.players[HIM], FEATHER, 4)
    s.locked[0] = 1  # he is on the left arm: its tip is barred, and so is the step
    assert choose_branch(s) == MISTLETOE


def test_tips_out_of_his_reach_are_left_out() -> None:
    s = gathering("acorn", elders=5, creatures=1)
    on_branch(s.players[HIM], FEATHER, 4)  # the elders' tip, worth 10, is on the other arm
    assert choose_branch(s) == FEATHER  # 3 for 16 points
    s.players[HIM].creatures = [20, 21]
    assert choose_branch(s) == MISTLETOE


def test_a_branch_on_whose_tip_he_stands_is_finished() -> None:
    s = gathering("acorn", elders=5)
    on_branch(s.players[HIM], FEATHER, 7)
    assert choose_branch(s) == MISTLETOE


def test_with_all_tips_locked_he_climbs_where_it_brings_a_festival() -> None:
    s = gathering("acorn")
    s.locked, s.sun = [1] * 6, 4
    on_branch(s.players[HIM], FEATHER, 1)
    on_branch(s.players[HIM], RUNE, 2)
    assert choose_branch(s) == RUNE
    s.sun = 5  # the next space is no Solstice space
    assert choose_branch(s) == FEATHER
    s.sun, s.tokens = 4, [2, 2, 0]
    assert choose_branch(s) == FEATHER
    s.tokens = [2, 2, 2]
    on_branch(s.players[HIM], MISTLETOE, 2)
    assert choose_branch(s) == MISTLETOE  # the leftmost of two


def test_a_sun_at_its_end_brings_no_festival() -> None:
    s = gathering("acorn")
    s.locked, s.sun = [1] * 6, 11
    on_branch(s.players[HIM], RUNE, 2)
    assert choose_branch(s) == FEATHER


def test_to_enter_a_branch_he_needs_a_druid_on_the_roots() -> None:
    s = gathering("acorn", elders=5)
    on_branch(s.players[HIM], RUNE, 1)
    his_roots(s, 0)
    assert choose_branch(s) == RUNE


def test_where_he_can_climb_nothing_he_keeps_the_ingredients_until_his_next_gain() -> None:
    s = gathering("acorn")
    his_roots(s, 0)
    grow(s, "acorn", "bark")
    s.bag[0] = s.bag[3] = 0
    game = after_his_turn(s)
    assert has(him(game)) == ["bark", "acorn", "acorn", "acorn"]
    s = game.state.copy()
    s.mover, s.players[HIM].place[0] = HIM, ROOTS
    game = after_his_turn(s)
    assert has(him(game)) == ["bark", "bark"]
    assert him(game).vp == 18


def test_two_sets_are_two_steps_the_kind_named_first_first() -> None:
    s = gathering("acorn", markers=2)
    holds(s, "acorn", "acorn", "root", "root", "root")
    game = after_his_turn(s)
    assert has(him(game)) == []
    assert spaces(him(game)) == {MISTLETOE: 2}
    assert him(game).vp == 20


def test_a_step_of_yours_can_make_him_climb_before_you_go_on() -> None:
    """The Festival that your step brings gives him the third acorn."""
    s = solo("knowledge", turn=YOU)
    s.sun = 2
    bag(s, "acorn")
    holds(s, "acorn", "acorn")
    on_branch(s.players[HIM], FEATHER, 1)
    on_branch(s.players[YOU], RUNE, 2)
    game = Game(RULES, s).play("ritual", "oak")
    assert spaces(him(game)) == {FEATHER: 2}
    assert game.state.players[YOU].resources == [6, 6, 5]


# -- steps (14.10) -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("elders", "locked", "space"),
    [
        (1, [], 4),  # 3 for 16 points against 2
        (2, [], 5),
        (2, [1], 4),
        (1, [0], 5),
        (2, [0, 1], 4),
    ],
)
def test_at_the_fork_he_takes_the_arm_with_the_better_open_tip(
    elders: int, locked: list[int], space: int
) -> None:
    s = gathering("acorn", elders=elders)
    on_branch(s.players[HIM], FEATHER, 3)
    on_branch(s.players[HIM], MISTLETOE, 6)
    on_branch(s.players[HIM], RUNE, 6)
    for arm in locked:
        s.locked[arm] = 1
    assert spaces(him(after_his_turn(s)))[FEATHER] == space


def test_of_equal_arms_he_takes_the_left_one() -> None:
    s = gathering("acorn", elders=0, creatures=3, markers=3)
    on_branch(s.players[HIM], MISTLETOE, 3)
    assert spaces(him(after_his_turn(s))) == {MISTLETOE: 4}


def test_a_tip_gives_him_its_points_from_what_lies_before_him() -> None:
    s = gathering("acorn", shrines=1, artifacts=3)
    on_branch(s.players[HIM], RUNE, 5)
    p = him(after_his_turn(s))
    assert spaces(p) == {RUNE: 7}
    assert p.vp == 16 + 9
