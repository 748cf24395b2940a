"""Somebody at the table sends whatever the protocol has, thousands of times: the memory stays bounded."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

from oaknet.registry import rules
from oaknet_protocol.charters import following
from oaknet_protocol.table import CHEATED
from oaknet_protocol.wire import At, Chat, Entry, Head, Links, Proof, Record, Sit, pack
from tests.protocol.mesh import signer
from tests.protocol.world import Host, World, world

TIMES = 70
"""Messages of each of the nine kinds."""
MOST = 50 * 2**20
"""Bytes that an honest peer may hold beyond what it holds at rest."""


def flood(made: World, cheat: Host) -> Iterator[bytes]:
    """Messages that are all new, signed by the cheat where they are signed, and good for nothing."""
    own, transcript = made.signers[cheat.number], cheat.transcript
    seat, charter = transcript.seating.author(cheat.key), transcript.seating.id
    pairs = cheat.session.lobby.pairs()
    keys = sorted(pairs)

    def signed(kind: str, data: bytes) -> Record:
        return Record(kind, data, own.sign(kind, data))

    for n in range(TIMES):
        filler = n.to_bytes(32, "big")
        early = Entry(charter, 1000 + n, filler, filler, seat, "move", (bytes(4000), n))
        wrong = Entry(charter, transcript.step.number, transcript.head, filler, seat, "share", (filler,))
        yield pack(signed("entry", pack(early)))
        yield pack(signed("entry", pack(wrong)))
        data = following(transcript, pairs, {}, 2 + 3 * n, 100)
        own_only = tuple(own.sign("charter", data) if key == cheat.key else b"" for key in keys)
        yield pack(Record("charter", data, own_only))
        stranger = signer(n, "stranger")
        sit = pack(Sit(transcript.table, stranger.key, ("Eve",), filler, filler))
        yield pack(Record("sit", sit, stranger.sign("sit", sit)))
        yield pack(signed("chat", pack(Chat(transcript.table, cheat.key, n, "x" * 400))))
        yield pack(signed("at", pack(At(transcript.table, cheat.key, n, (("h" * 253, 1),) * 6))))
        yield pack(Head("head", transcript.table, (filler,) * 1000, n, filler))
        rings = tuple((n * 8 + ring).to_bytes(32, "big") for ring in range(8))
        yield pack(Links("links", transcript.table, tuple((key,) for key in rings)))
        one, two = (signed("entry", pack(entry)) for entry in (early, wrong))
        yield pack(Proof("proof", transcript.seating.record, one, two))


def test_a_flood_of_every_kind_fills_no_memory() -> None:
    made = world(rules("five_towers"), 3, "flood")
    cheat = made.hosts[-1]
    made.idle = [cheat]
    made.until(made.waits(cheat, "move"))
    made.settle()
    messages = flood(made, cheat)
    host, others = made.hosts[0], made.hosts[:-1]
    tracemalloc.start()
    try:
        idle = tracemalloc.get_traced_memory()[0]
        for message in messages:
            host.session.receive(cheat.key, message)
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most - idle < MOST
    assert held - idle < MOST / 4
    assert cheat.key in host.session.cheats, "what it signed twice is held against it"
    made.kill(cheat)
    for one in others:
        made.do(one, one.session.sync())
    made.settle()
    for _ in range(16):
        for one in others:
            if cheat.key in one.transcript.seating.sits:
                made.do(one, one.session.go_on({cheat.key: CHEATED}))
                made.do(one, one.session.propose_again())
            made.settle()
    for one in others:
        assert cheat.key not in one.transcript.seating.sits
        one.session.cheats.clear()  # `finish` allows none
    made.idle = []
    assert made.finish().how == "cheated"
