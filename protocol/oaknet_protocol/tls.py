"""Who may connect and who it is: mutual TLS 1.3 below a certificate that the invite gives (transport 2).

The secret of an invite gives a certification authority: the same key and the same certificate, byte for byte,
for all who hold the invite. It certifies each one's identity key, so the authority says "was invited" and the
certificate below it says "is who". Nothing of it has to be stored.
"""

from __future__ import annotations

import datetime
import ssl
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from oaknet.kernel import H
from oaknet_protocol.identity import Identity, IdentityFault
from oaknet_protocol.signing import derived, raw

PROTOCOL = "oaknet/1"
"""What both sides must name in ALPN."""

# A machine whose clock has stopped must still be able to play: certificates are valid at any time.
_FROM = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_UNTIL = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)

_CA_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "oaknet invite")])
_PEER_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "oaknet peer")])


class NoPeerKey(Exception):
    """The other side's certificate holds no Ed25519 key."""


def invite_name(secret: bytes) -> str:
    """What a client names in SNI, so that one port serves several tables (transport 2.2).

    It gives nothing of the secret away: 32 hexadecimal digits and ``.oaknet.invalid``.
    """
    return derived(secret, "invite-name")[:16].hex() + ".oaknet.invalid"


def authority(secret: bytes) -> tuple[Ed25519PrivateKey, x509.Certificate]:
    """The key and the certificate that an invite's secret gives, the same for everybody (transport 2.1)."""
    private = Ed25519PrivateKey.from_private_bytes(derived(secret, "invite-ca"))
    return private, _certificate(private.public_key(), _CA_NAME, 1, private, ca=True)


def leaf(secret: bytes, key: bytes) -> x509.Certificate:
    """The certificate below the invite's for a peer's public key of 32 bytes (transport 2.3)."""
    serial = int.from_bytes(H("leaf", key)[:16], "big") >> 1 | 1  # positive, at most 20 bytes
    public = Ed25519PublicKey.from_public_bytes(key)
    return _certificate(public, _PEER_NAME, serial, authority(secret)[0], ca=False)


def _certificate(
    subject: Ed25519PublicKey, name: x509.Name, serial: int, issuer: Ed25519PrivateKey, *, ca: bool
) -> x509.Certificate:
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(_CA_NAME)
        .public_key(subject)
        .serial_number(serial)
        .not_valid_before(_FROM)
        .not_valid_after(_UNTIL)
        .add_extension(x509.BasicConstraints(ca=ca, path_length=0 if ca else None), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=not ca,
                key_cert_sign=ca,
                crl_sign=ca,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(subject), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.public_key()), critical=False
        )
    )
    if not ca:
        # VERIFY_X509_STRICT wants a name and a purpose in what is no authority.
        purposes = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        names = [x509.DNSName("peer.oaknet.invalid")]
        builder = builder.add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(issuer, None)  # Ed25519: no hash of its own, and always the same signature


class Bound(NamedTuple):
    """One connection as OpenSSL has it, with the encrypted bytes that came and those that are to go."""

    connection: ssl.SSLObject
    incoming: ssl.MemoryBIO
    outgoing: ssl.MemoryBIO


@final
class Context(ssl.SSLContext):
    """A context whose connections can still be got at, which trio keeps to itself.

    A handshake that fails leaves the alert that says why; trio drops it, and then the other side could not
    tell a wrong invite from a broken cable. After one that does not, the link goes on by itself.
    """

    made: Bound
    """The connection made last."""

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLObject:
        """What trio calls to begin a connection."""
        connection = super().wrap_bio(incoming, outgoing, server_side, server_hostname, session)
        self.made = Bound(connection, incoming, outgoing)
        return connection


def _bare(protocol: int) -> Context:
    """A context that trusts nobody yet: TLS 1.3 alone, both sides certified, no tickets (transport 2.4)."""
    context = Context(protocol)
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # a peer is its key, not a name
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    context.set_alpn_protocols([PROTOCOL])
    if protocol == ssl.PROTOCOL_TLS_SERVER:
        context.num_tickets = 0  # no resuming, so every connection proves both keys
    return context


def _equip(context: Context, identity: Identity, secret: bytes) -> Context:
    """Trust what the invite certifies, and show the identity's own certificate."""
    context.load_verify_locations(cadata=authority(secret)[1].public_bytes(Encoding.DER))
    pem = leaf(secret, identity.key).public_bytes(Encoding.PEM)
    # `ssl` reads files only. The certificate is public; the key stays where it is.
    with tempfile.TemporaryDirectory(prefix="oaknet-") as folder:
        certificate = Path(folder) / "leaf.pem"
        certificate.write_bytes(pem)
        try:
            context.load_cert_chain(certificate, identity.path)
        except (OSError, ssl.SSLError) as error:
            raise IdentityFault(
                f"The identity at {identity.path} is no longer the one in use ({identity.fingerprint}). "
                "Start oaknet again."
            ) from error
    return context


@dataclass(frozen=True, slots=True)
class Invitation:
    """What this peer opens connections with: an invite's name, and a context that trusts and shows it."""

    name: str
    key: bytes
    """This peer's own key: nobody plays against themselves."""
    program: bytes
    """Which program of this key it is (`Identity.program`)."""
    context: Context


def invitation(identity: Identity, secret: bytes) -> Invitation:
    """For connections that this peer opens with the invite of this secret; raises `IdentityFault`."""
    context = _equip(_bare(ssl.PROTOCOL_TLS_CLIENT), identity, secret)
    return Invitation(invite_name(secret), identity.key, identity.program, context)


@final
class Doors:
    """The invites under which this peer can be reached, each known by its name in SNI (transport 2.2).

    Invites may be added and taken away while connections are accepted.
    """

    __slots__ = ("_identity", "_invites", "context")

    context: Context
    """For accepting: it certifies nothing itself, and takes the invite's context as SNI names it."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._invites: dict[str, Context] = {}
        self.context = _bare(ssl.PROTOCOL_TLS_SERVER)
        self.context.sni_callback = self._choose

    @property
    def program(self) -> bytes:
        """Which program of this peer's key it is (`Identity.program`)."""
        return self._identity.program

    def open(self, secret: bytes) -> str:
        """Let in who holds this invite; gives the name of the invite. Raises `IdentityFault`."""
        name = invite_name(secret)
        self._invites[name] = _equip(_bare(ssl.PROTOCOL_TLS_SERVER), self._identity, secret)
        return name

    def close(self, name: str) -> None:
        """Let in nobody else by this invite; connections that stand are left alone."""
        self._invites.pop(name, None)

    def named(self, context: ssl.SSLContext) -> str | None:
        """The name of the invite that a connection came by, from the context it has now; None if closed."""
        return next((name for name, door in self._invites.items() if door is context), None)

    def _choose(self, connection: Any, name: str | None, _: ssl.SSLContext) -> int | None:
        context = self._invites.get(name or "")
        if context is None:
            return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        connection.context = context
        return None


def peer_key(certificate: bytes | None) -> bytes:
    """The 32 bytes of the key in the other side's certificate (DER); raises `NoPeerKey`."""
    if certificate is None:
        raise NoPeerKey("the other side has shown no certificate")
    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
    except (ValueError, UnsupportedAlgorithm) as error:
        # Whoever has the invite can certify anything, also what OpenSSL reads and we do not.
        raise NoPeerKey("the other side's certificate cannot be read") from error
    if not isinstance(key, Ed25519PublicKey):
        raise NoPeerKey("the other side has a key of another kind")
    return raw(key)
