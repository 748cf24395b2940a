"""Tones of display records as styles of the screen. Colour never says anything alone."""

from __future__ import annotations

from collections.abc import Iterable

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
