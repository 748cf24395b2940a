"""Where the program begins: Ctrl-C is answered by a sentence already while everything is being loaded."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import NoReturn

INTERRUPTED = 130
"""128 + the signal's number, as `oaknet_client.failures` has it, which is not loaded yet."""


def main() -> NoReturn:
    """The program."""
    _open_streams()
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:  # else who started us wants it to be ignored
        signal.signal(signal.SIGINT, _stopped)
    from oaknet_client.main import main as run

    signal.signal(signal.SIGINT, usual)
    try:
        run()
    except KeyboardInterrupt:  # once more, while the first was being answered
        _stopped()
    finally:
        if usual is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is left to be told while Python ends


def _open_streams() -> None:
    """A standard stream that was closed leads nowhere: else the next file would take its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with contextlib.suppress(OSError):
                os.fstat(number)
                continue  # there, and only not Python's
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "w" if number else "r", encoding="utf-8"))


def _stopped(*_: object) -> NoReturn:
    """End at once: nothing is begun yet, or all is over already."""
    try:
        os.write(2, b"oaknet: Stopped.\n")
    finally:
        os._exit(INTERRUPTED)
