"""Every exception becomes a sentence and an exit status, and none a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from oaknet import __version__
from oaknet.bots import UnknownBot
from oaknet.kernel import BadOptions, DataFault, WrongSeats
from oaknet.registry import UnknownGame
from oaknet_client import failures, files
from oaknet_client.failures import Failure, explain
from oaknet_protocol.node import PeerCheated, PeerLost
from oaknet_protocol.verify import BadLog
from tests.client.conftest import Run


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (UnknownGame("No such game."), 2, "No such game."),
        (UnknownBot("No such bot."), 2, "No such bot."),
        (WrongSeats("Not so many."), 2, "Not so many."),
        (BadOptions("No such option."), 2, "No such option."),
        (DataFault(["a", "b"]), 1, "The data file cannot be used: a; b."),
        (DataFault(list("abcde")), 1, "The data file cannot be used: a; b; c; and 2 more."),
        (BadLog("it is odd", step=3, kind="move", valid=2), 4, None),
        (BadLog("it is new", status=3), 3, "It is new."),
        (PeerLost("Ann is gone."), 5, "Ann is gone."),
        (PeerCheated("Ann signed nonsense."), 4, "Ann signed nonsense."),
        (KeyboardInterrupt(), 130, "Stopped."),
        (OSError(28, "No space left on device", "a.oak"), 1, "a.oak: No space left on device."),
        (OSError(98, "Address already in use"), 1, "The system refused: Address already in use."),
        (Failure("As it was.", 5), 5, "As it was."),
    ],
)
def test_what_is_known_has_its_sentence(error: BaseException, status: int, sentence: str | None) -> None:
    failure = explain(error)
    assert failure.status == status
    assert sentence is None or failure.sentence == sentence


def test_the_first_error_of_a_group_counts() -> None:
    group = ExceptionGroup("two", [ExceptionGroup("one", [PeerLost("gone")]), ValueError("later")])
    assert explain(group).status == 5


def test_what_a_peer_put_into_an_error_cannot_reach_the_terminal() -> None:
    assert "\x1b" not in explain(PeerLost("x \x1b[2J\n y")).sentence
    assert "\n" not in explain(PeerLost("x \x1b[2J\n y")).sentence
    assert "\x1b" not in explain(ValueError("\x1b]0;title\x07")).sentence


def _break(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by \x1b[2J zero")

    monkeypatch.setattr("oaknet_client.front.run", fail)


def test_our_own_fault_is_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    _break(monkeypatch)
    result = run("play", "market", "--headless")
    assert result.exit_code == failures.FAILED
    assert result.stderr.startswith("oaknet: oaknet itself is at fault: ZeroDivisionError: by ?[2J zero\n")
    assert not (home / "debug.log").exists()


@pytest.mark.parametrize("args", [("--debug", "play", "market"), ("play", "market", "--debug")])
def test_with_debug_the_traceback_is_in_the_log_file(
    run: Run, monkeypatch: pytest.MonkeyPatch, home: Path, args: tuple[str, ...]
) -> None:
    _break(monkeypatch)
    result = run(*args, "--headless")
    assert result.exit_code == failures.FAILED
    text = (home / "debug.log").read_text()
    assert "Traceback" in text
    assert "ZeroDivisionError" in text
    assert f"oaknet {__version__}, Python " in text


def test_warnings_of_the_network_never_reach_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    code = """
import logging, oaknet_client.main
logging.getLogger("oaknet_protocol.transport").warning("a peer was dropped")
logging.getLogger("oaknet").error("boom")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize(
    "args", [("--version",), (), ("verify", "--json"), ("verify",), ("nonsense", "--json")]
)
def test_output_that_cannot_be_written_is_a_sentence(log: Path, args: tuple[str, ...]) -> None:
    command = "from oaknet_client.main import main; main()"
    files = [str(log)] if args[:1] == ("verify",) else []
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", command, *args, *files], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == (2 if "nonsense" in args else 1)
    assert "No such command" in done.stderr or done.stderr == (
        "oaknet: The system refused: No space left on device.\n"
    )


def test_an_interrupt_is_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("oaknet_client.front.run", interrupt)
    assert run("play", "market", "--headless").exit_code == failures.INTERRUPTED


def test_an_interrupt_while_the_program_is_loaded_is_the_same_sentence() -> None:
    """Ctrl-C in the first tenths of a second, in the middle of an import."""
    code = """
import os, signal, sys
class Impatient:
    def find_spec(self, name, path, target=None):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Impatient())
from oaknet_client.start import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "oaknet: Stopped.\n")


def test_who_presses_it_again_and_again_reads_the_same_sentence() -> None:
    """A second Ctrl-C comes while the first is answered, a third while Python ends."""
    code = """
import atexit, signal
import oaknet_client.main
def again():
    raise KeyboardInterrupt
def over():
    raise SystemExit(130)
atexit.register(lambda: print(signal.getsignal(signal.SIGINT) == signal.SIG_DFL, flush=True))
oaknet_client.main.main = END
from oaknet_client.start import main
main()
"""
    for end, said, complained in (("again", "", "oaknet: Stopped.\n"), ("over", "True\n", "")):
        words = [sys.executable, "-c", code.replace("END", end)]
        done = subprocess.run(words, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (130, said, complained)


@pytest.mark.skipif(os.name != "posix", reason="a shell closes streams so")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_leads_nowhere(closed: str) -> None:
    code = "from oaknet_client.start import main; main()"
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -c "$1" --version {closed}', sys.executable, code],
        capture_output=True,
        text=True,
    )
    said = "" if ">&- " in f"{closed} ".replace("2>&-", "") else f"oaknet {__version__}\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


def test_the_program_begins_where_an_interrupt_is_answered() -> None:
    """What the installed command calls; an interrupt that who started us ignores is still ignored."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"oaknet": "oaknet_client.start:main"}
    code = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
import oaknet_client.main
oaknet_client.main.main = lambda: print(int(signal.getsignal(signal.SIGINT)))
from oaknet_client.start import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
@pytest.mark.parametrize(
    "words", ["verify", "verify --bisect", "replay --plain", "export --to json", "play oak --data"]
)
def test_a_file_without_an_end_is_refused(run: Run, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 2**16)
    more = ["/dev/zero"] if "bisect" in words else []
    result = run(*words.split(), "/dev/zero", *more)
    assert (result.exit_code, result.stderr) == (1, "oaknet: /dev/zero: File too large.\n")


def test_a_reader_that_leaves_is_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_: object, **__: object) -> None:
        raise BrokenPipeError

    deaf: list[int] = []
    monkeypatch.setattr("oaknet_client.front.run", leave)
    monkeypatch.setattr("oaknet_client.main._deafen", deaf.append)
    result = run("play", "market", "--headless")
    assert (result.exit_code, result.stderr, deaf) == (1, "", [1])
