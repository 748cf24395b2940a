"""A peer in a process of its own that a bot plays; started by ``oaknet demo``, spoken to in JSON lines.

In: one line with its task, then one with the addresses to dial. Out: ``ready`` with its key and port, then
``result`` or ``error``. It ends when its standard input does.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import trio

from oaknet import registry
from oaknet_client.failures import UNREACHABLE, explain
from oaknet_client.feed import Command, Ended, Event, Seat
from oaknet_client.net import Address, Invite, Network
from oaknet_protocol.identity import Identity
from oaknet_protocol.verify import rules_named


def task(game: str, data: str | None, seat: Seat, invite: Invite, folder: Path) -> dict[str, Any]:
    """The first line that such a peer reads."""
    return {
        "game": game,
        "data": data,
        "name": seat.name,
        "bot": seat.bot,
        "secret": invite.secret.hex(),
        "opener": invite.opener.hex(),
        "folder": str(folder),
    }


def addresses(found: Sequence[Mapping[str, Any]]) -> list[Address]:
    """The addresses in a line of JSON."""
    return [Address(bytes.fromhex(one["key"]), one["host"], one["port"]) for one in found]


class _Lines:
    """Standard input, line by line, read in a thread that may be left behind."""

    def __init__(self) -> None:
        self._rest = b""

    async def next(self) -> Any:
        """The next line's JSON value, None at the end."""
        while b"\n" not in self._rest:
            more = await trio.to_thread.run_sync(os.read, 0, 65536, abandon_on_cancel=True)
            if not more:
                return None
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)


def _say(record: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


async def _play(lines: _Lines) -> None:
    job: dict[str, Any] | None = await lines.next()
    if job is None:
        return
    folder = Path(job["folder"])
    identity = Identity.load_or_make(folder / "identity.key")

    async def meet(key: bytes, port: int) -> Sequence[Address]:
        _say({"event": "ready", "key": key.hex(), "port": port})
        found = await lines.next()
        nursery.start_soon(until_alone)
        return addresses(found or [])

    async def until_alone() -> None:
        while await lines.next() is not None:
            pass
        nursery.cancel_scope.cancel()

    def emit(event: Event) -> None:
        if isinstance(event, Ended):
            _say(event.result.record())

    invite = Invite(bytes.fromhex(job["secret"]), bytes.fromhex(job["opener"]))
    rules = rules_named({job["game"]: registry.rules(job["game"], job["data"])})
    seats = [Seat(job["name"], bot=job["bot"])]
    feed = Network(rules, identity, seats, invite, folder / "tables", meet)
    _, commands = trio.open_memory_channel[Command](0)
    async with trio.open_nursery() as nursery:
        await feed.run(emit, commands)
        nursery.cancel_scope.cancel()


def main() -> int:
    """Play one table; returns the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    try:
        trio.run(_play, _Lines())
    except (Exception, BaseExceptionGroup) as error:
        failure = explain(error)
        try:
            _say({"event": "error", "message": failure.sentence, "status": failure.status})
        except BrokenPipeError:
            return UNREACHABLE
        return failure.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
