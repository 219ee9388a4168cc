"""A certificate for one run: made at the start, signed by itself, in no trust store, gone at the end."""

from __future__ import annotations

import datetime
import ssl
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def server_context(hosts: Sequence[str]) -> ssl.SSLContext:
    """A TLS context for these hosts (Scrapy's defaults check the name, with a warning, and not who signed)."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "site.example")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host) for host in ("site.example", *hosts)]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # `load_cert_chain` reads files only; the folder has mode 0700.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "site.pem")
        path.write_bytes(pem)
        context.load_cert_chain(path)
    return context
