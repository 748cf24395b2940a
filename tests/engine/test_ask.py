"""Questions and simultaneous phases (engine 2)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from oaknet.kernel import CHANCE, Game, chance, choose, confirm, same, together
from tests.engine.script import Notes, script
from tests.engine.toys import Market, MarketState


def test_a_question_with_one_answer_is_not_asked() -> None:
    async def stage(s: Notes) -> None:
        s.marks.append(await choose(0, "only", [7]))
        s.marks.append(await chance("only", [8], [3]))
        s.marks.append(await choose(0, "two", [1, 2]))

    game = script(stage)
    assert game.state.marks == [7, 8]
    assert game.pending[0].about == "two"
    assert game.pending[0].options == (1, 2)


def test_a_question_without_an_answer_is_an_assertion() -> None:
    async def stage(s: Notes) -> None:
        await choose(0, "none", [])

    async def draws(s: Notes) -> None:
        await chance("none", [], [])

    with pytest.raises(AssertionError, match="nothing to choose for 'none'"):
        script(stage)
    with pytest.raises(AssertionError, match="nothing to draw for 'none'"):
        script(draws)


def test_confirm_offers_yes_and_no_in_this_order() -> None:
    async def stage(s: Notes) -> None:
        s.marks.append(10 if await confirm(1, "sure") else 20)
        s.marks.append(10 if await confirm(1, "sure") else 20)
        await choose(0, "end", "ab")

    game = script(stage)
    assert game.pending[0].seat == 1
    assert game.pending[0].options == ("yes", "no")
    assert game.play("no", "yes").state.marks == [20, 10]


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1, True),
        (1, True, False),
        (0, False, False),
        (1, 1.0, False),
        ("a", "a", True),
        ("1", 1, False),
        ((), (), True),
        ((1, ("a",)), (1, ("a",)), True),
        ((1, ("a",)), (True, ("a",)), False),
        ((1, 2), (1, 2, 3), False),
        ((1, 2), [1, 2], False),
    ],
)
def test_options_are_matched_by_type_too(left: Any, right: Any, equal: bool) -> None:
    assert same(left, right) is equal
    assert same(right, left) is equal


def interleavings(counts: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All orders in which seats can give so many answers each."""
    seats = [seat for seat, n in enumerate(counts) for _ in range(n)]
    return sorted({*itertools.permutations(seats)})


def two_answers_each(s: Notes) -> Any:
    async def answers(seat: int) -> int:
        first = await choose(seat, "first", (1, 2, 3))
        s.parts[seat].append(first)
        second = await choose(seat, f"after {first}", (10, 20))
        s.parts[seat].append(second)
        return first + second

    async def phase() -> None:
        results = await together({seat: answers(seat) for seat in (2, 0, 1)})
        assert list(results) == [0, 1, 2]
        s.marks.extend(results.values())
        s.marks.append(await choose(1, "next", (0, 1)))

    return phase()


def test_the_order_of_arrival_leaves_no_trace() -> None:
    orders = interleavings((2, 2, 2))
    assert len(orders) == 90
    seen = {}
    for order in orders:
        game = script(two_answers_each)
        answers = {0: iter((1, 10)), 1: iter((2, 20)), 2: iter((3, 10))}
        for seat in order:
            game.answer(seat, next(answers[seat]))
        seen[game.digest()] = (game.answers[:], game.state.marks, game.pending)
    assert len(seen) == 1
    ((answers_, marks, pending),) = seen.values()
    assert answers_ == [(0, 1), (0, 10), (1, 2), (1, 20), (2, 3), (2, 10)]
    assert marks == [11, 22, 13]
    assert [ask.seat for ask in pending] == [1]


def test_inside_a_phase_equal_answers_give_equal_digests_whatever_came_first() -> None:
    left, right = script(two_answers_each), script(two_answers_each)
    left.answer(0, 1)
    left.answer(2, 3)
    right.answer(2, 3)
    right.answer(0, 1)
    assert left.digest() == right.digest()
    assert [ask.about for ask in left.pending] == ["after 1", "first", "after 3"]


def test_a_different_answer_gives_another_digest() -> None:
    left, right = script(two_answers_each), script(two_answers_each)
    left.answer(0, 1)
    right.answer(0, 2)
    assert left.digest() != right.digest()


def test_all_waiting_seats_are_pending_lowest_first() -> None:
    game = script(two_answers_each)
    assert [ask.seat for ask in game.pending] == [0, 1, 2]
    game.answer(1, 2)
    game.answer(1, 20)
    assert [ask.seat for ask in game.pending] == [0, 2]
    assert game.asked(1) is None


def test_a_rule_that_asks_another_seat_in_a_phase_is_an_assertion() -> None:
    async def honest() -> None:
        await choose(0, "mine", (1, 2))

    async def stranger() -> None:
        await choose(0, "not mine", (1, 2))

    async def stage(s: Notes) -> None:
        await together({0: honest(), 1: stranger()})

    with pytest.raises(AssertionError, match="the rule of seat 1 asks seat 0 in a phase"):
        script(stage)


def drawing_phase(s: Notes) -> Any:
    async def rule(seat: int) -> None:
        if await choose(seat, "draw", ("yes", "no")) == "yes":
            s.parts[seat].append(await chance(f"draw of {seat}", (5, 6), (1, 1)))
            s.parts[seat].append(await choose(seat, "then", (0, 1)))

    async def phase() -> None:
        await together({seat: rule(seat) for seat in range(3)})
        await choose(0, "after", (1, 2))

    return phase()


def test_chance_waits_until_no_seat_can_answer_and_serves_the_lowest_first() -> None:
    game = script(drawing_phase)
    game.answer(2, "yes")
    assert [ask.seat for ask in game.pending] == [0, 1]  # the draw of seat 2 waits
    game.answer(1, "no")
    game.answer(0, "yes")
    assert [(ask.seat, ask.about) for ask in game.pending] == [(CHANCE, "draw of 0")]
    game.answer(CHANCE, 5)
    assert [(ask.seat, ask.about) for ask in game.pending] == [(0, "then")]  # before the draw of seat 2
    game.answer(0, 1)
    assert [(ask.seat, ask.about) for ask in game.pending] == [(CHANCE, "draw of 2")]
    game.play(6, 0)
    assert game.state.parts == [[5, 1], [], [6, 0], []]
    assert game.pending[0].about == "after"


def test_the_result_of_a_phase_with_draws_is_the_same_in_any_order() -> None:
    digests = []
    for order in itertools.permutations(range(3)):
        game = script(drawing_phase)
        for seat in order:
            game.answer(seat, "yes")
        game.play(5, 0, 6, 1, 5, 1)
        digests.append((game.digest(), game.state.parts))
    assert all(one == digests[0] for one in digests)
    assert digests[0][1] == [[5, 0], [6, 1], [5, 1], []]


def test_a_phase_whose_rules_ask_nothing_is_over_at_once() -> None:
    async def nothing(seat: int) -> int:
        return seat * 10

    async def stage(s: Notes) -> None:
        s.marks.extend((await together({1: nothing(1), 0: nothing(0)})).values())
        s.marks.extend((await together({})).values())
        await choose(0, "end", (1, 2))

    assert script(stage).state.marks == [0, 10]


def market(*answers: tuple[int, Any]) -> Game[MarketState]:
    game = Game.new(Market(), 3)
    for seat, option in answers:
        game.answer(seat, option)
    return game


def test_a_phase_of_a_whole_game_leaves_no_trace_either() -> None:
    bids = {0: 1, 1: 0, 2: 2}
    digests = set()
    for order in itertools.permutations(bids):
        game = market(*((seat, bids[seat]) for seat in order))
        game.play(0)  # the draw of seat 0
        digests.add(game.digest())
    assert len(digests) == 1
