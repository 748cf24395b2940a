"""The cards, the players and the printed numbers (five towers 1, 2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import FrozenInstanceError

import pytest

from oaknet.five_towers import State, make
from oaknet.five_towers.state import cards_in_play, kind_of, value_of
from oaknet.kernel import CHANCE, DataFault, Game, Rng, WrongSeats, resolve
from oaknet.registry import data_text
from tests.engine.five_towers.positions import RULES, TYPES, cards, everything, new_game, whole_deck


@pytest.mark.parametrize("players", [2, 3])
def test_up_to_three_players_use_each_value_once_a_type(players: int) -> None:
    deck = cards_in_play(RULES.data.box.deck, players)
    assert Counter(map(kind_of, deck)) == Counter(dict.fromkeys(range(5), 16))
    for kind in range(5):
        assert [value_of(card) for card in deck if kind_of(card) == kind] == list(range(16))


@pytest.mark.parametrize("players", [4, 5])
def test_from_four_players_on_each_type_has_six_more_cards(players: int) -> None:
    deck = cards_in_play(RULES.data.box.deck, players)
    assert len(deck) == 110
    for kind in range(5):
        twice = [
            value for value, n in Counter(value_of(c) for c in deck if kind_of(c) == kind).items() if n == 2
        ]
        assert sorted(twice) == [0, 2, 5, 7, 10, 12]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_game_starts_with_all_cards_in_the_deck_and_no_towers(players: int) -> None:
    game = new_game(players)
    assert everything(game.state) == whole_deck(players)
    assert len(game.state.deck) == (80 if players < 4 else 110)
    assert [player.towers for player in game.state.players] == [[()] * 5] * players
    assert game.pending[0].seat == CHANCE


def test_the_five_types_have_their_names() -> None:
    assert TYPES == ("candy", "scary", "tree", "scrap", "sand")


@pytest.mark.parametrize("players", [0, 1, 6])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(WrongSeats, match="2 to 5"):
        new_game(players)


def test_five_cards_are_revealed_and_seat_0_bids_first() -> None:
    game = new_game(3)
    game.play(*cards("sand 4, candy 12, tree 0, tree 9, scary 15")[::-1])
    assert game.state.display == cards("candy 12, scary 15, tree 0, tree 9, sand 4")
    assert len(game.state.deck) == 75
    assert (game.pending[0].seat, game.pending[0].about) == (0, "bid")


def test_each_card_of_the_deck_is_equally_likely_to_be_revealed() -> None:
    (ask,) = new_game(5).pending
    assert dict(zip(ask.options, ask.weights, strict=True)) == dict(whole_deck(5))


def test_no_two_games_reveal_the_same_cards() -> None:
    displays: list[list[int]] = []
    for seed in (b"one", b"two"):
        game = new_game(2)
        resolve(game, Rng(seed))
        displays.append(game.state.display)
    assert displays[0] != displays[1]


def test_every_number_is_marked_as_published() -> None:
    assert set(RULES.data.origins.values()) == {"source"}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("players = { value = [2, 5]", "players = { value = [5, 2]", "deck.players"),
        ('"candy", "scary"', '"candy", "candy"', "deck.types must all be different"),
        ('"candy", "scary"', '"none", "scary"', "deck.types must be short lower-case words"),
        ("players = { value = [2, 5]", "players = { value = [0, 5]", "deck.players"),
        ('"candy", "scary"', '"Candy", "scary"', "deck.types must be short lower-case words"),
        ('"candy", "scary"', '"candy", "sc ary"', "deck.types must be short lower-case words"),
        ('"candy", "scary"', '"candy", "scäry"', "deck.types must be short lower-case words"),
        ('"candy", "scary"', '"candy", "scaryscaryscaryscarys"', "deck.types must be short lower-case words"),
        ('["candy", "scary", "tree", "scrap", "sand"]', "[]", "deck.types must be short lower-case words"),
        ("values = { value = [0, 1,", "values = { value = [16, 1,", "must be 0 to 15"),
        ("extra_values = { value = [0, 2,", "extra_values = { value = [-1, 2,", "must be 0 to 15"),
        (
            "times_through = { value = 2",
            "times_through = { value = 0",
            "deck.times_through must be at least 1",
        ),
        ("display = { value = 5", "display = { value = 0", "auction.display must be 1 to 8"),
        ("display = { value = 5", "display = { value = 9", "auction.display must be 1 to 8"),
        ("lowest_bid = { value = 0", "lowest_bid = { value = -1", "auction.lowest_bid"),
        ("lowest_bid = { value = 0", "lowest_bid = { value = 6", "auction.lowest_bid"),
        *(
            (
                "torn_down = { value = [0, 1,",
                f"torn_down = {{ value = [{first}, 1,",
                "torn_down must begin with 0",
            )
            for first in (1, -1)
        ),
    ],
)
def test_numbers_that_cannot_be_played_with_are_refused(old: str, new: str, fault: str) -> None:
    text = data_text("five_towers")
    assert old in text
    with pytest.raises(DataFault, match=fault):
        make(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("players = { value = [2, 5]", "players = { value = [1, 5]"),
        ("players = { value = [2, 5]", "players = { value = [2, 2]"),
        ('"candy", "scary"', '"candy", "scaryscaryscaryscary"'),
        ("times_through = { value = 2", "times_through = { value = 1"),
        ("display = { value = 5", "display = { value = 1"),
        ("display = { value = 5", "display = { value = 8"),
        ("lowest_bid = { value = 0", "lowest_bid = { value = 5"),
        ("highest_bid = { value = 5", "highest_bid = { value = 0"),
    ],
)
def test_numbers_that_can_just_be_played_with_are_taken(old: str, new: str) -> None:
    text = data_text("five_towers")
    assert old in text
    game = Game[State].new(make(text.replace(old, new)), 2)
    resolve(game, Rng(b"just"))
    assert game.pending


def test_numbers_cannot_be_written() -> None:
    box = RULES.data.box
    for numbers, name in (
        (box, "deck"),
        (box.deck, "values"),
        (box.auction, "display"),
        (box.building, "tops"),
        (box.scoring, "card"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(numbers, name, getattr(numbers, name))


def test_position_has_no_other_parts_than_those_it_has() -> None:
    state = new_game(2).state
    for part in (state, state.players[0]):
        with pytest.raises(AttributeError):
            setattr(part, "bidz", [])  # noqa: B010 - it has none


def test_an_empty_list_of_values_is_refused() -> None:
    text = data_text("five_towers").replace(
        "values = { value = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]",
        "values = { value = []",
        1,
    )
    with pytest.raises(DataFault, match=r"deck\.values must not be empty"):
        make(text)


def test_a_data_file_changes_the_game() -> None:
    shorter = make(data_text("five_towers").replace("display = { value = 5", "display = { value = 3"))
    game = Game[State].new(shorter, 2)
    resolve(game, Rng(b"short"))
    assert len(game.state.display) == 3
