"""Make the protocol's test vectors without the protocol.

``python -m tests.protocol.make_vectors`` writes specs/vectors/wire.json, beacon.json, transcript.json,
session.json and proof.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgpack

from tests.protocol.apart import NONCES, PLAYERS, Table, below, four, hashed, order, packed, words
from tests.protocol.hostile import AT, CHAT, HEAD, HOSTILE, K
from tests.protocol.make_session_vectors import Three, session
from tests.protocol.make_session_vectors import files as proof_files

FOLDER = Path(__file__).parents[2] / "specs" / "vectors"


def in_hex(value: Any) -> Any:
    """A value for JSON: byte strings as ``{"hex": …}``."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return [in_hex(part) for part in value] if isinstance(value, list) else value


def hostile() -> list[dict[str, Any]]:
    return [
        {
            "id": f"{number:02} {comment}",
            "comment": comment,
            "read as": kind,
            "bytes": [[piece.hex(), often] for piece, often in data]
            if isinstance(data, list)
            else data.hex(),
            "expect": "accept" if clause.startswith("!") else "reject",
            "clause": "wire " + clause.lstrip("!"),
        }
        for number, (kind, comment, data, clause) in enumerate(HOSTILE, 1)
    ]


def wire(table: Table) -> dict[str, Any]:
    words_of = [PLAYERS[0].record("chat", [*CHAT[:1], PLAYERS[0].key, *CHAT[2:]])]
    words_of += [PLAYERS[1].record("at", [*AT[:1], PLAYERS[1].key, *AT[2:]])]
    signed = [table.records[0], *table.sits, *table.records[1:], *words_of]
    return {
        "identities (transport 1)": [
            {"seed": p.seed.hex(), "key": p.key.hex(), "secret of salt, 00": p.secret("salt", b"\0").hex()}
            for p in PLAYERS
        ],
        "signed (wire 3)": [
            {
                "kind": kind,
                "fields": in_hex(msgpack.unpackb(b)),
                "bytes": b.hex(),
                "id": hashed(kind, b).hex(),
                "record": packed([kind, b, signature]).hex(),
            }
            for kind, b, signature in signed
        ],
        "heads (wire 4.2)": [
            {"fields": in_hex(head), "bytes": packed(head).hex()}
            for head in (
                HEAD,
                ["head", table.table, [], 0, b""],
                ["head", table.table, [table.charter], 300, K],
            )
        ],
        "hostile": hostile(),
    }


def beacon(table: Table) -> dict[str, Any]:
    chains, keys = table.chains, [p.key for p in PLAYERS]
    one = chains[0]
    checks: list[tuple[str, int, bytes, str]] = [
        ("the first share", 1, one[4095], "!3.2"),
        ("the share of a later draw, others left out", 40, one[4056], "!3.2"),
        ("the last share there is", 4096, one[0], "!3.1"),
        ("the tip", 1, one[4096], "3.2"),
        ("the share of the next draw", 1, one[4094], "3.2"),
        ("another's share", 1, chains[1][4095], "2.3"),
        ("a share of another table", 1, PLAYERS[0].chain(K, NONCES[0])[4095], "2.3"),
        ("31 bytes", 1, one[4095][:31], "3.2"),
        ("draw 0", 0, one[4096], "3.1"),
        ("draw 4097", 4097, one[0], "3.3"),
    ]
    return {
        "chains (beacon 2)": [
            {
                "seed": player.seed.hex(),
                "table": table.table.hex(),
                "nonce": nonce.hex(),
                "links": [[i, chain[i].hex()] for i in (0, 1, 2, 255, 256, 2048, 4094, 4095, 4096)],
            }
            for player, nonce, chain in zip(PLAYERS, NONCES, chains, strict=True)
        ],
        "shares (beacon 3)": [
            {
                "comment": comment,
                "key": keys[0].hex(),
                "tip": one[4096].hex(),
                "draw": draw,
                "share": share.hex(),
                "expect": "accept" if clause.startswith("!") else "reject",
                "clause": "beacon " + clause.lstrip("!"),
            }
            for comment, draw, share, clause in checks
        ],
        "seeds (beacon 4, 5)": [
            {
                "draw": draw,
                "shares": [[keys[i].hex(), chains[i][4096 - draw].hex()] for i in (1, 0)],
                "seed": (
                    seed := hashed("seed", table.table, four(draw), *(c[4096 - draw] for c in chains))
                ).hex(),
                "words": [f"{word:016x}" for _, word in zip(range(4), words(seed), strict=False)],
                "order of 5": order(words(seed), 5),
                "weighted 3 2 2": [0, 0, 0, 1, 1, 2, 2][below(words(seed), 7)],
            }
            for draw in (1, 2, 3, 255, 4096)
        ],
    }


def refused(table: Table) -> list[dict[str, Any]]:
    """Entries for a place in the log, and what must be said of them there."""
    low, high = table.places
    found: list[dict[str, Any]] = []

    def add(comment: str, after: int, record: list[Any], reason: str, clause: str) -> None:
        found.append(
            {
                "comment": comment,
                "after": after,
                "record": packed(record).hex(),
                "reason": reason,
                "clause": clause,
            }
        )

    after, state = table.upto(0)
    share = [table.chains[0][4095]]
    add(
        "signed by another",
        after,
        table.entry(state, 0, "share", share, signer=1),
        "signature",
        "transcript 6.1",
    )
    add(
        "another charter",
        after,
        table.entry(state, 0, "share", share, charter=K),
        "elsewhere",
        "transcript 6.1",
    )
    add("another past", after, table.entry(state, 0, "share", share, prev=K), "elsewhere", "transcript 6.1")
    add("another position", after, table.entry(K, 0, "share", share), "desync", "transcript 6.5")
    add(
        "an older share",
        after,
        table.entry(state, 0, "share", [table.chains[0][4096]]),
        "fault",
        "beacon 3.2",
    )
    add(
        "a deeper share",
        after,
        table.entry(state, 0, "share", [table.chains[0][4094]]),
        "fault",
        "beacon 3.2",
    )
    add(
        "another's share",
        after,
        table.entry(state, 0, "share", [table.chains[1][4095]]),
        "fault",
        "beacon 2.3",
    )
    add(
        "a move where a share is due",
        after,
        table.entry(state, 0, "move", [[0], b""]),
        "fault",
        "transcript 4.1",
    )
    add(
        "a seat that is not there",
        after,
        table.entry(state, 2, "share", share, signer=0),
        "not due",
        "transcript 6.1",
    )
    early = table.entry(state, 0, "share", share, step=1)
    add("a step that has not begun", after, early, "early", "transcript 6.1")
    add("the same again", after + 1, table.records[after], "repeated", "transcript 6.1")
    again = table.entry(state, 0, "share", [table.chains[0][4094]])
    add("a second share for one slot", after + 1, again, "fork", "transcript 6.3")

    after, state = table.upto(2)
    salt = msgpack.unpackb(table.records[after + low][1])[6][1]
    opened = table.entry(state, low, "move", [[1], salt])
    add("a seal opened with other answers", after, opened, "fault", "transcript 4.3")
    opened = table.entry(state, low, "move", [[2], K])
    add("a seal opened with another salt", after, opened, "fault", "transcript 4.3")
    add(
        "a resignation that comes too late",
        after,
        table.entry(state, low, "resign", []),
        "fault",
        "transcript 4.7",
    )

    after, state = table.upto(4)
    add("out of turn", after, table.entry(state, high, "move", [[0], b""]), "not due", "transcript 6.1")
    for comment, body in (
        ("an answer that was not offered", [["maybe"], b""]),
        ("true for an answer", [[True], b""]),
        ("a move that goes on too long", [["yes", "yes"], b""]),
        ("a move without an answer", [[], b""]),
        ("a share without a draw", [["yes"], table.chains[low][4093]]),
    ):
        add(comment, after, table.entry(state, low, "move", body), "fault", "transcript 4.2")

    after, state = table.upto(6)
    other = [1, [3, 3]]
    add("another result", after, table.entry(state, table.winner, "result", other), "fault", "transcript 4.5")
    table.upto(6)
    late = table.entry(state, table.winner, "result", [1, table.scores], step=7)
    add("after the end", len(table.records), late, "not due", "transcript 6.1")
    return found


def transcript(table: Table) -> dict[str, Any]:
    log = table.log()
    return {
        "header (transcript 8.1)": table.header().hex(),
        "start (transcript 3.1)": hashed("start", table.charter).hex(),
        "steps (transcript 3)": table.steps,
        "places (transcript 3.3)": table.places,
        "seals (transcript 4.3)": [table.seals[seat].hex() for seat in (0, 1)],
        "result (transcript 7)": {
            "how": "resigned",
            "scores": table.scores,
            "winner": [table.winner],
            "transcript": table.final.hex(),
            "digest": table.tipping.hex(),
        },
        "log (transcript 8)": log.hex(),
        "refused (transcript 6)": refused(table),
    }


def files() -> dict[str, str]:
    """The text of each file by its name."""
    table = Table()
    three = Three()
    contents: dict[str, Any] = {
        "wire": wire(table),
        "beacon": beacon(table),
        "transcript": transcript(table),
        "session": session(three),
        "proof": {"files (proof 1, 2)": proof_files(three)},
    }
    return {f"{name}.json": text(content) for name, content in contents.items()}


def text(content: dict[str, Any]) -> str:
    """JSON with a vector a line."""
    parts = []
    for name, value in content.items():
        shown = json.dumps(value, ensure_ascii=True)
        if isinstance(value, list):
            shown = "[\n" + ",\n".join(f"  {json.dumps(each, ensure_ascii=True)}" for each in value) + "\n ]"
        parts.append(f" {json.dumps(name)}: {shown}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for name, content in files().items():
        (FOLDER / name).write_text(content, encoding="utf-8")
        print(f"{name}: {len(content)} bytes")
