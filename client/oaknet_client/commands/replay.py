"""``oaknet replay``."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oaknet_client.commands.options import READABLE, ascii_option, data_option, debug_option

if TYPE_CHECKING:
    from oaknet_client.logs import Opened


@click.command("replay", short_help="Look a game over, step by step.")
@click.argument("log", type=READABLE)
@click.option("--step", type=click.IntRange(0), metavar="N", help="Show this step and the board after it.")
@click.option("--plain", is_flag=True, help="The steps in words instead of a screen.")
@ascii_option
@data_option
@debug_option
def command(log: Path, step: int | None, plain: bool, ascii_only: bool, data: Path | None) -> None:
    """Look a game over on the board, forwards and back; begins at a step if one is named.

    With --plain, and where there is no terminal, the steps are told in words, or one of them with the board
    after it. Of a damaged log the good part is shown; the exit status is 4 then.

    \b
    oaknet replay game.oak
    oaknet replay game.oak --step 40 --plain
    """
    from oaknet_client import logs, views
    from oaknet_client.failures import USAGE, Failure
    from oaknet_client.front import terminal
    from oaknet_client.words import result_lines

    opened = logs.opened(log, data)
    seats = logs.rules_seats(opened.reading)
    width = max(40, shutil.get_terminal_size((80, 24)).columns)
    last = opened.reading.result.steps
    if step is not None and step > last:
        raise Failure(f"This log has steps 0 to {last}; there is no step {step}.", USAGE)
    if terminal() and not plain and seats:
        _screen(opened, -1 if step is None else step, ascii_only)
        return
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


def _screen(opened: Opened, step: int, ascii_only: bool) -> None:
    """Show the log on a screen, from the position after a step on; then say what is wrong with it, if
    anything is."""
    from dataclasses import replace

    from oaknet_client.config import read_config
    from oaknet_client.front import ascii_wished, unicode
    from oaknet_client.replays import replay
    from oaknet_client.screen import look_over

    config = read_config()
    found = replay(opened)
    at = next((i for i, position in enumerate(found.positions) if position.number == step), 0)
    look_over(found, replace(config, ascii=config.ascii or ascii_only or ascii_wished() or not unicode()), at)
    if opened.fault is not None:
        raise opened.fault
