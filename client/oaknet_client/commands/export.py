"""``oaknet export``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oaknet_client.commands.options import READABLE, data_option, debug_option

if TYPE_CHECKING:
    from oaknet_client.logs import Opened


@click.command("export", short_help="A log as readable text or as JSON.")
@click.argument("log", type=READABLE)
@click.option("--to", "form", type=click.Choice(["text", "json"]), required=True, help="What to make of it.")
@data_option
@debug_option
def command(log: Path, form: str, data: Path | None) -> None:
    """Write a log to standard output: a transcript for people, or everything in it for programs.

    Of a damaged log the good part is written; the exit status is 4 then.

    \b
    oaknet export game.oak --to text > game.txt
    """
    from oaknet_client.logs import opened

    found = opened(log, data)
    if form == "json":
        click.echo(json.dumps(_facts(found), indent=1))
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
