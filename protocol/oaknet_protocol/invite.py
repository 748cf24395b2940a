"""Invites: one line to paste that lets somebody in and says whom to believe and where to knock (invite).

An invite is read by people, sent through chats and sometimes typed from a screen. So its signs leave no
doubt, and each group of ten carries a sign that the nine before it give: a slip is named by its place.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from oaknet.kernel import H
from oaknet_protocol.address import ADDRESS_LIMIT, NAME_LIMIT, Address, parsed
from oaknet_protocol.signing import CROCKFORD

SECRET_SIZE = 16
"""Bytes of an invite's secret."""

KEY_HASH_SIZE = 16
"""Bytes of the hash that pins the opener's key."""

GROUP = 10
"""Signs of a group, the last of which checks the others."""

TEXT_LIMIT = 2000
"""The most characters that are looked at for an invite, with blanks and line breaks."""

_PREFIX = "oak1"
_SUM_SIZE = 3
_LARGEST = 1 + SECRET_SIZE + KEY_HASH_SIZE + ADDRESS_LIMIT * (3 + NAME_LIMIT) + _SUM_SIZE

_LIKE = str.maketrans("OIL", "011")
_READ = _PREFIX.upper().translate(_LIKE)
_AROUND = "\"'`<>()[]{}«»„“”‘’.,;:!?*_"  # what chats and people put around what they quote
_BETWEEN = "-‐‑–—\u00ad\u200b\ufeff>"  # hyphens of all kinds, and what mail and chats break lines with

_V4, _V6, _NAME = 4, 6, 64
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


class BadInvite(ValueError):
    """A text that is no invite; the words say which part is wrong and what to do.

    ``status`` is the exit status of a program that was given it.
    """

    status = 2


class OtherVersion(BadInvite):
    """An invite of another version of oaknet."""

    status = 3


def key_hash(key: bytes) -> bytes:
    """What pins a public key of 32 bytes in invites and announcements: 16 bytes (invite 1.3)."""
    return H("key", key)[:KEY_HASH_SIZE]


@final
@dataclass(frozen=True, slots=True)
class Invite:
    """What lets somebody in at a table.

    ``secret`` has 16 bytes, ``opener`` is the `key_hash` of who opened the table, ``addresses`` are up to six
    different ones in the order in which to try them: those of a kind as given, IPv6 before IPv4 before names.
    Raises `ValueError` for other sizes, too many or the same twice.
    """

    secret: bytes
    opener: bytes
    addresses: tuple[Address, ...] = ()

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_SIZE or len(self.opener) != KEY_HASH_SIZE:
            raise ValueError(f"an invite has {SECRET_SIZE} bytes of secret and {KEY_HASH_SIZE} of key hash")
        if len(self.addresses) > ADDRESS_LIMIT:
            raise ValueError(f"an invite has at most {ADDRESS_LIMIT} addresses")
        if len(frozenset(self.addresses)) != len(self.addresses):
            raise ValueError("an invite has no address twice")
        ordered = tuple(sorted(self.addresses, key=lambda address: address.rank))
        object.__setattr__(self, "addresses", ordered)

    def __repr__(self) -> str:  # the secret must not get into logs
        return f"<Invite to {', '.join(map(str, self.addresses)) or 'no address'}>"

    def matches(self, key: bytes) -> bool:
        """Whether this is the opener's public key, 32 bytes (invite 1.3)."""
        return key_hash(key) == self.opener

    def __str__(self) -> str:
        """The line to paste, in lower case (invite 3)."""
        body = self.packed()
        signs = _signs(body + _sum(body))
        groups = [signs[at : at + GROUP - 1] for at in range(0, len(signs), GROUP - 1)]
        checked = [group + _check(number, group) for number, group in enumerate(groups, 1)]
        return _PREFIX + "".join(checked).lower()

    def packed(self) -> bytes:
        """The invite's bytes, without the sum (invite 1)."""
        parts = [bytes([len(self.addresses)]), self.secret, self.opener]
        for address in self.addresses:
            ip = parsed(address.host)
            if ip is None:
                parts += [bytes([_NAME + len(address.host)]), address.host.encode("ascii")]
            else:
                parts += [bytes([_V6 if ip.version == 6 else _V4]), ip.packed]
            parts.append(address.port.to_bytes(2, "big"))
        return b"".join(parts)

    @classmethod
    def parse(cls, text: str) -> Invite:
        """The invite in what somebody pasted or typed; raises `BadInvite` (invite 3 and 4)."""
        signs = _cleaned(text)
        groups = [signs[at : at + GROUP] for at in range(0, len(signs), GROUP)]
        _check_groups(groups)
        data = _bytes("".join(group[:-1] for group in groups))
        body, control = data[:-_SUM_SIZE], data[-_SUM_SIZE:]
        wanted = _size(body)
        if wanted is None or len(body) < wanted:
            raise BadInvite("The invite is cut off at its end. Copy the whole line again.")
        if len(body) > wanted:
            raise BadInvite("The invite goes on after its end. Copy it again, without what follows it.")
        if _sum(body) != control:
            raise BadInvite(
                "The invite has several typing errors that hide each other. Copy the whole line again."
            )
        invite = _unpacked(body)
        if str(invite) != _PREFIX + signs.lower():
            raise BadInvite("The invite is not written as oaknet writes it. Ask for a new one.")
        return invite


# -- signs and groups ----------------------------------------------------------------------------------------


def _cleaned(text: str) -> str:
    """The signs behind the prefix, in upper case, without what people and programs put in (invite 4.1)."""
    if len(text) > TEXT_LIMIT:
        raise BadInvite("This is too long to be an invite. Copy the one line that begins with oak1.")
    kept = "".join(sign for sign in text if not sign.isspace() and sign not in _BETWEEN).strip(_AROUND)
    signs = kept.upper().translate(_LIKE)
    if not signs:
        raise BadInvite("There is no invite. Paste the one line that begins with oak1.")
    if not signs.startswith(_READ):
        if signs.startswith(_READ[:3]) and len(signs) > 40 and signs[3] in "23456789":
            raise OtherVersion(
                f"This is an invite of another version of oaknet (oak{signs[3]}). "
                "Install the version that the others have."
            )
        raise BadInvite("This is no invite. An invite is one line that begins with oak1.")
    signs = signs[len(_PREFIX) :]
    for place, sign in enumerate(signs):
        if sign not in CROCKFORD:
            shown = f"«{sign.lower()}»" if "!" <= sign <= "~" else f"U+{ord(sign):04X}"
            raise BadInvite(
                f"{_place(place // GROUP + 1, signs[place // GROUP * GROUP :])} has the sign {shown}, "
                "which is in no invite. Compare it, or copy the whole line again."
            )
    return signs


def _check_groups(groups: Sequence[str]) -> None:
    """Refuse, by its place, the first group whose last sign does not fit the others (invite 4.2)."""
    wrong = [
        number
        for number, group in enumerate(groups, 1)
        if len(group) < 2 or _check(number, group[:-1]) != group[-1]
    ]
    if not wrong:
        return
    first, last = wrong[0], len(groups)
    where = _place(first, groups[first - 1])
    if first == last and len(groups[-1]) < GROUP:
        raise BadInvite(
            f"{where}, is cut off or has a typing error. Compare it, or copy the whole line again."
        )
    if len(wrong) > 1 and 2 * len(wrong) > last - first:
        raise BadInvite(
            f"{where}, or the one before it, lacks a sign or has one too many: nothing fits from there on. "
            "Compare it, or copy the whole line again."
        )
    raise BadInvite(f"{where}, has a typing error. Compare it, or copy the whole line again.")


def _place(number: int, signs: str) -> str:
    """``The 4th group, «k7m2…»``: a group of the line, as it can be found by eye."""
    ending = "th" if number % 100 in (11, 12, 13) else _ORDINALS.get(number % 10, "th")
    shown = "".join(sign if "!" <= sign <= "~" else "?" for sign in signs[:GROUP]).lower()
    return f"The {number}{ending} group, «{shown}»"


def _check(number: int, signs: str) -> str:
    """The sign that checks a group: a sum in GF(32) in which each place has its own weight (invite 3.3).

    So no single sign can be wrong, and no two be exchanged, unnoticed.
    """
    total = number % 32
    for sign in signs:
        total = _doubled(total) ^ CROCKFORD.index(sign)
    return CROCKFORD[_doubled(total)]


def _doubled(value: int) -> int:
    """``value`` times x in the field of 32 elements, modulo x⁵ + x² + 1."""
    value <<= 1
    return value ^ 0b100101 if value & 32 else value


def _signs(data: bytes) -> str:
    """Crockford's base32, the last sign filled up with zero bits (invite 3.2)."""
    count = (8 * len(data) + 4) // 5
    bits = int.from_bytes(data, "big") << (5 * count - 8 * len(data))
    return "".join(CROCKFORD[bits >> (5 * place) & 31] for place in range(count - 1, -1, -1))


def _bytes(signs: str) -> bytes:
    """The whole bytes in these signs; bits that are left over are dropped here and compared in the end."""
    if len(signs) > (8 * _LARGEST + 4) // 5:
        raise BadInvite("This is too long to be an invite. Copy the one line that begins with oak1.")
    bits = 0
    for sign in signs:
        bits = bits << 5 | CROCKFORD.index(sign)
    return (bits >> (5 * len(signs) % 8)).to_bytes(5 * len(signs) // 8, "big")


def _sum(body: bytes) -> bytes:
    return H("invite", body)[:_SUM_SIZE]


# -- bytes and addresses -------------------------------------------------------------------------------------


def _host_size(kind: int) -> int:
    """How many bytes the host of an address of this kind has (invite 1.4)."""
    return {_V4: 4, _V6: 16}.get(kind, max(0, kind - _NAME))


def _size(body: bytes) -> int | None:
    """How many bytes an invite has that begins like this; None if it ends before that can be known."""
    at = 1 + SECRET_SIZE + KEY_HASH_SIZE
    for _ in range(body[0] if body else 0):
        if at >= len(body):
            return None
        at += 3 + _host_size(body[at])
    return at


def _unpacked(body: bytes) -> Invite:
    """The invite in bytes of the right size; raises `BadInvite` (invite 1 and 2)."""
    at = 1 + SECRET_SIZE
    secret, opener = body[1:at], body[at : at + KEY_HASH_SIZE]
    at += KEY_HASH_SIZE
    addresses: list[Address] = []
    try:
        for _ in range(body[0]):
            kind = body[at]
            raw = body[at + 1 : at + 1 + _host_size(kind)]
            at += 3 + len(raw)
            host = str(ipaddress.ip_address(raw)) if kind in (_V4, _V6) else raw.decode("ascii")
            addresses.append(Address(host, int.from_bytes(body[at - 2 : at], "big")))
        return Invite(secret, opener, tuple(addresses))
    except ValueError as error:  # also what is no ASCII
        raise BadInvite("The invite holds an address that cannot be. Ask for a new one.") from error
