"""``oaknet arena``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click

from oaknet_client.commands.options import (
    GameName,
    data_option,
    debug_option,
    json_option,
    pairs,
    table_options,
)


@click.command("arena", short_help="Bots against bots: who wins how often.")
@click.argument("game", type=GameName(), default="oak")
@click.option(
    "--bots", default="greedy,random", metavar="A,B,…", help="The bots, one a seat.", show_default=True
)
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, metavar="N", show_default=True)
@click.option("--workers", type=click.IntRange(1, 256), metavar="W", help="Processes; by default one a core.")
@click.option("--balance", is_flag=True, help="Also means and spreads: points, where from, by seat and more.")
@table_options
@data_option
@json_option
@debug_option
@click.option("--seed", hidden=True, help="Draws and bots from this text instead of from chance.")
def command(
    game: str,
    bots: str,
    games: int,
    workers: int | None,
    balance: bool,
    options: tuple[str, ...],
    data: Path | None,
    as_json: bool,
    seed: str | None,
) -> None:
    """Let bots play each other and show how often each wins, with 95 % confidence intervals.

    \b
    oaknet arena five_towers --bots greedy,random --games 200
    oaknet arena oak --bots greedy,greedy --games 200 --balance
    """
    from oaknet.bots import bot
    from oaknet.kernel.rules import checked_options
    from oaknet_client import arena
    from oaknet_client.balance import lines, tables
    from oaknet_client.games import loaded

    rules = loaded(game, data)
    names = tuple(name.strip() for name in bots.split(","))
    for name in names:
        bot(name, game)
    settings = checked_options(rules, len(names), pairs(options))
    entropy = os.urandom(32) if seed is None else seed.encode()
    text = None if data is None else data.read_text(encoding="utf-8")
    plan = list(arena.pairings(game, text, settings, names, games, entropy))
    bar = click.progressbar(length=games, label="Games", file=sys.stderr, hidden=not sys.stderr.isatty())
    with bar:
        results = arena.run(plan, min(workers or os.cpu_count() or 1, games), lambda: bar.update(1))
    table = arena.standings(results)
    if as_json:
        facts: dict[str, object] = {"game": game, "games": games, "bots": [row.record() for row in table]}
        if balance:
            facts["balance"] = {
                group: {column.name: column.record() for column in columns}
                for group, columns in tables(results).items()
            }
        click.echo(json.dumps(facts))
        return
    width = max(6, *(len(row.bot) for row in table))
    click.echo(f"{rules.title}, {games} games, {len(names)} seats; in brackets: 95 %")
    click.echo(f"{'bot':<{width}}  {'won':>7}  {'':15}  {'points':>7}")
    for row in table:
        span = f"[{row.low:.1%} {row.high:.1%}]"
        click.echo(f"{row.bot:<{width}}  {row.share:>7.1%}  {span:<15}  {row.score:>7.1f} ±{row.spread:.1f}")
    if balance:
        click.echo("\n" + "\n".join(lines(results)))
