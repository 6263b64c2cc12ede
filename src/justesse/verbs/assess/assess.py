"""`justesse.assess`: how well learning methods would do on new rows, which is better, and what it is worth to choose."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError, OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import check_level
from justesse.core.seeds import check_seed
from justesse.core.tally import Tally
from justesse.frames.columns import check_column, guess_label
from justesse.frames.features import is_numeric
from justesse.frames.giveaways import giveaways
from justesse.frames.learnable import Learnable, learnable
from justesse.frames.table import TypedTable, read_table, row_words
from justesse.frames.times import dated_columns, times
from justesse.frames.watched import watched
from justesse.intervals.estimate import Confidence
from justesse.procedures.baselines import baselines
from justesse.procedures.best_of_several import best_of_several, looked_at_choice
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.bootstrap_error import errors_of_draws
from justesse.procedures.by_time import most_time_folds
from justesse.procedures.class_scores import class_scores
from justesse.procedures.folds import Folds
from justesse.procedures.holdout import Holdout
from justesse.procedures.learners import USUAL
from justesse.procedures.learning_curve import LearningCurve, learning_curve
from justesse.procedures.luck_of_choice import luck_of_choice
from justesse.procedures.named_models import checked, named_models
from justesse.procedures.nested import Nested, judged_search
from justesse.procedures.preprocessing import prepared
from justesse.procedures.run import OutOfSample, run
from justesse.procedures.score import score
from justesse.verbs.assess.assessment import MEASURES, Assessment, AssessmentPlan
from justesse.verbs.assess.pairs import model_pairs, over_all
from justesse.verbs.assess.procedure import FOLDS, Procedure, named_procedure

SELECTED = "selected"
TAKEN = ("row", "repetition", "fold", "label")
CURVE_SPLITS = 10
MANY, FEW_ROWS = 20, 5  # more classes than this with fewer rows each are no classes


def assess(
    data: Any,
    *,
    target: str | None = None,
    models: Sequence[str] | Mapping[str, Any] = USUAL,
    procedure: Procedure | None = None,
    k: int | None = None,
    repeats: int | None = None,
    test_share: float | None = None,
    draws: int | None = None,
    group: str | None = None,
    time: str | None = None,
    features: Sequence[str] | None = None,
    text: Sequence[str] = (),
    measure: str = "accuracy",
    select: bool = False,
    learning_curves: bool = False,
    probabilities: bool = False,
    level: float = 0.95,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Assessment:
    """Train models again and again on a part of the rows and test them on the rest: how right are they, which is better?

    `data` is a path, a data frame or a dict of arrays; `target` is the column with the classes to learn. Models are
    named (tree, forest, logistic, neighbours, bayes, boosting, network, or a path as sklearn.svm.SVC) or your own, a
    dict of name → estimator. They learn from all columns, or from `features`; columns that look like predictions,
    probabilities or the label under another name are left out unless `features` names them. Each model gets numbers filled and scaled, names as zeros and ones and texts as tf-idf, all
    learnt from training rows alone. The procedure is stratified ten folds; `group` keeps rows together, `time` tests on
    later rows only. Intervals and tests are those the procedure calls for; all pairs of models are compared by
    `measure`. With `select` a search over all models and their usual settings is evaluated as one more model, nested;
    with `learning_curves` you learn whether more rows would help. A model that fails in some splits is reported, and
    the run goes on; with a `checkpoint` folder a run that was stopped goes on where it was.

    Wrong to use where rows that belong together (one patient, one document) have no `group`, and for the figure of a
    model whose settings were tuned on these rows before.

    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> data = {"length": x[:, 2], "width": x[:, 3], "species": y}
    >>> found = assess(data, target="species", models=["tree", "bayes"], k=5)
    >>> [(name, round(one["accuracy"].value, 2)) for name, one in found.measures.items()]
    [('tree', 0.95), ('bayes', 0.95)]
    """
    check_level(level)
    check_seed(seed)
    if n_jobs == 0:
        raise OptionError("n_jobs is how many models train side by side, 1 or more (-1: one for each core); got 0")
    if measure not in MEASURES:
        raise OptionError(f"measure must be one of {', '.join(MEASURES)}; got {measure!r}")
    asked = checked(models) if isinstance(models, Mapping) else named_models(list(models))
    _check_names(asked, select)
    data = watched(data)
    table = read_table(data)
    column = _target(table, target)
    labels = _labels(table, column)
    groups = None if group is None else _groups(table, group)
    moments = None if time is None else times(table, time)
    roles = [name for name in (column, group, time) if name is not None]
    if len(set(roles)) < len(roles):
        raise ColumnError(f"target, group and time are columns of their own; got {roles!r}")
    how = named_procedure(
        procedure, labels, groups=groups, times=moments, k=k, repeats=repeats, test_share=test_share, draws=draws, seed=seed
    )  # fmt: skip
    others = [name for name in table.columns if name not in roles and (features is None or name in features)]
    suspects = giveaways({name: table.typed[name] for name in others}, column, labels)
    columns = learnable(table, chosen=features, without=roles, text=text, suspects=suspects)
    pipelines = {name: _prepared(model, columns) for name, model in asked.items()}
    everyone = dict(pipelines)
    if select:
        everyone[SELECTED] = best_of_several(pipelines, _inner(how, labels, seed), seed=seed)
    kept = moments if moments is not None else None if groups is None else coded(groups)[0]
    done = _Stages(progress, 1 + (len(asked) if learning_curves else 0))
    found = run(
        everyone,
        columns.matrix,
        labels,
        how,
        groups=kept,
        want=["probabilities"] if probabilities else [],
        look=looked_at_choice,
        seed=seed,
        n_jobs=n_jobs,
        checkpoint=checkpoint,
        progress=done.next(),
    )
    measures = {
        name: {
            title: replace(score(found, name, one, level=level).estimate, average=one.average)
            for title, one in MEASURES.items()
        }
        for name in everyone
    }
    worked = [name for name in everyone if found.answered(name)]
    scored = {name: score(found, name, level=level) for name in everyone}
    # a model that failed in some splits has its figure from the others alone: it cannot come first by that
    ranked = sorted(worked, key=lambda name: (scored[name].failed > 0, -np.nan_to_num(measures[name][measure].value)))
    whole = [name for name in asked if not scored[name].failed]
    alone = replace(found, fits={name: found.fits[name] for name in asked})
    common: dict[str, Any] = {"level": level, "n_jobs": n_jobs, "checkpoint": checkpoint}
    curves: dict[str, LearningCurve] = {}
    warnings = list(columns.warnings)
    if moments is not None and k is None and isinstance(how, Folds) and how.k < FOLDS:
        warnings.append(
            f"{how.k} folds by time instead of {FOLDS}: {time!r} has {len(np.unique(moments)):,} different times, and "
            "rows of one time stay together."
        )
    if moments is None and (dated := dated_columns(table, roles)):
        named = ", ".join(map(repr, dated))
        warnings.append(
            f"Rows have dates ({named}) but are split without regard to time: to test on later rows than were learnt from, "
            f"add --time {dated[0]}."
        )
    if groups is not None and k is None and isinstance(how, Folds) and how.k < FOLDS:
        warnings.append(f"{how.k} folds instead of {FOLDS}: {group!r} has {how.k} groups.")
    if learning_curves:
        growing = _growing(how, moments, seed)
        for name in asked:
            try:
                curves[name] = learning_curve(
                    pipelines[name], columns.matrix, labels, growing, groups=kept, seed=seed, progress=done.next(), **common
                )  # fmt: skip
            except InputError as error:
                warnings.append(f"There is no learning curve of {name}: {error}")
    selections: dict[str, Nested] = {}
    for name in worked:
        if any("inner" in fit.notes for fit in found.answered(name)):
            try:
                selections[name] = judged_search(name, everyone[name], found, level=level)
            except Exception as error:  # models raise anything
                warnings.append(f"{name} cannot choose on all rows together: {type(error).__name__}: {error}")
    tested = coded(labels)[0][np.unique(np.concatenate([fit.test for fit in found.fits[ranked[0]]]))]
    return Assessment(
        found=found,
        plan=AssessmentPlan(column, group, time, columns.names, measure, level, seed, table.name, data),
        measures=measures,
        scored=scored,
        classes={name: tuple(class_scores(found, name, level=level)) for name in everyone},
        baselines=tuple(
            baselines(_labelled(tested, found), list(MEASURES.values()), Confidence(level=level, seed=seed))
        ),
        ranked=tuple(ranked),
        pairs=model_pairs(found, ranked, MEASURES[measure], level=level),
        anova=over_all(found, ranked, MEASURES[measure]),
        luck=luck_of_choice(alone, level=level) if len(whole) > 1 else None,
        selections=selections,
        curves=curves,
        bootstrap=errors_of_draws({name: pipelines[name] for name in whole}, alone, **common)
        if isinstance(how, Bootstrap) and whole
        else {},
        warnings=tuple(warnings),
    )


def _labelled(tested: Array, found: OutOfSample) -> Tally:
    """Count the labels of the rows tested, each once; what answers them is the baselines' own."""
    classes = found.data.classes or ()
    columns = [(tested, classes), (tested, classes)]
    return Tally.from_codes(("label", "prediction"), columns, np.ones(len(tested), dtype=np.int64), classes=classes)


class _Stages:
    """Tell of several runs as of one."""

    def __init__(self, progress: Progress | None, stages: int) -> None:
        self.progress, self.stages, self.stage = progress, stages, -1

    def next(self) -> Progress | None:
        """Give what the next run calls."""
        self.stage += 1
        tell, before = self.progress, self.stage
        if tell is None:
            return None
        return lambda done, total: tell(before * total + done, self.stages * total)


def _check_names(models: Mapping[str, Any], select: bool) -> None:
    if not models:
        raise OptionError("at least one model is needed, such as tree; got none")
    for name in (*TAKEN, *([SELECTED] if select else [])):
        if name in models:
            raise OptionError(f"a model cannot be called {name!r}, which stands for something else; rename it")


def _target(table: TypedTable, target: str | None) -> str:
    if target is not None:
        return check_column(table.columns, table.name, "target", target)
    try:
        return guess_label(table.columns, table.name, None)
    except ColumnError as error:
        raise ColumnError(
            f"which column of {table.name} is to be learnt? Say so with target=… (--label NAME); it has "
            f"{', '.join(map(repr, table.columns[:20]))}"
        ) from error


def _groups(table: TypedTable, column: str) -> Array:
    values = table.raw[check_column(table.columns, table.name, "group", column)].to_pylist()
    gone = np.flatnonzero([value is None or value == "" or value != value for value in values])
    if len(gone):
        raise MissingValueError(
            f"column {column!r} of {table.name} has no group in {row_words(gone)}; fill the gaps, or leave those rows out"
        )
    return np.array([str(value) for value in values], dtype=object)


def _labels(table: TypedTable, column: str) -> Array:
    values = table.typed[column]
    if is_numeric(values) and any(value is not None and value % 1 for value in values.to_pylist()):
        raise ClassError(
            f"column {column!r} of {table.name} holds fractional numbers: amounts, not classes; name another target, or "
            "cut them into classes first"
        )
    labels = table.labels(column)
    classes = coded(labels)[1]
    rows_each = len(labels) / len(classes)
    if len(classes) > MANY and rows_each < FEW_ROWS:
        raise ClassError(
            f"column {column!r} of {table.name} has {len(classes):,} different values in {len(labels):,} rows: an amount, an "
            "identifier or a text, not classes. assess learns classes: name another column (--label), or cut amounts "
            "into classes first"
        )
    if len(classes) < 2:
        raise ClassError(
            f"two classes or more are needed to learn from; column {column!r} of {table.name} is {classes[0]!r} in all "
            f"{len(labels):,} rows: name another target"
        )
    return labels


def _prepared(model: Any, columns: Learnable) -> Any:
    return prepared(model, numbers=columns.numbers, categories=columns.categories, texts=columns.texts)


def _inner(outer: Any, labels: Array, seed: int) -> Folds:
    """Give the folds in which a search chooses: five, or as many as the smallest class has rows in a training set."""
    if getattr(outer, "kind", None) == "by-time":
        return Folds(3, kind="by-time")
    fewest = int(np.bincount(coded(labels)[0]).min() / 2)
    return Folds(min(5, fewest), random_state=seed) if fewest >= 2 else Folds(3, kind="plain", random_state=seed)


def _growing(procedure: Any, moments: Array | None, seed: int) -> Any:
    """Give the splits of a learning curve, which keep together what the procedure does."""
    kind = getattr(procedure, "kind", "stratified")
    if kind == "by-time" and moments is not None:
        return Folds(max(2, most_time_folds(moments, most=5)), kind="by-time")
    return Holdout(0.2, CURVE_SPLITS, "grouped" if kind == "grouped" else "stratified", seed)
