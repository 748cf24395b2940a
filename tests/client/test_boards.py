"""Boards without a screen: what is drawn, where choices are, what is told of them."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from oaknet import registry
from oaknet.bots import bot
from oaknet.five_towers.state import AUCTION, BUILD, PASS, Player, card
from oaknet.five_towers.state import State as Towers
from oaknet.kernel import CHANCE, Deck, Game, Rng
from oaknet.kernel.rng import sample
from oaknet.oak.branches import tip
from oaknet.oak.state import move
from oaknet.oak.tables import BRANCH, TEMPLE
from oaknet_client import boards
from oaknet_client.boards.charts import breakdown, curve, timeline
from oaknet_client.boards.glyphs import ascii_only
from oaknet_client.boards.layout import pages
from oaknet_client.boards.preview import entry_lines, explained
from oaknet_client.boards.records import Canvas, Drawing, cells_of, changed, fitted, padded
from oaknet_client.feed import Seat
from oaknet_client.views.records import text
from tests.engine.oak.positions import RULES, day, give, on_branch, put

SEATS = tuple(Seat(name, place=i) for i, name in enumerate(("Ann", "Ben", "Cleo", "Dan", "Eve")))


def lines(drawing: Drawing) -> list[str]:
    return [text(row) for row in drawing.rows]


def oak(s: object, seat: int | None = 0) -> dict[str, list[str]]:
    """The parts of Oak's board by their titles."""
    game = Game(RULES, s)  # type: ignore[arg-type]
    seats = SEATS[: len(game.state.players)]
    return {part.title: lines(part) for part in boards.blocks(game, seats, seat)}


# -- canvas and layout ---------------------------------------------------------------------------------------


def test_later_strokes_cover_earlier_ones_and_spots_are_found_by_cell_and_key() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "abcdef", "dim")
    canvas.put(2, 0, "XY", "strong")
    canvas.spot(("large",), 0, 0, 6, 2)
    canvas.spot(("small",), 2, 0, 2, entry="Shrine")
    drawn = canvas.drawing("t")
    assert [tuple(span) for span in drawn.rows[0]] == [("ab", "dim"), ("XY", "strong"), ("ef", "dim")]
    assert drawn.at(3, 0) == drawn.spot(("small",))
    assert drawn.at(1, 1) == drawn.spot(("large",))
    assert drawn.at(9, 9) is None


@pytest.mark.parametrize(
    ("given", "cells"),
    [
        ("ab", ["a", "b"]),
        ("e\u0301x", ["e\u0301", "x"]),
        ("日本", ["日", "", "本", ""]),
        ("a" + "\u0301" * 200 + "b", ["a\u0301\u0301\u0301", "b"]),
        ("\x1b[2J", ["?", "[", "2", "J"]),
        ("\u202e\u200b", ["?", "?"]),
    ],
)
def test_texts_take_the_cells_that_a_terminal_gives_them(given: str, cells: list[str]) -> None:
    assert list(cells_of(given)) == cells
    assert cell_len("".join(cells)) == len(cells)


@pytest.mark.parametrize(("given", "width"), [("Constantine", 5), ("日本語日本語", 5), ("short", 5)])
def test_what_does_not_fit_is_cut_to_the_cell(given: str, width: int) -> None:
    assert cell_len(fitted(given, width)) <= width
    assert fitted(given, width).endswith("…") == (cell_len(given) > width)


def test_what_has_changed_is_told_by_cells() -> None:
    old, new = Canvas(), Canvas()
    old.put(0, 0, "one two")
    new.put(0, 0, "one TWo")
    new.put(0, 1, "")
    old.put(0, 1, "")
    assert changed(old.drawing("a"), new.drawing("a")) == ((0, 4, 6),)
    assert changed(old.drawing("a"), padded(new.drawing("a"), 9)) == ()


def _block(title: str, width: int, height: int) -> Drawing:
    canvas = Canvas()
    for y in range(height):
        canvas.put(0, y, title * width)
    canvas.spot((title,), 0, 0, width, height)
    return canvas.drawing(title)


def test_blocks_never_overlap_and_fill_as_few_pages_as_they_can() -> None:
    blocks = [
        _block(letter, w, h) for letter, w, h in (("a", 20, 5), ("b", 10, 9), ("c", 12, 3), ("d", 20, 4))
    ]
    for width, height in ((24, 10), (40, 12), (80, 30), (12, 4)):
        found = pages(blocks, width, height)
        for block in blocks:
            (page,) = [page for page in found if page.spot((block.title,))]
            drawn = "".join(lines(page))
            assert drawn.count(block.title) == block.width * block.height
            assert page.height <= max(height, block.height) or len(found) == len(blocks)
    assert len(pages(blocks, 80, 30)) == 1
    assert [page.title for page in pages(blocks, 12, 4)] == ["a", "b", "c", "d"]


def test_ascii_takes_as_many_cells() -> None:
    for given in ("─│╰┼☼✶●○■▣▢░✓✕▔▐▌…→", "Slúagh Dobhar-Chù", "日本", "Łódź ø ß"):
        assert ascii_only(given).isascii()
        assert len(ascii_only(given)) == cell_len(given)


# -- every position of whole games ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "count"), [("five_towers", 5), ("oak", 4), ("oak", 1), ("market", 3)])
def test_every_choice_with_a_place_has_its_spot_and_is_explained(
    name: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.GAMES, "market", "tests.client.market")
    rules, rng = registry.rules(name), Rng(b"spots")
    mind, seats = bot("greedy", name), SEATS[:count]
    game = Game.new(rules, count)
    placed = 0
    while not game.over:
        ask = game.pending[0]
        if ask.seat == CHANCE:
            game.answer(CHANCE, sample(rng, ask))
            continue
        before = game.digest()
        parts = boards.blocks(game, seats, ask.seat)
        spots = {spot.key for part in parts for spot in part.spots}
        keys = boards.places(game, ask)
        assert [key for key in keys if key is not None and key not in spots] == []
        placed += len([key for key in keys if key is not None])
        assert len(keys) == len(ask.options)
        for part in parts:
            for row in part.rows:
                drawn = "".join(span.text for span in row)
                assert cell_len(drawn) == len(drawn) <= part.width
                assert drawn.isprintable()
        told = explained(game, ask, ask.options[rng.below(len(ask.options))])
        assert told
        assert all(line.isprintable() for line in told)
        assert game.digest() == before
        game.answer(ask.seat, mind(game.clone(), ask.seat, rng))
    assert (placed > 30) == (name != "market")


@pytest.mark.parametrize("name", registry.games())
def test_what_a_spot_is_about_can_be_looked_up(name: str) -> None:
    rules, rng = registry.rules(name), Rng(b"entries")
    game = Game.new(rules, rules.seats[-1])
    seen: set[str] = set()
    while not game.over:
        ask = game.pending[0]
        if rng.below(20) == 0:
            parts = boards.blocks(game, SEATS[: len(game.state.players)], 0)
            seen.update(spot.entry for part in parts for spot in part.spots)
        chosen = sample(rng, ask) if ask.seat == CHANCE else ask.options[rng.below(len(ask.options))]
        game.answer(ask.seat, chosen)
    assert len(seen - {""}) > 4
    assert [entry for entry in seen if entry and not entry_lines(rules, entry)] == []


def test_hostile_names_are_inert_in_every_part() -> None:
    seats = [Seat(name, place=i) for i, name in enumerate(("\x1b[2J", "[/]", "\u202eevil", "日" * 24))]
    for name in registry.games():
        game = Game.new(registry.rules(name), 4)
        for page in pages(boards.blocks(game, seats, 0), 80, 24):
            assert all("".join(span.text for span in row).isprintable() for row in page.rows)
            assert all(cell_len("".join(span.text for span in row)) <= 80 for row in page.rows)


# -- Oak -----------------------------------------------------------------------------------------------------


def test_the_tree_shows_druids_tokens_incomes_and_locked_tips() -> None:
    s = day("fox", "wild")
    on_branch(s.players[0], 0, 3)
    move(s.players[1], put(s.players[1], "bard", "rest"), BRANCH, 3)
    s.locked[2] = 1
    s.tokens = [2, 1, 0]
    drawn = oak(s)["Oak"]
    assert tip(s.box, 1, 0) == 6
    assert any("(2)ABb" in row for row in drawn)
    assert sum(row.count("(✕)") for row in drawn) == 1
    assert sum(row.count("(○)") for row in drawn) == 5
    assert sum(row.count("☼☼") for row in drawn) == 1
    assert any(row.startswith(" 1 per 5 points  2 a creature") for row in drawn)
    assert any(row.startswith("roots") and "A5" in row for row in drawn)


def test_four_druids_on_one_space_are_all_seen() -> None:
    s = day("fox", "wild", "bee", "cairns")
    for p in s.players:
        on_branch(p, 2, 1)
    assert any("(1)ABCD" in row for row in oak(s)["Oak"])


def test_who_is_lower_than_the_sun_is_behind_it() -> None:
    s = day("fox", "wild")
    s.players[0].ledger[0], s.players[1].ledger[0], s.sun = 22, 7, 3
    drawn = oak(s)["Sun"]
    sun, ann, ben = (next(i for i, row in enumerate(drawn) if sign in row) for sign in ("☼", "A22", "B7"))
    assert ann < sun < ben
    assert "behind the sun: B" in drawn


def test_temples_show_everybody_and_neutral_druids() -> None:
    s = day("fox", "wild")
    s.neutrals = [4]
    move(s.players[0], 0, TEMPLE, 4)
    move(s.players[1], put(s.players[1], "bard", "rest"), TEMPLE, 0)
    rows = [row for row in oak(s)["Temples"] if row.strip()]
    assert rows[2].split() == ["feather", "Bb", "·", "·"]
    assert rows[3].split() == ["mistletoe", "·", "NA", "·"]


def test_what_i_have_of_a_potion_is_ticked_off() -> None:
    s = day("fox", "wild")
    s.potions = [11, 1]
    give(s, 0, "bark", "acorn", "root")
    drawn = oak(s)["Potions"]
    assert any(row.endswith("✓bark ✓acorn ·acorn") for row in drawn)
    assert any(row.endswith("✓acorn ✓any") for row in drawn)
    assert any(row.endswith("kinds ✓3:+3 ·4:+5 ·5:+7") for row in drawn)
    assert not any("✓" in row for row in oak(s, None)["Potions"])


def test_displays_say_what_a_card_costs_me_now() -> None:
    s = day("fox", "wild")
    assert any("you, now: Storytelling 6 feather" in row for row in oak(s)["Creatures"])
    put(s.players[0], "arch-druid", "rest")
    assert any("you, now: Storytelling 4 feather" in row for row in oak(s)["Creatures"])
    s.players[0].creatures = [16, 20]
    assert any("needs a slot" in row for row in oak(s)["Creatures"])
    assert not any("you, now" in row for row in oak(s, None)["Creatures"])


def test_a_players_board() -> None:
    s = day("wild", "fox")
    p = s.players[0]
    p.resources, p.shrines, p.creatures = [9, 0, 4], [0, 1, 1], [34]
    p.limits = [3, 2]
    p.artifacts, p.uses, p.flipped = [4], [1], [6]
    p.played, p.markers = [0], 2
    put(p, "recluse", "rest")
    put(p, "bard", "temple", 3)
    drawn = "\n".join(oak(s)["A"])
    for part in (
        "■■■■■■■■■ 9",
        "········· 0",
        "own[ r ]",
        "elders      b bard  r recluse",
        "▣▣▣▢░",
        "elder shrine",
        "2 × regular shrine",
        "Carw Gwyn",
        "artif. 1/2  Plaque of Cernunnos ●○○ −1",
        "(Carnyx, used up)",
        "(Storytelling)",
        "2 brewed",
        "brew  elder: draw  menhir",
    ):
        assert part in drawn, part


def test_broichan_has_a_board() -> None:
    game = Game.new(registry.rules("oak"), 1)
    titles = [part.title for part in boards.blocks(game, SEATS[:1], 0)]
    assert titles[-2:] == ["A", "Broichan"]


def test_a_choice_tells_its_cost_its_effect_and_what_follows_before_it_is_made() -> None:
    game = Game(RULES, day("fox", "wild"))
    told = explained(game, game.pending[0], "storytelling")
    assert "●●  take a creature: 6 feather" in told
    assert any(line.startswith("Storytelling: ") for line in told)
    game.play("storytelling", "oak")
    assert game.state.players[0].vp == 2
    game = Game(RULES, day("fox", "wild")).play("storytelling")
    told = explained(game, game.pending[0], "oak")
    assert "→ −3 feather, +2 points" in told or "→ +2 points, −3 feather" in told
    assert "→ this ends your turn" in told
    assert game.state.players[0].vp == 0


# -- 5 Towers ------------------------------------------------------------------------------------------------


def _towers(players: list[Player], **more: object) -> dict[str, list[str]]:
    rules = registry.rules("five_towers")
    state = Towers(rules.data.box, players, Deck([card(0, 1)]), **more)  # type: ignore[arg-type]
    return {part.title: lines(part) for part in boards.blocks(Game(rules, state), SEATS[: len(players)], 0)}


def test_towers_grow_upwards() -> None:
    players = [Player([(15, 9, 8), (), (7, 0), (), (3,)], [card(0, 2)]), Player([()] * 5)]
    drawn = _towers(players, phase=AUCTION, display=[card(1, 7)], bids=[1])["A"]
    assert drawn[1] == "", "a board keeps its height while its towers grow by a few floors"
    assert [row.split() for row in drawn[2:5]] == [
        ["▐", "8▌"],
        ["▐", "9▌", "▲", "0▲"],
        ["▐15▌", "··", "▐", "7▌", "··", "▐", "3▌"],
    ]
    assert "torn 1: −1" in drawn[0]
    assert drawn[-1].split() == ["candy", "scary", "tree", "scrap", "sand"]


def test_the_auction_and_what_can_be_built() -> None:
    players = [Player([(3,), (), (), (), ()]), Player([()] * 5), Player([()] * 5)]
    parts = _towers(players, phase=AUCTION, display=[card(0, 7), card(1, 12)], bids=[PASS, 1])
    assert "you could build up to 2" in parts["Display"][0]
    assert [row.split()[-1] for row in parts["Auction"][1:4]] == ["passes", "1", "bid"]
    assert parts["Display"][3].split() == ["└─✕─┘", "└─✓─┘"]
    assert parts["Display"][5].split() == ["pass", "[0]", "[1]", "[2]"]
    parts = _towers(players, phase=BUILD, display=[card(0, 7), card(1, 12)], bids=[PASS, 1], owed=1)
    assert any("B Ben builds 1" in row for row in parts["Auction"])


def test_the_smallest_screen_has_the_display_the_own_towers_and_the_auction_on_its_first_page() -> None:
    rules = registry.rules("five_towers")
    high = tuple(range(15, 1, -1))
    for count in (2, 3, 4, 5):
        players = [Player([high, (), (7, 3, 0), (12,), ()], [card(0, 2)]) for _ in range(count)]
        state = Towers(rules.data.box, players, Deck(), [card(0, 7), card(1, 12)], phase=AUCTION)
        found = pages(boards.blocks(Game(rules, state), SEATS[:count], 0), 50, 16)
        assert len(found) == 2
        first, second = map(lines, found)
        assert all(
            any(part in row for row in first) for part in ("Display", "A Ann", "Auction", "[2]", "+ 9")
        )
        assert found[0].height <= 16
        assert found[0].spot(("tower", 0, 0)) is not None
        assert sum("2×14" in row for row in second) == count - 1, "the others' towers: the top and how many"


# -- charts --------------------------------------------------------------------------------------------------


def test_where_the_points_came_from_as_bars() -> None:
    rules = registry.rules("five_towers")
    players = [Player([(3,), (), (), (), ()], [card(0, 2), card(0, 3)]), Player([(9, 0), (), (), (), ()])]
    game = Game(rules, Towers(rules.data.box, players, Deck()))
    drawn = lines(breakdown(game, SEATS[:2], 60))
    assert [row for row in drawn if "points" in row and "█" not in row][1].startswith("B Ben")
    bars = {row.split()[0]: row.count("█") for row in drawn if "█" in row}
    assert bars["topped"] > bars["highest"]
    assert any("░" in row and row.endswith("-3") for row in drawn)


def test_the_curve_rises_from_left_to_right() -> None:
    drawn = lines(curve([(0, 0), (2, 1), (4, 1), (8, 2)], SEATS[:2], 40, 6, 1))
    assert drawn[0].startswith("8")
    assert drawn[0].rstrip().endswith("A")
    assert drawn[5][2:].replace(" ", "").replace("│", "").startswith("AB")
    assert max(map(len, drawn)) <= 40


def test_the_timeline_names_its_parts_where_there_is_room() -> None:
    drawn = lines(timeline([(0, "round 1"), (10, "round 2"), (50, "round 3")], 101, 60, 100))
    assert drawn[0].count("┼") == 3
    assert drawn[0].endswith("●")
    assert drawn[1].split() == ["round", "1", "round", "3"]
