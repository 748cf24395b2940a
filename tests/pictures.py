"""Write the pictures of the README anew: ``python -m tests.pictures``. The games are always the same."""

from __future__ import annotations

import subprocess
import sysconfig
import tempfile
from pathlib import Path

from tests.bench.games import greedy_log

FOLDER = Path(__file__).parent.parent / "docs"

STEPS = {"oak": 90, "five_towers": 120}
"""The step after which each board is drawn."""


def main() -> None:
    oaknet = str(Path(sysconfig.get_path("scripts")) / "oaknet")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="oaknet-pictures-") as folder:
        for game, step in STEPS.items():
            log = Path(folder) / f"{game}.oak"
            log.write_bytes(greedy_log(game))
            command = [oaknet, "export", str(log), "--to", "svg", "--step", str(step)]
            done = subprocess.run(command, check=True, capture_output=True)
            (FOLDER / f"{game}.svg").write_bytes(done.stdout)


if __name__ == "__main__":
    main()
