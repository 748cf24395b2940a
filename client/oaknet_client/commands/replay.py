"""``oaknet replay``."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from oaknet_client.commands.options import READABLE, data_option, debug_option


@click.command("replay", short_help="Look a game over, step by step.")
@click.argument("log", type=READABLE)
@click.option("--step", type=click.IntRange(0), metavar="N", help="Show this step and the board after it.")
@data_option
@debug_option
def command(log: Path, step: int | None, data: Path | None) -> None:
    """Show the steps of a game in words, or one of them with the board after it.

    Of a damaged log the good part is shown; the exit status is 4 then.

    \b
    oaknet replay game.oak
    oaknet replay game.oak --step 40
    """
    from oaknet_client import logs, views
    from oaknet_client.failures import USAGE, Failure
    from oaknet_client.words import result_lines

    opened = logs.opened(log, data)
    seats = logs.rules_seats(opened.reading)
    width = max(40, shutil.get_terminal_size((80, 24)).columns)
    last = opened.reading.result.steps
    if step is not None and step > last:
        raise Failure(f"This log has steps 0 to {last}; there is no step {step}.", USAGE)
    game = None
    for taken in logs.steps(opened.reading):
        if step is not None and taken.number > step:
            break
        game = taken.game
        if step in (None, taken.number):
            for line in taken.lines:
                click.echo(f"{taken.number:>4}  {line}")
    if game is not None and seats:
        click.echo("")
        click.echo(views.picture(game, seats).status)
        for line in views.drawn(game, seats, width=width):
            click.echo(line)
    if step is None:
        click.echo("")
        for line in result_lines(logs.result(opened.reading.result, str(log))):
            click.echo(line)
    if opened.fault is not None:
        raise opened.fault
