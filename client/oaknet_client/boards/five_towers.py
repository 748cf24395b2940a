"""The board of 5 Towers: towers drawn upwards, the display, the auction, and what can be built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from oaknet.five_towers.auction import PASSES, highest_bid, legal_bids, unbeatable_bid, winner
from oaknet.five_towers.building import buildable, fits, top
from oaknet.five_towers.numbers import NONE
from oaknet.five_towers.scoring import scores, torn_down_penalty
from oaknet.five_towers.state import AUCTION, BUILD, PASS, State, kind_of, value_of
from oaknet.kernel import Ask, Game, Option, Rules
from oaknet_client.boards.records import Canvas, Drawing, Key, fitted
from oaknet_client.feed import Seat
from oaknet_client.words import SEAT_LETTERS, counted, seat_name

CARD = 7
"""Cells of a card, its sign and the gap before the next one included."""

COLUMN, NARROW = 6, 5
"""Cells of a tower; on a small screen."""

STOREYS = 4
"""The room for towers grows by so many floors: a board that keeps its size shows what has changed in it."""

FLOORS = 6
"""Floors of the own towers that a small screen shows; of a higher one the top and how many are below."""

DISPLAY, AUCTIONS = 38, 22
"""Cells of the display and of the auction."""


def blocks(rules: Rules[Any], s: State, seats: Sequence[Seat], seat: int | None) -> tuple[Drawing, ...]:
    """The display, then the towers of the seat that looks, the auction, and the others clockwise.

    In their smaller forms the first three stand together on the smallest screen, and all others on one more.
    """
    mine = seat or 0
    order = [(i + mine) % len(s.players) for i in range(len(s.players))]
    points = rules.score(s)
    full = [_towers(s, seats, i, points[i], COLUMN) for i in order]
    small = [_towers(s, seats, i, points[i], NARROW, FLOORS if i == mine else 1) for i in order]
    own, *others = (replace(one, small=less) for one, less in zip(full, small, strict=True))
    return (_display(s, seat), own, _auction(s, seats), *others)


# -- the display ---------------------------------------------------------------------------------------------


def _display(s: State, seat: int | None) -> Drawing:
    """The open cards, sorted, each with whether the seat that looks can build it; below them the bids."""
    canvas = Canvas()
    canvas.heading("Display", max(DISPLAY, CARD * s.box.auction.display))
    names = s.box.deck.types
    for i, card in enumerate(s.display):
        kind, value, x = kind_of(card), value_of(card), CARD * i
        canvas.spot(("card", i), x, 1, CARD - 1, 4, entry=str(value) if value in (0, 8, 9) else "Building")
        tone = f"tower{kind}"
        canvas.put(x + 1, 1, "┌───┐", tone)
        canvas.put(x + 1, 2, f"│{value:>2} │", f"{tone} strong")
        canvas.put(x + 1, 3, "└───┘", tone)
        canvas.put(x + 1, 4, fitted(names[kind], CARD - 1), tone)
        if seat is not None:
            goes = fits(s.box.building, top(s.players[seat].towers[kind]), value)
            canvas.put(x + 3, 3, "✓" if goes else "✕", "good" if goes else "dim")
    if not s.display:
        canvas.put(1, 2, "nothing lies open", "dim")
    canvas.put(0, 5, "")
    if s.phase == AUCTION and s.display:
        _bids(canvas, s, 5)
        if seat is not None:
            most = buildable(s, s.players[seat])
            canvas.put(10, 0, f" ✓ you could build up to {most} ", "good" if most else "dim")
    return canvas.drawing("Display")


def _bids(canvas: Canvas, s: State, y: int) -> None:
    """The bids that there are, those that may be made in bold."""
    x = 0
    legal = legal_bids(s, _next(s))
    for bid in (PASSES, *range(s.box.auction.lowest_bid, unbeatable_bid(s) + 1)):
        text = "pass" if bid == PASSES else f"[{bid}]"
        canvas.spot(("bid", bid), x, y, len(text) + 1, entry="Auction")
        x = canvas.put(x + 1, y, text, "strong" if bid in legal else "dim") + 1


def _next(s: State) -> int:
    return (s.start_player + len(s.bids)) % len(s.players)


# -- the auction ---------------------------------------------------------------------------------------------


def _auction(s: State, seats: Sequence[Seat]) -> Drawing:
    """What everybody has bid, in the order of bidding, and who builds."""
    canvas = Canvas()
    canvas.heading("Auction", AUCTIONS)
    for place in range(len(s.players)):
        bidder = (s.start_player + place) % len(s.players)
        canvas.put(1, 1 + place, fitted(seat_name(seats, bidder), 12), f"seat{bidder}")
        if place < len(s.bids):
            bid = s.bids[place]
            best = bid == highest_bid(s) and bid > 0
            text = "passes" if bid == PASS else f"{'■' * bid}{' ' if bid else ''}{bid}"
            canvas.put(14, 1 + place, text, "strong" if best else "")
        elif s.phase == AUCTION:
            canvas.put(14, 1 + place, "to bid", "dim")
    y = len(s.players) + 1
    canvas.put(0, y, "")
    if s.phase == BUILD:
        canvas.put(1, y, f"{fitted(seat_name(seats, winner(s)), 12)} builds {s.owed}", "strong")
    return canvas.drawing("Auction", AUCTIONS)


# -- towers --------------------------------------------------------------------------------------------------


def _towers(s: State, seats: Sequence[Seat], seat: int, score: int, column: int, floors: int = 0) -> Drawing:
    """The towers of a seat, growing upwards from the ground, each with the last card on top; at most so many
    floors of them, if any number is given."""
    player = s.players[seat]
    canvas = Canvas()
    width = column * len(player.towers) + 1
    _title(canvas, s, seats, seat, score, width)
    high = max(1, *map(len, player.towers))
    ground = 1 + (floors or -(-high // STOREYS) * STOREYS)
    names = ground if floors == 1 else ground + 1
    for kind, tower in enumerate(player.towers):
        x, tone = column * kind, f"tower{kind}"
        _tower(canvas, s, tower, tone, x + 1, ground - 1, floors)
        tall = max(1, min(len(tower), floors or len(tower)))
        canvas.spot(("tower", seat, kind), x, ground - tall, column, tall, "Points")
        canvas.put(x + 1, names, s.box.deck.types[kind][: column - 1], tone)
    if names > ground:
        canvas.put(0, ground, "▔" * width, "dim")
    return canvas.drawing(SEAT_LETTERS[seats[seat].place], width)


def _title(canvas: Canvas, s: State, seats: Sequence[Seat], seat: int, score: int, width: int) -> None:
    """Whose towers they are, their points, and what was torn down."""
    canvas.put(0, 0, "─" * width, "dim")
    torn = len(s.players[seat].torn_down)
    lost = f"torn {torn}: −{torn_down_penalty(s.box.scoring, torn)} " if torn else ""
    points = f" {score} {'pts' if torn else 'points'} "
    name = fitted(seat_name(seats, seat), min(16, width - len(points) - len(lost)))
    x = canvas.put(0, 0, name, f"seat{seat}")
    x = canvas.put(x, 0, points, "strong")
    canvas.put(x, 0, lost, "bad")


def _tower(canvas: Canvas, s: State, tower: Sequence[int], tone: str, x: int, low: int, floors: int) -> None:
    """A tower from its lowest floor that is shown; with one floor alone, how many cards it has stands there
    too."""
    if not tower:
        canvas.put(x + 1, low, "··", "dim")
        return
    crown = "▲" if tower[-1] == s.box.building.tops else "▌"
    foot = "▲" if crown == "▲" else "▐"
    if floors == 1:
        x = canvas.put(x - 1, low, f"{tower[-1]:>2}{'▲' if crown == '▲' else ''}", f"{tone} strong")
        canvas.put(x, low, f"×{len(tower)}", tone)
        return
    shown = tower[-floors:] if floors else tower
    for floor, value in enumerate(shown):
        is_top = floor == len(shown) - 1
        text = f"{foot}{value:>2}{crown}" if is_top else f"▐{value:>2}▌"
        canvas.put(x, low - floor, text, f"{tone} strong" if is_top else tone)
    if len(shown) < len(tower):
        canvas.put(x, low, f"+{len(tower) - len(shown) + 1:>2} ", f"{tone} dim")


# -- choosing ------------------------------------------------------------------------------------------------


def place(game: Game[Any], ask: Ask, option: Option) -> Key | None:
    """The spot that an option is chosen at: a bid, a card of the display, a tower."""
    s: State = game.state
    types = s.box.deck.types
    if ask.about == "bid":
        assert not isinstance(option, tuple)
        return ("bid", option)
    if ask.about == "card" and isinstance(option, tuple):
        shown = [(types[kind_of(card)], value_of(card)) for card in s.display]
        return ("card", shown.index((str(option[0]), _whole(option[1]))))
    if ask.about == "tear down" and option != NONE:
        return ("tower", ask.seat, types.index(str(option)))
    return None


def _whole(option: Option) -> int:
    assert isinstance(option, int)
    return option


def notes(game: Game[Any], ask: Ask, option: Option) -> tuple[str, list[str]]:
    """The name of what an option is about in the rules' texts, and what it costs, in lines."""
    s: State = game.state
    if ask.about == "bid":
        most = buildable(s, s.players[ask.seat])
        return "Auction", [] if option == PASSES else [f"you could build up to {most} of these cards"]
    if ask.about == "tear down":
        torn = len(s.players[ask.seat].torn_down)
        now, then = (torn_down_penalty(s.box.scoring, n) for n in (torn, torn + 1))
        return "Tearing down", [] if option == NONE else [f"costs {counted(then - now, 'point')} in the end"]
    if ask.about == "card" and isinstance(option, tuple) and option[1] in (0, 8, 9):
        return str(option[1]), []
    return "Building", []


def effects(before: State, after: State, seat: int) -> list[str]:
    """What has changed for a seat, in words."""
    built = sum(map(len, after.players[seat].towers)) - sum(map(len, before.players[seat].towers))
    points = scores(after)[seat] - scores(before)[seat]
    parts = ((built, "card"), (points, "point"))
    found = [f"{'+' if n > 0 else '−'}{counted(abs(n), what)}" for n, what in parts if n]
    return [", ".join(found)] if found else []


def chapter(s: State) -> str:
    """The part of the game that a position belongs to, for timelines: each reveal begins one."""
    return f"time {s.times_through}, {len(s.deck)} left"
