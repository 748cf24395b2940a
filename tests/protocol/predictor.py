"""A predictor of draws: from all that some peers hold, memory and files, the best guess of the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from oaknet.kernel import H, Rng
from oaknet_protocol import beacon
from oaknet_protocol.beacon import Chain, link, u32
from oaknet_protocol.wire import Entry, Record

Scheme = Callable[[int], int]
"""Which link of every chain a draw uses."""


def link_by_link(draw: int) -> int:
    """The protocol's own: each draw a link that nobody has seen."""
    return beacon.LENGTH - draw


def seed_of_the_start(draw: int) -> int:
    """What games with a seed at the start do: the first draw's links serve all of them."""
    return beacon.LENGTH - 1


@dataclass
class Held:
    """What the predicting peers have: their own chains, the last public link of everybody, and any bytes."""

    table: bytes
    chains: dict[bytes, Chain]
    public: dict[bytes, list[tuple[int, bytes]]]
    pieces: Iterable[bytes] = field(default_factory=list)

    def find(self, key: bytes, index: int) -> bytes | None:
        """A peer's link, if it can be had: from its chain, from what was shown, or from any 32 bytes."""
        if key in self.chains:
            return self.chains[key].share(beacon.LENGTH - index)
        shown = dict(self.public[key])
        if index in shown:
            return shown[index]
        after = shown[index + 1]
        return next((one for one in self.pieces if link(self.table, key, index + 1, one) == after), None)

    def predict(self, scheme: Scheme, draw: int, sides: int) -> int:
        """The best guess of the first ``below(sides)`` of a draw: the last known link stands in for one."""
        index = scheme(draw)
        links = {key: self.find(key, index) or self.public[key][-1][1] for key in self.public}
        return outcome(self.table, draw, links, sides)


def outcome(table: bytes, draw: int, links: dict[bytes, bytes], sides: int) -> int:
    """What a draw gives, by the protocol's formula written out."""
    seed = H("seed", table, u32(draw), *(links[key] for key in sorted(links)))
    return Rng(seed).below(sides)


def pieces(*roots: Any) -> list[bytes]:
    """Every 32 bytes in a row in anything that hangs on these objects, each once."""
    found: dict[bytes, None] = {}
    for data in _bytes(list(roots), {}):
        for at in range(len(data) - 31):
            found[data[at : at + 32]] = None
    return list(found)


_LEAVES = (str, int, float, bool, type(None), type)


def _bytes(waiting: list[Any], seen: dict[int, Any]) -> Iterator[bytes]:
    while waiting:
        value = waiting.pop()
        if isinstance(value, bytes):
            yield value
        elif not isinstance(value, _LEAVES) and id(value) not in seen:
            seen[id(value)] = value  # also keeps it alive, so that no id comes twice
            waiting.extend(_parts(value))


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, Record | Entry):
        return [getattr(value, name) for name in value.__struct_fields__]
    if not type(value).__module__.startswith(("oaknet_protocol", "tests.protocol")):
        return ()
    if dataclasses.is_dataclass(value):
        return [getattr(value, one.name) for one in dataclasses.fields(value)]
    names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return [*vars(value).values()] if hasattr(value, "__dict__") else [getattr(value, n, None) for n in names]
