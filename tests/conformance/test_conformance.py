"""The verifier in JavaScript, written from the specs alone, comes to the same verdicts as ours."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from oaknet.kernel import H, Rng, Rules
from oaknet.registry import rules
from oaknet_protocol import log
from oaknet_protocol.verify import BadLog, rules_named, verify
from oaknet_protocol.wire import Entry, decode, pack
from tests.conformance import games, node
from tests.conformance.odd import odd
from tests.conformance.tables import Unsteady, played
from tests.engine.toys import Market
from tests.golden import write_logs
from tests.protocol.every_byte import flips

pytestmark = pytest.mark.skipif(bool(node.lacking()), reason=node.lacking() or "node is here")

VECTORS = Path(__file__).parents[2] / "specs" / "vectors"
RULES: dict[str, Rules[Any]] = {
    "market": Market(),
    "five_towers": rules("five_towers"),
    "oak": rules("oak"),
}
FOUND = rules_named(RULES)


@cache
def ours(data: bytes) -> dict[str, Any]:
    """Our own verdict, in the words of the other one."""
    try:
        return {"verdict": "valid", **verify(data, FOUND).result.facts()}
    except BadLog as bad:
        facts = bad.result.facts() if bad.result else {}
        return {"verdict": "invalid" if bad.status == 4 else "other version", "valid": bad.valid, **facts}


def same(theirs: dict[str, Any], own: dict[str, Any]) -> bool:
    """Whether two verdicts agree, but for the winners of a game whose rules are not written in JavaScript."""
    open_ones = {"winner", "scores", "digest"} if "unchecked" in theirs else set[str]()
    return all(theirs.get(name) == value for name, value in own.items() if name not in open_ones)


def test_the_printed_numbers_are_those_of_the_data_file() -> None:
    assert games.FILE.read_text(encoding="ascii") == games.kept(), "python -m tests.conformance.games"


# -- vectors -----------------------------------------------------------------------------------------------


def counted(content: Any) -> int:
    """How many vectors a file has: those of its lists, and one for every other section."""
    if isinstance(content, list):
        return len(content)
    single = ("places (transcript 3.3)", "seals (transcript 4.3)", "records")
    return sum(
        len(part) if isinstance(part, list) and name not in single else 1 for name, part in content.items()
    )


def test_every_vector() -> None:
    done = node.run("vectors.mjs", str(VECTORS))
    told = json.loads(done.stdout)
    assert told["failed"] == []
    files = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in VECTORS.glob("*.json")}
    files.pop("schema", None)
    assert told["checked"] == {name: counted(content) for name, content in files.items()}
    assert done.returncode == 0


def test_a_wrong_vector_is_found(tmp_path: Path) -> None:
    for file in VECTORS.glob("*.json"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    frames = json.loads((VECTORS / "frames.json").read_text(encoding="utf-8"))
    frames[0]["frames"] = ["42"]
    (tmp_path / "frames.json").write_text(json.dumps(frames), encoding="utf-8")
    done = node.run("vectors.mjs", str(tmp_path))
    assert (json.loads(done.stdout)["failed"], done.returncode) == (["frames  one"], 1)


# -- whole logs --------------------------------------------------------------------------------------------


@cache
def fresh() -> dict[str, bytes]:
    """Games of every kind, of peers with one seat and with two."""
    tables = {
        "market": ((1, 1), (1, 1, 1), (2, 1, 1)),
        "five_towers": ((1, 1), (1, 1, 1), (2, 2), (3, 2)),
        "oak": ((1, 1, 1), (2, 1)),
    }
    return {
        f"{game}-{'-'.join(map(str, seats))}": played(RULES[game], *seats, salt="fresh")
        for game, each in tables.items()
        for seats in each
    }


@cache
def unsteady() -> dict[str, bytes]:
    """Tables where players resign, leave and come back, cut off somewhere or played to the end."""
    tables = itertools.product(("market", "five_towers"), ((1, 1, 1, 1), (2, 1, 1), (2, 2)), (30, 400, 600))
    return {
        f"{game}-{''.join(map(str, seats))}-{steps}": Unsteady(
            RULES[game], f"{game} {seats} {steps}".encode(), seats=seats
        ).some(steps)
        for game, seats, steps in tables
    }


def test_fresh_logs(tmp_path: Path) -> None:
    logs = fresh()
    theirs = node.verdicts(tmp_path, logs)
    for name, data in logs.items():
        own = ours(data)
        assert own["how"] == "finished"
        assert same(theirs[name], own), (name, theirs[name], own)
        assert ("unchecked" in theirs[name]) == name.startswith("oak")
        assert theirs[name]["scores"] == own["scores"]


def test_golden_logs(tmp_path: Path) -> None:
    logs = {path.stem: path.read_bytes() for path in write_logs.FOLDER.glob("*.oak")}
    assert logs
    theirs = node.verdicts(tmp_path, logs)
    assert [name for name, data in logs.items() if not same(theirs[name], ours(data))] == []


def test_tables_that_change(tmp_path: Path) -> None:
    """Later charters, draws made afresh, stand-ins, seals opened under another charter."""
    logs = unsteady()
    theirs = node.verdicts(tmp_path, logs)
    own = {name: ours(data) for name, data in logs.items()}
    assert [name for name in logs if not same(theirs[name], own[name])] == []
    ends = {"finished", "resigned", "cheated", "timed-out", "absent", "unfinished"}
    assert {verdict.get("how") for verdict in own.values()} == ends


def test_nobody_joins_a_pending_draw(tmp_path: Path) -> None:
    """Both refuse the charter with which those who are away come back while a draw is pending."""
    logs: dict[str, bytes] = {}
    for number in range(20):
        table = Unsteady(RULES["market"], f"joins {number}".encode(), seats=(1, 1, 1, 1))
        for _ in range(60):
            table.some(1)
            if (data := table.joins()) is not None:
                logs[str(number)] = data
                break
    assert len(logs) > 3
    theirs = node.verdicts(tmp_path, logs)
    for name, data in logs.items():
        own = ours(data)
        assert own["verdict"] == "invalid"
        assert same(theirs[name], own), (name, theirs[name], own)
        with pytest.raises(BadLog, match="draw"):
            verify(data, FOUND)
        assert "draw" in theirs[name]["why"]


def test_any_game_by_its_bytes_alone(tmp_path: Path) -> None:
    """Without the rules the same logs verify, and come to the same transcript where they have an end."""
    logs = {**fresh(), **unsteady()}
    theirs = node.verdicts(tmp_path, logs, games.text(*RULES.values(), by_bytes=True))
    for name, data in logs.items():
        own, other = ours(data), theirs[name]
        if own["verdict"] == "valid":
            assert other["verdict"] == "valid", (name, other)
            assert other["unchecked"]
        if own.get("how") == "finished":
            assert same(other, own), (name, other, own)


# -- damaged logs ------------------------------------------------------------------------------------------


class Parts:
    """A log cut into its parts: ``parts[0]`` is the header; ``steps`` tells the step of each entry."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        _, start = log.read_header(data)
        framed = log.records(data, start)
        self.offsets = [0, *(part.offset for part in framed), len(data)]
        self.parts = [data[a:b] for a, b in itertools.pairwise(self.offsets)]
        self.entries = [decode(Entry, part.record.data) for part in framed[2:]]
        self.steps = [-3, -2, -1, *(entry.step for entry in self.entries)]

    def one_of_each(self) -> Iterator[int]:
        """Header, opening, charter, and the first entry of each kind."""
        yield from (0, 1, 2)
        seen: set[tuple[str, bool]] = set()
        for index, entry in enumerate(self.entries, 3):
            kind = (entry.kind, bool(entry.body) and entry.body[-1] == b"")
            if kind not in seen:
                seen.add(kind)
                yield index

    def flipped(self, chosen: set[int], mask: Callable[[], int]) -> Iterator[tuple[int, bytes]]:
        """The log with one of these bytes changed, without what comes after the next record."""
        for offset in sorted(chosen):
            index = max(i for i, start in enumerate(self.offsets) if start <= offset)
            length = index > 0 and offset < self.offsets[index] + 4
            end = len(self.data) if length else self.offsets[min(index + 2, len(self.parts))]
            yield (
                offset,
                self.data[:offset] + bytes([self.data[offset] ^ mask()]) + self.data[offset + 1 : end],
            )

    def rearranged(self, rng: Rng) -> Iterator[tuple[str, list[bytes]]]:
        """Entries of different steps swapped, records dropped, records repeated, and a cut inside one."""
        last = len(self.parts) - 1
        for number in range(5):
            i, j = 1 + rng.below(last), 1 + rng.below(last)
            if self.steps[i] != self.steps[j]:
                swapped = self.parts[:]
                swapped[i], swapped[j] = swapped[j], swapped[i]
                yield f"swap-{number}-{i}-{j}", swapped
            i = 1 + rng.below(last - 1)
            yield f"drop-{number}-{i}", self.parts[:i] + self.parts[i + 1 :]
            i = 1 + rng.below(last)
            yield f"repeat-{number}-{i}", [*self.parts[: i + 1], *self.parts[i:]]
            i = 1 + rng.below(last)
            yield (
                f"cut-{number}-{i}",
                [*self.parts[:i], self.parts[i][: 1 + rng.below(len(self.parts[i]) - 1)]],
            )


@pytest.fixture(params=["market-1-1", "five_towers-1-1", "oak-2-1"])
def kept(request: pytest.FixtureRequest) -> Parts:
    return Parts(fresh()[request.param])


def test_any_byte_flipped(kept: Parts, tmp_path: Path) -> None:
    """50 bytes of all, and some of the header, the charter and an entry of each kind."""
    rng = Rng(b"flips")
    chosen = {rng.below(len(kept.data)) for _ in range(50)}
    for index in kept.one_of_each():
        start = kept.offsets[index]
        chosen |= {start + rng.below(len(kept.parts[index])) for _ in range(12)}
    mask = 1 << rng.below(8)
    refused = {
        offset for offset, bad in flips(kept.data, FOUND, chosen.__contains__, mask) if bad is not None
    }
    assert refused == chosen
    logs = {str(offset): data for offset, data in kept.flipped(chosen, lambda: mask)}
    theirs = node.verdicts(tmp_path, logs)
    assert {name: verdict for name, verdict in theirs.items() if verdict["verdict"] != "invalid"} == {}


def test_records_swapped_dropped_repeated_and_cut(kept: Parts, tmp_path: Path) -> None:
    logs = {name: b"".join(parts) for name, parts in kept.rearranged(Rng(b"rearranged"))}
    theirs = node.verdicts(tmp_path, logs)
    for name, data in logs.items():
        own = ours(data)
        assert own["verdict"] == theirs[name]["verdict"] == "invalid", name
        if "unchecked" not in theirs[name]:
            assert theirs[name]["valid"] == own["valid"], name


def test_records_that_are_signed_but_odd(tmp_path: Path) -> None:
    """Wrong answers, shares, seals, results and charters of players who sign what they like."""
    logs: dict[str, bytes] = {}
    for number, game in itertools.product(range(14), ("market", "five_towers")):
        seed = f"{game} {number}".encode()
        rng = Rng(b"odd " + seed)
        seats = ((1, 1), (1, 1, 1, 1), (2, 1, 1))[number % 3]
        logs[f"{game}-{number}"] = odd(Unsteady(RULES[game], seed, seats=seats), 10 + rng.below(30), rng)
    theirs = node.verdicts(tmp_path, logs)
    own = {name: ours(data) for name, data in logs.items()}
    assert [name for name in logs if not same(theirs[name], own[name])] == []
    assert [verdict["verdict"] for verdict in own.values()].count("invalid") > 22


def header(data: bytes, **other: Any) -> bytes:
    """The log with other fields in its header, and a hash that fits."""
    own, start = log.read_header(data)
    fields = {name: getattr(own, name) for name in own.__struct_fields__}
    head = log.MAGIC + log.frame(pack(tuple({**fields, **other}.values())))
    return head + H("header", head) + data[start:]


def test_headers_of_other_versions(tmp_path: Path) -> None:
    """A whole header of another version or of other rules is told apart from a damaged one."""
    data = fresh()["five_towers-1-1"]
    logs = {
        "format": header(data, format=2),
        "protocol": header(data, protocol=2),
        "rules": header(data, rules=bytes(32)),
        "game": header(data, game="chess"),
        "engine": header(data, engine="other"),
        "short": data[:20],
        "empty": b"",
        "alien": b"PK\x03\x04" * 20,
    }
    theirs = node.verdicts(tmp_path, logs)
    own = {name: ours(changed)["verdict"] for name, changed in logs.items()}
    assert {name: verdict["verdict"] for name, verdict in theirs.items()} == own
    assert list(own.values()) == ["other version"] * 4 + ["invalid"] * 4


def test_exit_status(tmp_path: Path) -> None:
    data = fresh()["market-1-1"]
    for name, content in {"good": data, "cut": data[:-1], "other": header(data, format=2)}.items():
        (tmp_path / name).write_bytes(content)
    statuses = [
        node.run("verify.mjs", str(tmp_path / n)).returncode for n in ("good", "other", "cut", "none")
    ]
    assert statuses == [0, 3, 4, 1]
