"""Looks around while the home screen is shown. It loads network, keys and games in a thread of its own, since
the screen must be there before they are."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from oaknet_client.around import News
    from oaknet_client.bridge import Bridge

Tell: TypeAlias = "Callable[[News], None]"

PATIENCE = 1.0
"""Seconds that the end waits for what is still being loaded."""


class Lookout:
    """Tells, from threads of its own, what there is around; news of a kind replace what was told before."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._bridge: Bridge | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="lookout", daemon=True)

    def start(self) -> None:
        """Begin to look; returns at once."""
        self._thread.start()

    def cancel(self) -> None:
        """Look no more, without waiting for the end."""
        self._stopping = True
        if self._bridge is not None:
            self._bridge.cancel()

    def stop(self) -> bool:
        """Look no more; says whether it has ended in time."""
        self.cancel()
        if self._thread.ident is not None:
            self._thread.join(PATIENCE)
        return not self._thread.is_alive() and (self._bridge is None or self._bridge.stop())

    def _run(self) -> None:
        from oaknet_client.around import Mine, Nearby, Search, mine
        from oaknet_client.bridge import Bridge
        from oaknet_client.failures import explain
        from oaknet_client.feed import Event, Failed

        try:
            self._tell(mine())
        except Exception as error:  # the thread's last: whatever it is, the screen must hear of it
            self._tell(Mine(trouble=explain(error).sentence))

        def failed(event: Event) -> None:
            if isinstance(event, Failed):
                self._tell(Nearby(trouble=event.sentence))

        bridge = Bridge(Search(self._tell), failed)
        if not self._stopping:
            bridge.start()
            self._bridge = bridge
            if self._stopping:  # meanwhile
                bridge.cancel()
