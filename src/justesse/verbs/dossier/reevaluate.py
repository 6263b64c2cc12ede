"""`justesse.dossier_reevaluate`: the same evaluation on a corrected or extended test set, and what moved the verdict."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from justesse.core.errors import ColumnError, InputError
from justesse.core.version import SCHEMA, __version__
from justesse.dossier.canonical import marked
from justesse.frames.columns import USUAL
from justesse.frames.corrected_labels import CorrectedLabels, corrected_labels, rows_of_both
from justesse.report.document import Column, Document, Section, Table
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.verbs.dossier.opened import opened_dossier
from justesse.verbs.dossier.repeat import figures, repeated
from justesse.verbs.dossier.replay import data_sources
from justesse.verbs.dossier.shape import read_as_dossier
from justesse.verbs.recorded import recorded

if TYPE_CHECKING:
    from collections.abc import Iterator

Step = Literal["before", "kept", "corrected", "now"]
TITLES: Mapping[Step, str] = {
    "before": "As in the dossier",
    "kept": "Without the removed rows",
    "corrected": "Same rows, corrected labels",
    "now": "All rows of the new data",
}
VERBS = ("evaluate", "compare")
NO_VERDICT = "no verdict"


@dataclass(frozen=True)
class StepFigures:
    """What came out at one step: the verdict, the main figure with its interval, and n."""

    step: Step
    verdict: Mapping[str, Any]
    value: float | None
    interval: Any
    n: int | None
    groups: Mapping[str, float | None]
    decides: bool = True

    @property
    def decided(self) -> str:
        """What was decided, in a word or two."""
        if not self.decides:
            return NO_VERDICT
        if "verdict" in self.verdict:
            return str(self.verdict["verdict"]).replace("_", " ")
        return "requirements met" if self.verdict.get("passes", True) else "requirements not met"

    def to_dict(self) -> dict[str, Any]:
        return {
            "step": self.step, "decided": self.decided, "verdict": dict(self.verdict), "value": self.value,
            "interval": self.interval, "n": self.n, "groups": dict(self.groups),
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class Reevaluation(Result):
    """Old verdict, new verdict, and what moved it: corrected labels, rows that were added, rows that were removed."""

    file: str
    steps: tuple[StepFigures, ...]
    labels: CorrectedLabels | None
    again: Result
    unknown: str | None = None
    predictions: int | None = None  # how many differ in the rows of both

    @property
    def changed(self) -> bool:
        """Whether the verdict is another one."""
        return self.steps[0].decided != self.steps[-1].decided

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "file": self.file,
            "changed": self.changed,
            "steps": [step.to_dict() for step in self.steps],
            "labels": self.labels.to_dict() if self.labels else None,
            "predictions": self.predictions,
            "unknown": self.unknown,
            "result": {key: value for key, value in self.again.to_dict().items() if key != "run"},
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the steps out as columns."""
        names = ("step", "decided", "value", "n")
        return {name: [getattr(step, name) for step in self.steps] for name in names}

    @property
    def headline(self) -> Message:
        """The old verdict, the new one, and what moved it."""
        old, new = self.steps[0], self.steps[-1]
        if not old.decides:
            template = "The main figure moved from {before:value} to {now:value}."
        elif not self.changed:
            template = "The verdict stays {old}. The main figure moved from {before:value} to {now:value}."
        else:
            template = (
                "The verdict changed from {old} to {new}. The main figure moved from {before:value} to {now:value}."
            )
        words = message(template, old=old.decided, new=new.decided, before=_number(old.value), now=_number(new.value))
        return message("{words} {cause}", words=words, cause=self._cause())

    def _cause(self) -> Message:
        if self.labels is None:
            return message("What moved it is not known: {why}", why=self.unknown)
        labels = self.labels
        parts = "{corrected:count label} corrected, {added:count row} added, {removed:count row} removed."
        counted = message(parts, corrected=labels.corrected, added=labels.added, removed=labels.removed)
        if self.predictions:
            template = "{counted} {n:count prediction} {n:plural differs|differ} in the same rows."
            counted = message(template, counted=counted, n=self.predictions)
        moves = [
            (self._change(now.step), now.decided)
            for then, now in pairwise(self.steps)
            if then.decided != now.decided and len(self.steps) > 2
        ]
        if len(moves) > 1:
            listed = ", then ".join(str(message("the {what} to {to}", what=what, to=to)) for what, to in moves)
            return message("{counted} Step by step, the verdict moves: {listed}.", counted=counted, listed=listed)
        if moves:
            return message("{counted} The {what} alone change it.", counted=counted, what=moves[0][0])
        return counted

    def _change(self, step: Step) -> str:
        """Name what is new at a step."""
        return {"kept": "removed rows", "now": "added rows"}.get(step, self._what())

    def _what(self) -> str:
        """Name what differs in the rows of both versions."""
        if not self.predictions:
            return "corrected labels"
        return (
            "corrected labels and other predictions" if self.labels and self.labels.corrected else "other predictions"
        )

    def _title(self, step: StepFigures) -> str:
        if step.step == "corrected":
            return str(message("Same rows, {what}", what=self._what()))
        return TITLES[step.step]

    def document(self) -> Document:
        rows = [
            [self._title(step), step.decided, _number(step.value), _ends(step.interval), step.n] for step in self.steps
        ]
        head: list[str | Column] = [
            "step",
            "verdict",
            Column("main figure", "value"),
            "interval",
            Column("n", "count"),
        ]
        sections = [Section("steps", "Step by step", [Table("", head, rows)], "headline")]
        if self.labels and self.labels.cells:
            listed = [[str(old), str(new), n] for old, new, n in self.labels.cells]
            table = Table("", ["label before", "label now", Column("rows", "count")], listed)
            sections.append(Section("labels", "Corrected labels", [table], "headline"))
        if (self.labels is None or self.labels.corrected) and (groups := list(self._groups())):
            columns: list[str | Column] = ["group", *(Column(self._title(step), "value") for step in self.steps)]
            sections.append(
                Section("groups", "Impact of wrong labels on groups", [Table("", columns, groups)], "headline")
            )
        return Document(
            "Re-evaluation on corrected data", self.headline, sections, self.to_dict(), name="reevaluation",
            assumptions=("the new labels are right where they differ from the old ones",),
            facts=[("dossier", self.file), ("justesse", __version__)],
        )  # fmt: skip

    def _groups(self) -> "Iterator[list[Any]]":
        for name in self.steps[-1].groups:
            yield [name, *(_number(step.groups.get(name)) for step in self.steps)]


@recorded
def dossier_reevaluate(
    file: str | os.PathLike[str], *data: Any, id: str | None = None, old_data: Any = None
) -> Reevaluation:
    """Repeat an evaluation on a corrected or extended test set: old verdict, new verdict, and what moved it.

    Parameters
    ----------
    file
        Dossier of the old evaluation, of evaluate or compare.
    data
        The new data, as many files as the old evaluation had, in the same order.
    id
        Column with the id of a row, the same in the old and the new data. Default: the column that joined the files, or
        one named id.
    old_data
        Directory of the old data files; in the library also a dict of data by argument. Default: in the current
        directory, or beside the dossier.

    Returns
    -------
    Reevaluation
        `steps` has the verdicts, `labels` what was corrected.

    Notes
    -----
    Up to three steps lead from the old verdict to the new one: the removed rows go, the rows that stay get their new
    labels, and the new rows come. All but the last step need the old data and an id.

    Examples
    --------
    >>> import justesse, tempfile, pathlib
    >>> old = {"id": [1, 2, 3, 4], "label": ["a", "a", "b", "b"], "prediction": ["a", "b", "b", "b"]}
    >>> path = justesse.evaluate(old).dossier(pathlib.Path(tempfile.mkdtemp()) / "a.json")
    >>> result = dossier_reevaluate(path, {**old, "label": ["a", "b", "b", "b"]}, old_data={"data": old})
    >>> result.labels.corrected, result.steps[-1].value
    (1, 1.0)
    """
    path = Path(file)
    record = opened_dossier(path)
    with read_as_dossier(path):
        return _reevaluated(path, record, data, id, old_data)


def _reevaluated(
    path: Path, record: dict[str, Any], data: Sequence[Any], id: str | None, old_data: Any
) -> Reevaluation:
    """Repeat the evaluation of a dossier on other data, step by step."""
    verb = record["asked"]["verb"]
    if verb not in VERBS:
        raise InputError(f"{path} is the dossier of {verb}. Only {' and '.join(VERBS)} are repeated on other data.")
    names = [
        entry["argument"] for entry in record["data"] if entry["argument"].partition(" ")[0] in ("data", "candidates")
    ]
    if len(data) != len(names):
        raise InputError(
            f"The old evaluation had {len(names)} sets of rows ({', '.join(names)}); got {len(data)}. Pass as many."
        )
    sources, _ = data_sources(record, path, old_data, option="--old-data")
    kept = {} if isinstance(sources, str) else dict(sources)
    others = {entry["argument"] for entry in record["data"]} - set(names)
    if others and not others <= set(kept):
        raise InputError(f"The old evaluation also used {', '.join(sorted(others))}, which is not there. Put it back.")
    new = {**kept, **dict(zip(names, data, strict=True))}
    options = record["asked"]["options"]
    decides = verb == "compare" or bool(options.get("require") or options.get("claim"))
    steps = [_step("before", {"results": record["results"], "verdict": record["verdict"]}, decides)]
    labels, unknown = None, None if not isinstance(sources, str) else sources
    predictions: int | None = None
    if unknown is None:
        on = id or options.get("on") or "id"
        try:
            labels = corrected_labels(kept[names[0]], new[names[0]], on, options.get("label"), USUAL["label"])
            if labels.removed:
                left = {name: rows_of_both(new[name], kept[name], on) for name in names}
                steps.append(_step("kept", marked(figures(repeated(record, {**kept, **left}))), decides))
            both = {name: rows_of_both(kept[name], new[name], on) for name in names}
            corrected = repeated(record, {**new, **both})
            steps.append(_step("corrected", marked(figures(corrected)), decides))
            predictions = _other_predictions(options, [(kept[name], new[name]) for name in names], on)
        except InputError as error:
            if id is not None and isinstance(error, ColumnError):
                raise
            labels, unknown, steps = None, str(error), steps[:1]
    again = repeated(record, new)
    steps.append(_step("now", marked(figures(again)), decides))
    return Reevaluation(str(path), tuple(steps), labels, again, unknown, predictions)


def _other_predictions(options: Mapping[str, Any], versions: Sequence[tuple[Any, Any]], on: str) -> int | None:
    """Count the predictions that differ in the rows of both versions; `None` if their column is not known."""
    named = [options.get(name) for name in ("prediction", "incumbent", "candidate")]
    columns = [name for value in named for name in (value if isinstance(value, list) else [value]) if name] or [None]
    try:
        return sum(
            corrected_labels(old, new, on, column, USUAL["prediction"]).corrected
            for old, new in versions
            for column in columns
        )
    except InputError:
        return None


def _step(step: Step, out: Mapping[str, Any], decides: bool) -> StepFigures:
    results = out["results"]
    main = results.get("headline") or {}
    value = main.get("value", main.get("difference", results.get("difference")))
    verdict = {key: item for key, item in out["verdict"].items() if key in ("verdict", "passes")}
    groups = _by_group(results.get("by") or [])
    n = main.get("n", results.get("n"))
    return StepFigures(step, verdict, value, main.get("interval"), n, groups, decides)


def _by_group(parts: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Give the main figure of every slice."""
    groups: dict[str, float | None] = {}
    for part in parts:
        name = f"{part.get('column', part.get('by'))} = {part.get('value', part.get('slice'))}"
        measures = part.get("measures")
        if isinstance(measures, list):
            main = next((item for item in measures if item["name"] == "accuracy"), None)
            groups[name] = main["value"] if main else None
        else:
            groups[name] = part.get("difference")
    return groups


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _ends(interval: Any) -> str:
    if not isinstance(interval, dict):
        return ""
    low, high = (interval.get(key) for key in ("low", "high"))
    return " to ".join("…" if end is None else f"{end:.4f}" for end in (low, high))
