"""The greedy bot: stronger than random answers, always the same."""

from __future__ import annotations

from oaknet import bots
from oaknet.kernel import Game, Rng, resolve
from oaknet.oak.greedy import WORTHS
from oaknet.oak.state import State
from oaknet.oak.tables import HEART_CARD, MYSTICISM, STORYTELLING, WORSHIP
from oaknet.oak.words import SENTENCES
from tests.engine.oak.positions import RULES, day, on_branch, play
from tests.engine.oak.random_games import decisions

GREEDY = bots.bot("greedy", "oak")


def duel(number: int) -> bool:
    """Whether the greedy seat alone wins a game against a random one."""
    game, rng, seat = Game[State].new(RULES, 2), Rng(b"duel%d" % number), number % 2
    while not game.over:
        resolve(game, rng)
        if game.pending:
            mover = game.pending[0].seat
            game.answer(mover, (GREEDY if mover == seat else bots.random)(game, mover, rng))
    return RULES.winners(game.state) == (seat,)


def test_it_beats_random_in_nine_games_of_ten() -> None:
    assert sum(duel(number) for number in range(60)) >= 54


def test_it_answers_alike_and_leaves_the_game_as_it_was() -> None:
    for game in decisions(3, b"greedy", 2, draws=False):
        if game.pending:
            seat, before = game.pending[0].seat, game.digest()
            start = game.state.copy()
            answer = GREEDY(game, seat, Rng(b"a"))
            assert answer == GREEDY(game, seat, Rng(b"b"))
            assert answer in game.pending[0].options
            assert game.digest() == before
            assert game.state == start


def test_it_weighs_a_replay_by_what_can_be_repeated() -> None:
    """With every branch finished Worship's step is not among it."""
    s = day()
    p = s.players[0]
    for branch in range(3):
        on_branch(p, branch, 6)
    p.hand, p.played, p.resources = [WORSHIP, MYSTICISM], [WORSHIP], [0, 0, 9]
    game = play(s)
    assert GREEDY(game, 0, Rng(b"")) == "mysticism"
    game.play("mysticism", 3)
    assert GREEDY(game, 0, Rng(b"")) in ("shrine", "artifact")


def test_it_weighs_what_only_its_second_druid_makes_possible() -> None:
    """Worship's step by the druid that is sent to the roots; nobody else is there."""
    s = day()
    p = s.players[0]
    p.place = [2 if place == 1 else place for place in p.place]
    p.hand, s.neutrals, p.resources = [WORSHIP], [1], [1, 0, 0]
    assert GREEDY(play(s), 0, Rng(b"")) in ("worship", "pass")


def test_it_weighs_heart_of_the_oak_and_a_ride() -> None:
    s = day()
    p = s.players[0]
    p.hand, p.resources, p.creatures = [HEART_CARD], [3, 3, 3], [7]
    game = play(s, "heart", "temple")
    assert GREEDY(game, 0, Rng(b"")) == "artifact"
    p.hand, p.resources = [STORYTELLING], [9, 3, 3]
    game = play(s, "storytelling", "temple", 3)
    assert GREEDY(game, 0, Rng(b"")) == "yes"


def test_it_uses_special_spaces_that_are_worth_it() -> None:
    s = day()
    p = s.players[0]
    p.artifacts, p.uses = [12], [0]
    p.hand = []
    assert GREEDY(play(s), 0, Rng(b"")) == "artifact-12"


def test_it_weighs_questions_that_exist() -> None:
    assert [about for about in WORTHS if about not in SENTENCES] == []
