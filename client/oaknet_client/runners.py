"""Where the games of an arena are played: in this process, in several, or on a cluster."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from oaknet_client.arena import Pairing, Played, play
from oaknet_client.failures import UNREACHABLE, USAGE, Failure

PATIENCE = 10
"""Seconds to wait for a scheduler."""

Numbered = tuple[int, Played]
"""A game that has been played, and its place in the plan."""


def local(games: Sequence[Pairing], workers: int) -> Iterator[Numbered]:
    """Play all games on so many processes; each is told of as soon as it has ended."""
    workers = min(workers, len(games))
    if workers <= 1:
        yield from map(_numbered, enumerate(games))
        return
    import multiprocessing

    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(_numbered, enumerate(games))


def _numbered(job: tuple[int, Pairing]) -> Numbered:
    number, pairing = job
    return number, play(pairing)


def cluster(games: Sequence[Pairing], address: str) -> Iterator[Numbered]:
    """Play all games on the workers of a running ``dask.distributed`` scheduler, which need oaknet too.

    Raises `Failure` without the extra ``oaknet[cluster]``, and where no scheduler answers.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise Failure("A cluster needs an extra: python -m pip install 'oaknet[cluster]'.", USAGE) from None
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise Failure(f"No scheduler answers at {address}. Is that its address?", UNREACHABLE) from error
    with client:
        # a pure function of the pairing, but two pairings that are the same must still be two games
        jobs = client.map(_numbered, list(enumerate(games)), pure=False)
        for job in distributed.as_completed(jobs):
            yield job.result()
