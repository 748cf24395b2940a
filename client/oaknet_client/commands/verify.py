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
@click.option("--bisect", is_flag=True, help="Find the first difference between two logs of one table.")
@data_option
@json_option
@debug_option
@click.pass_context
def command(
    ctx: click.Context, files: tuple[Path, ...], bisect: bool, data: Path | None, as_json: bool
) -> None:
    """Check every signature, link, share and move of logs, and play their games again; check proofs of forks.

    The exit status is 0 if all are valid, 4 if one is not, 3 if one needs another version or other rules.
    With --bisect it is 4 if the logs contradict each other.

    \b
    oaknet verify game.oak
    oaknet verify tables/…/forks/7b12….fork
    oaknet verify --bisect mine.oak theirs.oak
    """
    if bisect:
        ctx.exit(_bisect(files, as_json))
    from oaknet_client import files as given
    from oaknet_client.failures import explain
    from oaknet_client.logs import rules_for
    from oaknet_protocol import pool, proof
    from oaknet_protocol.verify import BadLog, verify

    status = 0
    for path in files:
        try:
            content = given.content(path)
            if content.startswith(proof.MAGIC):
                status = max(status, _proof(path, content, as_json))
                continue
            reading = verify(content, rules_for(data), pool.check)
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


def _bisect(files: tuple[Path, ...], as_json: bool) -> int:
    from oaknet_client.bisect import first_difference, sentence
    from oaknet_client.failures import DONE, NOT_VERIFIED, USAGE, Failure
    from oaknet_client.headless import json_line

    if len(files) != 2:
        raise Failure("--bisect compares two logs: oaknet verify --bisect A B.", USAGE)
    found = first_difference(*files)
    click.echo(json_line(found.record()) if as_json else sentence(found, *files))
    return DONE if found.same else NOT_VERIFIED


def _proof(path: Path, content: bytes, as_json: bool) -> int:
    """Check the proof of a fork, and say whom it convicts."""
    from oaknet_client.failures import DONE, NOT_VERIFIED
    from oaknet_client.headless import json_line
    from oaknet_client.words import inert, listed
    from oaknet_protocol.proof import BadProof, checked
    from oaknet_protocol.signing import fingerprint

    try:
        found = checked(content)
    except BadProof as bad:
        if as_json:
            click.echo(
                json_line({"event": "fork", "proof": str(path), "verdict": "invalid", "why": str(bad)})
            )
        click.echo(f"oaknet: {inert(str(path))}: {inert(str(bad))}.", err=True)
        return NOT_VERIFIED
    keys = [key.hex() for key in found.keys]
    facts = {"table": found.table.hex(), "game": found.game, "keys": keys, "names": list(found.names)}
    if as_json:
        place = {"step": found.step, "seat": found.seat}
        verdict = {"event": "fork", "proof": str(path), "verdict": "valid"}
        click.echo(json_line({**verdict, **facts, **place}))
        return DONE
    what = (
        "two charters of one number" if found.step is None else f"two different entries for step {found.step}"
    )
    who = " and ".join(fingerprint(key) for key in found.keys)
    click.echo(f"{inert(str(path))}: proved. {who} ({listed(map(inert, found.names))}) signed {what}")
    click.echo(f"of {inert(found.game)}, table {found.table.hex()}.")
    return DONE


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
