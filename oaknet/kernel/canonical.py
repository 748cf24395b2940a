"""Canonical bytes and the one hash function (engine 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeAlias

Plain: TypeAlias = "int | str | bytes | Sequence[Plain]"
"""Data that has exactly one byte form: ints, strings, bytes, and lists or tuples of these."""


def canonical(value: Plain) -> bytes:
    """The one byte form of a plain value: MessagePack, each part in its shortest form (engine 5.1).

    Lists and tuples are both arrays. Raises `TypeError` for anything that is not plain (bool, None, float,
    dict, set), and `ValueError` for an int outside -2**63 … 2**64 - 1.
    """
    out = bytearray()
    _write(out, value)
    return bytes(out)


def _write(out: bytearray, value: Any) -> None:
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is int:
        _write_int(out, value)
    elif kind is list or kind is tuple:
        _head(out, len(value), 0x90, 16, (None, 0xDC, 0xDD))
        for item in value:
            if type(item) is int and 0 <= item < 128:  # most of every position: worth a way of its own
                out.append(item)
            else:
                _write(out, item)
    elif kind is str:
        text: bytes = value.encode()
        _head(out, len(text), 0xA0, 32, (0xD9, 0xDA, 0xDB))
        out.extend(text)
    elif kind is bytes:
        _head(out, len(value), 0, 0, (0xC4, 0xC5, 0xC6))
        out.extend(value)
    else:
        raise TypeError(f"{value!r} has no canonical bytes: only int, str, bytes, list and tuple do")


def _write_int(out: bytearray, n: int) -> None:
    if 0 <= n < 128:
        out.append(n)
    elif -32 <= n < 0:
        out.append(256 + n)
    elif n >= 0:
        for code, size in ((0xCC, 1), (0xCD, 2), (0xCE, 4), (0xCF, 8)):
            if n < 1 << (8 * size):
                out.append(code)
                out += n.to_bytes(size, "big")
                return
        raise ValueError(f"{n} is too large for canonical bytes")
    else:
        for code, size in ((0xD0, 1), (0xD1, 2), (0xD2, 4), (0xD3, 8)):
            if n >= -1 << (8 * size - 1):
                out.append(code)
                out += n.to_bytes(size, "big", signed=True)
                return
        raise ValueError(f"{n} is too small for canonical bytes")


def _head(out: bytearray, size: int, short: int, below: int, codes: tuple[int | None, int, int]) -> None:
    """The header of an array, string or byte string of ``size`` items or bytes."""
    one, two, four = codes
    if size < below:
        out.append(short | size)
    elif one is not None and size < 1 << 8:
        out.append(one)
        out.append(size)
    elif size < 1 << 16:
        out.append(two)
        out += size.to_bytes(2, "big")
    else:
        out.append(four)
        out += size.to_bytes(4, "big")


def H(tag: str, *parts: bytes) -> bytes:  # noqa: N802 - the name the specs use
    """SHA-256 of ``"oaknet/1/" tag 00`` and of each part behind its 4-byte length (engine 5.2): 32 bytes."""
    return hashlib.sha256(hashed(tag, *parts)).digest()


def hashed(tag: str, *parts: bytes) -> bytes:
    """The bytes that `H` hashes."""
    measured = [piece for part in parts for piece in (len(part).to_bytes(4, "big"), part)]
    return b"".join((b"oaknet/1/", tag.encode(), b"\0", *measured))
