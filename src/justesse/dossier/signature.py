"""Ed25519 signatures of dossiers: a chain of checksums can be rebuilt by whoever holds it, a signature cannot."""

import base64
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from justesse.core.errors import FileError, InputError
from justesse.core.extras import require
from justesse.dossier.canonical import canonical
from justesse.frames.native import check_place

ALGORITHM = "ed25519"
CONTEXT = b"justesse dossier 1\n"
PUBLIC = ".pub"
LONGEST_KEY = 1 << 16


class Signer(Protocol):
    """Whatever signs: a key from a file, or one that an agent holds."""

    @property
    def public_key(self) -> str: ...
    def sign(self, message: bytes) -> bytes: ...


@dataclass(frozen=True)
class FileKey:
    """A private key read from a file."""

    key: Any

    @property
    def public_key(self) -> str:
        return public_text(self.key.public_key())

    def sign(self, message: bytes) -> bytes:
        return bytes(self.key.sign(message))


def new_key(path: Path) -> str:
    """Write a new private key, readable by its owner only, and its public key beside it; return the public key."""
    public = path.with_name(path.name + PUBLIC)
    for place in (path, public):
        check_place(place)
        if place.exists():
            raise FileError(f"{place} exists. A key is never overwritten: choose another name.")
    keys = _keys()
    key = keys.Ed25519PrivateKey.generate()
    forms = require("cryptography.hazmat.primitives.serialization", extra="sign")
    text = key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
    shown = public_text(key.public_key())
    public.write_text(f"{ALGORITHM} {shown}\n", encoding="utf-8")
    return shown


def private_key(path: Path) -> FileKey:
    """Read a private Ed25519 key: PEM, as `new_key` and OpenSSL write it, or OpenSSH's own format."""
    content = _key_file(path)
    forms = require("cryptography.hazmat.primitives.serialization", extra="sign")
    read = forms.load_ssh_private_key if b"BEGIN OPENSSH" in content else forms.load_pem_private_key
    try:
        key = read(content, password=None)
    except TypeError as error:
        raise FileError(f"{path} is locked with a password. Use another, or --sign agent.") from error
    except Exception as error:
        raise FileError(f"{path} is not a private key. Make one with: justesse dossier key {path.name}.") from error
    if not isinstance(key, _keys().Ed25519PrivateKey):
        raise FileError(f"{path} is a {type(key).__name__}, and dossiers are signed with Ed25519 keys.")
    return FileKey(key)


def public_key(path: Path) -> str:
    """Read a public key: the file beside a private key, or OpenSSH's own format."""
    text = _key_file(path).decode(errors="replace").strip()
    if parts := re.match(rf"{ALGORITHM} ([A-Za-z0-9+/=]{{44}})(?:\s|$)", text):
        return parts[1]
    if parts := re.match(r"ssh-ed25519 ([A-Za-z0-9+/=]+)", text):
        blob = _decoded(parts[1])
        if blob is not None and len(blob) == 51:
            return base64.b64encode(blob[-32:]).decode()
    if "PRIVATE KEY" in text:
        raise FileError(f"{path} is a private key. Name the public one, {path.name}{PUBLIC}, to check signatures.")
    raise FileError(f"{path} is not a public Ed25519 key. Name the file that ends in {PUBLIC}.")


def signed(sha256: str, signer: Signer, name: str) -> dict[str, str]:
    """Sign the checksum of a record, the key and the name of who signs."""
    about = {"algorithm": ALGORITHM, "signer": name, "public_key": signer.public_key}
    value = signer.sign(CONTEXT + canonical({**about, "sha256": sha256}))
    return {**about, "value": base64.b64encode(value).decode()}


def signature_fault(sha256: str, signature: Any, expected: str | None = None) -> tuple[str, str] | None:
    """Say what is wrong with a signature, and where; `None` if it is right.

    Parameters
    ----------
    sha256
        Checksum of the record.
    signature
        What the record holds: `None` if it is not signed.
    expected
        Public key that must have signed. Default: any.
    """
    if signature is None:
        return None if expected is None else ("/signature", "the dossier is not signed")
    keys = ("algorithm", "signer", "public_key", "value")
    if not isinstance(signature, dict) or set(signature) != set(keys):
        return "/signature", f"a signature has the keys {', '.join(keys)}"
    for key in keys:
        if not isinstance(signature[key], str):
            return f"/signature/{key}", "it must be a text"
    if signature["algorithm"] != ALGORITHM:
        return "/signature/algorithm", f"only {ALGORITHM} is known"
    public, value = _decoded(signature["public_key"]), _decoded(signature["value"])
    if public is None or len(public) != 32:
        return "/signature/public_key", "it is not an Ed25519 key"
    if value is None or len(value) != 64:
        return "/signature/value", "it is not an Ed25519 signature"
    if expected is not None and signature["public_key"] != expected:
        return "/signature/public_key", "another key signed"
    about = {key: signature[key] for key in ("algorithm", "signer", "public_key")}
    try:
        key = _keys().Ed25519PublicKey.from_public_bytes(public)
        key.verify(value, CONTEXT + canonical({**about, "sha256": sha256}))
    except require("cryptography.exceptions", extra="sign").InvalidSignature:
        return "/signature", "it does not belong to this content, signer and key"
    except ValueError:
        return "/signature/public_key", "it is not an Ed25519 key"
    return None


def public_text(key: Any) -> str:
    """Write a public key as base64 text."""
    return base64.b64encode(key.public_bytes_raw()).decode()


def _keys() -> Any:
    return require("cryptography.hazmat.primitives.asymmetric.ed25519", extra="sign")


def _decoded(text: str) -> bytes | None:
    """Decode base64, refusing what is not the one way to write it."""
    try:
        value = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return value if base64.b64encode(value).decode() == text else None


def _key_file(path: Path) -> bytes:
    if not path.is_file():
        raise FileError(f"Key {path} not found. Make one with: justesse dossier key {path.name or 'me.key'}.")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}. Check it.") from error
    if len(content) > LONGEST_KEY:
        raise InputError(f"{path} is too large for a key. Name a file that justesse dossier key wrote.")
    return content
