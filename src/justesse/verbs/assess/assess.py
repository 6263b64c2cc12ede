"""`justesse.assess`: how well models do on new rows, which is better, and what choosing the best is worth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.choices import Procedure
from justesse.core.coded import coded
from justesse.core.errors import InputError, OptionError
from justesse.core.parallel_map import Progress, check_jobs
from justesse.core.renamed import renamed
from justesse.core.results import check_level
from justesse.core.seeds import check_seed
from justesse.core.tally import Tally
from justesse.frames.native import check_directory
from justesse.frames.watched import watched
from justesse.intervals.estimate import Confidence
from justesse.procedures.baselines import Baseline, baselines
from justesse.procedures.best_of_several import best_of_several, looked_at_choice
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.bootstrap_error import errors_of_draws
from justesse.procedures.class_scores import class_scores
from justesse.procedures.folds import Folds
from justesse.procedures.learners import USUAL
from justesse.procedures.learning_curve import SIZES, LearningCurve, learning_curve
from justesse.procedures.luck_of_choice import luck_of_choice
from justesse.procedures.model_measures import MEASURES, best_first, model_measures
from justesse.procedures.model_pairs import all_alike, model_pairs
from justesse.procedures.named_models import checked, named_models
from justesse.procedures.named_procedure import FOLDS, curve_splits, inner_folds, named_procedure
from justesse.procedures.nested import Nested, judged_search
from justesse.procedures.preprocessing import prepared
from justesse.procedures.run import OutOfSample, run
from justesse.procedures.score import score
from justesse.procedures.splits import split_count
from justesse.report.writing import message, written
from justesse.verbs.assess.assessment import Assessment, AssessmentPlan
from justesse.verbs.assess.learning_table import LearningTable, read_learning_table
from justesse.verbs.assess.options import RankingMeasureOptions
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.recorded import recorded

SELECTED = "selected"
TAKEN = ("row", "repetition", "fold", "label")  # columns of the predictions


@recorded
@renamed(target="label", models="model", learning_curves="learning_curve", n_jobs="jobs")
def assess(
    data: Any,
    *,
    label: str | None = None,
    model: str | Sequence[str] | Mapping[str, Any] | None = None,
    procedure: Procedure | None = None,
    k: int | None = None,
    repeats: int | None = None,
    test_share: float | None = None,
    draws: int | None = None,
    group: str | None = None,
    time: str | None = None,
    features: Sequence[str] | None = None,
    text: Sequence[str] | None = None,
    measure: str = RankingMeasureOptions.measure,
    select: bool = False,
    learning_curve: bool = False,
    probabilities: bool = False,
    level: float = ConfidenceOptions.level,
    seed: int = SeedOptions.seed,
    jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Assessment:
    """Train models on part of the rows, test them on the rest, and compare them.

    Parameters
    ----------
    data
        Path, data frame, or dict of arrays.
    label
        Column with the classes to learn. Default: the column named label, y, y_true or target.
    model
        Model, list of models, or dict of name → estimator. Names are tree, forest, logistic, neighbours, bayes,
        boosting and network, or a scikit-learn estimator with its settings, such as "sklearn.svm.SVC(C=10)". Default:
        tree, neighbours, logistic and bayes.
    procedure
        How rows are split. Default: stratified-kfold; grouped with `group`, by-time with `time`.
    k
        Number of folds, such as 5. Default: 10, fewer if there are fewer groups or times.
    repeats
        Number of repetitions with other splits, such as 5. Default: 1 for folds, 20 for repeated-holdout.
    test_share
        Share of rows that a holdout tests on, such as 0.3. Default: 0.2.
    draws
        Number of resamples of the procedure bootstrap. Default: 200.
    group
        Column of groups, such as patient. Rows of one group are never in both training and test. Default: no groups.
    time
        Column of times: numbers, or dates such as 2024-05-17 or 17.05.2024. Models are tested on later rows only.
        Default: no order.
    features
        List of the columns to learn from. Default: all, except identifiers and columns that look like predictions,
        probabilities or the label under another name.
    text
        List of the columns to treat as texts (tf-idf of their words). Default: columns of long texts.
    measure
        Measure that ranks and compares the models, such as balanced_accuracy, f1 or mcc. Measures of a class (f1,
        precision, recall) are macro averages. Default: accuracy.
    select
        Also evaluate the choice of the best model and its settings, by nested cross-validation.
    learning_curve
        Also estimate for each model whether more rows would help.
    probabilities
        Also keep the probability of each class, for `Assessment.predictions`.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    jobs
        Number of models to train in parallel, such as 4; -1 uses all cores. Default: one at a time.
    checkpoint
        Directory for finished work, so that a run that was stopped continues. After a change of data, options, models,
        model code or package versions, the work is done again.
    progress
        Called with the work done and the total after each step.

    Returns
    -------
    Assessment
        Measures of each model with intervals, comparisons of all pairs, baselines, and what was asked for besides.

    Notes
    -----
    Missing values, scaling, one-hot encoding and tf-idf are fitted on the training rows of each split. A model that
    fails in some splits is reported, and the run continues. Not valid if rows that belong together (one patient, one
    document) have no `group`, or if settings were tuned on these rows before.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> data = {"length": x[:, 2], "width": x[:, 3], "species": y}
    >>> result = assess(data, label="species", model=["tree", "bayes"], k=5)
    >>> [(name, round(result[name, "accuracy"].value, 2)) for name in result.ranked]
    [('tree', 0.95), ('bayes', 0.95)]
    """
    check_level(level)
    check_seed(seed)
    check_jobs(jobs)
    if measure not in MEASURES:
        raise OptionError(f"measure must be one of {', '.join(MEASURES)}; got {measure!r}.")
    model = USUAL if model is None else model
    models = (
        checked(model) if isinstance(model, Mapping) else named_models([model] if isinstance(model, str) else model)
    )
    _check_names(models, select)
    data = watched(data)
    table = read_learning_table(data, label=label, group=group, time=time, features=features, text=text or ())
    splits = named_procedure(
        procedure, table.labels, groups=table.groups, times=table.times, k=k, repeats=repeats, test_share=test_share,
        draws=draws, seed=seed,
    )  # fmt: skip
    kinds: dict[str, Any] = {kind: getattr(table.columns, kind) for kind in ("numbers", "categories", "texts")}
    pipelines = {name: prepared(estimator, **kinds) for name, estimator in models.items()}
    searches = {}
    if select:
        searches[SELECTED] = best_of_several(pipelines, inner_folds(splits, table.labels, seed=seed), seed=seed)
    if checkpoint is not None:
        check_directory(Path(checkpoint))
    together = table.together
    fits = split_count(splits, len(table.labels), table.labels, together) * len({**pipelines, **searches})
    stages = _Stages(progress, [fits, *([_curve_fits(splits, table)] * len(models) if learning_curve else [])])
    resources: dict[str, Any] = {"n_jobs": jobs, "checkpoint": checkpoint}
    runs = run(
        {**pipelines, **searches}, table.columns.matrix, table.labels, splits, groups=together,
        want=["probabilities"] if probabilities else [], look=looked_at_choice, seed=seed, progress=stages.next(),
        **resources,
    )  # fmt: skip
    warnings = [*table.columns.warnings, *_split_warnings(splits, table, group=group, time=time, k=k)]
    curves: dict[str, LearningCurve] = {}
    if learning_curve:
        curves = _curves(pipelines, splits, table, stages, warnings, level=level, seed=seed, **resources)
    estimates = {name: model_measures(runs, name, level=level) for name in runs.models}
    scored = {name: score(runs, name, level=level) for name in runs.models}
    ranked = best_first(runs, {name: own[measure].value for name, own in estimates.items()}, MEASURES[measure])
    complete = [name for name in models if not scored[name].failed]
    alone = replace(runs, fits={name: runs.fits[name] for name in models})
    return Assessment(
        runs=runs,
        plan=AssessmentPlan(table.label, group, time, table.columns.names, measure, level, seed, table.name, data),
        estimates=estimates,
        scored=scored,
        classes={name: tuple(class_scores(runs, name, level=level)) for name in runs.models},
        baselines=_baselines(runs, ranked[0], Confidence(level=level, seed=seed)),
        ranked=tuple(ranked),
        pairs=model_pairs(runs, ranked, MEASURES[measure], level=level),
        anova=all_alike(runs, ranked, MEASURES[measure]),
        luck=luck_of_choice(alone, level=level) if len(complete) > 1 else None,
        selections=_selections(runs, {**pipelines, **searches}, warnings, level),
        curves=curves,
        bootstrap=errors_of_draws({name: pipelines[name] for name in complete}, alone, level=level, **resources)
        if isinstance(splits, Bootstrap) and complete
        else {},
        run_warnings=tuple(warnings),
    )


class _Stages:
    """Report several runs as one, each by the number of models it fits."""

    def __init__(self, progress: Progress | None, fits: Sequence[int]) -> None:
        self.progress, self.fits, self.stage = progress, fits, -1

    def next(self) -> Progress | None:
        """Return what the next run calls."""
        self.stage += 1
        report, before, own = self.progress, sum(self.fits[: self.stage]), self.fits[self.stage]
        if report is None:
            return None
        return lambda done, total: report(before + round(own * done / total), sum(self.fits))


def _check_names(models: Mapping[str, Any], select: bool) -> None:
    if not models:
        raise OptionError("At least one model is required, such as tree; got none.")
    for name in (*TAKEN, *([SELECTED] if select else [])):
        if name in models:
            raise OptionError(
                f"A model cannot be called {name!r}: a column of the predictions has that name. Rename it."
            )


def _split_warnings(splits: Any, table: LearningTable, *, group: Any, time: Any, k: int | None) -> list[str]:
    warnings = []
    if k is None and isinstance(splits, Folds) and splits.k < FOLDS:
        if table.times is not None:
            many = len(np.unique(table.times))
            warnings.append(
                message(
                    "{k} folds by time instead of {usual}: {time:name} has {many:count} different times, and rows of one "
                    "time stay together.",
                    k=splits.k,
                    usual=FOLDS,
                    time=time,
                    many=many,
                )
            )
        elif table.groups is not None:
            warnings.append(
                message(
                    "{k} folds instead of {usual}: {group:name} has {k} groups.", k=splits.k, usual=FOLDS, group=group
                )
            )
    if table.times is None and table.dated:
        warnings.append(
            message(
                "{names:list} {n:plural holds|hold} dates, but the split ignores time. To test on later rows only, name "
                "the column of times (time={first:name}, --time).",
                names=[written("name", name) for name in table.dated],
                n=len(table.dated),
                first=table.dated[0],
            )
        )
    return [str(warning) for warning in warnings]


def _curve_fits(splits: Any, table: LearningTable) -> int:
    growing = curve_splits(splits, table.times)
    return split_count(growing, len(table.labels), table.labels, table.together) * SIZES


def _curves(
    pipelines: Mapping[str, Any],
    splits: Any,
    table: LearningTable,
    stages: _Stages,
    warnings: list[str],
    *,
    seed: int,
    **options: Any,
) -> dict[str, LearningCurve]:
    """Compute the learning curve of each model; those that have none are named in the warnings."""
    growing = curve_splits(splits, table.times, seed=seed)
    curves = {}
    for name, pipeline in pipelines.items():
        try:
            curves[name] = learning_curve(
                pipeline, table.columns.matrix, table.labels, growing, groups=table.together, seed=seed,
                progress=stages.next(), **options,
            )  # fmt: skip
        except InputError as error:
            warnings.append(str(message("No learning curve for {name}. {reason}", name=name, reason=error)))
    return curves


def _selections(runs: OutOfSample, models: Mapping[str, Any], warnings: list[str], level: float) -> dict[str, Nested]:
    """Judge every model that is a search, by what it chose in each split."""
    selections = {}
    for name in runs.models:
        if any("inner" in fit.notes for fit in runs.answered(name)):
            try:
                selections[name] = judged_search(name, models[name], runs, level=level)
            except Exception as error:  # models raise anything
                why = f"{type(error).__name__}: {error}".removesuffix(".")
                warnings.append(str(message("{name} failed when trained on all rows ({why}).", name=name, why=why)))
    return selections


def _baselines(runs: OutOfSample, model: str, confidence: Confidence) -> tuple[Baseline, ...]:
    """Score the baselines on the labels of the rows tested, each counted once."""
    classes = runs.data.classes or ()
    rows = np.unique(np.concatenate([fit.test for fit in runs.fits[model]]))
    codes = coded(runs.data.y[rows], classes)[0]
    columns = [(codes, classes), (codes, classes)]
    tally = Tally.from_codes(("label", "prediction"), columns, np.ones(len(rows), dtype=np.int64), classes=classes)
    return tuple(baselines(tally, list(MEASURES.values()), confidence))
