"""Every game as a PettingZoo AEC environment, for those who let machines learn (extra ``oaknet[rl]``).

``env(game, seats)`` makes one. Agents are ``seat_0``, ``seat_1`` …, and each is asked when the rules ask its
seat; chance answers from the seed given to ``reset``.

**Action.** The number of an option in the question that waits, from 0, in the order of the rules. A question
with more options than there are actions has pages: the last action turns to the next page, and after the
last page the first follows. An action that is not offered raises `IllegalChoice`.

**Observation.** A dict: ``action_mask`` has 1 for each action that can be taken (int8), ``observation`` is a
vector of int32, zeros behind its end: the number of values, the agent's seat, the page, the points of each
seat, then the position (engine 4.4) and the questions that wait, flattened: an integer is itself, a text its
length and its characters' codes, a list its length and its items. That is all that players know: nothing in
these games is hidden. Who answers in a simultaneous phase does not see what others have answered in it.

**Reward.** At the end, 1 for a seat that wins alone, 1/n for each of n that share the victory, -1 for the
others; before that nothing. ``infos`` has the seat's points and, when it is asked, what about.
"""

# The libraries of the extra are not there where everything else is checked, and their types are loose.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import os
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from oaknet import registry
from oaknet.kernel import CHANCE, Ask, Game, IllegalChoice, Option, Rng, resolve

ACTIONS = 64
"""Actions of every game; more options than that have pages."""
LENGTH = 2048
"""Values of an observation."""
LARGEST = 2**31 - 1


def env(game: str, seats: int, **options: str) -> Any:
    """The environment of a game with so many seats and these table options, with PettingZoo's checks of
    the order of calls. Raises `UnknownGame`, `WrongSeats` or `BadOptions`."""
    return wrappers.OrderEnforcingWrapper(GameEnv(game, seats, **options))


class GameEnv(AECEnv[str, dict[str, Any], int]):
    """A game as an environment; see the module for what goes in and out."""

    metadata = {"render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - PettingZoo's own

    def __init__(self, game: str, seats: int, **options: str) -> None:
        super().__init__()
        self._rules = registry.rules(game)
        self._options, self._seats = options, seats
        self.metadata = {**self.metadata, "name": f"oaknet_{game}_v{self._rules.version}"}
        self.render_mode = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action = spaces.Discrete(ACTIONS)
        self._observation = spaces.Dict(
            {
                "observation": spaces.Box(-LARGEST - 1, LARGEST, (LENGTH,), np.int32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self._game = Game[Any].new(self._rules, seats, options)
        self._answers: dict[int, Option] = {}
        self._page = 0
        self.agent_selection: str = self.possible_agents[0]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent sees; the same for all."""
        return self._observation

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent may do; the same for all."""
        return self._action

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the seed decides all draws (None: a fresh one)."""
        self._luck = Rng(os.urandom(16) if seed is None else f"seed {seed}".encode())
        self._game = Game[Any].new(self._rules, self._seats, self._options)
        resolve(self._game, self._luck)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._begin()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        seat, game, ask = self._seat[agent], self._game, self._asked(agent)
        page = self._page if ask else 0
        values = [seat, page, *game.rules.score(game.state)[: self._seats], *_flat(game.plain())]
        assert len(values) < LENGTH, f"{len(values)} values do not fit into an observation"
        vector = np.zeros(LENGTH, np.int32)
        vector[: len(values) + 1] = [len(values), *values]
        mask = np.zeros(ACTIONS, np.int8)
        if ask:
            mask[: len(_shown(ask, page))] = 1
            mask[-1] |= len(ask.options) > ACTIONS
        return {"observation": vector, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The agent whose turn it is acts; raises `IllegalChoice` if that was not offered."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        ask = self._asked(agent)
        assert ask is not None, "only who is asked is selected"
        paged = len(ask.options) > ACTIONS
        self._cumulative_rewards[agent] = 0.0
        if paged and action == ACTIONS - 1:
            self._page = (self._page + 1) % -(-len(ask.options) // (ACTIONS - 1))
        else:
            shown = _shown(ask, self._page)
            if action is None or not 0 <= action < len(shown):
                raise IllegalChoice(ask.seat, action, self._game.pending)
            self._answers[ask.seat] = shown[action]
            self._go_on()
        self._accumulate_rewards()

    def render(self) -> str:
        """The points and what is asked, in a line."""
        points = " ".join(map(str, self._game.rules.score(self._game.state)))
        asked = ", ".join(f"seat {ask.seat}: {ask.about}" for ask in self._game.pending) or "over"
        return f"{self._rules.title}: {points}; {asked}"

    def close(self) -> None:
        """There is nothing to close."""

    def _begin(self) -> None:
        """Ask those who are asked now, one after the other."""
        self._answers = {}
        self._page = 0
        if self._game.pending:
            self.agent_selection = f"seat_{self._game.pending[0].seat}"
        self._tell()

    def _go_on(self) -> None:
        """Give the answers to the game once all who are asked at the same time have one."""
        game = self._game
        waiting = [ask.seat for ask in game.pending if ask.seat not in self._answers]
        if waiting:
            self._page = 0
            self.agent_selection = f"seat_{waiting[0]}"
            self._tell()
            return
        for seat, option in sorted(self._answers.items()):
            game.answer(seat, option)
        resolve(game, self._luck)
        if game.over:
            winners = game.rules.winners(game.state)
            for agent, seat in self._seat.items():
                self.rewards[agent] = 1 / len(winners) if seat in winners else -1.0
                self.terminations[agent] = True
        self._begin()

    def _asked(self, agent: str) -> Ask | None:
        """The question that the agent has still to answer."""
        ask = self._game.asked(self._seat[agent])
        return None if ask is None or ask.seat == CHANCE or ask.seat in self._answers else ask

    def _tell(self) -> None:
        points = self._game.rules.score(self._game.state)
        self.infos = {}
        for agent in self.agents:
            ask = self._asked(agent)
            self.infos[agent] = {"points": points[self._seat[agent]], "about": ask.about if ask else ""}


def _shown(ask: Ask, page: int) -> tuple[Option, ...]:
    """The options on a page."""
    if len(ask.options) <= ACTIONS:
        return ask.options
    size = ACTIONS - 1
    return ask.options[page * size : (page + 1) * size]


def _flat(value: Any) -> list[int]:
    """Plain data as a list of integers that can be told apart from any other."""
    if isinstance(value, int):
        return [value]
    if isinstance(value, str | bytes):
        return [len(value), *(value.encode() if isinstance(value, str) else value)]
    return [len(value), *(number for item in value for number in _flat(item))]
