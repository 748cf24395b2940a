"""``oaknet doctor``."""

from __future__ import annotations

import json

import click

from oaknet_client.commands.options import debug_option, json_option

SIGNS = {"good": "ok", "poor": "--", "bad": "!!", "unknown": "??"}


@click.command("doctor", short_help="What works here, and what to do about the rest.")
@json_option
@debug_option
def command(as_json: bool) -> None:
    """Find out what works here: addresses, port, router, tables nearby, terminal, folders, clock.

    Nothing is changed, and nobody outside your local network is asked. The exit status is 0 whatever is
    found; --json prints one object a line: check, state (good, poor, bad, unknown), says, advice.

    \b
    oaknet doctor
    """
    from oaknet_client.doctor import examine

    for finding in examine():
        if as_json:
            click.echo(json.dumps(finding.record()))
            continue
        click.echo(f"{SIGNS[finding.state]}  {finding.check:<13}  {finding.says}")
        if finding.advice:
            click.echo(f"{'':19}{finding.advice}")
