"""Actions by name, so that one rule can do another's without importing it (oak 1.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from oaknet.kernel import Rule
from oaknet.oak.box import Cost
from oaknet.oak.state import State

Deed: TypeAlias = Callable[[State, int], Rule[None]]
"""Something a seat does: called with the state and the seat."""

Can: TypeAlias = Callable[[State, int, Cost], bool]
"""Whether a seat that still owes a cost can pay it, and then do something."""


class Action(NamedTuple):
    """``can`` tells whether a seat can pay what it owes and then ``do`` this with some effect."""

    can: Can
    do: Deed


ACTIONS: dict[str, Action] = {}
"""Every action that a temple space, a special space, a potion, a creature or a replay names; the package
fills it from its chapters."""
