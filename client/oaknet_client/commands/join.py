"""``oaknet join``."""

from __future__ import annotations

from functools import partial

import click

from oaknet_client.commands.options import Company, company_options, seat_options


@click.command("join", short_help="Join a table by its invite.")
@click.argument("invite", nargs=-1, required=True)
@seat_options
@company_options
def command(
    invite: tuple[str, ...],
    places: tuple[str, ...],
    bots: tuple[str, ...],
    company: Company,
) -> None:
    """Join a table by the line that its opener, or anybody who sits there, has sent you.

    Blanks and line breaks in it do not matter; a mistyped one is told by its place. A table at which you sit
    already is gone on with.

    \b
    oaknet join oak1…
    oaknet join oak1… --seat you:Ann --seat you:Ben
    """
    from oaknet_client.front import run
    from oaknet_client.places import own
    from oaknet_client.seating import joined, rematch
    from oaknet_protocol.invite import Invite

    front = company.front()
    found = Invite.parse(" ".join(invite))
    wishes = company.wishes()
    taken = own(places, bots, name=wishes.config.name, headless=front.headless)
    run(joined(wishes, found, taken), front, wishes.config, partial(rematch, wishes))
