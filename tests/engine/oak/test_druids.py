"""oak 2: upgrading, resting spaces."""

from __future__ import annotations

from oaknet.kernel import Game
from oaknet.oak.queries import own_rest, rest_free
from oaknet.oak.state import State
from oaknet.oak.tables import BARD, KNOWLEDGE, RECLUSE, REGULAR, RITUAL, WORSHIP
from tests.engine.oak.positions import asked, day, druids, offered, on_branch, play, put, rests


def upgrading(order: str = "fox", *resting: str) -> State:
    """Seat 0 can only upgrade: Knowledge, 3 stones."""
    s = day(order, "wild")
    s.players[0].hand = [KNOWLEDGE]
    rests(s.players[0], *(resting or ("regular", "regular", "regular")))
    return s


def upgrade(s: State, *answers: str) -> Game[State]:
    return play(s, "knowledge", "temple", 3, *answers)


def test_any_regular_druid_can_be_upgraded_wherever_it_is() -> None:
    s = upgrading()
    p = s.players[0]
    put(p, "regular", "forest")
    on_branch(p, 2, 3)
    put(p, "regular", "menhir")
    assert asked(upgrade(s)) == (
        0,
        "upgrade",
        ["rest", "roots", "forest", "temple-mistletoe-3", "menhir", "branch-rune"],
    )


def test_each_elder_is_unique_and_not_upgraded_again() -> None:
    s = upgrading("fox", "regular", "regular")
    put(s.players[0], "bard", "roots")
    put(s.players[0], "ovate", "forest")
    game = upgrade(s, "roots")
    assert asked(game) == (0, "elder", ["arch-druid", "recluse", "talon-master"])


def test_with_all_five_elders_upgrading_is_closed() -> None:
    s = upgrading("fox", "regular")
    for name in ("arch-druid", "bard", "ovate", "recluse", "talon-master"):
        put(s.players[0], name, "roots")
    assert 3 not in offered(play(s, "knowledge", "temple"))


def test_a_resting_druid_becomes_only_an_elder_that_may_rest_there() -> None:
    """One space for elders: taken by the Bard; the Recluse has its own."""
    s = upgrading("fox", "bard", "regular", "regular")
    game = upgrade(s, "regular", "rest")
    assert sorted(druids(game.state.players[0], "rest")) == ["bard", "recluse"]  # no question which elder


def test_on_the_bees_board_every_space_takes_elders() -> None:
    game = upgrade(upgrading("bee", "bard", "regular", "regular"), "regular", "rest")
    assert asked(game) == (0, "elder", ["arch-druid", "ovate", "recluse", "talon-master"])


def test_a_resting_druid_with_no_space_for_an_elder_is_not_offered() -> None:
    s = upgrading("fox", "bard", "regular", "regular")
    put(s.players[0], "recluse", "roots")
    assert "rest" not in offered(upgrade(s, "regular"))


def test_the_druid_just_placed_may_be_the_one_upgraded() -> None:
    game = upgrade(upgrading(), "temple-mistletoe-3", "talon-master")
    assert druids(game.state.players[0], "temple") == ["talon-master"]


def test_resting_spaces_are_rearranged_at_will() -> None:
    s = day()
    rests(s.players[0], "regular", "regular")
    assert rest_free(s, 0, BARD)  # the regular druids make room on the space for elders
    assert rest_free(s, 0, REGULAR)
    rests(s.players[0], "regular", "regular", "regular")
    assert not rest_free(s, 0, BARD)
    assert not rest_free(s, 0, REGULAR)
    s.players[0].shrines = [1]
    assert rest_free(s, 0, BARD)
    assert rest_free(s, 0, REGULAR)


def test_the_recluse_has_a_space_of_its_own_that_no_other_uses() -> None:
    s = day()
    rests(s.players[0], "regular", "regular", "regular", "recluse")
    assert own_rest(s, 0, RECLUSE)
    assert not rest_free(s, 0, REGULAR)
    rests(s.players[0], "regular", "regular", "regular")
    assert rest_free(s, 0, RECLUSE)


def test_an_elder_is_fetched_only_to_a_space_for_elders() -> None:
    s = day()
    p = s.players[0]
    p.hand, p.resources = [WORSHIP], [0, 0, 0]
    rests(p, "regular", "bard")
    put(p, "ovate", "roots")
    game = play(s, "worship", "regular")  # the Bard keeps the only space for elders
    assert druids(game.state.players[0], "rest") == ["bard", "regular"]
    s = day()
    p = s.players[0]
    p.hand, p.resources = [WORSHIP], [0, 0, 0]
    rests(p, "regular", "bard")
    put(p, "ovate", "roots")
    game = play(s, "worship", "bard")
    assert asked(game) == (0, "recruit", ["regular", "ovate"])


def test_fetching_two_stops_when_the_spaces_are_full() -> None:
    s = day()
    s.players[0].hand = [RITUAL]
    game = play(s, "ritual", "temple", 1)
    assert asked(game)[0] == 1  # one space was vacated: one druid came, unasked
    assert len(druids(game.state.players[0], "rest")) == 3
