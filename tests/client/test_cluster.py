"""The arena on a cluster: a scheduler and two workers of this machine."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.client.conftest import Run

SCRIPT = """
import sys
from distributed import LocalCluster
from oaknet_client.main import main

if __name__ == "__main__":
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        sys.argv = ["oaknet", *sys.argv[1:], "--cluster", cluster.scheduler_address]
        main()
"""
"""In a process of its own: a scheduler leaves threads and an event loop behind."""


@pytest.mark.skipif(find_spec("distributed") is None, reason="the extra oaknet[cluster] is not installed")
def test_two_workers_play_the_same_games_as_this_process(run: Run, tmp_path: Path) -> None:
    args = ("arena", "five_towers", "--games", "6", "--seed", "cluster", "--json")
    script = tmp_path / "cluster.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script, *args], capture_output=True, text=True, check=False, timeout=100
    )
    assert (done.returncode, done.stdout) == (0, run(*args, "--workers", "1").stdout), done.stderr


def test_without_the_extra_a_cluster_is_refused_with_the_way_to_get_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("arena", "market", "--games", "2", "--cluster", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert result.stderr == "oaknet: A cluster needs an extra: python -m pip install 'oaknet[cluster]'.\n"


@pytest.mark.skipif(find_spec("distributed") is None, reason="the extra oaknet[cluster] is not installed")
def test_a_scheduler_that_does_not_answer(tmp_path: Path) -> None:
    code = (
        "from oaknet_client import runners; runners.PATIENCE = 1; from oaknet_client.main import main; main()"
    )
    args = ("arena", "five_towers", "--games", "2", "--cluster", "tcp://127.0.0.1:1")
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 5
    assert "No scheduler answers at tcp://127.0.0.1:1. Is that its address?" in done.stderr
    assert "Traceback" not in done.stderr
