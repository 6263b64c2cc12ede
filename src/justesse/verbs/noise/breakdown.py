"""`justesse.noise_breakdown`: how many wrong labels it takes to make a claim false."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from justesse.core.choices import Missing, MissingLabels, Others
from justesse.core.results import ClassName, Estimate
from justesse.noise.breakdown import Breakdown, breakdown
from justesse.noise.claim import Claim
from justesse.noise.survives import survived
from justesse.noise.value_band import Band, claim_band, claimed_estimate
from justesse.report.document import Column, Figure, Part, Section, Table
from justesse.verbs.noise.claim_words import claim_words
from justesse.verbs.noise.counted_rows import counted_rows
from justesse.verbs.noise.noise_result import NoiseResult
from justesse.verbs.options.answers import MissingOptions
from justesse.verbs.recorded import recorded

LOOSE = "* The claim survives at least this many; it may survive more."


@dataclass(frozen=True, repr=False)
class NoiseBreakdown(NoiseResult):
    """How many wrong labels each claim survives."""

    part: ClassVar[str] = "breakdown"
    title: ClassVar[str] = "Wrong labels that claims survive"
    bands: tuple[tuple[Band, Estimate], ...] = ()

    @property
    def claims_hold(self) -> bool:
        """Whether every claim is true with the labels as they are."""
        return all(broken.claim_holds for broken in self.figures)

    def sections(self) -> list[Section]:
        rows = [[str(broken.claim), _survived(broken), measured, _holds(broken)]
                for broken, (_, measured) in zip(self.figures, self.bands, strict=True)]  # fmt: skip
        head: list[str | Column] = ["claim", "wrong labels survived", Column("measured", "value"), "with these labels"]
        note = LOOSE if any(not broken.sharp and broken.count for broken in self.figures) else ""
        drawn: list[Part] = [Figure(draw) for draw in self.drawings().values()]
        return [Section("claims", "Claims", [Table("Claims", head, rows, note), *drawn], "headline")]

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        return {
            f"claim_{at}": partial(_draw, broken, band, measured)
            for at, (broken, (band, measured)) in enumerate(zip(self.figures, self.bands, strict=True), 1)
            if band
        }


def _holds(broken: Breakdown) -> str:
    return "true" if broken.claim_holds else "false"


def _survived(broken: Breakdown) -> str:
    if not broken.claim_holds:
        return "–"
    if broken.count is None:
        return "any number"
    return f"{survived(broken.count, broken.n)}{'' if broken.sharp else '*'}"


def _draw(broken: Breakdown, band: Band, measured: Estimate) -> Any:
    from justesse import charts

    breaks_at = None if broken.count is None else (broken.count, broken.n)
    claim = (str(broken.claim), float(broken.claim.threshold))
    return charts.noise_band_chart(band, measured, claim=claim, breaks_at=breaks_at)


@recorded
def noise_breakdown(
    data: Any = None,
    *,
    label: Any = None,
    prediction: Any = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    claim: str | Sequence[str] | None = None,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = MissingOptions.others,
    drop_missing: bool = False,
    **options: Any,
) -> NoiseBreakdown:
    """Compute how many wrong labels it takes to make a claim false, whichever labels they are.

    Parameters
    ----------
    data
        Path, data frame, dict of arrays or `Tally` with labels and predictions.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    claim
        Claim, or a list of claims, such as "accuracy>=0.9" or "recall:spam>0.8". Default: accuracy is above the share
        of the most frequent label.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with
        `missing="drop"`.
    others
        Predictions that no label has: wrong answers, classes of their own as in scikit-learn, or missing answers.
        Default: wrong.
    drop_missing
        Old name of `missing="drop"`.
    **options
        Other options of `justesse.count`, such as `any_of`.

    Examples
    --------
    >>> from justesse import Tally
    >>> table = Tally.from_dense([[45, 5], [10, 40]], ["a", "b"])
    >>> noise_breakdown(table, claim="accuracy>=0.8").rows[0]["rate"]
    0.06
    """
    tally = counted_rows(
        data, ("label", "prediction"),
        {
            "label": label, "prediction": prediction, "classes": classes, "as_text": as_text, "missing": missing,
            "missing_labels": missing_labels, "others": others, "drop_missing": drop_missing, **options,
        },
    )  # fmt: skip
    claims = [claim] if isinstance(claim, str) else list(claim or [])
    figures = tuple(breakdown(tally, Claim.parse(text)) for text in claims) or (breakdown(tally),)
    answer = " ".join(str(claim_words(broken, default=not claims)) for broken in figures)
    rung = figures[0].rung
    bands = [(claim_band(tally, broken), claimed_estimate(broken.claim, tally)) for broken in figures]
    return NoiseBreakdown(
        tally.n, answer, figures, rung.assumptions, rung.warnings, source=data, bands=tuple(bands)
    )  # fmt: skip
