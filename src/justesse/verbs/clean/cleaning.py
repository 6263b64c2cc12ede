"""What `justesse.clean` returns: labels that are probably wrong, and how much the finding is worth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from justesse.cleaning.altered import Altered, Optimism
from justesse.cleaning.filter import Filter
from justesse.cleaning.known_truth import FilterQuality
from justesse.cleaning.probability_wrong import ProbabilityWrong
from justesse.cleaning.recheck import STRATA, Adjudication, RecheckList
from justesse.cleaning.suspicion import Suspicion
from justesse.cleaning.written_filter import ChosenFilter
from justesse.core.arrays import Array
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.seeds import stream
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame, write_table
from justesse.frames.table import TypedTable
from justesse.report.document import Document, Text
from justesse.report.result import Result
from justesse.store.recheck_file import ENDING, EarlierAnswer, RecheckRow, write_recheck
from justesse.verbs.clean.read import ROW, CleaningRows

JSON_ROWS = 10_000

UNSIGNED = "an earlier list"  # who gave the answers of a table, which has no names


@dataclass(frozen=True)
class CleaningSettings:
    """Options that the result repeats."""

    level: float
    seed: int
    data: Any
    files: tuple[str, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Cleaning(Result):
    """Labels that are probably wrong, most suspicious first.

    Parameters
    ----------
    chosen
        The filter that flagged them, and its options.
    read
        The table and what the filter looked at.
    suspicion
        Score, flag, suggested class and reason of each row.
    chances
        Probability that each label is wrong, and what it rests on.
    altered
        Labels and rows after the action.
    optimism
        Accuracy before and after the action, and by how much the latter is too high.
    settings
        Options.
    quality
        Detection, false-detection and correction rate, if the true classes are known.
    adjudication
        Precision and recall of the filter by people's answers, if there are some.
    answers
        Rows that people answered and the codes of their answers, -1 for none.
    asked
        Rows for people to re-check.
    signed
        Who gave the answer about a row, and when, if the answers come from a file of `recheck`.
    """

    chosen: ChosenFilter
    read: CleaningRows
    suspicion: Suspicion
    chances: ProbabilityWrong
    altered: Altered
    optimism: Optimism
    settings: CleaningSettings
    quality: FilterQuality | None = None
    adjudication: Adjudication | None = None
    answers: tuple[Array, Array] | None = None
    asked: RecheckList | None = None
    signed: Mapping[int, tuple[str, str]] = field(default_factory=dict)

    @property
    def filter(self) -> Filter:
        """The filter that flagged them."""
        return self.chosen.item

    @property
    def n(self) -> int:
        return self.read.evidence.n

    @property
    def classes(self) -> tuple[ClassName, ...]:
        return self.read.evidence.classes

    @property
    def flagged(self) -> Array:
        """Whether each row is flagged, in the order of the table."""
        return self.suspicion.flagged

    @property
    def score(self) -> Array:
        """Score of each row by the filter, from 0 to 1, in the order of the table; the higher, the more suspicious."""
        return self.suspicion.score

    @property
    def probability(self) -> Array:
        """Probability that each label is wrong, in the order of the table; NaN if nothing gives one."""
        return self.chances.values

    @cached_property
    def order(self) -> Array:
        """Numbers of the flagged rows from 0, most suspicious first."""
        rows = np.flatnonzero(self.flagged)
        return rows[np.lexsort((rows, -self.suspicion.score[rows], -np.nan_to_num(self.chances.values[rows])))]

    @property
    def by_class(self) -> list[Estimate]:
        """Share of flagged rows, overall and of each label."""
        labels = self.read.evidence.labels
        n = np.bincount(labels, minlength=len(self.classes))
        k = np.bincount(labels[self.flagged], minlength=len(self.classes))
        numbers = [(None, int(k.sum()), self.n), *zip(self.classes, k.tolist(), n.tolist(), strict=True)]
        return [
            Estimate("flagged", hits / rows, rows, class_name=name, words="flagged share", is_share=True)
            if rows
            else Estimate(
                "flagged", np.nan, 0, None, "no row has this label", name, words="flagged share", is_share=True
            )
            for name, hits, rows in numbers
        ]

    def rows(self) -> dict[str, list[Any]]:
        """Lay out the flagged rows: id or number, label, suggested class, probability that the label is wrong, reason."""
        return self._listed(self.order)

    def _listed(self, rows: Array) -> dict[str, list[Any]]:
        names, labels = self.classes, self.read.evidence.labels
        return {
            self.read.id or ROW: [self.read.ids[row] for row in rows],
            "label": [names[labels[row]] for row in rows],
            "suggested": [self._suggested(int(row)) for row in rows],
            "probability_wrong": [finite_or_none(float(self.chances.values[row])) for row in rows],
            "reason": [self.suspicion.reason(int(row)) for row in rows],
        }

    def _suggested(self, row: int) -> ClassName:
        code = int(self.suspicion.suggested[row])
        return self.classes[code] if code >= 0 else None

    def recheck_rows(self) -> dict[str, list[Any]]:
        """Lay out the rows to re-check, with their stratum, the chance each had to be asked, and a column true.

        The column is empty but for the answers of an earlier list, whose rows come last.
        """
        if self.asked is None:
            return {}
        known = self._answered()
        order = np.argsort([row in known for row in self.asked.rows.tolist()], kind="stable")
        rows = self.asked.rows[order]
        return {
            **self._listed(rows),
            "stratum": [STRATA[code] for code in self.asked.stratum[order]],
            "chance": self.asked.chances[order].tolist(),
            "true": [known.get(row) for row in rows.tolist()],
        }

    def _answered(self) -> dict[int, ClassName]:
        """Give the true class of each row that people answered."""
        rows, codes = ([], []) if self.answers is None else (part.tolist() for part in self.answers)
        return {row: self.classes[code] for row, code in zip(rows, codes, strict=True) if code >= 0}

    def corrections(self) -> list[dict[str, Any]]:
        """List every answer: row, label, true class by the answer, whether the filter had flagged the row, and by whom."""
        if self.answers is None:
            return []
        labels = self.read.evidence.labels
        return [
            {
                self.read.id or ROW: self.read.ids[row], "label": self.classes[labels[row]], "true": self.classes[code],
                "changed": bool(code != labels[row]), "flagged": bool(self.flagged[row]),
                **({"by": self.signed[row][0], "at": self.signed[row][1]} if row in self.signed else {}),
            }
            for row, code in zip(*(part.tolist() for part in self.answers), strict=True)
            if code >= 0
        ]  # fmt: skip

    def cleaned(self) -> TypedTable:
        """Give the table after the action: flagged rows marked, removed, weighted, without label or corrected."""
        import pyarrow as pa
        import pyarrow.compute as pc

        table, made, column = self.read.table, self.altered, self.read.label
        old = self.read.evidence.labels
        if made.action == "correct":
            return table.copied(column, f"{column}_before").relabelled(column, column, old, made.labels, self.classes)
        new: dict[str, Any] = {}
        if made.action == "flag":
            new["flagged"] = pa.array(self.flagged.astype(int))
        elif made.action == "weight":
            new["weight"] = pa.array(made.weights)
        parts = [dict(columns) | new for columns in (table.raw, table.typed)]
        if made.action == "drop-label":
            gone = pa.array(made.labels < 0)
            parts = [
                part | {column: pc.if_else(gone, pa.scalar(None, part[column].type), part[column])} for part in parts
            ]
        if made.action == "remove":
            kept = pa.array(made.kept)
            parts = [{name: values.filter(kept) for name, values in part.items()} for part in parts]
        return TypedTable(table.rows, parts[0], parts[1], table.categorical)

    def write_recheck(self, path: str | Path) -> Path:
        """Write the rows to re-check: .csv or .parquet to fill in, or .recheck to answer with `justesse recheck`."""
        if Path(path).suffix == ENDING:
            return self._write_list(Path(path))
        return write_table(self.recheck_rows(), Path(path))

    def _write_list(self, path: Path) -> Path:
        asked = self.asked
        assert asked is not None
        columns = self._listed(asked.rows)
        keys = (self.read.id or ROW, "label", "suggested", "reason")
        known = self._answered()
        answered = [
            EarlierAnswer(known[row], *self.signed.get(row, (UNSIGNED,))) if row in known else None
            for row in asked.rows.tolist()
        ]
        parts = zip(
            *(columns[key] for key in keys), asked.stratum.tolist(), asked.chances.tolist(), answered, strict=True
        )
        listed = [
            RecheckRow(str(id), label, suggested, stratum, chance, reason, earlier)
            for id, label, suggested, reason, stratum, chance, earlier in parts
        ]
        # in any order but that of suspicion, so that those answered so far are a random part of each stratum
        rows = [listed[at] for at in stream(self.settings.seed, "order of rows to re-check").permutation(len(listed))]
        return write_recheck(path, rows, on=self.read.id or ROW, classes=self.classes)

    def write_cleaned(self, path: str | Path) -> Path:
        """Write the table after the action, .csv or .parquet."""
        return self.cleaned().save(Path(path))

    @property
    def native(self) -> Any:
        return self.settings.data

    def to_columns(self) -> dict[str, list[Any]]:
        return self.rows()

    def to_frame(self) -> Any:
        """Give the flagged rows as a data frame of the caller's kind, or as an Arrow table."""
        return native_frame(self.rows(), like=self.native)

    @property
    def warnings(self) -> tuple[Text, ...]:
        """What may be misread, most important first."""
        from justesse.verbs.clean.cautions import cautions

        return cautions(self)

    def to_dict(self) -> dict[str, Any]:
        chances, made = self.chances, self.optimism
        columns = {name: values[:JSON_ROWS] for name, values in self._listed(self.order[:JSON_ROWS]).items()}
        columns["row"] = [int(row) + 1 for row in self.order[:JSON_ROWS]]
        columns["id"] = columns.pop(self.read.id) if self.read.id else columns["row"]
        columns["score"] = [float(self.score[row]) for row in self.order[:JSON_ROWS]]
        keys = ("row", "id", "label", "suggested", "score", "probability_wrong", "reason")
        joint = self.suspicion.facts.get("joint")
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "method": self.filter.name,
            "options": {**self.filter.options, **self.chosen.options},
            "prune": self.suspicion.facts.get("prune"),
            "n": self.n,
            "flagged": int(self.flagged.sum()),
            "rows": [dict(zip(keys, row, strict=True)) for row in zip(*(columns[key] for key in keys), strict=True)],
            "by_class": [estimate.to_dict() for estimate in self.by_class],
            "joint": None
            if joint is None
            else [
                [self.classes[label], self.classes[other], number]
                for label, cells in enumerate(joint)
                for other, number in enumerate(cells)
                if number
            ],
            "calibration": {
                "basis": chances.basis,
                "noise_rate": finite_or_none(chances.rate),
                "audited": chances.audited,
                "audited_wrong": chances.audited_wrong,
            },
            "optimism": {
                "action": self.altered.action,
                "accuracy_on_labels": finite_or_none(made.before),
                "accuracy_after": finite_or_none(made.after),
                "accuracy_expected": finite_or_none(made.expected),
                "optimism": finite_or_none(made.optimism),
                "accuracy_true": made.true,
                "optimism_true": made.true_optimism,
            },
            "quality": None if self.quality is None else [item.to_dict() for item in self.quality.estimates],
            "adjudication": None
            if self.adjudication is None
            else {
                "strata": [vars(part) for part in self.adjudication.strata],
                "estimates": [item.to_dict() for item in self.adjudication.estimates],
                "corrections": self._json_corrections(),
            },
            "recheck": None
            if self.asked is None
            else {name: int((self.asked.stratum == at).sum()) for at, name in enumerate(STRATA)},
            "seed": self.settings.seed,
            "warnings": [str(text) for text in self.warnings],
            "assumptions": [str(text) for text in self.assumptions],
        }

    def _json_corrections(self) -> list[dict[str, Any]]:
        name = self.read.id or ROW
        return [{"id": item[name], **{key: item[key] for key in item if key != name}} for item in self.corrections()]

    @property
    def assumptions(self) -> tuple[Text, ...]:
        """What the result rests on."""
        from justesse.verbs.clean.cautions import assumptions

        return assumptions(self)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse.verbs.clean import pictures

        made: dict[str, Callable[[], Any]] = {"classes": partial(pictures.flagged_classes, self)}
        if self.chances.basis != "nothing" and self.flagged.any():
            made["ranking"] = partial(pictures.ranking, self)
        if self.quality is not None:
            made["quality"] = partial(pictures.false_detection, self)
        return made

    def document(self) -> Document:
        from justesse.verbs.clean.document import cleaning_document

        return cleaning_document(self)
