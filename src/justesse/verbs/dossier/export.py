"""`justesse.dossier_export`: a dossier as an in-toto statement or as a section of a model card."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.choice import check_choice
from justesse.core.choices import ExportForm
from justesse.core.errors import OptionError
from justesse.core.version import SCHEMA, __version__
from justesse.dossier.seal import SEAL
from justesse.dossier.statement import envelope, statement
from justesse.frames.native import check_place, write_whole
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.dossier.claims import claims, other_figures
from justesse.verbs.dossier.model_card import model_card
from justesse.verbs.dossier.opened import opened_dossier
from justesse.verbs.dossier.record import signing_key
from justesse.verbs.dossier.shape import read_as_dossier

HARNESS = "justesse"


@dataclass(frozen=True, repr=False)
class ExportedDossier(Result):
    """Where a dossier was exported to, in which form, and the text."""

    file: str
    to: str
    form: ExportForm
    text: str
    signed: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "file": self.file,
            "to": self.to,
            "form": self.form,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the files out as columns."""
        return {"file": [self.file], "to": [self.to], "form": [self.form]}

    def document(self) -> Document:
        unsigned = self.form == "dsse" and not self.signed
        words = message(
            "Exported as {form}{state}: {to}", form=self.form, state=", not signed" if unsigned else "", to=self.to
        )
        return Document("Export of a dossier", words, [], self.to_dict(), name="export")


def dossier_export(
    file: str | os.PathLike[str],
    *,
    to: str | os.PathLike[str],
    form: ExportForm = "dsse",
    sign: str | os.PathLike[str] | None = None,
) -> ExportedDossier:
    """Export a dossier: an in-toto statement (alone or in a DSSE envelope), or a section of a model card.

    Parameters
    ----------
    file
        The dossier.
    to
        File to write.
    form
        dsse: a statement in an envelope, signed with `sign`. in-toto: the statement alone. model-card: Markdown.
        Default: dsse.
    sign
        File of a private Ed25519 key, or agent for the key of an SSH agent. Default: not signed.

    Returns
    -------
    ExportedDossier
        `text` is what was written.

    Examples
    --------
    >>> import justesse, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> first = justesse.evaluate([1, 1, 0, 0], [1, 0, 0, 0]).dossier(folder / "a.json")
    >>> written = dossier_export(first, to=folder / "a.intoto.json", form="in-toto")
    >>> json.loads(written.text)["predicate"]["results"][0]["metric"]
    'accuracy'
    """
    check_choice("form", form, ExportForm)
    path, target = Path(file), Path(to)
    check_place(target, read=[file])
    if sign is not None and form != "dsse":
        raise OptionError(
            f"Only the form dsse is signed, and the form is {form}. Leave --sign out, or use --form dsse."
        )
    record = opened_dossier(path)
    key = signing_key(sign)
    with read_as_dossier(path):
        if form == "model-card":
            text = model_card(record)
        else:
            content = statement(subjects(record, path), predicate(record))
            written = content if form == "in-toto" else envelope(content, key)
            text = json.dumps(written, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    encoded = text.encode(errors="replace")
    write_whole(target, lambda temporary: Path(temporary).write_bytes(encoded))
    return ExportedDossier(str(path), str(target), form, text, key is not None and form == "dsse")


def subjects(record: Mapping[str, Any], path: Path) -> list[dict[str, Any]]:
    """Name what a statement is about: the model's files if they are known, otherwise the files of predictions."""
    model = record["model"]["files"] if record["model"] else []
    files = model or [file for entry in record["data"] for file in entry["files"]]
    named = [{"name": file["file"], "digest": {"sha256": file["sha256"]}} for file in files]
    return named or [{"name": path.name, "digest": {"sha256": record[SEAL]["sha256"]}}]


def predicate(record: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a dossier says: each measure with its interval, n, and threshold if there is one."""
    plan = record["plan"]
    return {
        "harness": {"name": HARNESS, "version": record["versions"]["justesse"]},
        "dossier": {"sha256": record[SEAL]["sha256"], "number": record["chain"]["number"]},
        "evaluatedAt": record["run"]["when"],
        "evaluatedBy": record["run"]["who"],
        "assuranceLevel": "self_attested",
        "preRegistration": None if plan is None else {"sha256": plan["record"][SEAL]["sha256"], "criteria": plan["record"]["plan"]["settings"]},
        "dataset": [
            {"name": entry["argument"], "rows": entry["rows"], "contentDigest": entry["content_sha256"],
             "files": [{"name": file["file"], "digest": {"sha256": file["sha256"]}} for file in entry["files"]]}
            for entry in record["data"]
        ],
        "results": claims(record["results"]),
        "figures": other_figures(record["results"]),
        "verdict": record["verdict"],
        "assumptions": record["assumptions"],
        "warnings": record["warnings"],
    }  # fmt: skip
