"""Known players: at first sight, under another key, blocked; and the file that holds them."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path

import pytest

from oaknet_client import players as module
from oaknet_client.failures import Failure
from oaknet_client.players import FILE, Players, edited
from oaknet_protocol.invite import key_hash
from oaknet_protocol.signing import fingerprint
from tests.client.conftest import Run

ANN, BEN, EVE = (bytes([n]) * 32 for n in (1, 2, 3))
MONDAY = datetime.date(2026, 11, 30)
TUESDAY = datetime.date(2026, 12, 1)


@pytest.fixture
def path(home: Path) -> Path:
    return home / FILE


@pytest.fixture
def players(path: Path) -> Players:
    with edited(path) as players:
        assert players.meet(ANN, "Ann", MONDAY) == ""
        assert players.meet(BEN, "Ben", MONDAY) == ""
    return Players.read(path)


def test_players_are_remembered_at_first_sight(players: Players) -> None:
    assert [(player.name, player.key) for player in players] == [("Ann", ANN), ("Ben", BEN)]
    ann = players.get(ANN)
    assert ann is not None
    assert (ann.first_seen, ann.last_seen, ann.blocked) == (MONDAY, MONDAY, False)
    assert players.meet(ANN, "Ann", TUESDAY) == ""
    later = players.get(ANN)
    assert later is not None
    assert (later.first_seen, later.last_seen) == (MONDAY, TUESDAY)
    assert players.by_hash(key_hash(BEN)) == players.get(BEN)
    assert players.by_hash(key_hash(EVE)) is None


@pytest.mark.parametrize("name", ["Ann", "ANN", "a n n", "Ａｎｎ"])
def test_a_known_name_with_another_key_is_said(players: Players, name: str) -> None:
    said = players.meet(EVE, name, TUESDAY)
    assert said.startswith(f"This is not the {name} you know: the key is another (")
    assert fingerprint(EVE) in said
    assert fingerprint(ANN) in said
    assert len(players) == 3


def test_a_known_key_that_takes_a_known_name_is_said(players: Players) -> None:
    assert "not the Ann you know" in players.meet(BEN, "Ann", TUESDAY)


def test_a_new_name_of_a_known_key_is_said(players: Players) -> None:
    assert players.meet(ANN, "Anna", TUESDAY) == "Ann goes by the name Anna now; the key is the same."
    assert players.meet(ANN, "Anna", TUESDAY) == ""
    ann = players.get(ANN)
    assert ann is not None
    assert (ann.name, ann.called) == ("Ann", "Anna")


def test_a_clock_set_back_undoes_nothing(players: Players) -> None:
    players.meet(ANN, "Ann", datetime.date(2020, 1, 1))
    ann = players.get(ANN)
    assert ann is not None
    assert (ann.first_seen, ann.last_seen) == (MONDAY, MONDAY)


def test_only_so_many_are_remembered_and_blocked_ones_stay(
    players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PLAYER_LIMIT", 3)
    players.block(players.find("Ann"))
    for number in range(10, 20):
        players.meet(bytes([number]) * 32, f"Guest {number}", TUESDAY + datetime.timedelta(number))
    assert len(players) == 3
    assert players.blocked(ANN)
    assert players.get(BEN) is None
    assert players.get(bytes([19]) * 32) is not None


def test_found_by_name_and_by_fingerprint(players: Players) -> None:
    assert players.find("ann").key == ANN
    assert players.find(fingerprint(BEN)).key == BEN
    assert players.find(fingerprint(BEN)[:7].lower()).key == BEN
    with pytest.raises(Failure, match="Nobody you have met is called Zoe"):
        players.find("Zoe")
    with pytest.raises(Failure, match="Nobody"):
        players.find("")
    players.meet(EVE, "Ann", TUESDAY)
    with pytest.raises(Failure, match="Give the beginning of the fingerprint"):
        players.find("Ann")


def test_the_commands(run: Run, players: Players, path: Path) -> None:
    lines = run("players").stdout.splitlines()
    assert lines[0] == f"Ann  {fingerprint(ANN)}  first seen 2026-11-30, last 2026-11-30"
    assert len(lines) == 2
    assert run("players", "rename", "Ann", 'Ann "K\\').exit_code == 0
    assert "is blocked" in run("players", "block", fingerprint(BEN)[:6]).stdout
    records = [json.loads(line) for line in run("players", "list", "--json").stdout.splitlines()]
    assert records == [json.loads(line) for line in run("players", "--json").stdout.splitlines()]
    assert records[0] == {
        "name": 'Ann "K\\',
        "called": "Ann",
        "fingerprint": fingerprint(ANN),
        "key": ANN.hex(),
        "first_seen": "2026-11-30",
        "last_seen": "2026-11-30",
        "blocked": False,
    }
    assert records[1]["blocked"]
    assert Players.read(path).blocked(BEN)
    assert "calls themselves Ann" in run("players").stdout
    assert "not blocked any more" in run("players", "unblock", "ben").stdout
    assert not Players.read(path).blocked(BEN)
    assert "forgotten" in run("players", "forget", "Ben").stdout
    assert Players.read(path).get(BEN) is None


def test_nobody_yet(run: Run) -> None:
    assert run("players").stdout == "You have met nobody yet.\n"
    assert run("players", "--json").stdout == ""


@pytest.mark.parametrize("name", ["", " Ann", "\x1b[2J", "x" * 25, "a\u202eb"])
def test_names_that_nobody_can_have(run: Run, players: Players, name: str) -> None:
    result = run("players", "rename", "Ann", name)
    assert result.exit_code == 1
    assert result.stderr.startswith("oaknet: That cannot be a name: ")


ENTRY = f'[[player]]\nname = "Ann"\nkey = "{ANN.hex()}"\nfirst_seen = 2026-11-30\nlast_seen = 2026-11-30\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "not TOML"),
        ("[player]\n", "something else"),
        ("x = 1\n", "something else"),
        ("player = 1\n", "something else"),
        ("player = [1]\n", "player 1 needs"),
        (ENTRY + ENTRY, "player 2 has the key of an earlier one"),
        (ENTRY.replace("01", "0x"), "player 1 needs"),
        (ENTRY.replace("01" * 32, "01" * 31), "player 1 needs"),
        (ENTRY.replace("last_seen = 2026-11-30", "last_seen = 2026-11-30T10:00:00"), "player 1 needs"),
        (ENTRY.replace("last_seen = 2026-11-30", ""), "player 1 needs"),
        (ENTRY + "blocked = 1\n", "player 1 needs"),
        (ENTRY + "bocked = true\n", "player 1 needs"),
        (ENTRY.replace("Ann", "\\u001b[2J"), "player 1 needs"),
        (b"\xff\xfe", "not UTF-8"),
        (b"#" * (4 * 2**20 + 1), "too large"),
    ],
    ids=lambda value: str(value[:30]),
)
def test_a_broken_file_is_said_and_not_written_over(
    run: Run, path: Path, text: str | bytes, says: str
) -> None:
    path.parent.mkdir()
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(data)
    for words in (("players",), ("players", "forget", "Ann")):
        result = run(*words)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"oaknet: {path}: ")
        assert says in result.stderr
    assert path.read_bytes() == data


def test_a_file_is_written_whole_or_not_at_all(
    players: Players, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"), edited(path) as mine:
        mine.meet(EVE, "Eve", TUESDAY)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["players.lock", FILE]


def test_a_change_that_fails_writes_nothing(players: Players, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(KeyboardInterrupt), edited(path) as mine:  # noqa: PT012 - both belong to it
        mine.meet(EVE, "Eve", TUESDAY)
        raise KeyboardInterrupt
    assert path.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no flock: the last to write wins there")
def test_two_processes_lose_nothing_to_each_other(path: Path) -> None:
    code = """
import datetime, sys
from pathlib import Path
from oaknet_client.players import edited
for number in range(5):
    key = bytes([int(sys.argv[2]), number]) * 16
    with edited(Path(sys.argv[1])) as players:
        players.meet(key, key[:2].hex(), datetime.date(2026, 1, 1))
"""
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), str(n)]) for n in (1, 2)]
    assert [process.wait(30) for process in running] == [0, 0]
    assert len(Players.read(path)) == 10
