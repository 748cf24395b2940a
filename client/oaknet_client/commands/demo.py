"""``oaknet demo``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from oaknet_client.commands.options import (
    GameName,
    ascii_option,
    data_option,
    debug_option,
    json_option,
    pairs,
    table_options,
)


@click.command("demo", short_help="A whole game between real peers on this machine.")
@click.option("--game", type=GameName(), default="oak", show_default=True, help="Which game.")
@click.option("--players", type=int, metavar="N", help="Seats, one peer each; by default as many as fit.")
@click.option("--bot", default="greedy", show_default=True, help="Who plays the other seats.")
@table_options
@data_option
@click.option("--headless", is_flag=True, help="Nobody plays: print what happens.")
@click.option("--plain", is_flag=True, help="Numbered lines instead of a screen.")
@ascii_option
@json_option
@debug_option
def command(
    game: str,
    players: int | None,
    bot: str,
    options: tuple[str, ...],
    data: Path | None,
    headless: bool,
    plain: bool,
    ascii_only: bool,
    as_json: bool,
) -> None:
    """Play a whole game between real peers on this machine.

    Every seat is a peer in a process of its own; they meet over TLS, draw together, and each keeps a signed
    log, which is verified in the end. You have one seat, bots the others; where there is no terminal, bots
    have all.

    \b
    oaknet demo
    oaknet demo --game five_towers --players 3
    oaknet demo --headless --json
    """
    from oaknet.kernel.rules import checked_options
    from oaknet_client import files
    from oaknet_client.config import folders, read_config
    from oaknet_client.demo import Demo
    from oaknet_client.front import chosen, run, terminal
    from oaknet_client.games import loaded
    from oaknet_client.places import seated

    if not terminal() and not plain:
        headless = True
    front = chosen(headless=headless, plain=plain, as_json=as_json, ascii_only=ascii_only)
    rules, wishes = loaded(game, data), pairs(options)
    config = read_config()
    count = min(4, rules.seats[-1]) if players is None else players
    first = (f"bot:{bot}",) if front.headless else ()
    seats = seated(rules, first, [bot] * (count - 1), count, name=config.name, headless=front.headless)
    settings = checked_options(rules, len(seats), wishes)
    text = None if data is None else files.text(data)
    home = folders().data / "demo"
    home.mkdir(parents=True, exist_ok=True)

    tables: list[Demo] = []

    def table(_: object = None) -> Demo:
        folder = Path(tempfile.mkdtemp(prefix="table-", dir=home))
        tables.append(Demo(rules, seats, settings, folder, text))
        return tables[-1]

    if run(table(), front, config, table) is None:
        click.echo(f"You have left the table. Every peer's log up to there is in {tables[-1].folder}.")
