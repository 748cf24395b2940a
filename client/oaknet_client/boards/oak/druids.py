"""Druids as signs: a seat's letter, and behind it the kind of an elder."""

from __future__ import annotations

from collections.abc import Sequence

from oaknet.oak.state import State
from oaknet_client.feed import Seat
from oaknet_client.views.oak_board import SIGNS
from oaknet_client.views.records import Span
from oaknet_client.words import SEAT_LETTERS

ELDER_SIGNS = ("", *SIGNS[1:])
"""What stands behind the seat's letter, by kind: nothing for a regular druid."""


def druids_on(s: State, seats: Sequence[Seat], place: int, space: int, room: int) -> list[Span]:
    """Everybody's druids on one space; where it gets narrow the signs of the kinds are left out."""
    there = [
        (seat, p.kind[i])
        for seat, p in enumerate(s.players)
        for i, where in enumerate(p.place)
        if where == place and p.space[i] == space
    ]
    full = [
        Span(f"{SEAT_LETTERS[seats[seat].place]}{ELDER_SIGNS[kind]}", f"seat{seat}") for seat, kind in there
    ]
    if sum(len(span.text) for span in full) <= room:
        return full
    return [Span(SEAT_LETTERS[seats[seat].place], f"seat{seat}") for seat, _ in there]
