"""States as plain data: nested lists in field order, there and back (engine 4)."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

from oaknet.kernel.canonical import Plain
from oaknet.kernel.deck import Deck

T = TypeVar("T")

SHARED = {"shared": True}
"""Field metadata: the value is shared by all copies and no part of the plain form (the game's box)."""


@cache
def _own_fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind) if not f.metadata.get("shared"))


@cache
def _reader(kind: Any) -> Callable[[Any], Sequence[Any]]:
    names = _own_fields(kind)
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: [getattr(value, name) for name in names]


def parts(value: Any) -> Sequence[Any]:
    """What the plain form of a deck, a state or a part of one is made of: one level of it, as it is.

    Raises `TypeError` for anything else.
    """
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is Deck:
        return value.layers  # type: ignore[no-any-return]
    if hasattr(kind, "__dataclass_fields__"):
        return _reader(kind)(value)
    raise TypeError(f"{value!r} has no plain form")


def plain(value: Any) -> Plain:
    """The plain form of a state or a part of it: a dataclass is the list of its fields, in order."""
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is int or kind is str or kind is bytes:
        return value  # type: ignore[no-any-return]
    if kind is list or kind is tuple:
        if [*map(type, value)].count(int) == len(value):
            return value[:]  # type: ignore[no-any-return]
        return [plain(item) for item in value]
    if kind is Deck:
        return value.layers  # type: ignore[no-any-return]
    return [part if type(part) is int else plain(part) for part in parts(value)]


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def revive(kind: type[T], data: Any, shared: object = None) -> T:
    """The value of type ``kind`` whose plain form is ``data``; fields marked `SHARED` get ``shared``.

    Raises `ValueError` if the data has not the shape of the type.
    """
    return cast(T, _revive(kind, data, shared))


def _revive(kind: Any, data: Any, shared: object) -> Any:
    if kind in (int, str, bytes):
        if type(data) is not kind:
            raise ValueError(f"{data!r} stands where {kind.__name__} is due")
        return data
    if not isinstance(data, list | tuple):
        raise ValueError(f"{data!r} stands where a list is due")
    items = cast("list[Any]", data)
    if kind is Deck:
        return Deck(layers=_revive(list[list[int]], items, shared))
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return [_revive(arguments[0], item, shared) for item in items]
    if origin is tuple and arguments[-1] is Ellipsis:
        return tuple(_revive(arguments[0], item, shared) for item in items)
    if origin is tuple:
        if len(arguments) != len(items):
            raise ValueError(f"{len(items)} values stand where {len(arguments)} are due")
        return tuple(_revive(part, item, shared) for part, item in zip(arguments, items, strict=True))
    names = _own_fields(kind)
    if len(names) != len(items):
        raise ValueError(f"{len(items)} values stand where {kind.__name__} has {len(names)}")
    hints = _hints(kind)
    values = {name: _revive(hints[name], item, shared) for name, item in zip(names, items, strict=True)}
    for field in dataclasses.fields(kind):
        if field.metadata.get("shared"):
            values[field.name] = shared
    return kind(**values)
