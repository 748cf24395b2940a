"""``oaknet watch``."""

from __future__ import annotations

import click

from oaknet_client.commands.options import Company, company_options


@click.command("watch", short_help="Follow a table as a spectator.")
@click.argument("invite", nargs=-1, required=True)
@company_options
def command(
    invite: tuple[str, ...],
    company: Company,
) -> None:
    """Follow a table without a seat: you see and check what the players do, and can talk with them.

    \b
    oaknet watch oak1…
    """
    from oaknet_client.front import run
    from oaknet_client.seating import joined
    from oaknet_protocol.invite import Invite

    front = company.front()
    found = Invite.parse(" ".join(invite))
    wishes = company.wishes(watching=True)
    run(joined(wishes, found, ()), front, wishes.config)
