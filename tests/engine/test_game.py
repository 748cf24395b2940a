"""The driver: answers, positions, undo, clones, saving (engine 2 and 4)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oaknet.kernel import (
    CHANCE,
    CannotUndo,
    Game,
    IllegalChoice,
    Rng,
    canonical,
    chance,
    choose,
    draw,
    together,
)
from tests.engine.script import Notes, Script, script
from tests.engine.toys import Market


async def three_questions(s: Notes) -> None:
    for about in ("a", "b", "c"):
        s.marks.append(await choose(0, about, (1, 2, 3)))


async def two_seats(s: Notes) -> None:
    s.marks.append(await choose(0, "mine", (1, 2)))
    s.marks.append(await choose(1, "yours", (1, 2)))
    s.marks.append(await choose(0, "mine again", (1, 2)))


def test_an_answer_goes_into_the_rule() -> None:
    game = script(three_questions)
    game.answer(0, 2)
    assert game.state.marks == [2]
    assert game.answers == [(0, 2)]
    assert game.pending[0].about == "b"


def test_the_game_is_over_when_nothing_is_asked() -> None:
    game = script(three_questions)
    assert not game.over
    assert game.play(1, 1, 1).over
    assert game.pending == ()
    assert game.asked(0) is None
    assert "over" in repr(game)


def test_stages_that_ask_nothing_pass_by() -> None:
    async def silent(s: Notes) -> None:
        s.marks.append(9)

    game = script(silent, silent, three_questions, silent)
    assert game.state.marks == [9, 9]
    assert game.play(1, 1, 1).over
    assert game.state.marks == [9, 9, 1, 1, 1, 9]
    assert script(silent).over


@pytest.mark.parametrize("option", [4, True, 1.0, "1", (1,), [1], None, b"1"])
def test_what_was_not_offered_is_refused_and_changes_nothing(option: Any) -> None:
    game = script(three_questions)
    game.answer(0, 3)
    before, pending = game.digest(), game.pending
    with pytest.raises(IllegalChoice, match="does not answer 'b'; offered: \\[1, 2, 3\\]") as caught:
        game.answer(0, option)
    assert (caught.value.seat, caught.value.option, caught.value.pending) == (0, option, pending)
    assert game.digest() == before
    assert game.answers == [(0, 3)]


@pytest.mark.parametrize("seat", [1, CHANCE, 7, False, 0.0])
def test_a_seat_that_is_not_asked_is_refused(seat: Any) -> None:
    game = script(three_questions)
    before = game.digest()
    with pytest.raises(IllegalChoice):
        game.answer(seat, 1)
    assert game.digest() == before
    with pytest.raises(IllegalChoice, match="seat 1 is not asked anything; waiting for seat 0"):
        game.answer(1, 1)


def test_an_answer_after_the_end_is_refused() -> None:
    game = script(three_questions).play(1, 1, 1)
    with pytest.raises(IllegalChoice, match="the game is over"):
        game.answer(0, 1)
    with pytest.raises(IllegalChoice, match="the game is over"):
        game.play(1)


def test_tuples_are_matched_by_the_types_within() -> None:
    async def stage(s: Notes) -> None:
        await choose(0, "pair", ((0, "a"), (1, "a")))

    game = script(stage)
    for wrong in ((True, "a"), [1, "a"], (1,), (1, "a", 0)):
        with pytest.raises(IllegalChoice):
            game.answer(0, wrong)  # type: ignore[arg-type]
    assert game.play((1, "a")).over


# -- undo ----------------------------------------------------------------------------------------------------


def test_undo_goes_back_answer_by_answer_to_the_start_of_the_stage() -> None:
    game = script(three_questions, three_questions)
    digests = [game.digest()]
    for option in (1, 2):
        game.answer(0, option)
        digests.append(game.digest())
    while len(digests) > 1:
        assert game.digest() == digests.pop()
        game.undo(0)
    assert game.digest() == digests.pop()
    with pytest.raises(CannotUndo):
        game.undo(0)


def test_undo_stops_where_a_stage_began() -> None:
    game = script(three_questions, three_questions).play(1, 1, 1)
    with pytest.raises(CannotUndo):
        game.undo()
    assert game.state.marks == [1, 1, 1]


def test_undo_stops_at_a_draw() -> None:
    async def stage(s: Notes) -> None:
        s.marks.append(await choose(0, "before", (1, 2)))
        s.marks.append(await chance("draw", (5, 6), (1, 1)))
        s.marks.append(await choose(0, "after", (1, 2)))
        s.marks.append(await choose(0, "last", (1, 2)))

    game = script(stage).play(1)
    game.undo(0)  # the draw has been asked for, not made
    game.play(1, 5)
    at_draw = game.digest()
    for seat in (0, CHANCE, None):
        for drawn in (game, game.clone()):
            with pytest.raises(CannotUndo):
                drawn.undo(seat)
    game.play(2)
    game.undo(0)
    assert game.digest() == at_draw


def test_undo_stops_at_the_answer_of_another_seat() -> None:
    game = script(two_seats).play(1)
    with pytest.raises(CannotUndo):
        game.undo(1)
    game.play(2)
    with pytest.raises(CannotUndo):
        game.undo(0)
    game.undo(1)
    assert game.answers == [(0, 1)]


async def a_phase(s: Notes) -> None:
    async def rule(seat: int) -> None:
        for about in ("a", "b"):
            s.parts[seat].append(await choose(seat, about, (1, 2)))

    await together({seat: rule(seat) for seat in range(3)})
    s.marks.append(await choose(0, "after", (1, 2)))
    s.marks.append(await choose(0, "last", (1, 2)))


def test_in_a_phase_each_seat_takes_back_its_own() -> None:
    game, other = script(a_phase), script(a_phase)
    for seat, option in ((0, 1), (2, 2), (1, 1), (0, 2)):
        game.answer(seat, option)
    for seat, option in ((1, 1), (2, 2), (0, 1)):
        other.answer(seat, option)
    game.undo(0)
    assert game.digest() == other.digest()
    game.undo(2)
    game.undo(1)
    game.undo(0)
    assert game.digest() == script(a_phase).digest()
    with pytest.raises(CannotUndo):
        game.undo(2)


def test_undo_stops_at_a_completed_phase() -> None:
    game = script(a_phase)
    for seat in range(3):
        game.answer(seat, 1)
        game.answer(seat, 2)
    done = game.digest()
    for who in (0, 1, 2, None):
        with pytest.raises(CannotUndo):
            game.undo(who)
    game.play(1)
    game.undo(0)
    assert game.digest() == done


def test_a_phase_after_a_phase_does_not_reach_back() -> None:
    async def stage(s: Notes) -> None:
        await a_phase_only(s)
        await a_phase_only(s)

    async def a_phase_only(s: Notes) -> None:
        async def rule(seat: int) -> None:
            s.parts[seat].append(await choose(seat, "x", (1, 2)))

        await together({seat: rule(seat) for seat in range(2)})

    game = script(stage)
    game.answer(1, 1)
    game.answer(0, 2)
    with pytest.raises(CannotUndo):
        game.undo(1)
    game.answer(1, 2)  # must not be sorted among the answers of the first phase
    game.answer(0, 1)
    assert game.state.parts[:2] == [[2, 1], [1, 2]]


def test_in_a_phase_nothing_is_taken_back_once_its_draw_is_pending() -> None:
    async def stage(s: Notes) -> None:
        async def rule(seat: int) -> None:
            if await choose(seat, "draw", ("yes", "no")) == "yes":
                s.parts[seat].append(await chance("die", (1, 2), (1, 1)))

        await together({seat: rule(seat) for seat in range(2)})

    game = script(stage)
    game.answer(1, "yes")
    game.undo(1)  # seat 0 has not answered, so the draw still waits
    game.answer(1, "yes")
    game.answer(0, "no")
    for seat in (0, 1, None):
        with pytest.raises(CannotUndo):
            game.undo(seat)


def test_a_question_before_a_phase_cannot_be_taken_back_in_it() -> None:
    async def stage(s: Notes) -> None:
        s.marks.append(await choose(1, "first", (1, 2)))
        await a_phase(s)

    game = script(stage).play(2)
    with pytest.raises(CannotUndo):
        game.undo(1)
    game.answer(0, 1)
    game.answer(1, 1)
    assert game.answers == [(1, 2), (0, 1), (1, 1)]  # the answer before the phase stays first
    assert game.clone().digest() == game.digest()


# -- clones --------------------------------------------------------------------------------------------------


def positions(seats: int, seed: bytes) -> list[Game[Any]]:
    """A clone at every decision of a random game of Market, each seat answered in a drawn order."""
    rng, game, found = Rng(seed), Game.new(Market(), seats), []
    while not game.over:
        found.append(game.clone())
        ask = game.pending[rng.below(len(game.pending))]
        game.answer(ask.seat, ask.options[rng.below(len(ask.options))])
    return [*found, game]


def play_out(game: Game[Any], seed: bytes) -> Game[Any]:
    rng = Rng(seed)
    while game.pending:
        ask = game.pending[rng.below(len(game.pending))]
        game.answer(ask.seat, ask.options[rng.below(len(ask.options))])
    return game


def test_a_clone_is_at_the_same_position_and_goes_its_own_way() -> None:
    found = positions(4, b"clone")
    digests = [game.digest() for game in found]
    for game in found:
        assert play_out(game.clone(), b"x").over
    assert [game.digest() for game in found] == digests


def test_a_clone_takes_answers_and_undo_as_the_original_does() -> None:
    for game in positions(3, b"undo")[:-1]:
        ask = game.pending[-1]
        twin = game.clone()
        twin.answer(ask.seat, ask.options[-1])
        game.answer(ask.seat, ask.options[-1])
        assert twin.digest() == game.digest()


def test_a_clone_in_a_phase_sorts_and_takes_back_as_the_original_does() -> None:
    game = script(a_phase)
    game.answer(1, 2)
    twin = game.clone()
    for each in (game, twin):
        each.answer(2, 1)
        each.answer(0, 2)
        each.answer(1, 1)
    assert twin.answers == game.answers == [(0, 2), (1, 2), (1, 1), (2, 1)]
    twin.undo(2)
    game.undo(2)
    assert twin.digest() == game.digest()


def test_a_game_goes_back_to_a_mark_from_wherever_it_has_got_to() -> None:
    for game in positions(3, b"marks"):
        before, mark = game.digest(), game.mark
        for _ in range(2):
            play_out(game, b"on")
            game.back(mark)
            assert (game.digest(), game.mark) == (before, mark)


def test_a_throwaway_plays_the_same_and_cannot_go_back() -> None:
    for game in positions(3, b"throw"):
        kept, thrown = play_out(game.clone(), b"y"), play_out(game.clone(keep=False), b"y")
        assert thrown.over
        assert thrown.state == kept.state
    thrown = script(three_questions).clone(keep=False)
    for refused in (thrown.undo, thrown.clone, thrown.saved, thrown.digest):
        with pytest.raises(AssertionError, match="a throwaway game cannot"):
            refused()


# -- a rule that breaks --------------------------------------------------------------------------------------


async def breaks(s: Notes) -> None:
    s.marks.append(await choose(0, "a", (1, 2)))
    answer = await choose(0, "b", (1, 2))
    s.marks.append(100)
    if answer == 2:
        raise RuntimeError("a rule is wrong")
    await choose(0, "c", (1, 2))


async def breaks_at_once(s: Notes) -> None:
    s.marks.append(100)
    if s.marks[0] == 2:
        raise RuntimeError("a rule is wrong")
    await choose(0, "d", (1, 2))


async def breaks_in_a_phase(s: Notes) -> None:
    async def rule(seat: int) -> None:
        for about in ("a", "b"):
            s.parts[seat].append(await choose(seat, about, (1, 2)))
        if s.parts[seat] == [2, 2]:
            raise RuntimeError("a rule is wrong")

    await together({seat: rule(seat) for seat in range(2)})
    await choose(0, "c", (1, 2))


def test_a_rule_that_breaks_half_way_restores_the_position() -> None:
    game = script(breaks).play(2)
    before = game.digest()
    with pytest.raises(RuntimeError, match="a rule is wrong"):
        game.answer(0, 2)
    assert game.digest() == before
    assert game.state.marks == [2]
    assert game.play(1).pending[0].about == "c"


def test_a_stage_that_breaks_at_its_beginning_restores_the_position() -> None:
    async def first(s: Notes) -> None:
        s.marks.append(await choose(0, "a", (1, 2)))

    game = script(first, breaks_at_once)
    before = game.digest()
    with pytest.raises(RuntimeError, match="a rule is wrong"):
        game.answer(0, 2)
    assert game.digest() == before
    assert game.state.marks == []
    assert game.play(1).pending[0].about == "d"


def test_a_rule_that_breaks_in_a_phase_takes_only_its_own_answer_back() -> None:
    game = script(breaks_in_a_phase)
    for seat, option in ((0, 2), (1, 2)):
        game.answer(seat, option)
    before = game.digest()
    with pytest.raises(RuntimeError, match="a rule is wrong"):
        game.answer(0, 2)
    assert game.digest() == before
    assert game.answers == [(0, 2), (1, 2)]
    game.answer(0, 1)
    assert [ask.seat for ask in game.pending] == [1]


# -- saving --------------------------------------------------------------------------------------------------


def listed(value: Any) -> Any:
    """Plain data as it comes out of JSON."""
    return [listed(item) for item in value] if isinstance(value, list | tuple) else value


def test_a_saved_game_goes_on_where_it_was() -> None:
    for game in positions(4, b"save"):
        again = Game.load(game.rules, listed(game.saved()))
        assert again.digest() == game.digest()
        assert play_out(again, b"z").digest() == play_out(game, b"z").digest()


def test_tuples_come_back_from_lists() -> None:
    async def stage(s: Notes) -> None:
        for _ in range(2):
            await choose(0, "pair", ((0, ("a", 1)), (1, ("a", 1)), 5))

    game = script(stage).play((1, ("a", 1)))
    assert Game.load(game.rules, listed(game.saved())).answers == [(0, (1, ("a", 1)))]


def test_a_deck_comes_back_from_lists() -> None:
    async def stage(s: Notes) -> None:
        s.marks.append(await draw(s.deck))

    game = script(stage)
    assert Game.load(game.rules, listed(game.saved())).state.deck.layers == ((0, 1, 2),)


GARBAGE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.binary(max_size=3),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=2), part, max_size=2),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(GARBAGE)
def test_garbage_is_no_saved_game(garbage: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of many kinds; what matters is that it is one
        Game.load(Market(), garbage)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_a_damaged_save_is_refused_or_is_a_game_that_can_be_saved_again(data: st.DataObject) -> None:
    saved = listed(Game.load(Market(), listed(Game.new(Market(), 2).saved())).saved())
    saved[1] = [[0, 1], [1, 0], [-1, 2]]
    at: Any = saved
    while True:  # walk down to some part and put garbage in its place
        index = data.draw(st.integers(0, len(at) - 1))
        if not isinstance(at[index], list) or not at[index] or data.draw(st.booleans()):
            break
        at = at[index]
    at[index] = data.draw(GARBAGE)
    try:
        game = Game.load(Market(), saved)
    except ValueError:
        return
    assert Game.load(Market(), listed(game.saved())).digest() == game.digest()
    assert canonical(game.plain())


@pytest.mark.parametrize(
    "saved",
    [
        None,
        [],
        [[]],
        [[], [], []],
        [[[], [[0, 1]], [[], [], [], []], 0, 0], []],
        [[[True], [[0, 1]], [[], [], [], []], 0], []],
        [[[], [["a"]], [[], [], [], []], 0], []],
        [[[], "ab", [[], [], [], []], 0], []],
        [[[], [[0, 1]], [[], [], [], []], 0], [[0, 9]]],
        [[[], [[0, 1]], [[], [], [], []], 0], [[True, 1]]],
        [[[], [[0, 1]], [[], [], [], []], 0], [[0]]],
        [[[], [[0, 1]], [[], [], [], []], 0], [0]],
        [[[], [[0, 1]], [[], [], [], []], -9], [[0, 1]]],
    ],
)
def test_each_part_of_a_save_is_checked(saved: Any) -> None:
    async def stage(s: Notes) -> None:
        s.marks.append(await choose(1, "a", (1, 2)))

    rules = Script(stage)
    good = [[[], [[0, 1]], [[], [], [], []], 0], [[1, 2]]]
    assert Game.load(rules, good).state.marks == [2]
    with pytest.raises(ValueError):  # noqa: PT011 - of many kinds; what matters is that it is one
        Game.load(rules, saved)


def test_a_save_that_breaks_a_rule_is_no_saved_game() -> None:
    async def stage(s: Notes) -> None:
        assert s.marks == [], "marks before the game"
        s.marks.append(await choose(1, "a", (1, 2)))

    with pytest.raises(ValueError, match="not a saved game of Script: marks before the game"):
        Game.load(Script(stage), [[[5], [[0, 1]], [[], [], [], []], 0], []])


def test_an_answer_nested_too_deep_is_no_saved_game() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    start = listed(Game.new(Market(), 2).saved())[0]
    with pytest.raises(ValueError, match="not a saved game of Market"):
        Game.load(Market(), [start, [[0, deep]]])
