"""What can be gone on with, looked over or joined, as errands: my tables, and those nearby."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import trio

from oaknet import registry
from oaknet_client.config import folders
from oaknet_client.errand import Errand
from oaknet_client.feed import Command, Emit
from oaknet_client.inert import inert
from oaknet_client.players import FILE, Players
from oaknet_client.shelf import SHORT, Kept, tables
from oaknet_client.words import listed
from oaknet_protocol.announcement import OpenTable
from oaknet_protocol.discovery import Found, Lan, Seen
from oaknet_protocol.journal import LOG


@dataclass(frozen=True, slots=True)
class Mine:
    """My tables, the one changed last first: those to go on with, and the finished ones to look over.

    ``trouble`` says why there are none, where the folder cannot be read.
    """

    unfinished: tuple[Errand, ...] = ()
    finished: tuple[Errand, ...] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Nearby:
    """The open tables in the local network; ``others`` counts the private ones, ``trouble`` is a sentence."""

    tables: tuple[Errand, ...] = ()
    others: int = 0
    trouble: str = ""


News = Mine | Nearby


def mine() -> Mine:
    """My tables as they lie on the disk; raises `OSError`."""
    kept = tables(folders().tables)
    return Mine(
        tuple(_resume(one) for one in kept if one.state != "finished"),
        tuple(_replay(one) for one in kept if one.state == "finished"),
    )


def _resume(kept: Kept) -> Errand:
    stage = "waiting for players" if kept.state == "lobby" else f"step {kept.step}"
    return Errand(("resume", kept.table.hex()), _about(kept), f"{stage}, since {_when(kept)}")


def _replay(kept: Kept) -> Errand:
    path = str(kept.stored.folder / LOG)
    return Errand(("replay", "--", path), _about(kept), f"{kept.step} steps, {_when(kept)}")


def _about(kept: Kept) -> str:
    """``Oak with Ben and Cid``: the game, and who else sits there."""
    own = [seat.name for seat in kept.notes.seats]
    others = [inert(name) for name in kept.names if name not in own]
    return f"{title(kept.terms.game)} with {listed(others)}" if others else title(kept.terms.game)


def _when(kept: Kept) -> str:
    return f"{kept.changed.astimezone():%Y-%m-%d %H:%M}"


@functools.cache
def title(game: str) -> str:
    """The name that people use for a game; its wire name if it is none of ours."""
    return registry.rules(game).title if game in registry.games() else inert(game)


def nearby(seen: Seen) -> Nearby:
    """What answers nearby, without the tables at which we sit and those of players who are blocked."""
    known = Players.read(folders().data / FILE)
    sat = {kept.table[:16] for kept in tables(folders().tables)}
    found: list[Errand] = []
    for one in seen.tables:
        if isinstance(one.table, OpenTable) and one.table.table not in sat:
            who = known.by_hash(one.table.opener)
            if who is None or not who.blocked:
                found.append(_join(one, one.table, "" if who is None else who.name))
    others = sum(not isinstance(one.table, OpenTable) for one in seen.tables)
    return Nearby(tuple(found), others, seen.trouble)


def _join(found: Found, table: OpenTable, known: str) -> Errand:
    who = f"{inert(known)}, whom you know" if known else f"who says to be {inert(table.name)}"
    free = f"{table.free} of {table.seats} seats free"
    short = table.table.hex()[:SHORT]
    return Errand(("lan", "--", table.table.hex()), f"{title(table.game)}: {free}", f"{short}, by {who}")


@dataclass(frozen=True, slots=True)
class Search:
    """Looks for tables nearby until cancelled: a feed that tells whole pictures and takes no commands."""

    tell: Callable[[Nearby], None]

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Raises what cannot be mended (`oaknet_client.feed.Feed`)."""
        lan = Lan()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lan.run)
            async for seen in lan.seen:
                self.tell(await trio.to_thread.run_sync(nearby, seen))
