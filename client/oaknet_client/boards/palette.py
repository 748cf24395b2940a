"""Colours of tones, for a dark and a light ground. Colour never says anything alone."""

from __future__ import annotations

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


GROUND = {True: "#121212", False: "#ffffff"}
TEXT = {True: "#e0e0e0", False: "#1a1a1a"}
DIMMED = {True: "#8a8a8a", False: "#6a6a6a"}
"""Ground, text and what is dim on it, by whether it is dark, for pictures of our own."""


def ink(tone: str, *, dark: bool) -> tuple[str, bool]:
    """The colour of a tone in a picture, and whether it is bold."""
    words = [(DARK if dark else LIGHT)[word] for word in tone.split() if word in DARK]
    parts = " ".join(words).split()
    colours = [part for part in parts if part.startswith("#")]
    plain = DIMMED[dark] if "dim" in parts else TEXT[dark]
    return colours[0] if colours else plain, "bold" in parts
