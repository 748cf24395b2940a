"""Who sits where at a table of this keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from oaknet.bots import BOTS, UnknownBot
from oaknet.kernel import Rules
from oaknet.kernel.rules import checked_options
from oaknet_client.failures import USAGE, Failure
from oaknet_client.feed import Seat
from oaknet_client.words import inert
from oaknet_protocol.text import NAME_LIMIT, width


def seated(
    rules: Rules[Any],
    places: Sequence[str],
    bots: Sequence[str],
    players: int | None,
    *,
    name: str,
    headless: bool,
) -> tuple[Seat, ...]:
    """The seats in order: ``places`` (``you``, ``you:NAME``, ``bot:NAME``; by default one person, headless a
    greedy bot), then ``bots``, then greedy bots up to ``players``: by default two, or what the game needs.

    Raises `Failure` where this cannot be, `UnknownBot`, and `WrongSeats`.
    """
    wanted = _wanted(places, bots, name, headless=headless)
    company = max(len(wanted), rules.seats[0], min(2, rules.seats[-1]))
    count = company if players is None else players
    if len(wanted) > count:
        raise Failure(f"{len(wanted)} seats are given away, but --players says {count}.", USAGE)
    checked_options(rules, count, {})
    wanted += [_bot("greedy") for _ in range(count - len(wanted))]
    return tuple(_numbered(wanted))


def own(places: Sequence[str], bots: Sequence[str], *, name: str, headless: bool) -> tuple[Seat, ...]:
    """The seats that one peer takes at a table with others: as `seated` reads them, and no more.

    A bot bears the name of whose it is: others may bring the same. Raises `Failure` and `UnknownBot`.
    """
    wanted = _wanted(places, bots, name, headless=headless)
    named = [replace(seat, name=_possessive(name, seat.bot)) if seat.bot else seat for seat in wanted]
    return tuple(_numbered(named))


def _possessive(name: str, bot: str) -> str:
    """``Ann's greedy``, within the limits of a name and with room for a number."""
    whose = name
    while whose and width(f"{whose}'s {bot} 8") > NAME_LIMIT:
        whose = whose[:-1].rstrip()
    return f"{whose}'s {bot}" if whose else bot


def _wanted(places: Sequence[str], bots: Sequence[str], name: str, *, headless: bool) -> list[Seat]:
    wanted = [_place(place, name) for place in places or (["bot:greedy"] if headless else ["you"])]
    wanted += [_bot(bot) for bot in bots]
    if headless and any(not seat.bot for seat in wanted):
        raise Failure("Without a screen nobody can play: give every --seat to a bot.", USAGE)
    return wanted


def _place(place: str, name: str) -> Seat:
    kind, _, rest = place.partition(":")
    if kind == "bot" and rest:
        return _bot(rest)
    if kind == "you" and inert(rest) == rest and len(rest) <= 24:
        return Seat(rest.strip() or name)
    raise Failure(f"--seat {inert(place)}: write you, you:NAME or bot:NAME ({', '.join(BOTS)}).", USAGE)


def _bot(name: str) -> Seat:
    if name not in BOTS:
        raise UnknownBot(f"There is no bot {name!r}; the bots are {', '.join(BOTS)}.")
    return Seat(name, bot=name)


def _numbered(seats: Sequence[Seat]) -> list[Seat]:
    """The seats with a number behind names that occur twice."""
    names = [seat.name for seat in seats]
    seen: dict[str, int] = {}
    result: list[Seat] = []
    for place, seat in enumerate(seats):
        seen[seat.name] = seen.get(seat.name, 0) + 1
        twice = names.count(seat.name) > 1
        name = f"{seat.name} {seen[seat.name]}" if twice else seat.name
        result.append(Seat(name, seat.bot, seat.key, place))
    return result
