"""`justesse.dossier_diff`: what changed between two evaluations?"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Column, Document, Section, Table
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.verbs.dossier.named_figures import changed_figures
from justesse.verbs.dossier.opened import opened_dossier
from justesse.verbs.dossier.repeat import differences
from justesse.verbs.dossier.shape import read_as_dossier
from justesse.verbs.dossier.words import data_change, shown_value

DiffPart = Literal["data", "option", "model", "version", "verdict", "gate", "warning", "assumption", "figure", "plan"]
TITLES: Mapping[DiffPart, str] = {
    "data": "Data",
    "option": "Options",
    "model": "Model",
    "plan": "Plan",
    "version": "Versions",
    "verdict": "Verdict",
    "gate": "Gates",
    "warning": "Warnings",
    "assumption": "Assumptions",
    "figure": "Figures",
}
OF_A_PAGE = frozenset({"path", "interactive", "command"})  # options of audit_report that change nothing it says


@dataclass(frozen=True)
class Changed:
    """One thing that differs between two dossiers.

    Parameters
    ----------
    part, what
        Kind of what differs, and its name.
    before, now
        How it reads in both.
    words
        What a comparison of data found.
    where
        Place of a figure in the dossiers, as a JSON pointer.
    """

    part: DiffPart
    what: str
    before: str
    now: str
    words: str = ""
    where: str = ""

    def to_dict(self) -> dict[str, str]:
        place = {"where": self.where} if self.where else {}
        return {
            "part": self.part,
            "what": self.what,
            "before": self.before,
            "now": self.now,
            "finding": self.words,
        } | place


@dataclass(frozen=True, repr=False)
class DossierDiff(Result):
    """What changed between two dossiers: data, options, model, versions, verdict, warnings and figures."""

    files: tuple[str, str]
    changed: tuple[Changed, ...]
    verdicts: tuple[str, str]

    def of(self, part: DiffPart) -> list[Changed]:
        """List the changes of one part."""
        return [item for item in self.changed if item.part == part]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "files": list(self.files),
            "same": not self.changed,
            "verdicts": list(self.verdicts),
            "changed": [item.to_dict() for item in self.changed],
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the changes out as columns, one row each."""
        names = ("part", "what", "before", "now")
        return {name: [getattr(item, name) for item in self.changed] for name in names}

    @property
    def headline(self) -> Message:
        """The answer in a sentence or two."""
        if not self.changed:
            return message("Both dossiers have the same data, options, versions, figures and verdict.")
        commands = [item for item in self.of("option") if item.what == "command"]
        if commands:
            return message(
                "These are dossiers of two commands, {before:name} and {now:name}, so verdicts and figures are not compared.",
                before=commands[0].before, now=commands[0].now,
            )  # fmt: skip
        parts = [TITLES[part].lower() for part in TITLES if self.of(part)]
        if self.of("verdict"):
            template = 'The verdict changed from "{before}" to "{now}" Other differences: {parts:and}.'
            others = [name for name in parts if name != "verdict"] or ["none"]
            return message(template, before=self.verdicts[0], now=self.verdicts[1], parts=others)
        template = 'The verdict is the same: "{now}" These differ: {parts:and}.'
        if self.verdicts[0] != self.verdicts[1]:
            template = 'The verdict is the same. Before: "{before}" Now: "{now}" These differ: {parts:and}.'
        return message(template, before=self.verdicts[0], now=self.verdicts[1], parts=parts)

    def document(self) -> Document:
        sections = []
        for part, title in TITLES.items():
            rows = [[item.what, item.before, item.now, item.words] for item in self.of(part)]
            if rows:
                head: list[str | Column] = [Column("what", "words"), Column("before", "words"), Column("now", "words")]
                if any(row[3] for row in rows):
                    head.append(Column("finding", "sentence"))
                else:
                    rows = [row[:3] for row in rows]
                detail: Literal["headline", "summary"] = "summary" if part == "figure" else "headline"
                sections.append(Section(part, title, [Table("", head, rows, most=25)], detail))
        return Document(
            "Difference of two dossiers", self.headline, sections, self.to_dict(), name="difference",
            facts=[("before", self.files[0]), ("now", self.files[1]), ("justesse", __version__)],
        )  # fmt: skip


def dossier_diff(before: str | os.PathLike[str], now: str | os.PathLike[str]) -> DossierDiff:
    """Say what changed between two evaluations: data, options, versions, figures and verdict.

    Parameters
    ----------
    before, now
        The dossiers to compare.

    Returns
    -------
    DossierDiff
        `changed` lists the differences, `verdicts` has both verdicts.

    Examples
    --------
    >>> import justesse, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> first = justesse.evaluate([1, 1, 0, 0], [1, 0, 0, 0]).dossier(folder / "a.json")
    >>> second = justesse.evaluate([1, 1, 0, 0], [1, 0, 0, 0], level=0.9).dossier(folder / "b.json")
    >>> dossier_diff(first, second).of("option")[0]
    Changed(part='option', what='level', before='0.95', now='0.9', words='', where='')
    """
    old, new = opened_dossier(Path(before)), opened_dossier(Path(now))
    with read_as_dossier(Path(now)):
        changed = [*_data(old, new), *_options(old, new), *_values("model", old["model"], new["model"]),
                   *_values("plan", _plan(old), _plan(new)), *_values("version", old["versions"], new["versions"]),
                   *_texts("warning", old["warnings"], new["warnings"]),
                   *_texts("assumption", old["assumptions"], new["assumptions"])]  # fmt: skip
        verdicts = old["verdict"]["words"], new["verdict"]["words"]
        if old["asked"]["verb"] != new["asked"]["verb"]:
            return DossierDiff((str(before), str(now)), _visible(changed), verdicts)
        if differences(_decided(old), _decided(new)):
            changed.append(Changed("verdict", "verdict", *verdicts))
        changed += _values("gate", old["verdict"].get("gates"), new["verdict"].get("gates"))
        options = {(item.what.replace("_", " "), item.before, item.now) for item in changed if item.part == "option"}
        changed += [
            Changed("figure", item.name, item.before, item.now, where=item.where)
            for item in changed_figures(old["results"], new["results"])
            if (item.name.rpartition(", ")[2], item.before, item.now) not in options
        ]
        return DossierDiff((str(before), str(now)), _visible(changed), verdicts)


def _visible(changed: list[Changed]) -> tuple[Changed, ...]:
    """Leave out what reads the same on both sides and has no finding."""
    return tuple(item for item in changed if item.before != item.now or item.words)


def _decided(record: Mapping[str, Any]) -> Any:
    """Give what was decided; words differ with every figure, and gates are listed apart."""
    keys = {key: value for key, value in record["verdict"].items() if key not in ("words", "gates")}
    return keys or record["verdict"]["words"]


def _data(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Changed]:
    first, second = ({entry["argument"]: entry for entry in record["data"]} for record in (old, new))
    changed = []
    for name in dict.fromkeys([*first, *second]):
        a, b = first.get(name), second.get(name)
        state, words = data_change(a, b)
        if state != "same":
            changed.append(Changed("data", name, _files(a), _files(b), str(words)))
    return changed


def _files(entry: Mapping[str, Any] | None) -> str:
    if entry is None:
        return "none"
    return ", ".join(file["file"] for file in entry["files"]) or "data in memory"


def _options(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Changed]:
    changed = []
    if old["asked"]["verb"] != new["asked"]["verb"]:
        changed.append(Changed("option", "command", old["asked"]["verb"], new["asked"]["verb"]))
    first, second = old["asked"]["options"], new["asked"]["options"]
    for name in dict.fromkeys([*first, *second]):
        if name in OF_A_PAGE:
            continue
        a, b = first.get(name), second.get(name)
        if not _is_data(a) and not _is_data(b) and (places := differences(a, b)):
            sides = shown_value(a), shown_value(b)
            if sides[0] != sides[1]:
                changed.append(Changed("option", name, *sides))
            else:  # long lists differ where they are cut
                changed += [Changed("option", f"{name}{at}", shown_value(x), shown_value(y)) for at, x, y in places]
    return changed


def _is_data(value: Any) -> bool:
    return (isinstance(value, dict) and "$data" in value) or (isinstance(value, list) and any(map(_is_data, value)))


def _values(part: DiffPart, old: Any, new: Any) -> list[Changed]:
    return [
        Changed(part, where.lstrip("/") or part, shown_value(a), shown_value(b))
        for where, a, b in differences(old, new)
    ]


def _texts(part: DiffPart, old: list[str], new: list[str]) -> list[Changed]:
    gone = [Changed(part, text, "yes", "no") for text in old if text not in new]
    return gone + [Changed(part, text, "no", "yes") for text in new if text not in old]


def _plan(record: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a plan fixes, and its note; nothing if there is none."""
    plan = {} if record["plan"] is None else record["plan"]["record"]["plan"]
    return {**plan.get("settings", {}), **({"note": plan["note"]} if plan.get("note") else {})}
