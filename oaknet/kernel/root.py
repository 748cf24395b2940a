"""Square roots in whole numbers."""

from __future__ import annotations


def root(n: int) -> int:
    """The whole part of the square root of n >= 0 (Newton's iteration from above)."""
    guess = 1 << (n.bit_length() + 1) // 2
    while guess * guess > n:
        guess = (guess + n // guess) // 2
    return guess
