"""What a reader of an evaluation must be told before believing it, each with what to do."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.answer_policy import Gaps
from justesse.core.errors import OptionError
from justesse.core.first_names import first_names
from justesse.core.results import ClassName, Estimate
from justesse.core.tally import Tally
from justesse.frames.count import Counted
from justesse.frames.values import LOOKS_MISSING
from justesse.intervals.estimate import Confidence
from justesse.intervals.planning.precision import precision_n
from justesse.measures import CLASS_HEADLINE, Confusion
from justesse.procedures.baselines import Baseline
from justesse.verbs.any_of import any_of_words
from justesse.verbs.unanswered import missing_words, others_words
from justesse.verbs.weak_spots import against_majority, poor_recalls, slices_apart

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Slice, Truth

Named = dict[tuple[str, str | None, ClassName], Estimate]
FEW = 10
SMALL = 30
MANY_NUMBERS = 100  # different labels from which whole numbers may be amounts
SURE = 100


def cautions(
    rows: Counted,
    tally: Tally,
    found: Sequence[Estimate],
    naive: Sequence[Baseline],
    slices: "Sequence[Slice]",
    truth: "Truth | None",
    confidence: Confidence,
    half_width: float | None,
) -> Iterator[str]:
    """List the warnings, the most serious first."""
    by_name: Named = {(item.name, item.average, item.class_name): item for item in found}
    accuracy = by_name["accuracy", None, None]
    yield from missing_words(rows.gaps)
    yield from any_of_words(rows.gaps, tally.named_classes)
    if truth and truth.noise.value > 0:
        right = next(estimate for estimate in truth.estimates if estimate.name == "accuracy")
        yield f"{100 * truth.noise.value:.2g} % of the labels differ from the true class in column {rows.roles.true!r}: the accuracy is {right.value:.4f}, not the {accuracy.value:.4f} that the labels suggest."
    yield from _classes(tally, rows.gaps)
    if tally.weighted or rows.gaps.several.get("label"):
        yield from _against_majority(accuracy, naive[0])
    else:
        yield from against_majority(tally, confidence.level)
    if not tally.weighted:
        yield from poor_recalls(tally, confidence.level)
        yield from slices_apart(slices, tally, confidence.level)
    if tally.n < SMALL:
        yield f"Only {tally.n} row{'' if tally.n == 1 else 's'}: intervals are wide, and bootstrap intervals unreliable. Collect more (justesse plan precision says how many)."
    yield from _precision_asked(accuracy, confidence, half_width, tally)
    yield from _averages(by_name, tally)
    resampled = confidence.resampling(tally)
    if tally.weighted:
        yield f"Rows are weighted: the effective n is {tally.effective_n:,.1f} of {tally.n:,}, less for shares where weights go with the class or with errors. Measures that are not proportions have delta-method intervals."
    elif not confidence.can_resample and confidence.bootstrap is None:
        yield f"A confidence level of {confidence.level!r} is too high to resample: measures that are not proportions have delta-method intervals."
    elif resampled == "none" and confidence.bootstrap is None:
        yield f"The table has {len(tally.codes):,} cells: measures that are not proportions have delta-method intervals instead of {confidence.draws:,} resamples. Use --bootstrap percentile to resample."
    if not tally.weighted and resampled != "none" and confidence.enough_draws > confidence.draws:
        yield f"{confidence.draws:,} draws are too few for a confidence level of {confidence.level:g}: {confidence.enough_draws:,} were used."
    if resampled != "smoothed":
        yield from _spotless(tally)
    still = [item for item in found if item.undefined and not math.isnan(item.value)]
    if still:
        from justesse.measures.titles import title_of

        more = f" and {len(still) - 3:,} more" if len(still) > 3 else ""
        yield f"No interval for {', '.join(map(title_of, still[:3]))}{more}: every row used there is right, or every one is wrong, so the bootstrap shows no variation. See the intervals of accuracy, precision and recall."
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
        yield f"The labels are {len(numbers):,} different whole numbers in {tally.n:,} rows. Did you mean --regression (justesse.evaluate_regression)? Here only exact matches count as right."
    if not np.any((labelled > 0) & (predicted > 0)):
        yield f"Labels and predictions have no class in common (labels such as {first_names(only_labelled, 2)}, predictions such as {first_names(only_predicted, 2)}): check that both are spelled alike."
    if np.count_nonzero(labelled) == 1:
        yield f"All labels are {names[int(labelled.argmax())]!r}: several measures are undefined. Test on rows of every class."
    if only_labelled:
        yield f"Never predicted: {first_names(only_labelled)}. Precision is undefined there and recall is 0."
    yield from others_words(gaps)
    if declared:
        yield f"Predicted but never among the labels: {first_names(declared)}. Recall is undefined there and precision is 0."
    if absent:
        yield f"Listed classes without any row: {first_names(absent)}. Their measures are undefined."
    few = [names[k] for k in np.flatnonzero((labelled > 0) & (labelled < FEW))]
    if few:
        yield f"Fewer than {FEW} rows are labelled {first_names(few)}: measures of {'these classes' if len(few) > 1 else 'this class'} are unreliable. Collect more."
    signs = {"-", "+"} <= set(names)  # then a minus is a class like another
    odd = [n for n in names if isinstance(n, str) and n.strip().lower() in LOOKS_MISSING and not (signs and n == "-")]
    if odd:
        yield f"There is a class named {first_names(odd)}. If it stands for a missing value, leave those cells empty and use --missing wrong."
    padded = [name for name in names if isinstance(name, str) and name != name.strip()]
    if padded:
        yield f"Class names with spaces around them: {first_names(padded)}. They count as separate classes."
    yield from _same_but_for_case(names)


def _same_but_for_case(names: Sequence[ClassName]) -> Iterator[str]:
    """Name the classes that differ only in upper and lower case."""
    alike: dict[str, list[str]] = {}
    for name in names:
        if isinstance(name, str):
            alike.setdefault(name.casefold(), []).append(name)
    pairs = [" and ".join(map(repr, group)) for group in alike.values() if len(group) > 1]
    if pairs:
        more = f" and {len(pairs) - 5:,} more" if len(pairs) > 5 else ""
        yield f"Class names that differ only in case: {', '.join(pairs[:5])}{more}. They count as separate classes: write them alike if they are the same."


def _spotless(tally: Tally) -> Iterator[str]:
    """Name the classes that resampling takes as certain because their few rows happen to be all right or all wrong."""
    table = Confusion.of(tally)
    rows = tally.sums("label", tally.counts)
    few = (rows > 0) & (rows < SURE)
    if len(tally.classes) < 2 or np.array_equal(table.hits, table.labelled):
        return
    sides = ((few & (table.hits == table.labelled), "right"), (few & (table.hits == 0), "wrong"))
    parts = []
    for sure, state in sides:
        names = [tally.classes[k] for k in np.flatnonzero(sure)]
        if names:
            parts.append(f"very row of {'classes' if len(names) > 1 else 'class'} {first_names(names)} is {state}")
    if parts:
        yield f"E{' and e'.join(parts)}, so intervals of F1, MCC, kappa and averages are somewhat too narrow. Recall intervals are not affected."


def _against_majority(accuracy: Estimate, majority: Baseline) -> Iterator[str]:
    baseline = majority.measures[0].value
    if accuracy.value <= baseline:
        worse = "lower than" if accuracy.value < baseline else "no better than"
        yield f"The accuracy ({accuracy.value:.4f}) is {worse} always predicting {majority.class_name!r} ({baseline:.4f}): look at balanced accuracy and at each class."
    elif accuracy.interval and accuracy.interval.low <= baseline:
        yield f"The accuracy is not clearly better than always predicting {majority.class_name!r} ({baseline:.4f}): its CI reaches down to {accuracy.interval.low:.4f}."


def _precision_asked(
    accuracy: Estimate, confidence: Confidence, half_width: float | None, tally: Tally
) -> Iterator[str]:
    if half_width is None or accuracy.interval is None or accuracy.interval.half_width <= half_width:
        return
    method = "wilson" if confidence.method == "delta" else confidence.method
    try:
        needed = precision_n(half_width, expected=accuracy.value, level=confidence.level, method=method)
    except OptionError:
        yield f"The CI of the accuracy is ±{accuracy.interval.half_width:.4f}; no number of rows gives the required ±{half_width:g}."
        return
    more = max(needed - tally.effective_n, 1)
    yield f"The CI of the accuracy is ±{accuracy.interval.half_width:.4f}; ±{half_width:g} needs about {needed:,} rows, {more:,.0f} more."


def _averages(by_name: Named, tally: Tally) -> Iterator[str]:
    for name in sorted(measure.name for measure in CLASS_HEADLINE):
        values = {k: by_name[name, None, k].value for k in tally.named_classes}
        undefined = [k for k, value in values.items() if math.isnan(value)]
        macro = by_name[name, "macro", None]
        if undefined and not math.isnan(macro.value):
            defined = len(values) - len(undefined)
            zeroed = macro.value * defined / len(values)
            yield f"Macro {name} is the mean over the {defined} of {len(values)} classes where it is defined; counting {first_names(undefined)} as 0, as scikit-learn does, gives {zeroed:.4f}."


def _slices(slices: "Sequence[Slice]", whole: Estimate) -> Iterator[str]:
    small = [part for part in slices if part.n < SMALL]
    if small:
        shown = ", ".join(f"{part.column} = {part.value!r} ({part.n})" for part in small[:5])
        yield f"Slices with fewer than {SMALL} rows: {shown}{' and others' if len(small) > 5 else ''}. Their measures vary a lot."
    if len(slices) >= FEW:
        yield f"With {len(slices)} slices some will look good or bad by chance alone: about one interval in {round(1 / (1 - whole.interval.level)) if whole.interval else 20} misses the truth."
