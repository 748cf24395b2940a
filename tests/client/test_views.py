"""Views without any screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from oaknet import registry
from oaknet.bots import random
from oaknet.five_towers.state import AUCTION, BUILD, PASS, Player, State, card
from oaknet.kernel import CHANCE, Deck, Game, Rng
from oaknet.kernel.rng import sample
from oaknet.oak.branches import tip
from oaknet.oak.state import DAY, move
from oaknet.oak.state import State as OakState
from oaknet.oak.tables import BARD, BRANCH, TEMPLE
from oaknet_client import views
from oaknet_client.feed import Seat
from oaknet_client.views import five_towers, generic, oak
from oaknet_client.views.records import Panel, Span, cells, flow, line, text
from oaknet_client.words import score_table
from tests.engine.oak.positions import RULES, day

SEATS = tuple(Seat(name, place=i) for i, name in enumerate(("Ann", "Ben", "Cleo", "Dan", "Eve")))


def _towers(players: list[Player], **more: object) -> list[str]:
    rules = registry.rules("five_towers")
    state = State(rules.data.box, players, Deck([card(0, 1)]), **more)  # type: ignore[arg-type]
    picture = views.picture(Game(rules, state), SEATS[: len(players)])
    return [picture.status, *(text(row) for row in flow(picture.panels, 200))]


def test_towers_are_columns_of_numbers() -> None:
    players = [Player([(15, 9, 8), (), (0,), (), (3,)], [card(0, 2), card(1, 3)]), Player([()] * 5)]
    lines = _towers(players, phase=AUCTION, display=[card(1, 7), card(1, 12)], bids=[1])
    shown = "\n".join(lines[1:])
    for row in ("   8", "   9", "  15       0       3", " can sca tre scr san", "torn down: 2, costs 3"):
        assert row in shown, row
    assert "scary  7 12" in shown
    assert "candy  -" in shown
    assert "A Ann  1" in shown
    assert "B Ben  to bid" in shown


def test_the_status_says_who_builds() -> None:
    players = [Player([()] * 5), Player([()] * 5)]
    display = [card(0, 7), card(1, 7)]
    lines = _towers(players, phase=BUILD, display=display, bids=[PASS, 1], owed=1)
    assert lines[0] == "time 1 of 2 through the deck, 1 left, 0 discarded · A 0 B 0 · B Ben builds 1"
    assert "A Ann  pass" in "\n".join(lines)


def test_on_a_narrow_screen_the_status_still_has_all_that_matters() -> None:
    state = day("wild", "cairns", "fox", "bee")
    for player in state.players:
        player.ledger[0], player.resources = 100, [9, 9, 9]
    state.round, state.phase, state.sun = 5, 1, 10
    picture = oak.picture(RULES, state, SEATS[:4], 0)
    assert picture.within(200) == picture.status
    brief = picture.within(78)
    assert len(brief) <= 78
    parts = ("R5/5 ", "choosing orders", "A100 B100 C100 D100", "sun 10", "feather 9", "rune 9")
    assert all(part in brief for part in parts), brief
    players = [Player([tuple(range(15, 1, -1))] * 5) for _ in range(5)]
    rules = registry.rules("five_towers")
    towers = State(rules.data.box, players, Deck(), phase=BUILD, bids=[PASS, 5, *[PASS] * 3], owed=5)
    brief = five_towers.picture(rules, towers, SEATS, None).within(78)
    assert len(brief) <= 78
    assert brief.endswith(f"E {rules.score(towers)[4]} · B builds 5")


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


def _oak(seats: int = 3) -> Game[OakState]:
    """Oak on its first Day: orders chosen, the first options taken."""
    game: Game[OakState] = Game.new(registry.rules("oak"), seats)
    rng = Rng(b"oak")
    while game.state.phase != DAY:
        ask = game.pending[0]
        game.answer(ask.seat, sample(rng, ask) if ask.seat == CHANCE else ask.options[0])
    return game


def _panel(game: Game[OakState], title: str, seat: int | None = None) -> list[str]:
    picture = views.picture(game, SEATS[: len(game.state.players) - len(game.state.broichan)], seat)
    (panel,) = (panel for panel in picture.panels if text(panel.title).startswith(title))
    return [text(row) for row in panel.lines]


def test_oak_says_what_matters_in_its_status() -> None:
    game = _oak()
    game.state.players[1].ledger[0] = 7
    status = views.picture(game, SEATS[:3], 1).status
    assert status == "Round 1/5 Day · A 0 B 7 C 0 · sun 1 · feather 6 mistletoe 6 rune 6"
    assert "feather" not in views.picture(game, SEATS[:3]).status


def test_oak_shows_the_sun_beside_the_points_it_is_level_with() -> None:
    game = _oak()
    game.state.sun = 3
    game.state.players[0].ledger[0] = 99
    space, points, behind = _panel(game, "Sun")
    assert space.startswith("space    1   2(3*)   4  5*")
    assert points.startswith("points   5  10  15  20  25")
    assert behind == "behind the sun: B C"


def test_oak_shows_temples_with_everybodys_druids_and_neutral_ones() -> None:
    game = _oak()
    s = game.state
    s.neutrals[:] = [5]
    move(s.players[0], 0, TEMPLE, 0)
    move(s.players[1], 0, TEMPLE, 0)
    s.players[1].kind[0] = BARD
    assert _panel(game, "Temples") == [
        "feather   1: Ad Bb   2: -       3: -",
        "mistletoe 1: -       2: -       3: N",
        "rune      1: -       2: -       3: -",
    ]


def test_oak_draws_branches_with_tips_tokens_and_locks() -> None:
    game = _oak()
    s = game.state
    low = tip(s.box, 1, 0)
    s.locked[3] = 1
    move(s.players[2], 0, BRANCH + 1, low)
    move(s.players[0], 0, BRANCH + 1, 1)
    rows = _panel(game, "Branch: mistletoe")
    assert rows[0].split() == ["creatures", "potions"]
    assert rows[1].split() == ["o", "Cd", "x", "-"]
    assert rows[-1].split() == ["1", "Ad"]
    assert "**" in "".join(rows)


def test_oak_shows_a_players_board() -> None:
    game = _oak()
    s = game.state
    p = s.players[1]
    p.creatures, p.shrines, p.artifacts, p.uses, p.played = [25], [2, 0], [9], [1], p.hand[:1]
    p.ingredients[:] = [0, 2, 0, 0, 0]
    rows = _panel(game, "B Ben")
    for row in (
        "feather 6 mistletoe 6 rune 6",
        "ingredients: 2 root",
        "below 1/1: Unicorn",
        "artifacts: Golden Sickle 1/3",
        "moot cards: (storytelling),",
        "potions brewed: 0",
    ):
        assert row in rows
    assert "above 2/1: menhir, elder shrine" in rows
    first = views.picture(game, SEATS[:3], 1).panels[0]
    assert text(first.title) == "B Ben  0 points"


def test_oak_shows_displays_with_points_and_recipes() -> None:
    game = _oak()
    game.state.potions[:] = [1]
    assert _panel(game, "Potions") == ["Inspiration         1 acorn, 1 any"]
    assert len(_panel(game, "Creatures")) == len(_panel(game, "Artifacts")) == 3
    assert _panel(game, "Forest")[-1] == f"crane bag: {sum(game.state.bag)}"


def test_oak_alone_shows_the_rival_who_has_no_seat() -> None:
    game = _oak(1)
    titles = [text(panel.title) for panel in views.picture(game, SEATS[:1], 0).panels]
    assert titles[0].startswith("A Ann  0 points")
    assert any(title.startswith("B Broichan  ") for title in titles)
    assert score_table(game, SEATS[:1])[-1].startswith("against you")


def test_all_that_lies_before_the_rival_is_shown() -> None:
    game = _oak(1)
    p, his = game.state.players[1], game.state.broichan[0]
    p.creatures, p.flipped, p.shrines, p.markers = [34], [8], [0, 1], 2
    p.ingredients, p.kind[0] = [0, 2, 0, 0, 1], 2
    his.deck.take(5)
    his.discards = [5]
    assert _panel(game, "B Broichan") == [
        "last card: mysticism  deck 5",
        "ingredients: 2 root, 1 mushroom",
        "roots: 8 regular, bard",
        "shrines: elder, regular",
        "creatures: Carw Gwyn",
        "artifacts: Golden Kettle",
        "potions brewed: 2",
    ]
