"""Playing by numbered lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.client.conftest import Run

PLAY = ("play", "five_towers", "--plain", "--seed", "s")


def _prompts(text: str) -> int:
    return text.count(", your turn. ")


def test_a_whole_game_of_5_towers(run: Run) -> None:
    result = run(*PLAY, "--seat", "you:Ann", typed="1\n\n" * 200)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.startswith("5 Towers: A Ann, B greedy. Type ? for help.\n")
    assert _prompts(result.stdout) > 20
    assert re.search(r"^B greedy wins\.\n  A Ann +0\n  B greedy +\d+\n$", result.stdout, re.MULTILINE)


def test_a_whole_game_where_all_are_asked_at_once(run: Run) -> None:
    args = ("play", "market", "--plain", "--seed", "s", "--seat", "you:Ann", "--seat", "you:Ben")
    result = run(*args, "--bot", "greedy", typed="1\n\n" * 100)
    assert result.exit_code == 0
    assert "A Ann, your turn. Bid:" in result.stdout
    assert "B Ben, your turn. Bid:" in result.stdout
    assert result.stdout.count("C greedy: bid: 2") == 4
    assert "A Ann, B Ben and C greedy share the victory." in result.stdout


def test_it_is_what_there_is_without_a_terminal(run: Run) -> None:
    assert "your turn" in run("play", "market", "--seed", "s", typed="q\n").stdout


def test_the_same_seed_is_the_same_game(run: Run) -> None:
    first, second = (run(*PLAY, typed="1\n\n" * 200).stdout for _ in range(2))
    assert first == second


def test_a_choice_is_sent_by_enter_and_not_before(run: Run) -> None:
    result = run(*PLAY, typed="2\nq\n")
    assert result.stdout.count("This ends your turn. Enter sends it") == 1
    assert "B greedy:" not in result.stdout
    assert "B greedy:" in run(*PLAY, typed="2\n\nq\n").stdout


def test_something_else_at_the_end_of_a_turn_is_explained(run: Run) -> None:
    assert "Enter sends the turn, u takes the last choice back.\n" in run(*PLAY, typed="2\n2\nq\n").stdout


def test_u_takes_back_one_choice(run: Run) -> None:
    result = run(*PLAY, typed="2\nu\nq\n")
    assert _prompts(result.stdout) == 2
    assert "nothing to take back" in run(*PLAY, typed="u\nq\n").stdout


def test_capital_u_takes_back_the_whole_turn(run: Run) -> None:
    winning = "7\n\n"  # the highest bid, so that building follows
    result = run(*PLAY, typed=f"{winning}1\n1\nU\nq\n")
    parts = result.stdout.split(", your turn. ")
    building = [part.split("\n\n")[0].strip() for part in parts[2:]]
    assert building[0] == building[-1]
    assert len(building) >= 3
    assert building[0] not in building[1:-1]


@pytest.mark.parametrize("typed", ["0", "99", "-1", "x", "1.5", "", "²", "9" * 5000])
def test_what_is_no_choice_is_answered_by_what_would_be(run: Run, typed: str) -> None:
    result = run(*PLAY, typed=f"{typed}\nq\n")
    assert result.exit_code == 0
    assert "Type a number from 1 to 7, or ? for help." in result.stdout


def test_help_board_and_scores(run: Run) -> None:
    plain = run(*PLAY, typed="q\n").stdout
    assert plain.count("Display") == 1
    result = run(*PLAY, typed="?\nb\ns\nq\n").stdout
    assert "take back the last choice" in result
    assert result.count("Display") == 2
    assert "(cards 0, topped towers 0, highest tower 0, torn down 0)" in result


def test_quitting_is_no_failure(run: Run) -> None:
    result = run(*PLAY, typed="q\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "wins" not in result.stdout


def test_input_that_ends_early_is_a_failure(run: Run) -> None:
    result = run(*PLAY, typed="1\n")
    assert result.exit_code == 1
    assert result.stderr == "oaknet: The input ended before the game did.\n"


@pytest.mark.parametrize(("confirm", "asked"), [("turn", True), ("draw", False), ("never", False)])
def test_the_setting_says_what_waits_for_enter(run: Run, home: Path, confirm: str, asked: bool) -> None:
    home.mkdir()
    (home / "config.toml").write_text(f'confirm = "{confirm}"\n')
    result = run(*PLAY, typed="2\nq\n")
    assert ("This ends your turn" in result.stdout) is asked
    assert ("B greedy:" in result.stdout) is not asked


def test_what_leads_to_a_draw_waits_where_that_is_the_setting(run: Run, home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text('confirm = "draw"\n')
    result = run(*PLAY, typed="1\n\n" * 200)
    assert result.exit_code == 0
    assert "This ends your turn. Then comes a draw. Enter sends it" in result.stdout
