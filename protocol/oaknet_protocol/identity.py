"""A player's long-lived key and the file that holds it (transport 1.5).

A player is their key; who loses the file cannot become the same player again, so nothing here overwrites one
unasked, and a crash leaves either the old file or the new one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Self, final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from oaknet_protocol.signing import Signer, fingerprint

_POSIX = os.name == "posix"
_LARGEST = 16 * 1024  # a key file has about 120 bytes: whatever is larger is something else
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


class IdentityFault(Exception):
    """An identity that cannot be read, made, exported or imported; the text says why, in a sentence."""


@final
class Identity:
    """A player's Ed25519 key and its file: PKCS 8 PEM, readable by its owner alone.

    ``path`` is where the key lies: `ssl` reads it there, and it is written nowhere else unless exported.
    """

    __slots__ = ("path", "program", "signer")

    path: Path
    signer: Signer
    """Signs and derives secrets, for what must not touch files."""

    program: bytes
    """16 random bytes, other ones each time that a key is loaded: they tell programs with one key apart, as
    where it was copied (transport 2.5)."""

    def __init__(self, path: Path, signer: Signer) -> None:
        self.path = path
        self.signer = signer
        self.program = os.urandom(16)

    def __repr__(self) -> str:
        return f"<Identity {self.fingerprint} at {self.path}>"

    @property
    def key(self) -> bytes:
        """The public key, 32 raw bytes."""
        return self.signer.key

    @property
    def fingerprint(self) -> str:
        """The public key for people to compare."""
        return fingerprint(self.key)

    def sign(self, kind: str, b: bytes) -> bytes:
        """The signature over ``b`` as a ``kind``: 64 bytes."""
        return self.signer.sign(kind, b)

    def secret(self, tag: str, x: bytes) -> bytes:
        """32 bytes that only this peer can derive."""
        return self.signer.secret(tag, x)

    @classmethod
    def load(cls, path: Path) -> Self:
        """The identity in this file, closed to others if they may read it; raises `IdentityFault`."""
        private = _parse(path, _read(path))
        _make_private(path)
        return cls(path, Signer(private.private_bytes_raw()))

    @classmethod
    def load_or_make(cls, path: Path) -> Self:
        """The identity in this file, made with its folder if there is none yet; raises `IdentityFault`."""
        if not os.path.lexists(path):
            _write(path, _pem(Ed25519PrivateKey.generate()), force=False, taken_is_fine=True)
        return cls.load(path)

    def export(self, target: Path, *, force: bool = False) -> None:
        """Copy the key to ``target``, a PEM file; raises `IdentityFault` if there is one, unless forced."""
        _write(target, _read(self.path), force=force)

    @classmethod
    def import_from(cls, source: Path, path: Path, *, force: bool = False) -> Self:
        """Make the key in ``source`` the identity at ``path``.

        Raises `IdentityFault` if ``source`` holds none, or if another identity is at ``path`` already, unless
        forced: that one is lost then.
        """
        private = _parse(source, _read(source))
        if not force and os.path.lexists(path):
            there = cls.load(path)
            if there.signer.key != Signer(private.private_bytes_raw()).key:
                raise IdentityFault(
                    f"There is another identity at {path} already ({there.fingerprint}). Export it first, "
                    "then import with force."
                )
            return there
        _write(path, _pem(private), force=force)
        return cls.load(path)


def _pem(private: Ed25519PrivateKey) -> bytes:
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise IdentityFault(f"The identity at {path} cannot be read: {_reason(error)}.") from error
    if len(data) > _LARGEST:
        raise IdentityFault(f"{path} is too large to be an identity.")
    return data


def _parse(path: Path, data: bytes) -> Ed25519PrivateKey:
    try:
        private = load_pem_private_key(data, password=None)
    except TypeError as error:  # how it says that a password is due
        raise IdentityFault(f"The key in {path} has a password; oaknet needs one without.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise IdentityFault(
            f"{path} is no identity of oaknet. Choose another file, or move it away and start again."
        ) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise IdentityFault(f"The key in {path} is of another kind; an identity of oaknet is an Ed25519 key.")
    return private


def _make_private(path: Path) -> None:
    """Take away everybody's rights but the owner's, who may have copied the file carelessly."""
    if not _POSIX:
        return
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            path.chmod(0o600)
    except OSError as error:
        raise IdentityFault(
            f"Others may read the identity at {path}, and that cannot be changed: {_reason(error)}."
        ) from error


def _write(path: Path, data: bytes, *, force: bool, taken_is_fine: bool = False) -> None:
    """Put a whole file at ``path`` or none: written beside it, on the disk, then given its name."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise IdentityFault(f"The folder {path.parent} cannot be made: {_reason(error)}.") from error
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".identity-")  # mode 0600
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if force:
                temporary.replace(path)
            else:
                _name(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except FileExistsError as error:
        if not taken_is_fine:  # fine: another process was faster, and its identity is the identity
            raise IdentityFault(f"There is a file at {path} already; nothing was written.") from error
    except OSError as error:
        raise IdentityFault(f"The identity cannot be written to {path}: {_reason(error)}.") from error


def _name(temporary: Path, path: Path) -> None:
    """Give the file its name, if that is free; raises `FileExistsError` if it is not."""
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without hard links: the best it offers is to look first.
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from error
        temporary.replace(path)


def _sync_folder(folder: Path) -> None:
    """Make a new name in this folder survive a power cut."""
    if not _POSIX:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems cannot, and need not
            os.fsync(handle)
    finally:
        os.close(handle)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
