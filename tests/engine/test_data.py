"""Printed numbers as data (engine 6): every fault has its sentence."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from oaknet.kernel import Data, DataFault
from oaknet.kernel.data import LARGEST
from oaknet.kernel.rules import boxed, rules_digest
from tests.engine.toys import MARKET, Market


@dataclass(frozen=True, slots=True)
class Track:
    name: str
    length: int
    points: tuple[int, ...]
    pair: tuple[int, str]
    grid: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Tracks:
    track: Track


LINES = {
    "name": '{ value = "sun", origin = "source" }',
    "length": '{ value = 9, origin = "derived" }',
    "points": '{ value = [1, 2], origin = ["source", "assumed"] }',
    "pair": '{ value = [1, "a"], origin = "source" }',
    "grid": '{ value = [[1], [2, 3]], origin = ["source", ["derived", "assumed"]] }',
}


def text(**changed: str | None) -> str:
    lines = {**LINES, **changed}
    return "[track]\n" + "".join(f"{name} = {line}\n" for name, line in lines.items() if line is not None)


def faults(data: str) -> list[str]:
    with pytest.raises(DataFault) as caught:
        Data.read(Tracks, data)
    assert str(caught.value) == "\n".join(caught.value.faults)
    return caught.value.faults


def test_values_become_a_frozen_box_with_their_marks() -> None:
    data = Data.read(Tracks, text())
    assert data.box == Tracks(Track("sun", 9, (1, 2), (1, "a"), ((1,), (2, 3))))
    assert data.origins == {
        "track.name": "source",
        "track.length": "derived",
        "track.points.0": "source",
        "track.points.1": "assumed",
        "track.pair": "source",
        "track.grid.0": "source",
        "track.grid.1.0": "derived",
        "track.grid.1.1": "assumed",
    }


SHAPE = "must be written as { value = …, origin = … }"


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"name": None}, "track.name is missing"),
        ({"extra": "1"}, "track.extra is not known to this game"),
        ({"length": "9"}, f"track.length {SHAPE}"),
        ({"length": "{ value = 9 }"}, f"track.length {SHAPE}"),
        ({"length": '{ value = 9, origin = "source", note = 1 }'}, f"track.length {SHAPE}"),
        (
            {"length": '{ value = "9", origin = "source" }'},
            "track.length is '9'; it must be a whole number",
        ),
        (
            {"length": '{ value = true, origin = "source" }'},
            "track.length is True; it must be a whole number",
        ),
        (
            {"length": '{ value = 9.5, origin = "source" }'},
            "track.length is 9.5; it must be a whole number",
        ),
        (
            {"length": f'{{ value = {LARGEST + 1}, origin = "source" }}'},
            f"track.length is {LARGEST + 1}; it must be within plus or minus {LARGEST}",
        ),
        ({"name": '{ value = 1, origin = "source" }'}, "track.name is 1; it must be a word"),
        (
            {"length": '{ value = 9, origin = "guess" }'},
            "the origin of track.length is 'guess'; it can be source, derived, assumed",
        ),
        (
            {"points": '{ value = [1, 2], origin = ["source"] }'},
            "track.points has 2 values and 1 origins",
        ),
        (
            {"length": '{ value = 9, origin = ["source"] }'},
            "the origin of track.length must be a word, or a list as long as the value",
        ),
        (
            {"length": "{ value = 9, origin = 1 }"},
            "the origin of track.length must be a word, or a list as long as the value",
        ),
        ({"points": '{ value = 1, origin = "source" }'}, "track.points is 1; it must be a list"),
        (
            {"points": '{ value = [1, "b"], origin = "source" }'},
            "track.points.1 is 'b'; it must be a whole number",
        ),
        (
            {"pair": '{ value = [1], origin = "source" }'},
            "track.pair has 1 values; it must have 2",
        ),
        ({"grid": '{ value = [[1], 2], origin = "source" }'}, "track.grid.1 is 2; it must be a list"),
        (
            {"grid": '{ value = [[1]], origin = [["source", "source"]] }'},
            "track.grid.0 has 1 values and 2 origins",
        ),
    ],
)
def test_each_fault_has_its_sentence(changed: dict[str, str | None], fault: str) -> None:
    assert faults(text(**changed)) == [fault]


def test_all_faults_are_told_at_once() -> None:
    assert faults(text(name=None, length="9", extra="1")) == [
        "track.extra is not known to this game",
        "track.name is missing",
        f"track.length {SHAPE}",
    ]


def test_a_section_must_be_there_and_be_a_table() -> None:
    assert faults("") == ["track is missing"]
    assert faults("track = 1") == ["track is no table"]
    assert faults(text() + "[other]\n") == ["other is not known to this game"]


@pytest.mark.parametrize("broken", ["[track", "a = ", "\x00", "a = " + "9" * 5000, "a = " + "[" * 50_000])
def test_what_is_not_toml_is_told_so(broken: str) -> None:
    (fault,) = faults(broken)
    assert fault.startswith("the data file is not TOML: ")


def test_the_rules_digest_changes_with_box_version_and_name() -> None:
    class Next(Market):
        version = 2

    class Other(Market):
        name = "other"

    rules = [
        Market(),
        Next(),
        Other(),
        Market(MARKET.replace("value = 4", "value = 5")),
        Market(MARKET.replace("[3, 2, 2]", "[3, 2, 1]")),
    ]
    assert len({rules_digest(each) for each in rules}) == len(rules)
    assert boxed(rules[0]) == [[4, (3, 2, 2)]]


def test_the_rules_digest_does_not_change_with_a_mark() -> None:
    assert rules_digest(Market(MARKET.replace("derived", "source"))) == rules_digest(Market())
