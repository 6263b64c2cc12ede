"""A dossier as an in-toto statement in a DSSE envelope, for tools that collect attestations.

The predicate has the shape of the eval-result predicate proposed to in-toto (attestation 565 and 575): what was
measured of which model on which data, by which harness, and whether a threshold was passed. It adds the interval, its
level and method, the assumptions, and the share of wrong labels that could overturn the verdict.
"""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from justesse.dossier.canonical import canonical
from justesse.dossier.signature import Signer

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:justesse:eval-result:1"
PAYLOAD = "application/vnd.in-toto+json"


def statement(subjects: Sequence[Mapping[str, Any]], predicate: Mapping[str, Any]) -> dict[str, Any]:
    """Bind a predicate to its subjects: the artefacts that it is about, by their digests."""
    return {"_type": STATEMENT, "subject": list(subjects), "predicateType": PREDICATE, "predicate": dict(predicate)}


def envelope(content: Mapping[str, Any], signer: Signer | None) -> dict[str, Any]:
    """Put a statement into a DSSE envelope, signed if there is a key."""
    payload = canonical(content)
    signatures = []
    if signer is not None:
        value = base64.b64encode(signer.sign(authenticated(payload))).decode()
        signatures = [{"keyid": f"ed25519:{signer.public_key}", "sig": value}]
    return {"payloadType": PAYLOAD, "payload": base64.b64encode(payload).decode(), "signatures": signatures}


def authenticated(payload: bytes) -> bytes:
    """Give the bytes that DSSE signs: the payload with its type and both lengths.

    >>> authenticated(b"{}")
    b'DSSEv1 28 application/vnd.in-toto+json 2 {}'
    """
    kind = PAYLOAD.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
