"""The rules that a command plays or checks with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from oaknet import registry
from oaknet.kernel import DataFault, Rules
from oaknet_client import files
from oaknet_client.failures import Failure


def loaded(game: str, data: Path | None) -> Rules[Any]:
    """The rules of a game, with the numbers of a data file if one is given.

    Raises `UnknownGame`, `OSError`, `DataFault` or `Failure`.
    """
    if data is None:
        return registry.rules(game)
    try:
        return registry.rules(game, files.text(data))
    except UnicodeDecodeError as error:
        raise Failure(f"{data}: this is not a data file: it is not UTF-8 text.") from error
    except DataFault as error:
        raise DataFault([f"{data}: {error.faults[0]}", *error.faults[1:]]) from error
