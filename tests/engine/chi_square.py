"""Pearson's test with its 99.9 % bounds; seeds are fixed, so a test either always passes or always fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BOUNDS = {
    1: 10.828,
    2: 13.816,
    3: 16.266,
    5: 20.515,
    6: 22.458,
    9: 27.877,
    11: 31.264,
    23: 49.728,
    29: 58.301,
    50: 86.661,
}
"""Value that chi-square with so many degrees of freedom exceeds once in 1,000 times (standard tables)."""


def statistic(observed: Mapping[Any, int], weights: Mapping[Any, int]) -> float:
    """How far counts are from those that integer weights lead to expect."""
    total, weight = sum(observed.values()), sum(weights.values())
    assert not observed.keys() - weights.keys(), "something was seen that cannot happen"
    return sum(
        (observed.get(key, 0) - total * part / weight) ** 2 / (total * part / weight)
        for key, part in weights.items()
    )


def fits(observed: Mapping[Any, int], weights: Mapping[Any, int]) -> bool:
    """Whether the counts are within the bound for these weights."""
    return statistic(observed, weights) < BOUNDS[len(weights) - 1]


def alike(left: Mapping[Any, int], right: Mapping[Any, int]) -> bool:
    """Whether two samples of the same size can come from one distribution."""
    assert sum(left.values()) == sum(right.values())
    keys = left.keys() | right.keys()
    value = sum(
        (left.get(k, 0) - right.get(k, 0)) ** 2 / (left.get(k, 0) + right.get(k, 0)) for k in sorted(keys)
    )
    return value < BOUNDS[len(keys) - 1]
