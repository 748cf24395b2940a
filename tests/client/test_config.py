"""Folders and settings, good and broken."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from oaknet_client.config import Config, folders, put, read_config
from oaknet_client.failures import Failure
from tests.client.conftest import Run


def _write(home: Path, text: str | bytes) -> Path:
    home.mkdir()
    path = home / "config.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_without_a_file_the_login_name_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    assert read_config() == Config("ann", "", "turn", 0)


def test_a_login_name_that_cannot_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> str:
        raise OSError

    monkeypatch.setattr("getpass.getuser", fail)
    assert read_config().name == "Player"


def test_all_settings(home: Path) -> None:
    _write(home, 'name = "Ann"\ntheme = "nord"\nconfirm = "draw"\nport = 7000\nbell = false\nascii = true\n')
    assert read_config() == Config("Ann", "nord", "draw", 7000, bell=False, ascii=True)


def test_oaknet_home_moves_everything(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = folders()
    assert {where.config_file, where.identity, where.tables, where.debug_log} == {
        home / name for name in ("config.toml", "identity.key", "tables", "debug.log")
    }
    monkeypatch.delenv("OAKNET_HOME")
    assert folders().data == platformdirs.user_data_path("oaknet")
    assert folders().config == platformdirs.user_config_path("oaknet")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('name = "Ann"\nport = \n', 2, "not TOML"),
        ('name = "Ann\n', 1, "not TOML"),
        ('\nport = "x"\n', 2, "port must be a number"),
        ("port = 70000\n", 1, "port must be a number"),
        ("port = true\n", 1, "port must be a number"),
        ('\n\nconfirm = "maybe"\n', 3, "confirm must be one of turn, draw, never"),
        ("theme = 3\n", 1, "theme must be a name"),
        ("bell = 1\n", 1, "bell must be true or false"),
        ('ascii = "no"\n', 1, "ascii must be true or false"),
        ('name = ""\n', 1, "name must be 1 to 24"),
        ('name = " Ann"\n', 1, "name must be 1 to 24"),
        ('name = "\\u001b[2J"\n', 1, "name must be 1 to 24"),
        ('name = "Ann"\nnmae = "Ben"\n', 2, "'nmae' is no setting"),
        ("[table]\n", 1, "'table' is no setting"),
    ],
)
def test_a_broken_file_is_named_with_its_line(run: Run, home: Path, text: str, line: int, says: str) -> None:
    path = _write(home, text)
    result = run("play", "market", "--headless")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"oaknet: {path}, line {line}: ")
    assert says in result.stderr


def test_a_file_that_is_no_text(home: Path) -> None:
    _write(home, b"\xff\xfe\x00")
    with pytest.raises(Failure, match="not UTF-8"):
        read_config()


def test_commands_that_need_no_settings_work_with_a_broken_file(run: Run, home: Path, log: Path) -> None:
    _write(home, "nonsense")
    assert run("verify", log).exit_code == 0
    assert run("arena", "market", "--games", "1").exit_code == 0


def test_a_new_name_leaves_the_other_lines(home: Path) -> None:
    path = _write(home, '# mine\nport = 7000\nname = "Ann"\nconfirm = "never"\n')
    put("name", 'B"e\\n')
    assert read_config() == Config('B"e\\n', "", "never", 7000)
    assert path.read_text().splitlines()[0] == "# mine"
    assert len(path.read_text().splitlines()) == 4


def test_a_first_name_makes_the_file(home: Path) -> None:
    put("name", "Ann")
    assert read_config().name == "Ann"


def test_a_name_that_cannot_be() -> None:
    with pytest.raises(Failure, match="1 to 24 printable"):
        put("name", "x" * 25)
