"""The real program in a real terminal: however it ends, the terminal is as it was and the process gone."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

LEFT = b"\x1b[?1049l"
"""What leaves the alternate screen."""

START = "import sys; from oaknet_client.main import main; sys.argv[0] = 'oaknet'; main()"
HOME = """
from oaknet_protocol import discovery
discovery.Lan.__init__.__defaults__ = (tuple,)  # no network beyond this machine
from oaknet_client.main import main
main()
"""
CRASH = """
import sys
from oaknet_client import local, words
from oaknet_client.main import main
from oaknet_client.screen.app import TableApp

def boom(*_):
    raise RuntimeError("boom")

if sys.argv.pop(1) == "feed":
    local.Local._answered = boom
else:
    TableApp._draw_choices = boom
main()
"""


class Terminal:
    """A child in a terminal of its own, 80 by 24."""

    def __init__(self, code: str, *args: str) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # pragma: no cover - the child becomes the program
            os.environ["TERM"] = "xterm-256color"
            os.execv(sys.executable, [sys.executable, "-c", code, *args])  # noqa: S606
        self.output = b""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.fd)

    def read(self, seconds: float) -> bool:
        """Read what comes within that time; False when the child has closed its end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            got = os.read(self.fd, 65536)
        except OSError:
            return False
        self.output += got
        return bool(got)

    def until(self, text: bytes) -> None:
        """Wait for a text on the screen."""
        end = time.monotonic() + 20
        while text not in self.output:
            assert self.read(0.1), self.output
            assert time.monotonic() < end, self.output

    def gone(self) -> tuple[int, float]:
        """Wait for the end: exit status and seconds."""
        began = time.monotonic()
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self.read(0) and select.select([self.fd], [], [], 0)[0]:
                    pass
                return os.waitstatus_to_exitcode(status), time.monotonic() - began
            if time.monotonic() - began > 10:
                os.kill(self.pid, signal.SIGKILL)
            if self.fd >= 0:
                self.read(0.05)
            else:
                select.select([], [], [], 0.02)


def _press(key: bytes) -> Callable[[Terminal], None]:
    def press(terminal: Terminal) -> None:
        os.write(terminal.fd, key)

    return press


def _send(number: int) -> Callable[[Terminal], None]:
    return lambda terminal: os.kill(terminal.pid, number)


WAYS = [
    (_send(signal.SIGINT), 130),
    (_press(b"q"), 0),
    (_press(b"\x03"), 130),
    (_send(signal.SIGTERM), 143),
    (_send(signal.SIGHUP), 129),
]
NAMES = ["SIGINT", "q", "ctrl-c", "SIGTERM", "SIGHUP"]


def leave(terminal: Terminal, end: Callable[[Terminal], None], status: int) -> None:
    """End the program: within two seconds it is gone, and the terminal as it was before."""
    end(terminal)
    exited, seconds = terminal.gone()
    assert exited == status
    assert seconds < 2
    assert LEFT in terminal.output
    assert b"Traceback" not in terminal.output
    assert termios.tcgetattr(terminal.fd) == terminal.before
    os.close(terminal.fd)


@pytest.mark.parametrize(("end", "status"), WAYS, ids=NAMES)
def test_however_it_ends_the_terminal_is_as_it_was(end: Callable[[Terminal], None], status: int) -> None:
    terminal = Terminal(START, "play", "five_towers", "--seed", "s")
    terminal.until(b"your turn")
    leave(terminal, end, status)


@pytest.mark.parametrize(("end", "status"), WAYS[1:], ids=NAMES[1:])
def test_however_home_is_left_the_terminal_is_as_it_was(
    end: Callable[[Terminal], None], status: int, home: Path
) -> None:
    home.mkdir()
    (home / "config.toml").write_text('name = "Ann"\n')
    terminal = Terminal(HOME)
    terminal.until(b"palette")
    if status == 0:
        terminal.until(b"in no network")  # also while it looks around
    leave(terminal, end, status)


def test_from_the_first_start_to_a_table_and_home_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "Ann")
    terminal = Terminal(HOME)
    terminal.until(b"Welcome to oaknet")
    terminal.until("▁".encode())  # the line to write in is there
    os.write(terminal.fd, b"\r")
    terminal.until(b"in no network")
    os.write(terminal.fd, b"b")
    terminal.until(b"What you play here is not kept")
    os.write(terminal.fd, b"\r")
    terminal.until(b"your turn")
    terminal.output = b""
    os.write(terminal.fd, b"q")
    terminal.until(b"Play against bots")
    terminal.until(b"palette")
    os.write(terminal.fd, b"q")
    exited, _ = terminal.gone()
    assert exited == 0
    assert b"Traceback" not in terminal.output
    assert termios.tcgetattr(terminal.fd) == terminal.before
    assert (home / "config.toml").read_text() == 'name = "Ann"\n'
    os.close(terminal.fd)


def test_a_terminal_that_is_gone_takes_the_program_with_it() -> None:
    terminal = Terminal(START, "play", "five_towers", "--seed", "s")
    terminal.until(b"your turn")
    os.close(terminal.fd)
    terminal.fd = -1
    began = time.monotonic()
    while not (ended := os.waitpid(terminal.pid, os.WNOHANG))[0]:
        if time.monotonic() - began > 10:
            os.kill(terminal.pid, signal.SIGKILL)
        select.select([], [], [], 0.02)
    assert os.waitstatus_to_exitcode(ended[1]) == 129
    assert time.monotonic() - began < 2.5


@pytest.mark.parametrize("side", ["feed", "screen"])
def test_a_crash_on_either_side_is_a_sentence_on_a_sane_terminal(side: str, home: Path) -> None:
    terminal = Terminal(CRASH, side, "play", "five_towers", "--debug")
    status, _ = terminal.gone()
    assert status == 1
    after = terminal.output.rpartition(LEFT)[2]
    assert b"oaknet itself is at fault: RuntimeError: boom" in after
    assert b"Traceback" not in terminal.output
    assert termios.tcgetattr(terminal.fd) == terminal.before
    assert "RuntimeError: boom" in (home / "debug.log").read_text()
    os.close(terminal.fd)


def test_the_result_stays_to_be_read_when_the_screen_is_gone() -> None:
    terminal = Terminal(START, "play", "five_towers", "--seat", "bot:greedy", "--seed", "s")
    terminal.until(b"Leave the table")
    os.write(terminal.fd, b"1")
    status, _ = terminal.gone()
    assert status == 0
    after = terminal.output.rpartition(LEFT)[2]
    assert b" wins.\r\n" in after
    os.close(terminal.fd)


def test_a_bot_that_looks_ahead_plays_on_a_screen_too() -> None:
    seats = ("--seat", "bot:easy", "--seat", "you", "--seed", "s")
    terminal = Terminal(START, "play", "five_towers", *seats)
    terminal.until(b"your turn")  # the other has moved before
    os.write(terminal.fd, b"q")
    status, _ = terminal.gone()
    assert (status, b"at fault" in terminal.output) == (0, False)
    os.close(terminal.fd)


def test_plain_lines_stop_at_an_interrupt() -> None:
    terminal = Terminal(START, "play", "five_towers", "--plain", "--seed", "s")
    terminal.until(b"7  bids 5 cards")
    os.write(terminal.fd, b"\x03")
    status, seconds = terminal.gone()
    assert status == 130
    assert seconds < 2
    assert terminal.output.endswith(b"oaknet: Stopped.\r\n")
    assert b"Traceback" not in terminal.output
    os.close(terminal.fd)


ESCAPED = (b"\x1b[2Jowned", b"\x1b]52;", "\u202e".encode(), "\u200b".encode(), "\u0301".encode() * 5)
"""What no text may put on a terminal."""


def test_hostile_texts_neither_run_nor_break_nor_escape() -> None:
    terminal = Terminal("from tests.client.hostile import main; main()")

    def press(keys: bytes, sign: bytes) -> None:
        terminal.output, before = b"", terminal.output
        seen.append(before)
        os.write(terminal.fd, keys)
        terminal.until(sign)

    seen: list[bytes] = []
    terminal.until(b"[/] in the lobby")
    press(b"1", b"[/] at the table")
    press(b"1", b"your turn")
    press(b"i", b"Esc closes this")
    press(b"i", b"passes")
    press(b"l", b"says: two?lines")
    press(b"l", b"passes")
    press(b"r", b"Type a name")
    press(b"\x1b", b"passes")
    press(b"n", b"Looking back")
    press(b"n", b"your turn")
    press(b"1", b"Look the game over")
    press(b"2", b"Verdict")
    press(b"v", b"nobody has signed it")
    os.write(terminal.fd, b"q")
    status, _ = terminal.gone()
    output = b"".join([*seen, terminal.output])
    assert status == 0
    assert termios.tcgetattr(terminal.fd) == terminal.before
    for shown in (b"[/]", b"[@click=app.quit]x[/]", b"?[2Jowned", b"?evil?", b"two?lines?and"):
        assert shown in output, shown
    assert [sign for sign in ESCAPED if sign in output] == []
    os.close(terminal.fd)


def test_hostile_tables_neither_run_nor_break_nor_escape_at_home() -> None:
    terminal = Terminal("from tests.client.hostile import home; home()")
    terminal.until(b"?evil?")
    os.write(terminal.fd, b"q")
    status, _ = terminal.gone()
    assert status == 0
    assert b"[@click=app.quit]x[/]" in terminal.output
    assert [sign for sign in ESCAPED if sign in terminal.output] == []
    os.close(terminal.fd)
