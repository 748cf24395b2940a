"""A router between two networks: ``python -m tests.protocol.router_host pmp|upnp INSIDE OUTSIDE``.

It answers at the address INSIDE, says that it is OUTSIDE, and really passes on what comes to the ports there.
What is forwarded is printed whenever it changes, as a JSON object from port to host and port.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sys
import threading
from collections.abc import Callable

import trio

from oaknet_protocol import natpmp
from tests.protocol.fake_pmp import FakePmp
from tests.protocol.fake_router import answer_searches, running

LOOK_EVERY = 0.02

Mappings = dict[int, tuple[str, int]]


async def copy(nursery: trio.Nursery, source: trio.SocketStream, to: trio.SocketStream) -> None:
    try:
        async for data in source:
            await to.send_all(data)
        await to.send_eof()
    except trio.BrokenResourceError:
        nursery.cancel_scope.cancel()  # one of the two has gone, and so the other is told


async def passed_on(inside: tuple[str, int], stream: trio.SocketStream) -> None:
    with contextlib.suppress(OSError):  # nobody listens inside
        async with stream, await trio.open_tcp_stream(*inside) as other, trio.open_nursery() as nursery:
            nursery.start_soon(copy, nursery, stream, other)
            nursery.start_soon(copy, nursery, other, stream)


async def serve(outside: str, mappings: Callable[[], Mappings]) -> None:
    """Forward whatever is mapped, for good."""
    scopes: dict[int, trio.CancelScope] = {}
    told: Mappings | None = None

    async def listen(port: int, inside: tuple[str, int]) -> None:
        with scopes[port]:
            await trio.serve_tcp(functools.partial(passed_on, inside), port, host=outside)

    async with trio.open_nursery() as nursery:
        while True:
            now = mappings()
            if now != told:
                for port in scopes.keys() - now.keys():
                    scopes.pop(port).cancel()
                for port in now.keys() - scopes.keys():
                    scopes[port] = trio.CancelScope()
                    nursery.start_soon(listen, port, now[port])
                print(json.dumps(now), flush=True)
                told = now
            await trio.sleep(LOOK_EVERY)


def main(kind: str, inside: str, outside: str) -> None:
    if kind == "pmp":
        with FakePmp(external=outside).running(inside, natpmp.PORT) as pmp:
            trio.run(serve, outside, lambda: dict(pmp.mappings))
        return
    with running(inside) as router:
        router.external = outside
        threading.Thread(target=answer_searches, args=(router, inside), daemon=True).start()

        def mappings() -> Mappings:
            return {
                int(port): (words["NewInternalClient"], int(words["NewInternalPort"]))
                for port, words in [*router.mappings.items()]
            }

        trio.run(serve, outside, mappings)


if __name__ == "__main__":
    main(*sys.argv[1:])
