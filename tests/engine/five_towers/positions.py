"""Hand-made positions of 5 Towers, and the cards in words: ``"candy 12, tree 3"``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from oaknet.five_towers import FiveTowers, State
from oaknet.five_towers.state import AUCTION, Player, card, cards_in_play
from oaknet.kernel import Deck, Game
from oaknet.registry import data_text

Towers: TypeAlias = Mapping[str, tuple[int, ...]]

RULES = FiveTowers(data_text("five_towers"))
TYPES = RULES.data.box.deck.types


def new_game(players: int) -> Game[State]:
    """A game before its first card is revealed."""
    return Game[State].new(RULES, players)


def cards(words: str) -> list[int]:
    """The cards in these words, sorted."""
    pairs = (pair.split() for pair in words.split(",") if pair.strip())
    return sorted(card(TYPES.index(name), int(value)) for name, value in pairs)


def auction(
    *towers: Towers,
    display: str,
    deck: str = "",
    discards: str = "",
    start_player: int = 0,
    times_through: int = 2,
) -> Game[State]:
    """A game in which the start player is about to bid for ``display``; one dict of towers a seat."""
    players = [Player([standing.get(name, ()) for name in TYPES]) for standing in towers]
    return Game(
        RULES,
        State(
            RULES.data.box,
            players,
            Deck(cards(deck)),
            display=cards(display),
            discards=cards(discards),
            phase=AUCTION,
            start_player=start_player,
            times_through=times_through,
        ),
    )


def towers(game: Game[State], seat: int) -> Towers:
    """The towers that a seat has, by type."""
    return {name: tower for name, tower in zip(TYPES, game.state.players[seat].towers, strict=True) if tower}


def asked(game: Game[State]) -> tuple[int, str, list[object]]:
    """The one question that waits: seat, about, options."""
    (ask,) = game.pending
    return ask.seat, ask.about, list(ask.options)


def everything(s: State) -> Counter[int]:
    """All cards, wherever they are."""
    found = Counter(s.deck.cards() + s.display + s.discards)
    for player in s.players:
        found.update(player.torn_down)
        found.update(card(kind, value) for kind, tower in enumerate(player.towers) for value in tower)
    return found


def whole_deck(players: int) -> Counter[int]:
    """The cards that many players play with."""
    return Counter(cards_in_play(RULES.data.box.deck, players))
