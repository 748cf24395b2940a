"""``oaknet tables``."""

from __future__ import annotations

import json

import click

from oaknet_client.commands.options import debug_option, json_option


@click.command("tables", short_help="Your games, finished or not.")
@json_option
@debug_option
def command(as_json: bool) -> None:
    """List your tables, the latest first: id, game, state, when something last happened, and who sits there.

    \b
    oaknet tables
    oaknet tables --json
    """
    from oaknet_client.config import folders
    from oaknet_client.shelf import damaged, tables
    from oaknet_client.words import inert

    found = tables(folders().tables)
    for one in found:
        click.echo(json.dumps(one.record()) if as_json else one.line())
    bad = damaged(folders().tables)
    for path in bad:
        click.echo(f"oaknet: {inert(str(path))} cannot be read: its files are damaged.", err=True)
    if not found and not bad and not as_json:
        click.echo("You have played at no table yet. oaknet host opens one.")
