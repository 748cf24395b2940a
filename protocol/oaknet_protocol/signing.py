"""Keys, signatures and secrets of a peer, without any file (transport 1).

What is signed is never bare bytes: each signature carries the kind of what it signs, so that none can be
passed off as another's kind.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias, final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from oaknet.kernel import H

Claim: TypeAlias = tuple[bytes, str, bytes, bytes]
"""What a signature says: whose it is (raw key), the kind, what is signed, and the signature."""

KEY_SIZE = 32
"""Bytes of a public key, of a seed and of a secret."""

SIGNATURE_SIZE = 64
"""Bytes of a signature."""

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The 32 signs of Crockford's base32: no I, L, O or U."""


def labelled(label: str, b: bytes) -> bytes:
    """``"oaknet/1/" label 00 b``: what is signed and what secrets are derived from (transport 1.2, 1.3)."""
    return b"oaknet/1/" + label.encode() + b"\0" + b


def derived(seed: bytes, label: str, b: bytes = b"") -> bytes:
    """HKDF-SHA256 of ``seed`` without salt, info ``"oaknet/1/" label 00 b``: 32 bytes (transport 1.3)."""
    return HKDF(hashes.SHA256(), KEY_SIZE, salt=None, info=labelled(label, b)).derive(seed)


def raw(key: Ed25519PublicKey) -> bytes:
    """The 32 bytes of a public key."""
    return key.public_bytes_raw()


@lru_cache(64)
def _public(key: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(key)


def verify(key: bytes, kind: str, b: bytes, signature: bytes) -> bool:
    """Whether ``signature`` is that of ``key`` (32 raw bytes) over ``b`` as a ``kind`` (transport 1.2)."""
    try:
        _public(key).verify(signature, labelled(kind, b))
    except (InvalidSignature, ValueError):  # ValueError: no key at all
        return False
    return True


def fingerprint(key: bytes) -> str:
    """A key for people to compare, 100 bits of its hash: ``7KQ2M-9F0AX-30BTN-WV5HC`` (transport 1.4)."""
    bits = int.from_bytes(H("fingerprint", key)[:13], "big") >> 4
    signs = "".join(CROCKFORD[bits >> (5 * place) & 31] for place in range(19, -1, -1))
    return "-".join(signs[at : at + 5] for at in range(0, 20, 5))


@final
class Signer:
    """The secret half of a peer: signs for ``key`` and derives its secrets. ``seed`` is 32 secret bytes."""

    __slots__ = ("_private", "_seed", "key")

    key: bytes
    """The public key, 32 raw bytes."""

    def __init__(self, seed: bytes) -> None:
        """Raises `ValueError` if the seed has not 32 bytes."""
        self._seed = seed
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = raw(self._private.public_key())

    def __repr__(self) -> str:  # the seed must not get into logs
        return f"<Signer {fingerprint(self.key)}>"

    def sign(self, kind: str, b: bytes) -> bytes:
        """The signature over ``b`` as a ``kind``: 64 bytes, always the same for the same bytes."""
        return self._private.sign(labelled(kind, b))

    def secret(self, tag: str, x: bytes) -> bytes:
        """32 bytes that only this peer can derive, and can derive again (transport 1.3)."""
        return derived(self._seed, tag, x)
