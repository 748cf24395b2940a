"""``oaknet join``."""

from __future__ import annotations

from pathlib import Path

import click

from oaknet_client.commands.options import (
    data_option,
    debug_option,
    front_options,
    json_option,
    network_options,
    seat_options,
    wished,
)


@click.command("join", short_help="Join a table by its invite.")
@click.argument("invite", nargs=-1, required=True)
@seat_options
@data_option
@network_options
@front_options
@json_option
@debug_option
def command(
    invite: tuple[str, ...],
    places: tuple[str, ...],
    bots: tuple[str, ...],
    data: Path | None,
    port: int | None,
    no_lan: bool,
    absent: str | None,
    headless: bool,
    plain: bool,
    as_json: bool,
) -> None:
    """Join a table by the line that its opener, or anybody who sits there, has sent you.

    Blanks and line breaks in it do not matter; a mistyped one is told by its place. A table at which you sit
    already is gone on with.

    \b
    oaknet join oak1…
    oaknet join oak1… --seat you:Ann --seat you:Ben
    """
    from oaknet_client.front import chosen, run
    from oaknet_client.places import own
    from oaknet_client.seating import joined
    from oaknet_protocol.invite import Invite

    front = chosen(headless=headless, plain=plain, as_json=as_json)
    found = Invite.parse(" ".join(invite))
    wishes = wished(port=port, no_lan=no_lan, data=data, absent=absent, front=front)
    taken = own(places, bots, name=wishes.config.name, headless=front.headless)
    run(joined(wishes, found, taken), front, wishes.config)
