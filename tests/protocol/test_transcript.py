"""The transcript's own arithmetic, recomputed from the bytes of a log by a few independent lines."""

from __future__ import annotations

import hashlib
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from oaknet.kernel import Game, Rng
from oaknet.registry import rules
from oaknet_protocol import beacon, events
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.verify import verify
from oaknet_protocol.wire import Record, decode
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, Peer

THREE = [("Ann",), ("Bo",), ("Cy",)]


def h(tag: str, *parts: bytes) -> bytes:
    """SHA-256 over the tag and each part behind its length, as the specs say it."""
    text = b"oaknet/1/" + tag.encode() + b"\0"
    return hashlib.sha256(text + b"".join(len(p).to_bytes(4, "big") + p for p in parts)).digest()


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def records(log: bytes) -> list[list[Any]]:
    """The records of a log file, by hand: magic, framed header, hash, then framed records."""
    at = 8
    at += 4 + int.from_bytes(log[at : at + 4], "big") + 32
    found = []
    while at < len(log):
        size = int.from_bytes(log[at : at + 4], "big")
        found.append(msgpack.unpackb(log[at + 4 : at + 4 + size], raw=False))
        at += 4 + size
    return found


def played(game: Any, names: list[tuple[str, ...]], **more: Any) -> tuple[Mesh, list[list[Any]]]:
    mesh = Mesh(game, names, **more).start().play()
    return mesh, records(mesh.log(mesh.peers[0]))


def steps(found: list[list[Any]]) -> list[list[tuple[bytes, list[Any]]]]:
    """The entries of each step: their bytes and their fields."""
    made: dict[int, list[tuple[bytes, list[Any]]]] = {}
    for _, data, _ in found[2:]:
        entry = msgpack.unpackb(data, raw=False)
        made.setdefault(entry[1], []).append((data, entry))
    return [made[number] for number in sorted(made)]


@pytest.mark.parametrize("game", [Market(), rules("five_towers")], ids=["market", "five_towers"])
def test_hash_of_every_step(game: Any) -> None:
    mesh, found = played(game, THREE)
    transcript = mesh.peers[0].transcript
    assert transcript.table == h("open", found[0][1])
    head = h("start", h("charter", found[1][1]))
    for number, entries in enumerate(steps(found)):
        assert transcript.heads[number] == head
        assert [entry[1:3] for _, entry in entries] == [[number, head]] * len(entries)
        assert [entry[4] for _, entry in entries] == sorted(entry[4] for _, entry in entries)
        head = h("step", head, *(h("entry", data) for data, _ in entries))
    assert transcript.head == head
    assert transcript.final == transcript.heads[transcript.step.number - 1]


def shares(found: list[list[Any]], keys: list[bytes]) -> list[dict[bytes, bytes]]:
    """The shares of each draw by key: those of a share step, and that of the move before it."""
    made: list[dict[bytes, bytes]] = []
    came: dict[bytes, bytes] = {}
    sealed = False
    for entries in steps(found):
        kinds = {entry[5] for _, entry in entries}
        if kinds == {"share"}:
            made.append({**came, **{keys[entry[4]]: entry[6][0] for _, entry in entries}})
            came = {}
        elif kinds == {"move"} and not sealed and entries[0][1][6][1]:
            came = {keys[entries[0][1][4]]: entries[0][1][6][1]}
        sealed = kinds == {"seal"}
    return made


@pytest.mark.parametrize("game", [Market(), rules("five_towers")], ids=["market", "five_towers"])
def test_shares_are_links_of_the_chains_in_order(game: Any) -> None:
    mesh, found = played(game, THREE)
    table = h("open", found[0][1])
    charter = msgpack.unpackb(found[1][1], raw=False)
    sits = [msgpack.unpackb(data, raw=False) for data, _ in charter[5]]
    known = {sit[1]: sit[4] for sit in sits}
    keys = [sits[index][1] for index, _ in charter[6]]
    draws = shares(found, keys)
    assert len(draws) == mesh.peers[0].transcript.draw - 1 > 3
    for number, by_key in enumerate(draws, 1):
        assert sorted(by_key) == sorted(known), "every peer has a share in every draw"
        for key, share in by_key.items():
            assert h("link", table, key, u32(4096 - number + 1), share) == known[key]
            known[key] = share


def test_first_seed_gives_seats_and_first_draw() -> None:
    mesh, found = played(rules("five_towers"), THREE)
    transcript = mesh.peers[0].transcript
    charter = msgpack.unpackb(found[1][1], raw=False)
    keys = [msgpack.unpackb(data, raw=False)[1] for data, _ in charter[5]]
    first = shares(found, keys)[0]
    seed = h("seed", transcript.table, u32(1), *(first[key] for key in sorted(first)))
    words = [int.from_bytes(h("rng", seed, u32(i))[:8], "big") for i in range(8)]
    order, at = [0, 1, 2], 0
    for i in (2, 1):
        limit = 2**64 - 2**64 % (i + 1)
        while words[at] >= limit:
            at += 1
        j = words[at] % (i + 1)
        at += 1
        order[i], order[j] = order[j], order[i]
    assert transcript.places == tuple(order)
    game = Game[Any].new(rules("five_towers"), 3)
    ask = game.pending[0]
    word = words[at]  # the same words go on with the set-up
    total, value = sum(ask.weights), word % sum(ask.weights)
    assert word < 2**64 - 2**64 % total
    running, chosen = 0, None
    for option, weight in zip(ask.options, ask.weights, strict=True):
        running += weight
        if chosen is None and running > value:
            chosen = option
    steps = [event for event in mesh.peers[0].told if isinstance(event, events.Stepped)]
    stepped = next(event for event in steps if event.done.kind == "share")
    assert stepped.done.line[0] == (-1, chosen)


def test_seats_of_the_rules_are_drawn_evenly() -> None:
    """Who is seat 0 comes from draw 1, which no last signer of a charter can choose: all orders turn up."""
    counts: dict[tuple[int, ...], int] = {}
    for number in range(1200):
        seed = beacon.seed(bytes(32), 1, {b"a": u32(number) * 8, b"b": bytes(32)})
        order = Rng(seed).shuffled(3)
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert sum((count - 200) ** 2 for count in counts.values()) / 200 < 25.7  # chi-square, 5 degrees, 0.0001


def test_number_of_a_draw_goes_up_by_one_and_never_comes_twice() -> None:
    mesh = Mesh(Market(), THREE).start()
    peer = mesh.peers[0]
    numbers = [peer.transcript.draw]

    def note() -> bool:
        numbers.append(peer.transcript.draw)
        return False

    mesh.play(until=note)
    assert sorted(set(numbers)) == list(range(2, numbers[-1] + 1))
    assert numbers == sorted(numbers)


def test_seal_is_the_hash_of_charter_step_seat_salt_and_answers() -> None:
    _mesh, found = played(Market(), THREE)
    charter = h("charter", found[1][1])
    seals: dict[tuple[int, int], bytes] = {}
    opened = 0
    for entries in steps(found):
        for _, (_, step, _, _, author, kind, body) in entries:
            if kind == "seal":
                seals[step, author] = body[0]
            elif kind == "move" and (step - 1, author) in seals:
                packed = msgpack.packb(body[0], use_bin_type=True)
                seal = h("seal", charter, u32(step - 1), u32(author), body[1], packed)
                assert seals[step - 1, author] == seal
                opened += 1
    assert opened == len(seals) > 6


# -- a chain used to its end ---------------------------------------------------------------------------------


def spent(monkeypatch: pytest.MonkeyPatch, draws: int, game: Any) -> Mesh:
    monkeypatch.setattr(beacon, "LENGTH", draws)
    return Mesh(game, THREE).start().play()


def test_game_that_needs_exactly_the_draws_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = Mesh(Market(), THREE).start().play().peers[0].transcript.draw - 1
    mesh = spent(monkeypatch, needed, Market())
    assert verify(mesh.log(mesh.peers[0]), mesh.rules_for).result.how == "finished"


def told_spent(peer: Peer) -> bool:
    return any(isinstance(event, events.Spent) for event in peer.told)


def test_draw_beyond_the_last_link_stops_the_table_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = spent(monkeypatch, 1, Market())
    for peer in mesh.peers:
        assert told_spent(peer)
        assert mesh.refusals(peer) == []
        assert (peer.transcript.step.kind, peer.transcript.draw) == ("share", 2)
        result = verify(mesh.log(peer), mesh.rules_for).result
        assert result.how == "unfinished"


def test_move_that_needs_a_draw_beyond_the_last_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LocalProtocolError, match="a table has draws 1 to 2"):
        spent(monkeypatch, 2, rules("five_towers"))


def test_last_share_is_link_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacon, "LENGTH", 3)
    chain = beacon.Chain(bytes(32), bytes(32), b"s" * 32)
    assert chain.share(3) == b"s" * 32
    for draw in (0, 4, -1):
        with pytest.raises(beacon.OutOfDraws, match="draws 1 to 3"):
            chain.share(draw)
    chains = beacon.Chains(bytes(32))
    chains.commit(bytes(32), chain.tip)
    for draw in (1, 2, 3):
        chains.check(bytes(32), draw, chain.share(draw))
        chains.reveal(bytes(32), draw, chain.share(draw))
        with pytest.raises(beacon.BadShare, match="used this link"):
            chains.check(bytes(32), draw, chain.share(draw))


def test_record_is_read_as_it_was_signed() -> None:
    """Ids are hashes of the received bytes: a log's entry has the id of what its author signed."""
    mesh, found = played(Market(), THREE)
    for event in mesh.peers[0].told:
        if isinstance(event, events.Write):
            for record in event.records:
                assert [record.kind, record.data] in [row[:2] for row in found]
                assert isinstance(record, Record)
                assert decode(Record, msgpack.packb([record.kind, record.data, record.signature])) == record
