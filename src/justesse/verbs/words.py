"""Numbers in words that cannot be misread."""

import math
from collections.abc import Sequence

from justesse.core.printable import printable
from justesse.core.results import Alternative, Estimate
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence
from justesse.procedures.baselines import Baseline


def number_words(found: Estimate) -> str:
    """Show a value, or say that it is undefined.

    >>> number_words(Estimate("f1", 0.51234, 100))
    '0.5123'
    """
    return "undefined" if math.isnan(found.value) else f"{found.value:.4f}"


def interval_words(found: Estimate, alternative: Alternative = "two-sided") -> str:
    """Show an interval, one bound of it, or why there is none.

    >>> interval_words(Estimate("precision", float("nan"), 0, undefined="it is never predicted"))
    'it is never predicted'
    """
    if found.interval is None:
        return found.undefined or ""
    return {
        "two-sided": f"{found.interval.low:.4f} to {found.interval.high:.4f}",
        "greater": f"≥ {found.interval.low:.4f}",
        "less": f"≤ {found.interval.high:.4f}",
    }[alternative]


def level_words(confidence: Confidence) -> str:
    """Name the interval.

    >>> level_words(Confidence(level=0.9, alternative="greater"))
    '90 % lower bound'
    """
    kind = {"two-sided": "interval", "greater": "lower bound", "less": "upper bound"}[confidence.alternative]
    return f"{100 * confidence.level:g} % {kind}"


def percent(share: float, n: float) -> str:
    """Show a share with the digits n rows can carry.

    >>> percent(0.93333, 30), percent(0.93333, 5000)
    ('93 %', '93.3 %')
    """
    return f"{100 * share:.{0 if n < 100 else 1 if n < 100_000 else 2}f} %"


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lay rows of words out as lines, the first column to the left and the others to the right.

    >>> in_columns([("name", "n"), ("a", "10")])
    ['name   n', 'a     10']
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(wide[0]), *(cell.rjust(w) for cell, w in zip(row[1:], wide[1:], strict=True))])
        for row in rows
    ]


def headline(
    tally: Tally,
    accuracy: Estimate,
    majority: Baseline,
    confidence: Confidence,
    positive: tuple[Estimate, Estimate] | None = None,
) -> str:
    """Say what was found, what the interval is, what it is worth, and what became of the positive class.

    `positive` is that class's recall and precision.

    >>> from justesse.intervals.estimate import estimate
    >>> from justesse.measures import accuracy
    >>> from justesse.procedures.baselines import baselines
    >>> table = Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])
    >>> print(headline(table, estimate(table, [accuracy])[0], baselines(table, [accuracy])[0], Confidence()))
    The prediction is the label in 94.5 % of 4,000 rows (2 classes). 95 % interval: 93.7 % to 95.2 %, by a procedure
    that covers the true accuracy in 95 % of repetitions, if the labels are right. Always answering '-' would be right
    in 95.0 %.
    """
    n = tally.n
    weighed = f", weighted to an effective {tally.effective_n:,.0f}" if tally.weighted else ""
    first = (
        f"The prediction is the label in {percent(accuracy.value, n)} of {n:,} row{'' if n == 1 else 's'}{weighed} "
        f"({len(tally.named_classes)} class{'' if len(tally.named_classes) == 1 else 'es'})."
    )
    sentences = [first]
    if accuracy.interval:
        covers = f"by a procedure that covers the true accuracy in {100 * confidence.level:g} % of repetitions"
        ends = _ends(accuracy, confidence.alternative)
        sentences.append(f"{level_words(confidence)}: {ends}, {covers}, if the labels are right.")
    naive = majority.measures[0].value
    sentences.append(f"Always answering {majority.class_name!r} would be right in {percent(naive, n)}.")
    if positive:
        sentences += _positive(*positive, confidence.alternative)
    return " ".join(sentences)


def true_headline(
    right: Estimate,
    by_labels: Estimate,
    wrong: Estimate,
    majority: Baseline,
    confidence: Confidence,
    positive: tuple[Estimate, Estimate] | None = None,
) -> str:
    """Say how right the predictions are by the true classes, and then what the labels alone would say.

    `right` and `by_labels` are accuracies, `wrong` is the share of wrong labels.

    >>> from justesse.intervals.estimate import estimate
    >>> from justesse.measures import accuracy
    >>> from justesse.procedures.baselines import baselines
    >>> truth, labels = (Tally.from_dense(table) for table in ([[190, 10], [20, 80]], [[180, 20], [30, 70]]))
    >>> right, by_labels = (estimate(table, [accuracy])[0] for table in (truth, labels))
    >>> wrong = Estimate("noise_rate", 0.1, 300)
    >>> print(true_headline(right, by_labels, wrong, baselines(truth, [accuracy])[0], Confidence()))
    Accuracy against the true classes: 90.0 % (95 % CI 86.1 to 92.9 %, n = 300). Always answering 0 would be right in
    66.7 %. Against the labels, 10.0 % of which are wrong: 83.3 % (95 % CI 78.7 to 87.1 %).
    """
    n = right.n
    sentences = [
        f"Accuracy against the true classes: {percent(right.value, n)} ({_interval(right, confidence)}n = {n:,.0f}).",
        f"Always answering {majority.class_name!r} would be right in {percent(majority.measures[0].value, n)}.",
    ]
    if positive:
        sentences += _positive(*positive, confidence.alternative, labelled="of true class")
    ends = _interval(by_labels, confidence).removesuffix(", ")
    sentences.append(
        f"Against the labels, {percent(wrong.value, n)} of which are wrong: {percent(by_labels.value, n)}"
        + (f" ({ends})." if ends else ".")
    )
    return " ".join(sentences)


def _interval(found: Estimate, confidence: Confidence) -> str:
    """Show an interval in percent, ready for what follows it."""
    if found.interval is None:
        return ""
    low, high = percent(found.interval.low, found.n), percent(found.interval.high, found.n)
    ends = {"two-sided": f"{low.removesuffix(' %')} to {high}", "greater": f"at least {low}", "less": f"at most {high}"}
    return f"{100 * confidence.level:g} % CI {ends[confidence.alternative]}, "


def _ends(found: Estimate, alternative: Alternative) -> str:
    assert found.interval is not None
    low, high = percent(found.interval.low, found.n), percent(found.interval.high, found.n)
    return {"two-sided": f"{low} to {high}", "greater": low, "less": high}[alternative]


def _positive(recall: Estimate, precision: Estimate, alternative: Alternative, labelled: str = "labelled") -> list[str]:
    """Say what became of the rows of a class, and of those called by its name."""
    name = repr(recall.class_name)
    said = []
    for found, rows, done in ((recall, labelled, "are found"), (precision, "called", "are")):
        if math.isnan(found.value) or found.interval is None:
            said.append(f"No row is {rows} {name}.")
        else:
            share = f"{percent(found.value, found.n)} ({_ends(found, alternative)})"
            said.append(f"Of {found.n:,.0f} rows {rows} {name}, {share} {done}.")
    return said
