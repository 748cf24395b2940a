"""Decks without a hidden order that anybody could read ahead (engine 3.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from oaknet.kernel.ask import chance

Layer = tuple[int, ...]


class Deck:
    """Face-down cards as layers, the top one first; the cards within a layer have no order.

    Nothing about the order of a shuffled deck exists before it is drawn: drawing samples the top layer. Cards
    put underneath in a known order are layers of one card each. Layers are sorted tuples, so a copy is cheap
    and equal decks have equal bytes. Cards are ints; equal cards may occur several times.
    """

    __slots__ = ("layers",)

    layers: tuple[Layer, ...]

    def __init__(self, cards: Iterable[int] = (), *, layers: Iterable[Iterable[int]] = ()) -> None:
        self.layers = tuple(filter(None, (tuple(sorted(layer)) for layer in layers)))
        self.shuffle_under(cards)

    def __len__(self) -> int:
        return sum(map(len, self.layers))

    def __repr__(self) -> str:
        return f"Deck(layers={self.layers!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self.layers == other.layers

    __hash__ = None  # type: ignore[assignment]  # a deck changes

    def copy(self) -> Deck:
        """An independent deck with the same layers."""
        twin = Deck.__new__(Deck)
        twin.layers = self.layers
        return twin

    def cards(self) -> list[int]:
        """All cards, sorted: what anybody may know of the deck."""
        return sorted(card for layer in self.layers for card in layer)

    def take(self, card: int) -> None:
        """Remove ``card`` from the top layer; raises `ValueError` if it is not there."""
        top = list(self.layers[0]) if self.layers else []
        top.remove(card)
        self.layers = (tuple(top), *self.layers[1:]) if top else self.layers[1:]

    def search(self, card: int) -> None:
        """Remove ``card`` from wherever it lies and shuffle the rest; raises `ValueError` if it is absent."""
        rest = self.cards()
        rest.remove(card)
        self.layers = (tuple(rest),) if rest else ()

    def put_under(self, cards: Iterable[int]) -> None:
        """Put cards underneath in this known order, the first the highest of them."""
        self.layers = (*self.layers, *((card,) for card in cards))

    def shuffle_under(self, cards: Iterable[int]) -> None:
        """Put cards underneath in an order nobody knows."""
        layer = tuple(sorted(cards))
        if layer:
            self.layers = (*self.layers, layer)

    def shuffle(self) -> None:
        """Shuffle the whole deck: one layer."""
        everything = self.cards()
        self.layers = (tuple(everything),) if everything else ()


async def draw(deck: Deck, about: str = "draw") -> int:
    """Draw the top card: chance picks from the top layer, each card of it equally likely."""
    assert deck.layers, "a card is drawn from an empty deck"
    top = deck.layers[0]
    kinds = Counter(top)  # the layer is sorted, so this order is defined
    card = await chance(about, tuple(kinds), [*kinds.values()])
    deck.take(card)
    return card
