"""``oaknet play``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from oaknet_client.commands.options import (
    BotName,
    GameName,
    ascii_option,
    data_option,
    debug_option,
    json_option,
    pairs,
    table_options,
)


@click.command("play", short_help="You, others at this keyboard, and bots; no network.")
@click.argument("game", type=GameName(), default="oak")
@click.option("--players", type=int, metavar="N", help="Seats in all; empty ones go to bots.")
@click.option(
    "--seat", "places", multiple=True, metavar="WHO", help="you, you:NAME or bot:NAME; in this order."
)
@click.option("--bot", "bots", multiple=True, type=BotName(), help="A bot against you; as often as wanted.")
@table_options
@data_option
@click.option("--headless", is_flag=True, help="Bots only, no screen: print what happens.")
@click.option("--plain", is_flag=True, help="Numbered lines instead of a screen.")
@ascii_option
@json_option
@debug_option
@click.option("--seed", hidden=True, help="Draws and bots from this text instead of from chance.")
def command(
    game: str,
    players: int | None,
    places: tuple[str, ...],
    bots: tuple[str, ...],
    options: tuple[str, ...],
    data: Path | None,
    headless: bool,
    plain: bool,
    ascii_only: bool,
    as_json: bool,
    seed: str | None,
) -> None:
    """Play at this keyboard, against bots or with others, without a network.

    \b
    oaknet play five_towers --players 3
    oaknet play five_towers --seat you:Ann --seat you:Ben --bot greedy
    """
    from oaknet.kernel.rules import checked_options
    from oaknet_client.config import read_config
    from oaknet_client.front import chosen, run
    from oaknet_client.games import loaded
    from oaknet_client.local import Local
    from oaknet_client.places import seated

    front = chosen(headless=headless, plain=plain, as_json=as_json, ascii_only=ascii_only)
    rules, wishes = loaded(game, data), pairs(options)
    config = read_config()
    seats = seated(rules, places, bots, players, name=config.name, headless=front.headless)
    settings = checked_options(rules, len(seats), wishes)
    entropy = os.urandom(32) if seed is None else seed.encode()

    def again(_: object) -> Local:
        return Local(rules, seats, settings, os.urandom(32))

    run(Local(rules, seats, settings, entropy), front, config, again)
