"""The vectors of invites, made from `specs/invite.md` alone and not with the product's code.

``python -m tests.protocol.make_invites`` writes them; the tests compare what it makes with the file.
"""

from __future__ import annotations

import hashlib
import json
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "specs" / "vectors" / "invite.json"

SIGNS = "0123456789abcdefghjkmnpqrstvwxyz"
KEY = bytes.fromhex("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")
SECRET = bytes(range(16))

Host = tuple[str, int]

# The field of 32 elements by its powers of 2, modulo x^5 + x^2 + 1.
POWERS = [1]
for _ in range(30):
    POWERS.append(POWERS[-1] * 2 ^ (37 if POWERS[-1] > 15 else 0))


def times(a: int, b: int) -> int:
    return POWERS[(POWERS.index(a) + POWERS.index(b)) % 31] if a and b else 0


def hashed(tag: bytes, data: bytes) -> bytes:
    return hashlib.sha256(b"oaknet/1/" + tag + b"\0" + len(data).to_bytes(4, "big") + data).digest()


def address(host: str, port: int) -> bytes:
    if ":" in host:
        packed = b"\x06" + socket.inet_pton(socket.AF_INET6, host)
    elif host.replace(".", "").isdigit():
        packed = b"\x04" + socket.inet_aton(host)
    else:
        packed = bytes([64 + len(host)]) + host.encode()
    return packed + port.to_bytes(2, "big")


def invite(
    hosts: Sequence[Host],
    *,
    secret: bytes = SECRET,
    raw: bytes = b"",
    total: bytes | None = None,
    version: int = 1,
) -> str:
    """An invite's text; ``raw`` bytes follow the addresses, ``total`` is another sum."""
    body = bytes([len(hosts)]) + secret + hashed(b"key", KEY)[:16]
    return text(body + b"".join(address(*host) for host in hosts) + raw, total=total, version=version)


def text(body: bytes, *, total: bytes | None = None, version: int = 1) -> str:
    data = body + (hashed(b"invite", body)[:3] if total is None else total)
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    values = [int(bits[at : at + 5], 2) for at in range(0, len(bits), 5)]
    out = f"oak{version}"
    for number, at in enumerate(range(0, len(values), 9), 1):
        group = values[at : at + 9]
        check = times(number % 32, POWERS[len(group) + 1])
        for place, value in enumerate(group):
            check ^= times(value, POWERS[len(group) - place])
        out += "".join(SIGNS[value] for value in (*group, check))
    return out


def vectors() -> list[dict[str, Any]]:
    """All of them, in the order of the file."""
    made: list[dict[str, Any]] = []

    def taken(
        name: str, comment: str, line: str, hosts: Sequence[Host], clause: str, secret: bytes = SECRET
    ) -> None:
        made.append(
            {
                "id": name,
                "comment": comment,
                "text": line,
                "secret": secret.hex(),
                "key": KEY.hex(),
                "addresses": [[*host] for host in hosts],
                "expect": "accept",
                "clause": clause,
            }
        )

    def refused(name: str, comment: str, line: str, says: str, clause: str) -> None:
        made.append(
            {"id": name, "comment": comment, "text": line, "says": says, "expect": "refuse", "clause": clause}
        )

    two = [("2001:db8:1:2:3:4:5:6", 4711), ("192.0.2.7", 4711)]
    six = [
        *(("2001:db8::1", 1), ("2001:db8::2", 2), ("2001:db8::3", 3)),
        *(("192.0.2.1", 65535), ("198.51.100.9", 80), ("oak.example.org", 4711)),
    ]
    line, full = invite(two), b"\xff" * 16
    taken("two", "an IPv6 and an IPv4 address", line, two, "invite 1 to 3")
    taken("none", "no address", invite([]), [], "invite 2.4")
    taken("six", "six addresses of all kinds", invite(six, secret=full), six, "invite 1.4", full)
    spoken = "- ".join(line[at : at + 7] for at in range(4, len(line), 7)).upper()
    spoken = spoken.replace("0", "o").replace("1", "l", 3).replace("1", "I")
    comment = "upper case, o for 0, l and i for 1, blanks, hyphens, line breaks"
    taken("spoken", comment, f"  OAKI-{spoken} \n", two, "invite 4.1")
    quoted = f"> “{line[:60]}\r\n> {line[60:]}”."
    taken("quoted", "broken and quoted as mail does, in quotation marks", quoted, two, "invite 4.1")

    def other(at: int) -> str:
        return line[:at] + SIGNS[(SIGNS.index(line[at]) + 1) % 32] + line[at + 1 :]

    turned = next(at for at in range(34, 43) if line[at] != line[at + 1])
    exchanged = line[:turned] + line[turned + 1] + line[turned] + line[turned + 2 :]
    place, sense, form = "invite 4.2", "invite 2.1", "invite 1.4"
    refused("sign", "the 15th sign of the groups is another one", other(18), "The 2nd group", place)
    refused("check", "the check sign of the 3rd group is another one", other(33), "The 3rd group", place)
    refused("exchanged", "two signs of the 4th group exchanged", exchanged, "The 4th group", place)
    refused("missing", "a sign of the 5th group is missing", line[:47] + line[48:], "The 5th group", place)
    refused("u", "a sign that no invite has", line[:24] + "u" + line[25:], "The 3rd group", place)
    refused("cut", "cut off behind the 6th group", line[:64], "cut off", place)
    refused("version", "another version", invite(two, version=2), "another version", place)
    refused(
        "longer", "bytes behind the last address", invite(two, raw=bytes(4)), "goes on after its end", form
    )
    refused("sum", "a sum that is another's", invite(two, total=bytes(3)), "hide each other", "invite 3.4")
    odd = text(b"\x01" + SECRET + hashed(b"key", KEY)[:16] + b"\x05\0\0")
    refused("kind", "an address of a kind that there is not", odd, "cannot be", form)
    for name, comment, hosts, clause in (
        ("port", "port 0", [("192.0.2.7", 0)], sense),
        ("multicast", "a multicast address", [("224.0.0.251", 1)], sense),
        ("mapped", "IPv4 mapped into IPv6", [("::ffff:192.0.2.7", 1)], "invite 2.2"),
        ("upper", "a name in upper case", [("Oak.example.org", 1)], sense),
        ("twice", "an address twice", [two[1], two[1]], "invite 2.3"),
        ("seven", "seven addresses", [("192.0.2.7", port) for port in range(1, 8)], "invite 1.1"),
    ):
        refused(name, comment, invite(hosts), "cannot be", clause)
    order = "not written as oaknet writes it"
    refused("order", "IPv4 before IPv6", invite(two[::-1]), order, "invite 2.3")
    refused("empty", "nothing", "", "There is no invite", place)
    refused("other", "another text", "https://example.org/join/me", "This is no invite", place)
    refused("escape", "a control character", "oak1\x1b[2J" + line[4:], "U+001B", place)
    return made


def main() -> None:
    lines = ",\n".join(f"  {json.dumps(vector)}" for vector in vectors())
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
