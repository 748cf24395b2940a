"""Logs: checked, looked over, exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oaknet import registry
from oaknet.kernel import Game
from oaknet_protocol import log as log_format
from tests.client.conftest import Run

RESULT = {
    "event",
    "table",
    "game",
    "seats",
    "scores",
    "winner",
    "how",
    "transcript",
    "digest",
    "log",
    "verdict",
}


def _cut(path: Path, content: bytes, *, records: int, more: int = 0) -> Path:
    """The header, so many whole records, and so many bytes of the next."""
    _, offset = log_format.read_header(content)
    end = log_format.records(content, offset)[records].offset + more
    path.write_bytes(content[:end])
    return path


def test_a_good_log(run: Run, log: Path) -> None:
    result = run("verify", log)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{log}: valid, ")
    assert "result signed by A Ann and B Ben" in result.stdout


def test_a_good_log_as_json(run: Run, log: Path) -> None:
    result = run("verify", "--json", log, log)
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert first == second
    assert set(first) == RESULT
    assert (first["verdict"], first["how"], first["log"]) == ("valid", "finished", str(log))
    assert [seat["name"] for seat in first["seats"]] == ["Ann", "Ben"]
    assert all(len(first[name]) == 64 for name in ("table", "transcript", "digest"))


def test_a_log_cut_between_entries_is_valid_and_unfinished(
    run: Run, tmp_path: Path, log_bytes: bytes
) -> None:
    path = _cut(tmp_path / "cut.oak", log_bytes, records=20)
    result = run("verify", "--json", path)
    assert result.exit_code == 0
    facts = json.loads(result.stdout)
    assert (facts["how"], facts["winner"], facts["verdict"]) == ("unfinished", [], "valid")
    assert "not finished" in run("verify", path).stdout


def test_a_log_cut_inside_an_entry_names_its_valid_part(run: Run, tmp_path: Path, log_bytes: bytes) -> None:
    path = _cut(tmp_path / "cut.oak", log_bytes, records=20, more=9)
    result = run("verify", path)
    assert (result.exit_code, result.stdout) == (4, "")
    assert "The 20 entries before it are valid." in result.stderr
    facts = json.loads(run("verify", "--json", path).stdout)
    assert set(facts) == RESULT | {"step", "kind", "why"}
    assert (facts["verdict"], facts["kind"]) == ("invalid", "cut")
    assert facts["step"] > 0


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"GIF89a", b"{}"])
def test_what_is_no_log(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.oak"
    path.write_bytes(content)
    for command in (("verify",), ("replay",), ("export", "--to", "text"), ("export", "--to", "json")):
        result = run(*command, path)
        assert (result.exit_code, result.stdout) == (4, "")
        assert result.stderr.count("\n") == 1


def test_a_log_with_other_rules_needs_another_version(run: Run, log: Path, tmp_path: Path) -> None:
    data = tmp_path / "numbers.toml"
    data.write_text(
        registry.data_text("five_towers").replace("display = { value = 5", "display = { value = 4")
    )
    result = run("verify", "--json", "--data", data, log)
    assert result.exit_code == 3
    assert json.loads(result.stdout)["verdict"] == "other version"
    assert "this log needs" in result.stderr.lower()
    assert run("replay", "--data", data, log).exit_code == 3


def test_an_unreadable_path_is_1_and_the_worst_status_counts(run: Run, tmp_path: Path, log: Path) -> None:
    none, odd = tmp_path / "none.oak", tmp_path / "odd.oak"
    odd.write_bytes(b"odd")
    assert run("verify", none).exit_code == 1
    assert run("replay", none).exit_code == 1
    result = run("verify", "--json", odd, none, log)
    assert result.exit_code == 4
    assert [json.loads(line)["event"] for line in result.stdout.splitlines()] == ["result", "error", "result"]
    assert str(none) in result.stderr


def test_a_flipped_byte_is_found_wherever_it_is(run: Run, tmp_path: Path, log_bytes: bytes) -> None:
    path = tmp_path / "flipped.oak"
    for at in range(0, len(log_bytes), len(log_bytes) // 25):
        broken = bytearray(log_bytes)
        broken[at] ^= 1
        path.write_bytes(broken)
        result = run("verify", path)
        assert (result.exit_code, result.stdout) == (4, ""), f"byte {at}"
        assert result.stderr.count("\n") == 1, f"byte {at}"


def test_replay_shows_every_step_and_the_end(run: Run, log: Path) -> None:
    result = run("replay", log)
    assert result.exit_code == 0
    assert result.stdout.startswith("   0  · reveals ")
    assert " wins.\n" in result.stdout
    assert "can sca tre scr san" in result.stdout


def test_replay_shows_one_step_with_the_board_after_it(run: Run, log: Path) -> None:
    result = run("replay", log, "--step", "1")
    first = result.stdout.splitlines()[0]
    assert first.startswith("   1  ")
    assert "wins" not in result.stdout
    assert "can sca tre scr san" in result.stdout
    far = run("replay", log, "--step", "5000")
    assert far.exit_code == 2
    assert "there is no step 5000" in far.stderr


def test_the_good_part_of_a_damaged_log_can_be_looked_at(run: Run, tmp_path: Path, log_bytes: bytes) -> None:
    path = _cut(tmp_path / "cut.oak", log_bytes, records=20, more=9)
    for command in (("replay",), ("export", "--to", "text"), ("export", "--to", "json")):
        result = run(*command, path)
        assert result.exit_code == 4
        assert "reveals" in result.stdout
        assert "The 20 entries before it are valid." in result.stderr


def test_a_log_without_a_step_yet(run: Run, tmp_path: Path, log_bytes: bytes) -> None:
    path = _cut(tmp_path / "open.oak", log_bytes, records=1)
    for command in (("verify",), ("replay",), ("export", "--to", "text"), ("export", "--to", "json")):
        assert run(*command, path).exit_code == 0


def test_exported_text_is_readable(run: Run, log: Path) -> None:
    text = run("export", log, "--to", "text").stdout
    assert text.startswith("5 Towers\nTable ")
    assert "Players, in the order of play: " in text
    assert "\nTranscript " in text


def test_exported_json_plays_the_game_again(run: Run, log: Path) -> None:
    facts = json.loads(run("export", log, "--to", "json").stdout)
    order = facts["order"]
    game = Game.new(registry.rules(facts["game"]), len(order), facts["options"])
    for step in facts["steps"]:
        for given in step["answers"]:
            seat = given["seat"] if given["seat"] < 0 else order.index(given["seat"])
            answer = given["answer"]
            game.answer(seat, tuple(answer) if isinstance(answer, list) else answer)
    assert game.over
    assert game.digest().hex() == facts["result"]["digest"]
