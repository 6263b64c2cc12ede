"""What `justesse.noise_resist` returns: errors of learners against the noise they were trained on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.results import Estimate, finite_or_none, level_name
from justesse.core.version import SCHEMA, __version__
from justesse.procedures.realism import Realism
from justesse.procedures.resist import Resistance
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table, Text
from justesse.report.result import Result
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.file_facts import file_facts
from justesse.verbs.noise.cleaned_section import cleaned_keys, cleaned_sections, cleaned_sentence

TILES = 5
KINDS = {"given": "this noise", "by class": "noise by class", "uniform": "uniform noise"}


@dataclass(frozen=True, repr=False)
class NoiseResistance(Result):
    """The error of every learner on clean test labels, against the share of wrong labels it was trained on.

    Parameters
    ----------
    resistance
        Errors of every learner at every rate.
    realism
        For every rate above 0, if asked: how often the learners repeat the noise on unseen rows.
    target
        Column with the labels.
    features
        Columns that the learners were trained on.
    source
        The data as they came.
    warnings
        What may be misread.
    """

    resistance: Resistance
    realism: tuple[tuple[float, Realism], ...] | None
    target: str
    features: tuple[str, ...]
    source: Any
    warnings: tuple[str, ...]

    @property
    def native(self) -> Any:
        return self.source

    def to_dict(self) -> dict[str, Any]:
        resistance = self.resistance
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "resist": self._rows(),
            "realism": None if self.realism is None else self._realism_rows(),
            "cleaned": cleaned_keys(resistance.cleaned) or None,
            "noise": resistance.noise,
            "target": self.target,
            "features": list(self.features),
            "test_share": resistance.test_share,
            "repeats": resistance.repeats,
            "level": resistance.level,
            "seed": resistance.seed,
            "warnings": list(self.warnings),
            "assumptions": list(resistance.assumptions),
        }

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "learner": row.learner,
                "rate": row.rate,
                "realised": row.realised,
                "error": finite_or_none(row.error.value),
            }
            | _interval_keys(row.error)
            for row in self.resistance.rows
        ]

    def _realism_rows(self) -> list[dict[str, Any]]:
        return [
            {"noise": row.noise, "learner": row.learner, "rate": rate, "realised": row.realised}
            | {"f_n": finite_or_none(row.f_n.value)}
            | _interval_keys(row.f_n)
            for rate, realism in self.realism or ()
            for row in realism.rows
        ]

    def to_columns(self) -> dict[str, list[Any]]:
        rows = self._rows()
        columns = {key: [row[key] for row in rows] for key in ("learner", "rate", "realised", "error", "n")}
        for end in ("low", "high"):
            columns[end] = [row["interval"][end] if row["interval"] else None for row in rows]
        return columns

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        own: dict[str, Callable[[], Any]] = {"resistance": self._draw}
        if any(finite_or_none(row.difference.value) is not None for row in self.resistance.cleaned):
            own["cleaned"] = self._draw_cleaned
        return own

    def _draw_cleaned(self) -> Any:
        from justesse.charts import cleaning_gain_chart

        return cleaning_gain_chart(self.resistance.cleaned)

    def _draw(self) -> Any:
        from justesse.charts import resistance_chart

        return resistance_chart(self.resistance.rows, self.resistance.noise)

    def document(self) -> Document:
        resistance = self.resistance
        level = level_name(resistance.level)
        return Document(
            "Learners trained on wrong labels",
            self._headline(),
            [self._errors(level), *self._cleaned(level), *self._repeated(level)],
            self.to_dict(),
            name="noise-resist",
            figures=self._key_figures(),
            cautions=self.warnings,
            assumptions=resistance.assumptions,
            how=[
                message(
                    "{n:count random split}, {share:share} of the rows to test on.",
                    n=resistance.repeats, share=resistance.test_share,
                )
            ],
            facts=[
                ("labels", self.target), ("learnt from", ", ".join(self.features)), ("noise", resistance.noise),
                *file_facts(self.source), ("justesse", __version__),
            ],
            seed=resistance.seed,
        )  # fmt: skip

    def _headline(self) -> Message:
        cleaned = self.resistance.cleaned
        return (
            paragraph(self._errors_said(), cleaned_sentence(cleaned, splits=self.resistance.repeats))
            if cleaned
            else self._errors_said()
        )

    def _errors_said(self) -> Message:
        rows = self.resistance.rows
        low, high = (pick(row.rate for row in rows) for pick in (min, max))
        if low == high:
            template = "Errors on clean test labels, {noise} at {rate:share}: {errors:list}."
            errors = [message("{name} {error:share}", name=row.learner, error=row.error) for row in rows]
            return message(template, noise=self.resistance.noise, rate=low, errors=errors)
        by = {(row.learner, row.rate): row.error for row in rows}
        errors = [
            message("{name} {first:share} → {last:share}", name=name, first=by[name, low], last=by[name, high])
            for name in dict.fromkeys(row.learner for row in rows)
        ]
        template = "Errors on clean test labels, {noise} from {low:share} to {high:share}: {errors:list}."
        return message(template, noise=self.resistance.noise, low=low, high=high, errors=errors)

    def _key_figures(self) -> list[KeyFigure]:
        high = max(row.rate for row in self.resistance.rows)
        rows = [row for row in self.resistance.rows if row.rate == high][:TILES]
        return [
            KeyFigure(
                str(message("{name}, {rate:share} wrong labels in training", name=row.learner, rate=row.realised)),
                row.error,
                "share",
                "random splits" if self.resistance.repeats > 1 else "test rows of one split",
            )
            for row in rows
        ]

    def _errors(self, level: str) -> Section:
        in_training = "In training: the share of wrong labels that the learners were trained on, mean over the splits."
        head: list[str | Column] = [
            "learner", Column("noise rate", "share"), Column("in training", "share", 2, in_training), Column("test error", "value"),
            Column(level, "interval_or_dash"), Column("splits" if self.resistance.repeats > 1 else "test rows", "count", 3),
        ]  # fmt: skip
        rows = [[row.learner, row.rate, row.realised, *[row.error] * 3] for row in self.resistance.rows]
        note = message(
            "Noise rate: asked for.{dashes}",
            dashes=_dashes([row.error for row in self.resistance.rows]),
        )
        table = Table("Error on clean test labels", head, rows, note, most=40)
        return Section("errors", "Errors", [Figure(self._draw), table], "headline")

    def _cleaned(self, level: str) -> list[Section]:
        rows = self.resistance.cleaned
        return cleaned_sections(rows, level, self._draw_cleaned) if rows else []

    def _repeated(self, level: str) -> list[Section]:
        if not self.realism:
            return []
        head: list[str | Column] = [
            "noise", "learner", Column("rate", "share"), Column("in the test", "share", 2), Column("F_n", "value"),
            Column(level, "interval_or_dash"),
        ]  # fmt: skip
        rows = [[KINDS[row.noise], row.learner, rate, row.realised, row.f_n, row.f_n]
                for rate, realism in self.realism for row in realism.rows]  # fmt: skip
        note = message(
            "F_n: share of wrong labels on unseen rows that a learner repeats. Realistic noise is repeated more often.{dashes}",
            dashes=_dashes([row.f_n for _, realism in self.realism for row in realism.rows]),
        )
        table = Table("How often learners repeat wrong labels on unseen rows (F_n)", head, rows, note, most=40)
        return [Section("realism", "Realism of the noise", [table], "summary")]


def _dashes(estimates: Sequence[Estimate]) -> Text:
    """Say why some estimates have no interval, once, so that no cell of the table is long.

    >>> str(_dashes([Estimate("f_n", 0.0, 5, undefined="no interval: all scores are equal")]))
    ' – means no interval: all scores are equal.'
    """
    reasons = dict.fromkeys(item.undefined for item in estimates if item.interval is None and item.undefined)
    return message(" – means {reasons}.", reasons="; or ".join(reasons)) if reasons else ""


def _interval_keys(estimate: Estimate) -> dict[str, Any]:
    keys = estimate.to_dict()
    return {key: keys[key] for key in ("interval", "n", "undefined")}
