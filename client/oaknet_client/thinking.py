"""Bots that need time think in a process of their own, so that neither screen nor network ever waits.

One such process serves a table. It starts with the first thought and is ended with the table, or when a
thought is cancelled: there is nothing in it to lose. What goes in is the position as saved, what comes out is
the answer.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
from collections.abc import Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Self

import trio

from oaknet.bots import STRENGTHS, Bot, bot
from oaknet.kernel import Game, Option, Plain, Rng, Rules
from oaknet_client.failures import Failure
from oaknet_protocol.turn import Turn

Thought = tuple[str, Plain, int, bytes]
"""What to think about: the bot, the position as saved, the seat, and a seed for the bot."""


class Thinking:
    """The bots of one table; ``rules`` are the table's.

    Use it as a context manager: leaving ends the process.
    """

    def __init__(self, rules: Rules[Any]) -> None:
        self._rules = rules
        self._bots: dict[str, Bot] = {}
        self._process: Any = None
        self._pipe: Connection | None = None
        self._one = trio.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    async def move(self, name: str, turn: Turn[Any], rng: Rng) -> Sequence[Option]:
        """Let the bot of that name make a whole move: it fills ``turn``; returns the answers.

        Cancelling ends the thought at once.
        """
        while not turn.done:
            turn.answer(await self.answer(name, turn.game, turn.seat, rng))
        return turn.answers

    async def answer(self, name: str, game: Game[Any], seat: int, rng: Rng) -> Option:
        """The bot's answer to the question that waits for ``seat``; raises `UnknownBot`."""
        if name not in STRENGTHS:
            if name not in self._bots:
                self._bots[name] = bot(name, self._rules.name)
            await trio.lowlevel.checkpoint()
            return self._bots[name](game.clone(), seat, rng)
        ask = game.asked(seat)
        assert ask is not None, f"seat {seat} is not asked"
        thought = name, game.saved(), seat, rng.word().to_bytes(8, "big")
        async with self._one:
            index = await self._think(thought)
        return ask.options[index]

    def close(self) -> None:
        """End the process, and with it whatever it is thinking about."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None
        self._pipe = None  # not closed: a thread may still be reading from it, and will find its end

    async def _think(self, thought: Thought) -> int:
        """The index of the option that the process comes to."""
        try:
            if self._pipe is None:
                await trio.to_thread.run_sync(self._start)
            assert self._pipe is not None
            self._pipe.send(thought)
            index = await trio.to_thread.run_sync(self._pipe.recv, abandon_on_cancel=True)
        except (EOFError, OSError):
            self.close()
            raise Failure("The process where the bot was thinking has ended. Start the game anew.") from None
        except trio.Cancelled:
            self.close()
            raise
        assert isinstance(index, int)
        return index

    def _start(self) -> None:
        # What tracks resources for multiprocessing hands on standard error, and on a screen that is none.
        with contextlib.redirect_stderr(sys.__stderr__):
            resource_tracker.ensure_running()
        context = multiprocessing.get_context("spawn")
        pipe, far = context.Pipe()
        process = context.Process(target=_serve, args=(far, self._rules), name="thinking", daemon=True)
        process.start()
        self._pipe, self._process = pipe, process
        far.close()


def _serve(pipe: Connection, rules: Rules[Any]) -> None:
    """The process: think about one position after the other until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    while True:
        try:
            name, saved, seat, seed = pipe.recv()
        except EOFError:
            return
        game = Game[Any].load(rules, saved)
        ask = game.asked(seat)
        assert ask is not None
        option = bot(name, rules.name)(game, seat, Rng(seed))
        pipe.send(ask.options.index(option))
