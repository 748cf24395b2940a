"""Integers from a seed, without Python's own random numbers (engine 3.3; beacon 5)."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from oaknet.kernel.ask import CHANCE, Ask, Option
from oaknet.kernel.canonical import hashed

if TYPE_CHECKING:
    from oaknet.kernel.game import Game

_SPAN = 1 << 64
_U32 = 4
"""The length of the part that numbers a word."""


class Rng:
    """Words from a seed of bytes: word i is the first 8 bytes of ``H("rng", seed, u32 i)``, i from 0."""

    __slots__ = ("_begun", "_next")

    def __init__(self, seed: bytes) -> None:
        self._begun = hashed("rng", seed) + _U32.to_bytes(4, "big")  # but for u32 i the same for all words
        self._next = 0

    def word(self) -> int:
        """The next word, 0 … 2**64 - 1."""
        number = self._next
        self._next = number + 1
        return int.from_bytes(sha256(self._begun + number.to_bytes(4, "big")).digest()[:8], "big")

    def below(self, n: int) -> int:
        """The next integer in 0 … n - 1, each equally likely; raises `ValueError` if n < 1."""
        if not 1 <= n <= _SPAN:
            raise ValueError(f"below({n}) has no answer")
        limit = _SPAN - _SPAN % n
        while (word := self.word()) >= limit:  # such words would favour the small remainders
            pass
        return word % n

    def shuffled(self, n: int) -> tuple[int, ...]:
        """The numbers 0 … n - 1 in a drawn order: for i = n-1 … 1 swap place i with place below(i + 1)."""
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)


def weighted(rng: Rng, weights: tuple[int, ...]) -> int:
    """The index of the first weight whose running sum exceeds ``below(sum)``."""
    t = rng.below(sum(weights))
    if max(weights) == 1:  # then the running sum is the index: no need to add up
        return t
    for index, weight in enumerate(weights):
        if t < weight:
            return index
        t -= weight
    raise AssertionError("weights are 1 or more")


def sample(rng: Rng, ask: Ask) -> Option:
    """The answer chance gives to one of its questions."""
    return ask.options[weighted(rng, ask.weights)]


def resolve(game: Game[Any], rng: Rng) -> None:
    """Let chance answer until a seat is asked or the game is over; one seed serves all of it (beacon 5.3)."""
    while game.pending and game.pending[0].seat == CHANCE:
        game.answer(CHANCE, sample(rng, game.pending[0]))
