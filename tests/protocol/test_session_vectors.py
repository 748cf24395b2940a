"""Lobby, sync, absence and proofs agree with the vectors that were made without the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oaknet_protocol import charters, evidence, proof, sync
from oaknet_protocol.history import History
from oaknet_protocol.proof import BadProof
from oaknet_protocol.refused import Refused
from oaknet_protocol.table import Seating, check_sit
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.verify import rules_named
from oaknet_protocol.wire import Head, Proof, Record, Sit, decode
from tests.engine.toys import Market
from tests.protocol.make_vectors import FOLDER

SESSION, PROOF = (
    json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in ("session", "proof")
)
RECORDS = [decode(Record, bytes.fromhex(record)) for record in SESSION["records"]]
RULES = rules_named({"market": Market()})


def after(count: int) -> tuple[Transcript, History]:
    """The table after so many of its records."""
    transcript, history = Transcript.begin(RECORDS[0], RULES), History()
    for record in RECORDS[1:count]:
        for done in transcript.charter(record) if record.kind == "charter" else transcript.take(record):
            history.add(done)
    return transcript, history


def of(text: str) -> Record:
    return decode(Record, bytes.fromhex(text))


@pytest.mark.parametrize("vector", SESSION["first charters (session 3.2)"], ids=lambda v: v["comment"])
def test_first_charters(vector: dict[str, Any]) -> None:
    opening = Transcript.begin(RECORDS[0], RULES).opening
    assert opening.table.hex() == vector["table"]
    records = [of(text) for text in vector["sits"]]
    sits = {decode(Sit, record.data).key: (decode(Sit, record.data), record) for record in records}
    assert charters.first(opening, sits).hex() == vector["charter"]
    assert min(sits).hex() == vector["proposed by"]


@pytest.mark.parametrize("vector", SESSION["sits (transcript 1.3)"], ids=lambda v: v["comment"])
def test_sits(vector: dict[str, Any]) -> None:
    record, opening = of(vector["record"]), after(1)[0].opening
    if vector["expect"] == "accept":
        assert check_sit(opening, record.data, record.signatures[0]) == decode(Sit, record.data)
    else:
        with pytest.raises(Refused):
            check_sit(opening, record.data, record.signatures[0])


@pytest.mark.parametrize("vector", SESSION["later charters (transcript 2)"], ids=lambda v: v["comment"])
def test_later_charters(vector: dict[str, Any]) -> None:
    transcript, _ = after(vector["after"])
    before = transcript.head, transcript.draw, transcript.due(), len(transcript.charters)
    if vector["expect"] == "accept":
        transcript.charter(of(vector["record"]))
        assert (transcript.head.hex(), transcript.step.number) == (vector["T"], vector["step"])
        assert list(transcript.due()) == vector["due"]
    else:
        with pytest.raises(Refused):
            transcript.charter(of(vector["record"]))
        assert (transcript.head, transcript.draw, transcript.due(), len(transcript.charters)) == before


@pytest.mark.parametrize("vector", SESSION["heads (session 5)"], ids=lambda v: v["comment"])
def test_what_another_lacks(vector: dict[str, Any]) -> None:
    answer = sync.answer(*after(len(RECORDS)), decode(Head, bytes.fromhex(vector["head"])))
    assert [RECORDS.index(record) for record in answer.records] == vector["sent"]


@pytest.mark.parametrize("vector", SESSION["proofs (wire 4.4)"], ids=lambda v: v["comment"])
def test_proofs(vector: dict[str, Any]) -> None:
    message = decode(Proof, bytes.fromhex(vector["bytes"]))
    transcript, _ = after(4)
    seating = Seating.check(transcript.opening, message.charter, transcript.seating)
    key = evidence.forker(seating, message.first, message.second)
    assert ([key.hex()] if key else []) == vector["convicts"]


@pytest.mark.parametrize("vector", PROOF["files (proof 1, 2)"], ids=lambda v: v["comment"])
def test_files_of_proofs(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["bytes"])
    if vector["expect"] == "accept":
        assert [key.hex() for key in proof.checked(data).keys] == vector["convicts"]
    else:
        with pytest.raises(BadProof):
            proof.checked(data)
