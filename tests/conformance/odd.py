"""Records that are signed as they must be and odd in one way: most break a rule, some do not."""

from __future__ import annotations

from typing import Any

from oaknet.kernel import Rng
from oaknet_protocol import log
from oaknet_protocol.wire import Charter, Entry, Record, decode, pack
from tests.conformance.tables import Unsteady

HASH = bytes(range(32))


def entry(table: Unsteady, good: Record, rng: Rng) -> Record:
    """A good entry made odd in one field or in its body."""
    fields = decode(Entry, good.data)
    values = {name: getattr(fields, name) for name in Entry.__struct_fields__}
    ways = _fields(table, values)
    values.update(ways[rng.below(len(ways))])
    data = pack(Entry(**values))
    signer = table.signers[values["author"] % len(table.signers)]
    return Record("entry", data, signer.sign("entry", data))


def _fields(table: Unsteady, values: dict[str, Any]) -> list[dict[str, Any]]:
    """Ways to be odd."""
    step, author, kind, body = values["step"], values["author"], values["kind"], values["body"]
    ways: list[dict[str, Any]] = [
        {"step": step + 1},
        {"step": max(0, step - 1)},
        {"prev": HASH},
        {"state": HASH},
        {"charter": HASH},
        {"author": (author + 1) % len(table.signers)},
        {"author": 200},
        {"kind": "resign", "body": ()},
        {"kind": "seal", "body": (HASH,)},
        {"kind": "share", "body": (HASH,)},
        {"kind": "move", "body": ((0,), b"")},
        {"kind": "result", "body": (0, (0,) * len(table.signers))},
        {"body": (*body, 0)},
        {"body": body[:-1]},
    ]
    if kind == "move":
        answers, rest = body
        places = range(len(answers))
        ways += [{"body": ((*answers, answer), rest)} for answer in ("pass", 1, ("candy", 5))]
        ways += [{"body": (answers[:-1], rest)}, {"body": (answers, b"" if rest else HASH)}]
        ways += [
            {"body": ((*answers[:i], other, *answers[i + 1 :]), rest)}
            for i in places
            for other in ("pass", "none", 0, 1, 2, 5, True, "candy", ("sand", 9), ("tree", 3), "yes")
        ]
        ways += [{"body": (answers, HASH)}, {"body": (tuple(reversed(answers)), rest)}]
    if kind == "share":
        chain = table.chains[author]
        draw = table.transcript.draw
        ways += [{"body": (chain.share(number),)} for number in (draw, draw + 1, max(1, draw - 1))]
    if kind == "result":
        how, scores = body
        ways += [{"body": (1 - how, scores)}, {"body": (how, scores[1:])}, {"body": (how, (99, *scores[1:]))}]
    return ways


def charter(table: Unsteady, good: Record, rng: Rng) -> Record:
    """A good charter made odd in one way."""
    fields = decode(Charter, good.data)
    values = {name: getattr(fields, name) for name in Charter.__struct_fields__}
    number, draw, given, sits, seats = (values[n] for n in ("number", "draw", "given", "sits", "seats"))
    who = [index for index, (sit, _) in enumerate(seats) if sit != 255]
    taken = who[rng.below(len(who))]
    ways: list[dict[str, Any]] = [
        {"number": number + 1},
        {"number": 2**32 - 1},
        {"number": number - 1},
        {"draw": draw + 1},
        {"draw": draw - 1},
        {"draw": 4096},
        {"draw": 4097},
        {"given": given[1:]},
        {"given": (*given, HASH)},
        {"parent": ()},
        {"sits": tuple(reversed(sits))},
        {"sits": (*sits, sits[0])},
        {"seats": tuple(reversed(seats))},
        {"seats": (*seats, seats[0])},
    ]
    ways += [
        {"seats": (*seats[:taken], odd, *seats[taken + 1 :])}
        for odd in ((255, 0), (255, 1), (255, 3), (255, 4), (255, 5), (seats[taken][0], 1), (7, 0))
    ]
    if values["parent"]:
        before, step, head = values["parent"]
        ways += [
            {"parent": each} for each in ((HASH, step, head), (before, step + 1, head), (before, step, HASH))
        ]
    values.update(ways[rng.below(len(ways))])
    data = pack(Charter(**values))
    keys = [sit[0] for sit in values["sits"]]
    own = {sit[0]: peer for peer, sit in enumerate(table.sits)}
    peers = [table.owners.index(own[sit]) for sit in keys]
    return Record("charter", data, tuple(table.signers[seat].sign("charter", data) for seat in peers))


def odd(table: Unsteady, steps: int, rng: Rng) -> bytes:
    """The log of a table after so many times something, its last record odd."""
    table.some(steps)
    if rng.below(3) and not table.transcript.over:
        table.change()
    good = table.log.pop()
    made = (charter if good.kind == "charter" else entry)(table, good, rng)
    records = b"".join(log.frame(pack(record)) for record in (*table.log, made))
    return log.header(table.transcript.opening) + records
