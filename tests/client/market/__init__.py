"""The toy game of the engine's tests as a package that the registry can find."""

from __future__ import annotations

from tests.engine.toys import Market


def make(text: str) -> Market:
    """The rules with the numbers in this data file text."""
    return Market(text)
