"""Lowest and highest true value of a measure, for each share of wrong labels."""

from collections.abc import Iterator

from justesse.core.results import ClassName, Estimate
from justesse.core.tally import Tally
from justesse.measures import Measure, accuracy
from justesse.noise.bounds import bounds_from_rate
from justesse.noise.breakdown import Breakdown
from justesse.noise.claim import BY_CLASS, OVERALL, Claim
from justesse.noise.rate_range import row_rates, whole_rows
from justesse.noise.relabelling import accuracy_range

FINE, COARSE = 200, 40  # points of a band: in closed form, and where each takes a search
SHORTEST = 0.05
Band = tuple[tuple[float, float, float], ...]


def value_band(tally: Tally, measure: Measure, class_name: ClassName = None, *, reach: float = SHORTEST) -> Band:
    """Return (share of wrong labels, lowest, highest true value) for shares of whole rows from 0 to `reach`.

    Parameters
    ----------
    tally
        Counts by label × prediction, of at least two classes.
    measure
        The measure.
    class_name
        The class, of a measure that is about one class.
    reach
        Largest share of wrong labels.

    >>> value_band(Tally.from_dense([[45, 5], [10, 40]]), accuracy, reach=0.1)[-1]
    (0.1, 0.75, 0.95)
    """
    return tuple(_points(tally, measure, class_name, reach))


def _points(
    tally: Tally, measure: Measure, class_name: ClassName, reach: float
) -> Iterator[tuple[float, float, float]]:
    right = float(accuracy(tally))
    for rate in row_rates(reach, tally.n, FINE if measure is accuracy else COARSE):
        if measure is accuracy:  # in closed form: it is drawn for every evaluation
            most = whole_rows(0.0, rate, tally.n)[1] / tally.n
            low, high = accuracy_range(right, 0.0, most, len(tally.classes))
        else:
            every = bounds_from_rate(tally, [measure], rate).figures
            bounds = next(bounds for bounds in every if bounds.class_name == class_name)
            low, high = bounds.low, bounds.high
        yield rate, float(low), float(high)


def claimed_measure(claim: Claim, tally: Tally) -> tuple[Measure, ClassName]:
    """Return the measure that a claim is about, and its class.

    >>> measure, class_name = claimed_measure(Claim.parse("recall:1>0.5"), Tally.from_dense([[45, 5], [10, 40]]))
    >>> measure.name, class_name
    ('recall', 1)
    """
    if claim.measure in BY_CLASS:
        return BY_CLASS[claim.measure], tally.classes[claim.position(tally)]
    return OVERALL[claim.measure], None


def claimed_estimate(claim: Claim, tally: Tally) -> Estimate:
    """Compute the measure that a claim is about, against the labels.

    >>> claimed_estimate(Claim.parse("recall:1>0.5"), Tally.from_dense([[45, 5], [10, 40]])).value
    0.8
    """
    measure, class_name = claimed_measure(claim, tally)
    values = measure(tally)
    value = float(values if class_name is None else values[claim.position(tally)])
    return Estimate(measure.name, value, tally.n, class_name=class_name, average=measure.average)


def claim_band(tally: Tally, broken: Breakdown, rate: tuple[float, float] | None = None) -> Band:
    """Return the band of a claim's measure, up to past where the claim breaks and past a known rate.

    >>> from justesse.noise.breakdown import breakdown
    >>> table = Tally.from_dense([[45, 5], [10, 40]])
    >>> claim_band(table, breakdown(table))[-1][0]
    0.44
    """
    if len(tally.classes) < 2:
        return ()
    reach = min(1.0, max(SHORTEST, 1.25 * (broken.rate or 0.0), 1.5 * (rate[1] if rate else 0.0)))
    return value_band(tally, *claimed_measure(broken.claim, tally), reach=reach)
