"""Oak alone: one peer, whose draws are complete by its own share, and a rival without a seat."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.program import logs, oaknet, verified


def test_a_demo_for_one_plays_verifies_and_shows_both_scores(tmp_path: Path) -> None:
    done = oaknet(tmp_path, "demo", "--game", "oak", "--players", 1, "--headless", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["event"], found["how"]) == ("result", "finished")
    assert (len(found["seats"]), len(found["scores"])) == (1, 2)
    assert found["winner"] == ([0] if found["scores"][0] > found["scores"][1] else found["winner"])
    assert [Path(log) for log in found["logs"]] == logs(tmp_path)
    (reading,) = verified(tmp_path, *logs(tmp_path))
    assert reading["verdict"] == "valid"
    for key in ("scores", "winner", "transcript", "digest"):
        assert reading[key] == found[key]
    text = oaknet(tmp_path, "export", "--to", "text", found["log"]).stdout
    assert f"against you {found['scores'][1]:>5}" in text
    assert "Broichan plays" in text


def test_one_plays_alone_at_this_keyboard_too(tmp_path: Path) -> None:
    done = oaknet(tmp_path, "play", "oak", "--players", 1, "--headless", "--seed", "alone")
    assert (done.returncode, done.stderr) == (0, "")
    assert "against you" in done.stdout
    arena = oaknet(tmp_path, "arena", "oak", "--bots", "greedy", "--games", 2, "--workers", 1, "--json")
    assert json.loads(arena.stdout)["bots"][0]["games"] == 2
