"""Signs for terminals that have ASCII alone."""

from __future__ import annotations

import unicodedata
from functools import cache

PLAIN = {
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+",
    "┼": "+", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "║": "|", "═": "=", "━": "-", "┃": "|", "╱": "/",
    "╲": "\\", "╵": "|", "╷": "|", "╴": "-", "╶": "-", "▏": "|", "▕": "|", "▌": "|", "▎": "|", "▁": "_",
    "▔": "-", "▲": "^", "▼": "v", "▶": ">", "◀": "<", "►": ">", "◄": "<", "›": ">", "‹": "<", "→": ">",
    "←": "<", "↑": "^", "↓": "v", "●": "*", "○": "o", "•": "*", "·": ".", "■": "#", "□": ".", "▣": "#",
    "▢": ".", "█": "#", "▓": "#", "▒": "#", "░": ":", "▀": "#", "▄": "#", "☼": "S", "✶": "*", "✓": "+",
    "✕": "x", "×": "x", "−": "-", "–": "-", "—": "-", "…": ".", "’": "'", "‘": "'", "“": '"', "”": '"',
    "⏎": "<", "⇥": ">", "^": "^", "▐": "|", "◆": "*", "◇": "o", "ß": "s", "Ø": "O", "ø": "o", "ł": "l",
}  # fmt: skip
"""The likeness of each sign that we draw, one character each."""


@cache
def _plain(char: str) -> str:
    if char.isascii():
        return char
    if char in PLAIN:
        return PLAIN[char]
    if 0x2800 <= ord(char) < 0x2900 or 0x2500 <= ord(char) < 0x25A0:
        return "#"
    base = unicodedata.normalize("NFKD", char)[:1]
    if unicodedata.combining(char):
        return ""
    wide = unicodedata.east_asian_width(char) in "WF"
    return (base if base.isascii() and base.isprintable() and base else "?") + ("?" if wide else "")


def ascii_only(text: str) -> str:
    """The text in ASCII, taking as many cells as before."""
    return text if text.isascii() else "".join(map(_plain, text))
