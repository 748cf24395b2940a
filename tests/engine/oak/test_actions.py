"""oak 6.5, 6.6: the temple actions, one by one."""

from __future__ import annotations

from oaknet.kernel import Game
from oaknet.oak.state import State
from oaknet.oak.tables import KNOWLEDGE, MYSTICISM, RITUAL, STORYTELLING, WISDOM, WORSHIP
from tests.engine.oak.positions import asked, day, druids, give, offered, on_branch, play, rests


def holding(card: int, resources: tuple[int, int, int] = (6, 6, 6), order: str = "fox") -> State:
    """Seat 0 has this card alone."""
    s = day(order, "wild")
    s.players[0].hand, s.players[0].resources = [card], list(resources)
    return s


# -- Storytelling --------------------------------------------------------------------------------------------


def test_storytelling_1_moves_a_limit_marker() -> None:
    game = play(holding(STORYTELLING), "storytelling", "temple", 1)
    assert asked(game) == (0, "row", ["above", "below"])
    game.play("above")
    assert game.state.players[0].limits == [2, 1]
    assert game.state.players[0].resources == [5, 6, 6]


def test_storytelling_2_takes_a_creature() -> None:
    game = play(holding(STORYTELLING), "storytelling", "temple", 2, 5)
    p = game.state.players[0]
    assert p.creatures == [5]
    assert p.resources == [0, 6, 6]
    assert p.vp == 2
    assert game.state.creatures == [1, 2, 3]


def test_storytelling_3_takes_an_artifact() -> None:
    game = play(holding(STORYTELLING), "storytelling", "temple", 3, 4)
    p = game.state.players[0]
    assert p.artifacts == [4]
    assert p.uses == [0]
    assert p.resources == [0, 6, 6]
    assert p.vp == 4
    assert game.state.artifacts == [1, 6, 2]


# -- Worship -------------------------------------------------------------------------------------------------


def test_worship_1_fetches_a_druid_for_nothing() -> None:
    s = holding(WORSHIP, (0, 0, 0))
    rests(s.players[0], "regular", "regular")
    s.players[0].kind[-1] = 2
    game = play(s, "worship")
    assert asked(game) == (0, "recruit", ["regular", "bard"])
    game.play("bard")
    assert druids(game.state.players[0], "rest") == ["bard", "regular"]


def test_worship_2_steps_on_any_branch() -> None:
    game = play(holding(WORSHIP, (1, 0, 0)), "worship", 2)
    assert asked(game) == (0, "branch", ["feather", "mistletoe", "rune"])
    game.play("rune")
    p = game.state.players[0]
    assert p.vp == 2
    assert p.resources == [0, 0, 0]
    assert len(druids(p, "roots")) == 5


def test_worship_2_does_not_enter_a_locked_tip() -> None:
    s = holding(WORSHIP, (1, 0, 0))
    p = s.players[0]
    for branch in range(3):
        on_branch(p, branch, 4)
    s.locked = [1, 0, 1, 0, 0, 0]
    p.shrines = [0]
    game = play(s, "worship", 2)
    assert game.state.players[0].ledger[:2] == [0, 2]  # the rune branch alone is open: no question


def test_worship_3_upgrades() -> None:
    game = play(holding(WORSHIP, (4, 0, 0)), "worship", "temple", 3, "roots", "bard")
    assert "bard" in druids(game.state.players[0], "roots")
    assert game.state.players[0].resources == [0, 0, 0]


# -- Knowledge -----------------------------------------------------------------------------------------------


def test_knowledge_1_takes_an_ingredient_of_choice_from_the_bag() -> None:
    s = holding(KNOWLEDGE)
    s.bag = [0, 0, 1, 0, 4]
    game = play(s, "knowledge", "temple", 1)
    assert asked(game) == (0, "ingredient", ["blueberry", "mushroom"])
    game.play("mushroom")
    assert game.state.bag == [0, 0, 1, 0, 3]
    assert game.state.players[0].ingredients == [0, 0, 0, 0, 1]
    assert game.state.players[0].resources == [6, 3, 6]


def test_knowledge_2_builds_a_shrine() -> None:
    game = play(holding(KNOWLEDGE), "knowledge", "temple", 2, "elder")
    assert game.state.players[0].vp == 2
    assert game.state.players[0].resources == [6, 1, 6]


def test_knowledge_3_upgrades() -> None:
    game = play(holding(KNOWLEDGE), "knowledge", "temple", 3, "temple-mistletoe-3", "ovate")
    assert druids(game.state.players[0], "temple") == ["ovate"]
    assert game.state.players[0].resources == [6, 0, 6]


# -- Wisdom --------------------------------------------------------------------------------------------------


def test_wisdom_1_exchanges_any_amount_of_one_resource() -> None:
    game = play(holding(WISDOM, (5, 0, 9)), "wisdom")
    assert asked(game) == (0, "give", ["feather", "rune"])
    game.play("feather", 4)
    assert game.state.players[0].resources == [1, 4, 9]  # runes are full: mistletoe was the only choice


def test_wisdom_1_loses_what_goes_beyond_the_track() -> None:
    game = play(holding(WISDOM, (5, 0, 7)), "wisdom", "feather", "rune", 5)
    assert game.state.players[0].resources == [0, 0, 9]


def test_wisdom_1_needs_something_to_exchange() -> None:
    s = holding(WISDOM, (0, 0, 0))
    give(s, 0, "bark", "bark")
    assert offered(play(s)) == ["trade", "pass"]


def test_wisdom_2_brews() -> None:
    s = holding(WISDOM, (0, 1, 0))
    give(s, 0, "bark", "root", "acorn")
    game = play(s, "wisdom", 2)
    assert game.state.players[0].markers == 1
    assert game.state.players[0].vp == 3
    assert game.state.players[0].resources == [0, 0, 0]


def test_wisdom_3_takes_a_creature() -> None:
    game = play(holding(WISDOM, (0, 4, 0)), "wisdom", "temple", 3, 1)
    assert game.state.players[0].creatures == [1]
    assert game.state.players[0].resources == [0, 0, 0]


# -- Ritual --------------------------------------------------------------------------------------------------


def test_ritual_1_fetches_up_to_two_druids() -> None:
    s = holding(RITUAL)
    rests(s.players[0], "regular")
    s.players[0].kind[-1] = 2
    game = play(s, "ritual", "temple", 1, "regular")
    assert asked(game) == (0, "recruit", ["regular", "bard", "done"])
    game.play("bard")
    assert druids(game.state.players[0], "rest") == ["bard", "regular"]
    assert game.state.players[0].resources == [6, 6, 3]


def test_ritual_1_may_stop_after_one() -> None:
    s = holding(RITUAL)
    rests(s.players[0], "regular")
    game = play(s, "ritual", "temple", 1, "done")
    assert druids(game.state.players[0], "rest") == ["regular"]


def test_ritual_2_brews() -> None:
    s = holding(RITUAL)
    give(s, 0, "bark", "root", "acorn")
    game = play(s, "ritual", "temple", 2)
    assert game.state.players[0].markers == 1
    assert game.state.players[0].resources == [6, 6, 3]


def test_ritual_3_gains_an_advanced_card_playable_the_same_day() -> None:
    s = holding(RITUAL)
    s.players[0].hand = [WORSHIP, RITUAL]
    s.players[1].passed = 1
    s.bag[0], s.forest[0] = 7, 0
    game = play(s, "ritual", "temple", 3)
    assert asked(game) == (0, "learn", ["wisdom", "mysticism"])
    game.play("wisdom", "decline")
    assert game.state.players[0].hand == [WORSHIP, WISDOM, RITUAL]
    assert game.state.players[0].resources == [6, 6, 2]
    assert offered(game)[:2] == ["worship", "wisdom"]


def test_ritual_3_is_closed_with_every_advanced_card_in_hand() -> None:
    s = holding(RITUAL)
    s.players[0].hand = [WORSHIP, WISDOM, RITUAL, MYSTICISM]
    rests(s.players[0], "regular")
    assert asked(play(s, "ritual", "temple"))[1] == "recruit"  # the 1-stone space alone is open


# -- Mysticism -----------------------------------------------------------------------------------------------


def test_mysticism_1_builds_a_shrine() -> None:
    game = play(holding(MYSTICISM), "mysticism", "temple", 1, "regular")
    assert game.state.players[0].vp == 4
    assert game.state.players[0].resources == [6, 6, 3]


def test_mysticism_2_takes_an_artifact() -> None:
    game = play(holding(MYSTICISM), "mysticism", "temple", 2, 6)
    assert game.state.players[0].artifacts == [6]
    assert game.state.players[0].resources == [6, 6, 2]


def replaying(*played: int) -> Game[State]:
    s = holding(MYSTICISM)
    s.players[0].played = list(played)
    return play(s, "mysticism", "temple", 3)


def test_mysticism_3_repeats_what_was_played_today_and_itself_but_for_the_replay() -> None:
    game = replaying(STORYTELLING)
    assert asked(game) == (
        0,
        "replay",
        ["limit", "creature", "artifact", "oak-feather", "shrine", "oak-rune"],
    )
    assert game.state.players[0].resources == [6, 6, 0]


def test_a_replay_offers_equal_actions_once() -> None:
    game = replaying(KNOWLEDGE, WORSHIP)
    assert offered(game).count("upgrade") == 1
    assert offered(game).count("shrine") == 1
    assert "recruit" in offered(game)


def test_a_replayed_oak_action_costs_nothing() -> None:
    game = replaying(KNOWLEDGE).play("oak-mistletoe")
    assert game.state.players[0].vp == 2
    assert game.state.players[0].resources == [6, 6, 0]


def test_a_replayed_action_needs_no_second_druid_and_ignores_who_stands_there() -> None:
    """Worked case 1, with Darkwood: 6 runes paid and no 3 more, the ingredients spent, the space left
    alone."""
    s = holding(MYSTICISM, (0, 2, 7))
    p = s.players[0]
    p.played, s.neutrals = [RITUAL], [7]
    rests(p, "regular")
    give(s, 0, "acorn", "root", "bark")
    game = play(s, "mysticism", "temple", 3, "brew")
    p = game.state.players[0]
    assert p.resources == [0, 2, 1]
    assert p.ingredients == [0] * 5
    assert game.state.bag == [8] * 5
    assert p.markers == 1
    assert len(druids(p, "rest")) == 0


def test_a_replayed_brew_still_needs_its_ingredients() -> None:
    s = holding(MYSTICISM, (0, 2, 7))
    s.players[0].played = [RITUAL]
    give(s, 0, "acorn", "root")
    game = play(s, "mysticism", "temple", 3)
    assert "brew" not in offered(game)
    assert "replay" not in offered(game)


def test_a_replayed_card_still_needs_its_slot() -> None:
    s = holding(MYSTICISM, (0, 2, 6), order="bee")
    s.players[0].played, s.players[0].creatures = [STORYTELLING], [9]
    game = play(s, "mysticism", "temple", 3)
    assert offered(game) == ["limit", "artifact", "oak-feather", "shrine", "oak-rune"]
