"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from click.shell_completion import CompletionItem

from oaknet_client.failures import USAGE, Failure
from oaknet_client.main import Wishes as Whole
from oaknet_client.main import debug

if TYPE_CHECKING:
    from oaknet_client.front import Front
    from oaknet_client.seating import Wishes

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
    wishes = ctx.find_object(Whole)
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


def seat_options(command: F) -> F:
    """``--seat WHO`` and ``--bot NAME``: who plays the seats taken here."""
    bot = click.option("--bot", "bots", multiple=True, type=BotName(), help="A bot here, beside the others.")
    places = click.option(
        "--seat",
        "places",
        multiple=True,
        metavar="WHO",
        help="you, you:NAME or bot:NAME; one for each seat here.",
    )
    return places(bot(command))


def front_options(command: F) -> F:
    """``--headless`` and ``--plain``: where there is no screen."""
    plain = click.option("--plain", is_flag=True, help="Numbered lines instead of a screen.")
    headless = click.option("--headless", is_flag=True, help="No screen: print what happens.")
    return headless(plain(command))


def network_options(command: F) -> F:
    """``--port``, ``--no-lan`` and ``--absent``: how a table with others is played."""
    absent = click.option(
        "--absent",
        type=click.Choice(["go-on", "wait"]),
        help="Who stays away: go on without them, or wait. By default you are asked; bots go on.",
    )
    lan = click.option("--no-lan", is_flag=True, help="Do not use the local network's announcements.")
    port = click.option(
        "--port", type=click.IntRange(1, 65535), metavar="P", help="Listen at this port, and remember it."
    )
    return port(lan(absent(command)))


class TableId(click.ParamType[str]):
    """The beginning of a table's id; completes to the tables there are."""

    name = "table"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from oaknet_client.config import folders
        from oaknet_client.shelf import tables

        kept = tables(folders().tables)
        return [CompletionItem(one.short) for one in kept if one.short.startswith(incomplete)]


def wished(
    *,
    port: int | None,
    no_lan: bool,
    data: Path | None,
    absent: str | None,
    front: Front,
    router: bool = False,
) -> Wishes:
    """What holds for a table with others, from these options; a port that is given is remembered."""
    from oaknet_client import seating
    from oaknet_client.config import read_config, remember_port

    if port is not None:
        remember_port(port)
    default = "go-on" if front.headless else "ask"
    policy = {"go-on": "go-on", "wait": "wait", None: default}[absent]
    return seating.Wishes(read_config(), port, not no_lan, data, policy, router)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


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
