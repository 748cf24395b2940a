"""``oaknet players``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from oaknet_client.commands.options import debug_option, json_option


@click.group("players", invoke_without_command=True, short_help="Whom you know: rename, forget, block.")
@json_option
@debug_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Whom you have met at a table: names, fingerprints of their keys, first and last seen.

    WHO is a name, or the beginning of a fingerprint.

    \b
    oaknet players
    oaknet players rename Ann "Ann K."
    oaknet players block 7KQ2M
    """
    if ctx.invoked_subcommand is None:
        _show(as_json)


@command.command("list")
@json_option
@debug_option
def show(as_json: bool) -> None:
    """Show whom you know; with --json one object a line."""
    _show(as_json)


def _show(as_json: bool) -> None:
    from oaknet_client.players import Players
    from oaknet_client.words import inert

    players = Players.read(_file())
    if as_json:
        for player in players:
            click.echo(json.dumps(player.record()))
        return
    if not len(players):
        click.echo("You have met nobody yet.")
        return
    width = max(len(player.name) for player in players)
    for player in players:
        note = f", calls themselves {inert(player.called)}" if player.called != player.name else ""
        note += ", blocked" if player.blocked else ""
        seen = f"first seen {player.first_seen}, last {player.last_seen}"
        click.echo(f"{inert(player.name):<{width}}  {player.fingerprint}  {seen}{note}")


def _file() -> Path:
    from oaknet_client.config import folders
    from oaknet_client.players import FILE

    return folders().data / FILE


@command.command("rename")
@click.argument("who")
@click.argument("name")
@debug_option
def rename(who: str, name: str) -> None:
    """Call WHO otherwise; what they call themselves stays beside it."""
    from oaknet_client.players import edited

    with edited(_file()) as players:
        player = players.rename(players.find(who), name)
    click.echo(f"{player.fingerprint} is {player.name} to you now.")


@command.command("forget")
@click.argument("who")
@debug_option
def forget(who: str) -> None:
    """Know WHO no more, blocked or not; the next time is the first."""
    from oaknet_client.players import edited

    with edited(_file()) as players:
        player = players.find(who)
        players.forget(player)
    click.echo(f"{player.name} ({player.fingerprint}) is forgotten.")


@command.command("block")
@click.argument("who")
@debug_option
def block(who: str) -> None:
    """Sit at no table with WHO, and let them in at none of yours."""
    from oaknet_client.players import edited

    with edited(_file()) as players:
        player = players.block(players.find(who))
    click.echo(f"{player.name} ({player.fingerprint}) is blocked.")


@command.command("unblock")
@click.argument("who")
@debug_option
def unblock(who: str) -> None:
    """Want to play with WHO again."""
    from oaknet_client.players import edited

    with edited(_file()) as players:
        player = players.block(players.find(who), blocked=False)
    click.echo(f"{player.name} ({player.fingerprint}) is not blocked any more.")
