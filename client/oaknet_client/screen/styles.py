"""Tones of display records as styles of the screen. Colour never says anything alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from rich.style import Style
from textual.content import Content

from oaknet_client.views.records import Line

DARK = {
    "strong": "bold",
    "dim": "dim",
    "good": "#7fc97f",
    "bad": "#ff8080",
    "seat0": "bold #ffb347",
    "seat1": "bold #7fd4ff",
    "seat2": "bold #b6e36b",
    "seat3": "bold #d9a6ff",
    "seat4": "bold #ff9aa8",
    "tower0": "#ff8fc0",
    "tower1": "#b99cff",
    "tower2": "#8fce7f",
    "tower3": "#c0c4c8",
    "tower4": "#e8cf6a",
    "feather": "#9fd0ff",
    "mistletoe": "#9fdc8a",
    "rune": "#d0b0ff",
    "sun": "#ffd75f",
    "wood": "#b08050",
    "bark": "#c09060",
    "root": "#d0a878",
    "blueberry": "#8fa8ff",
    "acorn": "#e0b050",
    "mushroom": "#ff9f80",
}
LIGHT = {
    "strong": "bold",
    "dim": "dim",
    "good": "#1d6b1d",
    "bad": "#a01818",
    "seat0": "bold #8a4b00",
    "seat1": "bold #00558a",
    "seat2": "bold #3c6b00",
    "seat3": "bold #6a1fa0",
    "seat4": "bold #a0203c",
    "tower0": "#a8005c",
    "tower1": "#5a2fb0",
    "tower2": "#2c6b1d",
    "tower3": "#50565c",
    "tower4": "#7a5c00",
    "feather": "#005a9c",
    "mistletoe": "#2a6b14",
    "rune": "#6a30b0",
    "sun": "#8a5a00",
    "wood": "#7a4a1c",
    "bark": "#6b4a20",
    "root": "#7a5530",
    "blueberry": "#2a3fb0",
    "acorn": "#7a5200",
    "mushroom": "#a03c18",
}


def content(lines: Iterable[Line], *, dark: bool) -> Content:
    """Lines as one inert piece of content."""
    styles = DARK if dark else LIGHT
    parts: list[str | tuple[str, str]] = []
    for line in lines:
        if parts:
            parts.append("\n")
        for text, tone in line:
            style = " ".join(styles[word] for word in tone.split() if word in styles)
            parts.append((text, style) if style else text)
    return Content.assemble(*parts)


@cache
def tones(dark: bool) -> Callable[[str], Style]:
    """The style of each tone, for widgets that draw cells."""
    words = DARK if dark else LIGHT

    @cache
    def style(tone: str) -> Style:
        return Style.combine([Style(), *(Style.parse(words[word]) for word in tone.split() if word in words)])

    return style


MARKS = {
    True: {
        "glow": Style.parse("bold on #3a4420"),
        "cursor": Style.parse("bold reverse"),
        "hover": Style.parse("underline"),
        "fresh": Style.parse("bold italic on #5a4700"),
        "sign": Style.parse("bold #1a1a1a on #e8cf6a"),
    },
    False: {
        "glow": Style.parse("bold on #dfe8b8"),
        "cursor": Style.parse("bold reverse"),
        "hover": Style.parse("underline"),
        "fresh": Style.parse("bold italic on #ffe08a"),
        "sign": Style.parse("bold #ffffff on #6b5600"),
    },
}
"""How cells look that can be chosen, that are chosen next, under the mouse, or have just changed; by whether
the theme is dark. Without colours the signs, reverse and italic letters are left."""
