"""Files as they are given to us, and small ones that are replaced as a whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path

LARGEST = 64 * 2**20
"""Bytes beyond which no file of ours can be: a thousand times a log. What a device gives has no end."""


def content(path: Path) -> bytes:
    """All of a file that somebody names, a pipe too; raises `OSError`, also where it is larger than that."""
    with path.open("rb") as file:
        found = file.read(LARGEST + 1)
    if len(found) > LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return found


def text(path: Path) -> str:
    """The same as text, with plain line ends; raises `UnicodeDecodeError` too."""
    return content(path).decode("utf-8").replace("\r\n", "\n")


def put(path: Path, text: str) -> None:
    """Make ``text`` the content of a file, whole or not at all; raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
