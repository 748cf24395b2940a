"""``oaknet resume``."""

from __future__ import annotations

import json

import click

from oaknet_client.commands.options import Company, TableId, company_options


@click.command("resume", short_help="Go on with an unfinished table.")
@click.argument("table", type=TableId(), required=False)
@click.option(
    "--seat",
    "places",
    multiple=True,
    metavar="WHO",
    help="Who plays your seats from now on: you or bot:NAME.",
)
@company_options
def command(
    table: str | None,
    places: tuple[str, ...],
    company: Company,
) -> None:
    """Go on with a table after leaving it, a crash or a power cut; without TABLE list the unfinished ones.

    TABLE is the beginning of its id.

    \b
    oaknet resume
    oaknet resume 3fa29c01
    oaknet resume 3fa29c01 --seat bot:greedy
    """
    from oaknet_client.config import folders
    from oaknet_client.failures import USAGE, Failure
    from oaknet_client.places import own
    from oaknet_client.seating import resumed
    from oaknet_client.shelf import find, tables
    from oaknet_client.visit import visit

    if table is None:
        unfinished = [one for one in tables(folders().tables) if one.state != "finished"]
        for one in unfinished:
            click.echo(json.dumps(one.record()) if company.as_json else one.line())
        if not unfinished and not company.as_json:
            click.echo("No table is unfinished. oaknet host opens one.")
        return
    front = company.front()
    wishes = company.wishes()
    seats = own(places, (), name=wishes.config.name, headless=front.headless) if places else ()
    feed = resumed(wishes, find(folders().tables, table), seats)
    if front.headless and any(not seat.bot for seat in feed.seats):
        raise Failure("Without a screen nobody can play: give every seat to a bot by --seat bot:NAME.", USAGE)
    visit(feed, wishes, front)
