"""How good a filter is where the true classes are known: detection, false-detection and correction rate."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import ClassName, Estimate, check_level
from justesse.intervals.wilson import wilson

NAMES = {
    "detection_rate": ("detection rate", "no label is wrong"),
    "false_detection_rate": ("false-detection rate", "no label is right"),
    "correction_rate": ("correction rate", "no flagged row has a suggested class"),
}


@dataclass(frozen=True)
class FilterQuality:
    """The parameters of NETT(s, e, c), overall (no class) and for each true class."""

    detection: tuple[Estimate, ...]
    false_detection: tuple[Estimate, ...]
    correction: tuple[Estimate, ...]

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        return (*self.detection, *self.false_detection, *self.correction)

    @property
    def wrong_and_flagged(self) -> int:
        """Number of flagged rows whose label is wrong."""
        overall = self.detection[0]
        return round(overall.value * overall.n) if overall.n else 0


def filter_quality(
    labels: Array,
    true: Array,
    flagged: Array,
    suggested: Array,
    classes: tuple[ClassName, ...],
    *,
    level: float = 0.95,
) -> FilterQuality:
    """Compare what a filter flagged and suggested with the true classes.

        s = P(flagged | label wrong),   e = P(flagged | label right),   c = P(suggestion is true | flagged, suggested)

    with Wilson's intervals; rows are taken as a sample of more rows like them. s and e of a class are about rows of
    that true class: a rare class with a high e loses right rows. Benjelloun (2021), 6.5.4; thesis 3.4.2.

    Parameters
    ----------
    labels, true
        Code of each row's label and true class.
    flagged
        Whether the filter flagged the row.
    suggested
        Code of the class that the filter suggests, -1 for none.
    classes
        Names behind the codes.
    level
        Confidence level.

    >>> quality = filter_quality(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), np.array([False, True, True, False]),
    ...                          np.array([0, 1, 0, 1]), ("a", "b"))
    >>> [round(estimates[0].value, 2) for estimates in (quality.detection, quality.false_detection, quality.correction)]
    [1.0, 0.33, 0.5]
    """
    check_level(level)
    wrong = labels != true

    def rates(name: str, hits: Array, among: Array) -> tuple[Estimate, ...]:
        number = len(classes)
        k, n = (np.bincount(true[rows], minlength=number) for rows in (hits & among, among))
        successes, trials = np.concatenate([[k.sum()], k]), np.concatenate([[n.sum()], n])
        words, undefined = NAMES[name]
        ends = wilson(successes, trials, level=level).intervals()
        names: list[ClassName] = [None, *classes]
        return tuple(
            Estimate(
                name, float(hit / total) if total else np.nan, int(total), interval if total else None,
                None if total else undefined, class_name, words=words, is_share=True,
            )
            for hit, total, interval, class_name in zip(successes, trials, ends, names, strict=True)
        )  # fmt: skip

    return FilterQuality(
        rates("detection_rate", flagged, wrong),
        rates("false_detection_rate", flagged, ~wrong),
        rates("correction_rate", suggested == true, flagged & (suggested >= 0)),
    )
