"""A peer in the local network: ``python -m tests.protocol.lan_peer announce|browse|flood|shout TABLE``.

It ends with the facts that it saw, one JSON object a line, or when its standard output is closed.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import struct
import sys
from pathlib import Path

import trio

from oaknet_protocol.announcement import OpenTable, written
from oaknet_protocol.discovery import FLOODED, Interface, Lan, Seen

PORT = 4711
LOOPBACK = Interface("127.0.0.1", 1, "lo")


def table(text: str, free: int = 2) -> OpenTable:
    return OpenTable(bytes.fromhex(text), "oak", free, 4, bytes(16), "Ann", bytes(16))


def shown(seen: Seen, text: str) -> list[list[str]]:
    """The hosts of each announcement of this table."""
    return [[*found.hosts] for found in seen.tables if getattr(found.table, "table", b"").hex() == text]


def memory() -> int:
    """MiB of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 // 2**20


async def announce(text: str) -> None:
    lan = Lan(period=0.2)
    lan.announce(table(text), PORT)
    await lan.run()


async def browse(text: str) -> None:
    lan = Lan(period=0.2)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lan.run)
        async for seen in lan.seen:
            print(json.dumps({"hosts": shown(seen, text), "trouble": seen.trouble}), flush=True)


# -- a flood -------------------------------------------------------------------------------------------------


def name(*labels: bytes) -> bytes:
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


SERVICE = (b"_oaknet", b"_tcp", b"local")


def answer(labels: tuple[bytes, ...], kind: int, data: bytes) -> bytes:
    return name(*labels) + struct.pack("!HHIH", kind, 1, 4500, len(data)) + data


def packet(*answers: bytes) -> bytes:
    return struct.pack("!6H", 0, 0x8400, 0, len(answers), 0, 0) + b"".join(answers)


def announced(label: bytes, text: bytes) -> bytes:
    """A whole announcement: PTR, SRV, TXT, A."""
    instance, host = (label, *SERVICE), (b"host", b"local")
    return packet(
        answer(SERVICE, 12, name(*instance)),
        answer(instance, 33, struct.pack("!HHH", 0, 0, 4711) + name(*host)),
        answer(instance, 16, text),
        answer(host, 1, socket.inet_aton("198.51.100.66")),
    )


def hostile() -> list[bytes]:
    good = b"oak-0123456789abcdef"
    return [
        b"",
        b"\0",
        secrets.token_bytes(65507),
        bytes(65507),
        packet() + b"\xff" * 9000,
        struct.pack("!6H", 0, 0x8400, 0, 65535, 65535, 65535),
        packet(b"\xc0\x0c" * 30),  # a name that points at itself
        announced(b"oak-\xff\xfe\xfd", b"\x03v=1"),
        announced(b"oak-\x1b[2J\x07", b"\x03v=1"),
        announced(b"x" * 63, b"\xff" * 255),
        announced(good, b"\x03v=1\x05by=\xff\xfe"),
        announced(good, b"\x03v=1\x22g=" + b"\x1b" * 32),
        announced(good, b"\xff" + b"v" * 255),
        announced(good, b""),
        announced(good, b"\xff" + b"a" * 255 + b"\xff" + b"b" * 8000),
    ]


async def shout(text: str) -> None:
    """Everything hostile, and a thousand tables that could all be there, again and again for good."""
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    number = 0
    while True:
        for data in hostile():
            with contextlib.suppress(OSError):  # one that the network cannot carry
                out.sendto(data, ("224.0.0.251", 5353))
        for _ in range(1000):
            number += 1
            record = written(OpenTable(number.to_bytes(16, "big"), "oak", 2, 4, bytes(16), "[/]", bytes(16)))
            pairs = [key + b"=" + (value or b"") for key, value in record.items()]
            data = b"".join(bytes([len(pair)]) + pair for pair in pairs)
            out.sendto(announced(b"oak-%016x" % number, data), ("224.0.0.251", 5353))
            if number % 50 == 0:
                await trio.sleep(0.01)


async def flood(text: str) -> None:
    """Shout at ourselves: first what is broken, then 10,000 different tables, then an honest one."""
    lan, other = (Lan(lambda: (LOOPBACK,), period=0.2, quiet=0.2) for _ in range(2))
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
    said = trio.Event()
    most = 0

    async def watch() -> None:
        nonlocal most
        async for seen in lan.seen:
            if seen.trouble == FLOODED:
                said.set()
            most = max(most, len(seen.tables))
            if shown(seen, text):
                nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lan.run)
        nursery.start_soon(watch)
        await trio.sleep(0.3)
        before = memory()
        for data in hostile() * 3:
            out.sendto(data, ("224.0.0.251", 5353))
        await trio.sleep(0.2)
        for number in range(10_000):
            label = b"oak-%016x" % number if number % 2 else b"table %d" % number
            out.sendto(announced(label, (b"\xff" + b"x" * 255) * 32 + b"\x03v=1"), ("224.0.0.251", 5353))
            if number % 200 == 199:
                await trio.sleep(0.005)
        with trio.move_on_after(5):
            await said.wait()
        other.announce(table(text), PORT)
        nursery.start_soon(other.run)
    facts = {"grown": memory() - before, "flooded": said.is_set(), "most": most}
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    trio.run(
        {"announce": announce, "browse": browse, "flood": flood, "shout": shout}[sys.argv[1]], sys.argv[2]
    )
