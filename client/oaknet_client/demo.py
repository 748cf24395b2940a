"""``oaknet demo``: real peers, each a process of its own, play one table over TLS on this machine.

The first peer is this process, with the person's seat or a bot's; the others are `oaknet_client.bot_peer`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import trio

from oaknet.kernel import Rules
from oaknet_client import bot_peer
from oaknet_client.failures import FAILED, NOT_VERIFIED, UNREACHABLE, Failure
from oaknet_client.feed import Command, Emit, Result, Seat
from oaknet_client.net import HOST, Address, Invite, Network, Terms
from oaknet_protocol.identity import Identity
from oaknet_protocol.verify import BadLog, rules_named, verify

READY_TIME = 60
"""Seconds that all peers have to start."""
END_TIME = 15
"""Seconds that the other peers have to report after the end."""


@dataclass(slots=True)
class Demo:
    """The feed of the first peer, which starts the others.

    ``seats[0]`` is played here. ``folder`` gets one folder a peer with its identity and its log.
    """

    rules: Rules[Any]
    seats: Sequence[Seat]
    options: Mapping[str, str]
    folder: Path
    data: str | None = None
    _peers: list[_Process] = field(default_factory=lambda: list[_Process]())

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Play the table to its end and compare what all peers have (`oaknet_client.feed.Feed`)."""
        identity = Identity.load_or_make(self.folder / "peer-1" / "identity.key")
        invite = Invite(os.urandom(16), identity.key)
        async with trio.open_nursery() as nursery:
            for number, seat in enumerate(self.seats[1:], 2):
                folder = self.folder / f"peer-{number}"
                job = bot_peer.task(self.rules.name, self.data, seat, invite, folder)
                self._peers.append(await _Process.start(nursery, folder, job))
            known: dict[bytes, str] = {}

            async def meet(key: bytes, port: int) -> Sequence[Address]:
                found = [Address(key, HOST, port)]
                with trio.move_on_after(READY_TIME) as patience:
                    for peer, seat in zip(self._peers, self.seats[1:], strict=True):
                        ready = await peer.expect("ready")
                        address = Address(bytes.fromhex(ready["key"]), HOST, ready["port"])
                        known[address.key] = seat.bot
                        await peer.tell([_written(one) for one in found])
                        found.append(address)
                if patience.cancelled_caught:
                    raise Failure(f"The other peers did not start within {READY_TIME} seconds.", FAILED)
                return []

            terms = Terms(self.rules, len(self.seats), self.options)
            rules = rules_named({self.rules.name: self.rules})
            tables = self.folder / "peer-1" / "tables"
            here = Network(
                rules, identity, self.seats[:1], invite, tables, meet, terms, known, self._compared
            )
            await here.run(emit, commands)
            nursery.cancel_scope.cancel()

    async def _compared(self, result: Result) -> Result:
        """The result with all logs, after every peer has reported the same and every log verifies."""
        logs = [result.log]
        with trio.move_on_after(END_TIME) as patience:
            for peer in self._peers:
                theirs = await peer.expect("result")
                for fact in ("table", "transcript", "digest", "scores", "winner"):
                    if theirs[fact] != result.record()[fact]:
                        raise Failure(f"The peers disagree about the {fact} of the table.", NOT_VERIFIED)
                logs.append(theirs["log"])
        if patience.cancelled_caught:
            raise Failure("A peer did not report its result.", UNREACHABLE)
        for log in logs:
            self._check(log, result)
        return replace(result, logs=tuple(logs))

    def _check(self, log: str, result: Result) -> None:
        try:
            reading = verify(Path(log).read_bytes(), rules_named({self.rules.name: self.rules}))
        except BadLog as fault:
            raise Failure(f"{log}: {fault}", fault.status) from fault
        if reading.result.transcript.hex() != result.transcript:
            raise Failure(f"{log}: this log is of another transcript.", NOT_VERIFIED)


@dataclass(slots=True)
class _Process:
    """A peer in a process of its own."""

    process: trio.Process
    rest: bytes = b""

    @classmethod
    async def start(cls, nursery: trio.Nursery, folder: Path, job: Mapping[str, Any]) -> _Process:
        with _errors(folder) as errors:
            run = partial(
                trio.run_process,
                [sys.executable, "-m", "oaknet_client.bot_peer"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                check=False,
            )
            process: trio.Process = await nursery.start(run)
        peer = cls(process)
        await peer.tell(job)
        return peer

    async def tell(self, value: object) -> None:
        """Write a line to it; one that is gone does not hear it, and `expect` says so."""
        assert self.process.stdin is not None
        try:
            await self.process.stdin.send_all(json.dumps(value).encode() + b"\n")
        except trio.BrokenResourceError:
            return

    async def expect(self, event: str) -> dict[str, Any]:
        """The next line, which must be this event; raises `Failure` with what the peer says instead."""
        assert self.process.stdout is not None
        while b"\n" not in self.rest:
            more = await self.process.stdout.receive_some()
            if not more:
                raise Failure("A peer of the table has stopped.", UNREACHABLE)
            self.rest += bytes(more)
        line, _, self.rest = self.rest.partition(b"\n")
        record: dict[str, Any] = json.loads(line)
        if record["event"] != event:
            raise Failure(record.get("message", "A peer of the table has failed."), record.get("status", 1))
        return record


def _errors(folder: Path) -> BinaryIO:
    """What a peer writes to standard error goes beside its other files."""
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / "errors.txt").open("wb")


def _written(address: Address) -> dict[str, object]:
    return {"key": address.key.hex(), "host": address.host, "port": address.port}
