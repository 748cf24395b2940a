"""Where the program keeps its files, and the settings a person may change there.

Everything lies in the platform's folders, or all of it in the folder that ``OAKNET_HOME`` names.
"""

from __future__ import annotations

import getpass
import os
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oaknet_client import files
from oaknet_client.failures import Failure
from oaknet_client.inert import inert
from oaknet_protocol.text import BadText
from oaknet_protocol.text import name as checked_name

CONFIRM = ("turn", "draw", "never")
"""What waits for Enter before it is sent: every whole turn, only what leads to a draw, nothing."""

NAME_LENGTH = 24


@dataclass(frozen=True, slots=True)
class Folders:
    """``config`` holds ``config.toml``; ``data`` holds ``identity.key``, ``tables/`` and ``debug.log``."""

    config: Path
    data: Path

    @property
    def config_file(self) -> Path:
        return self.config / "config.toml"

    @property
    def identity(self) -> Path:
        return self.data / "identity.key"

    @property
    def tables(self) -> Path:
        return self.data / "tables"

    @property
    def debug_log(self) -> Path:
        return self.data / "debug.log"


def folders() -> Folders:
    """The folders of this user; nothing is created."""
    home = os.environ.get("OAKNET_HOME")
    if home:
        return Folders(Path(home), Path(home))
    import platformdirs

    return Folders(platformdirs.user_config_path("oaknet"), platformdirs.user_data_path("oaknet"))


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of ``config.toml``. ``theme`` is one of Textual's (empty: its default), ``port`` 0 any.

    ``bell``: ring when it is one's turn; ``ascii``: draw with ASCII alone. ``named``: the name was chosen,
    and is not just that of the login.
    """

    name: str
    theme: str = ""
    confirm: str = "turn"
    port: int = 0
    bell: bool = True
    ascii: bool = False
    named: bool = field(default=True, compare=False)


def read_config() -> Config:
    """The settings, with defaults for what is not there.

    A file that cannot be used is a `Failure` naming file and line, and not ignored: a game must not go out
    under a name or port its player did not choose.
    """
    path = folders().config_file
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config(_login(), named=False)
    except UnicodeDecodeError as error:
        raise _broken(path, "", "it is not UTF-8 text") from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _broken(path, _toml_line(str(error), text), f"it is not TOML ({error})") from error
    for key, value in table.items():
        fault = _fault(key, value)
        if fault:
            raise _broken(path, _line_of(key, text), fault)
    return Config(
        table.get("name", _login()),
        table.get("theme", ""),
        table.get("confirm", "turn"),
        table.get("port", 0),
        table.get("bell", True),
        table.get("ascii", False),
        "name" in table,
    )


def put(key: str, value: str | int) -> None:
    """Write a setting into ``config.toml`` and leave its other lines as they are.

    Raises `Failure` for a value that cannot be or a file that is broken, and `OSError`.
    """
    checked(key, value)
    read_config()
    path = folders().config_file
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    at = next((i for i, line in enumerate(lines) if re.match(rf"\s*[\"']?{key}[\"']?\s*=", line)), None)
    lines[0 if at is None else at : 0 if at is None else at + 1] = [f"{key} = {_written(value)}"]
    text = "\n".join(lines) + "\n"
    try:
        good = tomllib.loads(text)[key] == value
    except (tomllib.TOMLDecodeError, KeyError):
        good = False  # what stood there went over several lines
    if not good:
        raise Failure(f"{path} is written in a way that only a person can change. Set {key} there yourself.")
    files.put(path, text)


def checked(key: str, value: str | int) -> str | int:
    """The value itself, if the setting can have it; raises `Failure` if not."""
    fault = _fault(key, value)
    if fault:
        raise Failure(f"{fault[:1].upper()}{fault[1:]}.")
    return value


def _written(value: str | int) -> str:
    """A value as TOML has it."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value).lower()  # true and false too


def _fault(key: str, value: Any) -> str:
    """What is wrong with a setting; empty if nothing is."""
    if key == "name":
        good = isinstance(value, str) and 0 < len(value) <= NAME_LENGTH and value == value.strip()
        if not good or inert(value) != value:
            return f"name must be 1 to {NAME_LENGTH} printable characters without blanks at its ends"
        try:
            checked_name(value)
        except BadText as error:
            return f"name cannot be shown to others: {error}"
    elif key == "confirm":
        if value not in CONFIRM:
            return f"confirm must be one of {', '.join(CONFIRM)}"
    elif key == "port":
        if type(value) is not int or not 0 <= value <= 65535:
            return "port must be a number from 0 to 65535"
    elif key in ("bell", "ascii"):
        if type(value) is not bool:
            return f"{key} must be true or false"
    elif key == "theme":
        if not isinstance(value, str):
            return "theme must be a name in quotes"
    else:
        return f"{inert(key)!r} is no setting; the settings are name, theme, confirm, port, bell, ascii"
    return ""


def _broken(path: Path, line: str, what: str) -> Failure:
    return Failure(f"{path}{line}: {what}. Correct the line, or remove the file to go on with defaults.")


def _line_of(key: str, text: str) -> str:
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\[?[\"']?{re.escape(key)}[\"']?\s*[\]=.]", line):
            return f", line {number}"
    return ""


def _toml_line(message: str, text: str) -> str:
    found = re.search(r"at line (\d+)", message)
    return f", line {found[1]}" if found else f", line {len(text.splitlines()) or 1}"


def _login() -> str:
    """The login name, as a first name for the player."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Player"
    name = inert(name).strip()[:NAME_LENGTH].strip()
    return "Player" if _fault("name", name) else name
