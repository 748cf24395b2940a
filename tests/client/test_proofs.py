"""Proofs of forks, and where two logs part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oaknet_protocol import log as log_format
from oaknet_protocol.proof import BadProof, Proof, checked, written
from oaknet_protocol.wire import Record, decode, pack
from tests.client.conftest import Run
from tests.protocol.scenes import holding


def forked() -> tuple[bytes, Proof]:
    """A proof against somebody who has signed two shares for one draw, and what it says."""
    made = holding("share")
    transcript = made.honest.transcript
    one, two = (made.entry("share", (bytes([n]) * 32,)) for n in (1, 2))
    charters = [seating.record for seating in transcript.charters]
    data = written(transcript.opening.record, charters, one, two)
    assert data is not None
    names = transcript.seating.sits[made.cheat.key].names
    where = transcript.step.number, made.seat
    return data, Proof(transcript.table, transcript.opening.terms.game, (made.cheat.key,), names, *where)


def records(data: bytes) -> list[Record]:
    return [framed.record for framed in log_format.records(data, 12)]


def file(parts: list[Record]) -> bytes:
    return b"\x89OAKFORK\r\n\x1a\n" + b"".join(log_format.frame(pack(part)) for part in parts)


def test_a_proof_says_who_signed_what() -> None:
    data, says = forked()
    assert checked(data) == says
    assert file(records(data)) == data


def test_two_charters_of_one_number_are_a_fork() -> None:
    made = holding("share")
    transcript = made.honest.transcript
    charter = transcript.charters[0].record
    again = pack(decode_charter(charter, draw=2))
    second = Record("charter", again, tuple(b"" for _ in charter.signatures))
    place = list(transcript.charters[0].sits).index(made.cheat.key)
    signed = list(second.signatures)
    signed[place] = made.signer.sign("charter", again)
    data = written(transcript.opening.record, [], charter, Record("charter", again, tuple(signed)))
    assert data is not None
    found = checked(data)
    assert (found.keys, found.step, found.seat) == ((made.cheat.key,), None, None)


def decode_charter(record: Record, draw: int) -> object:
    from oaknet_protocol.wire import Charter

    charter = decode(Charter, record.data)
    values = (charter.table, charter.number, charter.parent, draw, charter.given, charter.sits, charter.seats)
    return Charter(*values)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda parts: [*parts[:3], parts[2]], "both entries are the same"),
        (lambda parts: parts[:3], "does not hold the records of a fork"),
        (lambda parts: [*parts, parts[3]], "does not hold the records of a fork"),
        (lambda parts: [parts[0], parts[1], parts[2], _unsigned(parts[3])], "not both signed"),
        (lambda parts: [_unsigned(parts[0]), *parts[1:]], "opening is not signed"),
        (lambda parts: [parts[0], _unsigned(parts[1]), *parts[2:]], "not signed by all"),
    ],
)
def test_what_proves_nothing_is_refused(spoil: object, why: str) -> None:
    data, _ = forked()
    with pytest.raises(BadProof, match=why):
        checked(file(spoil(records(data))))  # type: ignore[operator]


def _unsigned(record: Record) -> Record:
    if record.kind == "charter":
        return Record("charter", record.data, tuple(bytes(64) for _ in record.signatures))
    return Record(record.kind, record.data, bytes(64))


def test_every_changed_byte_is_noticed() -> None:
    data, _ = forked()
    for place in range(0, len(data), 37):
        spoiled = bytearray(data)
        spoiled[place] ^= 1
        with pytest.raises(BadProof):
            checked(bytes(spoiled))


def test_verify_reads_a_proof(run: Run, tmp_path: Path) -> None:
    data, says = forked()
    path = tmp_path / "one.fork"
    path.write_bytes(data)
    result = run("verify", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"signed two different entries for step {says.step}" in result.stdout
    facts = json.loads(run("verify", "--json", path).stdout)
    assert (facts["verdict"], facts["keys"], facts["seat"]) == ("valid", [says.keys[0].hex()], says.seat)
    path.write_bytes(data[:-1])
    result = run("verify", "--json", path)
    assert result.exit_code == 4
    assert json.loads(result.stdout)["verdict"] == "invalid"


def test_logs_that_are_the_same(run: Run, log: Path) -> None:
    result = run("verify", "--bisect", log, log)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("The logs are the same: ")


def test_a_log_that_ends_earlier(run: Run, tmp_path: Path, log: Path, log_bytes: bytes) -> None:
    _, offset = log_format.read_header(log_bytes)
    short = tmp_path / "short.oak"
    short.write_bytes(log_bytes[: log_format.records(log_bytes, offset)[20].offset + 7])
    found = json.loads(run("verify", "--bisect", "--json", short, log).stdout)
    assert (found["difference"], found["records"], found["longer"]) == ("longer", 20, 1)


def test_the_first_entry_that_differs_is_named(run: Run, tmp_path: Path, log: Path, log_bytes: bytes) -> None:
    head, offset = log_bytes, log_format.read_header(log_bytes)[1]
    framed = log_format.records(log_bytes, offset)
    at = framed[20]
    other = _unsigned(at.record)
    changed = tmp_path / "changed.oak"
    whole = log_format.frame(pack(other))
    changed.write_bytes(head[: at.offset] + whole + head[at.offset + len(whole) :])
    result = run("verify", "--bisect", log, changed)
    assert result.exit_code == 4
    assert "20 records before it are the same." in result.stdout


def test_logs_of_two_tables_are_not_compared(run: Run, log: Path) -> None:
    result = run("verify", "--bisect", log)
    assert (result.exit_code, result.stderr) == (
        2,
        "oaknet: --bisect compares two logs: oaknet verify --bisect A B.\n",
    )
