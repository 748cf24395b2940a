"""Reaching the peers of a table: dialling where they said they are, again and again, with growing pauses.

One link a peer is enough: where both have dialled, that one stays which the lower key has dialled
(session 6.3, 6.5).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import get_args

import trio

from oaknet_protocol.tls import Invitation
from oaknet_protocol.transport import ConnectFault, Link, Step, dial

FIRST_PAUSE = 1.0
"""Seconds before the second try; each pause after that is twice as long."""
LONGEST_PAUSE = 30.0
"""Seconds between tries at the most."""

STAGGER = 0.25
"""Seconds between the beginnings of tries at the places of one peer."""

_STEPS = get_args(Step)

Place = tuple[str, int]
"""A host and a port."""


@dataclass(slots=True)
class Reach:
    """Dials a peer wherever it may be until there is a link with it, and again when that is over.

    ``attend`` is awaited with each link; ``linked`` says whether there is one. Failures go to ``failed``,
    with the key and of all places the fault that came farthest. The key may be empty: then anybody who is
    invited may answer there.
    """

    invited: Invitation
    attend: Callable[[Link], Awaitable[None]]
    linked: Callable[[bytes], bool]
    failed: Callable[[bytes, ConnectFault], None]
    places: dict[bytes, tuple[Place, ...]] = field(default_factory=dict[bytes, tuple[Place, ...]])
    _hurry: trio.Event = field(default_factory=trio.Event)
    _moved: trio.Event = field(default_factory=trio.Event)
    _scopes: dict[bytes, trio.CancelScope] = field(default_factory=dict[bytes, trio.CancelScope])

    def hurry(self) -> None:
        """Try at once, whatever pause it is."""
        self._hurry.set()
        self._hurry = trio.Event()

    def moved(self) -> None:
        """Try at once and anew: the machine has woken up, or the network is another one, and what was tried
        before it hangs."""
        self._moved.set()
        self._moved = trio.Event()
        self.hurry()

    def at(self, nursery: trio.Nursery, key: bytes, places: tuple[Place, ...]) -> None:
        """A peer is to be found at these places: dial it there from now on."""
        before = self.places.get(key)
        self.places[key] = places
        if before is not None and places != before:
            self.hurry()
        elif before is None:
            nursery.start_soon(self._keep_dialling, nursery, key)

    def forget(self, key: bytes) -> None:
        """Dial this peer no more."""
        self.places.pop(key, None)
        scope = self._scopes.pop(key, None)
        if scope is not None:
            scope.cancel()

    async def _keep_dialling(self, nursery: trio.Nursery, key: bytes) -> None:
        pause = FIRST_PAUSE
        with trio.CancelScope() as scope:
            self._scopes[key] = scope
            while key in self.places:
                if self.linked(key):
                    pause = FIRST_PAUSE
                elif await self._try(nursery, key):
                    pause = FIRST_PAUSE
                    continue
                hurry = self._hurry
                with trio.move_on_after(pause):
                    await hurry.wait()
                    pause = FIRST_PAUSE
                    continue
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _try(self, nursery: trio.Nursery, key: bytes) -> bool:
        """Try all places, one after the other without waiting for what hangs; attend the first link to its
        end. Says whether there was one that lasted."""
        link = await self._first(nursery, key)
        if link is None:
            return False
        since = trio.current_time()
        await self.attend(link)
        await link.aclose()
        return trio.current_time() - since >= FIRST_PAUSE  # who hangs up at once is not dialled in a loop

    async def _first(self, nursery: trio.Nursery, key: bytes) -> Link | None:
        found: list[Link] = []
        faults: list[ConnectFault] = []
        again: list[None] = []

        async def attempt(number: int, host: str, port: int) -> None:
            await trio.sleep(number * STAGGER)
            try:
                link = await dial(nursery, host, port, self.invited, expect=key or None)
            except ConnectFault as fault:
                faults.append(fault)
                return
            if found:
                link.drop("another address was faster")
                return
            found.append(link)
            tries.cancel_scope.cancel()

        async def moved() -> None:
            await self._moved.wait()
            again.append(None)
            tries.cancel_scope.cancel()

        async def all_places() -> None:
            async with trio.open_nursery() as attempts:
                for number, (host, port) in enumerate(self.places.get(key, ())):
                    attempts.start_soon(attempt, number, host, port)
            tries.cancel_scope.cancel()

        async with trio.open_nursery() as tries:
            tries.start_soon(moved)
            tries.start_soon(all_places)
        if again and not found:
            return await self._first(nursery, key)
        if not found and faults:
            self.failed(key, max(faults, key=lambda fault: _STEPS.index(fault.step)))
        return found[0] if found else None
