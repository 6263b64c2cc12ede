"""The seal of a record: a SHA-256 over all of it, and the checksums that say where it was changed."""

import hashlib
from copy import deepcopy
from typing import Any

from justesse.dossier.canonical import canonical
from justesse.dossier.prints import RecordChange, changes, escaped, prints

SEAL, SIGNATURE = "seal", "signature"
OUTSIDE = (SEAL, SIGNATURE)


def content(record: dict[str, Any]) -> dict[str, Any]:
    """Give what a seal is about: everything but the seal and the signature."""
    return {key: value for key, value in record.items() if key not in OUTSIDE}


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    """Add the seal to a record.

    >>> sorted(sealed({"dossier": 1})["seal"])
    ['prints', 'sha256']
    """
    own = content(record)
    seal = {"sha256": "", "prints": prints(own)}
    return {**own, SEAL: {**seal, "sha256": digest(own, seal["prints"])}}


def digest(own: dict[str, Any], tree: Any) -> str:
    """Compute the SHA-256 of a record and its checksums, in canonical form."""
    return hashlib.sha256(canonical({"content": own, "prints": tree})).hexdigest()


def is_whole(record: dict[str, Any]) -> bool:
    """Tell whether a record is what was sealed."""
    seal = record.get(SEAL)
    return isinstance(seal, dict) and seal.get("sha256") == digest(content(record), seal.get("prints"))


def broken(record: dict[str, Any]) -> list[RecordChange]:
    """List what was changed since a record was sealed; nothing if it is whole.

    >>> record = sealed({"dossier": 1, "n": 3})
    >>> broken(record), broken({**record, "n": 4})
    ([], [RecordChange(where='/n', how='changed', value=4)])
    """
    if is_whole(record) and (record[SEAL].keys() == {"sha256", "prints"}):
        return []
    seal = record.get(SEAL)
    if not isinstance(seal, dict) or "prints" not in seal or "sha256" not in seal:
        return [RecordChange(f"/{SEAL}", "removed")]
    extra = [key for key in seal if key not in ("sha256", "prints")]
    if extra:
        return [RecordChange(f"/{SEAL}/{escaped(key)}", "added", seal[key]) for key in extra]
    own, tree = content(record), seal["prints"]
    places = changes(tree, own)
    if not places:
        return [RecordChange(f"/{SEAL}/sha256", "changed", seal["sha256"])]
    if digest(own, prints(own)) == seal["sha256"]:  # the content is what was sealed, so the checksums are not
        return [RecordChange(f"/{SEAL}/prints{change.where}", change.how, None) for change in places]
    return places


def copied(record: dict[str, Any]) -> dict[str, Any]:
    """Copy a record, so that its parts can be changed."""
    return deepcopy(record)
