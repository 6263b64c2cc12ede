"""(b) Label errors are independent of the classifier's errors: the accuracy of Lam and Stork."""

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, Interval
from justesse.core.shares import percent_words
from justesse.core.tally import Tally
from justesse.intervals.wilson import wilson
from justesse.measures import Confusion, accuracy
from justesse.noise.counted import counted
from justesse.noise.possible import possible
from justesse.noise.rate_range import Rate, rate_range, rate_words
from justesse.noise.rung import INDEPENDENT, Rung

FLAT = 1e-6  # the slope of apparent against true accuracy under which they say nothing of each other
FLIPPED = "At this noise rate labels are worse than random guesses: a higher measured accuracy means a lower true one."


def lam_stork(
    tally: Tally, rate: Rate, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Rung[Estimate]:
    """Correct accuracy for labels that are wrong at a known rate, independently of the classifier's errors.

        two classes:  P(S) = q + η·(1 - 2q)
        K classes:    P(S) = q·(1-η) + (1-q)·η/(K-1)

    Parameters
    ----------
    tally
        Counts by label × prediction.
    rate
        The noise rate η, or a range (low, high).
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.

    Notes
    -----
    The formulas are solved for q. The ends of Wilson's interval are transformed in the same way. A range of rates
    gives the interval that contains those of all rates in it, and the value at its middle. If annotators and
    classifier find the same rows hard, as they usually do, the result can be far off. Lam and Stork (2003); thesis
    6.2.

    Examples
    --------
    >>> result = lam_stork(Tally.from_dense([[430, 70], [70, 430]]), 0.05).figures[0]
    >>> round(result.value, 4), str(result.interval)
    (0.9, '[0.8746, 0.9224]')
    """
    rows = counted(tally, "label", "prediction")
    classes = int(rows.judged.sum())
    if classes < 2:
        raise OptionError(f"Wrong labels need at least two classes; got {list(rows.classes)!r}.")
    low, high = rate_range(rate)
    slopes = [1 - end * classes / (classes - 1) for end in (low, high)]
    if slopes[1] <= FLAT and slopes[0] >= -FLAT:
        useless = percent_words(1 - 1 / classes)
        raise OptionError(
            f"At a noise rate of {useless}, labels of {classes} classes carry no information about the accuracy. Give "
            f"a rate below {useless}; got {rate_words(low, high)}."
        )
    at = "known" if low == high else f"between {low:g} and {high:g} (the value is given at the middle)"
    assumptions = (
        "the rows are independent draws",
        f"the noise rate is {at}",
        "a label is wrong as often where the classifier is right as where it is wrong",
        *(("errors of annotators and classifier are spread evenly over the other classes",) if classes > 2 else ()),
    )
    table, n = Confusion.of(rows), rows.n
    right = float(table.hits.sum())
    outside = float(table.predicted[~rows.judged].sum()) / n if n else 0.0
    if not n:
        estimate, warning = Estimate.of(accuracy, float("nan"), 0, undefined="there are no rows"), None
    else:
        ends = wilson(right, n, level=level, alternative=_turned(alternative) if slopes[0] < 0 else alternative)
        moved = [true_accuracy(float(end), r, classes, outside) for end in (ends.low, ends.high) for r in (low, high)]
        interval = Interval(
            min(moved) if alternative != "less" else 0.0,
            max(moved) if alternative != "greater" else 1.0,
            level,
            "lam-stork",
            (0.0, 1.0),
            alternative,
        )
        value = true_accuracy(right / n, (low + high) / 2, classes, outside)
        estimate, warning = possible(Estimate.of(accuracy, value, n, interval))
    return Rung(
        INDEPENDENT,
        (estimate,),
        assumptions,
        "annotators and classifier find the same rows hard, or the classifier learned the annotators' errors",
        (*((FLIPPED,) if slopes[0] < 0 else ()), *((warning,) if warning else ())),
    )


def true_accuracy(apparent: float, rate: float, classes: int, outside: float = 0.0) -> float:
    """Solve P(S) = q·(1-η) + (1-q-o)·η/(K-1) for q; o is the share of answers outside the classes, never right.

    >>> round(true_accuracy(0.86, 0.05, 2), 4), round(true_accuracy(0.5096, 0.2, 4), 4)
    (0.9, 0.604)
    """
    return (apparent - (1 - outside) * rate / (classes - 1)) / (1 - rate * classes / (classes - 1))


def _turned(alternative: Alternative) -> Alternative:
    turned: dict[Alternative, Alternative] = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
    return turned[alternative]
