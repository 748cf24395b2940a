"""The protocol agrees with the vectors that were made without it (wire, beacon, transcript)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oaknet.kernel import H, Rng
from oaknet.kernel.rng import weighted
from oaknet_protocol import beacon, log, wire
from oaknet_protocol.beacon import BadShare, Chain, Chains, OutOfDraws
from oaknet_protocol.refused import Refused
from oaknet_protocol.session import Session, opening
from oaknet_protocol.signing import Signer, verify
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.verify import BadLog, rules_named
from oaknet_protocol.verify import verify as verify_log
from oaknet_protocol.wire import (
    At,
    BadMessage,
    Charter,
    Chat,
    Entry,
    Head,
    Links,
    Open,
    Proof,
    Record,
    Sit,
    decode,
    pack,
)
from tests.engine.test_specs import clauses
from tests.engine.toys import Market
from tests.protocol.apart import hashed, packed
from tests.protocol.make_vectors import FOLDER, files

WIRE, BEACON, TRANSCRIPT = (
    json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("wire", "beacon", "transcript")
)
KINDS: dict[str, Any] = {
    "open": Open, "sit": Sit, "charter": Charter, "entry": Entry, "chat": Chat, "at": At
}  # fmt: skip
RULES = rules_named({"market": Market()})


def of_json(value: Any) -> Any:
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    return tuple(map(of_json, value)) if isinstance(value, list) else value


def test_the_files_are_what_the_script_makes() -> None:
    for name, text in files().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, f"python -m {files.__module__}"


def test_the_clauses_that_vectors_cite_exist() -> None:
    vectors = [*WIRE["hostile"], *BEACON["shares (beacon 3)"], *TRANSCRIPT["refused (transcript 6)"]]
    for spec, clause in {tuple(vector["clause"].split()) for vector in vectors}:
        text = (FOLDER.parent / f"{spec}.md").read_text(encoding="utf-8")
        assert clause in clauses(text), f"{spec} {clause}"


@pytest.mark.parametrize("vector", WIRE["identities (transport 1)"], ids=lambda vector: vector["key"][:8])
def test_identities(vector: dict[str, str]) -> None:
    signer = Signer(bytes.fromhex(vector["seed"]))
    assert signer.key.hex() == vector["key"]
    assert signer.secret("salt", b"\0").hex() == vector["secret of salt, 00"]


@pytest.mark.parametrize("vector", WIRE["signed (wire 3)"], ids=lambda v: f"{v['kind']} {v['id'][:6]}")
def test_what_is_signed(vector: dict[str, Any]) -> None:
    data, kind = bytes.fromhex(vector["bytes"]), KINDS[vector["kind"]]
    message = decode(kind, data)
    assert pack(message) == data
    assert message == kind(*of_json(vector["fields"]))
    record = decode(Record, bytes.fromhex(vector["record"]))
    assert (record.kind, record.data, record.id.hex()) == (vector["kind"], data, vector["id"])
    assert pack(record).hex() == vector["record"]
    players = [bytes.fromhex(identity["key"]) for identity in WIRE["identities (transport 1)"]]
    for signature in record.signatures:
        signers = [verify(key, record.kind, record.data, signature) for key in players]
        assert sum(signers) == 1


@pytest.mark.parametrize("vector", WIRE["heads (wire 4.2)"], ids=lambda vector: str(vector["fields"][3]))
def test_heads(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["bytes"])
    assert decode(Head, data) == Head(*of_json(vector["fields"]))
    assert pack(decode(Head, data)) == data


def read(kind: str, data: bytes) -> None:
    """Read bytes as a session does."""
    if kind != "message":
        decode(KINDS[kind], data)
        return
    value = wire.unpack(data)
    unsigned = {"head": Head, "links": Links, "proof": Proof}
    kind = value[0] if isinstance(value, tuple) and value else None
    if isinstance(kind, str) and kind in unsigned:
        decode(unsigned[kind], data)
    elif decode(Record, data).kind not in KINDS:
        raise BadMessage("another kind")


@pytest.mark.parametrize("vector", WIRE["hostile"], ids=lambda vector: vector["id"])
def test_hostile_messages(vector: dict[str, Any]) -> None:
    pieces = vector["bytes"]
    if isinstance(pieces, str):
        pieces = [[pieces, 1]]
    data = b"".join(bytes.fromhex(piece) * often for piece, often in pieces)
    if vector["expect"] == "accept":
        read(vector["read as"], data)
    else:
        with pytest.raises(BadMessage):
            read(vector["read as"], data)


@pytest.mark.parametrize("vector", BEACON["chains (beacon 2)"], ids=lambda vector: vector["seed"][:4])
def test_chains(vector: dict[str, Any]) -> None:
    signer, table = Signer(bytes.fromhex(vector["seed"])), bytes.fromhex(vector["table"])
    secret = signer.secret("chain", table + bytes.fromhex(vector["nonce"]))
    chain = Chain(table, signer.key, secret)
    links = dict(vector["links"])
    assert chain.tip.hex() == links.pop(beacon.LENGTH)
    for index, link in links.items():
        assert chain.share(beacon.LENGTH - index).hex() == link


@pytest.mark.parametrize("vector", BEACON["shares (beacon 3)"], ids=lambda vector: vector["comment"])
def test_shares(vector: dict[str, Any]) -> None:
    chains, key = Chains(bytes.fromhex(BEACON["chains (beacon 2)"][0]["table"])), bytes.fromhex(vector["key"])
    chains.commit(key, bytes.fromhex(vector["tip"]))
    share = bytes.fromhex(vector["share"])
    if vector["expect"] == "accept":
        chains.check(key, vector["draw"], share)
    else:
        with pytest.raises((BadShare, OutOfDraws)):
            chains.check(key, vector["draw"], share)


@pytest.mark.parametrize("vector", BEACON["seeds (beacon 4, 5)"], ids=lambda vector: str(vector["draw"]))
def test_seeds(vector: dict[str, Any]) -> None:
    table = bytes.fromhex(BEACON["chains (beacon 2)"][0]["table"])
    shares = {bytes.fromhex(key): bytes.fromhex(share) for key, share in vector["shares"]}
    seed = beacon.seed(table, vector["draw"], shares)
    assert seed.hex() == vector["seed"]
    rng = Rng(seed)
    assert [f"{rng.word():016x}" for _ in range(4)] == vector["words"]
    assert list(Rng(seed).shuffled(5)) == vector["order of 5"]
    assert weighted(Rng(seed), (3, 2, 2)) == vector["weighted 3 2 2"]


# -- the whole table -----------------------------------------------------------------------------------------

LOG = bytes.fromhex(TRANSCRIPT["log (transcript 8)"])
RECORDS = [framed.record for framed in log.records(LOG, log.read_header(LOG)[1])]


def replayed(records: int) -> Transcript:
    """The table after so many records of its log."""
    transcript = Transcript.begin(RECORDS[0], RULES)
    for record in RECORDS[1:records]:
        (transcript.charter if record.kind == "charter" else transcript.take)(record)
    return transcript


def test_the_log_verifies_to_the_result_of_the_vectors() -> None:
    reading, expected = verify_log(LOG, RULES), TRANSCRIPT["result (transcript 7)"]
    result = reading.result
    assert (result.how, list(result.scores), list(result.winner), result.transcript.hex()) == tuple(
        expected[name] for name in ("how", "scores", "winner", "transcript")
    )
    assert result.digest.hex() == expected["digest"]
    assert list(reading.transcript.places) == TRANSCRIPT["places (transcript 3.3)"]
    assert log.header(reading.transcript.opening).hex() == TRANSCRIPT["header (transcript 8.1)"]


@pytest.mark.parametrize("vector", TRANSCRIPT["steps (transcript 3)"], ids=lambda vector: str(vector["step"]))
def test_steps(vector: dict[str, Any]) -> None:
    transcript = replayed(vector["after"])
    assert (transcript.step.number, transcript.head.hex()) == (vector["step"], vector["T"])
    assert transcript.digest().hex() == vector["state"]
    ids = [record.id.hex() for record in RECORDS[vector["after"] :][: len(vector["ids"])]]
    assert ids == vector["ids"]
    for record in RECORDS[vector["after"] :][: len(ids)]:
        transcript.take(record)
    assert transcript.head.hex() == vector["T after"]


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ([1, 1, "market", bytes(32), "test"], 3),
        ([2, 1, "market", bytes(32), "test"], 3),
        ([1, 2, "anything", "at all"], 3),
        ([2, 1], 3),
        ([1, 1, "market", bytes(31), "test"], 4),
        ([1, 1], 4),
        ([1], 4),
        (["1", "\x1b[2J"], 4),
        ("12", 4),
        (12, 4),
    ],
)
def test_whole_headers_of_something_else(values: Any, status: int) -> None:
    start = log.MAGIC + log.frame(packed(values))
    with pytest.raises(BadLog) as refused:
        verify_log(start + hashed("header", start), RULES)
    assert (refused.value.status, refused.value.kind) == (status, "header")
    assert str(refused.value).isprintable()


def test_a_charter_begins_a_transcript_anew() -> None:
    assert H("start", RECORDS[1].id).hex() == TRANSCRIPT["start (transcript 3.1)"]
    assert replayed(2).head.hex() == TRANSCRIPT["start (transcript 3.1)"]


@pytest.mark.parametrize("vector", TRANSCRIPT["refused (transcript 6)"], ids=lambda vector: vector["comment"])
def test_refused_entries(vector: dict[str, Any]) -> None:
    transcript = replayed(vector["after"])
    before = transcript.head, transcript.digest(), transcript.due()
    with pytest.raises(Refused) as refused:
        transcript.take(decode(Record, bytes.fromhex(vector["record"])))
    assert refused.value.reason == vector["reason"]
    assert (transcript.head, transcript.digest(), transcript.due()) == before


def test_sessions_with_the_same_keys_write_the_same_log() -> None:
    signers = [Signer(bytes.fromhex(identity["seed"])) for identity in WIRE["identities (transport 1)"]]
    sits = [decode(Sit, data) for data, _ in decode(Charter, RECORDS[1].data).sits]
    terms = decode(Open, RECORDS[0].data)
    assert opening(signers[0], Market(), 2, {}, "test", terms.nonce) == RECORDS[0]
    sessions = [
        Session(signer, RULES, sit.names, sit.nonce, opener=signers[0].key)
        for signer, sit in zip(signers, sits, strict=True)
    ]
    queue: list[tuple[Session, bytes]] = []
    files = {session.key: log.header(replayed(1).opening) for session in sessions}

    def do(session: Session, happened: list[Any]) -> None:
        for event in happened:
            match type(event).__name__:
                case "Send":
                    queue.extend((other, event.message) for other in sessions if other is not session)
                case "Write":
                    framed = (log.frame(pack(record)) for record in event.records)
                    files[session.key] += b"".join(framed)
                case _:
                    pass

    def settle() -> None:
        while queue:
            to, message = queue.pop(0)
            do(to, to.receive(next(one.key for one in sessions if one is not to), message))

    for session, other in zip(sessions, sessions[::-1], strict=True):
        do(session, session.open(RECORDS[0]))
        do(session, session.connected(other.key))
    settle()
    low, high = TRANSCRIPT["places (transcript 3.3)"]
    do(sessions[low], sessions[low].move(low, (2,)))
    do(sessions[high], sessions[high].move(high, (0,)))
    settle()
    do(sessions[low], sessions[low].move(low, ("yes",)))
    settle()
    do(sessions[high], sessions[high].resign(high))
    settle()
    assert [files[session.key].hex() for session in sessions] == [LOG.hex()] * 2
