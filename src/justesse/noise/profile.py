"""What a classifier did with the wrong labels: F_c, F_n and F_r, overall and per class."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative, ClassName, Estimate
from justesse.core.tally import Tally
from justesse.intervals.clopper_pearson import clopper_pearson
from justesse.intervals.wilson import wilson
from justesse.measures.confusion import ratio
from justesse.noise.counted import counted

MEANING = {
    "F_c": "right where the label is right",
    "F_n": "repeats the wrong label where the label is wrong",
    "F_r": "finds the true class where the label is wrong",
}
FEW = 20  # rows below which a share gets an exact interval


@dataclass(frozen=True)
class Profile:
    """The counts behind F_c, F_n and F_r, one number per class.

    Of `true` rows of a class, `labelled` rows and `predicted` rows, `agreed` bear the class both as truth and as label.
    Predicted as that class are: `learnt` of the agreed, `repeated` of those labelled so wrongly, `recovered` of those
    truly so but labelled otherwise.

    >>> cells = [("a", "a", "a", 6), ("a", "b", "b", 1), ("b", "a", "b", 1), ("b", "b", "b", 2)]
    >>> result = Profile.of(Tally.of(["true", "label", "prediction"], cells))
    >>> result.wrong, result.repeated.tolist(), result.recovered.tolist()
    (2.0, [0.0, 1.0], [0.0, 1.0])
    """

    classes: tuple[ClassName, ...]
    n: float
    true: Array
    labelled: Array
    predicted: Array
    agreed: Array
    learnt: Array
    repeated: Array
    recovered: Array

    @classmethod
    def of(cls, tally: Tally) -> "Profile":
        rows = counted(tally, "true", "label", "prediction")
        true, label, prediction = rows.codes.T
        counts = rows.counts.astype(float)

        def by(axis: Array, where: Array | slice = slice(None)) -> Array:
            return np.bincount(axis[where], counts[where], minlength=len(rows.classes))

        wrong = true != label
        return cls(
            rows.classes,
            float(rows.n),
            by(true),
            by(label),
            by(prediction),
            by(true, ~wrong),
            by(true, ~wrong & (prediction == true)),
            by(label, wrong & (prediction == label)),
            by(true, wrong & (prediction == true)),
        )

    @property
    def wrong(self) -> float:
        """How many labels are wrong."""
        return float(self.n - self.agreed.sum())

    @property
    def parts(self) -> dict[str, tuple[Array, Array, str]]:
        """How many of how many rows of each class, and why there may be none."""
        return {
            "F_c": (self.learnt, self.agreed, "no row of this class is labelled right"),
            "F_n": (self.repeated, self.labelled - self.agreed, "no row is wrongly labelled as this class"),
            "F_r": (self.recovered, self.true - self.agreed, "no row of this class is labelled wrong"),
        }

    @property
    def shares(self) -> dict[str, Array]:
        """F_c^k, F_n^k and F_r^k, NaN where there is nothing to divide by."""
        return {name: ratio(some, all_rows) for name, (some, all_rows, _) in self.parts.items()}


def profile(tally: Tally, *, level: float = 0.95, alternative: Alternative = "two-sided") -> list[Estimate]:
    """Compute how often a classifier is right, repeats label errors, or finds the true class behind them.

        F_c = P(right | label right)     F_c^k = P(predicted k | label right, truly k)
        F_n = P(as labelled | label wrong)   F_n^k = P(predicted k | label wrong, labelled k)
        F_r = P(right | label wrong)     F_r^k = P(predicted k | label wrong, truly k)

    Parameters
    ----------
    tally
        Counts by true × label × prediction.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.

    Notes
    -----
    Needs the true class of every row, as in experiments and re-checked sets. Wilson's intervals, each with its own n;
    Clopper and Pearson's with fewer than 20 rows, as for the few wrong labels of one class, where Wilson's cover 90 to
    91 % of the time at level 95 %. Answers outside the classes have no figures of their own. Thesis 6.3.

    Examples
    --------
    >>> cells = [("a", "a", "a", 60), ("a", "b", "b", 8), ("b", "a", "b", 12), ("b", "b", "b", 20)]
    >>> for result in profile(Tally.of(["true", "label", "prediction"], cells))[:3]:
    ...     print(result.title, result.value, result.n, result.interval)
    F_c 1.0 80 [0.9542, 1.0000]
    F_n 0.4 20 [0.2188, 0.6134]
    F_r 0.6 20 [0.3866, 0.7812]
    """
    counts = Profile.of(tally)
    overall: list[Estimate] = []
    by_class: list[Estimate] = []
    for name, (some, rows, reason) in counts.parts.items():
        successes, trials = np.append(some.sum(), some), np.append(rows.sum(), rows)
        score, exact = (
            method(successes, trials, level=level, alternative=alternative).intervals(alternative=alternative)
            for method in (wilson, clopper_pearson)
        )
        ends = [few if n < FEW else many for few, many, n in zip(exact, score, trials.tolist(), strict=True)]
        reasons = ["no label is right" if name == "F_c" else "no label is wrong", *[reason] * len(some)]
        estimates = [
            Estimate(name, value, n, interval, None if interval else why, class_name, is_share=True)
            for value, n, interval, why, class_name in zip(
                ratio(successes, trials).tolist(), trials.tolist(), ends, reasons, (None, *counts.classes), strict=True
            )
        ]
        overall.append(estimates[0])
        by_class.extend(estimate for estimate, judged in zip(estimates[1:], tally.judged, strict=True) if judged)
    return [*overall, *by_class]
