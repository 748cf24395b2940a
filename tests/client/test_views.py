"""Views without any screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from oaknet_client import views
from oaknet_client.feed import Seat
from oaknet_client.views import generic
from oaknet_client.views.records import Panel, Span, cells, flow, line, text

from oaknet import registry
from oaknet.bots import random
from oaknet.five_towers.state import AUCTION, BUILD, PASS, Player, State, card
from oaknet.kernel import CHANCE, Deck, Game, Rng
from oaknet.kernel.rng import sample

SEATS = tuple(Seat(name, place=i) for i, name in enumerate(("Ann", "Ben", "Cleo", "Dan", "Eve")))


def _towers(players: list[Player], **more: object) -> list[str]:
    rules = registry.rules("five_towers")
    state = State(rules.data.box, players, Deck([card(0, 1)]), **more)  # type: ignore[arg-type]
    picture = views.picture(Game(rules, state), SEATS[: len(players)])
    return [picture.status, *(text(row) for row in flow(picture.panels, 200))]


def test_towers_are_columns_of_numbers() -> None:
    players = [Player([(15, 9, 8), (), (0,), (), (3,)], [card(0, 2), card(1, 3)]), Player([()] * 5)]
    lines = _towers(players, phase=AUCTION, display=[card(1, 7), card(1, 12)], bids=[2])
    shown = "\n".join(lines[1:])
    for row in ("   8", "   9", "  15       0       3", " can sca tre scr san", "torn down: 2, costs 3"):
        assert row in shown, row
    assert "scary   7 12" in shown
    assert "candy   -" in shown
    assert "A Ann  2" in shown
    assert "B Ben  to bid" in shown


def test_the_status_says_who_builds() -> None:
    players = [Player([()] * 5), Player([()] * 5)]
    display = [card(0, 7), card(1, 7)]
    lines = _towers(players, phase=BUILD, display=display, bids=[PASS, 1], owed=1)
    assert lines[0] == "time 1 of 2 through the deck, 1 left, 0 discarded; B Ben builds 1"
    assert "A Ann  pass" in "\n".join(lines)


def test_who_looks_comes_first() -> None:
    game = Game.new(registry.rules("five_towers"), 4)
    titles = [text(panel.title) for panel in views.picture(game, SEATS[:4], 2).panels]
    assert [title.split()[0] for title in titles[2:]] == ["C", "D", "A", "B"]


@pytest.mark.parametrize("name", [*registry.games(), "market"])
def test_every_state_of_a_random_game_can_be_drawn(name: str) -> None:
    rules, rng = registry.rules(name), Rng(b"views")
    for seats in rules.seats:
        game = Game.new(rules, seats)
        count = 0
        while not game.over:
            seat = game.pending[0].seat
            if seat == CHANCE:
                game.answer(CHANCE, sample(rng, game.pending[0]))
            else:
                game.answer(seat, random(game, seat, rng))
            count += 1
            if count % 40 == 1 or game.over:
                before = game.digest()
                for width in (40, 80, 200):
                    for row in views.drawn(game, SEATS[:seats], count % seats, width):
                        assert row.isprintable()
                assert views.picture(game, SEATS[:seats]).status.isprintable()
                assert game.digest() == before


@pytest.mark.parametrize("name", [*registry.games(), "market"])
def test_every_panel_fits_the_smallest_screen(name: str) -> None:
    rules, rng = registry.rules(name), Rng(b"width")
    game = Game.new(rules, rules.seats[-1])
    seats = tuple(Seat("x" * 24, place=i) for i in range(rules.seats[-1]))
    for _ in range(400):
        if game.over:
            break
        seat = game.pending[0].seat
        answer = sample(rng, game.pending[0]) if seat == CHANCE else random(game, seat, rng)
        game.answer(seat, answer)
        assert max(panel.width for panel in views.picture(game, seats).panels) <= 76


def test_any_state_has_the_generic_picture() -> None:
    game = Game.new(registry.rules("market"), 2).play(1, 1)
    shown = [text(row) for panel in views.picture(game, SEATS[:2]).panels for row in panel.lines]
    assert "A Ann  0" in shown
    assert "traders 0" in shown
    assert "  deck: 7 cards" in shown
    assert "  bids: 1" in shown
    assert "round: 0" in shown


def test_the_generic_picture_draws_games_that_have_their_own_too() -> None:
    rules = registry.rules("five_towers")
    state = rules.setup(3, {})
    rows = [text(row) for panel in generic.picture(rules, state, SEATS[:3], 0).panels for row in panel.lines]
    assert "phase: reveal" in rows
    assert all(len(row) <= generic.WIDTH for row in rows)


def test_hostile_names_are_inert_in_every_record() -> None:
    nasty = ("\x1b[2J", "[/]", "\u202eevil", "\x9b31m", "a\nb")
    seats = tuple(Seat(name, place=i) for i, name in enumerate(nasty))
    for name, count in (("five_towers", 5), ("market", 4)):
        game = Game.new(registry.rules(name), count)
        for row in views.drawn(game, seats[:count]):
            assert row.isprintable()
    assert text(line("[/] ", Span("\x1b]52;c;x\x07", "dim"))) == "[/] ?]52;c;x?"


def test_panels_flow_side_by_side_as_far_as_they_fit() -> None:
    panel = Panel(line("title"), (line("a"), line("bcdefgh")))
    assert panel.width == 7
    wide = flow([panel, panel], 40)
    assert [text(row) for row in wide] == ["title     title", "a         a", "bcdefgh   bcdefgh"]
    narrow = flow([panel, panel], 10)
    assert [text(row) for row in narrow] == ["title", "a", "bcdefgh", "", "title", "a", "bcdefgh"]
    assert all(cells(row) <= 10 for row in narrow)


def test_views_load_no_toolkit() -> None:
    modules = sorted(
        f"oaknet_client.views.{path.stem}" for path in Path(views.__file__).parent.glob("[a-z]*.py")
    )
    assert len(modules) >= 3
    code = f"import sys, {', '.join(modules)}; assert not {{'textual', 'rich', 'trio'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
