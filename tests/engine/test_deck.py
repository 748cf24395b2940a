"""Decks of layers (engine 3.4), against a real pile of cards that is really shuffled."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from oaknet.kernel import CHANCE, Deck, Rng, draw
from oaknet.kernel.rng import sample
from tests.engine.chi_square import alike, fits


def drawn(deck: Deck, rng: Rng) -> int:
    """Draw a card as a rule does."""
    rule = draw(deck)
    try:
        (ask,) = rule.send(None)
        assert ask.seat == CHANCE
        rule.send((CHANCE, sample(rng, ask)))
    except StopIteration as done:
        return int(done.value)
    raise AssertionError("a draw asks once")


class Pile:
    """A real pile, its top first, with the operations of a deck."""

    def __init__(self, rng: random.Random, cards: Any) -> None:
        self.rng, self.pile = rng, list(cards)
        rng.shuffle(self.pile)

    def draw(self) -> int:
        return int(self.pile.pop(0))

    def put_under(self, cards: Any) -> None:
        self.pile += cards

    def shuffle_under(self, cards: Any) -> None:
        under = list(cards)
        self.rng.shuffle(under)
        self.pile += under

    def search(self, card: int) -> None:
        self.pile.remove(card)
        self.rng.shuffle(self.pile)

    def shuffle(self) -> None:
        self.rng.shuffle(self.pile)


class Layered(Deck):
    """A deck that draws from a generator of its own."""

    __slots__ = ("rng",)

    def __init__(self, rng: Rng, cards: Any) -> None:
        super().__init__(cards)
        self.rng = rng

    def draw(self) -> int:
        return drawn(self, self.rng)


def plainly(deck: Any) -> tuple[int, ...]:
    return tuple(deck.draw() for _ in range(3))


def with_equal_cards(deck: Any) -> tuple[int, ...]:
    deck.put_under([0])
    deck.shuffle_under([1, 1])
    return tuple(deck.draw() for _ in range(4))


def put_under_in_order(deck: Any) -> tuple[int, ...]:
    first = deck.draw()
    deck.put_under([8, 9])
    deck.put_under([first])
    return tuple(deck.draw() for _ in range(5))


def shuffled_under(deck: Any) -> tuple[int, ...]:
    deck.shuffle_under([7, 8])
    return tuple(deck.draw() for _ in range(5))


def searched(deck: Any) -> tuple[int, ...]:
    first = deck.draw()
    deck.put_under([first, 9])
    deck.search(9)
    return tuple(deck.draw() for _ in range(3))


def shuffled_whole(deck: Any) -> tuple[int, ...]:
    deck.draw()
    deck.put_under([9])
    deck.shuffle()
    return tuple(deck.draw() for _ in range(2))


SAMPLES = 3000


@pytest.mark.parametrize(
    "use", [plainly, with_equal_cards, put_under_in_order, shuffled_under, searched, shuffled_whole]
)
def test_a_layered_deck_is_like_a_shuffled_pile(use: Callable[[Any], tuple[int, ...]]) -> None:
    rng, real = Rng(use.__name__.encode()), random.Random(use.__name__)  # noqa: S311 - a pile to compare with
    left = Counter(use(Layered(rng, (0, 1, 2))) for _ in range(SAMPLES))
    right = Counter(use(Pile(real, (0, 1, 2))) for _ in range(SAMPLES))
    assert left.keys() == right.keys()
    assert alike(left, right)


def test_the_comparison_tells_a_deck_that_forgets_its_order() -> None:
    def forgets(deck: Layered) -> tuple[int, ...]:
        deck.put_under([9])
        deck.shuffle()
        return tuple(deck.draw() for _ in range(2))

    def keeps(pile: Pile) -> tuple[int, ...]:
        pile.put_under([9])
        return tuple(pile.draw() for _ in range(2))

    rng, real = Rng(b"fails"), random.Random(0)  # noqa: S311 - a pile to compare with
    left = Counter(forgets(Layered(rng, (0, 1, 2))) for _ in range(SAMPLES))
    right = Counter(keeps(Pile(real, (0, 1, 2))) for _ in range(SAMPLES))
    assert left.keys() != right.keys()


def test_equal_cards_are_drawn_by_their_number() -> None:
    rng = Rng(b"equal")
    seen = Counter(drawn(Deck([0, 0, 0, 1, 1, 2]), rng) for _ in range(3000))
    assert fits(seen, {0: 3, 1: 2, 2: 1})


def test_a_draw_asks_chance_for_kinds_with_their_numbers() -> None:
    (ask,) = draw(Deck([5, 3, 5, 5]), "card").send(None)
    assert (ask.seat, ask.about, ask.options, ask.weights) == (CHANCE, "card", (3, 5), (1, 3))


def test_the_only_kind_left_is_drawn_without_asking() -> None:
    deck = Deck([4, 4])
    with pytest.raises(StopIteration) as done:
        draw(deck).send(None)
    assert done.value.value == 4
    assert deck.layers == ((4,),)


def test_nothing_can_be_drawn_from_an_empty_deck() -> None:
    with pytest.raises(AssertionError, match="empty deck"):
        draw(Deck()).send(None)


def test_layers_hold_what_is_known_of_the_order() -> None:
    deck = Deck([2, 1, 1])
    assert deck.layers == ((1, 1, 2),)
    deck.put_under([9, 8])
    deck.shuffle_under([7, 6])
    deck.shuffle_under([])
    assert deck.layers == ((1, 1, 2), (9,), (8,), (6, 7))
    assert len(deck) == 7
    assert deck.cards() == [1, 1, 2, 6, 7, 8, 9]
    deck.search(8)
    assert deck.layers == ((1, 1, 2, 6, 7, 9),)


def test_taking_the_last_card_of_a_layer_uncovers_the_next() -> None:
    deck = Deck(layers=[[3], [], [1, 0]])
    assert deck.layers == ((3,), (0, 1))
    deck.take(3)
    assert deck.layers == ((0, 1),)
    deck.take(0)
    deck.take(1)
    assert deck.layers == ()
    assert len(deck) == 0


@pytest.mark.parametrize("layers", [[], [[1], [2]], [[1, 1]]])
def test_only_the_top_layer_can_be_taken_from(layers: list[list[int]]) -> None:
    deck = Deck(layers=layers)
    before = deck.layers
    with pytest.raises(ValueError):  # noqa: PT011 - the words are Python's own
        deck.take(2)
    with pytest.raises(ValueError):  # noqa: PT011 - likewise
        deck.search(3)
    assert deck.layers == before


def test_searching_out_the_only_card_leaves_no_layer() -> None:
    deck = Deck([1])
    deck.search(1)
    assert deck.layers == ()
    deck.shuffle()
    assert deck.layers == ()


def test_a_copy_is_independent_and_equal() -> None:
    deck = Deck([1, 2], layers=[[5]])
    twin = deck.copy()
    assert twin == deck
    assert deck != ((5,), (1, 2))
    twin.take(5)
    assert deck == Deck(layers=[[5], [2, 1]])
    assert repr(deck) == "Deck(layers=((5,), (1, 2)))"
    with pytest.raises(TypeError, match="unhashable"):
        hash(deck)
