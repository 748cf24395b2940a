"""The command line. Commands are loaded when they are used; none loads Textual or trio before it must."""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import os
import sys
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NoReturn

import click

from oaknet import __version__
from oaknet_client.failures import FAILED, INTERRUPTED, LOGGERS, Failure, explain, log

COMMANDS = {
    "arena": "oaknet_client.commands.arena",
    "completion": "oaknet_client.commands.completion",
    "export": "oaknet_client.commands.export",
    "demo": "oaknet_client.commands.demo",
    "doctor": "oaknet_client.commands.doctor",
    "host": "oaknet_client.commands.host",
    "identity": "oaknet_client.commands.identity",
    "join": "oaknet_client.commands.join",
    "lan": "oaknet_client.commands.lan",
    "play": "oaknet_client.commands.play",
    "players": "oaknet_client.commands.players",
    "replay": "oaknet_client.commands.replay",
    "resume": "oaknet_client.commands.resume",
    "rules": "oaknet_client.commands.rules",
    "tables": "oaknet_client.commands.tables",
    "verify": "oaknet_client.commands.verify",
    "watch": "oaknet_client.commands.watch",
}
"""Module of each command; the module's ``command`` is the command."""

HOME = """\
oaknet {version}: board games for one to five, without a server

{commands}
Every command tells more with --help.
"""


@dataclass(slots=True)
class Wishes:
    """What holds for the whole run: facts as JSON (an error too), screens in ASCII, and a log file."""

    as_json: bool = False
    ascii: bool = False
    log_file: logging.Handler | None = None


class Root(click.Group):
    """The group of all commands, loaded by name; the one place where errors become sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run a command line and leave with its exit status (`oaknet_client.failures`)."""
        wishes = Wishes()
        extra |= {"standalone_mode": False, "obj": wishes}
        try:
            status = super().main(*args, **extra) or 0
            sys.stdout.flush()
        except click.exceptions.Abort as error:
            interrupted = isinstance(error.__cause__, KeyboardInterrupt)
            status = _fail(Failure("Stopped.", INTERRUPTED if interrupted else FAILED), wishes)
        except click.ClickException as error:
            if wishes.as_json:
                _tell(error.format_message())
            with _perhaps(2):
                error.show()
            status = error.exit_code
        except BrokenPipeError:  # who reads us has had enough
            _deafen(1)
            status = FAILED
        except (Exception, BaseExceptionGroup) as error:
            status = _fail(explain(error), wishes)
        finally:
            if wishes.log_file is not None:
                for name in LOGGERS:
                    logging.getLogger(name).removeHandler(wishes.log_file)
                wishes.log_file.close()
        with _perhaps(1):
            sys.stdout.flush()
        sys.exit(status)


def _fail(failure: Failure, wishes: Wishes) -> int:
    if wishes.as_json:
        _tell(failure.sentence)
    with _perhaps(2):
        click.echo(f"oaknet: {failure.sentence}", err=True)
    return failure.status


def _tell(message: str) -> None:
    with _perhaps(1):
        click.echo(json.dumps({"event": "error", "message": message}))


@contextlib.contextmanager
def _perhaps(stream: int) -> Generator[None, None, None]:
    """Write if anybody reads: a terminal may be gone, a disk full, and there is nobody else to tell."""
    try:
        yield
    except OSError:
        _deafen(stream)


def _deafen(stream: int) -> None:
    """What is still in the buffer goes nowhere, instead of failing when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def platform_facts() -> tuple[str, str]:
    """Python's version and the system's name."""
    import platform

    return platform.python_version(), platform.platform()


def debug(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Write the log file from here on: nothing of it ever reaches the terminal."""
    wishes = ctx.find_object(Wishes)
    if not wanted or wishes is None or wishes.log_file is not None:
        return
    from oaknet_client.config import folders

    path = folders().debug_log
    path.parent.mkdir(parents=True, exist_ok=True)
    wishes.log_file = handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name in LOGGERS:
        logging.getLogger(name).addHandler(handler)
        logging.getLogger(name).setLevel(logging.DEBUG)
    log.debug("oaknet %s, Python %s, %s: %s", __version__, *platform_facts(), sys.argv[1:])


@click.command(
    cls=Root, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="oaknet", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, expose_value=False, callback=debug, help="Write a log file.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw every screen with ASCII alone.")
@click.pass_context
def cli(ctx: click.Context, ascii_only: bool) -> None:
    """Play board games with friends, peer to peer: no server, no host, nobody who could cheat.

    Without a command, the home screen: go on with a table, find one, host, join, play against bots.
    """
    wishes = ctx.find_object(Wishes)
    if wishes is not None:
        wishes.ascii = ascii_only
    if ctx.invoked_subcommand is not None:
        return
    from oaknet_client.front import terminal

    if terminal():
        from oaknet_client.home import stay

        stay(ctx)
    else:
        rows: list[str] = []
        for name in cli.list_commands(ctx):
            command = cli.get_command(ctx, name)
            assert command is not None
            rows.append(f"  oaknet {name:<12}{command.get_short_help_str(60)}\n")
        click.echo(HOME.format(version=__version__, commands="".join(rows)), nl=False)


def main() -> NoReturn:
    """The program."""
    cli.main(prog_name="oaknet")
