"""Chains and their shares, checked one by one (beacon 2, 3)."""

from __future__ import annotations

import pytest

from oaknet_protocol import beacon
from oaknet_protocol.beacon import LENGTH, BadShare, Chain, Chains

TABLE, KEY = b"t" * 32, b"k" * 32
CHAIN = Chain(TABLE, KEY, b"s" * 32)


@pytest.fixture
def chains() -> Chains:
    made = Chains(TABLE)
    made.commit(KEY, CHAIN.tip)
    return made


def test_chain_knows_each_of_its_links_and_nothing_beyond_the_tip() -> None:
    assert [CHAIN.index(CHAIN.share(draw)) for draw in (1, 2, LENGTH)] == [LENGTH - 1, LENGTH - 2, 0]
    assert CHAIN.index(CHAIN.tip) == LENGTH
    assert CHAIN.index(beacon.link(TABLE, KEY, LENGTH + 1, CHAIN.tip)) is None
    assert CHAIN.index(b"x" * 32) is None


@pytest.mark.parametrize("size", [0, 31, 33])
def test_share_of_another_length_is_refused_as_such(chains: Chains, size: int) -> None:
    with pytest.raises(BadShare, match=f"a share of {size} bytes, not 32"):
        chains.check(KEY, 1, bytes(size))


@pytest.mark.parametrize("draw", [1, 2, 3])
def test_draw_at_or_before_the_last_is_refused_even_with_the_share_that_was_right(
    chains: Chains, draw: int
) -> None:
    chains.reveal(KEY, 3, CHAIN.share(3))
    for share in (CHAIN.share(3), CHAIN.share(draw)):
        with pytest.raises(BadShare, match="used this link of its chain before"):
            chains.check(KEY, draw, share)
    chains.check(KEY, 4, CHAIN.share(4))
    chains.check(KEY, 9, CHAIN.share(9))


def test_only_tip_that_counts_is_the_first(chains: Chains) -> None:
    chains.commit(KEY, b"x" * 32)
    chains.check(KEY, 1, CHAIN.share(1))
