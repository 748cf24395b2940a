"""Small files that are replaced as a whole, or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


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
