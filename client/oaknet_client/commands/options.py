"""Options and arguments that several commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from click.shell_completion import CompletionItem

from oaknet_client.failures import USAGE, Failure
from oaknet_client.main import Wishes as Whole
from oaknet_client.main import debug

if TYPE_CHECKING:
    from oaknet_client.front import Front
    from oaknet_client.questions import Policy
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


@dataclass(frozen=True, slots=True)
class Company:
    """How a table with others is played and shown, as the options of `company_options` say."""

    data: Path | None
    port: int | None
    no_lan: bool
    absent: Policy | None
    headless: bool
    plain: bool
    as_json: bool

    def front(self) -> Front:
        """The front end that was wished for; raises `Failure`."""
        from oaknet_client.front import chosen

        return chosen(headless=self.headless, plain=self.plain, as_json=self.as_json)

    def wishes(self, *, router: bool = False, watching: bool = False) -> Wishes:
        """What holds for the table; a port that is given is remembered. Who only watches is not asked whether
        to go on without somebody."""
        from oaknet_client import seating
        from oaknet_client.config import put, read_config

        if self.port is not None:
            put("port", self.port)
        unasked: Policy = "wait" if watching else "go-on" if self.headless else "ask"
        policy = self.absent or unasked
        return seating.Wishes(read_config(), self.port, not self.no_lan, self.data, policy, router)


def company_options(command: Callable[..., object]) -> Callable[..., object]:
    """What every table with others takes, handed to the command as one ``company``: ``--data``, ``--port``,
    ``--no-lan``, ``--absent``, ``--headless``, ``--plain``, ``--json`` and ``--debug``."""

    @functools.wraps(command)
    def gathered(
        *,
        data: Path | None,
        port: int | None,
        no_lan: bool,
        absent: Policy | None,
        headless: bool,
        plain: bool,
        as_json: bool,
        **others: object,
    ) -> object:
        return command(company=Company(data, port, no_lan, absent, headless, plain, as_json), **others)

    options = (
        data_option,
        click.option(
            "--port", type=click.IntRange(1, 65535), metavar="P", help="Listen at this port, and remember it."
        ),
        click.option("--no-lan", is_flag=True, help="Do not use the local network's announcements."),
        click.option(
            "--absent",
            type=click.Choice(["go-on", "wait"]),
            help="Who stays away: go on without them, or wait. By default you are asked; bots go on.",
        ),
        click.option("--headless", is_flag=True, help="No screen: print what happens."),
        click.option("--plain", is_flag=True, help="Numbered lines instead of a screen."),
        json_option,
        debug_option,
    )
    made: Callable[..., object] = gathered
    for option in reversed(options):
        made = option(made)
    return made


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
