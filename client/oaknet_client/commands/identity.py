"""``oaknet identity``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from oaknet_client.commands.options import debug_option, json_option

FILE = click.Path(path_type=Path, dir_okay=False)


@click.group("identity", invoke_without_command=True, short_help="Your key: show, export, import, rename.")
@json_option
@debug_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Your identity: the key that you are to other players, and the name beside it.

    Without a command it is shown, and made if there is none yet.

    \b
    oaknet identity
    oaknet identity export backup.pem
    oaknet identity rename Ann
    """
    if ctx.invoked_subcommand is None:
        _show(as_json)


@command.command("show")
@json_option
@debug_option
def show(as_json: bool) -> None:
    """Show name, fingerprint and where the key lies."""
    _show(as_json)


def _show(as_json: bool) -> None:
    from oaknet_client.config import folders, read_config
    from oaknet_protocol.identity import Identity

    config = read_config()
    identity = Identity.load_or_make(folders().identity)
    if as_json:
        facts = {
            "name": config.name,
            "fingerprint": identity.fingerprint,
            "key": identity.key.hex(),
            "file": str(identity.path),
        }
        click.echo(json.dumps(facts))
        return
    click.echo(f"name         {config.name}")
    click.echo(f"fingerprint  {identity.fingerprint}")
    click.echo(f"key file     {identity.path}")


@command.command("export")
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Overwrite the file.")
@debug_option
def export(file: Path, force: bool) -> None:
    """Copy the key to FILE: whoever has it is you, so keep it safe."""
    from oaknet_client.config import folders
    from oaknet_protocol.identity import Identity

    identity = Identity.load_or_make(folders().identity)
    identity.export(file, force=force)
    click.echo(f"{identity.fingerprint} is copied to {file}. Whoever has this file is you: keep it safe.")


@command.command("import")
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Replace the key that is here: it is lost then.")
@debug_option
def import_(file: Path, force: bool) -> None:
    """Be the player whose key is in FILE."""
    from oaknet_client.config import folders
    from oaknet_protocol.identity import Identity

    identity = Identity.import_from(file, folders().identity, force=force)
    click.echo(f"You are {identity.fingerprint} now.")


@command.command("rename")
@click.argument("name")
@debug_option
def rename(name: str) -> None:
    """Change the name that others see."""
    from oaknet_client import config

    config.put("name", name)
    click.echo(f"Your name is {name} now.")
