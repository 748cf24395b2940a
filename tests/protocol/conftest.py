"""What all tests of the protocol share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest

from oaknet_protocol import beacon, own


@lru_cache(maxsize=256)
def _chain(length: int, table: bytes, key: bytes, secret: bytes) -> beacon.Chain:
    assert length == beacon.LENGTH
    return beacon.Chain(table, key, secret)


def _same_chain(table: bytes, key: bytes, secret: bytes) -> beacon.Chain:
    return _chain(beacon.LENGTH, table, key, secret)


@pytest.fixture(autouse=True, scope="session")
def _chains_are_reckoned_once() -> Iterator[None]:
    """The tables of most tests have the same peers, whose chains of 4096 links never change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own, "Chain", _same_chain)
        yield
