"""`justesse.annotators_agree`: how far annotators agree."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.annotators.agreement import agreement, by_class
from justesse.annotators.best_care import best_care
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.distances import alpha
from justesse.annotators.pairs import PairAgreement, Weights, pair_tables, pairwise
from justesse.annotators.profiles import counted_alike
from justesse.annotators.refits import refits
from justesse.annotators.subsets import subset_agreement
from justesse.core.annotations import Annotations
from justesse.core.choice import check_choice
from justesse.core.choices import AnswerScale, Repeated
from justesse.core.errors import OptionError
from justesse.core.results import ClassName, Estimate, check_level
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.annotators.agreement_result import AgreementResult
from justesse.verbs.annotators.copied_answers import copied_warnings
from justesse.verbs.annotators.options import AgreementIntervalOptions, AgreementOptions, AnswerColumnOptions
from justesse.verbs.annotators.read import read_answers
from justesse.verbs.recorded import recorded

MOST_PAIRS = 2_000  # annotators, beyond which pairs are not computed
REFIT_LIMIT = 20_000_000  # answers times classes times refits
MANY_CLASSES = 200  # beyond which agreement per class takes long
WEIGHTS: dict[AnswerScale, Weights] = {
    "nominal": "none",
    "ordinal": "linear",
    "interval": "quadratic",
    "ratio": "quadratic",
}


@recorded
def annotators_agree(
    data: Any,
    *,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    annotators: Sequence[str] | None = None,
    time: str | None = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    ignore_case: bool = False,
    repeated: Repeated = AnswerColumnOptions.repeated,
    scale: AnswerScale = AgreementOptions.scale,
    level: float = AgreementIntervalOptions.level,
    draws: int = AgreementIntervalOptions.draws,
    seed: int = AgreementIntervalOptions.seed,
) -> AgreementResult:
    """Measure how far annotators agree.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays: a row for each answer, or a row for each item with a column for each
        annotator.
    item
        Column with the items. Default: the column named item, task or question.
    annotator
        Column with the annotators. Default: the column named annotator, worker or rater. Without one, every column but
        the items is an annotator.
    answer
        Column with the answers. Default: the column named answer, label or class.
    annotators
        In a table with a row for each item: the annotators' columns, such as ann,bob or 'rater*'. Default: all columns
        but the items and usual other names.
    time
        Column with the time or position of each answer. Default: answers have no order.
    classes
        All classes in order, such as ['low', 'mid', 'high']. Default: those answered.
    as_text
        Read all answers as text, so that 1 and 1.0 differ.
    ignore_case
        Treat answers that differ only in case or spaces as one class.
    repeated
        If an annotator answers an item more than once: keep the last answer, the first, all, or refuse. Default: last.
    scale
        Scale of the answers, for Krippendorff's alpha and Cohen's kappa: nominal, ordinal (linear weights; list words
        in order with `classes`), interval or ratio (quadratic weights). Default: nominal.
    level
        Confidence level, such as 0.9. Default: 0.95.
    draws
        Number of refits to estimate alpha if every annotator were as accurate as the best one; 0 skips it. Default:
        100.
    seed
        Seed of the random draws. Default: 0.

    Examples
    --------
    >>> answers = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["a", "b"] * 3, "answer": ["x", "x", "x", "y", "y", "y"]}
    >>> round(annotators_agree(answers).coefficients["alpha"].value, 4)
    0.4444
    """
    check_level(level)
    check_choice("scale", scale, AnswerScale)
    read = read_answers(
        data, item=item, annotator=annotator, answer=answer, time=time, classes=classes, as_text=as_text,
        ignore_case=ignore_case, repeated=repeated, annotators=annotators,
    )  # fmt: skip
    notes = read.annotations
    if scale == "ordinal" and classes is None:
        _check_order(notes.classes)
    votes = counted_alike(notes)
    coefficients = {
        "alpha": alpha(votes, scale, level=level),
        "fleiss": agreement(votes, "fleiss", level=level),
        "ac1": agreement(votes, "ac1", level=level),
        "percent": agreement(votes, "percent", level=level),
    }
    warnings: list[Text] = [*read.warnings]
    pairs: tuple[PairAgreement, ...] = ()
    if notes.n_annotators > MOST_PAIRS:
        warnings.append(message("Pairs are not compared: there are more than {n:count} annotators.", n=MOST_PAIRS))
    else:
        numeric = scale in ("interval", "ratio")
        positions = np.array(notes.classes, dtype=float) if numeric else None
        tables = pair_tables(notes)
        warnings = [*copied_warnings(notes, tables), *warnings]
        pairs = tuple(pairwise(tables, weights=WEIGHTS[scale], positions=positions, level=level))
    per_class: tuple[Estimate, ...] = ()
    if notes.n_classes > MANY_CLASSES:
        warnings.append(
            message("Agreement on each class is left out: there are more than {n:count} classes.", n=MANY_CLASSES)
        )
    else:
        per_class = tuple(by_class(votes, level=level))
    return AgreementResult(
        notes,
        coefficients,
        per_class,
        pairs,
        tuple(subset_agreement(notes, scale, seed=seed)) if notes.n_annotators > 2 else (),
        _best(notes, draws, level, seed) if scale == "nominal" else None,
        scale,
        level,
        seed,
        tuple(warnings),
        data,
    )


def _check_order(classes: Sequence[ClassName]) -> None:
    """Refuse three or more words as ordered classes without their order."""
    if len(classes) > 2 and any(isinstance(name, str) for name in classes):
        raise OptionError(
            f"The ordinal scale needs the order of the classes {', '.join(map(repr, classes))}. List them from lowest to "
            "highest, such as low,mid,high: classes=… (--classes)."
        )


def _best(notes: Annotations, draws: int, level: float, seed: int) -> tuple[ClassName, Estimate] | None:
    """Estimate alpha if all were as accurate as the best one, unless that takes too long or nobody can be checked."""
    if not draws or len(notes) * notes.n_classes * draws > REFIT_LIMIT or not (notes.per_item > 2).any():
        return None
    fit = dawid_skene(notes)
    best = best_care(fit, refits(fit, draws=draws, seed=seed), level=level)
    return None if best is None else (notes.annotators[best[0]], best[1])
