"""One peer of a bench table, in a process of its own: plays a game, then sends the same bytes bare.

It is spoken to in JSON lines by `tests.bench.table`. Stamps are nanoseconds of the system's one monotonic
clock, so those of several processes can be compared.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import trio

from oaknet import registry
from oaknet.bots import bot
from oaknet.kernel import Rng
from oaknet_protocol import events, log, wire
from oaknet_protocol.identity import Identity
from oaknet_protocol.node import News, Node
from oaknet_protocol.session import Session, opening
from oaknet_protocol.signing import Signer, verify
from oaknet_protocol.tls import Doors, Invitation, invitation, peer_key
from oaknet_protocol.transport import dial, listen
from oaknet_protocol.verify import rules_named

HOST = "127.0.0.1"


@dataclass
class Stamps:
    """When steps began and ended here, by their numbers; ``begun`` only has those that this peer began."""

    begun: dict[int, int] = field(default_factory=dict[int, int])
    done: dict[int, int] = field(default_factory=dict[int, int])


async def told() -> Any:
    """The next line of standard input."""
    return json.loads(await trio.to_thread.run_sync(sys.stdin.readline))


def tell(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


class Player:
    """A peer at the table, as the client has one, with nothing on top: a bot decides at once."""

    def __init__(self, job: dict[str, Any], identity: Identity, opener: bytes) -> None:
        self.rules = registry.rules(job["game"])
        self.stamps = Stamps()
        self.messages = self.bytes = 0
        self._job, self._mind, self._rng = job, bot(job["bot"], job["game"]), Rng(bytes([job["number"]]))
        session = Session(
            identity.signer, rules_named({job["game"]: self.rules}), (job["name"],), bytes(32), opener=opener
        )
        self._send, self.news = trio.open_memory_channel[News](math.inf)
        self.node = Node(session, Path(job["folder"]) / "tables", self._hear)

    def _hear(self, item: News) -> None:
        if isinstance(item, events.Stepped):
            self.stamps.done[item.done.number] = time.monotonic_ns()
        elif isinstance(item, events.Send):
            links = len(self.node.links) if item.to is None else 1
            self.messages += links
            self.bytes += links * (4 + len(item.message))
        elif isinstance(item, events.Asked):
            self._send.send_nowait(item)

    async def play(self) -> None:
        async for item in self.news:
            assert isinstance(item, events.Asked)
            await trio.lowlevel.checkpoint()
            turn = self.node.session.turn(item.seat)
            while not turn.done:
                turn.answer(self._mind(turn.game.clone(), turn.seat, self._rng))
            transcript = self.node.session.transcript
            assert transcript is not None
            self.stamps.begun[transcript.step.number] = time.monotonic_ns()
            self.node.play(turn)


async def game(job: dict[str, Any], identity: Identity, doors: Doors, invited: Invitation) -> Path:
    """Play one game; returns its log."""
    async with trio.open_nursery() as nursery:
        peers: list[Player] = []

        async def attend(link: Any) -> None:
            await peers[0].node.attend(link)

        listener = await listen(nursery, doors, attend, host=HOST)
        tell(key=identity.key.hex(), port=listener.port)
        found = await told()
        opener = bytes.fromhex(found[0]["key"])
        player = Player(job, identity, opener)
        peers.append(player)
        if identity.key == opener:
            options: dict[str, str] = {}
            record = opening(identity.signer, player.rules, len(found), options, "bench", os.urandom(32))
            player.node.open(record)
        tell(listening=True)
        await told()
        for other in found[: job["number"]]:
            link = await dial(nursery, HOST, other["port"], invited, expect=bytes.fromhex(other["key"]))
            nursery.start_soon(player.node.attend, link)
        nursery.start_soon(player.play)
        await player.node.finish()
        nursery.cancel_scope.cancel()
    player.node.close()
    assert player.node.journal is not None
    path = player.node.journal.path
    stamps = player.stamps
    sizes = {"messages": player.messages, "bytes": player.bytes, "log": path.stat().st_size}
    tell(begun=stamps.begun, done=stamps.done, path=str(path), **sizes)
    return path


# -- the same bytes, bare ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """One entry of a step: whose it is, what is signed, and the message that carries it."""

    key: bytes
    data: bytes
    message: bytes


def steps(path: Path) -> list[list[Part]]:
    """The entries of a log by step; an entry's author is the one whose signature it bears."""
    data = path.read_bytes()
    found: list[list[Part]] = []
    keys: list[bytes] = []
    for framed in log.records(data, log.read_header(data)[1]):
        record = framed.record
        if record.kind == "charter":
            keys = [wire.decode(wire.Sit, sit).key for sit, _ in wire.decode(wire.Charter, record.data).sits]
        if record.kind == "entry":
            entry = wire.decode(wire.Entry, record.data)
            if entry.step == len(found):
                found.append([])
            found[entry.step].append(Part(keys[entry.author], record.data, wire.pack(record)))
    return found


class Bare:
    """A mesh of plain TLS streams: every message has one signature, made once and checked by all others.

    All steps are sent twice; the second time each message is on the disk before it is sent.
    """

    def __init__(self, signer: Signer, steps: list[list[Part]], file: BinaryIO) -> None:
        self.stamps = (Stamps(), Stamps())
        self._signer, self._file = signer, file
        self._steps = [(turn, number, step) for turn in range(2) for number, step in enumerate(steps)]
        self._streams: dict[bytes, trio.SSLStream[Any]] = {}
        self._waiting = {(turn, number, part.key) for turn, number, step in self._steps for part in step}
        self._connected = self._news = trio.Event()

    async def attend(self, tls: trio.SSLStream[Any]) -> None:
        """Take what a peer sends: its parts come in their order."""
        await tls.do_handshake()
        key = peer_key(tls.getpeercert(binary_form=True))
        self._streams[key] = tls
        self._tell()
        buffer = bytearray()
        for turn, number, part in ((turn, n, part) for turn, n, step in self._steps for part in step):
            if part.key != key:
                continue
            size = 4 + len(part.message)
            while len(buffer) < size:
                buffer += await tls.receive_some()
            assert buffer[4:size] == part.message
            assert verify(key, "entry", part.data, wire.decode(wire.Record, part.message).signatures[0])
            del buffer[:size]
            self._waiting.discard((turn, number, key))
            self._tell()
        await trio.sleep_forever()  # the stream would be closed, and others may still have to send

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    async def met(self, others: int) -> None:
        while len(self._streams) < others:
            await self._news.wait()

    async def run(self) -> None:
        for turn, number, step in self._steps:
            for part in step:
                if part.key == self._signer.key:
                    self.stamps[turn].begun[number] = time.monotonic_ns()
                    assert self._signer.sign("entry", part.data) in part.message
                    self._waiting.discard((turn, number, part.key))
                    if turn:
                        self._file.write(part.message)
                        os.fsync(self._file)
                    for stream in list(self._streams.values()):
                        await stream.send_all(log.frame(part.message))
            while any((turn, number, part.key) in self._waiting for part in step):
                await self._news.wait()
            self.stamps[turn].done[number] = time.monotonic_ns()


async def bare(
    job: dict[str, Any], identity: Identity, doors: Doors, invited: Invitation, path: Path
) -> None:
    with path.with_suffix(".bare").open("wb", buffering=0) as file:
        await _bare(identity, doors, invited, job["number"], Bare(identity.signer, steps(path), file))


async def _bare(identity: Identity, doors: Doors, invited: Invitation, dials: int, mesh: Bare) -> None:
    async with trio.open_nursery() as nursery:

        async def arrive(stream: trio.SocketStream) -> None:
            await mesh.attend(trio.SSLStream(stream, doors.context, server_side=True))

        (listener,) = await trio.open_tcp_listeners(0, host=HOST)
        nursery.start_soon(trio.serve_listeners, arrive, [listener])
        tell(key=identity.key.hex(), port=listener.socket.getsockname()[1])
        found = await told()
        for other in found[:dials]:
            stream = await trio.open_tcp_stream(HOST, other["port"])
            tls = trio.SSLStream(stream, invited.context, server_hostname=invited.name)
            nursery.start_soon(mesh.attend, tls)
        await mesh.met(len(found) - 1)
        tell(connected=True)
        await told()
        await mesh.run()
        tell(**{name: vars(stamps) for name, stamps in zip(("bare", "kept"), mesh.stamps, strict=True)})
        await told()
        nursery.cancel_scope.cancel()


async def main() -> None:
    job = await told()
    identity = Identity.load_or_make(Path(job["folder"]) / "identity.key")
    secret = bytes.fromhex(job["secret"])
    doors, invited = Doors(identity), invitation(identity, secret)
    doors.open(secret)
    path = await game(job, identity, doors, invited)
    if job["bare"]:
        await bare(job, identity, doors, invited, path)


if __name__ == "__main__":
    trio.run(main)
