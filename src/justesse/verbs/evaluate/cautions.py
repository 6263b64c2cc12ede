"""What a reader of an evaluation must know before believing it, each with what to do."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.answer_policy import Gaps
from justesse.core.errors import OptionError
from justesse.core.first_names import first_names
from justesse.core.results import ClassName, Estimate
from justesse.core.tally import Tally
from justesse.frames.count import Counted
from justesse.frames.values import LOOKS_MISSING
from justesse.intervals.estimate import Confidence
from justesse.measures import CLASS_HEADLINE, Confusion
from justesse.measures import accuracy as accuracy_measure
from justesse.procedures.baselines import Baseline
from justesse.report.writing import listed, message
from justesse.significance.majority_gap import accuracy_gap
from justesse.verbs.any_of import any_of_words
from justesse.verbs.clusters import cluster_cautions, precision_words
from justesse.verbs.unanswered import missing_words, others_words
from justesse.verbs.weak_spots import against_majority, interval_gap_words, poor_recalls, slices_apart

if TYPE_CHECKING:
    from justesse.intervals.cluster_summary import ClusterSummary
    from justesse.verbs.evaluate.evaluation import Slice, Truth

Named = dict[tuple[str, str | None, ClassName], Estimate]
FEW = 10
SMALL = 30
MANY_NUMBERS = 100  # different labels from which whole numbers may be amounts
SURE = 100


def cautions(
    rows: Counted,
    tally: Tally,
    estimates: Sequence[Estimate],
    naive: Sequence[Baseline],
    slices: "Sequence[Slice]",
    truth: "Truth | None",
    confidence: Confidence,
    half_width: float | None,
    clusters: "ClusterSummary | None" = None,
) -> Iterator[str]:
    """List the warnings, the most serious first.

    Parameters
    ----------
    rows
        What was read: counts, columns and gaps.
    tally
        Counts of label × prediction.
    estimates
        All measures of all rows.
    naive
        Baselines, the most frequent label first.
    slices
        Evaluations of single slices.
    truth
        Measures against the true classes, if they are known.
    confidence
        Level and methods of the intervals.
    half_width
        Precision that the user needs, if it was named.
    clusters
        Summary of the clusters, if rows come in clusters.
    """
    by_name: Named = {(item.name, item.average, item.class_name): item for item in estimates}
    accuracy = by_name[accuracy_measure.name, None, None]
    unequal = tally.weighted or clusters is not None  # then tests that take rows as alike and independent do not hold
    yield from missing_words(rows.gaps)
    yield from any_of_words(rows.gaps, tally.named_classes)
    if truth and truth.noise.value > 0:
        yield _message(
            "{noise:rough_share} of the labels differ from the true class in column {column:name}: the accuracy is "
            "{right:value}, not the {accuracy:value} that the labels suggest.",
            noise=truth.noise,
            column=rows.roles.true,
            right=truth.estimate(accuracy.name),
            accuracy=accuracy,
        )
    yield from _classes(tally, rows.gaps)
    if clusters:
        yield from cluster_cautions(clusters)
    if unequal or rows.gaps.several.get("label"):
        yield from _against_majority(accuracy, naive[0])
    else:
        yield from against_majority(tally, confidence.level)
    if not unequal:
        yield from poor_recalls(tally, confidence.level)
        yield from slices_apart(slices, tally, confidence.level)
    if tally.n < SMALL:
        yield _message(
            "Only {n:count row}: intervals are wide, and bootstrap intervals unreliable. Collect more (justesse plan "
            "precision says how many).",
            n=tally.n,
        )
    if confidence.method == "wald":
        yield from _wald(tally)
    if clusters:
        yield from precision_words(accuracy, clusters, half_width)
    else:
        yield from _precision_asked(accuracy, confidence, half_width, tally)
    yield from _averages(by_name, tally)
    resampled = confidence.resampling(tally)
    if tally.weighted:
        yield _message(
            "Rows are weighted: the effective n is {effective:effective_n} of {n:count}, less for shares where weights go "
            "with the class or with errors. Measures that are not proportions have delta-method intervals.",
            effective=tally.effective_n,
            n=tally.n,
        )
    elif not confidence.can_resample and confidence.bootstrap is None and not clusters:
        yield _message(
            "A confidence level of {level:name} is too high to resample: measures that are not proportions have "
            "delta-method intervals.",
            level=confidence.level,
        )
    elif resampled == "none" and confidence.bootstrap is None and not clusters:
        yield _message(
            "The table has {cells:count} cells: measures that are not proportions have delta-method intervals instead of "
            "{draws:count} resamples. You can ask for resampling (--bootstrap percentile).",
            cells=len(tally.codes),
            draws=confidence.draws,
        )
    if not unequal and resampled != "none" and confidence.enough_draws > confidence.draws:
        yield _message(
            "{draws:count} draws are too few for a confidence level of {level:number}: {enough:count} were used.",
            draws=confidence.draws,
            level=confidence.level,
            enough=confidence.enough_draws,
        )
    if resampled != "smoothed" and not clusters:
        yield from _spotless(tally)
    still = [item for item in estimates if item.undefined and not math.isnan(item.value)]
    if still:
        from justesse.measures.titles import title_of

        yield _message(
            "No interval for {measures}: every row used there is right, or every one is wrong, so Wald's method shows no "
            "variation. Use --method wilson."
            if confidence.method == "wald"
            else "No interval for {measures}: every row used there is right, or every one is wrong, so the bootstrap shows "
            "no variation. See the intervals of accuracy, precision and recall.",
            measures=first_names(still, 3, write=title_of),
        )
    yield from _slices(slices, accuracy)


def cautions_of_shares(
    rows: Counted,
    tally: Tally,
    estimates: Sequence[Estimate],
    slices: "Sequence[Slice]",
    confidence: Confidence,
    half_width: float | None,
    clusters: "ClusterSummary | None" = None,
) -> Iterator[str]:
    """List the warnings about rows that are just right or wrong, without classes.

    Parameters
    ----------
    rows
        What was read: counts, columns and gaps.
    tally
        Counts of label × prediction.
    estimates
        All measures of all rows.
    slices
        Evaluations of single slices.
    confidence
        Level and methods of the intervals.
    half_width
        Precision that the user needs, if it was named.
    clusters
        How many clusters there are and how alike their rows are, if rows come in clusters.
    """
    accuracy = next(item for item in estimates if item.name == accuracy_measure.name)
    yield from missing_words(rows.gaps)
    if not tally.weighted:
        yield from slices_apart(slices, tally, confidence.level)
    if clusters:
        yield from cluster_cautions(clusters)
    if tally.n < SMALL:
        yield _message(
            "Only {n:count row}: intervals are wide. Collect more (justesse plan precision says how many).", n=tally.n
        )
    yield from _precision_asked(accuracy, confidence, half_width, tally)
    yield from _slices(slices, accuracy)


def _classes(tally: Tally, gaps: Gaps) -> Iterator[str]:
    labelled, predicted = tally.sums("label", tally.counts), tally.sums("prediction", tally.counts)
    names = tally.classes
    outside = (labelled == 0) & (predicted > 0)
    only_predicted = [names[k] for k in np.flatnonzero(outside) if names[k] is not None]
    declared = [names[k] for k in np.flatnonzero(outside & tally.judged)] if gaps.policy.others != "class" else []
    only_labelled = [names[k] for k in np.flatnonzero((labelled > 0) & (predicted == 0))]
    absent = [names[k] for k in np.flatnonzero((labelled == 0) & (predicted == 0))]
    numbers = [names[k] for k in np.flatnonzero(labelled > 0) if type(names[k]) is int]
    if len(numbers) >= MANY_NUMBERS and tally.n < FEW * len(numbers):
        yield _message(
            "The labels are {values:count} different whole numbers in {n:count} rows, and only exact matches "
            "count as right. If they are quantities, evaluate them as numbers (--regression, justesse.evaluate_regression).",
            values=len(numbers),
            n=tally.n,
        )
    if not np.any((labelled > 0) & (predicted > 0)):
        yield _message(
            "Labels and predictions have no class in common (labels such as {labels}, predictions such as {predictions}): "
            "check that both are spelled alike.",
            labels=first_names(only_labelled, 2),
            predictions=first_names(only_predicted, 2),
        )
    if np.count_nonzero(labelled) == 1:
        yield _message(
            "All labels are {name:name}: several measures are undefined. Test on rows of every class.",
            name=names[int(labelled.argmax())],
        )
    if only_labelled:
        yield _message(
            "Never predicted: {names:names}. Precision is undefined there and recall is 0.", names=only_labelled
        )
    yield from others_words(gaps)
    if declared:
        yield _message(
            "Predicted but never among the labels: {names:names}. Recall is undefined there and precision is 0.",
            names=declared,
        )
    if absent:
        yield _message("Listed classes without any row: {names:names}. Their measures are undefined.", names=absent)
    few = [names[k] for k in np.flatnonzero((labelled > 0) & (labelled < FEW))]
    if few:
        yield _message(
            "Fewer than {few:count} rows are labelled {names:names}: measures of {classes:plural this class|these classes} "
            "are unreliable. Collect more.",
            few=FEW,
            names=few,
            classes=len(few),
        )
    signs = {"-", "+"} <= set(names)  # then a minus is a class like another
    odd = [n for n in names if isinstance(n, str) and n.strip().lower() in LOOKS_MISSING and not (signs and n == "-")]
    if odd:
        yield _message(
            "There is a class named {names:names}. If it stands for a missing value, leave those cells empty and count them "
            "as wrong (--missing wrong).",
            names=odd,
        )
    padded = [name for name in names if isinstance(name, str) and name != name.strip()]
    if padded:
        yield _message(
            "Class names with spaces around them: {names:names}. They count as separate classes.", names=padded
        )
    yield from _same_but_for_case(names)


def _same_but_for_case(names: Sequence[ClassName]) -> Iterator[str]:
    """Name the classes that differ only in upper and lower case."""
    alike: dict[str, list[str]] = {}
    for name in names:
        if isinstance(name, str):
            alike.setdefault(name.casefold(), []).append(name)
    pairs = [" and ".join(map(repr, group)) for group in alike.values() if len(group) > 1]
    if pairs:
        yield _message(
            "Class names that differ only in case: {pairs}. They count as separate classes: write them alike if they are "
            "the same.",
            pairs=first_names(pairs, write=str),
        )


def _wald(tally: Tally) -> Iterator[str]:
    """Warn of Wald intervals where right or wrong rows are few."""
    table = Confusion.of(tally)
    few = np.flatnonzero((table.labelled > 0) & (np.minimum(table.hits, table.labelled - table.hits) < FEW))
    if min(float(table.hits.sum()), float(table.n - table.hits.sum())) < FEW:
        yield _message(
            "Wald intervals are far too narrow with fewer than {few:count} right or wrong rows, as for the accuracy here: "
            "use Wilson's (--method wilson).",
            few=FEW,
        )
    elif len(few):
        yield _message(
            "Wald intervals are far too narrow with fewer than {few:count} right or wrong rows, as for {names:names}: use "
            "Wilson's (--method wilson).",
            few=FEW,
            names=[tally.classes[k] for k in few],
        )


def _spotless(tally: Tally) -> Iterator[str]:
    """Name the classes that resampling takes as certain because their few rows happen to be all right or all wrong."""
    table = Confusion.of(tally)
    rows = tally.sums("label", tally.counts)
    few = (rows > 0) & (rows < SURE)
    if len(tally.classes) < 2 or np.array_equal(table.hits, table.labelled):
        return
    right, wrong = (
        [tally.classes[k] for k in np.flatnonzero(few & same)]
        for same in (table.hits == table.labelled, table.hits == 0)
    )
    template = {
        (True, False): "Every row of {n_right:plural class|classes} {right:names} is right{so}",
        (False, True): "Every row of {n_wrong:plural class|classes} {wrong:names} is wrong{so}",
        (True, True): "Every row of {n_right:plural class|classes} {right:names} is right and every row of "
        "{n_wrong:plural class|classes} {wrong:names} is wrong{so}",
    }.get((bool(right), bool(wrong)))
    if template:
        yield _message(
            template,
            n_right=len(right),
            right=right,
            n_wrong=len(wrong),
            wrong=wrong,
            so=", so intervals of F1, MCC, kappa and averages are somewhat too narrow. Recall intervals are not affected.",
        )


def _against_majority(accuracy: Estimate, majority: Baseline) -> Iterator[str]:
    low = accuracy.interval.low if accuracy.interval else math.inf
    yield from interval_gap_words(accuracy_gap(majority.class_name, accuracy.value, majority.measures[0].value, low))


def _precision_asked(
    accuracy: Estimate, confidence: Confidence, half_width: float | None, tally: Tally
) -> Iterator[str]:
    if half_width is None or accuracy.interval is None or accuracy.interval.half_width <= half_width:
        return
    from justesse.intervals.planning.precision import precision_n

    method = "wilson" if confidence.method == "delta" else confidence.method
    try:
        needed = precision_n(half_width, expected=accuracy.value, level=confidence.level, method=method)
    except OptionError:
        yield _message(
            "The CI of the accuracy is ±{half_width:value}; no number of rows gives the required ±{required:number}.",
            half_width=accuracy.interval.half_width,
            required=half_width,
        )
        return
    yield _message(
        "The CI of the accuracy is ±{half_width:value}; ±{required:number} needs about {needed:count} rows, {more:count} more.",
        half_width=accuracy.interval.half_width,
        required=half_width,
        needed=needed,
        more=round(max(needed - tally.effective_n, 1)),
    )


def _averages(by_name: Named, tally: Tally) -> Iterator[str]:
    for name in sorted(measure.name for measure in CLASS_HEADLINE):
        values = {k: by_name[name, None, k].value for k in tally.named_classes}
        undefined = [k for k, value in values.items() if math.isnan(value)]
        macro = by_name[name, "macro", None]
        if undefined and not math.isnan(macro.value):
            defined = len(values) - len(undefined)
            zeroed = macro.value * defined / len(values)
            yield _message(
                "Macro {measure} is the mean over the {defined:count} of {classes:count} classes where it is defined; "
                "counting {names:names} as 0, as scikit-learn does, gives {zeroed:value}.",
                measure=name,
                defined=defined,
                classes=len(values),
                names=undefined,
                zeroed=zeroed,
            )


def _slices(slices: "Sequence[Slice]", whole: Estimate) -> Iterator[str]:
    small = [part for part in slices if part.n < SMALL]
    if small:
        parts = [
            message("{column} = {value:name} ({n:count})", column=part.column, value=part.value, n=part.n)
            for part in small[:5]
        ]
        yield _message(
            "Slices with fewer than {few:count} rows: {slices}{more}. Their measures vary a lot.",
            few=SMALL,
            slices=listed(parts),
            more=" and others" if len(small) > 5 else "",
        )
    if len(slices) >= FEW:
        yield _message(
            "With {n:count} slices some will look good or bad by chance alone: about one interval in {often:count} misses "
            "the truth.",
            n=len(slices),
            often=round(1 / (1 - whole.interval.level)) if whole.interval else 20,
        )


def _message(template: str, **parts: Any) -> str:
    return str(message(template, **parts))
