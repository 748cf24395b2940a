"""``oaknet export``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oaknet_client.commands.options import READABLE, data_option, debug_option

if TYPE_CHECKING:
    from oaknet_client.logs import Opened


@click.command("export", short_help="A log as text, JSON, a picture or a page.")
@click.argument("log", type=READABLE)
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "json", "svg", "html"]),
    required=True,
    help="What to make of it.",
)
@click.option("--step", type=click.IntRange(0), metavar="N", help="With svg: the board after this step.")
@click.option("--light", is_flag=True, help="With svg: on a light ground.")
@data_option
@debug_option
def command(log: Path, form: str, step: int | None, light: bool, data: Path | None) -> None:
    """Write a log to standard output: a transcript for people, everything in it for programs, a picture of
    the board, or a page to share on which the whole game can be looked over.

    Of a damaged log the good part is written; the exit status is 4 then.

    \b
    oaknet export game.oak --to text > game.txt
    oaknet export game.oak --to html > game.html
    """
    from oaknet_client.failures import USAGE, Failure
    from oaknet_client.logs import opened

    if form != "svg" and (step is not None or light):
        raise Failure("--step and --light go with --to svg.", USAGE)
    found = opened(log, data)
    if form == "json":
        click.echo(json.dumps(_facts(found), indent=1))
    elif form == "svg":
        click.echo(_picture(found, step, light), nl=False)
    elif form == "html":
        click.echo(_page(found), nl=False)
    else:
        for line in _text(found):
            click.echo(line)
    if found.fault is not None:
        raise found.fault


def _facts(found: Opened) -> dict[str, object]:
    """The documented JSON value: the table, its steps with all answers, and the result."""
    from oaknet_client import logs

    reading = found.reading
    terms = reading.transcript.opening.terms
    seats = logs.rules_seats(reading)
    return {
        "game": terms.game,
        "rules": terms.rules.hex(),
        "engine": terms.engine,
        "options": dict(terms.options),
        "order": [seat.place for seat in seats],
        "steps": [
            {
                "step": step.number,
                "kind": step.kind,
                "answers": [
                    {"seat": logs.place(seats, given.seat), "answer": given.option, "words": given.words}
                    for given in step.given
                ],
            }
            for step in logs.steps(reading)
        ],
        "result": logs.result(reading.result, str(found.path)).record(),
    }


def _text(found: Opened) -> list[str]:
    from oaknet_client import logs
    from oaknet_client.words import inert, listed, result_lines, seat_name

    reading = found.reading
    terms, rules = reading.transcript.opening.terms, reading.transcript.opening.rules
    seats = logs.rules_seats(reading)
    result = logs.result(reading.result, str(found.path))
    lines = [rules.title, f"Table {result.table}"]
    if seats:
        lines.append(
            f"Players, in the order of play: {listed(seat_name(seats, i) for i in range(len(seats)))}"
        )
    lines += [f"Option {inert(name)}: {inert(value)}" for name, value in terms.options]
    lines.append("")
    for step in logs.steps(reading):
        lines += [f"{step.number:>4}  {line}" for line in step.lines]
    return [*lines, "", *result_lines(result), f"Transcript {result.transcript}"]


WIDTH = 132
"""Cells of a picture of the board."""


def _picture(found: Opened, step: int | None, light: bool) -> str:
    """The board after a step, by default the last one."""
    from oaknet_client import boards
    from oaknet_client.boards.layout import pages
    from oaknet_client.boards.svg import svg
    from oaknet_client.failures import USAGE, Failure
    from oaknet_client.replays import replay
    from oaknet_client.words import seat_name

    game = replay(found)
    last = game.positions[-1]
    at = last if step is None else next((p for p in game.positions if p.number == step), None)
    if at is None:
        raise Failure(f"This log has steps 0 to {last.number}; there is no step {step}.", USAGE)
    if not game.seats:
        raise Failure("This log ends before anybody has a seat; there is no board to draw.")
    names = ", ".join(seat_name(game.seats, seat) for seat in range(len(game.seats)))
    (drawn,) = pages(boards.blocks(at.game, game.seats, None), WIDTH, 10_000)
    where = f"after step {at.number}" + (f", {at.chapter}" if at.chapter else "")
    return svg(drawn, [f"{game.title}: {names}", where], dark=not light)


def _page(found: Opened) -> str:
    from oaknet_client.boards.page import page
    from oaknet_client.failures import Failure
    from oaknet_client.replays import replay

    game = replay(found)
    if not game.seats:
        raise Failure("This log ends before anybody has a seat; there is nothing to look over.")
    return page(game)
