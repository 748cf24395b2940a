"""Text from other peers: what may be shown, and how much room it takes (transport 6).

Such text is taken as it is or refused, never cut or mended: all peers must see the same. What a character is,
Python's own tables say; a character that they do not know yet is refused, so the older of two Pythons may
refuse what the newer one takes, but never shows something else. Brackets are allowed: the screen shows them
as they are.
"""

from __future__ import annotations

import unicodedata

MARKS_IN_A_ROW = 3
"""Combining marks that may follow each other: Hindi and pointed Hebrew need three, nobody needs more."""

NAME_LIMIT = 24
"""The most code points, and the most cells, of a name."""

_CATEGORIES = {
    "Cc": "it controls the terminal",
    "Cf": "it cannot be seen and changes what is around it",
    "Cs": "it is half a character",
    "Co": "it has no meaning of its own",
    "Cn": "it is no character that is known here",
    "Zl": "it breaks the line",
    "Zp": "it breaks the line",
    "Zs": "it is a blank of a special width",
}

# Characters that count as letters, marks or signs, although nobody can see them.
_UNSEEN = (
    (0x034F, 0x034F),  # grapheme joiner
    (0x1160, 0x11FF),  # Hangul vowels and finals on their own: joined to what stands before
    (0x115F, 0x115F),  # Hangul filler
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors
    (0x2800, 0x2800),  # the Braille pattern without a dot
    (0x3164, 0x3164),  # Hangul filler
    (0xD7B0, 0xD7FF),  # more Hangul vowels and finals on their own
    (0xFE00, 0xFE0F),  # variation selectors: they change the width
    (0xFFA0, 0xFFA0),  # Hangul filler, half as wide
    (0xE0100, 0xE01EF),  # variation selectors
)


class BadText(ValueError):
    """A text that is not taken; the words say why and never repeat it."""


def checked(text: str, *, points: int, cells: int, lines: bool = False) -> str:
    """``text`` itself, if it may be shown; raises `BadText` if not (transport 6.1 to 6.5).

    ``points`` and ``cells`` are the most code points and terminal cells; ``lines`` allows line feeds, which
    take no cell. The empty text is fine.
    """
    if len(text) > points:  # first, so that nothing below works on a flood
        raise BadText(f"the text has {len(text)} characters; at most {points} are allowed")
    marks = 0
    first = True
    for place, sign in enumerate(text, 1):
        if lines and sign == "\n":
            marks, first = 0, True
            continue
        category = unicodedata.category(sign)
        _visible(place, sign, category)
        if not category.startswith("M"):
            marks = 0
        elif first:
            raise BadText(f"character {place} (U+{ord(sign):04X}) is a mark without a letter before it")
        else:
            marks += 1
            if marks > MARKS_IN_A_ROW:
                raise BadText(f"more than {MARKS_IN_A_ROW} marks stand on one letter at character {place}")
        first = False
    if not unicodedata.is_normalized("NFC", text):
        raise BadText("the text is not in its composed form (NFC)")
    if (taken := width(text)) > cells:
        raise BadText(f"the text is {taken} cells wide; at most {cells} are allowed")
    return text


def name(text: str) -> str:
    """``text`` itself, if it may be a player's name; raises `BadText` if not (transport 6.6).

    A name has 1 to `NAME_LIMIT` code points and at most as many cells, and no blank at its ends.
    """
    if not text:
        raise BadText("the name is empty")
    if text != text.strip(" "):
        raise BadText("the name begins or ends with a blank")
    return checked(text, points=NAME_LIMIT, cells=NAME_LIMIT)


def width(text: str) -> int:
    """Terminal cells of a text that is fine otherwise (transport 6.5).

    Wide and full-width characters take two, marks above or below a letter and line feeds none, all others
    one.
    """
    return sum(map(_cells, text))


def _cells(sign: str) -> int:
    if sign == "\n" or unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def _visible(place: int, sign: str, category: str) -> None:
    """Refuse what cannot be seen or does more than stand there (transport 6.2, 6.3)."""
    code = ord(sign)
    reason = _CATEGORIES.get(category)
    if sign == " ":
        return
    if reason is None and any(low <= code <= high for low, high in _UNSEEN):
        reason = "it cannot be seen"
    if reason is not None:
        raise BadText(f"character {place} (U+{code:04X}) is not allowed: {reason}")
