"""The board of 5 Towers: towers drawn upwards, the display, the auction, and what can be built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oaknet.five_towers.auction import PASSES, highest_bid, legal_bids, unbeatable_bid, winner
from oaknet.five_towers.building import buildable, fits, top
from oaknet.five_towers.numbers import NONE
from oaknet.five_towers.scoring import scores, torn_down_penalty
from oaknet.five_towers.state import AUCTION, BUILD, PASS, State, kind_of, value_of
from oaknet.kernel import Ask, Game, Option, Rules
from oaknet_client.boards.records import Canvas, Drawing, Key, fitted
from oaknet_client.feed import Seat
from oaknet_client.words import SEAT_LETTERS, seat_name

CARD = 7
"""Cells of a card, its sign and the gap before the next one included."""

COLUMN = 5
"""Cells of a tower."""

WIDTH = 38


def blocks(rules: Rules[Any], s: State, seats: Sequence[Seat], seat: int | None) -> tuple[Drawing, ...]:
    """The display and the auction, then the towers of the seat that looks, then the others clockwise."""
    order = [(i + (seat or 0)) % len(s.players) for i in range(len(s.players))]
    scores = rules.score(s)
    return (_display(s, seat), _auction(s, seats, seat), *(_towers(s, seats, i, scores[i]) for i in order))


# -- the display ---------------------------------------------------------------------------------------------


def _display(s: State, seat: int | None) -> Drawing:
    """The cards that lie open, sorted; below each, where it would go for the seat that looks."""
    canvas = Canvas()
    canvas.heading("Display", max(WIDTH, CARD * s.box.auction.display))
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
            canvas.put(x + 1, 5, "✓fits" if goes else "✕", "good" if goes else "dim")
    if not s.display:
        canvas.put(1, 2, "nothing lies open", "dim")
        canvas.put(0, 5, "")
    return canvas.drawing("Display")


# -- the auction ---------------------------------------------------------------------------------------------


def _auction(s: State, seats: Sequence[Seat], seat: int | None) -> Drawing:
    """Bids in the order of bidding, then the bids that may be made."""
    canvas = Canvas()
    canvas.heading("Auction", WIDTH)
    for place in range(len(s.players)):
        bidder = (s.start_player + place) % len(s.players)
        canvas.put(1, 1 + place, fitted(seat_name(seats, bidder), 20), f"seat{bidder}")
        if place < len(s.bids):
            bid = s.bids[place]
            best = bid == highest_bid(s) and bid > 0
            text = "passes" if bid == PASS else f"{'■' * bid}{' ' if bid else ''}{bid}"
            canvas.put(22, 1 + place, text, "strong" if best else "")
        elif s.phase == AUCTION:
            canvas.put(22, 1 + place, "to bid", "dim")
    y = len(s.players) + 1
    if s.phase == AUCTION and s.display:
        x = 0
        legal = legal_bids(s, _next(s))
        for bid in (PASSES, *range(s.box.auction.lowest_bid, unbeatable_bid(s) + 1)):
            text = "pass" if bid == PASSES else f"[{bid}]"
            canvas.spot(("bid", bid), x, y, len(text) + 1, entry="Auction")
            x = canvas.put(x + 1, y, text, "strong" if bid in legal else "dim") + 1
    elif s.phase == BUILD:
        canvas.put(0, y, f"{fitted(seat_name(seats, winner(s)), 24)} builds {s.owed}", "strong")
    if seat is not None and s.display and s.phase == AUCTION:
        most = buildable(s, s.players[seat])
        canvas.put(10, 0, f"you could build up to {most} ", "good" if most else "dim")
    return canvas.drawing("Auction", WIDTH)


def _next(s: State) -> int:
    return (s.start_player + len(s.bids)) % len(s.players)


# -- towers --------------------------------------------------------------------------------------------------


def _towers(s: State, seats: Sequence[Seat], seat: int, score: int) -> Drawing:
    """The towers of a seat, growing upwards from the ground, each with the last card on top."""
    player, numbers = s.players[seat], s.box.building
    canvas = Canvas()
    width = max(COLUMN * len(player.towers) + 1, 26)
    canvas.put(0, 0, "─" * width, "dim")
    x = canvas.put(0, 0, fitted(seat_name(seats, seat), 16), f"seat{seat}")
    canvas.put(x, 0, f" {score} points ", "strong")
    high = max(1, *map(len, player.towers))
    ground = high + 1
    for kind, tower in enumerate(player.towers):
        x, tone = COLUMN * kind, f"tower{kind}"
        for floor, value in enumerate(tower):
            y = ground - 1 - floor
            is_top = floor == len(tower) - 1
            canvas.put(x + 1, y, f"▐{value:>2}▌", f"{tone} strong" if is_top else tone)
        if tower and tower[-1] == numbers.tops:
            canvas.put(x + 1, ground - len(tower), "▲ 0▲", f"{tone} strong")
        if not tower:
            canvas.put(x + 2, ground - 1, "··", "dim")
        canvas.spot(
            ("tower", seat, kind), x, ground - max(1, len(tower)), COLUMN, max(1, len(tower)), "Points"
        )
        canvas.put(x + 1, ground + 1, fitted(s.box.deck.types[kind], COLUMN - 1), tone)
    canvas.put(0, ground, "▔" * (COLUMN * len(player.towers) + 1), "dim")
    torn = len(player.torn_down)
    lost = torn_down_penalty(s.box.scoring, torn)
    text = f"torn down {torn}, −{lost} points" if torn else "nothing torn down"
    canvas.put(0, ground + 2, text, "bad" if torn else "dim")
    return canvas.drawing(SEAT_LETTERS[seats[seat].place], width)


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
        return "Tearing down", [] if option == NONE else [f"costs {then - now} points in the end"]
    if ask.about == "card" and isinstance(option, tuple) and option[1] in (0, 8, 9):
        return str(option[1]), []
    return "Building", []


def effects(before: State, after: State, seat: int) -> list[str]:
    """What has changed for a seat, in words."""
    built = sum(map(len, after.players[seat].towers)) - sum(map(len, before.players[seat].towers))
    points = scores(after)[seat] - scores(before)[seat]
    parts = ((built, "card" if abs(built) == 1 else "cards"), (points, "points"))
    found = [f"{'+' if n > 0 else '−'}{abs(n)} {what}" for n, what in parts if n]
    return [", ".join(found)] if found else []


def chapter(s: State) -> str:
    """The part of the game that a position belongs to, for timelines: each reveal begins one."""
    return f"time {s.times_through}, {len(s.deck)} left"
