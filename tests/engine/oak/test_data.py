"""oak 1.3: the printed numbers, their marks, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import oaknet.oak
from oaknet import registry
from oaknet.kernel import Data, DataFault
from oaknet.oak.box import Box
from oaknet.oak.check import faults
from tests.engine.oak.positions import BOX, RULES

TEXT = registry.data_text("oak")


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("play.tokens", "assumed"),
        ("play.rounds", "source"),
        ("branches.step", "derived"),
        ("branches.stem.2.2", "source"),
        ("branches.stem.0", "assumed"),
        ("branches.token.2", "derived"),
        ("branches.tips", "assumed"),
        ("sun.level", "assumed"),
        ("temples.clockwise", "derived"),
        ("temples.pictured", "assumed"),
        ("cards.slots", "assumed"),
        ("cards.limit", "source"),
        ("artifacts.vp", "source"),
        ("artifacts.loss.10.2", "source"),
        ("artifacts.loss.10.1", "assumed"),
        ("creatures.vp.0", "assumed"),
        ("creatures.vp.33", "source"),
        ("creatures.vp.34", "source"),
        ("orders.limit.3", "source"),
        ("orders.limit.0", "assumed"),
        ("orders.special.4.0", "derived"),
    ],
)
def test_every_number_bears_its_mark(name: str, origin: str) -> None:
    assert RULES.data.origins[name] == origin


def test_creatures_cost_or_give_what_they_should() -> None:
    assert BOX.creatures.vp[34 - 1] == -3
    assert BOX.creatures.vp[35 - 1] == 5
    assert sorted(dict.fromkeys(BOX.creatures.vp)) == [-3, 1, 2, 3, 4, 5]
    assert sum(BOX.creatures.vp) == 81


def test_an_artifact_costs_no_more_over_its_life_than_it_gave() -> None:
    assert all(sum(loss) <= BOX.artifacts.vp for loss in BOX.artifacts.loss)


def test_recipes_have_two_ingredients_and_three_on_the_highest_level() -> None:
    assert [sum(recipe) for recipe in BOX.potions.recipe] == [2] * 10 + [3] * 5


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("rounds = { value = 5", "rounds = { value = 0", "play.rounds must be 1 or more"),
        (
            "start = { value = [6, 6, 6]",
            "start = { value = [6, 6, 10]",
            "play.start must not exceed play.most",
        ),
        (
            'value = [3, 3, 3], origin = ["assumed", "assumed", "derived"]',
            'value = [3, 3, 4], origin = "assumed"',
            "branches.token",
        ),
        ('["vp", "elder"]', '["vp", "oak"]', "branches.tips can count"),
        (
            "clockwise = { value = [1, 2, 3]",
            "clockwise = { value = [1, 2, 2]",
            "temples.clockwise must have 1, 2 and 3",
        ),
        ("pictured = { value = [1, 2, 3]", "pictured = { value = [1, 2, 4]", "temples.pictured must be"),
        ("menhir = { value = 6", "menhir = { value = -6", "cards.menhir must not be below 0"),
        (
            "shrines = { value = [1, 1, 2, 1, 1]",
            "shrines = { value = [1, 1, 2]",
            "orders.shrines has 3 values; it must have 5",
        ),
        (
            "storytelling = { value = [1, 6, 6]",
            "storytelling = { value = [1, 6, 12]",
            "no cost may exceed play.most",
        ),
        ("-3, 5,\n", "-3, -5,\n    -5,\n", "creatures.vp has 36 values"),
        ("3, 3, 3, 3, 3, 3, 1, 3, 2, -3, 5", "-3, 3, 3, 3, 3, 3, 1, 3, -2, -3, 5", "fewer creatures than"),
        ("[[3, 3], [4, 5], [5, 7]]", "[[3, 3], [4, 5], [6, 7]]", "potions.darkwood must ask for"),
        ("trade = { value = 2", "trade = { value = 5", "play.trade must not exceed 4"),
        ("most = { value = 9", "most = { value = 100", "play.most must not be above 99"),
        ("[0, 2, 1, 0, 0, 0]", "[0, 2, 1, 0, 0, 3]", "potions.recipe must ask for 1 to 5"),
        (
            "    0, 0, 0, 1, 2, 3, 1, 1,",
            "    0, 0, 0, 1, 2, 2, 1, 1,",
            "creatures.amount must be 3 for number 6",
        ),
        ("    1, 1, 2, 1, 1, 2, 1,", "    1, 1, 2, 1, 1, 10, 1,", "creatures.amount must not be above 9"),
        ("value = [1, 2, 2, 1, 1, 6,", "value = [2, 2, 2, 1, 1, 6,", "potions.amount must be 1 for number 1"),
        ("value = [[0], [0], [0], [0], [0, 0]]", "value = [[0], [0], [0], [0, 0], [0, 0]]", "orders.special"),
    ],
)
def test_numbers_that_cannot_be_played_with_are_refused(old: str, new: str, fault: str) -> None:
    assert TEXT.count(old) == 1
    with pytest.raises(DataFault, match=re.escape(fault)):
        registry.rules("oak", TEXT.replace(old, new))


def test_a_corrected_number_is_played_with() -> None:
    assert registry.rules("oak").name == "oak"
    text = TEXT.replace("menhir = { value = 6", "menhir = { value = 8")
    box = Data[Box].read(Box, text).box
    assert faults(box) == []
    assert box.cards.menhir == 8


def test_every_clause_that_the_code_cites_is_in_the_spec() -> None:
    folder = Path(oaknet.oak.__file__).parent
    spec = (folder.parents[1] / "specs" / "oak.md").read_text(encoding="utf-8")
    if not spec:
        pytest.fail("the spec is empty")
    clauses = set(re.findall(r"(?:^|(?<=\. )|(?<=\) ))(\d+\.\d+) ", spec, re.MULTILINE))
    chapters = set(re.findall(r"^## (\d+)\.", spec, re.MULTILINE))
    cited = {
        number
        for file in folder.glob("*.py")
        for group in re.findall(r"\(oak\s+([\d.,–\s]+)\)", file.read_text(encoding="utf-8"))
        for number in re.findall(r"\d+(?:\.\d+)?", group)
    }
    assert len(cited) > 40
    assert sorted(cited - clauses - chapters) == []
