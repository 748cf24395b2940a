"""The race between the answers of one question."""

from __future__ import annotations

import pytest

from oaknet.kernel import Rng
from oaknet.race import FEWEST, Race, Runner, beats


def run(race: Race, worth: dict[object, int], rounds: int, noise: int = 0) -> None:
    """Playouts that are worth a number for each answer, and the same noise for all in each round."""
    rng = Rng(b"race")
    shared = [rng.below(2 * noise + 1) - noise for _ in range(rounds)]
    own = Rng(b"own")
    for _ in range(rounds * len(worth)):
        if race.decided:
            return
        runner = race.next()
        if len(runner.worths) < rounds:
            race.note(runner, worth[runner.option] + shared[len(runner.worths)] + own.below(3))


def test_answers_take_turns() -> None:
    race = Race("abc", 3)
    order = []
    for _ in range(6):
        runner = race.next()
        order.append(runner.option)
        race.note(runner, 1)
    assert order == [*"abcabc"]


def test_a_clearly_better_answer_wins_through_luck_that_all_share() -> None:
    race = Race("abc", 3)
    run(race, {"a": 0, "b": 9, "c": 2}, 40, noise=50)
    assert race.decided
    assert race.best(100) == "b"


def test_an_answer_not_tried_yet_takes_the_place_of_one_that_drops_out() -> None:
    race = Race("abcd", 2)
    assert [runner.option for runner in race.running] == ["a", "b"]
    run(race, {"a": 5, "b": 0, "c": 30, "d": 1}, 40)
    assert race.decided
    assert race.best(0) == "c"


def test_the_favourite_stands_unless_another_is_better_beyond_doubt() -> None:
    race = Race("ab", 2)
    for a, b in ((0, 2), (3, 0), (0, 3), (2, 1)):
        race.note(race.next(), a)
        race.note(race.next(), b)
    assert race.best(0) == "b"
    assert race.best(100) == "a"


def test_before_any_playout_the_favourite_is_best() -> None:
    assert Race("xy", 2).best(100) == "x"


@pytest.mark.parametrize(
    ("ones", "others", "errors", "expected"),
    [
        ([1, 2, 3, 4], [0, 1, 2, 3], 10_000, True),  # always the same difference
        ([4, 0, 4, 0], [0, 3, 0, 3], 100, False),  # t = 0.29
        ([5, 4, 6, 5], [0, 0, 0, 0], 1200, True),  # t = 12.2
        ([5, 4, 6, 5], [0, 0, 0, 0], 1300, False),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, False),
        ([9, 9, 9], [0, 0, 0], 0, False),  # too few
    ],
)
def test_paired_t(ones: list[int], others: list[int], errors: int, expected: bool) -> None:
    assert FEWEST == 4
    assert beats(Runner("a", ones), Runner("b", others), errors) is expected
