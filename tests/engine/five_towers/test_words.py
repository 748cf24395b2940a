"""Answers in words."""

from __future__ import annotations

import pytest

from oaknet.five_towers import State
from oaknet.kernel import Ask, Game, Option
from tests.engine.five_towers.positions import RULES, auction, cards, new_game

DISPLAY = "candy 1, scary 2"


def words(game: Game[State], option: Option) -> str:
    (ask,) = game.pending
    return RULES.say(game.state, ask, option)


def test_bids_in_words() -> None:
    game = auction({}, {}, display=DISPLAY)
    assert [words(game, option) for option in game.pending[0].options] == [
        "passes",
        "bids 0 cards",
        "bids 1 card",
        "bids 2 cards",
    ]


def test_tearing_down_in_words() -> None:
    game = auction({"sand": (9, 4), "candy": (7,)}, {}, display=DISPLAY).play(1, "pass")
    assert [words(game, option) for option in game.pending[0].options] == [
        "tears nothing down",
        "tears down candy 7",
        "tears down sand 4",
    ]


def test_building_in_words() -> None:
    game = auction({}, {}, display=DISPLAY).play(1, "pass")
    assert [words(game, option) for option in game.pending[0].options] == ["builds candy 1", "builds scary 2"]


def test_revealing_in_words() -> None:
    game = new_game(2)
    assert words(game, cards("tree 12")[0]) == "reveals tree 12"


def test_other_questions_have_no_words() -> None:
    game = auction({}, {}, display=DISPLAY)
    with pytest.raises(AssertionError, match="has no answer"):
        RULES.say(game.state, Ask(0, "colour", ("red", "blue")), "red")
