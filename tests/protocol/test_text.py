"""Text from other peers: what is taken, what is refused (transport 6)."""

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oaknet_protocol.text import MARKS_IN_A_ROW, NAME_LIMIT, BadText, checked, name, width

VECTORS = json.loads(
    (Path(__file__).parents[2] / "specs" / "vectors" / "text.json").read_text(encoding="utf-8")
)


def accepts(text: str, *, points: int = 500, cells: int = 500, lines: bool = False) -> bool:
    """Whether the text is taken; if so, it comes back as it is."""
    try:
        assert checked(text, points=points, cells=cells, lines=lines) == text
    except BadText:
        return False
    return True


CHECKS: dict[str, Callable[[str], str]] = {
    "name": name,
    "line": lambda text: checked(text, points=500, cells=500),
    "lines": lambda text: checked(text, points=500, cells=500, lines=True),
}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vectors(vector: dict[str, str]) -> None:
    text = "".join(chr(int(point, 16)) for point in vector["points"].split())
    if vector["expect"] == "accept":
        assert CHECKS[vector["as"]](text) == text
    else:
        with pytest.raises(BadText):
            CHECKS[vector["as"]](text)


@pytest.mark.parametrize(
    "text", ["[/]", "[bold", "[@click=app.quit]x[/]", "[red]x[/red]", "]]", "\\[", "{0}%s$(x)`"]
)
def test_markup_is_text_like_any_other(text: str) -> None:
    assert accepts(text)


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0)])
def test_no_control_character_passes(code: int) -> None:
    assert not accepts(f"a{chr(code)}b")
    assert accepts(f"a{chr(code)}b", lines=True) == (code == 0x0A)


@pytest.mark.parametrize(
    "text",
    [
        "\x1b]52;c;cm0gLXJm\x07",
        "\x1b]52;c;cm0gLXJm\x1b\\",
        "\x9d52;c;cm0gLXJm\x9c",
        "\x1b[2J",
        "\x9b2J",
        "\x1bP1$r\x1b\\",
        "\x1b]0;title\x07",
    ],
)
def test_no_escape_sequence_passes(text: str) -> None:
    assert not accepts(text)
    assert not accepts(text, lines=True)


@pytest.mark.parametrize(
    "code",
    [
        *range(0x200B, 0x2010),  # zero-width and direction marks
        *range(0x2028, 0x202F),  # line breaks, embeddings, overrides
        *range(0x2060, 0x2070),  # joiners, isolates
        0x00AD,
        0x061C,
        0x180E,
        0xFEFF,
        0xFFF9,
        0xE0001,
        0xE0041,
        0x034F,
        0x115F,
        0x3164,
        0xFFA0,
        0x2800,
        0xFE0F,
        0xE0100,
    ],
)
def test_nothing_invisible_passes(code: int) -> None:
    assert not accepts(f"a{chr(code)}b")


def test_marks_are_bounded() -> None:
    mark = "\u0301"
    assert accepts("q" + mark * MARKS_IN_A_ROW)
    assert not accepts("q" + mark * (MARKS_IN_A_ROW + 1))
    assert not accepts("q" + mark * 200)
    assert accepts(("q" + mark * MARKS_IN_A_ROW) * 50)
    assert not accepts(mark)
    assert not accepts("line\n" + mark, lines=True)


@pytest.mark.parametrize(
    "text",
    [
        "Zoë",
        "Łukasz",
        "Ἀθηνᾶ",
        "Юлия",
        "שלום",
        "नमस्ते",
        "สวัสดีที่รัก",
        "日本語",
        "한국어",
        "Việt",
        "ﷺ",
        "😀 ♞",
        "ß€½",
    ],
)
def test_names_of_the_world_pass(text: str) -> None:
    assert name(unicodedata.normalize("NFC", text))


def test_bounds_are_in_points_and_in_cells() -> None:
    assert accepts("a" * 10, points=10, cells=10)
    assert not accepts("a" * 11, points=10, cells=20)
    assert not accepts("a" * 11, points=20, cells=10)
    assert accepts("日" * 5, points=5, cells=10)
    assert not accepts("日" * 5, points=5, cells=9)
    assert accepts("", points=0, cells=0)


def test_widths() -> None:
    assert width("abc") == 3
    assert width("日本") == 4
    assert width("ｗ") == 2
    assert width("q\u0301\u0323") == 1
    assert width("a\nb") == 2
    assert width("😀") == 2
    assert width("नि") == 2  # a letter and a vowel sign that stands beside it


@pytest.mark.parametrize("text", ["", " a", "a ", " ", "a" * 25, "日" * 13, "a\nb", "\u00a0a", "a\u3000"])
def test_bad_names_are_refused(text: str) -> None:
    with pytest.raises(BadText):
        name(text)


def test_good_names_are_taken_up_to_the_limit() -> None:
    assert name("a b") == "a b"
    assert name("a" * NAME_LIMIT)
    assert name("日" * (NAME_LIMIT // 2))


def test_the_complaint_never_repeats_the_text() -> None:
    for text in ("\x1b[2J", "abc\u202e", "a" * 600, "日" * 300, "e\u0301", "\ud800"):
        with pytest.raises(BadText) as caught:
            checked(text, points=500, cells=500)
        assert str(caught.value).isascii()
        assert str(caught.value).isprintable()


def test_a_flood_is_refused_by_its_length_alone() -> None:
    assert not accepts("\u0301" * 10_000_000)


@given(st.text())
def test_what_is_taken_is_printable_composed_and_within_its_bounds(text: str) -> None:
    if accepts(text, points=40, cells=40):
        assert text.isprintable()
        assert unicodedata.is_normalized("NFC", text)
        assert len(text) <= 40
        assert width(text) <= 40
        text.encode()


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=40))
def test_every_printable_ascii_text_is_taken(text: str) -> None:
    assert accepts(text, points=40, cells=40)
    assert width(text) == len(text)


@given(st.text(min_size=1), st.sampled_from(["\x1b", "\u202e", "\u200b", "\ud800", "\ue000", "\u0378"]))
def test_one_bad_character_anywhere_is_enough(text: str, bad: str) -> None:
    for at in (0, len(text) // 2, len(text)):
        assert not accepts(text[:at] + bad + text[at:])
