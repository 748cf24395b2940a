"""5 Towers: the display, the bids, and everybody's towers as columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oaknet.five_towers.auction import highest_bid, winner
from oaknet.five_towers.scoring import torn_down_penalty
from oaknet.five_towers.state import AUCTION, BUILD, PASS, Player, State, kind_of, value_of
from oaknet.kernel import Rules
from oaknet_client.feed import Seat
from oaknet_client.views.records import Line, Panel, Picture, Span, line
from oaknet_client.words import SEAT_LETTERS, seat_name

COLUMN = 4
"""Cells of a tower's column."""


def picture(rules: Rules[Any], state: State, seats: Sequence[Seat], seat: int | None) -> Picture:
    """The table; the seat that looks comes first, the others clockwise."""
    count = len(state.players)
    order = [(i + (seat or 0)) % count for i in range(count)]
    scores = rules.score(state)
    towers = tuple(_towers(state, seats, i, scores[i]) for i in order)
    panels = (_display(state), _auction(state, seats), *towers)
    return Picture(_status(state, seats, scores), panels, _brief(state, seats, scores))


def _status(s: State, seats: Sequence[Seat], scores: Sequence[int]) -> str:
    through = f"time {s.times_through} of {s.box.deck.times_through} through the deck"
    cards = f"{len(s.deck)} left, {len(s.discards)} discarded"
    building = f" · {seat_name(seats, winner(s))} builds {s.owed}" if s.phase == BUILD else ""
    return f"{through}, {cards} · {_points(seats, scores)}{building}"


def _brief(s: State, seats: Sequence[Seat], scores: Sequence[int]) -> str:
    """The status in short."""
    through = f"time {s.times_through}/{s.box.deck.times_through}, {len(s.deck)} left"
    building = f" · {SEAT_LETTERS[seats[winner(s)].place]} builds {s.owed}" if s.phase == BUILD else ""
    return f"{through} · {_points(seats, scores)}{building}"


def _points(seats: Sequence[Seat], scores: Sequence[int]) -> str:
    return " ".join(f"{SEAT_LETTERS[seats[seat].place]} {points}" for seat, points in enumerate(scores))


def _display(s: State) -> Panel:
    """One row a type, with its cards."""
    rows: list[Line] = []
    for kind, name in enumerate(s.box.deck.types):
        values = [value_of(card) for card in s.display if kind_of(card) == kind]
        cards = " ".join(f"{value:>2}" for value in values)
        rows.append(
            line(Span(f"{name:<6}", f"tower{kind}"), Span(cards or " -", "strong" if cards else "dim"))
        )
    return Panel(line(Span("Display", "strong")), tuple(rows))


def _auction(s: State, seats: Sequence[Seat]) -> Panel:
    """Who has bid what, in the order of bidding; the first is the start player."""
    rows: list[Line] = []
    for place in range(len(s.players)):
        bidder = (s.start_player + place) % len(s.players)
        name = Span(seat_name(seats, bidder), f"seat{bidder}")
        if place < len(s.bids):
            bid = s.bids[place]
            text = "pass" if bid == PASS else str(bid)
            tone = "strong" if bid == highest_bid(s) and bid > 0 else ""
        else:
            text, tone = ("to bid", "dim") if s.phase == AUCTION else ("", "")
        rows.append(line(name, "  ", Span(text, tone)))
    return Panel(line(Span("Bids", "strong")), tuple(rows))


def _towers(s: State, seats: Sequence[Seat], seat: int, score: int) -> Panel:
    """The towers of a seat side by side, each with its top card in the highest line."""
    player = s.players[seat]
    height = max(1, *map(len, player.towers))
    kinds = range(len(player.towers))
    rows = [line(*(_floor(player, kind, floor) for kind in kinds)) for floor in range(height - 1, -1, -1)]
    names = [
        Span(f"{name[: COLUMN - 1]:>{COLUMN}}", f"tower{kind}") for kind, name in enumerate(s.box.deck.types)
    ]
    torn = len(player.torn_down)
    penalty = torn_down_penalty(s.box.scoring, torn)
    below = f"torn down: {torn}" + (f", costs {penalty}" if torn else "")
    title = line(Span(seat_name(seats, seat), f"seat{seat}"), f"  {score} points")
    return Panel(title, (*rows, line(*names), line(Span(below, "dim"))))


def _floor(player: Player, kind: int, floor: int) -> Span:
    """One card of a tower, or the air above it."""
    tower = player.towers[kind]
    if floor >= len(tower):
        return Span(" " * COLUMN)
    value = tower[floor]
    is_top = floor == len(tower) - 1
    return Span(f"{value:>{COLUMN}}", f"tower{kind}" + (" strong" if is_top else ""))
