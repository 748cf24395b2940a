"""Whole games for one: nothing is lost, everything that Broichan can do happens, and each ends."""

from __future__ import annotations

from collections import Counter

import pytest

from oaknet import bots
from oaknet.kernel import Ask, Game
from oaknet.oak.broichan import HIM, YOU
from oaknet.oak.state import State
from tests.engine.oak.positions import RULES
from tests.engine.oak.random_games import decisions, eager, faults


@pytest.mark.parametrize("bot", [bots.random, eager, bots.bot("greedy", "oak")])
def test_nothing_is_lost_or_out_of_range(bot: bots.Bot) -> None:
    for game in decisions(1, b"solo", 16, bot=bot):
        s = game.state
        assert faults(s) == []
        him = s.players[HIM]
        assert him.resources == [0, 0, 0]
        assert him.order == -1
        assert sorted(s.broichan[0].deck.cards() + s.broichan[0].discards) == [0, 1, 2, 3, 4, 5]
        assert all(ask.seat != HIM for ask in game.pending)


def test_everything_that_he_can_do_happens() -> None:
    done: Counter[str] = Counter()
    for game in decisions(1, b"deeds", 60, draws=False, bot=bots.bot("greedy", "oak")):
        if game.over:
            s = game.state
            done.update({name: 1 for name, points in RULES.breakdown(s, HIM).items() if points})
            done.update({"elders": 1} if any(s.players[HIM].kind) else {})
            done.update({"wins": 1} if RULES.winners(s) == () else {"you win": 1})
            assert RULES.score(s) == tuple(p.vp for p in s.players)
    sources = ["artifacts", "branches", "creatures", "potions", "shrines and menhirs", "tips"]
    assert sorted(done) == sorted([*sources, "elders", "wins", "you win"])


def test_his_draw_is_told_in_words() -> None:
    ask = Ask(-1, "broichan-card", (0, 5))
    s = Game[State].new(RULES, 1).state
    assert RULES.say(s, ask, 5) == "Broichan plays Mysticism"
    assert RULES.winners(s) == (YOU,)
