"""Whom this player has met: keys and names at first sight, and who is blocked (``players.toml``).

A player is their key, and a name is only what somebody calls themselves. So a name that is known with another
key is said in words, and nothing else happens: who it is, people must compare for themselves.
"""

from __future__ import annotations

import contextlib
import datetime
import sys
import tomllib
import unicodedata
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast, final

from oaknet_client import files
from oaknet_client.failures import Failure
from oaknet_client.words import inert, listed
from oaknet_protocol.invite import key_hash
from oaknet_protocol.signing import KEY_SIZE, fingerprint
from oaknet_protocol.text import BadText
from oaknet_protocol.text import name as checked_name

PLAYER_LIMIT = 1000
"""The most players that are remembered; the one not seen for longest gives way, a blocked one never."""

FILE = "players.toml"
"""The file, in the data folder."""

_LARGEST = 4 * 1024 * 1024

_HEAD = "# Whom you have met. `oaknet players` shows and changes it.\n"
_FIELDS = ("name", "key", "called", "first_seen", "last_seen", "blocked")


@final
@dataclass(frozen=True, slots=True)
class Player:
    """Somebody met: ``name`` is what this user calls them, ``called`` what they called themselves last."""

    key: bytes
    name: str
    called: str
    first_seen: datetime.date
    last_seen: datetime.date
    blocked: bool = False

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.key)

    def record(self) -> dict[str, object]:
        """The player as the documented JSON object."""
        return {
            "name": self.name,
            "called": self.called,
            "fingerprint": self.fingerprint,
            "key": self.key.hex(),
            "first_seen": self.first_seen.isoformat(),
            "last_seen": self.last_seen.isoformat(),
            "blocked": self.blocked,
        }


@final
class Players:
    """The known players of one file, by key. Changes are kept in memory until `write`."""

    def __init__(self, path: Path, players: dict[bytes, Player]) -> None:
        self.path = path
        self._players = players

    def __iter__(self) -> Iterator[Player]:
        """By name, then by key."""
        return iter(sorted(self._players.values(), key=lambda player: (_alike(player.name), player.key)))

    def __len__(self) -> int:
        return len(self._players)

    def get(self, key: bytes) -> Player | None:
        """The player of this key, 32 bytes, if met before."""
        return self._players.get(key)

    def by_hash(self, opener: bytes) -> Player | None:
        """The player whose key an invite or announcement pins, if met before."""
        return next((player for key, player in self._players.items() if key_hash(key) == opener), None)

    def blocked(self, key: bytes) -> bool:
        """Whether nothing is wanted from this key."""
        player = self._players.get(key)
        return player is not None and player.blocked

    def meet(self, key: bytes, called: str, today: datetime.date) -> str:
        """Remember who is here; gives what the user should know about the name, empty if it is as always."""
        known = self._players.get(key)
        if known is None:
            others = [
                player for player in self if _alike(called) in (_alike(player.name), _alike(player.called))
            ]
            self._players[key] = Player(key, called, called, today, today)
            self._make_room()
            return _impostor(key, called, others) if others else ""
        # A clock that was set back must not undo what is known.
        last = max(known.last_seen, today)
        self._players[key] = replace(known, called=called, last_seen=last)
        if called == known.called:
            return ""
        others = [player for player in self if player.key != key and _alike(player.name) == _alike(called)]
        if others:
            return _impostor(key, called, others)
        return f"{inert(known.name)} goes by the name {inert(called)} now; the key is the same."

    def find(self, who: str) -> Player:
        """The player with this name, or whose fingerprint begins like this; raises `Failure`."""
        sign = who.upper().replace("-", "")
        named = [player for player in self if _alike(who) in (_alike(player.name), _alike(player.called))]
        keyed = [player for player in self if player.fingerprint.replace("-", "").startswith(sign or "-")]
        found = list(dict.fromkeys(named or keyed))
        if len(found) == 1:
            return found[0]
        if not found:
            raise Failure(
                f"Nobody you have met is called {inert(who)}. `oaknet players` lists whom you know."
            )
        raise Failure(
            f"{inert(who)} may be {listed(player.fingerprint for player in found[:5])}. "
            "Give the beginning of the fingerprint."
        )

    def rename(self, player: Player, name: str) -> Player:
        """Call a player otherwise from now on; raises `Failure` for what is no name."""
        try:
            return self._put(replace(player, name=checked_name(name)))
        except BadText as error:
            raise Failure(f"That cannot be a name: {error}.") from error

    def block(self, player: Player, *, blocked: bool = True) -> Player:
        """Want nothing from a player any more, or again."""
        return self._put(replace(player, blocked=blocked))

    def forget(self, player: Player) -> None:
        """Know a player no more: the next time is the first."""
        del self._players[player.key]

    def _put(self, player: Player) -> Player:
        self._players[player.key] = player
        return player

    def _make_room(self) -> None:
        if len(self._players) > PLAYER_LIMIT:
            old = [player for player in self if not player.blocked]
            if old:
                self.forget(min(old, key=lambda player: player.last_seen))

    @classmethod
    def read(cls, path: Path) -> Players:
        """The players in this file, nobody if there is none.

        A broken file is a `Failure`: who is blocked must not be let in because of it.
        """
        try:
            if path.stat().st_size > _LARGEST:
                raise _broken(path, "it is too large")
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls(path, {})
        except UnicodeDecodeError as error:
            raise _broken(path, "it is not UTF-8 text") from error
        except tomllib.TOMLDecodeError as error:
            raise _broken(path, f"it is not TOML ({error})") from error
        entries = table.pop("player", [])
        if table or not isinstance(entries, list):
            raise _broken(path, "it holds something else than [[player]] entries")
        players: dict[bytes, Player] = {}
        for number, entry in enumerate(entries, 1):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            player = _player(path, number, entry)
            if player.key in players:
                raise _broken(path, f"player {number} has the key of an earlier one")
            players[player.key] = player
        return cls(path, players)

    def write(self) -> None:
        """Put the players into their file, whole or not at all; raises `OSError`."""
        files.put(self.path, "\n".join([_HEAD, *map(_entry, self)]))


@contextlib.contextmanager
def edited(path: Path) -> Generator[Players, None, None]:
    """The players of a file, to be changed and written back; another process waits for its turn meanwhile.

    Raises `Failure` as `Players.read` does, and `OSError`.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.with_suffix(".lock").open("a") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        players = Players.read(path)
        yield players
        players.write()


def _alike(name: str) -> str:
    """What two names have in common that people may take for the same."""
    return unicodedata.normalize("NFKC", name).casefold().replace(" ", "")


def _impostor(key: bytes, called: str, others: list[Player]) -> str:
    theirs = listed(player.fingerprint for player in others[:3])
    return (
        f"This is not the {inert(called)} you know: the key is another ({fingerprint(key)}, not {theirs}). "
        "Ask before you trust the name."
    )


def _player(path: Path, number: int, entry: Any) -> Player:
    """One entry of the file; raises `Failure` naming it."""
    try:
        if not isinstance(entry, dict) or any(field not in _FIELDS for field in entry):  # pyright: ignore[reportUnknownVariableType]
            raise ValueError
        values = cast("dict[str, Any]", entry)
        key = bytes.fromhex(values["key"])
        first, last = values["first_seen"], values["last_seen"]
        blocked = values.get("blocked", False)
        name = checked_name(values["name"])
        called = checked_name(values.get("called", name))
        dates = type(first) is type(last) is datetime.date
        if len(key) != KEY_SIZE or not dates or not isinstance(blocked, bool):
            raise ValueError
    except (ValueError, KeyError, TypeError) as error:
        raise _broken(
            path, f"player {number} needs name, key (64 hexadecimal digits), first_seen and last_seen (dates)"
        ) from error
    return Player(key, name, called, first, last, blocked)


def _entry(player: Player) -> str:
    lines = [
        "[[player]]",
        f"name = {_quoted(player.name)}",
        f'key = "{player.key.hex()}"',
        f"first_seen = {player.first_seen.isoformat()}",
        f"last_seen = {player.last_seen.isoformat()}",
    ]
    if player.called != player.name:
        lines.append(f"called = {_quoted(player.called)}")
    if player.blocked:
        lines.append("blocked = true")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _broken(path: Path, what: str) -> Failure:
    return Failure(
        f"{path}: {what}. Correct it, or move it away: then everybody is new to you, blocked ones too."
    )
