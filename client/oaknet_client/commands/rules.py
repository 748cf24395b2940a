"""``oaknet rules``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from oaknet_client.commands.options import READABLE, data_option, debug_option, json_option

if TYPE_CHECKING:
    from oaknet.kernel import Rules
    from oaknet.kernel.lookup import Entry


class Words(click.ParamType[str]):
    """The name of a game, then that of an entry; completes to both."""

    name = "text"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from oaknet import registry
        from oaknet_client.lookup import folded

        given: tuple[str, ...] = ctx.params.get("words") or ()
        if not given:
            return [CompletionItem(game) for game in registry.games() if game.startswith(incomplete)]
        found = registry.entries(registry.rules(given[0])) if given[0] in registry.games() else ()
        return [CompletionItem(e.name) for e in found if folded(e.name).startswith(folded(incomplete))]


@click.command("rules", short_help="Look up a rule, a card or a tile.")
@click.argument("words", type=Words(), nargs=-1, metavar="[GAME] [NAME]")
@click.option("--log", type=READABLE, help="The log of a table: also say who has it there.")
@data_option
@json_option
@debug_option
def command(words: tuple[str, ...], log: Path | None, data: Path | None, as_json: bool) -> None:
    """Look up a rule, a card or a tile in our own words, with its numbers and where each comes from.

    Without a name: what can be looked up. A chapter's name shows all of it.

    \b
    oaknet rules oak
    oaknet rules oak golden kettle
    oaknet rules five_towers auction
    oaknet rules orders --log game.oak
    """
    from oaknet import registry
    from oaknet_client import lookup
    from oaknet_client.games import loaded

    game, name = (words[0], words[1:]) if words[:1] and words[0] in registry.games() else ("", words)
    table = None if log is None else lookup.table(log, data, game)
    rules = loaded(game or "oak", data) if table is None else table.rules
    entries = registry.entries(rules)
    found = lookup.named(rules, entries, " ".join(name)) if name else list(entries)
    if as_json:
        click.echo(json.dumps([lookup.record(rules, entry, table) for entry in found]))
    elif name:
        click.echo("\n\n".join(["\n".join(lookup.page(rules, entry, table)) for entry in found]))
        marks = lookup.marks(rules, found)
        if marks:
            click.echo("\n" + "\n".join(marks))
    else:
        _contents(rules, found)


def _contents(rules: Rules[Any], entries: list[Entry]) -> None:
    """Chapters with the names in them."""
    from textwrap import fill

    if not entries:
        click.echo(f"There is nothing to look up about {rules.title}.")
        return
    click.echo(f"{rules.title}: what can be looked up")
    for chapter in dict.fromkeys(entry.chapter for entry in entries):
        names = ", ".join(entry.name for entry in entries if entry.chapter == chapter)
        click.echo("\n" + fill(f"{chapter}: {names}", 78, subsequent_indent="  "))
