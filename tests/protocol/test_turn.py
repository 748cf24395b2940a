"""Moves in the making: where one ends, who answers in it, and what is taken back (transcript 4)."""

from __future__ import annotations

from typing import Any

import pytest

from oaknet.kernel import CHANCE, CannotUndo, Game, IllegalChoice
from oaknet_protocol.turn import Turn, settle, settled
from tests.engine.five_towers.positions import auction
from tests.engine.toys import Market

THREE = "candy 1, tree 2, sand 3"
MORE = "candy 5, tree 5, sand 5, scrap 5, scary 5"


def towers(seats: int = 3, **other: Any) -> Game[Any]:
    """5 Towers where seat 0 is to bid for three cards."""
    return auction(*({} for _ in range(seats)), display=THREE, deck=MORE, **other)


def market() -> Game[Any]:
    return Game[Any].new(Market(), 3)


def test_seat_that_is_not_asked_has_no_move() -> None:
    game = towers()
    with pytest.raises(IllegalChoice, match="seat 1 is not asked anything; waiting for seat 0") as caught:
        Turn(game, 1)
    assert (caught.value.seat, caught.value.option) == (1, ())


def test_move_is_made_on_a_clone() -> None:
    game = towers()
    before = game.digest()
    turn = Turn(game, 0)
    turn.answer(2)
    assert game.digest() == before
    assert turn.game.state.bids == [2]


def test_move_on_the_game_itself_is_that_of_the_clone() -> None:
    game, other = towers(), towers()
    turn, same = Turn(game, 0, itself=True), Turn(other, 0)
    for one in (turn, same):
        one.answer(2)
    assert turn.game is game
    assert (game.digest(), turn.line, turn.done) == (same.game.digest(), same.line, same.done)


def test_move_ends_where_somebody_else_is_asked() -> None:
    turn = Turn(towers(), 0)
    assert (turn.done, turn.answers, turn.line) == (False, [], [])
    assert turn.ask is not None
    assert turn.ask.about == "bid"
    turn.answer(1)
    assert (turn.done, turn.ask, turn.answers, turn.line) == (True, None, [1], [(0, 1)])
    with pytest.raises(IllegalChoice, match="the game is over") as caught:
        turn.answer(1)
    assert (caught.value.seat, caught.value.option, caught.value.pending) == (0, 1, ())
    assert (turn.answers, turn.line) == ([1], [(0, 1)])


def test_answer_that_is_not_offered_changes_nothing() -> None:
    turn = Turn(towers(), 0)
    with pytest.raises(IllegalChoice):
        turn.answer(4)
    assert (turn.done, turn.answers, turn.line) == (False, [], [])


def test_move_goes_on_as_long_as_its_seat_is_asked_within_a_stage() -> None:
    game = towers().play(2, "pass", "pass")
    turn = Turn(game, 0)
    turn.answer(("candy", 1))
    assert not turn.done
    turn.answer(("tree", 2))
    assert (turn.done, turn.game.asked(0)) == (True, None)
    assert turn.leads_to_draw()


def test_stage_that_ends_ends_the_move_even_if_the_same_seat_is_next() -> None:
    """The last bidder wins and builds in a stage of its own: two moves."""
    turn = Turn(towers(start_player=1).play("pass", "pass"), 0)
    turn.answer(2)
    assert (turn.done, turn.ask) == (True, None)
    assert turn.game.asked(0) is not None
    assert not turn.leads_to_draw()


def test_stand_ins_answer_within_a_move_for_seats_that_nobody_plays() -> None:
    """A market's bid asks all at once, and the tip comes in the same stage."""
    turn = Turn(market(), 0, played=(0,))
    turn.answer(0)
    assert turn.line == [(0, 0), (1, 0), (2, 0)], "the lowest seat that is asked first"
    assert turn.answers == [0]
    assert turn.ask is not None
    assert turn.ask.about == "tip"
    turn.answer(2)
    assert turn.done
    assert turn.line == [(0, 0), (1, 0), (2, 0), (0, 2)]


def test_move_waits_for_seats_that_are_played() -> None:
    turn = Turn(market(), 0, played=(0, 2))
    turn.answer(0)
    assert (turn.done, turn.line) == (True, [(0, 0)])


def test_all_seats_are_played_unless_it_says_otherwise() -> None:
    turn = Turn(market(), 1)
    turn.answer(0)
    assert (turn.done, turn.line) == (True, [(1, 0)])


def test_sealed_move_goes_on_until_its_seat_has_no_question() -> None:
    turn = Turn(market(), 0, played=(0,), sealed=True)
    turn.answer(1)
    assert (turn.done, turn.line) == (True, [(0, 1)]), "nobody stands in, chance waits for all"
    assert turn.game.asked(1) is not None


def test_taking_back_leads_to_where_the_answers_before_led() -> None:
    game = towers().play(2, "pass", "pass")
    turn = Turn(game, 0)
    with pytest.raises(CannotUndo, match="nothing to take back"):
        turn.undo()
    start = turn.game.digest()
    turn.answer(("candy", 1))
    after_one = turn.game.digest()
    turn.answer(("tree", 2))
    assert turn.done
    turn.undo()
    assert (turn.game.digest(), turn.done) == (after_one, False)
    assert (turn.answers, turn.line) == ([("candy", 1)], [(0, ("candy", 1))])
    turn.undo()
    assert (turn.game.digest(), turn.done, turn.answers, turn.line) == (start, False, [], [])
    with pytest.raises(CannotUndo):
        turn.undo()


def test_taking_back_takes_back_what_stand_ins_answered() -> None:
    turn = Turn(market(), 0, played=(0,))
    turn.answer(0)
    turn.undo()
    assert (turn.answers, turn.line, turn.done) == ([], [], False)
    turn.answer(2)
    assert turn.done, "chance is next"
    assert turn.line[0] == (0, 2)


def test_whether_a_draw_is_next_looks_beyond_the_stand_ins() -> None:
    """One of the others, whom nobody plays, builds; then new cards are turned up."""
    game = towers()
    turn = Turn(game, 0, played=(0,))
    turn.answer("pass")
    game_now, line = turn.game.digest(), turn.line[:]
    assert turn.leads_to_draw()
    assert (turn.game.digest(), turn.line) == (game_now, line), "it only looks"


def test_move_before_another_player_leads_to_no_draw() -> None:
    turn = Turn(towers(), 0)
    turn.answer("pass")
    assert not turn.leads_to_draw()
    last = Turn(towers().play("pass", "pass"), 2)
    last.answer("pass")
    assert last.leads_to_draw()


def test_last_move_of_a_game_leads_to_no_draw() -> None:
    game = auction({}, {}, display="candy 1", times_through=2).play("pass")
    turn = Turn(game, 1)
    turn.answer("pass")
    assert turn.game.over
    assert not turn.leads_to_draw()


def test_stand_ins_answer_until_somebody_is_asked() -> None:
    game = towers()
    assert settled(game, (0,))
    assert not settled(game, (1, 2))
    assert settle(game, (0,)) == []
    assert {seat for seat, _ in settle(game, (1, 2))} == {0}, "it bids for everything, and builds"
    assert game.pending[0].seat == CHANCE
    assert settled(game, ())


def test_stand_ins_answer_the_lowest_seat_first_and_to_the_end() -> None:
    game = market()
    assert settled(game, (2,))
    assert [seat for seat, _ in settle(game, ())] == [0, 1, 2, 0] * 4
    assert game.over
    assert settled(game, ())
    assert settle(game, ()) == []
