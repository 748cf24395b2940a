"""Whole games between sessions back to back, without a network: the logs that the benches look at."""

from __future__ import annotations

from oaknet import registry
from oaknet.bots import bot
from tests.bench.table import SEATS
from tests.protocol.mesh import Mesh


def greedy_log(game: str, seats: int = SEATS) -> bytes:
    """The log of a game between as many peers, always the same; all of them signed the result."""
    names: list[tuple[str, ...]] = [(f"peer {seat}",) for seat in range(seats)]
    mesh = Mesh(registry.rules(game), names, salt="bench", bot=bot("greedy", game)).start().play()
    return mesh.log(mesh.peers[0])
