"""Which front end shows a table, and running it there."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace

import click

from oaknet_client.config import Config
from oaknet_client.failures import USAGE, Failure
from oaknet_client.feed import Feed, Result
from oaknet_client.words import kept_lines, result_lines


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
    return Front("screen" if terminal() and not plain else "plain", ascii=ascii_only)


def terminal() -> bool:
    """Whether a screen can be shown here."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def unicode() -> bool:
    """Whether the terminal takes more than ASCII, as far as its locale says."""
    return (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


def run(feed: Feed, front: Front, config: Config) -> Result | None:
    """Show a table to its end: its result, or None if the person left before; raises what goes wrong."""
    if front.kind == "headless":
        from oaknet_client import headless

        return headless.run(feed, _write, as_json=front.as_json)
    if front.kind == "plain":
        from oaknet_client import plain

        return plain.play(feed, _write, config.confirm)
    from oaknet_client.screen import play

    result = play(feed, replace(config, ascii=config.ascii or front.ascii or not unicode()))
    if result is not None:  # the screen is gone: leave the result where it can be read
        for line in (*result_lines(result), *kept_lines(result)):
            _write(line)
    return result


def _write(line: str) -> None:
    click.echo(line)
    sys.stdout.flush()
