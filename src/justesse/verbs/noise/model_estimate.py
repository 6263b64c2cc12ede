"""How many labels are wrong by a model alone, and how far that is from what people find."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from justesse.cleaning import filter_named
from justesse.cleaning.confident_rate import confident_rates
from justesse.cleaning.evidence import LabelEvidence
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ClassError, OptionError
from justesse.core.levels import shown_name
from justesse.core.recording import remembering
from justesse.core.results import Alternative, ClassName, Estimate, Interval, level_name
from justesse.core.tally import Tally
from justesse.report.document import Column, Figure, KeyFigure, Section, Table
from justesse.report.writing import message
from justesse.verbs.clean.read import cleaning_rows
from justesse.verbs.noise.estimate_result import NoiseEstimate

ONLY_AS_GOOD = "A rate from the model alone is only as good as its calibration."
UNCHECKED = (
    "A rate from the model alone is only as good as its calibration. Check a random sample of rows (--audited) to see how far "
    "it is off."
)
METHOD = "mover, model and people"


@dataclass(frozen=True, repr=False)
class ModelNoiseEstimate(NoiseEstimate):
    """The share of wrong labels by confident learning, that of the re-checked rows, and the difference of the two."""

    checked: Estimate | None = None
    bias: Estimate | None = None

    def write_transition(self, path: str | os.PathLike[str]) -> Path:
        """Refuse: other commands would take the model's guesses for what people found."""
        raise OptionError(
            "A transition table from the model alone is not written. Estimate it from re-checked rows: leave out source "
            "(--from)."
        )

    def key_figures(self) -> list[KeyFigure]:
        figures = [KeyFigure("Wrong labels by the model", self.figures[0], "share")]
        if self.checked is not None and self.bias is not None:
            figures += [
                KeyFigure("Wrong labels by people", self.checked, "share"),
                KeyFigure("Bias of the model", self.bias, "points"),
            ]
        return figures

    def sections(self) -> list[Section]:
        whole, *classes = self.figures
        head: list[str | Column] = [
            "label", Column("wrong labels, by the model", "share"), Column(self.level, "share_interval"), Column("n", "count"),
        ]  # fmt: skip
        rows = [["all", *[whole] * 3], *([shown_name(rate.class_name), *[rate] * 3] for rate in classes)]
        note = "The intervals are about the draw of the rows. They do not allow for a model that is wrong."
        table = Table("Share of wrong labels by confident learning", head, rows, note)
        sections = [Section("rates", "Share of wrong labels by the model", [Figure(self._draw), table], "headline")]
        if self.checked is not None and self.bias is not None:
            columns: list[str | Column] = [
                "",
                Column("share", "share"),
                Column(self.level, "share_interval"),
                Column("n", "count"),
            ]
            both = [["by the model", *[whole] * 3], ["by people", *[self.checked] * 3]]
            template = "Bias of the model: {bias:points} ({bias:level_name} {bias:points_interval}). Positive: it expects too many wrong labels."
            bias = Table("The model against people", columns, both, message(template, bias=self.bias))
            sections.append(Section("bias", "The model against people", [bias], "headline"))
        return sections

    def _draw(self) -> Any:
        from justesse import charts

        return charts.class_rate_chart(self.figures, "Share of wrong labels by the model, by label", "wrong labels")


def model_estimate(
    data: Any,
    *,
    label: str | None,
    proba: str | None,
    checked: tuple[Tally | None, Estimate] | None,
    warnings: Sequence[str],
    level: float,
    alternative: Alternative,
) -> ModelNoiseEstimate:
    """Estimate the share of wrong labels from probabilities, and its bias if people checked rows.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays.
    label
        Column with the labels.
    proba
        Start of the names of the columns with out-of-sample probabilities.
    checked
        Counts of all rows (`None` if all were checked) and the share of wrong labels that people found; `None` if
        nobody checked.
    warnings
        What may be misread about the re-checked rows.
    level
        Confidence level.
    alternative
        `two-sided`, `greater` or `less`.
    """
    if proba is None:
        raise OptionError(
            "source=clean (--from clean) needs probabilities. Name their columns with proba=… (--proba p_)."
        )
    rows = read_probabilities(data, label, proba)
    labelled = np.unique(rows.evidence.labels)
    if len(labelled) < 2:
        raise ClassError(
            f"Every row has the label {rows.evidence.classes[labelled[0]]!r}. Confident learning compares the labels of several "
            "classes. Use rows of several classes."
        )
    rates = confident_rates(rows.evidence, level=level, alternative=alternative)
    share = None if checked is None else checked[1]
    bias = None if share is None else bias_of_model(rates[0], share)
    template = "By confident learning {rate:share} of the labels are wrong ({rate:level_name} {rate:share_interval}, n = {rate:count})."
    if bias is not None:
        template += (
            " People found {share:share} ({share:level_name} {share:share_interval}, n = {share:count}): the model is off by "
            "{bias:points} ({bias:level_name} {bias:points_interval})."
        )
    cautions = [ONLY_AS_GOOD if bias is not None else UNCHECKED]
    if bias is not None and bias.interval is not None and not bias.interval.low <= 0 <= bias.interval.high:
        cautions.append("The model's rate and that of the re-checked rows differ: rely on the re-checked rows.")
    assumptions = ["the probabilities come from a model that was not trained on these rows, and are calibrated"]
    if checked is not None:
        assumptions.append("the true classes are right")
        assumptions += ["the re-checked rows are a random sample of all rows"] if checked[0] else []
    return ModelNoiseEstimate(
        rows.evidence.n,
        str(message(template, rate=rates[0], share=share, bias=bias)),
        tuple(rates),
        tuple(assumptions),
        (*cautions, *rows.warnings, *warnings),
        details={
            "source": "clean",
            "checked": None if share is None else share.to_dict(),
            "bias": None if bias is None else bias.to_dict(),
            "classes": list(rows.evidence.classes),
        },
        source=data,
        level=level_name(level, alternative),
        checked=share,
        bias=bias,
    )


@dataclass(frozen=True)
class LabelProbabilities:
    """The code of every label, the probability of every class, and what was noticed while reading."""

    labels: Array
    classes: tuple[ClassName, ...]
    probabilities: FloatArray
    warnings: tuple[str, ...]

    @property
    def evidence(self) -> LabelEvidence:
        return LabelEvidence(self.labels, self.classes, probabilities=self.probabilities)


@remembering
def read_probabilities(data: Any, label: str | None, proba: str) -> LabelProbabilities:
    """Read labels and probabilities.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays.
    label
        Column of the labels. Default: one with a usual name.
    proba
        How the names of the columns of probabilities begin.
    """
    rows = cleaning_rows(
        data, filter_named("confident-learning"), label=label, proba=proba, id=None, true=None, features=None,
        history=None, answers=None, model=None, k=5, seed=0, jobs=None, progress=None,
    )  # fmt: skip
    noticed = (*map(str, rows.warnings), *([str(rows.rounded.words)] if rows.rounded else []))
    own = rows.evidence
    assert own.probabilities is not None
    return LabelProbabilities(own.labels, tuple(own.classes), own.probabilities, noticed)


def bias_of_model(model: Estimate, people: Estimate) -> Estimate:
    """Return the model's rate less that of people; the interval combines both (MOVER).

        L = d - sqrt((m - m_low)² + (p_high - p)²),    U = d + sqrt((m_high - m)² + (p - p_low)²)

    Zou and Donner (2008). It takes the two for independent: rows that both rest on make it a little too wide or narrow.
    """
    value = model.value - people.value
    if model.interval is None or people.interval is None:
        return Estimate("bias", value, people.n, undefined="one of the two shares has no interval")
    mine, theirs = model.interval, people.interval
    low = value - float(np.hypot(model.value - mine.low, theirs.high - people.value))
    high = value + float(np.hypot(mine.high - model.value, people.value - theirs.low))
    ends = max(low, -1.0), min(high, 1.0)
    return Estimate("bias", value, people.n, Interval(*ends, mine.level, METHOD, (-1.0, 1.0), mine.alternative))
