"""Oak for one to four players (specs/oak.md)."""

from __future__ import annotations

from collections.abc import Callable

from oaknet.kernel import Ask, Data, DataFault, Game, Option, Options, Rule, Rules, TableOption
from oaknet.oak.actions import TEMPLE_ACTIONS
from oaknet.oak.artifacts import ARTIFACT_ACTIONS
from oaknet.oak.box import Box
from oaknet.oak.cards import TAKEN
from oaknet.oak.check import faults
from oaknet.oak.dawn import dawn
from oaknet.oak.day import turn
from oaknet.oak.deeds import ACTIONS
from oaknet.oak.dusk import come_home, dusk
from oaknet.oak.final import last_potion, winners
from oaknet.oak.free import CREATURE_ACTIONS
from oaknet.oak.rewards import REWARDS
from oaknet.oak.setup import ORDERINGS, choose_order, set_up, table
from oaknet.oak.special import ORDER_ACTIONS
from oaknet.oak.state import CHOOSING, DAWN, DAY, DUSK, FINAL, HOME, OVER, SETUP, State
from oaknet.oak.tables import SOURCES
from oaknet.oak.words import say

for chapter in (TEMPLE_ACTIONS, ORDER_ACTIONS, ARTIFACT_ACTIONS, REWARDS, TAKEN, CREATURE_ACTIONS):
    ACTIONS.update(chapter)

STAGES: dict[int, Callable[[State], Rule[None]]] = {
    SETUP: set_up,
    CHOOSING: choose_order,
    DAWN: dawn,
    DAY: turn,
    HOME: come_home,
    DUSK: dusk,
    FINAL: last_potion,
}
"""The stage that each phase begins."""

IDLE = ("pass", "decline", "done", "no", "stop", "nobody")
"""What an absent seat answers where it can."""


class Oak:
    """The rules of Oak."""

    name, title, version = "oak", "Oak", 1
    seats = range(1, 5)
    options: tuple[TableOption, ...] = (
        TableOption("eclipse", ("off", "on"), "Who is ahead of the sun pays at Festivals."),
        TableOption("orders", ORDERINGS, "How the order boards come to the seats."),
        TableOption("start", ("drawn", "first-seat"), "Who has the first-player token in the first round."),
    )
    state = State

    def __init__(self, data: Data[Box]) -> None:
        self.data = data

    def setup(self, seats: int, options: Options) -> State:
        """The table before anything is drawn (oak 3.1, 13)."""
        return table(self.data.box, seats, options)

    def stage(self, s: State) -> Rule[None]:
        """The stage that the phase calls for (oak 1.2)."""
        return STAGES[s.phase](s)

    def over(self, s: State) -> bool:
        """Whether the final scoring is done."""
        return s.phase == OVER

    def score(self, s: State) -> tuple[int, ...]:
        """Victory points by seat; in the game for one Broichan's follow yours."""
        return tuple([p.vp for p in s.players])

    def winners(self, s: State) -> tuple[int, ...]:
        """Most points, then most steps (oak 12.3)."""
        return winners(s)

    def breakdown(self, s: State, seat: int) -> dict[str, int]:
        """Victory points by source."""
        return dict(zip(SOURCES, s.players[seat].ledger, strict=True))

    def stand_in(self, game: Game[State], seat: int) -> Option:
        """Pass, decline, else the first option."""
        ask = game.asked(seat)
        assert ask is not None, f"seat {seat} is not asked"
        return next((option for option in IDLE if option in ask.options), ask.options[0])

    def say(self, s: State, ask: Ask, option: Option) -> str:
        """An answer in words."""
        return say(s, ask, option)


def make(text: str) -> Rules[State]:
    """The rules with the printed numbers of this data file text; raises `DataFault` if they cannot be
    used."""
    data = Data[Box].read(Box, text)
    if wrong := faults(data.box):
        raise DataFault(wrong)
    return Oak(data)
