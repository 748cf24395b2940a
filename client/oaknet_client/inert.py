"""Text that a terminal can only show. It stands alone, so that what starts fast need load nothing else."""

from __future__ import annotations

import unicodedata

_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")

MARKS = 4
"""Marks on one letter that are kept: no script needs more, and many smear over the rows above and below."""


def inert(text: str) -> str:
    """The text with everything that a terminal might obey, or not show, replaced by ``?``."""
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    marks = 0
    for char in text:
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= MARKS:
            kept.append("?" if kind in _HIDDEN else char)
    return "".join(kept)
