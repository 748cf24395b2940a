"""``oaknet resume``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from oaknet_client.commands.options import (
    TableId,
    data_option,
    debug_option,
    front_options,
    json_option,
    network_options,
    wished,
)


@click.command("resume", short_help="Go on with an unfinished table.")
@click.argument("table", type=TableId(), required=False)
@click.option(
    "--seat",
    "places",
    multiple=True,
    metavar="WHO",
    help="Who plays your seats from now on: you or bot:NAME.",
)
@data_option
@network_options
@front_options
@json_option
@debug_option
def command(
    table: str | None,
    places: tuple[str, ...],
    data: Path | None,
    port: int | None,
    no_lan: bool,
    absent: str | None,
    headless: bool,
    plain: bool,
    as_json: bool,
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
    from oaknet_client.front import chosen, run
    from oaknet_client.places import own
    from oaknet_client.seating import resumed
    from oaknet_client.shelf import find, tables

    if table is None:
        unfinished = [one for one in tables(folders().tables) if one.state != "finished"]
        for one in unfinished:
            click.echo(json.dumps(one.record()) if as_json else one.line())
        if not unfinished and not as_json:
            click.echo("No table is unfinished. oaknet host opens one.")
        return
    front = chosen(headless=headless, plain=plain, as_json=as_json)
    wishes = wished(port=port, no_lan=no_lan, data=data, absent=absent, front=front)
    seats = own(places, (), name=wishes.config.name, headless=front.headless) if places else ()
    feed = resumed(wishes, find(folders().tables, table), seats)
    if front.headless and any(not seat.bot for seat in feed.seats):
        raise Failure("Without a screen nobody can play: give every seat to a bot by --seat bot:NAME.", USAGE)
    run(feed, front, wishes.config)
