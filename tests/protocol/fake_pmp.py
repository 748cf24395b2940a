"""A router of the tests' own that speaks NAT-PMP over real datagrams (RFC 6886), as well or badly as told."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


def as_it_is(reply: bytes) -> bytes:
    return reply


@dataclass
class FakePmp:
    """``asked`` has every request, ``mappings`` what is forwarded: outside to the client's host and port."""

    external: str = "203.0.112.9"
    code: int = 0
    """The result of everything but the address; 0 is success."""
    address_code: int = 0
    silent: bool = False
    lost: int = 0
    """So many requests are lost before the first that arrives."""
    lease: int = 3600
    taken: frozenset[int] = frozenset()
    """Ports outside that belong to others."""
    wandering: bool = False
    """Each request gets another port, whatever was granted before."""
    mangled: Callable[[bytes], bytes] = as_it_is
    """What is sent instead of the right reply."""
    elsewhere: bool = False
    """Replies come from another port than the router's."""
    mappings: dict[int, tuple[str, int]] = field(default_factory=dict)
    asked: list[bytes] = field(default_factory=list)
    port: int = 0

    def answer(self, request: bytes, client: str) -> bytes:
        """The reply to a request, as RFC 6886 3 has it."""
        version, opcode = request[0], request[1]
        if version:
            return struct.pack("!BBHI", 0, 128 + opcode, 1, 7)
        if opcode == 0:
            return struct.pack("!BBHI", 0, 128, self.address_code, 7) + socket.inet_aton(self.external)
        if opcode != 2 or self.code:
            return bytes((0, 128 + opcode)) + (self.code or 5).to_bytes(2, "big") + request[4:]
        inside, wanted, lifetime = struct.unpack("!HHI", request[4:12])
        if not lifetime:
            self.mappings = {outside: to for outside, to in self.mappings.items() if to != (client, inside)}
            return struct.pack("!BBHIHHI", 0, 130, 0, 7, inside, 0, 0)
        outside = next((out for out, to in self.mappings.items() if to == (client, inside)), 0)
        if not outside or self.wandering:
            used = self.taken | self.mappings.keys()
            outside = next(port for port in range(max(wanted, 1024), 65536) if port not in used)
        self.mappings[outside] = (client, inside)
        return struct.pack("!BBHIHHI", 0, 130, 0, 7, inside, outside, min(lifetime, self.lease))

    def serve(self, ears: socket.socket) -> None:
        """Answer until the socket is shut."""
        other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with other:
            while True:
                try:
                    request, client = ears.recvfrom(100)
                except OSError:
                    return
                if not request:
                    return
                self.asked.append(request)
                if self.silent or self.lost:
                    self.lost -= not self.silent
                    continue
                reply = self.mangled(self.answer(request, client[0]))
                (other if self.elsewhere else ears).sendto(reply, client)

    @contextmanager
    def running(self, host: str = "127.0.0.1", port: int = 0) -> Iterator[FakePmp]:
        """Answer there until the end; ``self.port`` is the port."""
        ears = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ears.bind((host, port))
        self.port = ears.getsockname()[1]
        thread = threading.Thread(target=self.serve, args=(ears,))
        thread.start()
        try:
            yield self
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"", (host, self.port))
            thread.join()
            ears.close()
