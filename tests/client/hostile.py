"""A table, and a home, whose every text is hostile: ``python -m tests.client.hostile`` shows the table."""

from __future__ import annotations

import trio
from textual.pilot import Pilot

from oaknet import registry
from oaknet.kernel import Game, Rng, resolve
from oaknet_client.around import Mine, Nearby
from oaknet_client.config import Config
from oaknet_client.errand import Errand
from oaknet_client.feed import (
    Asked,
    Command,
    Emit,
    Ended,
    Forked,
    Invited,
    Lobby,
    Note,
    Peer,
    Question,
    Result,
    Said,
    Seat,
    Shown,
    Started,
)
from oaknet_client.lookout import Tell
from oaknet_client.screen import play
from oaknet_client.screen.home import HomeApp
from oaknet_protocol.turn import Turn
from tests.client.homes import Look

EVIL = (
    "[/]",
    "[@click=app.quit]x[/] [bold red]",
    "\x1b[2Jowned",
    "\x1b]52;c;eA==\x1b\\",
    "\u202eevil\u200b",
    "z" + "\u0301" * 200,
    "two\nlines\tand a tab",
)


class Hostile:
    """The feed: a lobby, questions, talk, then a game that ends with the first move."""

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        seats = tuple(Seat(name, key=f"{n:02x}" * 32, place=n) for n, name in enumerate(EVIL[:5]))
        game = Game.new(registry.rules("five_towers"), len(seats))
        resolve(game, Rng(b"hostile"))
        mine = game.pending[0].seat
        options = tuple((text, text) for text in EVIL)
        emit(Invited("oak1aaaa", 4711))
        emit(Lobby(EVIL[0], seats, 1, options, own=seats[mine].key))
        self._talk(emit, "in the lobby")
        await commands.receive()
        emit(Started(seats, game, "ab" * 32, seats[mine].key))
        self._talk(emit, "at the table")
        await commands.receive()
        emit(Shown(game, EVIL, 0, mine))
        emit(Asked(mine, Turn(game, mine)))
        await commands.receive()
        emit(Ended(Result("five_towers", seats, (1, 2, 3, 4, 5), (0, 1, 2, 3, 4), "absent", ""), game))

    def _talk(self, emit: Emit, where: str) -> None:
        """Everything that others can bring about, in each of the texts; one question is left open."""
        for number, text in enumerate(EVIL, 1):
            emit(Note(text))
            emit(Said(-1, text, text))
            emit(Forked(0, text, text))
            emit(Peer(1, "missing", text))
            emit(Question(number, f"{text} {where}", (text, text)))
            if number > 1:
                emit(Question(number, "", ()))


def main() -> None:
    play(Hostile(), Config("Ann", confirm="never", bell=False))


def home() -> None:
    """The home screen, told of tables with each of the texts."""
    looks: list[Look] = []

    def lookout(tell: Tell) -> Look:
        looks.append(Look(tell))
        return looks[0]

    async def tell(pilot: Pilot[object]) -> None:
        tables = tuple(Errand(("resume", "aa"), text, text) for text in EVIL)
        looks[0].tell(Mine(tables, trouble=EVIL[2]))
        looks[0].tell(Nearby(tables, trouble=EVIL[3]))

    HomeApp(Config("Ann"), EVIL[6], lookout).run(auto_pilot=tell)


if __name__ == "__main__":
    main()
