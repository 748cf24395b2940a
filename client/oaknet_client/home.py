"""The home screen and what is wished there: each is run as the command that it is, and home comes back."""

from __future__ import annotations

from dataclasses import replace

import click

from oaknet_client.config import read_config
from oaknet_client.failures import Failure, explain
from oaknet_client.front import ascii_wished, unicode


def stay(ctx: click.Context) -> None:
    """Show the home screen, do what is wished there, and come back, until the person leaves.

    What goes wrong on the way is told at home. What ends the program (`Failure` of a signal) is raised, and
    so is what keeps the home screen itself from being shown.
    """
    from oaknet_client import screen

    notice = ""
    while True:
        config = read_config()
        ascii_only = config.ascii or ascii_wished() or not unicode()
        errand = screen.at_home(replace(config, ascii=ascii_only), notice)
        if errand is None:
            return
        notice = _done(ctx, errand.arguments)


def _done(ctx: click.Context, arguments: tuple[str, ...]) -> str:
    """Run a command line of ours; what went wrong, in words, or nothing."""
    command = ctx.command
    assert isinstance(command, click.Group)
    try:
        name, found, rest = command.resolve_command(ctx, list(arguments))
        assert found is not None, f"{name} is no command"
        with found.make_context(name, rest, parent=ctx) as inner:
            found.invoke(inner)
    except click.ClickException as error:
        return error.format_message()
    except (Exception, BaseExceptionGroup) as error:
        failure = explain(error)
        if failure.status >= 128:
            raise Failure(failure.sentence, failure.status) from error
        return failure.sentence
    return ""
