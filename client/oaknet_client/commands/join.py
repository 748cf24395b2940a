"""``oaknet join``."""

from __future__ import annotations

import click

from oaknet_client.commands.options import Company, company_options, seat_options


@click.command("join", short_help="Join a table by its invite.")
@click.argument("invite", nargs=-1)
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
    from oaknet_client.failures import USAGE, Failure
    from oaknet_client.places import own
    from oaknet_client.seating import joined
    from oaknet_client.visit import visit
    from oaknet_protocol.invite import Invite

    if not invite:
        raise Failure(
            "The invite is missing: the line that somebody at the table has sent you. oaknet lan lists the "
            "tables in your local network.",
            USAGE,
        )
    front = company.front()
    found = Invite.parse(" ".join(invite))
    wishes = company.wishes()
    taken = own(places, bots, name=wishes.config.name, headless=front.headless)
    visit(joined(wishes, found, taken), wishes, front)
