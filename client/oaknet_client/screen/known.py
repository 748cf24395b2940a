"""The players that one has met: what they are called, their fingerprints, and who is blocked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType

from oaknet_client.config import folders
from oaknet_client.failures import Failure, explain
from oaknet_client.inert import inert
from oaknet_client.players import FILE, Player, Players, edited
from oaknet_client.screen.page import Page, Row

KNOWN_HELP = """\
  arrows        go along the list
  r, Enter      call them otherwise
  b             block: sit at no table with them; or unblock
  f, then f     forget: the next time is the first
  Esc           back
  ?, Ctrl-P     this help; everything by name
  q, Ctrl-C     leave oaknet; while you write, only Ctrl-C

The fingerprint is the player: compare it with what they read out.

Esc or ? closes this."""


class PlayersPage(Page):
    """One row a player."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "rename", "Rename"),
        Binding("b", "block", "Block"),
        Binding("f", "forget", "Forget"),
    ]
    HELP_TEXT = KNOWN_HELP

    def __init__(self) -> None:
        super().__init__("Players")
        self._players: list[Player] = []
        self._trouble = ""
        self._doomed: bytes | None = None  # whom another f would forget

    def rows(self) -> Iterable[Row]:
        try:
            self._players, self._trouble = list(Players.read(folders().data / FILE)), ""
        except (Failure, OSError) as error:
            self._players, self._trouble = [], explain(error).sentence
        for player in self._players:
            also = f", calls themselves {player.called}" if player.called != player.name else ""
            seen = f"first seen {player.first_seen}, last {player.last_seen}{also}"
            name = f"{player.name} (blocked)" if player.blocked else player.name
            yield Row(name, more=f"{player.fingerprint}  {seen}")
        if self._trouble:
            yield Row(f"  {self._trouble}", live=False)
        elif not self._players:
            yield Row("  You have met nobody yet.", live=False)

    def _player(self) -> Player | None:
        return self._players[self.current] if 0 <= self.current < len(self._players) else None

    def explain(self) -> None:
        """Whom the keys are about."""
        self._doomed = None
        super().explain()

    def chosen(self, number: int) -> None:
        self.action_rename()

    def action_rename(self) -> None:
        """Write another name."""
        player = self._player()
        if player is not None and not self._writing:
            self.write("name", player.name)

    def written(self, what: str, text: str) -> None:
        player = self._player()
        if player is not None and self._edit(lambda players: players.rename(player, text.strip())):
            self.unwrite()
            self._after(player, f"{player.fingerprint} is {text.strip()} to you now.")

    def action_block(self) -> None:
        """Block the player, or unblock."""
        player = self._player()
        if player is None or self._writing:
            return
        if self._edit(lambda players: players.block(player, blocked=not player.blocked)):
            state = "not blocked any more" if player.blocked else "blocked"
            self._after(player, f"{player.name} is {state}.")

    def action_forget(self) -> None:
        """Forget the player, at the second time."""
        player = self._player()
        if player is None or self._writing:
            return
        if self._doomed != player.key:
            self._doomed = player.key
            self.say(f"f again forgets {inert(player.name)}: the next time is the first.", wrong=True)
        elif self._edit(lambda players: players.forget(player)):
            self._after(player, f"{player.name} is forgotten.")

    def _edit(self, change: Callable[[Players], object]) -> bool:
        """Change the file as it is now; says whether that is done, and if not what is wrong."""
        try:
            with edited(folders().data / FILE) as players:
                change(players)
        except (Failure, OSError) as error:
            self.say(explain(error).sentence, wrong=True)
            return False
        except KeyError:  # forgotten by another program meanwhile
            self.show()
            return False
        return True

    def _after(self, player: Player, said: str) -> None:
        """Show the players anew, and the same one as the current one."""
        self.show()
        keys = [one.key for one in self._players]
        if player.key in keys:
            self.show(keys.index(player.key))
        self.say(said)
