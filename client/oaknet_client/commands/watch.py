"""``oaknet watch``."""

from __future__ import annotations

from pathlib import Path

import click

from oaknet_client.commands.options import (
    data_option,
    debug_option,
    front_options,
    json_option,
    network_options,
    wished,
)


@click.command("watch", short_help="Follow a table as a spectator.")
@click.argument("invite", nargs=-1, required=True)
@data_option
@network_options
@front_options
@json_option
@debug_option
def command(
    invite: tuple[str, ...],
    data: Path | None,
    port: int | None,
    no_lan: bool,
    absent: str | None,
    headless: bool,
    plain: bool,
    as_json: bool,
) -> None:
    """Follow a table without a seat: you see and check what the players do, and can talk with them.

    \b
    oaknet watch oak1…
    """
    from oaknet_client.front import chosen, run
    from oaknet_client.seating import joined
    from oaknet_protocol.invite import Invite

    front = chosen(headless=headless, plain=plain, as_json=as_json)
    found = Invite.parse(" ".join(invite))
    wishes = wished(port=port, no_lan=no_lan, data=data, absent=absent or "wait", front=front)
    run(joined(wishes, found, ()), front, wishes.config)
