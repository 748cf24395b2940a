"""Tones of display records as styles of the screen. Colour never says anything alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from rich.style import Style
from textual.content import Content

from oaknet_client.boards.palette import DARK, LIGHT
from oaknet_client.views.records import Line


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
