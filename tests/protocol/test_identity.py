"""The key of a player: its file, what it signs, what it derives (transport 1)."""

import base64
import errno
import hashlib
import hmac
import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from oaknet_protocol.identity import Identity, IdentityFault
from oaknet_protocol.signing import Signer, fingerprint, verify

SEED = bytes(range(32))
POSIX = os.name == "posix"


def test_what_is_signed_verifies_for_that_key_kind_and_text_only() -> None:
    signer, other = Signer(SEED), Signer(b"x" * 32)
    signature = signer.sign("entry", b"text")
    assert len(signature) == 64
    assert verify(signer.key, "entry", b"text", signature)
    assert not verify(signer.key, "chat", b"text", signature)
    assert not verify(signer.key, "entry", b"texu", signature)
    assert not verify(other.key, "entry", b"text", signature)


@pytest.mark.parametrize("at", [0, 31, 32, 63])
def test_a_changed_signature_does_not_verify(at: int) -> None:
    signer = Signer(SEED)
    signature = bytearray(signer.sign("entry", b"text"))
    signature[at] ^= 1
    assert not verify(signer.key, "entry", b"text", bytes(signature))


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_keys_and_signatures_of_a_wrong_size_are_refused_without_an_error(size: int) -> None:
    signer = Signer(SEED)
    assert not verify(b"k" * size, "entry", b"", signer.sign("entry", b""))
    assert not verify(signer.key, "entry", b"", b"s" * size)


def test_what_is_signed_is_the_labelled_bytes_of_the_spec() -> None:
    signature = Signer(SEED).sign("sit", b"abc")
    expected = Ed25519PrivateKey.from_private_bytes(SEED).sign(b"oaknet/1/sit\x00abc")
    assert signature == expected


def test_secrets_are_hkdf_of_the_seed_by_tag_and_text() -> None:
    prk = hmac.digest(bytes(32), SEED, hashlib.sha256)
    okm = hmac.digest(prk, b"oaknet/1/chain\x00nonce\x01", hashlib.sha256)
    signer = Signer(SEED)
    assert signer.secret("chain", b"nonce") == okm
    assert signer.secret("salt", b"nonce") != okm
    assert signer.secret("chain", b"nonce2") != okm


def test_a_signer_keeps_its_seed_out_of_its_words() -> None:
    words = repr(Signer(SEED)) + repr(Identity(Path("x"), Signer(SEED)))
    assert SEED.hex() not in words
    assert repr(SEED) not in words


def test_a_seed_of_a_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="32"):
        Signer(b"short")


def test_a_fingerprint_is_four_groups_of_five_signs() -> None:
    first, second = fingerprint(bytes(32)), fingerprint(bytes(31) + b"\x01")
    assert [len(group) for group in first.split("-")] == [5, 5, 5, 5]
    assert not set(first) & set("ILOUilou")
    assert first != second
    digest = hashlib.sha256(b"oaknet/1/fingerprint\0" + b"\0\0\0\x20" + bytes(32)).digest()
    standard = base64.b32encode(digest[:15]).decode()[:20]
    ours = standard.translate(
        str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    )
    assert first.replace("-", "") == ours


def test_the_first_start_makes_an_identity_and_the_next_finds_it(tmp_path: Path) -> None:
    path = tmp_path / "data" / "oaknet" / "identity.key"
    made = Identity.load_or_make(path)
    found = Identity.load_or_make(path)
    assert made.key == found.key
    assert found.fingerprint == fingerprint(made.key)
    assert verify(made.key, "entry", b"text", found.sign("entry", b"text"))
    assert made.secret("chain", b"x") == found.secret("chain", b"x")
    assert [entry.name for entry in path.parent.iterdir()] == ["identity.key"]
    assert Identity.load_or_make(tmp_path / "another").key != made.key


def test_the_file_is_pkcs_8_pem_that_others_can_read(tmp_path: Path) -> None:
    made = Identity.load_or_make(tmp_path / "identity.key")
    data = made.path.read_bytes()
    assert data.startswith(b"-----BEGIN PRIVATE KEY-----\n")
    private = load_pem_private_key(data, None)
    assert isinstance(private, Ed25519PrivateKey)
    assert private.public_key().public_bytes_raw() == made.key


@pytest.mark.skipif(not POSIX, reason="rights of files are a matter of POSIX systems")
def test_nobody_else_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "identity.key"
    Identity.load_or_make(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    Identity.load(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    Identity.load(path).export(tmp_path / "copy.pem")
    assert stat.S_IMODE((tmp_path / "copy.pem").stat().st_mode) == 0o600


def test_of_two_first_starts_at_once_both_get_the_same_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "identity.key"
    link = os.link
    faster: list[Identity] = []

    def slow_link(source: Path, target: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        faster.append(Identity.load_or_make(path))
        link(source, target)

    monkeypatch.setattr(os, "link", slow_link)
    assert Identity.load_or_make(path).key == faster[0].key
    assert [entry.name for entry in tmp_path.iterdir()] == ["identity.key"]


def test_a_file_system_without_hard_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_link(source: Path, target: Path) -> None:
        raise OSError(errno.EPERM, "not permitted")

    monkeypatch.setattr(os, "link", no_link)
    made = Identity.load_or_make(tmp_path / "identity.key")
    assert Identity.load_or_make(made.path).key == made.key
    with pytest.raises(IdentityFault, match="already"):
        made.export(made.path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["identity.key"]


def test_a_full_disk_leaves_no_half_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(IdentityFault, match="no space left"):
            Identity.load_or_make(tmp_path / "identity.key")
    assert list(tmp_path.iterdir()) == []


def test_a_crash_while_importing_by_force_leaves_the_old_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Identity.load_or_make(tmp_path / "identity.key")
    new = Identity.load_or_make(tmp_path / "new.key")

    def crash(self: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", crash)
        with pytest.raises(KeyboardInterrupt):
            Identity.import_from(new.path, old.path, force=True)
    assert Identity.load(old.path).key == old.key


def test_export_and_import_carry_an_identity_to_another_machine(tmp_path: Path) -> None:
    here = Identity.load_or_make(tmp_path / "here.key")
    here.export(tmp_path / "copy.pem")
    there = Identity.import_from(tmp_path / "copy.pem", tmp_path / "there" / "identity.key")
    assert there.key == here.key
    again = Identity.import_from(tmp_path / "copy.pem", there.path)
    assert again.key == here.key


def test_export_overwrites_only_by_force(tmp_path: Path) -> None:
    here = Identity.load_or_make(tmp_path / "here.key")
    target = tmp_path / "notes.txt"
    target.write_text("dear diary")
    with pytest.raises(IdentityFault, match=r"already; nothing was written\.$"):
        here.export(target)
    assert target.read_text() == "dear diary"
    here.export(target, force=True)
    assert Identity.load(target).key == here.key


def test_import_replaces_another_identity_only_by_force(tmp_path: Path) -> None:
    old = Identity.load_or_make(tmp_path / "old.key")
    new = Identity.load_or_make(tmp_path / "new.key")
    with pytest.raises(IdentityFault, match=old.fingerprint):
        Identity.import_from(new.path, old.path)
    assert Identity.load(old.path).key == old.key
    assert Identity.import_from(new.path, old.path, force=True).key == new.key
    assert Identity.load(old.path).key == new.key


def foreign_files() -> list[tuple[str, bytes, str]]:
    """Name, content and a word of the complaint of files that are no identity."""
    key, curve = Ed25519PrivateKey.from_private_bytes(SEED), generate_private_key(SECP256R1())
    pem, pkcs8 = Encoding.PEM, PrivateFormat.PKCS8
    whole = key.private_bytes(pem, pkcs8, NoEncryption())
    return [
        ("empty", b"", "is no identity"),
        ("text", b"hello", "is no identity"),
        ("binary", bytes(range(256)), "is no identity"),
        ("cut", whole[:60], "is no identity"),
        ("damaged", whole.replace(b"M", b"N"), "is no identity"),
        ("public", key.public_key().public_bytes_raw(), "is no identity"),
        ("password", key.private_bytes(pem, pkcs8, BestAvailableEncryption(b"secret")), "has a password"),
        ("curve", curve.private_bytes(pem, pkcs8, NoEncryption()), "of another kind"),
        ("huge", whole * 200, "too large"),
    ]


@pytest.mark.parametrize(("name", "content", "word"), foreign_files(), ids=lambda value: str(value)[:12])
def test_a_foreign_or_damaged_file_is_named_and_left_alone(
    tmp_path: Path, name: str, content: bytes, word: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for attempt in (Identity.load, Identity.load_or_make):
        with pytest.raises(IdentityFault, match=word) as caught:
            attempt(path)
        assert str(path) in str(caught.value)
    with pytest.raises(IdentityFault, match=word):
        Identity.import_from(path, tmp_path / "identity.key")
    assert path.read_bytes() == content
    assert not (tmp_path / "identity.key").exists()


def test_a_folder_or_nothing_where_the_identity_should_be_is_said(tmp_path: Path) -> None:
    with pytest.raises(IdentityFault, match="cannot be read: is a directory"):
        Identity.load_or_make(tmp_path)
    with pytest.raises(IdentityFault, match="cannot be read: no such file"):
        Identity.load(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(IdentityFault, match=r"folder .* cannot be made: file exists"):
        Identity.load_or_make(tmp_path / "file" / "identity.key")
