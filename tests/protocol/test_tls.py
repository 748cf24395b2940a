"""Certificates that an invite gives, and whom TLS lets through (transport 2): no sockets, no trio."""

import json
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from oaknet_protocol.identity import Identity, IdentityFault
from oaknet_protocol.tls import (
    PROTOCOL,
    Doors,
    NoPeerKey,
    authority,
    invitation,
    invite_name,
    leaf,
    peer_key,
)

SECRET = bytes(range(16))
OTHER = b"another secret.."
VECTORS = json.loads(
    (Path(__file__).parents[2] / "specs" / "vectors" / "tls.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def alice(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return Identity.load_or_make(tmp_path_factory.mktemp("alice") / "identity.key")


@pytest.fixture(scope="module")
def bob(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return Identity.load_or_make(tmp_path_factory.mktemp("bob") / "identity.key")


class Pair:
    """A client's and a server's TLS, back to back, without a stream."""

    def __init__(self, client: ssl.SSLContext, server: ssl.SSLContext, name: str | None) -> None:
        there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.there, self.back = there, back
        self.client = client.wrap_bio(back, there, server_hostname=name)
        self.server = server.wrap_bio(there, back, server_side=True)

    def shake(self) -> None:
        """Both handshakes, and then an empty read by the client, which must hear what the server thinks."""
        self._both(self.client.do_handshake, self.server.do_handshake)

    def _both(self, *steps: Callable[[], None]) -> None:
        waiting = list(steps)
        for _ in range(10):
            for step in list(waiting):
                try:
                    step()
                except ssl.SSLWantReadError:
                    continue
                waiting.remove(step)
        assert not waiting


def pair(
    client: Identity, server: Identity, *, client_secret: bytes = SECRET, secret: bytes = SECRET
) -> Pair:
    invited, doors = invitation(client, client_secret), Doors(server)
    doors.open(secret)
    return Pair(invited.context, doors.context, invited.name)


def reason(caught: pytest.ExceptionInfo[ssl.SSLError]) -> str:
    return caught.value.reason or ""


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vectors(vector: dict[str, str]) -> None:
    secret, key = bytes.fromhex(vector["secret"]), bytes.fromhex(vector["key"])
    assert invite_name(secret) == vector["name"]
    assert authority(secret)[1].public_bytes(Encoding.DER).hex() == vector["authority"]
    assert leaf(secret, key).public_bytes(Encoding.DER).hex() == vector["leaf"]


def test_another_process_builds_the_same_certificate() -> None:
    program = (
        "from oaknet_protocol.tls import authority, Encoding;"
        f"print(authority({SECRET!r})[1].public_bytes(Encoding.DER).hex())"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == authority(SECRET)[1].public_bytes(Encoding.DER).hex()


def test_the_name_of_an_invite_is_a_host_name_that_tells_invites_apart() -> None:
    assert invite_name(SECRET) != invite_name(OTHER)
    label, rest = invite_name(SECRET).split(".", 1)
    assert (len(label), rest) == (32, "oaknet.invalid")
    assert SECRET.hex()[:8] not in label


def test_certificates_have_serial_numbers_that_the_standard_allows() -> None:
    for number in range(64):
        serial = leaf(SECRET, bytes([number]) * 32).serial_number
        assert 0 < serial < 1 << 127


def test_both_sides_learn_the_other_ones_key(alice: Identity, bob: Identity) -> None:
    both = pair(bob, alice)
    both.shake()
    assert peer_key(both.client.getpeercert(binary_form=True)) == alice.key
    assert peer_key(both.server.getpeercert(binary_form=True)) == bob.key
    assert both.client.version() == both.server.version() == "TLSv1.3"
    assert both.client.selected_alpn_protocol() == both.server.selected_alpn_protocol() == PROTOCOL


def test_no_ticket_is_sent_so_nothing_can_be_resumed(alice: Identity, bob: Identity) -> None:
    both = pair(bob, alice)
    both.shake()
    both.server.write(b"x")
    assert both.client.read(1) == b"x"
    session = both.client.session
    assert session is None or not session.has_ticket


def test_a_wrong_secret_is_refused_by_its_name(alice: Identity, bob: Identity) -> None:
    both = pair(bob, alice, client_secret=OTHER)
    with pytest.raises(ssl.SSLError) as caught:
        both.shake()
    assert reason(caught) == "CALLBACK_FAILED"
    with pytest.raises(ssl.SSLError) as caught:  # the alert reaches the client
        both.client.do_handshake()
    assert "UNRECOGNIZED_NAME" in reason(caught)


def test_a_wrong_secret_behind_the_right_name_is_refused_by_the_client(
    alice: Identity, bob: Identity
) -> None:
    invited, doors = invitation(bob, OTHER), Doors(alice)
    both = Pair(invited.context, doors.context, doors.open(SECRET))
    with pytest.raises(ssl.SSLCertVerificationError):
        both.shake()


def test_a_client_that_trusts_anybody_but_has_another_invite_is_refused(
    alice: Identity, bob: Identity
) -> None:
    invited, doors = invitation(bob, OTHER), Doors(alice)
    invited.context.verify_mode = ssl.CERT_NONE
    both = Pair(invited.context, doors.context, doors.open(SECRET))
    with pytest.raises(ssl.SSLCertVerificationError):
        both.shake()
    with pytest.raises(ssl.SSLError, match="UNKNOWN_CA"):
        both.client.read(1)


def test_a_client_without_a_certificate_is_refused(alice: Identity) -> None:
    doors = Doors(alice)
    stranger = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    stranger.check_hostname = False
    stranger.verify_mode = ssl.CERT_NONE
    both = Pair(stranger, doors.context, doors.open(SECRET))
    with pytest.raises(ssl.SSLError) as caught:
        both.shake()
    assert reason(caught) == "PEER_DID_NOT_RETURN_A_CERTIFICATE"
    with pytest.raises(ssl.SSLError, match="CERTIFICATE_REQUIRED"):
        both.client.read(1)


def test_a_certificate_that_says_less_than_it_must_is_refused(alice: Identity, tmp_path: Path) -> None:
    private, issuer = Ed25519PrivateKey.from_private_bytes(b"k" * 32), authority(SECRET)[0]
    whole = leaf(SECRET, private.public_key().public_bytes_raw())
    builder = (
        x509.CertificateBuilder()
        .subject_name(whole.subject)
        .issuer_name(whole.issuer)
        .public_key(private.public_key())
        .serial_number(whole.serial_number)
        .not_valid_before(whole.not_valid_before_utc)
        .not_valid_after(whole.not_valid_after_utc)
    )
    for extension in whole.extensions:
        if not isinstance(extension.value, x509.AuthorityKeyIdentifier):
            builder = builder.add_extension(extension.value, extension.critical)
    doors = Doors(alice)
    name = doors.open(SECRET)
    both = Pair(shown(tmp_path, builder.sign(issuer, None), private), doors.context, name)
    with pytest.raises(ssl.SSLCertVerificationError, match="Authority Key Identifier"):
        both.shake()
    Pair(shown(tmp_path, whole, private), doors.context, name).shake()


@pytest.mark.parametrize("name", [None, "example.org"])
def test_no_name_or_a_foreign_one_is_refused(alice: Identity, bob: Identity, name: str | None) -> None:
    invited, doors = invitation(bob, SECRET), Doors(alice)
    doors.open(SECRET)
    both = Pair(invited.context, doors.context, name)
    with pytest.raises(ssl.SSLError) as caught:
        both.shake()
    assert reason(caught) == "CALLBACK_FAILED"


def test_tls_1_2_is_refused(alice: Identity, bob: Identity) -> None:
    both = pair(bob, alice)
    older = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    older.check_hostname = False
    older.verify_mode = ssl.CERT_NONE
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    both = Pair(older, Doors(alice).context, invite_name(SECRET))
    with pytest.raises(ssl.SSLError) as caught:
        both.shake()
    assert reason(caught) == "UNSUPPORTED_PROTOCOL"


def test_somebody_elses_key_cannot_be_shown(alice: Identity, bob: Identity, tmp_path: Path) -> None:
    certificate = tmp_path / "leaf.pem"
    certificate.write_bytes(leaf(SECRET, alice.key).public_bytes(Encoding.PEM))
    with pytest.raises(ssl.SSLError, match="KEY_VALUES_MISMATCH"):
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate, bob.path)


def shown(tmp_path: Path, certificate: x509.Certificate, private: Ed25519PrivateKey) -> ssl.SSLContext:
    """A client that shows this certificate."""
    path = tmp_path / "shown.pem"
    path.write_bytes(
        certificate.public_bytes(Encoding.PEM)
        + private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(path)
    return context


def test_the_authority_itself_is_no_player(alice: Identity, tmp_path: Path) -> None:
    private, certificate = authority(SECRET)
    doors = Doors(alice)
    both = Pair(shown(tmp_path, certificate, private), doors.context, doors.open(SECRET))
    with pytest.raises(ssl.SSLCertVerificationError):
        both.shake()


def test_a_certificate_for_another_invite_is_refused(alice: Identity, tmp_path: Path) -> None:
    private = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    certificate = leaf(OTHER, private.public_key().public_bytes_raw())
    doors = Doors(alice)
    both = Pair(shown(tmp_path, certificate, private), doors.context, doors.open(SECRET))
    with pytest.raises(ssl.SSLCertVerificationError):
        both.shake()


def test_one_port_serves_several_invites_and_a_closed_one_no_more(alice: Identity, bob: Identity) -> None:
    doors = Doors(alice)
    names = [doors.open(SECRET), doors.open(OTHER)]
    for secret, name in zip((SECRET, OTHER), names, strict=True):
        both = Pair(invitation(bob, secret).context, doors.context, name)
        both.shake()
        assert doors.named(both.server.context) == name
    doors.close(names[0])
    assert doors.named(both.server.context) == names[1]
    with pytest.raises(ssl.SSLError, match="CALLBACK_FAILED"):
        Pair(invitation(bob, SECRET).context, doors.context, names[0]).shake()
    Pair(invitation(bob, OTHER).context, doors.context, names[1]).shake()


def test_the_key_is_written_nowhere_else(
    alice: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    write = Path.write_bytes

    def watched(self: Path, data: bytes) -> int:
        written.append(data)
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", watched)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    invitation(alice, SECRET)
    assert written
    assert all(b"PRIVATE" not in data for data in written)
    assert list(tmp_path.iterdir()) == []


def test_an_identity_that_was_replaced_meanwhile_is_noticed(tmp_path: Path) -> None:
    old = Identity.load_or_make(tmp_path / "identity.key")
    new = Identity.load_or_make(tmp_path / "new.key")
    new.export(old.path, force=True)
    with pytest.raises(IdentityFault, match="no longer the one in use"):
        invitation(old, SECRET)
    old.path.unlink()
    with pytest.raises(IdentityFault, match="no longer the one in use"):
        Doors(old).open(SECRET)


def test_a_certificate_without_an_identity_is_no_peer() -> None:
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from cryptography.hazmat.primitives.hashes import SHA256

    private = generate_private_key(SECP256R1())
    mine = leaf(SECRET, bytes(32))
    foreign = (
        x509.CertificateBuilder()
        .subject_name(mine.subject)
        .issuer_name(mine.issuer)
        .public_key(private.public_key())
        .serial_number(1)
        .not_valid_before(mine.not_valid_before_utc)
        .not_valid_after(mine.not_valid_after_utc)
        .sign(private, SHA256())
    )
    with pytest.raises(NoPeerKey):
        peer_key(foreign.public_bytes(Encoding.DER))
    with pytest.raises(NoPeerKey):
        peer_key(None)
    for broken in (b"", b"0\x82", mine.public_bytes(Encoding.DER)[:-1]):
        with pytest.raises(NoPeerKey):
            peer_key(broken)
