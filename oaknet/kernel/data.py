"""Printed numbers as data: each with its value and where it comes from (engine 6).

A game's ``data.toml`` has a table for each nested dataclass of its box, and for each number
``name = { value = …, origin = … }``; ``origin`` is one word for the whole value or a list with one for each
of its items.
"""

from __future__ import annotations

import dataclasses
import tomllib
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

B = TypeVar("B", covariant=True)

ORIGINS = ("source", "derived", "assumed")

LARGEST = 2**31 - 1
"""No printed number comes near; larger ones would not all have canonical bytes."""


class DataFault(ValueError):
    """A data file that cannot be used; ``faults`` has one sentence for each thing wrong."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


@dataclass(frozen=True, slots=True)
class Data(Generic[B]):
    """The numbers of a game and their marks: ``origins`` maps ``"section.name"`` or ``"section.name.3"``."""

    box: B
    origins: dict[str, str]

    @classmethod
    def read(cls, box: type[B], text: str) -> Data[B]:  # pyright: ignore[reportGeneralTypeIssues]
        """Read a data file for boxes of this class; raises `DataFault` with everything that is wrong."""
        faults: list[str] = []
        origins: dict[str, str] = {}
        try:
            table = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # also nested too deep, or a number of 5,000 digits
            raise DataFault([f"the data file is not TOML: {error}"]) from error
        value = _table(box, table, "", faults, origins)
        if faults:
            raise DataFault(faults)
        return cls(typing.cast(Any, value), origins)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _table(kind: Any, table: Any, path: str, faults: list[str], origins: dict[str, str]) -> object:
    names = {field.name: _hints(kind)[field.name] for field in dataclasses.fields(kind)}
    if not isinstance(table, dict):
        faults.append(f"{path or 'the file'} is no table")
        return None
    entries = typing.cast("dict[str, Any]", table)
    faults.extend(f"{_under(path, name)} is not known to this game" for name in entries if name not in names)
    values: dict[str, object] = {}
    for name, hint in names.items():
        here = _under(path, name)
        if name not in entries:
            faults.append(f"{here} is missing")
        elif dataclasses.is_dataclass(hint):
            values[name] = _table(hint, entries[name], here, faults, origins)
        else:
            values[name] = _entry(hint, entries[name], here, faults, origins)
    return None if faults else kind(**values)


def _entry(hint: Any, entry: Any, path: str, faults: list[str], origins: dict[str, str]) -> object:
    if not isinstance(entry, dict) or sorted(typing.cast("dict[str, Any]", entry)) != ["origin", "value"]:
        faults.append(f"{path} must be written as {{ value = …, origin = … }}")
        return None
    _marks(entry["origin"], entry["value"], path, faults, origins)
    return _value(hint, entry["value"], path, faults)


def _marks(origin: Any, value: Any, path: str, faults: list[str], origins: dict[str, str]) -> None:
    if isinstance(origin, str):
        if origin not in ORIGINS:
            faults.append(f"the origin of {path} is {origin!r}; it can be {', '.join(ORIGINS)}")
        origins[path] = origin
    elif (marks := _list(origin)) is not None and (parts := _list(value)) is not None:
        if len(marks) != len(parts):
            faults.append(f"{path} has {len(parts)} values and {len(marks)} origins")
            return
        for index, (mark, part) in enumerate(zip(marks, parts, strict=True)):
            _marks(mark, part, f"{path}.{index}", faults, origins)
    else:
        faults.append(f"the origin of {path} must be a word, or a list as long as the value")


def _value(hint: Any, value: Any, path: str, faults: list[str]) -> object:
    if hint in (int, str):
        if type(value) is not hint:
            faults.append(f"{path} is {value!r}; it must be {'a whole number' if hint is int else 'a word'}")
        elif isinstance(value, int) and not -LARGEST <= value <= LARGEST:
            faults.append(f"{path} is {value}; it must be within plus or minus {LARGEST}")
        return value
    arguments = typing.get_args(hint)
    items = _list(value)
    if items is None:
        faults.append(f"{path} is {value!r}; it must be a list")
        return None
    if arguments[-1] is not Ellipsis:
        if len(arguments) != len(items):
            faults.append(f"{path} has {len(items)} values; it must have {len(arguments)}")
            return None
    else:
        arguments = (arguments[0],) * len(items)
    pairs = zip(arguments, items, strict=True)
    return tuple(_value(part, item, f"{path}.{index}", faults) for index, (part, item) in enumerate(pairs))


def _list(value: Any) -> list[Any] | None:
    return value if isinstance(value, list) else None  # pyright: ignore[reportUnknownVariableType]


def _under(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
