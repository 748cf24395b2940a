"""``oaknet host``."""

from __future__ import annotations

import click

from oaknet_client.commands.options import (
    Company,
    GameName,
    TableId,
    company_options,
    pairs,
    seat_options,
    table_options,
)
from oaknet_client.failures import USAGE, Failure


@click.command("host", short_help="Open a table for friends, here or far away.")
@click.argument("game", type=GameName(), required=False)
@click.option(
    "--seats", type=int, metavar="N", help="Seats of the table; by default as few as the game allows."
)
@seat_options
@table_options
@click.option(
    "--private", is_flag=True, help="Local network: tell only that a table exists; joining needs the invite."
)
@click.option("--no-router", is_flag=True, help="Do not ask the router to pass the port on.")
@click.option(
    "--again", type=TableId(), metavar="TABLE", help="The same game, seats and options as that table."
)
@company_options
def command(
    game: str | None,
    seats: int | None,
    places: tuple[str, ...],
    bots: tuple[str, ...],
    options: tuple[str, ...],
    private: bool,
    no_router: bool,
    again: str | None,
    company: Company,
) -> None:
    """Open a table, print the invite, and play once all seats are taken.

    The invite is one line: send it to your friends, who join with it from anywhere. In the local network
    they find the table by themselves. Nobody is the host of the game: you may leave, and come back by oaknet
    resume.
    A rematch (--again) is a new table: its invite goes to your friends anew.

    \b
    oaknet host five_towers --seats 3
    oaknet host oak --seats 4 --bot greedy --port 4711
    oaknet host oak --option clock=900+10 --option grace=120
    oaknet host --again 3fa29c01
    """
    from oaknet_client.config import folders
    from oaknet_client.games import loaded
    from oaknet_client.places import own
    from oaknet_client.seating import opened
    from oaknet_client.shelf import find
    from oaknet_client.visit import visit
    from oaknet_protocol.table import named_options

    if private and company.no_lan:
        raise Failure("Choose one of --private and --no-lan.", USAGE)
    front = company.front()
    wishes = company.wishes(router=not no_router)
    chosen_options = pairs(options)
    if again is not None:
        before = find(folders().tables, again)
        if game is not None and game != before.terms.game:
            raise Failure("--again takes the game of that table; leave the name out.", USAGE)
        game = before.terms.game
        seats = before.terms.seats if seats is None else seats
        chosen_options = {**dict(before.terms.options), **chosen_options}
        if not places and not bots:
            places = tuple(
                f"bot:{seat.bot}" if seat.bot else f"you:{seat.name}" for seat in before.notes.seats
            )
    rules = loaded(game or "oak", company.data)
    taken = own(places, bots, name=wishes.config.name, headless=front.headless)
    count = max(len(taken), rules.seats[0], min(2, rules.seats[-1])) if seats is None else seats
    settings = named_options(rules, count, chosen_options)
    table = opened(wishes, rules, count, settings, taken, private=private)
    visit(table, wishes, front)
