"""What `evaluate_unlabelled` returns, and how it describes itself."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.core.results import Estimate, TestResult, finite_or_none, level_name
from justesse.core.version import SCHEMA, __version__
from justesse.frames.side_by_side import SideBySide
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.result import Result
from justesse.report.writing import message, paragraph
from justesse.verbs.file_facts import file_facts, shortened

HOW = (
    "No labels are used for the error rates. Two classifiers that err independently, with error rates e and f, agree on a "
    "share (1-e)(1-f) + s·e·f of the rows; s is how often two wrong answers are the same. Three or more such shares give "
    "the error rates (Platanios, Blum and Mitchell 2014); with four or more, by least squares. Intervals: percentile "
    "bootstrap of the counts.",
    "Bounds: every error rate that explains the agreement of all pairs, if no pair gets more than the stated share of rows "
    "wrong together beyond chance, and no classifier is worse than chance. With three "
    "classifiers and two classes they are sharp; otherwise narrower ones can exist.",
)
ASSUMPTIONS = (
    "the classifiers err independently of each other (the bounds allow for the stated dependence)",
    "all are better than chance",
    "two wrong answers are the same equally often in every pair",
    "the rows are independent draws from the population of interest, and were not used for training",
)
UNTESTABLE = (
    "Whether the classifiers err independently is untestable with three of them: any agreement fits. If they share "
    "mistakes, their error rates are higher than shown. Add a fourth classifier, or a column with labels for some rows "
    "(--label)."
)


@dataclass(frozen=True)
class UnlabelledClassifier:
    """One classifier: its error rate if all err independently, and its bounds if they do not.

    Parameters
    ----------
    name
        Name of the classifier.
    error
        Estimated error rate with its interval.
    bounds
        Bounds on these rows.
    limits
        The bounds with their sampling error.
    labelled
        Error rate on the rows that have a label, if there are any.
    """

    name: str
    error: Estimate
    bounds: tuple[float, float]
    limits: tuple[float, float]
    labelled: Estimate | None = None

    @property
    def contradicted(self) -> bool:
        """Whether the labels show another error rate: the two intervals do not overlap."""
        if self.labelled is None or self.labelled.interval is None or self.error.interval is None:
            return False
        ours, theirs = self.error.interval, self.labelled.interval
        return ours.high < theirs.low or theirs.high < ours.low

    def to_dict(self) -> dict[str, Any]:
        def ends(pair: tuple[float, float]) -> dict[str, Any] | None:
            low, high = map(finite_or_none, pair)
            return None if low is None or high is None else {"low": low, "high": high}

        return {
            "name": self.name,
            "error": self.error.to_dict(),
            "bounds": ends(self.bounds),
            "limits": ends(self.limits),
            "labelled": self.labelled.to_dict() if self.labelled else None,
        }


@dataclass(frozen=True, repr=False)
class UnlabelledEvaluation(Result):
    """Error rates of several classifiers without labels, bounds, and whether the agreement fits independent errors."""

    classifiers: tuple[UnlabelledClassifier, ...]
    rows: SideBySide
    fit: TestResult
    dependence: float
    coincidence: float
    least_dependence: float | None
    order_survives: float | None
    undefined: str | None
    level: float
    draws: int
    seed: int
    sources: tuple[Any, ...] = ()

    def __getitem__(self, name: str) -> UnlabelledClassifier:
        """Return the classifier with this name."""
        return next(item for item in self.classifiers if item.name == name)

    @property
    def rejected(self) -> bool | None:
        """Whether the agreement shows that they do not err independently; `None` if it cannot show it."""
        return None if math.isnan(self.fit.pvalue) else self.fit.pvalue <= 1 - self.level

    @property
    def ranked(self) -> list[UnlabelledClassifier]:
        """The classifiers, the lowest error rate first."""
        return sorted(self.classifiers, key=lambda item: (math.isnan(item.error.value), item.error.value))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        return tuple(map(str, _warnings(self)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": self.rows.patterns.n,
            "undefined": self.undefined,
            "classifiers": [item.to_dict() for item in self.classifiers],
            "fit": self.fit.to_dict(),
            "rejected": self.rejected,
            "dependence": self.dependence,
            "least_dependence": self.least_dependence,
            "order_survives": self.order_survives,
            "coincidence": self.coincidence,
            "agreement": [
                [self.rows.patterns.names[i], self.rows.patterns.names[j], float(share)]
                for (i, j), share in zip(self.rows.patterns.pairs, self.rows.patterns.agreement, strict=True)
            ],
            "classes": list(self.rows.patterns.classes),
            "columns": {"on": self.rows.on, "predictions": list(self.rows.columns)},
            "dropped": self.rows.dropped,
            "unmatched": self.rows.unmatched,
            "level": self.level,
            "warnings": list(self.warnings),
            "assumptions": list(ASSUMPTIONS),
            "seed": self.seed,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        ends = [item.error.interval for item in self.classifiers]
        return {
            "classifier": [item.name for item in self.classifiers],
            "error": [finite_or_none(item.error.value) for item in self.classifiers],
            "low": [end.low if end else None for end in ends],
            "high": [end.high if end else None for end in ends],
            "bound_low": [finite_or_none(item.bounds[0]) for item in self.classifiers],
            "bound_high": [finite_or_none(item.bounds[1]) for item in self.classifiers],
            "labelled_error": [item.labelled.value if item.labelled else None for item in self.classifiers],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        if self.undefined is not None:
            return {}
        rows = [(item.name, item.error, item.bounds, item.labelled) for item in self.ranked]
        return {"errors": partial(charts.unlabelled_error_chart, rows)}

    def document(self) -> Document:
        best = self.ranked[0]
        return Document(
            "Error rates without labels",
            _headline(self),
            [_errors(self), _agreement(self)],
            self.to_dict(),
            name="unlabelled-evaluation",
            figures=[KeyFigure("Lowest error rate", best.error, "share", best.name)],
            cautions=self.warnings,
            assumptions=ASSUMPTIONS,
            how=HOW,
            facts=_facts(self),
            seed=self.seed,
        )


def _headline(result: UnlabelledEvaluation) -> Text:
    if result.undefined is not None:
        return message("Error rates are not identified: {why}.", why=result.undefined)
    best = result.ranked[0]
    parts: list[Text] = [
        message(
            "Lowest error rate: {name}, {error:share} ({error:level_name} {error:share_interval}, n = {n:count}), if all "
            "err independently; no labels used.",
            name=best.name,
            error=best.error,
            n=result.rows.patterns.n,
        )
    ]
    if not any(math.isnan(end) for end in best.bounds):
        parts.append(
            message(
                "Between {low:share} and {high:share} if two classifiers get up to {most:percent} of the rows wrong together "
                "beyond chance.",
                low=best.bounds[0],
                high=best.bounds[1],
                most=result.dependence,
            )
        )
    if result.order_survives is not None:
        parts.append(
            message("On these rows it stays the best up to a dependence of {most:.4f}.", most=result.order_survives)
        )
    return paragraph(*parts)


def _warnings(result: UnlabelledEvaluation) -> list[Text]:
    lines: list[Text] = []
    contradicted = [item.name for item in result.classifiers if item.contradicted]
    if contradicted:
        lines.append(
            message(
                "The labels contradict the error rates of {names:names}: the classifiers do not err independently. Use the "
                "error rates on the labelled rows.",
                names=contradicted,
            )
        )
    if result.rejected:
        lines.append(
            message(
                "The classifiers do not err independently (fit of the agreements: {p:p}): the error rates are not to be "
                "trusted, and shared mistakes make them too low. The agreement needs a dependence of {least:.4f} at least.",
                p=result.fit.pvalue,
                least=result.least_dependence,
            )
        )
        if math.isnan(result.classifiers[0].bounds[0]):
            lines.append(
                message(
                    "There are no bounds: no error rates explain the agreement with a dependence of {dependence:g}. Allow "
                    "for more (--dependence).",
                    dependence=result.dependence,
                )
            )
    elif result.rejected is None and result.undefined is None and result.classifiers[0].labelled is None:
        lines.append(
            UNTESTABLE
            if len(result.classifiers) == 3
            else message("Independence could not be tested: {why}.", why=result.fit.undefined)
        )
    elif result.rejected is False:
        lines.append(
            message(
                "The agreement fits independent errors ({p:p}). This does not show mistakes that all share: only labels do.",
                p=result.fit.pvalue,
            )
        )
    if result.rows.dropped:
        lines.append(message("{n:count row} without an answer of every classifier left out.", n=result.rows.dropped))
    if result.rows.unmatched:
        lines.append(message("{n:count row} left out: another file lacks their id.", n=result.rows.unmatched))
    return lines


def _errors(result: UnlabelledEvaluation) -> Section:
    labelled = result.classifiers[0].labelled
    head: list[str | Column] = [
        "classifier", Column("error", "share"), Column(level_name(result.level), "share_interval"),
        Column("bounds", "share_range"), Column("with sampling error", "share_range", 2),
    ]  # fmt: skip
    if labelled:
        head += [Column("by labels", "share"), Column(level_name(result.level), "share_interval", 1)]
    rows = [
        [
            item.name, item.error, item.error, _range(item.bounds), _range(item.limits),
            *([item.labelled, item.labelled] if item.labelled else []),
        ]
        for item in result.ranked
    ]  # fmt: skip
    note = message(
        "Error and interval: if all err independently. Bounds: for a dependence up to {most:number}; wrong answers are the "
        "same in {share:share} of the rows where two are wrong.",
        most=result.dependence,
        share=result.coincidence,
    )
    drawings = result.drawings()
    parts: list[Part] = [*([Figure(drawings["errors"])] if drawings else []), Table("Error rates", head, rows, note)]
    return Section("errors", "Error rates", parts, "headline")


def _range(pair: tuple[float, float]) -> tuple[float, float] | None:
    return None if any(math.isnan(end) for end in pair) else pair


def _agreement(result: UnlabelledEvaluation) -> Section:
    names = result.rows.patterns.names
    head: list[str | Column] = ["pair", Column("agreement", "share")]
    patterns = result.rows.patterns
    ranked = sorted(zip(patterns.agreement.tolist(), patterns.pairs, strict=True), reverse=True)
    rows: list[list[Any]] = [[f"{names[i]}, {names[j]}", share] for share, (i, j) in ranked]
    return Section("agreement", "Agreement of pairs", [Table("Agreement of pairs", head, rows)])


def _facts(result: UnlabelledEvaluation) -> list[tuple[str, Text]]:
    return [
        ("classifiers", shortened([item.name for item in result.classifiers])),
        ("rows", f"{result.rows.patterns.n:,}"),
        ("classes", shortened([str(name) for name in result.rows.patterns.classes])),
        ("resamples", f"{result.draws:,}"),
        *(fact for source in result.sources for fact in file_facts(source)),
        ("justesse", __version__),
    ]
