"""Answers in words: every option of every question of whole games has a sentence."""

from __future__ import annotations

import pytest

from oaknet.kernel import CHANCE, Ask, Option
from oaknet.oak.deeds import ACTIONS
from oaknet.oak.tables import MOOTS, ORDERS
from oaknet.oak.words import DEEDS, PLAIN, SENTENCES
from tests.engine.oak.positions import RULES, day
from tests.engine.oak.random_games import decisions, eager


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_option_has_a_sentence(seats: int) -> None:
    asked: dict[str, int] = {}
    for game in decisions(seats, b"words", 4, bot=eager):
        if game.over:
            continue
        (ask,) = game.pending
        asked[ask.about] = 1
        sentences = [RULES.say(game.state, ask, option) for option in ask.options]
        assert len(dict.fromkeys(sentences)) == len(sentences), (ask, sentences)
        assert not any(mark in sentence for sentence in sentences for mark in "{}[]")
    assert [about for about in asked if about not in SENTENCES] == []
    assert len(asked) >= 30


@pytest.mark.parametrize(
    ("about", "option", "sentence"),
    [
        ("turn", "mysticism", "plays Mysticism"),
        ("turn", "pass", "passes"),
        ("turn", "menhir", "builds a menhir"),
        ("turn", "creature-19", "uses Abhartach"),
        ("turn", "creature-34", "uses Carw Gwyn"),
        ("turn", "artifact-12", "places a druid on Shield of Toutatis"),
        ("turn", "order-draw", "uses the order's special space, to draw ingredients"),
        ("turn", "heart", "plays Heart of the Oak"),
        ("gather", "bag-bark", "takes from the crane bag instead: bark"),
        ("creature", 0, "looks at the top of the deck, for all to see"),
        ("creature", 33, "takes Pùca"),
        ("recharge", 2, "recharges Arduinna's Pendant"),
        ("lugh", 1, "uses Moonstone Necklace by Lugh's Touch"),
        ("seelie", 4, "lays on The Seelie Court: Lugh's Touch"),
        ("limits", "both", "moves both card limit markers a space"),
        ("heart", "brew", "uses the card's own temple, to brew a potion"),
        ("ride", "yes", "pays 1 more, to do the Oak action too"),
        ("upgrade", "roots", "upgrades a druid at the roots"),
        ("upgrade", "order-0", "upgrades a druid on the order's special space"),
        ("upgrade", "temple-feather-2", "upgrades a druid on the 2-stone space of the feather temple"),
        ("upgrade", "artifact-12", "upgrades a druid on Shield of Toutatis"),
        ("upgrade", "branch-rune", "upgrades a druid on the rune branch"),
        ("ingredients", ("bark", "resources"), "uses up bark, resources"),
        ("trade", "rune", "gives rune for a resource"),
        ("artifact", 11, "takes Ring of the Seer"),
        ("creature-under", 35, "puts under the deck: Ellén Trechend"),
        ("potion", "darkwood", "brews Darkwood"),
        ("potion", 10, "brews Bloom"),
        ("ingredients", ("bark", "root", "acorn"), "uses up bark, root, acorn"),
        ("pay", (1, 0, 2), "pays 1 feather, 2 rune"),
        ("pay", (0, 0, 0), "pays nothing"),
        ("amount", 4, "exchanges 4 of them"),
        ("last", 5, "brews a last Darkwood of 5 ingredients"),
        ("order", "fox", "takes the Order of the Fox"),
        ("replay", "oak-rune", "repeats an action: to climb the rune branch"),
    ],
)
def test_sentences(about: str, option: Option, sentence: str) -> None:
    assert RULES.say(day(), Ask(0, about, (option,)), option) == sentence


def test_a_stone_space_is_told_with_its_action() -> None:
    s = day()
    s.players[0].played = [0]
    assert RULES.say(s, Ask(0, "stone", (2, 3)), 2) == "chooses the 2-stone space, to take a creature"


def test_a_space_that_counts_as_another_is_told_with_what_it_counts_as() -> None:
    s = day()
    s.players[0].played, s.players[0].creatures = [0], [5]
    assert RULES.say(s, Ask(0, "stone", (2, 3)), 3) == "chooses the 3-stone space"
    assert RULES.say(s, Ask(0, "as", (2, 3)), 2) == "treats it as the 2-stone space, to take a creature"


def test_what_chance_answers_at_set_up_is_told() -> None:
    assert RULES.say(day(), Ask(CHANCE, "first-player", (0, 1)), 1) == "the first player is seat 2"
    assert RULES.say(day(), Ask(CHANCE, "order", ("bee", "fox")), "fox") == "an order board is dealt: Fox"
    assert RULES.say(day(), Ask(CHANCE, "look", (7, 8)), 8) == "turned up from the deck: Buggane"


def test_every_action_has_words() -> None:
    temple = [action for moot in MOOTS for action in moot.actions]
    order = [action for row in ORDERS for _, action in row.special]
    assert [name for name in temple + order if name not in DEEDS] == []
    assert [name for name in temple + order if name not in ACTIONS] == []


def test_draws_are_told_too() -> None:
    assert RULES.say(day(), Ask(CHANCE, "bag", ("bark",)), "bark") == "drawn from the crane bag: bark"
    assert RULES.say(day(), Ask(CHANCE, "creature-display", (5,)), 5) == "creature on display: Dobhar-Chù"


def test_plain_answers_belong_to_known_questions() -> None:
    assert [about for about, _ in PLAIN if about not in SENTENCES] == []
