"""What peers exchange and logs hold: typed messages with exactly one byte form each (wire 2–4).

A message is a MessagePack array; what is signed travels inside it as bytes, so that everybody hashes and
checks the bytes that were signed and never an encoding of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast

import msgpack  # type: ignore[import-untyped]  # pyright: ignore[reportMissingTypeStubs]
import msgspec
from msgspec import Meta, Struct

from oaknet.kernel import H
from oaknet.kernel.plain import parts
from oaknet_protocol import text

_packb: Callable[..., bytes] = msgpack.packb  # pyright: ignore
_pack: Callable[[Any], bytes] = msgpack.Packer(use_bin_type=True).pack  # pyright: ignore
_unpackb: Callable[..., Any] = msgpack.unpackb  # pyright: ignore
_UnpackException: type[Exception] = msgpack.UnpackException  # pyright: ignore

VERSION = 1

MAX_ENTRY = 8 * 1024
"""Bytes of a signed entry."""
MAX_FRAME = 64 * 1024
"""Bytes of a message."""
MAX_ANSWERS = 256
"""Answers of one move."""
MAX_DEPTH = 4
"""How deep the arrays of an answer nest."""
MAX_ITEMS = 1024
"""Items of any array in a message."""
MAX_VALUES = 4096
"""Values in a message, arrays counted with what is in them."""
MAX_NESTING = 8
"""How deep the arrays of a message nest: an entry, its body, its answers, and the arrays of an answer."""
MAX_SEATS = 8
MAX_LINKS = 64
"""Keys in a list of links."""
MAX_HOPS = 8
"""How far a peer is heard of over others."""
MAX_ADDRESSES = 6
MAX_CHAT = 400
"""Characters of a chat message."""
MAX_STEP = 2**32 - 1

Key: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Hash: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=64)]
MaybeSignature: TypeAlias = Annotated[bytes, Meta(max_length=64)]
U32: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_STEP)]
U63: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Host: TypeAlias = Annotated[str, Meta(min_length=1, max_length=253, pattern=r"^[A-Za-z0-9_.:%-]+\Z")]
Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
Small: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[!-~]+\Z")]
Signed: TypeAlias = Annotated[bytes, Meta(min_length=1, max_length=MAX_FRAME)]


class BadMessage(ValueError):
    """Bytes that are no message of this protocol; the text says what is wrong with them."""


class Open(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A table as its opener signs it; the table's id is the id of these bytes (wire 3.1)."""

    version: Annotated[int, Meta(ge=0, le=MAX_STEP)]
    game: Word
    rules: Hash
    engine: Word
    options: Annotated[tuple[tuple[Word, Word], ...], Meta(max_length=32)]
    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS)]
    key: Key
    nonce: Hash


class Sit(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A peer takes seats, one a name, and commits to its chain by the tip (wire 3.2)."""

    table: Hash
    key: Key
    names: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    nonce: Hash
    tip: Hash


class Charter(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Who plays from here on; signed by every peer in it (wire 3.3).

    ``parent`` is empty or (charter id, step, T); ``sits`` are (bytes, signature) by key; ``seats`` are, for
    each charter seat, (index into ``sits`` or 255, why).
    """

    table: Hash
    number: U32
    parent: Annotated[tuple[bytes | int, ...], Meta(max_length=3)]
    draw: U32
    given: Annotated[tuple[Hash, ...], Meta(max_length=MAX_SEATS)]
    sits: Annotated[tuple[tuple[Signed, Signature], ...], Meta(min_length=1, max_length=MAX_SEATS)]
    seats: Annotated[tuple[tuple[Small, Small], ...], Meta(min_length=1, max_length=MAX_SEATS)]


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One peer's part in one step; ``body`` depends on ``kind``, and `bodies.check` reads it (wire 3.4)."""

    charter: Hash
    step: U32
    prev: Hash
    state: Hash
    author: Small
    kind: Word
    body: tuple[Any, ...]


class Head(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """``["head", …]``: where a peer stands; what it lacks is sent to it (wire 4.2).

    ``prev`` is its T, empty before the first charter.
    """

    kind: Literal["head"]
    table: Hash
    charters: Annotated[tuple[Hash, ...], Meta(max_length=MAX_ITEMS)]
    step: U32
    prev: Annotated[bytes, Meta(max_length=32)]


class Links(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """``["links", …]``: whom the sender reaches: its neighbours, those one link further, … (wire 4.3)."""

    kind: Literal["links"]
    table: Hash
    rings: Annotated[tuple[tuple[Key, ...], ...], Meta(max_length=MAX_HOPS)]


class Chat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Something said at the table; ``counter`` rises with each of its author's (wire 3.5)."""

    table: Hash
    key: Key
    counter: U63
    text: str


class At(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where its author can be dialled, the newest counter counts (wire 3.6)."""

    table: Hash
    key: Key
    counter: U63
    addresses: Annotated[tuple[tuple[Host, Port], ...], Meta(max_length=MAX_ADDRESSES)]


class Record(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """``[kind, bytes, signature]``: something signed, as it travels and as logs keep it (wire 4.1).

    A charter has a list of signatures, one a sit, empty where missing.
    """

    kind: Word
    data: Signed
    signature: Signature | Annotated[tuple[MaybeSignature, ...], Meta(max_length=MAX_SEATS)]

    @property
    def id(self) -> bytes:
        """The hash of the signed bytes, 32 bytes."""
        return H(self.kind, self.data)

    @property
    def signatures(self) -> tuple[bytes, ...]:
        """The signatures, also where there is only one."""
        return self.signature if isinstance(self.signature, tuple) else (self.signature,)


class Proof(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """``["proof", charter, first, second]``: two different entries of one author in one slot (wire 4.4)."""

    kind: Literal["proof"]
    charter: Record
    first: Record
    second: Record


T = TypeVar("T", Open, Sit, Charter, Entry, Chat, At, Head, Links, Proof, Record)


def pack(value: object) -> bytes:
    """The bytes of a message or of a value made of ints, strings, bytes and arrays of these."""
    return _pack(msgspec.to_builtins(value, builtin_types=(bytes,)))


def canonical(value: object) -> bytes:
    """The canonical bytes of a position (engine 5.1): those of `oaknet.kernel.canonical`, made in C."""
    return _packb(value, use_bin_type=True, default=parts)


def unpack(data: bytes) -> Any:
    """The value of canonical bytes; raises `BadMessage` for anything else, whatever the bytes claim (wire 2).

    Values are ints, strings, bytes and tuples of these; and truth values, so that an answer of ``true`` can
    be told from 1 and refused as what it is.
    """
    if len(data) > MAX_FRAME:
        raise BadMessage(f"{len(data)} bytes are too many")
    _walk(data)
    try:
        value = _unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            max_str_len=MAX_FRAME,
            max_bin_len=MAX_FRAME,
            max_array_len=MAX_ITEMS,
            max_map_len=0,
            max_ext_len=0,
        )
        again = _pack(value)
    except (ValueError, _UnpackException) as error:
        raise BadMessage(f"no MessagePack of ours: {str(error) or type(error).__name__}") from None
    if again != data:
        raise BadMessage("not in the one canonical form")
    return value


# What follows the first byte of a value: so many bytes, or a length in so many bytes.
_BODY = {0xC2: 0, 0xC3: 0, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_LENGTH = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4}
_ARRAYS = (0xDC, 0xDD)


def _walk(data: bytes) -> None:
    """Step over all values before any is made, so that nothing is allocated for what is only claimed.

    Raises `BadMessage` for types without a form here, for what does not fit into the bytes, and beyond
    `MAX_VALUES`, `MAX_ITEMS` and `MAX_NESTING` (wire 2.4).
    """
    at, size, values = 0, len(data), 0
    missing = [1]  # values still to come, of each array that is open
    while missing:
        if missing[-1] == 0:
            missing.pop()
            continue
        missing[-1] -= 1
        values += 1
        if at >= size:
            raise BadMessage("the bytes end before the message does")
        if values > MAX_VALUES:
            raise BadMessage(f"more than {MAX_VALUES} values")
        first = data[at]
        at += 1
        if first < 0x80 or first >= 0xE0:
            continue
        if first in _BODY:
            at += _BODY[first]
            continue
        if 0x90 <= first < 0xC0:
            array, length = first < 0xA0, first & (0x0F if first < 0xA0 else 0x1F)
        elif first in _LENGTH:
            array, length = first in _ARRAYS, int.from_bytes(data[at : at + _LENGTH[first]], "big")
            at += _LENGTH[first]
        else:
            raise BadMessage(f"a value of a type that has no place here (byte {first:02x})")
        if length > size - at:
            raise BadMessage(f"{length} bytes or items are claimed, and {max(size - at, 0)} bytes are there")
        if not array:
            at += length
        elif length > MAX_ITEMS or len(missing) > MAX_NESTING:
            raise BadMessage(
                f"more than {MAX_ITEMS} items in an array, or {MAX_NESTING} arrays in each other"
            )
        else:
            missing.append(length)
    if at != size:
        raise BadMessage("the message ends elsewhere than the bytes do")


def decode(kind: type[T], data: bytes) -> T:
    """The message of this type in canonical bytes; raises `BadMessage`."""
    return shaped(kind, unpack(data), len(data))


def shaped(kind: type[T], value: Any, size: int) -> T:
    """The message of this type that was unpacked from ``size`` bytes as this value; raises `BadMessage`."""
    try:
        message = msgspec.convert(value, kind, strict=True, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise BadMessage(f"no {kind.__name__.lower()}: {error}") from None
    match message:
        case Open():
            names = [name for name, _ in message.options]
            _demand(names == sorted(dict.fromkeys(names)), "options that are not in the order of their names")
        case Sit():
            _check_names(message.names)
        case Chat():
            _check_chat(message.text)
        case Charter():
            _demand(not message.parent or _is_place(message.parent), "a parent that is no place")
        case Entry():
            _demand(size <= MAX_ENTRY, f"an entry of {size} bytes; {MAX_ENTRY} are the most")
        case Head():
            _demand(len(message.prev) in (0, 32), "a T that has neither 32 bytes nor none")
        case Record():
            _check_signatures(message)
        case Links():
            count = sum(map(len, message.rings))
            _demand(count <= MAX_LINKS, f"links to {count} peers; {MAX_LINKS} are the most")
        case Proof():
            records = (message.charter, message.first, message.second)
            for record in records:
                _check_signatures(record)
            kinds = [record.kind for record in records]
            _demand(kinds == ["charter", "entry", "entry"], "a proof of other than a charter and two entries")
        case _:
            pass
    return message


def _demand(good: bool, why: str) -> None:
    if not good:
        raise BadMessage(why)


def _is_place(parent: tuple[bytes | int, ...]) -> bool:
    """Whether this is (charter id, step, T)."""
    sizes = [len(part) if isinstance(part, bytes) else -1 for part in parent]
    return sizes == [32, -1, 32] and isinstance(parent[1], int) and 0 <= parent[1] <= MAX_STEP


def _check_signatures(record: Record) -> None:
    """One signature, or for a charter a list of them: nothing has two forms (wire 4.1)."""
    listed = isinstance(record.signature, tuple)
    _demand(listed == (record.kind == "charter"), f"signatures of the wrong form for the kind {record.kind}")
    _demand(bool(record.signatures), "a charter without a place for signatures")
    _demand(all(len(one) in (0, 64) for one in record.signatures), "a signature of neither 64 bytes nor none")


def _check_names(names: tuple[str, ...]) -> None:
    try:
        for name in names:
            text.name(name)
    except text.BadText as error:
        raise BadMessage(f"a name that cannot be shown: {error}") from None


def _check_chat(said: str) -> None:
    _demand(bool(said), "a chat message that says nothing")
    try:
        text.checked(said, points=MAX_CHAT, cells=2 * MAX_CHAT)
    except text.BadText as error:
        raise BadMessage(f"a chat message that cannot be shown: {error}") from None


def answers(value: Any) -> tuple[Any, ...]:
    """The answers of a move's body: 1 to 256 ints (±2**31), strings and arrays of these, at most 4 deep.

    Raises `BadMessage`; a bool or bytes are no answer.
    """
    if _kind(value) is not tuple or not 1 <= len(value) <= MAX_ANSWERS:
        raise BadMessage("no list of 1 to 256 answers")
    for answer in value:
        _check_answer(answer, 1)
    return cast("tuple[Any, ...]", value)


def _check_answer(value: Any, depth: int) -> None:
    kind = _kind(value)
    if kind is tuple and depth <= MAX_DEPTH:
        for part in value:
            _check_answer(part, depth + 1)
    elif kind is str:
        if not value.isascii() or not value.isprintable():
            raise BadMessage("an answer with other than ASCII letters")
    elif kind is not int or not -(2**31) <= value < 2**31:
        raise BadMessage("an answer that is neither a number, a word nor a list of these")


def _kind(value: object) -> object:
    return type(value)
