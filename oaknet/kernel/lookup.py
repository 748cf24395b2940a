"""What can be looked up: rules and cards in words, numbers with where they come from (engine 6.4)."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from oaknet.kernel.data import Data

Labels: TypeAlias = "tuple[tuple[str, str], ...]"
"""A label and the dotted name in the data file, such as ``creatures.vp.15``, of each number."""


class Entry(NamedTuple):
    """A rule, card or tile. In ``text``, ``{label}`` stands for the number with this label."""

    chapter: str
    name: str
    text: str
    numbers: Labels = ()


Origin: TypeAlias = "str | tuple[Origin, ...]"
"""The mark of a number (engine 6); for a list whose parts have several marks, one for each part."""


class Number(NamedTuple):
    """A number of an entry: a whole number, a word or a tuple of these, and its marks."""

    label: str
    value: Any
    origin: Origin
    where: str


def numbers(data: Data[Any], entry: Entry) -> list[Number]:
    """The numbers of an entry as this data has them; raises `LookupError` for a name that is none of it."""
    return [Number(label, value(data, where), origin(data, where), where) for label, where in entry.numbers]


def told(data: Data[Any], entry: Entry) -> str:
    """The text of an entry with its numbers in their places."""
    return entry.text.format_map({label: spelt(value(data, where)) for label, where in entry.numbers})


def spelt(number: Any) -> str:
    """A number, or a list of them; lists in a list have a semicolon between them."""
    if not isinstance(number, tuple):
        return str(number)
    parts: tuple[Any, ...] = number  # pyright: ignore[reportUnknownVariableType]
    nested = any(isinstance(part, tuple) for part in parts)
    return ("; " if nested else ", ").join(map(spelt, parts))


def value(data: Data[Any], where: str) -> Any:
    """What stands at a dotted name; raises `LookupError` if nothing does."""
    found = data.box
    for part in where.split("."):
        try:
            found = found[int(part)] if part.isdigit() else getattr(found, part)
        except (AttributeError, TypeError) as error:
            raise LookupError(f"{where} is no number of this game") from error
    return found


def origin(data: Data[Any], where: str) -> Origin:
    """The mark of what stands at a dotted name; of a list the one mark of all its parts, or theirs one by
    one."""
    found = value(data, where)
    if isinstance(found, tuple) and found:
        parts: tuple[Any, ...] = found  # pyright: ignore[reportUnknownVariableType]
        marks = tuple([origin(data, f"{where}.{i}") for i in range(len(parts))])
        return marks[0] if marks.count(marks[0]) == len(marks) and isinstance(marks[0], str) else marks
    while where not in data.origins:  # the mark of the list it is in
        where = where.rpartition(".")[0]
    return data.origins[where]
