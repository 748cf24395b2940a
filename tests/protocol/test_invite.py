"""Invites (invite): one line that people paste and type, and what they read when it is wrong."""

import json
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oaknet_protocol.address import ADDRESS_LIMIT, Address, BadAddress, chosen
from oaknet_protocol.invite import TEXT_LIMIT, BadInvite, Invite, OtherVersion, key_hash
from oaknet_protocol.signing import CROCKFORD
from tests.protocol import make_invites

VECTORS = json.loads(make_invites.FILE.read_text(encoding="utf-8"))
KEY = bytes.fromhex("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")
TWO = (Address("2001:db8:1:2:3:4:5:6", 4711), Address("192.0.2.7", 4711))
INVITE = Invite(bytes(range(16)), key_hash(KEY), TWO)
TEXT = str(INVITE)

labels = st.from_regex(r"[a-z]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)
hosts = st.one_of(
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(str),
    st.lists(labels, min_size=1, max_size=4).map(".".join),
)


@st.composite
def invites(draw: st.DrawFn) -> Invite:
    found: dict[Address, None] = {}
    for host in draw(st.lists(hosts, max_size=ADDRESS_LIMIT)):
        try:
            found[Address.of(host, draw(st.integers(1, 65535)))] = None
        except BadAddress:
            continue  # multicast and the like
    return Invite(draw(st.binary(min_size=16, max_size=16)), key_hash(draw(st.binary())), tuple(found))


def refusal(text: str) -> str:
    with pytest.raises(BadInvite) as caught:
        Invite.parse(text)
    return str(caught.value)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vectors(vector: dict[str, Any]) -> None:
    if vector["expect"] == "refuse":
        assert vector["says"] in refusal(vector["text"])
        return
    invite = Invite.parse(vector["text"])
    assert invite.secret.hex() == vector["secret"]
    assert invite.matches(bytes.fromhex(vector["key"]))
    assert [[address.host, address.port] for address in invite.addresses] == vector["addresses"]
    if vector["id"] not in ("spoken", "quoted"):
        assert str(invite) == vector["text"]


def test_the_vectors_are_what_the_spec_gives() -> None:
    assert make_invites.vectors() == VECTORS


@given(invites())
def test_what_is_written_is_read(invite: Invite) -> None:
    text = str(invite)
    assert Invite.parse(text) == invite
    assert Invite.parse(text.upper()) == invite
    assert text.isascii()
    assert text.islower()
    assert text.isalnum()


def test_it_is_short_enough_to_paste() -> None:
    assert len(TEXT) == 116
    most = [Address(f"2001:db8::{n}", 65535) for n in range(1, 7)]
    assert len(str(Invite(INVITE.secret, INVITE.opener, tuple(most)))) == 271
    mixed = [*most[:3], *(Address(f"192.0.2.{n}", 65535) for n in range(1, 4))]
    assert len(str(Invite(INVITE.secret, INVITE.opener, tuple(mixed)))) == 208


def group_of(place: int) -> str:
    number = (place - 4) // 10 + 1
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') if number < 11 else 'th' } group"


@pytest.mark.parametrize("place", range(4, len(TEXT)))
def test_every_wrong_sign_is_named_by_its_group(place: int) -> None:
    for sign in CROCKFORD.lower():
        if sign != TEXT[place]:
            assert f"The {group_of(place)}, «" in refusal(TEXT[:place] + sign + TEXT[place + 1 :])


def test_two_signs_exchanged_within_a_group_are_named() -> None:
    for place in range(4, len(TEXT) - 1):
        if TEXT[place] != TEXT[place + 1] and (place - 4) % 10 != 9:
            turned = TEXT[:place] + TEXT[place + 1] + TEXT[place] + TEXT[place + 2 :]
            assert f"The {group_of(place)}, «" in refusal(turned)


@pytest.mark.parametrize("place", range(4, len(TEXT)))
def test_a_missing_sign_and_one_too_many_are_found(place: int) -> None:
    assert refusal(TEXT[:place] + TEXT[place + 1 :])
    assert refusal(TEXT[:place] + "7" + TEXT[place:])


def test_a_missing_sign_is_told_from_a_wrong_one() -> None:
    assert "lacks a sign or has one too many" in refusal(TEXT[:40] + TEXT[41:])
    assert "has a typing error" in refusal(TEXT[:40] + ("x" if TEXT[40] != "x" else "y") + TEXT[41:])


@pytest.mark.parametrize("size", range(len(TEXT)))
def test_cut_off_anywhere_it_is_refused(size: int) -> None:
    said = refusal(TEXT[:size])
    assert "cut off" in said or "no invite" in said


def test_a_group_too_many_or_missing() -> None:
    assert "The 4th group" in refusal(TEXT[:34] + TEXT[44:])
    assert "The 5th group" in refusal(TEXT[:44] + TEXT[34:44] + TEXT[44:])
    assert "The 2nd group" in refusal(TEXT[:14] + TEXT[24:34] + TEXT[14:24] + TEXT[34:])


def test_too_long() -> None:
    assert "too long" in refusal(TEXT * 20)
    assert "too long" in refusal("oak1" + "0" * (TEXT_LIMIT - 4) + "1")
    assert refusal("oak1" + "0" * (TEXT_LIMIT - 4))


@given(st.text(max_size=200))
def test_any_text_is_refused_in_words_that_a_terminal_can_show(text: str) -> None:
    for said in (refusal(text), refusal("oak1" + text)):
        assert said.isprintable()
        assert said.endswith(".")


@given(st.text(CROCKFORD, max_size=300))
def test_any_signs_are_refused(signs: str) -> None:
    assert refusal("oak1" + signs)


@given(st.data())
def test_wrong_bytes_with_right_checks_are_refused_or_the_only_form(data: st.DataObject) -> None:
    from oaknet_protocol import invite as module

    body = bytearray(INVITE.packed())
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    signs = module._signs(bytes(body) + module._sum(bytes(body)))
    groups = [signs[at : at + 9] for at in range(0, len(signs), 9)]
    text = "oak1" + "".join(part + module._check(n, part) for n, part in enumerate(groups, 1)).lower()
    try:
        read = Invite.parse(text)
    except BadInvite:
        return
    assert str(read) == text


def test_another_version_is_told_from_a_typing_error() -> None:
    for version in "23456789":
        with pytest.raises(OtherVersion, match=f"oak{version}") as caught:
            Invite.parse("oak" + version + TEXT[4:])
        assert caught.value.status == 3
    with pytest.raises(BadInvite) as wrong:
        Invite.parse("oak0" + TEXT[4:])
    assert not isinstance(wrong.value, OtherVersion)
    assert wrong.value.status == 2


def test_the_opener_is_pinned() -> None:
    assert INVITE.matches(KEY)
    assert not INVITE.matches(bytes(32))


def test_ipv6_is_first_and_the_rest_stays_in_order() -> None:
    given_so = ("b.example", "192.0.2.2", "2001:db8::2", "a.example", "192.0.2.1", "2001:db8::1")
    invite = Invite(bytes(16), bytes(16), tuple(Address.of(host, 1) for host in given_so))
    assert [address.host for address in invite.addresses] == [
        *("2001:db8::2", "2001:db8::1", "192.0.2.2", "192.0.2.1", "b.example", "a.example")
    ]


@pytest.mark.parametrize(
    ("host", "written"),
    [
        ("[2001:DB8:0::1]", "[2001:db8::1]:7"),
        ("::ffff:192.0.2.7", "192.0.2.7:7"),
        ("Oak.Example.ORG.", "oak.example.org:7"),
        ("localhost", "localhost:7"),
        ("127.0.0.1", "127.0.0.1:7"),
    ],
)
def test_spellings_of_an_address(host: str, written: str) -> None:
    assert str(Address.of(host, 7)) == written


@pytest.mark.parametrize(
    "host",
    [
        *("", ".", "a..b", "-a", "a-", "1.2.3", "1.2.3.256", "01.2.3.4", "a" * 64, "a_b", "ä.de", "a b"),
        *("0.0.0.0", "::", "224.0.0.1", "ff02::1", "255.255.255.255", "fe80::1%eth0", "a\n", "a%1"),  # noqa: S104
    ],
)
def test_hosts_that_no_invite_can_hold(host: str) -> None:
    with pytest.raises(BadAddress):
        Address.of(host, 4711)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_ports_that_there_are_not(port: int) -> None:
    with pytest.raises(BadAddress, match="port"):
        Address.of("192.0.2.7", port)


def test_what_cannot_be_an_invite() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        Invite(bytes(15), bytes(16))
    with pytest.raises(ValueError, match="16"):
        Invite(bytes(16), KEY)
    with pytest.raises(ValueError, match="at most 6"):
        Invite(bytes(16), bytes(16), tuple(Address("192.0.2.7", port) for port in range(1, 8)))
    with pytest.raises(ValueError, match="twice"):
        Invite(bytes(16), bytes(16), (TWO[0], TWO[0]))


def test_the_secret_is_in_no_representation() -> None:
    shown = repr(INVITE)
    assert "192.0.2.7" in shown
    assert INVITE.secret.hex() not in shown
    assert repr(INVITE.secret) not in shown
    assert TEXT not in shown


def test_every_sign_around_and_between_is_forgiven() -> None:
    for mark in (*"\"'`<>()[].,;:!?-_*", "\u00a0", "\u2011", "\u200b", "\n", "\t"):
        assert Invite.parse(f"{mark}{TEXT}{mark}") == INVITE
    assert Invite.parse("\n".join(TEXT)) == INVITE
    for mark in set(string.punctuation) - {"-", ">"}:
        assert "which is in no invite" in refusal(TEXT[:30] + mark + TEXT[30:])


@pytest.mark.parametrize(
    ("own", "forwarded", "chosen_hosts"),
    [
        (["192.168.1.2", "2a00:1450::1"], None, ["2a00:1450::1", "192.168.1.2"]),
        (["fd00::1", "2a00:1450::1", "fe80::1%2"], None, ["2a00:1450::1", "fd00::1"]),
        (["10.0.0.1", "8.8.8.8", "127.0.0.1", "::1"], None, ["8.8.8.8", "10.0.0.1"]),
        (["192.168.1.2"], "8.8.8.8", ["8.8.8.8", "192.168.1.2"]),
        (["8.8.8.8"], "8.8.8.8", ["8.8.8.8"]),
        ([f"2a00:1450::{n}" for n in range(1, 9)], None, [f"2a00:1450::{n}" for n in range(1, 4)]),
        ([f"10.0.0.{n}" for n in range(1, 9)], "8.8.8.8", ["8.8.8.8", *(f"10.0.0.{n}" for n in range(1, 6))]),
        (["127.0.0.1", "::1"], None, ["::1", "127.0.0.1"]),
        ([], None, []),
    ],
)
def test_the_addresses_that_go_into_an_invite(
    own: list[str], forwarded: str | None, chosen_hosts: list[str]
) -> None:
    outside = Address(forwarded, 4711) if forwarded else None
    addresses = chosen(own, 4711, outside)
    assert [address.host for address in addresses] == chosen_hosts
    assert Invite.parse(str(Invite(bytes(16), bytes(16), addresses))).addresses == addresses
