"""The command line as a whole: what it lists, says and refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from oaknet import __version__, registry
from oaknet_client.main import COMMANDS, cli
from tests.client.conftest import Run


def test_alone_it_says_what_can_be_done(run: Run) -> None:
    result = run()
    assert result.exit_code == 0
    assert re.findall(r"^  oaknet (\w+)", result.stdout, re.MULTILINE) == sorted(COMMANDS)


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"oaknet {__version__}\n"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"oaknet {name}" in result.stdout.split("\n\n", 1)[1]
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.name == name


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("nonsense",), "nonsense"),
        (("play", "chess", "--headless"), "There is no game 'chess' here"),
        (("play", "five_towers", "--players", "9"), "5 Towers is for 2 to 5 players, not 9."),
        (("play", "five_towers", "--players", "1"), "5 Towers is for 2 to 5 players, not 1."),
        (("play", "five_towers", "--players", "0"), "given away"),
        (("play", "five_towers", "--bot", "clever"), "There is no bot 'clever'"),
        (("play", "five_towers", "--option", "deck"), "NAME=VALUE"),
        (("play", "five_towers", "--option", "deck=big"), "no option 'deck'"),
        (("play", "market", "--option", "pace=odd"), "can be slow, fast"),
        (("play", "market", "--option", "pace=slow", "--option", "pace=fast"), "once"),
        (("play", "market", "--headless", "--seat", "you"), "nobody can play"),
        (("play", "market", "--seat", "me"), "you, you:NAME or bot:NAME"),
        (("play", "market", "--headless", "--plain"), "one of --headless and --plain"),
        (("arena", "market", "--bots", "greedy"), "Market is for 2 to 4 players, not 1."),
        (("arena", "market", "--games", "0"), "--games"),
        (("replay",), "Missing argument"),
        (("verify",), "Missing argument"),
        (("completion", "tcsh"), "tcsh"),
    ],
)
def test_wrong_usage_is_a_sentence_and_exit_2(run: Run, args: tuple[str, ...], says: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""


def test_a_data_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    result = run("play", "market", "--headless", "--data", tmp_path / "none.toml")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"oaknet: {tmp_path / 'none.toml'}: No such file or directory.\n"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"[market", "not TOML"),
        (b"[market]\nrounds = 3", "market.rounds must be written as"),
    ],
)
def test_a_data_file_that_cannot_be_used(run: Run, tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "numbers.toml"
    path.write_bytes(content)
    result = run("play", "market", "--headless", "--data", path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert says in result.stderr
    assert str(path) in result.stderr


def test_a_data_file_changes_the_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "numbers.toml"
    path.write_text(registry.data_text("market").replace("rounds = { value = 4", "rounds = { value = 1"))
    short = run("play", "market", "--headless", "--seed", "s", "--data", path)
    assert short.exit_code == 0
    assert short.stdout.count(": tip") == 1
    assert run("play", "market", "--headless", "--seed", "s").stdout.count(": tip") == 4


def test_an_error_is_an_event_too_where_json_was_wanted(run: Run) -> None:
    result = run("play", "chess", "--headless", "--json")
    assert result.exit_code == 2
    event = json.loads(result.stdout)
    assert event["event"] == "error"
    assert f"oaknet: {event['message']}\n" == result.stderr


def test_json_goes_with_headless(run: Run) -> None:
    result = run("play", "market", "--plain", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["message"] == "--json goes with --headless here."


def test_wrong_options_are_an_event_too_where_json_was_wanted(run: Run) -> None:
    result = run("arena", "--json", "--games", "none")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["event"] == "error"
    assert "none" in result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_script_of_each_shell(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_OAKNET_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.parametrize(
    ("typed", "word", "offered"),
    [
        ("oaknet ver", "1", ["verify"]),
        ("oaknet play ma", "2", ["market"]),
        ("oaknet play market --bot gr", "4", ["greedy"]),
        ("oaknet export --to j", "3", ["json"]),
    ],
)
def test_completion_offers_commands_games_and_bots(
    run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, word: str, offered: list[str]
) -> None:
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", word)
    monkeypatch.setenv("_OAKNET_COMPLETE", "bash_complete")
    assert [line.split(",")[1] for line in run().stdout.splitlines()] == offered
