"""``oaknet arena``."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oaknet_client.commands.options import (
    GameName,
    data_option,
    debug_option,
    json_option,
    pairs,
    table_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oaknet_client.arena import Pairing, Played, Standing
    from oaknet_client.ratings import Rating


@click.command("arena", short_help="Bots against bots: who wins how often.")
@click.argument("game", type=GameName(), default="oak")
@click.option("--bots", default="greedy,random", metavar="A,B,…", help="The bots.", show_default=True)
@click.option(
    "--seats",
    type=click.IntRange(1, 8),
    metavar="N",
    help="Bots at a table, every choice of them; by default all at one.",
)
@click.option(
    "--games", type=click.IntRange(1, 1_000_000), default=100, metavar="N", show_default=True, help="A table."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.001, 3600),
    metavar="S",
    help="Processor time that easy, normal and hard have for an answer at most.",
)
@click.option("--workers", type=click.IntRange(1, 256), metavar="W", help="Processes; by default one a core.")
@click.option("--cluster", metavar="tcp://…", help="Play on the workers of this dask.distributed scheduler.")
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the games here as they end, and go on with those that are there.",
)
@click.option("--balance", is_flag=True, help="Also means and spreads: points, where from, by seat and more.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the table as CSV.")
@table_options
@data_option
@json_option
@debug_option
@click.option("--seed", hidden=True, help="Draws and bots from this text instead of from chance.")
def command(
    game: str,
    bots: str,
    seats: int | None,
    games: int,
    seconds: float | None,
    workers: int | None,
    cluster: str | None,
    results: Path | None,
    balance: bool,
    as_csv: bool,
    options: tuple[str, ...],
    data: Path | None,
    as_json: bool,
    seed: str | None,
) -> None:
    """Let bots play each other and show how often each wins and its Elo rating, with 95 % confidence.

    \b
    oaknet arena five_towers --bots greedy,random --games 200
    oaknet arena oak --bots hard,greedy --seconds 0.2 --results hard.jsonl
    oaknet arena oak --bots easy,normal,greedy,random --seats 2
    oaknet arena oak --bots greedy,greedy --games 200 --balance
    """
    from oaknet.bots import bot
    from oaknet.kernel.rules import checked_options
    from oaknet_client import arena, files
    from oaknet_client.balance import lines, tables
    from oaknet_client.failures import USAGE, Failure
    from oaknet_client.games import loaded
    from oaknet_client.ratings import ratings
    from oaknet_client.results import seed_of

    rules = loaded(game, data)
    names = tuple(name.strip() for name in bots.split(","))
    for name in names:
        bot(name, game)
    company = seats or len(names)
    if company > len(names):
        raise Failure(f"{len(names)} bots cannot fill {company} seats; name more in --bots.", USAGE)
    settings = checked_options(rules, company, pairs(options))
    if seed is None:
        seed = (seed_of(results) if results else None) or os.urandom(16).hex()
    text = None if data is None else files.text(data)
    plan = list(
        arena.pairings(game, text, settings, names, games, seed.encode(), seats=company, seconds=seconds or 0)
    )
    played = _play(plan, workers or os.cpu_count() or 1, cluster, results, seed)
    table, elo = arena.standings(played), ratings(played, company)
    records = [{**row.record(), **elo[row.bot].record()} for row in table]
    if as_json:
        facts: dict[str, object] = {"game": game, "games": len(played), "bots": records}
        if balance:
            facts["balance"] = {
                group: {column.name: column.record() for column in columns}
                for group, columns in tables(played).items()
            }
        click.echo(json.dumps(facts))
        return
    if as_csv:
        click.echo(_csv(records), nl=False)
        return
    click.echo(f"{rules.title}, {len(played)} games, {company} seats; in brackets: 95 %")
    for line in _table(table, elo):
        click.echo(line)
    if balance:
        click.echo("\n" + "\n".join(lines(played)))


def _play(
    plan: Sequence[Pairing], workers: int, cluster: str | None, path: Path | None, seed: str
) -> list[Played]:
    """Play what has not been played, showing how far it is; the games in the order of the plan."""
    from oaknet_client import runners
    from oaknet_client.results import Results

    record = {"seed": seed, "plan": _described(plan)}
    kept = Results(path, record) if path else None
    found = dict(kept.played) if kept else {}
    left = [number for number in range(len(plan)) if number not in found]
    jobs = [plan[number] for number in left]
    bar = click.progressbar(length=len(plan), label="Games", file=sys.stderr, hidden=not sys.stderr.isatty())
    try:
        with bar:
            bar.update(len(plan) - len(left))
            games = runners.cluster(jobs, cluster) if cluster else runners.local(jobs, workers)
            for index, played in games:
                found[left[index]] = played
                if kept:
                    kept.note(left[index], played)
                bar.update(1)
    finally:
        if kept:
            kept.close()
    return [found[number] for number in range(len(plan))]


def _described(plan: Sequence[Pairing]) -> str:
    """A fingerprint of everything that decides the games."""
    import hashlib

    from oaknet import registry
    from oaknet.kernel.rules import rules_digest

    rules = rules_digest(registry.rules(plan[0].game, plan[0].data)).hex()
    parts = [rules, *(repr((pair.options, pair.bots, pair.seed, pair.seconds)) for pair in plan)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _table(table: Sequence[Standing], elo: dict[str, Rating]) -> list[str]:
    width = max(6, *(len(row.bot) for row in table))
    rows = [f"{'bot':<{width}}  {'won':>7}  {'':15}  {'Elo':>5}  {'':13}  {'points':>7}"]
    for row in table:
        span, rating = f"[{row.low:.1%} {row.high:.1%}]", elo[row.bot]
        reach = f"[{rating.low:+.0f} {rating.high:+.0f}]"
        rows.append(
            f"{row.bot:<{width}}  {row.share:>7.1%}  {span:<15}  {rating.elo:>+5.0f}  {reach:<13}"
            f"  {row.score:>7.1f} ±{row.spread:.1f}"
        )
    return rows


def _csv(records: Sequence[dict[str, Any]]) -> str:
    """One line a bot; the ends of an interval in columns of their own."""
    flat: list[dict[str, object]] = []
    for record in records:
        flat.append({})
        for key, value in record.items():
            if isinstance(value, list):
                flat[-1][f"{key}_low"], flat[-1][f"{key}_high"] = value
            else:
                flat[-1][key] = value
    out = io.StringIO()
    writer = csv.DictWriter(out, list(flat[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return out.getvalue()
