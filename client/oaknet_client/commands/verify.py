"""``oaknet verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from oaknet_client.commands.options import READABLE, data_option, debug_option, json_option

if TYPE_CHECKING:
    from oaknet_client.failures import Failure
    from oaknet_protocol.verify import BadLog, Reading


@click.command("verify", short_help="Check logs completely, without a network.")
@click.argument("files", type=READABLE, nargs=-1, required=True, metavar="FILE…")
@data_option
@json_option
@debug_option
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], data: Path | None, as_json: bool) -> None:
    """Check every signature, link, share and move of logs, and play their games again.

    The exit status is 0 if all are valid, 4 if one is not, 3 if one needs another version or other rules.

    \b
    oaknet verify game.oak
    """
    from oaknet_client.failures import explain
    from oaknet_client.logs import rules_for
    from oaknet_protocol.verify import BadLog, verify

    status = 0
    for path in files:
        try:
            reading = verify(path.read_bytes(), rules_for(data))
        except BadLog as fault:
            status = max(status, fault.status)
            _bad(path, fault, as_json)
        except OSError as error:
            failure = explain(error)
            status = max(status, failure.status)
            _unreadable(path, failure, as_json)
        else:
            _good(path, reading, as_json)
    ctx.exit(status)


def _good(path: Path, reading: Reading, as_json: bool) -> None:
    from oaknet_client.headless import json_line
    from oaknet_client.logs import result
    from oaknet_client.words import inert, listed, result_lines, seat_name
    from oaknet_protocol.signing import fingerprint

    found = reading.result
    shown = result(found, str(path))
    if as_json:
        click.echo(json_line({**shown.record(), "verdict": "valid"}))
        return
    rules = reading.transcript.opening.rules
    click.echo(f"{inert(str(path))}: valid, {reading.records} entries in {found.steps} steps.")
    click.echo(f"{rules.title}, table {shown.table}")
    for line in result_lines(shown):
        click.echo(line)
    for seat, who in enumerate(found.seats):
        click.echo(f"  {seat_name(shown.seats, seat)}: key {fingerprint(who.key)}")
    if found.confirmed:
        click.echo(f"result signed by {listed(seat_name(shown.seats, seat) for seat in found.confirmed)}")
    click.echo(f"transcript {shown.transcript}")
    click.echo(f"digest     {shown.digest}")


def _bad(path: Path, fault: BadLog, as_json: bool) -> None:
    from oaknet_client.headless import json_line
    from oaknet_client.logs import result
    from oaknet_client.words import inert

    if as_json:
        record = result(fault.result, str(path)).record() if fault.result is not None else {}
        verdict = {
            "event": "result",
            "log": str(path),
            "verdict": "other version" if fault.status == 3 else "invalid",
            "step": fault.step,
            "kind": fault.kind,
            "why": fault.why,
        }
        click.echo(json_line({**record, **verdict}))
    click.echo(f"oaknet: {inert(str(path))}: {inert(str(fault))}", err=True)


def _unreadable(path: Path, failure: Failure, as_json: bool) -> None:
    from oaknet_client.headless import json_line

    if as_json:
        click.echo(json_line({"event": "error", "message": failure.sentence, "log": str(path)}))
    click.echo(f"oaknet: {failure.sentence}", err=True)
