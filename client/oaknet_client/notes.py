"""What is kept beside a table to come back to it: how to get in, who sits here, where the others are.

It lies in the table's ``table.json``, with the invite's secret: whoever has it can knock at the table.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oaknet_client.feed import Seat
from oaknet_protocol.reach import Place

LEAP = 2**20
"""How much the counter of what we say rises with each start at least, however wrong the clock is."""


@dataclass(slots=True)
class Notes:
    """``opener`` is the key hash of the invite, ``seed`` what gives the secret of a table open to its network
    (empty: none). ``places`` are where peers said that they are, by key in hex; the empty key is whoever is
    invited. ``data`` is the path of another data file, or empty.
    """

    secret: bytes
    opener: bytes
    seats: tuple[Seat, ...]
    port: int = 0
    seed: bytes = b""
    lan: bool = True
    data: str = ""
    counter: int = 0
    places: dict[str, tuple[Place, ...]] = field(default_factory=dict[str, tuple[Place, ...]])

    @classmethod
    def read(cls, notes: Mapping[str, Any]) -> Notes:
        """Raises `KeyError`, `TypeError` or `ValueError` for what is none."""
        return cls(
            bytes.fromhex(notes["secret"]),
            bytes.fromhex(notes["opener"]),
            tuple(Seat(str(name), str(bot)) for name, bot in notes["seats"]),
            int(notes["port"]),
            bytes.fromhex(notes["seed"]),
            bool(notes["lan"]),
            str(notes["data"]),
            int(notes["counter"]),
            {
                str(key): tuple((str(host), int(port)) for host, port in places)
                for key, places in notes["places"].items()
            },
        )

    def written(self) -> dict[str, Any]:
        """The notes as JSON-able data."""
        return {
            "secret": self.secret.hex(),
            "opener": self.opener.hex(),
            "seats": [[seat.name, seat.bot] for seat in self.seats],
            "port": self.port,
            "seed": self.seed.hex(),
            "lan": self.lan,
            "data": self.data,
            "counter": self.counter,
            "places": {key: [list(place) for place in places] for key, places in self.places.items()},
        }

    def leap(self) -> None:
        """A new start: from here on the counter is above all used before, even if the clock was set back."""
        self.counter = max(time.time_ns() // 1_000_000, self.counter + LEAP)

    def count(self) -> int:
        """The next number for something said."""
        self.counter += 1
        return self.counter
