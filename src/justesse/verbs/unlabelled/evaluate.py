"""`justesse.evaluate_unlabelled`: how right are classifiers on rows without labels?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.choice import check_choice
from justesse.core.choices import Missing
from justesse.core.errors import InputError, OptionError
from justesse.core.resampling import check_draws
from justesse.core.results import ClassName, Estimate, check_level
from justesse.frames.columns import check_column
from justesse.frames.predicted_items import IDS
from justesse.frames.side_by_side import AnswerColumn, SideBySide, side_by_side
from justesse.frames.table import one_table
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.agreement_errors import agreement_errors
from justesse.intervals.agreement_model import check_coincidence
from justesse.intervals.dependence_bounds import check_dependence, least_dependence, order_survives
from justesse.intervals.wilson import wilson
from justesse.significance.agreement_fit import agreement_fit
from justesse.verbs.answers.supported import supported
from justesse.verbs.compare.paired_answers import table_names
from justesse.verbs.recorded import recorded
from justesse.verbs.unlabelled.evaluation import UnlabelledClassifier, UnlabelledEvaluation
from justesse.verbs.unlabelled.options import AgreementModelOptions, ErrorIntervalOptions
from justesse.verbs.unlabelled.result_kinds import evaluating

if TYPE_CHECKING:
    from justesse.verbs.unlabelled.shifted import ShiftedEvaluation

NOT_MODELS = {*IDS, "label", "y", "y_true", "target", "true", "truth", "actual"}


@recorded
@evaluating
def evaluate_unlabelled(
    *tables: Any,
    models: Sequence[str] | None = None,
    on: str | None = None,
    common: bool = False,
    prediction: str | None = None,
    label: str | None = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    missing: Missing | None = None,
    reference: Any = None,
    proba: str | None = None,
    confidence: str | None = None,
    dependence: float = AgreementModelOptions.dependence,
    coincidence: float | None = None,
    level: float = ErrorIntervalOptions.level,
    draws: int = ErrorIntervalOptions.draws,
    seed: int = ErrorIntervalOptions.seed,
) -> "UnlabelledEvaluation | ShiftedEvaluation":
    """Estimate how accurate classifiers are on rows without labels.

    Three or more classifiers: error rates from how often they agree. One classifier and a labelled reference: its
    accuracy from how confident it is.

    Parameters
    ----------
    tables
        Path or data frame with a column of answers for each classifier; or three or more tables, one for each.
    models
        List of the columns of the classifiers, if all answers are in one table. Default: every other column.
    on
        Column with an id that all files share. Default: the column named id, item, task or question.
    common
        Use only the ids that all files have, instead of refusing files that differ.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    label
        Column with labels for some of the rows, to check the error rates with. Default: no labels are read; with a
        reference, the column of its labels, if the table has it, too.
    classes
        All classes, also those that do not occur, such as ['low', 'high']. Default: those of the answers.
    as_text
        Read all answers as text, so that 1 and 1.0 differ.
    missing
        Rows without an answer: refuse the data, or drop the row. Default: refuse.
    reference
        Path, data frame or dict of arrays: rows with labels, predicted by the same classifier. Default: error rates
        come from the agreement of several classifiers.
    proba
        With a reference: start of the names of the columns with probabilities, one for each class, such as 'p_' for
        p_cat and p_dog.
    confidence
        With a reference: column with the probability of the predicted class, if there are no probabilities of all
        classes.
    dependence
        For the bounds: share of rows that two classifiers may get wrong together beyond chance, such as 2%. Default:
        0.04.
    coincidence
        How often two wrong answers are the same, such as 0.3. Default: 1 / (number of classes - 1).
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    draws
        Number of bootstrap resamples, at least 100. Default: 2000.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.

    Returns
    -------
    UnlabelledEvaluation or ShiftedEvaluation
        Error rates with intervals if the classifiers err independently, bounds if they do not, and whether they fit.
        With `reference`, the accuracy by several methods with intervals, and whether the calibration carries over.

    Notes
    -----
    Classifiers that make the same mistakes agree, and look better than they are. Four or more show it if some pairs err
    together more than others; labels for some rows show it in any case.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> true = rng.integers(2, size=5000)
    >>> table = {str(e): np.where(rng.random(5000) < e, 1 - true, true) for e in (0.1, 0.2, 0.3)}
    >>> [round(item.error.value, 2) for item in evaluate_unlabelled(table).classifiers]
    [0.11, 0.19, 0.29]
    """
    settings = dict(locals())
    if reference is not None:
        from justesse.verbs.unlabelled.shift import OPTIONS, WHERE, evaluate_by_reference

        return evaluate_by_reference(**supported(evaluate_unlabelled, settings, OPTIONS, WHERE))
    for name in ("proba", "confidence"):
        if settings[name] is not None:
            raise OptionError(
                f"{name} (--{name}) needs rows with labels, too. Name their table with reference=… (--reference)."
            )
    check_level(level)
    check_draws(draws)
    check_dependence(dependence)
    if missing is not None:
        check_choice("missing", missing, Missing)
    sources = _sources(tables, models, prediction, label)
    rows = side_by_side(sources, on=on, common=common, missing=missing, classes=classes, label=label, as_text=as_text)
    check_unchanged(*{id(source.data): source.data for source in sources}.values())
    patterns = rows.patterns
    share = check_coincidence(coincidence, len(patterns.classes))
    result = agreement_errors(
        patterns, coincidence=share, dependence=dependence, level=level, draws=draws, seed=seed
    )  # fmt: skip
    by_label = _by_label(rows, level)
    classifiers = [
        UnlabelledClassifier(
            name,
            result.estimates[at],
            (float(result.bounds.low[at]), float(result.bounds.high[at])),
            (float(result.low[at]), float(result.high[at])),
            by_label[at] if by_label else None,
        )
        for at, name in enumerate(patterns.names)
    ]
    needed, survives = None, None
    if result.undefined is None:
        needed = least_dependence(patterns.agreement, patterns.pairs, coincidence=share)
        best, second = np.argsort([item.error.value for item in classifiers])[:2]
        survives = order_survives(patterns.agreement, patterns.pairs, int(best), int(second), coincidence=share)
    return UnlabelledEvaluation(
        classifiers=tuple(classifiers),
        rows=rows,
        fit=agreement_fit(patterns, coincidence=share, seed=seed),
        dependence=dependence,
        coincidence=share,
        least_dependence=needed,
        order_survives=survives,
        undefined=result.undefined,
        level=level,
        draws=draws,
        seed=seed,
        sources=tuple({str(source.data): source.data for source in sources if isinstance(source.data, str)}.values()),
    )


def _sources(
    tables: Sequence[Any], models: Sequence[str] | None, prediction: str | None, label: str | None
) -> list[AnswerColumn]:
    if not tables:
        raise InputError("Pass one table with a column for each classifier, or three or more tables.")
    opened = [watched(table) for table in tables]
    if len(opened) == 1:
        if prediction:
            raise OptionError("prediction is for tables of one classifier each. In one table, use models (--models).")
        table = one_table(opened[0])
        columns = [check_column(table.columns, table.name, "one of the models", name) for name in models or ()]
        if not columns:
            columns = [name for name in table.columns if name != label and name.lower() not in NOT_MODELS]
        sources = [AnswerColumn(name, opened[0], name) for name in columns]
    else:
        if models:
            raise OptionError("models names columns of one table. With several tables, use prediction.")
        usual = [f"classifier {at}" for at in range(1, len(opened) + 1)]
        names = table_names(opened)
        shown = [
            name if isinstance(table, str) else part for name, table, part in zip(names, opened, usual, strict=True)
        ]
        if len(set(shown)) < len(shown):
            raise OptionError(f"Name each classifier once; got {shown!r}.")
        sources = [AnswerColumn(name, table, prediction) for name, table in zip(shown, opened, strict=True)]
    if len(sources) < 3:
        raise InputError(
            f"Error rates without labels need the answers of three classifiers or more; got {len(sources)}. Name their "
            "columns with models=… (--models), or pass more tables."
        )
    return sources


def _by_label(rows: SideBySide, level: float) -> list[Estimate] | None:
    """Estimate each error rate on the rows that have a label."""
    if rows.labelled is None:
        return None
    codes, counts = rows.labelled.codes, rows.labelled.counts
    wrong = (codes[:, :-1] != codes[:, -1:]).T @ counts
    n = int(counts.sum())
    ends = wilson(wrong, np.full(len(wrong), n), level=level).intervals(bounds=(0.0, 1.0))
    return [Estimate("error", float(k) / n, n, end, is_share=True) for k, end in zip(wrong, ends, strict=True)]
