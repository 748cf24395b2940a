"""As much of JSON Schema as specs/vectors/schema.json uses; a keyword that is not known here is a fault."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Check: TypeAlias = Callable[[Any, Any, Any, str], Iterator[str]]
"""``check(argument, schema, value, path)`` gives a sentence for each fault."""

TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "integer": int}


def faults(schema: Any, value: Any, root: Any, path: str = "") -> Iterator[str]:
    """What in a value is not as the schema says, each with its place."""
    for keyword, argument in schema.items():
        if keyword == "$ref":
            yield from faults(_named(argument, root), value, root, path)
        elif keyword == "anyOf":
            each = [list(faults(choice, value, root, path)) for choice in argument]
            if all(each):
                yield f"{path}: none of {len(each)} forms: {min(each, key=len)[0]}"
        elif keyword in CHECKS:
            yield from CHECKS[keyword](argument, schema, value, path)
        elif keyword not in (
            "$schema",
            "$defs",
            "title",
            "description",
            "properties",
            "items",
            "prefixItems",
        ):
            raise ValueError(f"the keyword {keyword!r} is not known")
    for place, part, inner in _parts(schema, value):
        yield from faults(inner, part, root, f"{path}/{place}")


def _named(reference: str, root: Any) -> Any:
    found = root
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return found


def _parts(schema: Any, value: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The parts of a value that have a schema of their own: where, what, and which."""
    if isinstance(value, dict):
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                yield name, value[name], inner
    elif isinstance(value, list):
        first = schema.get("prefixItems", [])
        for index, part in enumerate(value):
            inner = first[index] if index < len(first) else schema.get("items")
            if inner is not None:
                yield index, part, inner


def _type(argument: str, schema: Any, value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, TYPES[argument]) or isinstance(value, bool):
        yield f"{path}: no {argument}"


def _required(argument: list[str], schema: Any, value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{path}: {name!r} is missing" for name in argument if name not in value)


def _closed(argument: bool, schema: Any, value: Any, path: str) -> Iterator[str]:
    assert argument is False
    if isinstance(value, dict):
        yield from (f"{path}: {name!r} is not known" for name in value if name not in schema["properties"])


def _pattern(argument: str, schema: Any, value: Any, path: str) -> Iterator[str]:
    if isinstance(value, str) and not re.search(argument, value):
        yield f"{path}: not as {argument}"


def _enum(argument: list[Any], schema: Any, value: Any, path: str) -> Iterator[str]:
    if value not in argument:
        yield f"{path}: none of {argument}"


def _bound(holds: Callable[[int, int], bool], of: type, size: Callable[[Any], int], what: str) -> Check:
    def check(argument: int, schema: Any, value: Any, path: str) -> Iterator[str]:
        if isinstance(value, of) and not holds(size(value), argument):
            yield f"{path}: {what} {argument}"

    return check


CHECKS: dict[str, Check] = {
    "type": _type,
    "required": _required,
    "additionalProperties": _closed,
    "pattern": _pattern,
    "enum": _enum,
    "minimum": _bound(int.__ge__, int, int, "less than"),
    "maximum": _bound(int.__le__, int, int, "more than"),
    "minLength": _bound(int.__ge__, str, len, "shorter than"),
    "minItems": _bound(int.__ge__, list, len, "fewer than"),
    "maxItems": _bound(int.__le__, list, len, "more than"),
}
