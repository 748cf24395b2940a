"""The survey: random games under every option, and games that hypothesis makes smaller where one fails."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oaknet.kernel import Game
from oaknet.oak.state import State
from oaknet.oak.tables import ARTIFACTS, CREATURES, POTIONS
from tests.engine.oak.positions import RULES
from tests.engine.oak.random_games import faults
from tests.engine.oak.survey import EFFECTS, choices, named, survey


def test_games_under_every_option_are_in_order_and_use_most_effects() -> None:
    uses = survey(4 * len(choices()))
    assert sum(uses[effect] > 0 for effect in EFFECTS) > len(EFFECTS) // 2
    assert [effect for effect in uses if effect not in EFFECTS] == []


def test_the_rules_are_watched_only_while_the_survey_runs() -> None:
    from oaknet.oak import moot
    from oaknet.oak.deeds import ACTIONS

    before = moot.oak_action, ACTIONS["brew"]
    survey(1)
    assert (moot.oak_action, ACTIONS["brew"]) == before


def test_every_card_and_tile_is_counted() -> None:
    assert [f"creature {n}" in EFFECTS for n in CREATURES] == [True] * 35
    assert [f"artifact {n}" in EFFECTS for n in ARTIFACTS] == [True] * 12
    assert [f"potion {n}" in EFFECTS for n in POTIONS] == [True] * 15
    assert named("creature 34") == "creature 34 Carw Gwyn"
    assert named("potion 0") == "potion Darkwood"
    assert named("the menhir") == "the menhir"


@given(
    st.integers(1, 4),
    st.sampled_from(choices()),
    st.lists(st.integers(0, 2**16), min_size=30, max_size=250),
)
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_any_answers_keep_everything_in_order(
    seats: int, options: dict[str, str], answers: list[int]
) -> None:
    game = Game[State].new(RULES, seats, options).clone(keep=False)
    for number in answers:
        if game.over:
            return
        (ask,) = game.pending
        assert len(ask.options) >= 2
        game.answer(ask.seat, ask.options[number % len(ask.options)])
        assert faults(game.state) == []
