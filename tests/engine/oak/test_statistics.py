"""What finished games of Oak tell about their balance."""

from __future__ import annotations

from oaknet import bots, registry
from oaknet.kernel import CHANCE, Game, Option, Rng
from oaknet.kernel.rng import sample
from oaknet.oak.state import State
from oaknet.oak.statistics import facts
from tests.engine.oak.positions import RULES, day, on_branch


def test_the_facts_of_a_hand_made_end() -> None:
    s = day("bee", "fox")
    p = s.players[1]
    p.kind[:2], p.markers, p.creatures, p.shrines, p.artifacts, p.flipped = (
        [1, 3],
        4,
        [3],
        [0, 2],
        [5],
        [6, 7],
    )
    on_branch(p, 0, 7)
    on_branch(p, 2, 2)
    s.sun, s.round, s.first = 6, 4, 0  # seat 1 had the token in round 1
    answers: list[tuple[str, Option]] = [
        *[("turn", option) for option in ("trade", "limit", "creature-1", "pass", "ritual", "menhir")],
        *[("turn", option) for option in ("order-brew", "artifact-3")],
        ("learn", "mysticism"),
    ]
    assert facts(s, 1, answers) == (
        {"order": "fox", "in turn": "1"},
        {
            "turns": 4,
            "steps": 7,
            "festivals": 2,
            "potions brewed": 4,
            "elder druids": 2,
            "creature cards": 1,
            "shrine and menhir cards": 2,
            "artifact tiles": 3,
        },
    )
    assert facts(s, 0, []).counts["steps"] == 0


def test_whole_games_tell_their_turns() -> None:
    told, bot = registry.statistics("oak"), bots.bot("greedy", "oak")
    for seats in (1, 3):
        game, rng = Game[State].new(RULES, seats), Rng(b"facts")
        answers: list[list[tuple[str, Option]]] = [[] for _ in range(seats)]
        while not game.over:
            (ask,) = game.pending
            option = sample(rng, ask) if ask.seat == CHANCE else bot(game.clone(), ask.seat, rng)
            if ask.seat != CHANCE:
                answers[ask.seat].append((ask.about, option))
            game.answer(ask.seat, option)
        for seat in range(seats):
            found = told(game.state, seat, answers[seat])
            assert 10 < found.counts["turns"] < 40
            assert 2 <= found.counts["festivals"] <= 5
            assert list(found.groups) == ["order", "in turn"]


def test_a_game_without_statistics_tells_nothing() -> None:
    assert registry.statistics("five_towers")(None, 0, []) == ({}, {})
