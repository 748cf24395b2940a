"""The games as PettingZoo environments, by PettingZoo's own tests."""

from __future__ import annotations

import warnings
from functools import partial
from importlib.util import find_spec
from typing import Any

import pytest

from oaknet import registry
from oaknet.kernel import IllegalChoice, Rng

if find_spec("pettingzoo") is None:
    pytest.skip("the extra oaknet[rl] is not installed", allow_module_level=True)

import numpy as np
from pettingzoo.test import api_test, seed_test

from oaknet_client import rl

TABLES = [(name, seats) for name in registry.games() for seats in registry.rules(name).seats]


def walk(made: Any, seed: int) -> Any:
    """Play a game by drawn actions; yields the agent and what it sees before each."""
    rng = Rng(b"walk")
    made.reset(seed=seed)
    for agent in made.agent_iter():
        seen, _, terminated, truncated, _ = made.last()
        yield agent, seen
        allowed = np.flatnonzero(seen["action_mask"])
        made.step(None if terminated or truncated else int(allowed[rng.below(len(allowed))]))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoo_finds_nothing_wrong(name: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be", UserWarning)
        warnings.filterwarnings("ignore", "Observation is not a NumPy array", UserWarning)
        api_test(rl.env(name, seats), num_cycles=40, verbose_progress=False)


@pytest.mark.parametrize("name", registry.games())
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    seed_test(partial(rl.env, name, 2), num_cycles=40)
    one, other = (
        [seen["observation"].tobytes() for _, seen in walk(rl.env(name, 2), seed)] for seed in (1, 2)
    )
    assert one != other


def test_a_whole_game_ends_with_rewards() -> None:
    made = rl.GameEnv("five_towers", 3)
    for _, seen in walk(made, 5):
        assert made.observation_space("seat_0").contains(seen)
        if all(made.terminations.values()) and len(made.agents) == 3:
            rewards = made.rewards
            assert sum(reward for reward in rewards.values() if reward > 0) == pytest.approx(1)
            assert min(rewards.values()) == -1
    assert made.agents == []


def test_every_position_of_many_games_fits_and_differs_from_the_one_before() -> None:
    for name, seats in (("oak", 4), ("five_towers", 5)):
        before = None
        for _, seen in walk(rl.env(name, seats), 9):
            assert seen["observation"][0] < rl.LENGTH
            assert before is None or before != seen["observation"].tobytes() or not seen["action_mask"].any()
            before = seen["observation"].tobytes()


def test_many_options_have_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rl, "ACTIONS", 3)
    made = rl.GameEnv("oak", 2)
    made.reset(seed=1)
    agent = made.agent_selection
    ask = made._asked(agent)
    assert ask is not None
    assert len(ask.options) > 3
    offered = []
    for _ in range(-(-len(ask.options) // 2)):
        mask = made.observe(agent)["action_mask"]
        assert mask[-1] == 1
        offered += rl._shown(ask, made._page)
        assert made.agent_selection == agent
        made.step(2)
    assert offered == list(ask.options)
    assert made._page == 0


def test_what_is_not_offered_is_refused() -> None:
    made = rl.env("five_towers", 2)
    made.reset(seed=1)
    mask = made.last()[0]["action_mask"]
    with pytest.raises(IllegalChoice):
        made.step(int(np.flatnonzero(mask == 0)[0]))


def test_answers_of_a_phase_stay_hidden_until_all_have_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    made = rl.GameEnv("market", 3)
    made.reset(seed=1)
    before = made.observe("seat_1")["observation"].tobytes()
    made.step(2)
    assert made.agent_selection == "seat_1"
    assert made.observe("seat_1")["observation"].tobytes() == before
    assert not made.observe("seat_0")["action_mask"].any()
