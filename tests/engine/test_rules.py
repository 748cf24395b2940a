"""Table options, states as plain data, registry and bots (engine 1, 4, 7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from oaknet import bots, registry
from oaknet.kernel import SHARED, BadOptions, Deck, Game, Rng, WrongSeats, plain, revive
from oaknet.kernel.rules import checked_options
from tests.engine.toys import Market, MarketBox, MarketState, Trader


def test_options_left_out_have_their_defaults() -> None:
    assert checked_options(Market(), 2, {}) == {"pace": "slow"}
    assert checked_options(Market(), 2, {"pace": "fast"}) == {"pace": "fast"}
    assert Game.new(Market(), 2).state.round == 0
    assert Game.new(Market(), 2, {"pace": "fast"}).state.round == 2


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_a_wrong_number_of_seats_is_told(seats: int) -> None:
    with pytest.raises(WrongSeats, match=f"^Market is for 2 to 4 players, not {seats}\\.$"):
        Game.new(Market(), seats)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": "slow"}, "Market has no option 'speed'; its options: pace."),
        ({"pace": "slow", "": ""}, "Market has no option ''; its options: pace."),
        ({"pace": "FAST"}, "Option 'pace' of Market can be slow, fast; not 'FAST'."),
    ],
)
def test_wrong_options_are_told(options: dict[str, str], message: str) -> None:
    with pytest.raises(BadOptions) as caught:
        Game.new(Market(), 2, options)
    assert str(caught.value) == message


def test_a_game_without_options_says_none() -> None:
    class Bare(Market):
        options = ()  # type: ignore[assignment]

    with pytest.raises(BadOptions, match="its options: none"):
        checked_options(Bare(), 2, {"pace": "slow"})


# -- plain and revive ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Everything:
    box: str = field(metadata=SHARED)
    number: int
    word: str
    data: bytes
    numbers: list[int]
    pairs: list[tuple[int, str]]
    traders: tuple[Trader, ...]
    deck: Deck


def everything() -> Everything:
    traders = (Trader(Deck([2, 1]), 3, [0, 1]), Trader(Deck()))
    return Everything("box", 1, "a", b"b", [1, 2], [(1, "x"), (2, "y")], traders, Deck([3], layers=[[9]]))


def test_a_state_is_the_list_of_its_fields_without_the_shared() -> None:
    assert plain(everything()) == [
        1,
        "a",
        b"b",
        [1, 2],
        [[1, "x"], [2, "y"]],
        [[((1, 2),), 3, [0, 1]], [(), 0, []]],
        ((9,), (3,)),
    ]


def test_a_state_comes_back_from_its_plain_form() -> None:
    assert revive(Everything, plain(everything()), "box") == everything()


def test_a_plain_form_shares_no_list_with_the_state() -> None:
    state = everything()
    form: Any = plain(state)
    form[3].append(5)
    assert state == everything()
    twin = revive(Everything, plain(state), "box")
    twin.numbers.append(5)
    assert state == everything()


@pytest.mark.parametrize("value", [True, None, 1.5, {"a": 1}, {1}, [1, None], (True,), object()])
def test_what_is_not_plain_data_has_no_plain_form(value: Any) -> None:
    with pytest.raises(TypeError, match="has no plain form"):
        plain(value)


@pytest.mark.parametrize(
    ("index", "value", "message"),
    [
        (0, "1", "'1' stands where int is due"),
        (0, True, "True stands where int is due"),
        (1, 1, "1 stands where str is due"),
        (2, "b", "'b' stands where bytes is due"),
        (3, 1, "1 stands where a list is due"),
        (3, [1, "2"], "'2' stands where int is due"),
        (4, [[1, "x", 2]], "3 values stand where 2 are due"),
        (5, [[[], 0]], "2 values stand where Trader has 3"),
        (6, [[1], ["2"]], "'2' stands where int is due"),
        (6, ["12"], "'12' stands where a list is due"),
    ],
)
def test_data_of_another_shape_is_refused(index: int, value: Any, message: str) -> None:
    data: Any = plain(everything())
    data[index] = value
    with pytest.raises(ValueError, match=f"^{message}$"):
        revive(Everything, data, "box")


def test_the_box_is_shared_by_copies_and_stays_out_of_the_digest() -> None:
    game = Game.new(Market(), 2)
    assert game.clone().state.box is game.state.box
    assert isinstance(game.state.box, MarketBox)
    assert len(game.saved()[0]) == len(MarketState.__slots__) - 1  # type: ignore[arg-type,index]


# -- registry and bots ---------------------------------------------------------------------------------------


def test_every_game_is_named_as_it_is_registered() -> None:
    assert registry.games() == ("five_towers", "oak")
    for name in registry.games():
        rules = registry.rules(name)
        assert rules.name == name
        assert rules.title
        assert rules.version >= 1
        assert rules.seats == range(rules.seats[0], rules.seats[-1] + 1)


@pytest.mark.parametrize("ask", [registry.rules, registry.data_text, registry.package])
def test_an_unknown_game_is_told(ask: Any) -> None:
    with pytest.raises(
        registry.UnknownGame, match="There is no game 'chess' here; the games are five_towers, oak"
    ):
        ask("chess")


def test_other_numbers_can_be_given() -> None:
    text = registry.data_text("five_towers")
    assert registry.rules("five_towers", text).data == registry.rules("five_towers").data
    with pytest.raises(ValueError, match="missing"):
        registry.rules("five_towers", "")


def test_bots_are_found_by_name() -> None:
    assert bots.BOTS == ("easy", "greedy", "hard", "normal", "random")
    assert bots.bot("random", "oak") is bots.random
    for game in registry.games():
        assert all(callable(bots.bot(name, game)) for name in bots.BOTS)
    with pytest.raises(
        bots.UnknownBot, match="There is no bot 'clever'; the bots are easy, greedy, hard, normal, random"
    ):
        bots.bot("clever", "oak")
    with pytest.raises(registry.UnknownGame):
        bots.bot("greedy", "chess")


def test_the_random_bot_takes_any_option_of_its_seat() -> None:
    game, rng = Game.new(Market(), 3), Rng(b"bot")
    assert sorted({bots.random(game, 2, rng) for _ in range(60)}) == [0, 1, 2]
    game.answer(2, 0)
    with pytest.raises(AssertionError, match="seat 2 is not asked"):
        bots.random(game, 2, rng)
