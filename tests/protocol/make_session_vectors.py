"""Make the test vectors of lobby, sync, absence and proofs without the protocol: session.json and proof.json.

``python -m tests.protocol.make_vectors`` writes them with the others. All are of one table of three peers of
Market, at which the third keeps its first share back, is left out, and comes back.
"""

from __future__ import annotations

from typing import Any

from tests.protocol.apart import RULES, START, Player, four, hashed, packed

PLAYERS = sorted((Player(bytes([n]) * 32) for n in (3, 4, 5)), key=lambda player: player.key)
NAMES = [["Ada"], ["Bo"], ["Cy"]]
NONCES = [bytes([n]) * 32 for n in (0x44, 0x55, 0x66)]
ASKED = [[seat, "bid", [0, 1, 2], []] for seat in range(3)]
STATE = hashed("state", packed([[[START[0][0]] * 3, 0], [], ASKED]))
"""The digest of the position until somebody has moved: three traders, each asked for a bid."""
PLAYED, ABSENT, OUT_OF_TIME, RESIGNED, CHEATED = range(5)
NOBODY = 255
MAGIC = bytes.fromhex("894f414b464f524b0d0a1a0a")

Record = list[Any]
"""``[kind, bytes, signature]``."""


class Three:
    """``records``: opening, charter 1, two shares, charter 2 without the third, its two shares, a seal."""

    def __init__(self) -> None:
        opener = PLAYERS[0]
        terms = [1, "market", RULES, "test", [["pace", "slow"]], 3, opener.key, b"\x77" * 32]
        self.opening = opener.record("open", terms)
        self.table = hashed("open", self.opening[1])
        self.chains = [p.chain(self.table, n) for p, n in zip(PLAYERS, NONCES, strict=True)]
        self.sits = [self.sit(i, NONCES[i]) for i in range(3)]
        self.first = self.charter([0, 1, 2], number=1, parent=[], draw=1, given=[])
        self.charters = [hashed("charter", self.first[1])]
        self.heads = [hashed("start", self.charters[0])]
        self.shares = [self.share(i, 1) for i in (0, 1)]
        self.given = [hashed("entry", share[1]) for share in self.shares]
        self.second = self.charter([0, 1], draw=2)
        self.charters.append(hashed("charter", self.second[1]))
        self.heads.append(hashed("start", self.charters[1]))
        self.again = [self.share(i, 2) for i in (0, 1)]
        self.heads.append(hashed("step", self.heads[1], *(hashed("entry", one[1]) for one in self.again)))
        self.seal = self.entry(0, "seal", [hashed("seal", b"any")], step=1)
        self.records = [self.opening, self.first, *self.shares, self.second, *self.again, self.seal]

    def sit(self, who: int, nonce: bytes, **other: Any) -> Record:
        chain = self.chains[who] if nonce == NONCES[who] else PLAYERS[who].chain(self.table, nonce)
        fields = {"table": self.table, "key": PLAYERS[who].key, "names": NAMES[who], "nonce": nonce}
        return PLAYERS[who].record("sit", [*{**fields, **other}.values(), chain[4096]])

    def charter(self, stay: list[int], *, signers: list[int] | None = None, **other: Any) -> Record:
        """A charter for these peers, by default one that goes on from step 0; ``other`` replaces fields."""
        whys = other.pop("why", ABSENT)
        seats = [[stay.index(i), PLAYED] if i in stay else [NOBODY, whys] for i in range(3)]
        fields = {
            "table": self.table,
            "number": 2,
            "parent": [self.charters[0], 0, self.heads[0]] if "parent" not in other else [],
            "draw": 1,
            "given": self.given if "given" not in other else [],
            "sits": [self.sits[i][1:] for i in stay],
            "seats": seats,
        }
        b = packed([*{**fields, **other}.values()])
        signed = stay if signers is None else signers
        return ["charter", b, [PLAYERS[i].sign("charter", b) if i in signed else b"" for i in stay]]

    def entry(self, who: int, kind: str, body: list[Any], **other: Any) -> Record:
        """An entry under the last charter so far; ``other`` replaces fields, ``signer`` says who signs."""
        signer = PLAYERS[other.pop("signer", who)]
        last = {"charter": self.charters[-1], "step": 0, "prev": self.heads[-1], "state": STATE}
        return signer.record(
            "entry", [*{**last, "author": who, "kind": kind, "body": body, **other}.values()]
        )

    def share(self, who: int, draw: int, **other: Any) -> Record:
        return self.entry(who, "share", [self.chains[who][4096 - draw]], **other)


def first_charters(three: Three) -> list[dict[str, Any]]:
    return [
        {
            "comment": f"sits that came in the order {order}",
            "table": three.table.hex(),
            "sits": [packed(three.sits[i]).hex() for i in order],
            "charter": three.first[1].hex(),
            "proposed by": PLAYERS[0].key.hex(),
            "clause": "session 3.2",
        }
        for order in ([0, 1, 2], [2, 0, 1])
    ]


def sits(three: Three) -> list[dict[str, Any]]:
    good = three.sits[2]
    cases: list[tuple[str, Record, str]] = [
        ("a sit", good, "!1.3"),
        ("two names, of the three seats that there are", three.sit(2, NONCES[2], names=["Cy", "Di"]), "!1.3"),
        ("four names at a table of three", three.sit(2, NONCES[2], names=["Cy", "Di", "Ed", "Flo"]), "1.3"),
        ("another table", three.sit(2, NONCES[2], table=bytes(32)), "1.3"),
        ("signed by another", [*good[:2], PLAYERS[0].sign("sit", good[1])], "1.3"),
        ("signed as something else", [*good[:2], PLAYERS[2].sign("entry", good[1])], "1.3"),
    ]
    return [_case(comment, clause, "transcript", record=packed(one).hex()) for comment, one, clause in cases]


def later(three: Three) -> list[dict[str, Any]]:
    """Charters offered after so many records, and what a good one leads to."""
    c1, t1 = three.charters[0], three.heads[0]
    c2, t2 = three.charters[1], three.heads[2]
    back = {"number": 3, "parent": [c2, 1, t2], "given": []}
    stray = three.sit(1, b"\x99" * 32)
    sits = [three.sits[0][1:], stray[1:]]
    pair, seats = [0, 1], [[0, 0], [1, 0], [NOBODY, ABSENT]]
    swapped = [[1, 0], [0, 0], [NOBODY, ABSENT]]
    cases: list[tuple[str, int, Record, str, list[int]]] = [
        ("who owes its share is left out: the draw is made afresh", 4, three.second, "!2.5", [0, 1]),
        ("who gave its share is left out: the draw goes on", 4, three.charter([1, 2]), "!2.5", [2]),
        ("with the same peers", 4, three.charter([0, 1, 2]), "!2.4", [2]),
        ("the highest number there is", 4, three.charter([0, 1, 2], number=2**32 - 1), "!2.2", [2]),
        ("out of time", 4, three.charter(pair, draw=2, why=OUT_OF_TIME), "!2.4", [0, 1]),
        ("cheated", 4, three.charter(pair, draw=2, why=CHEATED), "!2.4", [0, 1]),
        ("who was left out comes back", 7, three.charter([0, 1, 2], **back, draw=3), "!2.6", [0, 1, 2]),
        ("the last draw there can be", 7, three.charter(pair, **back, draw=4096), "!2.5", [0, 1]),
        ("the number before once more", 4, three.charter([0, 1, 2], number=1), "2.2", []),
        ("another T", 4, three.charter([0, 1, 2], parent=[c1, 0, bytes(32)], given=three.given), "2.4", []),
        ("another step", 4, three.charter([0, 1, 2], parent=[c1, 1, t1], given=three.given), "2.4", []),
        ("another parent", 4, three.charter([0, 1, 2], parent=[t1, 0, t1], given=three.given), "2.4", []),
        ("an entry is left out", 4, three.charter([0, 1, 2], given=three.given[:1]), "2.4", []),
        ("an entry that is not there", 4, three.charter([0, 1, 2], given=[*three.given, c1]), "2.4", []),
        ("entries not by author", 4, three.charter([0, 1, 2], given=three.given[::-1]), "2.4", []),
        ("a void draw that keeps its number", 4, three.charter(pair), "2.5", []),
        ("a draw that goes on with another number", 4, three.charter([0, 1, 2], draw=2), "2.5", []),
        ("draw 4097", 7, three.charter(pair, **back, draw=4097), "2.5", []),
        ("a draw number of the past", 7, three.charter(pair, **back, draw=2), "2.5", []),
        ("a seat that was another's", 4, three.charter(pair, draw=2, seats=swapped), "2.4", []),
        ("resigned, of who did not", 4, three.charter(pair, draw=2, why=RESIGNED), "2.4", []),
        ("one seat that is left", 4, three.charter([0], draw=2), "2.4", []),
        ("a signature that is missing", 4, three.charter(pair, draw=2, signers=[0]), "2.1", []),
        ("sits out of order", 4, three.charter([1, 0], draw=2, seats=swapped), "2.2", []),
        ("a second sit of a key", 4, three.charter(pair, draw=2, sits=sits), "2.2", []),
        ("a sit without a seat", 4, three.charter([0, 1, 2], draw=2, seats=seats), "2.2", []),
        ("nobody, and yet played", 4, three.charter(pair, draw=2, why=PLAYED), "2.2", []),
        ("another table", 4, three.charter([0, 1, 2], table=bytes(32)), "2.2", []),
    ]  # fmt: skip
    joins = three.charter([0, 1, 2], number=3, parent=[c2, 0, three.heads[1]], given=[], draw=2)
    cases.append(("nobody joins a draw", 5, joins, "2.4", []))
    found = []
    for comment, after, record, clause, due in cases:
        vector = _case(comment, clause, "transcript", after=after, record=packed(record).hex())
        if clause.startswith("!"):
            head = hashed("start", hashed("charter", record[1]))
            vector |= {"T": head.hex(), "step": 0 if after < 7 else 1, "due": due}
        found.append(vector)
    return found


def heads(three: Three) -> list[dict[str, Any]]:
    """What somebody with all eight records sends to whom says this of itself."""
    c1, c2 = three.charters
    cases: list[tuple[str, list[Any], int, bytes, list[int]]] = [
        ("nothing yet", [], 0, b"", [1, 2, 3, 4, 5, 6, 7]),
        ("before the later charter", [c1], 0, three.heads[0], [2, 3, 4, 5, 6, 7]),
        ("a step behind", [c1, c2], 0, three.heads[1], [5, 6, 7]),
        ("at the same step", [c1, c2], 1, three.heads[2], [7]),
        ("a step ahead", [c1, c2], 2, K, []),
        ("a charter ahead", [c1, c2, K], 1, K, []),
        ("another T at the same step", [c1, c2], 1, K, [5, 6, 7]),
        ("another T at a step before", [c1, c2], 0, K, [5, 6, 7]),
        ("another later charter", [c1, K], 1, K, [4]),
        ("another first charter", [K], 0, K, [1, 4]),
    ]
    return [
        {
            "comment": comment,
            "head": packed(["head", three.table, charters, step, head]).hex(),
            "sent": sent,
            "clause": "session 5.2" if "other" in comment else "session 5.1",
        }
        for comment, charters, step, head, sent in cases
    ]


K = bytes(range(32))


def forks(three: Three) -> list[tuple[str, list[Record], list[int], str]]:
    """Two records under a charter: what they are, the records, and whose they prove a fork to be."""
    one = three.again[0]
    first = {"charter": three.charters[1], "prev": three.heads[1]}
    two = three.entry(0, "share", [K], **first)
    by_other = three.entry(0, "share", [K], signer=1, **first)
    move = three.entry(0, "move", [], **first)
    nobody = [three.share(2, draw, **first) for draw in (1, 2)]
    return [
        ("two shares for one slot", [three.second, one, two], [0], "!2.2"),
        ("a share and a move for one slot", [three.second, one, move], [0], "!2.4"),
        ("the same entry twice", [three.second, one, one], [], "2.2"),
        ("entries of two steps", [three.second, one, three.seal], [], "2.2"),
        ("entries of two authors", [three.second, *three.again], [], "2.2"),
        ("entries under two charters", [three.second, one, three.shares[0]], [], "2.2"),
        ("the second signed by another", [three.second, one, by_other], [], "2.2"),
        ("the seat of nobody", [three.second, *nobody], [], "2.2"),
    ]  # fmt: skip


def proofs(three: Three) -> list[dict[str, Any]]:
    """Proofs as messages."""
    return [
        {
            "comment": comment,
            "bytes": packed(["proof", *records]).hex(),
            "convicts": [PLAYERS[i].key.hex() for i in guilty],
            "clause": "wire 4.4",
        }
        for comment, records, guilty, _ in forks(three)
    ]


def files(three: Three) -> list[dict[str, Any]]:
    """Proofs as files (proof 1)."""
    other, whole = three.charter([1, 2]), three.opening
    late = three.charter([0, 1], draw=2, number=3)
    second = [three.second[0], three.second[1], [*three.second[2][:1], b""]]
    half = [whole, second, *forks(three)[0][1][1:]]
    cases = [(comment, [whole, *records], keys, clause) for comment, records, keys, clause in forks(three)]
    cases += [
        ("two charters of one number", [whole, three.second, other], [1], "!2.3"),
        ("charters that lack others' signatures", [whole, second, three.charter([0, 2])], [0], "!2.3"),
        ("charters that nobody has signed both", [whole, second, other], [], "2.3"),
        ("charters of two numbers", [whole, three.second, late], [], "2.3"),
        ("the same charter twice", [whole, three.second, three.second], [], "2.3"),
        ("an opening signed by another", [[*whole[:2], bytes(64)], three.second, other], [], "2.1"),
        ("a charter that is not signed by all", half, [], "2.2"),
        ("a record too many", [whole, three.second, other, other], [], "1.2"),
        ("a record too few", [whole, three.second], [], "1.2"),
        ("no opening", [three.second, other], [], "1.2"),
    ]  # fmt: skip
    found = [_file(comment, MAGIC + _framed(parts), keys, clause) for comment, parts, keys, clause in cases]
    good = MAGIC + _framed([whole, three.second, other])
    return [
        *found,
        _file("a byte less", good[:-1], [], "1.1"),
        _file("another beginning", b"\x89OAK\r\n\x1a\n" + good[12:], [], "1.1"),
        _file("nothing", b"", [], "1.1"),
    ]


def _framed(records: list[Record]) -> bytes:
    return b"".join(four(len(one)) + one for one in map(packed, records))


def _file(comment: str, data: bytes, guilty: list[int], clause: str) -> dict[str, Any]:
    keys = [PLAYERS[i].key.hex() for i in guilty]
    return _case(comment, clause, "proof", bytes=data.hex(), convicts=keys)


def _case(comment: str, clause: str, spec: str, **fields: Any) -> dict[str, Any]:
    expect = "accept" if clause.startswith("!") else "reject"
    return {"comment": comment, **fields, "expect": expect, "clause": f"{spec} {clause.lstrip('!')}"}


def session(three: Three) -> dict[str, Any]:
    """The content of session.json."""
    return {
        "records": [packed(record).hex() for record in three.records],
        "first charters (session 3.2)": first_charters(three),
        "sits (transcript 1.3)": sits(three),
        "later charters (transcript 2)": later(three),
        "heads (session 5)": heads(three),
        "proofs (wire 4.4)": proofs(three),
    }
