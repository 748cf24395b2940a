"""What can be looked up: every card has a text, every number is shown with its mark."""

from __future__ import annotations

import dataclasses
import re

import pytest

from oaknet import registry
from oaknet.kernel import Data, Deck
from oaknet.kernel.lookup import Entry, numbers, origin, spelt, told, value
from oaknet.oak.card_texts import ARTIFACT_TEXTS, CREATURE_TEXTS, POTION_TEXTS
from oaknet.oak.state import State
from oaknet.oak.tables import ARTIFACTS, CREATURES, ORDERS, POTIONS
from tests.engine.oak.positions import day

GAMES = registry.games()


@dataclasses.dataclass(frozen=True)
class Numbers:
    one: int
    many: tuple[int, ...]
    nested: tuple[tuple[int, ...], ...]


@dataclasses.dataclass(frozen=True)
class Box:
    toy: Numbers


DATA = Data[Box].read(
    Box,
    """
    [toy]
    one = { value = 7, origin = "assumed" }
    many = { value = [1, 2, 3], origin = ["source", "derived", "source"] }
    nested = { value = [[1, 2], [3], []], origin = ["source", ["assumed"], "source"] }
    """,
)


@pytest.mark.parametrize(
    ("where", "found", "mark"),
    [
        ("toy.one", 7, "assumed"),
        ("toy.many", (1, 2, 3), ("source", "derived", "source")),
        ("toy.many.1", 2, "derived"),
        ("toy.nested", ((1, 2), (3,), ()), ("source", "assumed", "source")),
        ("toy.nested.0", (1, 2), "source"),
        ("toy.nested.0.1", 2, "source"),
        ("toy.nested.1.0", 3, "assumed"),
        ("toy.nested.2", (), "source"),
    ],
)
def test_a_number_is_found_with_its_mark(where: str, found: object, mark: object) -> None:
    assert value(DATA, where) == found
    assert origin(DATA, where) == mark


@pytest.mark.parametrize("where", ["toy.two", "toy.many.3", "toy.one.0", "other.one"])
def test_a_name_that_is_none_of_the_data_is_refused(where: str) -> None:
    with pytest.raises(LookupError):
        value(DATA, where)


def test_a_text_is_told_with_its_numbers() -> None:
    entry = Entry("c", "n", "{a} of {b}; {c}", (("a", "toy.one"), ("b", "toy.many"), ("c", "toy.nested")))
    assert told(DATA, entry) == "7 of 1, 2, 3; 1, 2; 3; "
    assert spelt("word") == "word"


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_can_be_told(game: str) -> None:
    rules = registry.rules(game)
    entries = registry.entries(rules)
    names = [entry.name for entry in entries]
    assert len(dict.fromkeys(names)) == len(names) >= 9
    for entry in entries:
        text = told(rules.data, entry)
        assert text.isprintable()
        assert text.endswith((".", "?"))
        assert not re.search(r"[{}]|  ", text)
        for number in numbers(rules.data, entry):
            assert number.label.isascii()


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_the_data_file_can_be_looked_up(game: str) -> None:
    rules = registry.rules(game)
    shown = [where for entry in registry.entries(rules) for _, where in entry.numbers]
    missing = [
        name
        for name in dict.fromkeys(".".join(known.split(".")[:2]) for known in rules.data.origins)
        if not any(where == name or where.startswith(f"{name}.") for where in shown)
    ]
    assert missing == []


def test_every_card_and_tile_of_oak_has_a_text() -> None:
    assert list(CREATURE_TEXTS) == list(CREATURES)
    assert list(ARTIFACT_TEXTS) == list(ARTIFACTS)
    assert list(POTION_TEXTS) == list(POTIONS)
    chapters = [entry.chapter for entry in registry.entries(registry.rules("oak"))]
    counts = {chapter: chapters.count(chapter) for chapter in dict.fromkeys(chapters)}
    assert counts == {
        "rules": 19,
        "moot cards": 7,
        "orders": len(ORDERS),
        "elders": 6,
        "creatures": 35,
        "artifacts": 12,
        "potions": 16,
        "broichan": 4,
    }


def test_other_numbers_are_told_in_the_same_texts() -> None:
    text = registry.data_text("oak").replace("rounds = { value = 5", "rounds = { value = 3")
    rules = registry.rules("oak", text)
    assert told(rules.data, registry.entries(rules)[0]).startswith("3 rounds of Dawn")


def test_a_game_may_have_no_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "market", "tests.client.market")
    assert registry.entries(registry.rules("market")) == ()


def held(s: State, name: str) -> tuple[tuple[int, str], ...]:
    """Who has what is called so."""
    rules = registry.rules("oak")
    (entry,) = (entry for entry in registry.entries(rules) if entry.name == name)
    return registry.holders(rules, s, entry)


def test_cards_and_tiles_are_found_at_a_table() -> None:
    s = day("bee", "fox")
    you, other = s.players
    s.creatures, s.artifacts, s.potions = [1], [2], [10]
    you.creatures, other.artifacts, other.uses, you.flipped = [16], [8], [2], [9]
    s.creature_deck, s.artifact_stack = Deck([17]), Deck([4])
    you.hand, you.played, other.kind[0] = [0, 2], [2], 3
    s.potion_piles = [Deck([1]), Deck(), Deck()]
    assert held(s, "Slúagh na Marbh") == ((-1, "on display"),)
    assert held(s, "Caoineag") == ((0, "has it"),)
    assert held(s, "Clurichaun") == ((-1, "in the deck"),)
    assert held(s, "Golden Kettle") == ((1, "has it, used 2 of 3 times"),)
    assert held(s, "Golden Sickle") == ((0, "has it, of no more use"),)
    assert held(s, "Arduinna's Pendant") == ((-1, "on display"),)
    assert held(s, "Plaque of Cernunnos") == ((-1, "in the stack"),)
    assert held(s, "Bloom") == ((-1, "can be brewed by all"),)
    assert held(s, "Darkwood") == ((-1, "can be brewed by all"),)
    assert held(s, "Inspiration") == ((-1, "in the box"),)
    you.seelie, s.looked, s.gone = 9, [20], [34]
    assert held(s, "Renewal") == ((0, "alone can brew it"),)
    assert held(s, "Fear Gorta") == ((-1, "turned up for Cailleach"),)
    assert held(s, "Carw Gwyn") == ((-1, "out of the game"),)
    assert held(s, "Storytelling") == ((0, "has it in hand"), (1, "has it in hand"))
    assert held(s, "Knowledge") == ((0, "has played it this Day"), (1, "has it in hand"))
    assert held(s, "Heart of the Oak card") == ()
    assert held(s, "Order of the Fox") == ((1, "has its board"),)
    assert held(s, "Ovate") == ((1, "has it"),)
    assert held(s, "Festival") == ()


def test_a_game_may_tell_no_holders() -> None:
    rules = registry.rules("five_towers")
    assert registry.holders(rules, None, registry.entries(rules)[0]) == ()
