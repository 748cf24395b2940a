"""Draws: each peer commits once to a hash chain and reveals one link of it per draw (beacon 1–5).

The links were fixed before the table began and the next one is unknown to everybody else until it is sent,
so nobody, and not even all peers but one, can predict a draw or steer it.
"""

from __future__ import annotations

from collections.abc import Mapping

from oaknet.kernel import H

LENGTH = 4096
"""Links of a chain, and so draws of a table: link 4096 is the public tip, link 0 the last to be revealed."""


class BadShare(ValueError):
    """A share that is not the one this draw needs; the text says why."""


class OutOfDraws(ValueError):
    """The chains are used up: a table has 4096 draws."""


def u32(number: int) -> bytes:
    """Four bytes, big-endian."""
    return number.to_bytes(4, "big")


def link(table: bytes, key: bytes, index: int, before: bytes) -> bytes:
    """Link ``index`` (1 … 4096) of a peer's chain, from the link before it (beacon 2.1)."""
    return H("link", table, key, u32(index), before)


class Chain:
    """A peer's own chain at one table: made again at any time from its key and the sit's nonce."""

    __slots__ = ("_indices", "_links")

    def __init__(self, table: bytes, key: bytes, secret: bytes) -> None:
        """The chain whose link 0 is ``secret``: ``signer.secret("chain", table + nonce)`` (beacon 2.1)."""
        links = [secret]
        for index in range(1, LENGTH + 1):
            links.append(link(table, key, index, links[-1]))
        self._links = links
        self._indices = {link: index for index, link in enumerate(links)}

    @property
    def tip(self) -> bytes:
        """The public commitment, link 4096."""
        return self._links[LENGTH]

    def index(self, share: bytes) -> int | None:
        """Which link this is, None if it is none of this chain's."""
        return self._indices.get(share)

    def share(self, draw: int) -> bytes:
        """The share for this draw, link 4096 - draw; raises `OutOfDraws` beyond the last."""
        return self._links[index_of(draw)]


def index_of(draw: int) -> int:
    """The link that draw number ``draw`` (from 1) reveals; raises `OutOfDraws`."""
    if not 1 <= draw <= LENGTH:
        raise OutOfDraws(f"there is no draw {draw}: a table has draws 1 to {LENGTH}")
    return LENGTH - draw


class Chains:
    """The last known link of every peer at a table; what shares are checked against (beacon 3)."""

    __slots__ = ("_known", "_table")

    def __init__(self, table: bytes) -> None:
        self._table = table
        self._known: dict[bytes, tuple[int, bytes]] = {}

    def commit(self, key: bytes, tip: bytes) -> None:
        """Note a peer's tip; a later call for the same key changes nothing: one chain per peer, for good."""
        self._known.setdefault(key, (LENGTH, tip))

    def check(self, key: bytes, draw: int, share: bytes) -> None:
        """Raise `BadShare` unless this, hashed forward, meets the last known link of that peer (beacon 3)."""
        index = index_of(draw)
        last, value = self._known[key]
        if len(share) != 32:
            raise BadShare(f"a share of {len(share)} bytes, not 32")
        if index >= last:
            raise BadShare(f"draw {draw} used this link of its chain before")
        for step in range(index + 1, last + 1):
            share = link(self._table, key, step, share)
        if share != value:
            raise BadShare(f"not link {index} of that peer's chain")

    def reveal(self, key: bytes, draw: int, share: bytes) -> None:
        """Note a share that `check` has passed."""
        self._known[key] = (index_of(draw), share)


def seed(table: bytes, draw: int, shares: Mapping[bytes, bytes]) -> bytes:
    """The seed of a draw: H("seed", table, u32 draw, the raw shares by key) (beacon 4)."""
    return H("seed", table, u32(draw), *(shares[key] for key in sorted(shares)))
