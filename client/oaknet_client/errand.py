"""What a person wants next, as the command line that does it: screens hand it on and run nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Errand:
    """``arguments`` are those of a command of ours; ``line`` says what it is about, ``more`` details."""

    arguments: tuple[str, ...]
    line: str = ""
    more: str = ""
