"""What is believed of a table that announces itself (discovery 2)."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oaknet_protocol.announcement import (
    TEXT_LIMIT,
    Announcement,
    BadAnnouncement,
    OpenTable,
    PrivateTable,
    open_secret,
    read,
    written,
)
from oaknet_protocol.invite import Invite, key_hash
from oaknet_protocol.text import BadText
from oaknet_protocol.text import name as checked_name

OPEN = OpenTable(bytes(range(16)), "five_towers", 2, 4, key_hash(bytes(32)), "Ann", b"\x07" * 16)
RECORD: dict[bytes, bytes | None] = {**written(OPEN)}

sixteen = st.binary(min_size=16, max_size=16)


def is_name(text: str) -> bool:
    try:
        return checked_name(text) == text
    except BadText:
        return False


open_tables = st.integers(1, 8).flatmap(
    lambda seats: st.builds(
        OpenTable,
        sixteen,
        st.from_regex(r"[a-z][a-z0-9_]{0,31}", fullmatch=True),
        st.integers(0, seats),
        st.just(seats),
        sixteen,
        st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=24).filter(is_name),
        sixteen,
    )
)
private_tables = st.builds(PrivateTable, sixteen.map(bytes.hex))


@given(st.one_of(open_tables, private_tables))
def test_what_is_written_is_read(table: Announcement) -> None:
    record = written(table)
    assert read(record) == table
    assert sum(map(len, (*record, *record.values()))) <= TEXT_LIMIT
    assert all(len(key) + len(value) < 255 for key, value in record.items())


def test_an_open_table_gives_its_invite() -> None:
    invite = OPEN.invite
    assert invite.secret == open_secret(OPEN.seed)
    assert invite.secret == hashlib.sha256(b"oaknet/1/lan\0\0\0\0\x10" + OPEN.seed).digest()[:16]
    assert invite.matches(bytes(32))
    assert invite.addresses == ()
    assert Invite.parse(str(invite)) == invite


def test_a_private_table_is_known_to_who_holds_the_invite_and_tells_nothing_else() -> None:
    invite, other = Invite(b"s" * 16, b"k" * 16), Invite(b"t" * 16, b"k" * 16)
    table = PrivateTable.of(invite)
    assert table.matches(invite)
    assert not table.matches(other)
    record = written(table)
    assert sorted(record) == [b"i", b"v"]
    told = b"".join(record.values())
    for secret in (invite.secret, invite.opener):
        assert secret not in told
        assert secret.hex().encode() not in told


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((b"v", value) for value in (b"2", b"", b"01", None)),
        *((b"t", value) for value in (b"", b"0" * 31, b"0" * 33, b"G" * 32, b"A" * 32, b"\xff" * 32, None)),
        *(
            (b"g", value)
            for value in (b"", b"Oak", b"9oak", b"o" * 33, b"oak\n", b"\xc3\x84", b"[red]", None)
        ),
        *((b"n", value) for value in (b"", b"0", b"9", b"10", b"x", b"-1", b" 4", b"\xd9\xa4", None)),
        *((b"f", value) for value in (b"", b"5", b"04", b"x", None)),
        *((b"k", value) for value in (b"", b"0" * 40, None)),
        *((b"s", value) for value in (b"", b"0" * 30, None)),
        *((b"by", value) for value in (b"", b"\xff", b"\x1b[2J", b"a\xe2\x80\xaeb", b"x" * 25, b" A", None)),
        (b"i", b""),
        (b"i", b"0" * 33),
        (b"unknown", b"x" * TEXT_LIMIT),
    ],
)
def test_a_wrong_value_refuses_the_record(key: bytes, value: bytes | None) -> None:
    with pytest.raises(BadAnnouncement) as caught:
        read({**RECORD, key: value})
    assert str(caught.value).isprintable()
    with pytest.raises(BadAnnouncement):
        read({k: v for k, v in RECORD.items() if k != key} if key in RECORD else {**RECORD, key: value})


def test_unknown_keys_are_skipped() -> None:
    assert read({**RECORD, b"later": b"\xff\x00", b"flag": None}) == OPEN


@given(st.dictionaries(st.sampled_from([*RECORD, b"i", b"x"]), st.none() | st.binary(max_size=80)))
def test_any_record_is_taken_whole_or_refused(record: dict[bytes, bytes | None]) -> None:
    for mixed in (record, {**RECORD, **record}):
        try:
            table = read(mixed)
        except BadAnnouncement:
            continue
        known = {key: value for key, value in mixed.items() if key in written(table)}
        assert written(table) == known


@given(st.dictionaries(st.binary(max_size=300), st.none() | st.binary(max_size=2000), max_size=50))
def test_any_bytes_are_refused(record: dict[bytes, bytes | None]) -> None:
    with pytest.raises(BadAnnouncement):
        read(record)


@pytest.mark.parametrize(
    "table",
    [
        OpenTable(bytes(16), "Oak", 1, 2, bytes(16), "Ann", bytes(16)),
        OpenTable(bytes(16), "oak", 3, 2, bytes(16), "Ann", bytes(16)),
        OpenTable(bytes(16), "oak", 1, 2, bytes(16), "\x1b", bytes(16)),
        OpenTable(bytes(15), "oak", 1, 2, bytes(16), "Ann", bytes(16)),
        PrivateTable("x"),
    ],
)
def test_nobody_announces_what_nobody_takes(table: Announcement) -> None:
    with pytest.raises(BadAnnouncement):
        written(table)
