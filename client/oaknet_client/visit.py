"""A table between peers, from sitting down to leaving it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from oaknet_client import shelf
from oaknet_client.config import folders
from oaknet_client.seating import Wishes, rematch

if TYPE_CHECKING:
    from oaknet_client.feed import Result
    from oaknet_client.front import Front
    from oaknet_client.table import Table


def visit(table: Table, wishes: Wishes, front: Front) -> None:
    """Show a table to its end, and the rematches after it, which are offered to who sits there.

    Who leaves a table before its end is told how to come back. Raises what goes wrong.
    """
    from oaknet_client.front import run

    last = table

    def again(before: Result) -> Table:
        nonlocal last
        last = rematch(wishes, before)
        return last

    if run(table, front, wishes.config, again if table.seats else None) is None:
        for line in left_lines(last):
            click.echo(line)


def left_lines(table: Table) -> list[str]:
    """How to come back to a table that was left; nothing if no seat was taken at it or it is finished."""
    kept = shelf.invited(folders().tables, table.notes.secret, table.notes.opener)
    if kept is None or not table.seats or kept.state == "finished":
        return []
    return [f"You have left the table. oaknet resume {kept.short} comes back to it."]
