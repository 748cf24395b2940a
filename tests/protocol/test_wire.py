"""One value, one form; and whatever else comes is refused without effort or harm (wire 2–5)."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oaknet_protocol import events, text, wire
from oaknet_protocol.refused import Malformed
from oaknet_protocol.session import Session
from oaknet_protocol.table import read
from oaknet_protocol.wire import BadMessage, Charter, Entry, Head, Open, Record, Sit, decode, pack, unpack
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, signer


def raw(value: Any) -> bytes:
    """What msgpack makes of a value, whatever it is."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def exactly(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


KEYS = exactly(32)
U32 = st.integers(0, 2**32 - 1)
SMALL = st.integers(0, 255)
WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40)


def is_name(value: str) -> bool:
    try:
        text.name(value)
    except text.BadText:
        return False
    return True


NAMES = st.text(st.sampled_from("abz ÄéßøЖ漢字[]{}/$"), min_size=1, max_size=12).filter(is_name)
OPTIONS = st.dictionaries(WORDS, WORDS, max_size=32).map(lambda d: tuple(sorted(d.items())))
ANSWERS = st.recursive(
    st.one_of(st.integers(-(2**31), 2**31 - 1), WORDS), lambda inner: st.lists(inner, max_size=3).map(tuple)
)

OPENS = st.builds(Open, U32, WORDS, KEYS, WORDS, OPTIONS, st.integers(1, 8), KEYS, KEYS)
SITS = st.builds(Sit, KEYS, KEYS, st.lists(NAMES, min_size=1, max_size=8).map(tuple), KEYS, KEYS)
PARENTS = st.one_of(st.just(()), st.tuples(KEYS, U32, KEYS))
PAIRS = st.lists(st.tuples(st.binary(min_size=1, max_size=300), exactly(64)), min_size=1, max_size=8)
CHARTERS = st.builds(
    Charter,
    KEYS,
    U32,
    PARENTS,
    U32,
    st.lists(KEYS, max_size=8).map(tuple),
    PAIRS.map(tuple),
    st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=8).map(tuple),
)
BODIES = st.one_of(
    st.tuples(st.lists(ANSWERS, min_size=1, max_size=5).map(tuple), st.one_of(st.just(b""), KEYS)),
    st.tuples(KEYS),
    st.just(()),
    st.tuples(st.integers(0, 1), st.lists(st.integers(-(2**31), 2**31 - 1), max_size=8).map(tuple)),
)
ENTRIES = st.builds(Entry, KEYS, U32, KEYS, KEYS, SMALL, WORDS, BODIES)
HEADS = st.builds(
    Head,
    st.just("head"),
    KEYS,
    st.lists(KEYS, max_size=20).map(tuple),
    U32,
    st.one_of(st.just(b""), KEYS),
)
MAYBE = st.one_of(st.just(b""), exactly(64))
RECORDS = st.one_of(
    st.builds(
        Record,
        st.sampled_from(["open", "sit", "entry", "chat"]),
        st.binary(min_size=1, max_size=300),
        exactly(64),
    ),
    st.builds(
        Record,
        st.just("charter"),
        st.binary(min_size=1, max_size=300),
        st.lists(MAYBE, min_size=1, max_size=8).map(tuple),
    ),
)


@settings(max_examples=40)
@pytest.mark.parametrize(
    ("kind", "values"),
    [(Open, OPENS), (Sit, SITS), (Charter, CHARTERS), (Entry, ENTRIES), (Head, HEADS), (Record, RECORDS)],
)
@given(data=st.data())
def test_every_message_has_one_form_and_comes_back_from_it(
    kind: type[Any], values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    value = data.draw(values)
    form = pack(value)
    assert decode(kind, form) == value
    assert raw(unpack(form)) == form


@settings(max_examples=150)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_in_its_form_or_refused(data: bytes) -> None:
    try:
        value = unpack(data)
    except BadMessage:
        return
    assert raw(value) == data


# -- forms that are not the one form -------------------------------------------------------------------------

KEY = bytes(range(32))
GOOD_ENTRY = Entry(KEY, 5, KEY, KEY, 1, "move", ((1, "wood", (2, "x")), b""))
GOOD_SIT = Sit(KEY, KEY, ("Ada",), KEY, KEY)
GOOD_OPEN = Open(1, "oak", KEY, "0.1", (("a", "x"), ("b", "y")), 2, KEY, KEY)
GOOD_CHARTER = Charter(KEY, 1, (), 1, (), ((b"sit", bytes(64)),), ((0, 0),))
GOOD_HEAD = Head("head", KEY, (KEY,), 3, KEY)
GOOD_RECORD = Record("entry", b"b", bytes(64))
NESTED = {depth: b"\x91" * depth + b"\x01" for depth in (2, 9, 1_000, 65_000, 200_000)}
TIMESTAMPS = [b"\xd6\xff" + bytes(4), b"\xd7\xff" + bytes(8), b"\xc7\x0c\xff" + bytes(12)]

NO_FORM = {
    "nothing": b"",
    "9 arrays in each other": NESTED[9],
    "1,000 arrays in each other": NESTED[1_000],
    "65,000 arrays in each other": NESTED[65_000],
    "200,000 arrays in each other": NESTED[200_000],
    "1,000 arrays in each other that claim 1,000 items each": b"\xdc\x03\xe8" * 1_000,
    "array of 4 GiB": b"\xdd\xff\xff\xff\xff",
    "array of 1,025 numbers": b"\xdc\x04\x01" + b"\x01" * 1_025,
    "5,000 small arrays": b"\xdc\x00\x0a" + (b"\xdc\x01\xf4" + b"\x90" * 500) * 10,
    "map of 4 GiB": b"\xdf\xff\xff\xff\xff",
    "map": b"\x81\x01\x01",
    "empty map": b"\x80",
    "bytes of 4 GiB": b"\xc6\xff\xff\xff\xff",
    "text of 4 GiB": b"\xdb\xff\xff\xff\xff",
    "extension of 4 GiB": b"\xc9\xff\xff\xff\xff\x01",
    "extension": b"\xd4\x01\x00",
    "timestamp of 4 bytes": TIMESTAMPS[0],
    "timestamp of 8 bytes": TIMESTAMPS[1],
    "timestamp of 12 bytes": TIMESTAMPS[2],
    "nil": b"\xc0",
    "nil in an array": b"\x92\x01\xc0",
    "the byte that means nothing": b"\xc1",
    "float of 4 bytes": b"\xca" + struct.pack(">f", 1.0),
    "float of 8 bytes": b"\xcb" + struct.pack(">d", 0.5),
    "not a number": b"\x91\xcb" + struct.pack(">d", float("nan")),
    "value after the end": raw([1]) + b"\x01",
    "message twice": raw([1, 2]) * 2,
    "array cut short": raw([1, 2, 3])[:-1],
    "bytes cut short": raw(b"abc")[:-1],
    "number cut short": b"\xce\x01\x02",
    "length cut short": b"\xdb\x00",
    "1 in two bytes": b"\xcc\x01",
    "1 in three bytes": b"\xcd\x00\x01",
    "1 in nine bytes": b"\xcf" + bytes(7) + b"\x01",
    "1 as a signed number": b"\xd0\x01",
    "-1 in two bytes": b"\xd0\xff",
    "text with a length too wide": b"\xd9\x01a",
    "bytes with a length too wide": b"\xc5\x00\x01a",
    "array with a length too wide": b"\xdc\x00\x01\x01",
    "array with a length of four bytes": b"\xdd\x00\x00\x00\x01\x01",
    "text that is no UTF-8": b"\xa2\xff\xfe",
    "text with half a character": b"\xa3\xed\xa0\x80",
    "text with a sign in more bytes than needed": b"\xa2\xc0\xaf",
    "message of more than 64 KiB": raw(bytes(wire.MAX_FRAME)),
}


@pytest.mark.parametrize("data", NO_FORM.values(), ids=NO_FORM)
def test_bytes_without_a_form_are_refused(data: bytes) -> None:
    with pytest.raises(BadMessage):
        unpack(data)
    # as the body of an entry, where any value could stand
    whole = pack(GOOD_ENTRY)
    assert whole.endswith(pack(GOOD_ENTRY.body))
    with pytest.raises(BadMessage):
        decode(Entry, whole[: -len(pack(GOOD_ENTRY.body))] + data)


def test_the_limits_themselves_are_fine() -> None:
    assert unpack(b"\x91" * 8 + b"\x01") == ((((((((1,),),),),),),),)
    assert len(unpack(b"\xdc\x04\x00" + b"\x01" * 1024)) == 1024
    assert len(unpack(raw([[0] * 1000] * 4))) == 4
    assert len(unpack(raw(bytes(wire.MAX_FRAME - 5)))) == wire.MAX_FRAME - 5


def with_field(message: Any, field: int, value: Any) -> bytes:
    fields = list(msgpack.unpackb(pack(message)))
    fields[field] = value
    return raw(fields)


# More of these are in the vectors (hostile.py).
OUT_OF_BOUNDS: dict[str, tuple[type[Any], bytes]] = {
    "no array": (Sit, raw("sit")),
    "key of 33 bytes": (Sit, with_field(GOOD_SIT, 1, KEY + b"x")),
    "key in base64": (Sit, with_field(GOOD_SIT, 1, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")),
    "nine names": (Sit, with_field(GOOD_SIT, 2, ["Ada"] * 9)),
    "version below 0": (Open, with_field(GOOD_OPEN, 0, -1)),
    "version beyond 4 bytes": (Open, with_field(GOOD_OPEN, 0, 2**32)),
    "false for no seats": (Open, with_field(GOOD_OPEN, 5, False)),
    "no seats": (Open, with_field(GOOD_OPEN, 5, 0)),
    "empty game": (Open, with_field(GOOD_OPEN, 1, "")),
    "game of 41 signs": (Open, with_field(GOOD_OPEN, 1, "x" * 41)),
    "game with a blank": (Open, with_field(GOOD_OPEN, 1, "o ak")),
    "game that is not ASCII": (Open, with_field(GOOD_OPEN, 1, "oäk")),
    "option of three parts": (Open, with_field(GOOD_OPEN, 4, [["a", "x", "y"]])),
    "33 options": (Open, with_field(GOOD_OPEN, 4, [[f"o{i:02}", "x"] for i in range(33)])),
    "parent of four parts": (Charter, with_field(GOOD_CHARTER, 2, [KEY, 1, KEY, 1])),
    "parent in another order": (Charter, with_field(GOOD_CHARTER, 2, [1, KEY, KEY])),
    "parent with true": (Charter, with_field(GOOD_CHARTER, 2, [KEY, True, KEY])),
    "charter without seats": (Charter, with_field(GOOD_CHARTER, 6, [])),
    "sit signature of 63 bytes": (Charter, with_field(GOOD_CHARTER, 5, [[b"sit", bytes(63)]])),
    "nine entries given": (Charter, with_field(GOOD_CHARTER, 4, [KEY] * 9)),
    "author 256": (Entry, with_field(GOOD_ENTRY, 4, 256)),
    "head of another kind": (Head, with_field(GOOD_HEAD, 0, "tail")),
    "no signed bytes": (Record, with_field(GOOD_RECORD, 1, b"")),
    "nine signatures": (Record, raw(["charter", b"b", [b""] * 9])),
}


@pytest.mark.parametrize(("kind", "data"), OUT_OF_BOUNDS.values(), ids=OUT_OF_BOUNDS)
def test_messages_out_of_their_bounds_are_refused(kind: type[Any], data: bytes) -> None:
    with pytest.raises(BadMessage):
        decode(kind, data)


@pytest.mark.parametrize(
    "name",
    ["", " Ada", "Ada ", "\x1b[31mred", "\x1b]52;c;aGk=\x07", "a\nb", "a\rb", "a\x00b", "a\x7fb", "a\x9bb",
     "a\u202eb", "a\u2066b", "a\u200bb", "a\u200db", "a\ufeffb", "a\u00a0b", "a\u2028b", "\u0301a", "e\u0301",
     "a" + "\u0323\u0325\u0330\u0331", "\ue000", "\U000e0041", "\u3164", "x" * 25, "漢" * 13],
)  # fmt: skip
def test_names_that_do_more_than_stand_there_are_refused(name: str) -> None:
    with pytest.raises(BadMessage, match="a name that cannot be shown") as refused:
        decode(Sit, with_field(GOOD_SIT, 2, ["Ada", name]))
    assert str(refused.value).isascii()
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("name", ["[/]", "[bold]x", "[@click=app.quit]x[/]", "{x}", "$(x)", "漢字", "Zoë"])
def test_names_with_markup_are_names_like_any_other(name: str) -> None:
    assert decode(Sit, with_field(GOOD_SIT, 2, [name])).names == (name,)


BAD_ANSWERS: dict[str, Any] = {
    "no list": 1,
    "none": [],
    "257": [1] * 257,
    "true": [True],
    "true inside": [[1, [True]]],
    "bytes": [b"x"],
    "2**31": [2**31],
    "below -2**31": [-(2**31) - 1],
    "five deep": [[[[[[1]]]]]],
    "escape": ["\x1b[2J"],
    "not ASCII": ["ä"],
}


@pytest.mark.parametrize("value", BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_what_is_no_answer_is_refused(value: Any) -> None:
    with pytest.raises(BadMessage):
        wire.answers(unpack(raw(value)))


def test_answers_may_be_as_deep_and_many_as_the_engine_allows() -> None:
    deep = unpack(raw([[[[[1]]]]] + [-(2**31)] * 255))
    assert wire.answers(deep) == deep


def peak(call: Callable[[], object]) -> int:
    """The most bytes held at a time during a call that must end in `BadMessage` or return."""
    tracemalloc.start()
    try:
        call()
    except BadMessage:
        pass
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return most


LARGE = {
    "arrays of one": b"\xdc\x04\x00" + (b"\xdc\x00\x1f" + b"\x91\x01" * 31) * 990,
    "arrays": b"\xdc\x04\x00" + (b"\x9f" + b"\x90" * 15) * 1024,
    "numbers": b"\xdc\x04\x00" + (b"\xdc\x00\x14" + b"\xcd\x01\x00" * 20) * 1000,
    "short texts": b"\xdc\x04\x00" + (b"\x9f" + b"\xa3\xe2\x82\xac" * 15) * 1024,
    "one text": raw("x" * 65_000 + "\U0001f600"),
    "bytes": raw([b"x" * 60] * 1000),
}


@pytest.mark.parametrize("data", [*NO_FORM.values(), *LARGE.values()], ids=[*NO_FORM, *LARGE])
def test_no_message_takes_much_memory_beyond_its_own_bytes(data: bytes) -> None:
    assert peak(lambda: unpack(data)) < 2**20


# -- whole sessions ------------------------------------------------------------------------------------------


def table() -> tuple[Mesh, list[bytes]]:
    """A table in the midst of its game, and every message that was sent there."""
    mesh, sent = Mesh(Market(), [("Ada",), ("Bo", "Cy")]), list[bytes]()

    def note(_source: bytes, _to: bytes, message: bytes) -> list[bytes]:
        sent.append(message)
        return [message]

    mesh.filter = note
    mesh.start()
    mesh.play(until=lambda: mesh.peers[0].transcript.step.number > 8)
    return mesh, [*dict.fromkeys(sent)]


def standing(session: Session) -> tuple[Any, ...]:
    """All of a session that a signed message may change; who is linked to whom is hearsay."""
    transcript = session.transcript
    assert transcript is not None
    step = transcript.step
    entries = {author: filled.record for author, filled in step.entries.items()}
    under_way = [one.record for one in session.council.gatherings.open.values()]
    return (
        *(transcript.head, transcript.game.digest(), transcript.draw, transcript.places),
        *(tuple(transcript.resigned), len(transcript.charters), [*transcript.chains._known]),
        *(step.kind, step.number, entries, dict(transcript.slots), dict(session.sits), under_way),
    )


@pytest.mark.parametrize("data", NO_FORM.values(), ids=NO_FORM)
def test_a_session_calls_it_malformed_and_stands_as_it_stood(
    data: bytes, market: tuple[Mesh, list[bytes]]
) -> None:
    peer, other = market[0].peers[0].session, market[0].peers[1].key
    before = standing(peer)
    for message in (data, raw(["entry", data, bytes(64)])):
        (event,) = peer.receive(other, message)
        assert isinstance(event, events.Rejected)
        assert isinstance(event.refusal, Malformed)
        assert event.key == other
        assert event.refusal.why.isascii()
    assert standing(peer) == before


@pytest.fixture(scope="module")
def market() -> tuple[Mesh, list[bytes]]:
    return table()


def test_signed_bytes_without_a_form_are_malformed_for_whoever_reads_them() -> None:
    for kind in (Open, Sit, Charter, Entry):
        with pytest.raises(Malformed):
            read(kind, b"\x91" * 1000)


def mutated(rng: Random, messages: list[bytes]) -> bytes:
    """A real message with something done to it, or garbage."""
    message = bytearray(rng.choice(messages))
    act, at = rng.randrange(32) and rng.randrange(1, 7), rng.randrange(len(message))
    if act == 1:
        message[at] ^= 1 << rng.randrange(8)
    elif act == 2:
        message[at] = rng.randrange(256)
    elif act == 3:
        del message[at:]
    elif act == 4:
        message[at:at] = rng.choice(messages)[: rng.randrange(40)]
    elif act == 5:
        message[at : at + rng.randrange(40)] = rng.randbytes(rng.randrange(12))
    elif act == 6:
        return rng.randbytes(rng.randrange(64))
    return bytes(message)


def test_100_000_frames_of_mutated_messages_change_nothing(market: tuple[Mesh, list[bytes]]) -> None:
    mesh, messages = market
    session, other = mesh.peers[0].session, mesh.peers[1].key
    waiting = Session(signer(0), mesh.rules_for, ("Ada",), bytes(32), opener=mesh.peers[0].key)
    waiting.open(mesh.opening)  # and nobody else sits: what it takes would show
    rng = Random(1)  # noqa: S311 - the same in every run is what is wanted
    before = standing(session), standing(waiting)
    told = dict[str, int]()

    def receive(frames: int, into: Session) -> None:
        for _ in range(frames):
            message = mutated(rng, messages)
            if into is waiting and message in known:
                continue
            for event in into.receive(other, message):
                assert isinstance(event, events.Rejected | events.Send)
                name = event.refusal.reason if isinstance(event, events.Rejected) else "send"
                told[name] = told.get(name, 0) + 1

    known = frozenset(messages)
    receive(45_000, session)
    assert peak(lambda: receive(10_000, session)) < 2**20
    receive(30_000, session)
    receive(10_000, waiting)
    assert peak(lambda: receive(5_000, waiting)) < 2**20
    assert (standing(session), standing(waiting)) == before
    assert {"malformed", "signature", "send"} <= set(told)
