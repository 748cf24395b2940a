"""What a person waits for on the screen: ``python -m tests.bench.screen``.

First paint in a real terminal (a pseudo terminal of 120 by 36) of the home screen and of tables beside a bare
Textual app of one label, measured in turns; and how long it takes from a key on Oak's board until that is
painted anew.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import signal
import statistics
import struct
import sys
import sysconfig
import tempfile
import termios
import time
from pathlib import Path

BARE = """
from textual.app import App
from textual.widgets import Label
class Bare(App[None]):
    def compose(self):
        yield Label("READY")
Bare().run()
"""

SIZE = (36, 120)


def first_paint(command: list[str], sign: bytes) -> float:
    """Seconds from the start of a program until a terminal has received this text."""
    with tempfile.TemporaryDirectory(prefix="oaknet-bench-") as home:
        (Path(home) / "config.toml").write_text('name = "Ann"\n', encoding="utf-8")  # no first start
        begun = time.perf_counter()
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(TERM="xterm-256color", OAKNET_HOME=home, COLORTERM="truecolor")
            os.execv(command[0], command)  # noqa: S606 - our own command
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        seen = b""
        try:
            while sign not in seen:
                seen += os.read(terminal, 65536)
            return time.perf_counter() - begun
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(terminal)


async def keys(presses: int) -> list[float]:
    """Seconds from each key until Oak's board is painted anew, in a table of four on 200 by 60 cells."""
    from oaknet import registry
    from oaknet.kernel.rules import checked_options
    from oaknet_client.config import Config
    from oaknet_client.feed import Seat
    from oaknet_client.local import Local
    from oaknet_client.screen.app import TableApp

    rules = registry.rules("oak")
    seats = (Seat("Ann", place=0), *(Seat(f"bot {i}", bot="greedy", place=i) for i in (1, 2, 3)))
    app = TableApp(Local(rules, seats, checked_options(rules, 4, {}), b"bench"), Config("Ann", bell=False))
    painted = asyncio.Event()
    spent: list[float] = []
    async with app.run_test(size=(200, 60)) as pilot:
        while app._move is None or app._stale:
            await pilot.pause(0.02)
        await pilot.pause(0.2)
        display = app.screen._compositor_refresh

        def refreshed() -> None:
            display()
            painted.set()

        app.screen._compositor_refresh = refreshed  # type: ignore[method-assign]
        for number in range(presses):
            painted.clear()
            begun = time.perf_counter()
            app.simulate_key("down" if number % 8 < 4 else "up")
            await painted.wait()
            spent.append(time.perf_counter() - begun)
            await pilot.pause(0.01)
    app.bridge.stop()
    return spent


def main(rounds: int = 15, presses: int = 200) -> None:
    oaknet = str(Path(sysconfig.get_path("scripts")) / "oaknet")
    started = {
        "a bare Textual app": ([sys.executable, "-c", BARE], b"READY"),
        "oaknet": ([oaknet], b"palette"),  # the last word of the home screen
        "oaknet play five_towers": ([oaknet, "play", "five_towers"], b"Quit"),
        "oaknet play oak": ([oaknet, "play", "oak"], b"Quit"),
    }
    spent: dict[str, list[float]] = {name: [] for name in started}
    for _ in range(rounds):  # in turns: what else the machine does falls on all alike
        for name, (command, sign) in started.items():
            spent[name].append(first_paint(command, sign))
    bare = statistics.median(spent["a bare Textual app"])
    for name, times in spent.items():
        paint = statistics.median(times)
        print(f"{f'first paint, {name}':<40}{paint * 1000:>8.0f} ms{paint / bare:>7.2f}")
    found = sorted(asyncio.run(keys(presses)))
    for name, part in (("p50", 50), ("p95", 95)):
        answered = found[len(found) * part // 100]
        print(f"{f'key to repaint of the Oak board, {name}':<40}{answered * 1000:>8.1f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
