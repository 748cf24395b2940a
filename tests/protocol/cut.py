"""Games whose connections are cut wherever they can be: ``python -m tests.protocol.cut [PART …]``.

A part is KIND-GAME-PEERS; without arguments all of `PARTS` are played. The kinds: ``frames``, cut once,
before or after each frame of each connection, a game for each place; ``rough``, the same while each frame
arrives 1 to 3 times and up to 2 s late; ``bytes``, cut at each byte of all frames of one whole draw; ``tls``,
cut all along the first bytes of the connections, handshakes and draws among them; ``often``, rough, and cut
after every so many frames all through one game.

Each game must end with the log that it has without any cut, byte for byte, at all peers; nothing is signed
twice, and no seat penalised.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from oaknet.kernel import Rng, Rules
from oaknet.registry import rules
from tests.engine.toys import Market
from tests.protocol.atwork import STAYS, Room, disk
from tests.protocol.proxy import Conditions, Pipe
from tests.protocol.scenes import entry_in

GAMES: dict[str, Callable[[], Rules[Any]]] = {"market": Market, "five_towers": partial(rules, "five_towers")}
PARTS = (
    "frames-market-2",
    "frames-market-3",
    "frames-market-4",
    "frames-five_towers-2",
    "frames-five_towers-3",
    "rough-market-2",
    "rough-market-3",
    "rough-market-4",
    "bytes-market-2",
    "bytes-market-3",
    "tls-market-2",
    "often-five_towers-4",
    "often-market-4",
)
ROUGH = {"delay": 2000, "copies": 3}
STRIDE = 7
"""Bytes from one cut through TLS to the next."""
FIRST = 6000
"""How many bytes each way these go through."""
OFTEN = range(9, 30)
"""After how many frames ``often`` cuts."""
GRACE = 60
"""Seconds that a peer is waited for where one cut is made."""
SOON = 10.0
"""Seconds of the table's clock within which a cut connection must have done no more harm: before peers say
again where they stand because nothing moves."""
DAWDLED = 600
"""Seconds after which a game has failed, and that a peer is waited for in ``often``. Each cut makes peers say
again whom they reach, and this brings the next cut nearer: where it comes every few frames, one peer may hear
nothing new for a minute, though the others can reach it all the while."""
STAYED = 2 * STAYS
"""Seconds that players may stay after the result, for each other and for who is linked to them."""


@dataclass(frozen=True)
class Cut:
    """One place to cut at: ``number`` of a frame on a pipe, or the frame with this content, and how many of
    its bytes pass."""

    pipe: Pipe
    number: int = -1
    data: bytes = b""
    at: int = 0


@dataclass
class Game:
    """A game without cuts, and where it can be cut."""

    name: str
    players: int
    tls: bool = False
    options: dict[str, str] = field(default_factory=dict[str, str])
    log: bytes = b""
    passed: list[tuple[Pipe, int, bytes]] = field(default_factory=list[tuple[Pipe, int, bytes]])

    def __post_init__(self) -> None:
        conditions = self.conditions("whole")
        conditions.seen = lambda pipe, number, data: self.passed.append((pipe, number, data))
        self.played(conditions)

    def conditions(self, salt: str, **more: int) -> Conditions:
        """What happens between the peers, apart from cuts."""
        return Conditions(Rng(f"cut {salt}".encode()), framed=not self.tls, **more)

    def played(self, conditions: Conditions) -> float:
        """Play the game under these conditions; returns how many seconds of its own clock it took."""
        with disk() as folder:
            rules, options = GAMES[self.name](), {"grace": str(GRACE), **self.options}
            room = Room(
                rules,
                self.players,
                folder,
                conditions,
                options=options,
                tls=self.tls,
                longest=DAWDLED + STAYED,
            )
            log = room.play().whole()
        self.log = self.log or log
        assert log == self.log, "another game than without cuts"
        return room.took

    # -- where to cut ----------------------------------------------------------------------------------------

    def frames(self) -> Iterator[Cut]:
        """Before each frame of each pipe, and after the last."""
        count: dict[Pipe, int] = {}
        for pipe, number, _ in self.passed:
            count[pipe] = number + 1
            yield Cut(pipe, number)
        yield from (Cut(pipe, number) for pipe, number in count.items())

    def draw(self) -> Iterator[Cut]:
        """At each byte of each frame of the first draw that a move begins: the move, and all shares."""
        entries = [(pipe, data, entry_in(data[4:])) for pipe, _, data in self.passed]
        step = next(e.step for _, _, e in entries if e and e.kind == "move" and len(e.body[-1]) == 32)
        seen: dict[tuple[Pipe, bytes], None] = {}
        for pipe, data, entry in entries:
            begun = entry is not None and (entry.kind, entry.step) == ("move", step)
            drawn = entry is not None and (entry.kind, entry.step) == ("share", step + 1)
            if (begun or drawn) and (pipe, data) not in seen:
                seen[pipe, data] = None
                yield from (Cut(pipe, data=data, at=at) for at in range(len(data) + 1))

    def bytes(self) -> Iterator[Cut]:
        """All along the first bytes of each pipe, as they are sent; a piece is what is sent at once."""
        count: dict[Pipe, int] = {}
        for pipe, number, data in self.passed:
            start = count.get(pipe, 0)
            count[pipe] = start + len(data)
            for at in range(-start % STRIDE, len(data), STRIDE):
                if start + at < FIRST:
                    yield Cut(pipe, number, at=at)

    # -- cutting ---------------------------------------------------------------------------------------------

    def once(self, cut: Cut, **more: int) -> tuple[int, float]:
        """A game with one cut; returns how many there were, and how many seconds of its own clock it took."""
        left = [cut]

        def cuts(pipe: Pipe, number: int, data: bytes) -> int | None:
            if not left or pipe != cut.pipe or (data != cut.data if cut.data else number != cut.number):
                return None
            left.clear()
            return cut.at

        conditions = self.conditions(f"{cut.number} {cut.at}", **more)
        conditions.cuts = cuts
        took = self.played(conditions)
        assert took < (DAWDLED if more else SOON), (cut, took)
        return 1 - len(left), took

    def often(self, every: int, **more: int) -> tuple[int, float]:
        """A game in which each pipe is cut after every so many frames; returns the same."""
        count = 0

        def cuts(pipe: Pipe, number: int, data: bytes) -> int | None:
            nonlocal count
            if number % every != every - 1:
                return None
            count += 1
            return conditions.rng.below(len(data) + 1)

        conditions = self.conditions(f"every {every}", **more)
        conditions.cuts = cuts
        took = self.played(conditions)
        assert took < DAWDLED, took
        return count, took


def main(*parts: str) -> None:
    """Play; fails at the end if any game did, and says where those were cut."""
    failed = 0
    for part in parts or PARTS:
        kind, name, players = part.split("-")
        start = time.process_time()
        short = {"pace": "fast"} if name == "market" and kind in ("bytes", "tls") else {}
        short |= {"grace": str(DAWDLED)} if kind == "often" else {}
        game = Game(name, int(players), tls=kind == "tls", options=short)
        more = ROUGH if kind in ("rough", "often") else {}
        cases: Iterator[Cut | int]
        cases = (
            iter(OFTEN)
            if kind == "often"
            else {"bytes": game.draw, "tls": game.bytes}.get(kind, game.frames)()
        )
        cuts, took = 0, [0.0]
        for case in cases:
            try:
                found, seconds = (
                    game.often(case, **more) if isinstance(case, int) else game.once(case, **more)
                )
            except (AssertionError, ExceptionGroup) as error:
                failed += 1
                print(part, case, repr(error), flush=True)
            else:
                cuts += found
                took.append(seconds)
        cpu = round(time.process_time() - start)
        told = {
            "part": part,
            "games": len(took) - 1,
            "cuts": cuts,
            "longest": round(max(took), 1),
            "cpu": cpu,
        }
        print(json.dumps(told), flush=True)
    assert not failed, f"{failed} games went wrong"


if __name__ == "__main__":
    main(*sys.argv[1:])
