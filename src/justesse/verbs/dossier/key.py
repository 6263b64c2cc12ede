"""`justesse.dossier_key`: make a pair of keys to sign dossiers with."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.version import SCHEMA, __version__
from justesse.dossier.signature import PUBLIC, new_key
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message


@dataclass(frozen=True, repr=False)
class SigningKey(Result):
    """Where a new pair of keys is, and its public half."""

    file: str
    public_file: str
    public_key: str

    def to_dict(self) -> dict[str, Any]:
        own = {"file": self.file, "public_file": self.public_file, "public_key": self.public_key}
        return {"schema": SCHEMA, "version": __version__, "run": {}, **own}

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the files out as columns."""
        return {"file": [self.file], "public_file": [self.public_file], "public_key": [self.public_key]}

    def document(self) -> Document:
        template = (
            "Private key: {file}. Keep it secret: whoever has it can sign in your name. Public key: {public}. Give it to those "
            "who verify."
        )
        words = message(template, file=self.file, public=self.public_file)
        return Document(
            "Key to sign dossiers", words, [], self.to_dict(), name="key", facts=[("public key", self.public_key)]
        )


def dossier_key(file: str | os.PathLike[str]) -> SigningKey:
    """Make a pair of Ed25519 keys: a private one to sign dossiers, and a public one, beside it, to verify them.

    Parameters
    ----------
    file
        File of the private key, such as me.key. The public key is written to me.key.pub.

    Returns
    -------
    SigningKey
        Both files, and the public key.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> key = dossier_key(pathlib.Path(tempfile.mkdtemp()) / "me.key")
    >>> len(key.public_key), key.public_file.endswith("me.key.pub")
    (44, True)
    """
    path = Path(file)
    public = new_key(path)
    return SigningKey(str(path), f"{path}{PUBLIC}", public)
