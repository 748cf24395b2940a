"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click
from click.shell_completion import CompletionItem

from oaknet_client.failures import USAGE, Failure
from oaknet_client.main import Wishes, debug

F = TypeVar("F", bound=Callable[..., object])
READABLE = click.Path(path_type=Path, dir_okay=False)


class GameName(click.ParamType[str]):
    """The name of a game; completes to those there are."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from oaknet.registry import games

        return [CompletionItem(game) for game in games() if game.startswith(incomplete)]


class BotName(click.ParamType[str]):
    """The name of a bot; completes to those there are."""

    name = "bot"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from oaknet.bots import BOTS

        return [CompletionItem(bot) for bot in BOTS if bot.startswith(incomplete)]


def _note_json(ctx: click.Context, _: click.Parameter, wanted: bool) -> bool:
    wishes = ctx.find_object(Wishes)
    if wanted and wishes is not None:
        wishes.as_json = True
    return wanted


def debug_option(command: F) -> F:
    """``--debug``, as the whole program has it, after the command's name too."""
    return click.option(
        "--debug", is_flag=True, expose_value=False, callback=debug, help="Write a log file."
    )(command)


def json_option(command: F) -> F:
    """``--json``: one JSON value, or one JSON object a line."""
    return click.option(
        "--json", "as_json", is_flag=True, is_eager=True, callback=_note_json, help="Print JSON."
    )(command)


def ascii_option(command: F) -> F:
    """``--ascii``: a screen of ASCII alone."""
    return click.option("--ascii", "ascii_only", is_flag=True, help="Draw the screen with ASCII alone.")(
        command
    )


def data_option(command: F) -> F:
    """``--data FILE``: another data file for the game."""
    return click.option("--data", type=READABLE, help="Another data file for the game.")(command)


def table_options(command: F) -> F:
    """``--option K=V``, as often as wanted."""
    return click.option(
        "--option", "options", multiple=True, metavar="K=V", help="A table option of the game."
    )(command)


def pairs(options: Sequence[str]) -> dict[str, str]:
    """Table options as given: ``K=V`` each; raises `Failure` for anything else and for a name given twice."""
    found: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or not name or name in found:
            raise Failure(f"--option {option}: write each option once, as NAME=VALUE.", USAGE)
        found[name] = value
    return found
