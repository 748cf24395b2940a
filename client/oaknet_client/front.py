"""Which front end shows a table, and running it there."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from oaknet_client.config import Config
from oaknet_client.failures import INTERRUPTED, USAGE, Failure, explain
from oaknet_client.main import Wishes

if TYPE_CHECKING:
    from oaknet_client.feed import Feed, Result


@dataclass(frozen=True, slots=True)
class Front:
    """``kind`` is screen, plain or headless; ``as_json`` goes with headless, ``ascii`` with the screen."""

    kind: str
    as_json: bool = False
    ascii: bool = False

    @property
    def headless(self) -> bool:
        """Whether nobody can answer here."""
        return self.kind == "headless"


def chosen(*, headless: bool, plain: bool, as_json: bool, ascii_only: bool = False) -> Front:
    """The front end that was wished for; a screen needs a terminal, so without one it is plain lines."""
    if headless and plain:
        raise Failure("Choose one of --headless and --plain.", USAGE)
    if as_json and not headless:
        raise Failure("--json goes with --headless here.", USAGE)
    if headless:
        return Front("headless", as_json)
    return Front("screen" if terminal() and not plain else "plain", ascii=ascii_only or ascii_wished())


def terminal() -> bool:
    """Whether a screen can be shown here."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def ascii_wished() -> bool:
    """Whether ``--ascii`` was said for the whole program."""
    ctx = click.get_current_context(silent=True)
    wishes = None if ctx is None else ctx.find_object(Wishes)
    return wishes is not None and wishes.ascii


def unicode() -> bool:
    """Whether the terminal takes more than ASCII, as far as its locale says."""
    return (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


def run(
    feed: Feed, front: Front, config: Config, again: Callable[[Result], Feed] | None = None
) -> Result | None:
    """Show a table to its end: its result, or None if the person left before; raises what goes wrong.

    On a screen a rematch is offered if there can be one: ``again`` makes its feed. The result is then that of
    the last table.
    """
    if front.kind == "headless":
        from oaknet_client import headless

        with _ended_in_order():
            return headless.run(feed, _write, as_json=front.as_json)
    if front.kind == "plain":
        from oaknet_client import plain

        with _ended_in_order():
            return plain.play(feed, _write, config.confirm)
    from oaknet_client.screen import play
    from oaknet_client.words import kept_lines, result_lines

    shown = replace(config, ascii=config.ascii or front.ascii or not unicode())
    while True:
        result, wanted = play(feed, shown, again=again is not None)
        if result is not None:  # the screen is gone: leave the result where it can be read
            for line in (*result_lines(result), *kept_lines(result)):
                _write(line)
        if result is None or again is None or not wanted:
            return result
        feed = again(result)


@contextlib.contextmanager
def _ended_in_order() -> Generator[None, None, None]:
    """End by SIGTERM and SIGHUP as by Ctrl-C, with a status of their own: others at the table and the router
    are told. Trio knows how to take a Ctrl-C at any moment, so that is what such a signal becomes."""
    caught: list[int] = []

    def end(number: int, _: object) -> None:
        caught.append(number)
        signal.raise_signal(signal.SIGINT)

    if threading.current_thread() is not threading.main_thread():  # where nobody may handle signals
        yield
        return
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        if before[number] is signal.SIG_DFL:  # what nohup or whoever runs us has set stays
            signal.signal(number, end)
    try:
        yield
    except BaseException as error:
        if caught and explain(error).status == INTERRUPTED:
            raise Failure("Stopped.", 128 + caught[0]) from error
        raise
    finally:
        for number in numbers:
            signal.signal(number, before[number])


def _write(line: str) -> None:
    click.echo(line)
    sys.stdout.flush()
