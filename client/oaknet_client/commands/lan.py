"""``oaknet lan``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from oaknet_client.commands.options import Company, company_options, seat_options
from oaknet_client.failures import UNREACHABLE, Failure

if TYPE_CHECKING:
    from oaknet_protocol.discovery import Found, Seen

SEARCH = 3.0
"""Seconds in which tables nearby have answered."""
ATTEMPTS = 5
"""How often it is looked for them before a table that was named counts as not there."""


@click.command("lan", short_help="Tables in your local network: list them, join one.")
@click.argument("table", required=False)
@seat_options
@company_options
def command(
    table: str | None,
    places: tuple[str, ...],
    bots: tuple[str, ...],
    company: Company,
) -> None:
    """List the tables in your local network, or join TABLE: the beginning of its id.

    Private tables are listed without what they are; joining them needs the invite.

    \b
    oaknet lan
    oaknet lan 3fa29c01
    """
    import trio

    from oaknet_client.places import own
    from oaknet_client.seating import joined
    from oaknet_client.visit import visit
    from oaknet_client.words import inert
    from oaknet_protocol.address import Address
    from oaknet_protocol.announcement import OpenTable
    from oaknet_protocol.invite import Invite

    if table is None:
        seen = trio.run(_seen, "")
        for one in seen.tables:
            click.echo(json.dumps(_record(one)) if company.as_json else _line(one))
        if seen.trouble:
            click.echo(f"oaknet: {seen.trouble}", err=True)
        elif not seen.tables and not company.as_json:
            click.echo("No table nearby answers. oaknet host opens one; oaknet join takes an invite.")
        return
    front = company.front()
    wishes = company.wishes()
    taken = own(places, bots, name=wishes.config.name, headless=front.headless)
    seen = trio.run(_seen, table.lower())
    found = next((one for one in seen.tables if _matches(one, table.lower())), None)
    if found is None or not isinstance(found.table, OpenTable):
        why = (
            seen.trouble or f"No open table {inert(table)} answers nearby. oaknet lan lists those there are."
        )
        raise Failure(why, UNREACHABLE)
    addresses = tuple(Address.of(host, found.port) for host in found.hosts if "%" not in host)
    invite = Invite(found.table.invite.secret, found.table.opener, addresses)
    visit(joined(wishes, invite, taken, nearby=True), wishes, front)


async def _seen(wanted: str) -> Seen:
    """What answers nearby: all that does in a while, or as soon as the table that is wanted is there."""
    import trio

    from oaknet_protocol.discovery import Lan, Seen

    lan, last = Lan(), Seen()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lan.run)
        with trio.move_on_after(SEARCH * ATTEMPTS if wanted else SEARCH):
            async for last in lan.seen:
                if wanted and any(_matches(one, wanted) for one in last.tables):
                    break
        nursery.cancel_scope.cancel()
    return last


def _matches(found: Found, wanted: str) -> bool:
    from oaknet_protocol.announcement import OpenTable

    return isinstance(found.table, OpenTable) and found.table.table.hex().startswith(wanted)


def _record(found: Found) -> dict[str, object]:
    """The documented JSON object of a table nearby."""
    from oaknet_protocol.announcement import OpenTable

    place: dict[str, object] = {"hosts": list(found.hosts), "port": found.port}
    table = found.table
    if not isinstance(table, OpenTable):
        return {"table": None, "private": True, **place}
    return {
        "table": table.table.hex(),
        "private": False,
        "game": table.game,
        "free": table.free,
        "seats": table.seats,
        "by": table.name,
        **place,
    }


def _line(found: Found) -> str:
    from oaknet_client.config import folders
    from oaknet_client.players import FILE, Players
    from oaknet_client.words import inert
    from oaknet_protocol.announcement import OpenTable

    table = found.table
    if not isinstance(table, OpenTable):
        where = found.hosts[0] if found.hosts else "an unknown address"
        return f"a private table at {where}; joining it needs the invite"
    known = Players.read(folders().data / FILE).by_hash(table.opener)
    who = (
        f"{inert(known.name)}, whom you know" if known is not None else f"who says to be {inert(table.name)}"
    )
    return (
        f"{table.table.hex()[:8]}  {table.game:<12} {table.free} of {table.seats} seats free, opened by {who}"
    )
