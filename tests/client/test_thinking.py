"""Bots that think in a process of their own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from typing import Any

import pytest
import trio
import trio.testing

from oaknet import registry
from oaknet.bots import bot
from oaknet.kernel import Game, Rng
from oaknet_client.failures import Failure
from oaknet_client.feed import Command, Event, Seat, Shown
from oaknet_client.local import Local
from oaknet_client.thinking import Thinking
from oaknet_client.words import turn_line
from oaknet_protocol.turn import Turn
from tests.engine.toys import MARKET, Market


@pytest.fixture(autouse=True)
def no_process_stays() -> Iterator[None]:
    yield
    assert not [child for child in multiprocessing.active_children() if child.name == "thinking"]


@pytest.mark.trio
async def test_the_process_comes_to_the_answer_that_this_one_would() -> None:
    rules = registry.rules("five_towers")
    game = Game[Any].new(rules, 2)
    while game.pending[0].seat < 0:
        game.answer(-1, game.pending[0].options[0])
    seat = game.pending[0].seat
    with Thinking(rules) as thinking:
        found = await thinking.answer("easy", game, seat, Rng(b"r"))
        again = await thinking.answer("easy", game, seat, Rng(b"r"))
    seed = Rng(b"r").word().to_bytes(8, "big")
    assert found == again == bot("easy", "five_towers")(game.clone(), seat, Rng(seed))


@pytest.mark.trio
async def test_a_whole_move_with_other_numbers_than_the_game_comes_with() -> None:
    rules = Market(MARKET.replace("value = 4", "value = 9"))
    turn = Turn[Any](Game[Any].new(rules, 2), 1, sealed=True)
    with Thinking(rules) as thinking:
        answers = await thinking.move("greedy", turn, Rng(b"r"))
    assert turn.done
    assert answers == [2]


@pytest.mark.trio
async def test_a_thought_can_be_cancelled_and_the_next_one_works(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = registry.rules("oak")
    game = Game[Any].new(rules, 2)
    while game.pending[0].seat < 0:
        game.answer(-1, game.pending[0].options[0])
    seat = game.pending[0].seat
    with Thinking(rules) as thinking:
        await thinking.answer("easy", game, seat, Rng(b"r"))
        first = thinking._process.pid
        async with trio.open_nursery() as nursery:
            nursery.start_soon(thinking.answer, "hard", game, seat, Rng(b"r"))
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert nursery.cancel_scope.cancelled_caught
        assert thinking._process is None
        assert await thinking.answer("easy", game, seat, Rng(b"r")) in game.pending[0].options
        assert thinking._process.pid != first


@pytest.mark.trio
async def test_a_process_that_dies_is_told_of_in_a_sentence() -> None:
    rules = registry.rules("oak")
    game = Game[Any].new(rules, 2)
    while game.pending[0].seat < 0:
        game.answer(-1, game.pending[0].options[0])
    seat = game.pending[0].seat
    with Thinking(rules) as thinking:
        await thinking.answer("easy", game, seat, Rng(b"r"))
        thinking._process.kill()
        thinking._process.join()
        with pytest.raises(Failure, match="The process where the bot was thinking has ended"):
            await thinking.answer("easy", game, seat, Rng(b"r"))


@pytest.mark.trio
async def test_a_table_with_a_thinking_bot_says_so_and_ends() -> None:
    seats = (Seat("greedy", bot="greedy", place=0), Seat("easy", bot="easy", place=1))
    said: list[str] = []

    def emit(event: Event) -> None:
        if isinstance(event, Shown):
            said.append(turn_line(event.game, seats))

    send, commands = trio.open_memory_channel[Command](0)
    async with send, commands:
        await Local(registry.rules("five_towers"), seats, {}, b"seed").run(emit, commands)
    assert "B easy is thinking…" in said
    assert "Waiting for A greedy." in said
    assert said[-1] == "The game is over."
