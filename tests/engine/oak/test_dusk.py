"""oak 11: the way home, locks, the forest, the sun, the neutral druids."""

from __future__ import annotations

import pytest

from oaknet.kernel import Game, Rng, resolve
from oaknet.oak.dusk import move_neutrals
from oaknet.oak.setup import table
from oaknet.oak.state import DAY, HOME, State
from oaknet.oak.tables import KNOWLEDGE, OTHER, TEMPLE
from tests.engine.oak.positions import BOX, RULES, asked, day, druids, grow, on_branch, play, put, rests


def evening(*orders: str) -> State:
    """Dusk begins; nothing is left in the bag to draw."""
    s = day(*orders)
    s.phase, s.bag = HOME, [0] * 5
    for p in s.players:
        rests(p)
    return s


def test_druids_come_home_from_temples_and_menhir_and_the_forest_sends_its_own_to_the_roots() -> None:
    s = evening()
    p = s.players[0]
    p.place[:5] = [TEMPLE, TEMPLE, 5, 2, 2]
    p.kind[2] = 2
    game = Game(RULES, s)
    p = game.state.players[0]
    assert druids(p, "rest") == ["bard", "regular", "regular"]
    assert len(druids(p, "roots")) == 6


def test_who_finds_no_suitable_space_goes_to_the_roots_as_the_owner_chooses() -> None:
    s = evening()
    p = s.players[0]
    p.place[:4], p.kind[:4] = [TEMPLE] * 4, [2, 3, 0, 0]
    game = Game(RULES, s)
    assert asked(game) == (0, "home", ["regular", "bard", "ovate"])
    game.play("ovate")
    p = game.state.players[0]  # the rest is forced: the Bard may not lie on a regular space
    assert druids(p, "rest") == ["ovate", "regular", "regular"]
    assert "bard" in druids(p, "roots")


def test_resting_druids_are_not_sent_away_for_those_who_come_home() -> None:
    s = evening()
    p = s.players[0]
    rests(p, "regular", "regular", "regular")
    put(p, "bard", "forest")
    druid = p.kind.index(2)
    p.place[druid] = TEMPLE
    game = Game(RULES, s)
    assert druids(game.state.players[0], "rest") == ["regular"] * 3
    assert "bard" in druids(game.state.players[0], "roots")


def test_the_recluse_always_comes_home() -> None:
    s = evening()
    p = s.players[0]
    rests(p, "regular", "regular", "regular")
    put(p, "recluse", "roots")
    p.place[p.kind.index(4)] = TEMPLE
    assert "recluse" in druids(Game(RULES, s).state.players[0], "rest")


def test_seats_come_home_from_the_first_player_on() -> None:
    s = evening("fox", "wild", "bee")
    s.first = s.mover = 1
    for p in s.players:
        p.place[:5], p.kind[:5] = [TEMPLE] * 5, [1, 2, 3, 0, 0]
    game = Game(RULES, s)
    assert asked(game)[:2] == (1, "home")
    game.play("ovate")
    assert asked(game)[:2] == (2, "home")


def test_cards_return_the_sun_moves_and_the_token_passes() -> None:
    s = evening()
    for p in s.players:
        p.passed, p.played = 1, [KNOWLEDGE]
    game = Game(RULES, s)
    s = game.state
    assert [p.played for p in s.players] == [[], []]
    assert [p.passed for p in s.players] == [0, 0]
    assert (s.sun, s.first, s.round, s.mover, s.phase) == (2, 1, 2, 1, DAY)


def test_the_sun_of_dusk_may_bring_a_festival_before_dawn() -> None:
    s = evening()
    s.sun = 2
    on_branch(s.players[0], 2, 3)
    s.players[0].resources = [0, 0, 0]
    s.players[1].ledger[OTHER] = 15
    on_branch(s.players[1], 2, 3)
    s.players[1].resources = [0, 0, 0]
    players = Game(RULES, s).state.players
    assert players[0].resources == [3, 3, 5]
    assert players[1].resources == [3, 3, 3]


def test_tips_are_locked_at_dusk() -> None:
    s = evening("fox", "wild", "bee")
    on_branch(s.players[0], 0, 6)
    on_branch(s.players[1], 2, 7)
    on_branch(s.players[2], 1, 5)
    assert Game(RULES, s).state.locked == [1, 0, 0, 0, 0, 1]


def test_the_forest_is_filled_from_the_bag_from_top_left() -> None:
    s = evening()
    s.bag = [0, 0, 0, 8, 0]
    s.forest = [-1, 0, -1, 2]
    assert Game(RULES, s).state.forest == [3, 0, 3, 2]
    s = evening()
    s.bag = [0, 1, 0, 0, 0]
    assert Game(RULES, s).state.forest == [1, -1, -1, -1]


def test_each_token_is_as_likely_as_another() -> None:
    s = evening()
    s.bag = [1, 0, 2, 0, 5]
    grow(s, *(["bark"] * 0))
    ask = Game(RULES, s).pending[0]
    assert (ask.seat, ask.about) == (-1, "bag")
    assert ask.options == ("bark", "blueberry", "mushroom")
    assert ask.weights == (1, 2, 5)


@pytest.mark.parametrize(
    ("seats", "rounds"),
    [
        (2, [[0, 4, 8], [1, 5, 6], [2, 3, 7], [0, 4, 8], [1, 5, 6]]),
        (3, [[0], [4], [8], [0], [4]]),
        (4, [[], [], [], [], []]),
    ],
)
def test_neutral_druids_go_round(seats: int, rounds: list[list[int]]) -> None:
    """Worked case 12: feather 1, mistletoe 2, rune 3, … for one; each in its temple for three."""
    s = table(BOX, seats)
    seen = [s.neutrals[:]]
    for _ in range(4):
        move_neutrals(s)
        seen.append(s.neutrals[:])
    assert seen == rounds


def test_the_space_that_a_neutral_druid_left_is_free() -> None:
    s = evening("fox", "wild", "bee")
    s.neutrals = [0]
    s.bag = [8] * 5
    game = Game(RULES, s)
    resolve(game, Rng(b"dusk"))
    assert game.state.neutrals == [4]


def test_the_first_player_of_the_next_round_plays_first() -> None:
    s = evening("fox", "wild", "bee")
    s.first = s.mover = 2
    rests(s.players[0], "regular")
    game = play(s)
    assert asked(game)[:2] == (0, "turn")
