"""`justesse.dossier_show`: a dossier as a page to read."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from justesse.core.version import SCHEMA, __version__
from justesse.dossier.seal import SEAL, SIGNATURE
from justesse.report.document import Column, Document, Section, Table, Text, Words
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.dossier.opened import opened_dossier
from justesse.verbs.dossier.repeat import repeated
from justesse.verbs.dossier.shape import read_as_dossier
from justesse.verbs.dossier.sheet_questions import answered_questions
from justesse.verbs.dossier.words import data_words, shown_value


@dataclass(frozen=True, repr=False)
class ShownDossier(Result):
    """A dossier as its reader sees it: who asked what of which data, and the result as its page has it."""

    file: str
    content: Mapping[str, Any]
    again: Result | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"schema": SCHEMA, "version": __version__, "run": {}, "file": self.file, "dossier": dict(self.content)}

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the options out as columns."""
        options = (
            self.content["asked"]["options"] if self.content["kind"] == "result" else self.content["plan"]["settings"]
        )
        return {"option": list(options), "value": [shown_value(value) for value in options.values()]}

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        return self.again.drawings() if self.again else {}

    def document(self) -> Document:
        with read_as_dossier(Path(self.file)):
            return self._document()

    def _document(self) -> Document:
        record = self.content
        own = [_origin(record)]
        if record["kind"] == "plan":
            return Document(
                "Plan of an evaluation", message("Fixed before the labels were opened: {n:count setting}.", n=len(record["plan"]["settings"])),
                [_settings("Settings", record["plan"]["settings"], "plan"), *own], self.to_dict, name="plan", facts=_facts(record),
            )  # fmt: skip
        own += [
            *_data(record),
            *_model(record),
            *_plan(record),
            *_sheet(record),
            _settings("Every option", record["asked"]["options"]),
        ]
        if self.again is None:
            figures = Table(
                "",
                ["figure", Column("value", "sentence")],
                [[k, shown_value(v)] for k, v in record["results"].items()],
                most=40,
            )
            return Document(
                "Dossier", record["verdict"]["words"], [Section("figures", "Results", [figures], "headline"), *own], self.to_dict,
                name="dossier", cautions=record["warnings"], assumptions=record["assumptions"], facts=_facts(record),
            )  # fmt: skip
        page = self.again.document()
        facts = [fact for fact in page.facts if fact[0] not in ("justesse", "file", "its SHA-256")]
        title = str(message("Dossier: {title}", title=page.title[:1].lower() + page.title[1:]))
        return replace(
            page,
            title=title,
            sections=[*own[:1], *page.sections, *own[1:]],
            data=self.to_dict,
            facts=[*_facts(record), *facts],
        )


def dossier_show(file: str | os.PathLike[str]) -> ShownDossier:
    """Show a dossier as a page: who asked what of which data, and the result as its command showed it.

    Parameters
    ----------
    file
        The dossier.

    Returns
    -------
    ShownDossier
        `report("page.html")` writes the page.

    Examples
    --------
    >>> import justesse, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "first.json"
    >>> _ = justesse.evaluate([1, 1, 0, 0], [1, 0, 0, 0]).dossier(path)
    >>> dossier_show(path).document().title
    'Dossier: evaluation of a classifier'
    """
    path = Path(file)
    record = opened_dossier(path, None)
    again = None
    if record["kind"] == "result" and record["recomputed"]["except"] != [""]:
        try:
            again = repeated(record)
        except Exception:  # another version may refuse what this one kept: the record is shown instead
            again = None
    return ShownDossier(str(path), record, again)


def _origin(record: Mapping[str, Any]) -> Section:
    run, chain, signature = record["run"], record["chain"], record[SIGNATURE]
    previous = chain["previous"]
    lines: list[Text] = [message("Written by {who} on {when}.", who=run["who"], when=run["when"])]
    follows = message("follows {file}", file=previous["file"]) if previous else "the first of its project"
    lines.append(
        message(
            "Number {n:count} of project {project}: {follows}.",
            n=chain["number"],
            project=chain.get("project", ""),
            follows=follows,
        )
    )
    if signature:
        lines.append(message("Signed by {name}, key {key}.", name=signature["signer"], key=signature["public_key"]))
    else:
        lines.append("Not signed.")
    lines.append(message("SHA-256 {sha}", sha=record[SEAL]["sha256"]))
    return Section("origin", "Origin", [Words(lines, listed=True)], "headline")


def _data(record: Mapping[str, Any]) -> list[Section]:
    rows = [[entry["argument"], data_words(entry), _start(entry["content_sha256"])] for entry in record["data"]]
    head: list[str | Column] = ["argument", Column("data", "words"), "SHA-256 of the sorted rows"]
    return [Section("data", "Data", [Table("", head, rows)], "summary")] if rows else []


def _model(record: Mapping[str, Any]) -> list[Section]:
    model = record["model"]
    if model is None:
        return []
    rows = [["file", fact["file"], _start(fact["sha256"])] for fact in model["files"]]
    rows += [["training data", fact["file"], _start(fact["sha256"])] for fact in model["training"]]
    rows += [[name, model[key], ""] for name, key in (("code", "commit"), ("seed", "seed")) if model[key] is not None]
    return [
        Section(
            "model",
            "Model",
            [Table("", ["part", Column("value", "words"), "SHA-256"], rows)],
            "summary",
        )
    ]


def _plan(record: Mapping[str, Any]) -> list[Section]:
    if record["plan"] is None:
        return []
    plan = record["plan"]["record"]
    return [_settings("Plan, fixed before the labels were opened", plan["plan"]["settings"], "plan")]


def _sheet(record: Mapping[str, Any]) -> list[Section]:
    sheet = record["sheet"]
    if sheet is None:
        return []
    lines: list[Text] = [
        message("{section}. {question} {answer}", section=section, question=question, answer=answer)
        for section, question, answer in answered_questions(sheet["answers"])
    ]
    return [
        Section(
            "sheet",
            "Data sheet",
            [Words(lines, listed=True)] if lines else [Words(["No question is answered."])],
            "full",
        )
    ]


def _settings(title: str, options: Mapping[str, Any], id: str = "options") -> Section:
    rows = [[name, shown_value(value)] for name, value in options.items()]
    return Section(
        id,
        title,
        [Table("", ["option", Column("value", "words")], rows, most=80)],
        "full" if id == "options" else "summary",
    )


def _start(sha256: str | None) -> str:
    """Give the first digits of a checksum: the JSON has all."""
    return "" if sha256 is None else f"{sha256[:16]}…"


def _facts(record: Mapping[str, Any]) -> list[tuple[str, Text]]:
    asked: list[tuple[str, Text]] = []
    if record["kind"] == "result":
        asked = [("command", record["asked"]["command"] or f"justesse.{record['asked']['verb']}(…)")]
    return asked + [(name, str(value)) for name, value in record["versions"].items() if value is not None]
