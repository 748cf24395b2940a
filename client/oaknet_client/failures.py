"""What people read when something goes wrong: one or two plain sentences and an exit status.

`explain` is the one place that turns an exception into both; a traceback on the terminal is a fault.
"""

from __future__ import annotations

import logging
from typing import Any, cast

DONE = 0
FAILED = 1
USAGE = 2
OTHER_VERSION = 3
NOT_VERIFIED = 4
UNREACHABLE = 5
INTERRUPTED = 130

log = logging.getLogger("oaknet")
LOGGERS = ("oaknet", "oaknet_protocol")
"""The loggers that --debug writes down; without it nothing of them is seen, least of all on the terminal."""
for _name in LOGGERS:
    logging.getLogger(_name).addHandler(logging.NullHandler())


class Failure(Exception):
    """Ends the program with a sentence on standard error and this exit status."""

    def __init__(self, sentence: str, status: int = FAILED) -> None:
        self.sentence, self.status = sentence, status
        super().__init__(sentence)


def explain(error: BaseException) -> Failure:
    """The failure that people read for any exception; what nobody foresaw goes to the debug log."""
    error = _innermost(error)
    if isinstance(error, Failure):
        return error
    if isinstance(error, KeyboardInterrupt):
        return Failure("Stopped.", INTERRUPTED)
    known = _engine(error) or _protocol(error)
    if known is None and isinstance(error, OSError):
        known = Failure(_file(error))
    if known is not None:
        log.info("failed", exc_info=error)
        return known
    log.error("unexpected", exc_info=error)
    return Failure(
        f"oaknet itself is at fault: {type(error).__name__}: {_one_line(str(error))}\n"
        "Please report it, with the log file that --debug writes."
    )


def _engine(error: BaseException) -> Failure | None:
    """The failures of the games: a wrong wish is wrong usage, a wrong data file a plain failure."""
    from oaknet.bots import UnknownBot
    from oaknet.kernel import BadOptions, DataFault, WrongSeats
    from oaknet.registry import UnknownGame

    if isinstance(error, UnknownGame | UnknownBot | WrongSeats | BadOptions):
        return Failure(str(error), USAGE)
    if isinstance(error, DataFault):
        more = len(error.faults) - 3
        shown = "; ".join(error.faults[:3]) + (f"; and {more} more" if more > 0 else "")
        return Failure(f"The data file cannot be used: {shown}.")
    return None


def _protocol(error: BaseException) -> Failure | None:
    """The failures of the protocol say their own sentence and carry their exit status."""
    if not type(error).__module__.startswith("oaknet_protocol."):
        return None
    status: Any = getattr(error, "status", FAILED)
    return Failure(_one_line(str(error)), status)


def _file(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return f"The system refused: {reason}."
    return f"{_one_line(str(error.filename))}: {reason}."


def _innermost(error: BaseException) -> BaseException:
    """The first leaf of an exception group: trio's nurseries wrap what went wrong."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def _one_line(text: str) -> str:
    from oaknet_client.words import inert

    return " ".join(inert(text).split())
