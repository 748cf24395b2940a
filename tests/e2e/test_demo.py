"""``oaknet demo`` as people and scripts run it: real peers, real connections, whole games."""

from __future__ import annotations

import json
import socket
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from oaknet import registry
from oaknet_client import net
from oaknet_client.main import cli
from oaknet_protocol.transport import listen
from tests.e2e.program import logs, oaknet, result, verified

KEYS = ["event", "table", "game", "seats", "scores", "winner", "how", "transcript", "digest", "log", "logs"]
"""The documented keys of the last line, in their order."""


@pytest.mark.parametrize(("game", "players"), [("oak", 4), ("five_towers", 3)])
def test_peers_play_a_whole_game_and_keep_the_same_log(tmp_path: Path, game: str, players: int) -> None:
    done = oaknet(tmp_path, "demo", "--game", game, "--players", players, "--headless", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events if event["event"] not in ("step", "peer")] == [
        "start",
        "result",
    ]
    found = events[-1]
    assert list(found) == KEYS
    assert (found["game"], found["how"], len(found["scores"])) == (game, "finished", players)
    assert found["winner"]
    assert [seat["seat"] for seat in found["seats"]] == list(range(players))
    assert {seat["bot"] for seat in found["seats"]} == {"greedy"}
    assert len({seat["key"] for seat in found["seats"]}) == players
    assert found["seats"] == sorted(events[0]["seats"], key=lambda seat: seat["seat"])

    assert sorted(map(Path, found["logs"])) == logs(tmp_path)
    assert len(found["logs"]) == players
    assert found["log"] == found["logs"][0]
    for reading in verified(tmp_path, *logs(tmp_path)):
        assert reading["verdict"] == "valid"
        for key in ("table", "game", "scores", "winner", "how", "transcript", "digest"):
            assert reading[key] == found[key]
    assert [(Path(log).parent.parent.parent / "errors.txt").read_text() for log in found["logs"][1:]] == (
        [""] * (players - 1)
    )


def test_the_steps_told_are_those_of_the_log(tmp_path: Path) -> None:
    done = oaknet(tmp_path, "demo", "--game", "five_towers", "--players", 2, "--headless", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    told = [[event["seat"], *event["answers"]] for event in events if event["event"] == "step"]
    written = oaknet(tmp_path, "export", "--to", "json", result(done.stdout)["log"])
    assert written.returncode == 0
    steps = json.loads(written.stdout)["steps"]
    given = [[answer["seat"], answer["answer"]] for step in steps for answer in step["answers"]]
    assert [[seat, option] for seat, *answers in told for option in answers] == given


def test_without_a_terminal_it_tells_the_game_in_words(tmp_path: Path) -> None:
    done = oaknet(tmp_path, "demo")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Oak: ")
    assert sum(" greedy " in line for line in lines) > 40
    ending = lines[lines.index("") + 1 :]
    assert "wins." in ending[0] or "share the victory." in ending[0]
    assert len([line for line in ending[1:] if line.split()[-1].isdigit()]) == 4
    assert len(logs(tmp_path)) == 4
    assert ending[-5] == "All 4 logs agree and verify:"
    assert sorted(line.strip() for line in ending[-4:]) == sorted(map(str, logs(tmp_path)))


def test_a_person_plays_by_numbered_lines(tmp_path: Path) -> None:
    typed = "?\ns\n" + "1\n\n" * 400  # the first choice always; an empty line sends a whole turn
    done = oaknet(tmp_path, "demo", "--plain", "--game", "five_towers", "--players", 2, typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "A number chooses." in done.stdout
    assert "your turn." in done.stdout
    assert " you" in done.stdout.lower()
    assert "wins." in done.stdout or "share the victory." in done.stdout
    first, second = verified(tmp_path, *logs(tmp_path))
    assert first["transcript"] == second["transcript"]


def test_a_person_may_leave(tmp_path: Path) -> None:
    done = oaknet(tmp_path, "demo", "--plain", "--game", "five_towers", "--players", 2, typed="q\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "wins." not in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last.startswith("You have left the table. Every peer's log up to there is in ")
    assert all(str(log).startswith(last.split()[-1].rstrip(".")) for log in logs(tmp_path))


def test_input_that_ends_too_early_is_told(tmp_path: Path) -> None:
    done = oaknet(tmp_path, "demo", "--plain", "--game", "five_towers", "--players", 2)
    assert (done.returncode, done.stderr) == (1, "oaknet: The input ended before the game did.\n")


# -- wrong wishes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (("--game", "five_towers", "--players", "9"), 2, "5 Towers is for 2 to 5 players, not 9."),
        (("--game", "chess"), 2, "There is no game 'chess' here"),
        (("--option", "moon=full"), 2, "Oak has no option 'moon'"),
        (("--bot", "genius"), 2, "There is no bot 'genius'"),
        (("--plain",), 2, "Choose one of --headless and --plain."),
        (("--colour",), 2, "No such option"),
        (("--data", "bad.toml"), 1, "The data file cannot be used: bad.toml: "),
        (("--data", "absent.toml"), 1, "absent.toml: No such file or directory."),
    ],
    ids=lambda value: value[0].strip("-") + "-" + value[-1] if isinstance(value, tuple) else "",
)
def test_wrong_wishes_are_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], status: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text("[moon]\nfull = 1\n", encoding="utf-8")
    done = oaknet(tmp_path / "home", "demo", "--headless", *args)
    assert done.returncode == status
    assert done.stdout == ""
    assert words in done.stderr
    assert not logs(tmp_path / "home")


def test_errors_are_json_too(tmp_path: Path) -> None:
    done = oaknet(tmp_path, "demo", "--game", "chess", "--headless", "--json")
    assert done.returncode == 2
    message = "There is no game 'chess' here; the games are five_towers, oak."
    assert json.loads(done.stdout) == {"event": "error", "message": message}
    assert done.stderr == f"oaknet: {message}\n"


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file, where a folder is due", encoding="utf-8")
    done = oaknet(home, "demo", "--headless")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"oaknet: {home}")
    assert done.stderr.count("\n") == 1


def test_a_port_in_use_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OAKNET_HOME", str(tmp_path))
    with socket.create_server((net.HOST, 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(net, "listen", partial(listen, port=port))  # no demo is ever given a port
        wishes = ["demo", "--game", "five_towers", "--players", "2", "--headless"]
        done = CliRunner().invoke(cli, wishes, prog_name="oaknet")
    assert done.exit_code == 1
    assert done.stderr == (
        f"oaknet: Port {port} is in use already. Close the other program, or choose another port.\n"
    )


def test_a_data_file_goes_to_every_peer_and_into_the_log(tmp_path: Path) -> None:
    printed = registry.data_text("five_towers")
    data = tmp_path / "mine.toml"
    data.write_text(
        printed.replace("card_in_topped_tower = { value = 2,", "card_in_topped_tower = { value = 7,")
    )
    assert data.read_text(encoding="utf-8") != printed
    wishes = ("--game", "five_towers", "--players", 2, "--data", data)
    done = oaknet(tmp_path, "demo", *wishes, "--headless", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    log = result(done.stdout)["log"]
    assert oaknet(tmp_path, "verify", log, "--data", data).returncode == 0
    other = oaknet(tmp_path, "verify", log)
    assert other.returncode == 3
    assert "this log needs 5 towers rules" in other.stderr.lower()
