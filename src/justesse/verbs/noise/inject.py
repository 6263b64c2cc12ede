"""`justesse.noise_inject`: make some labels wrong on purpose, and keep the true classes."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from justesse.annotators.one_model import one_model
from justesse.core.coded import coded
from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.core.parallel_map import Progress
from justesse.core.renamed import renamed
from justesse.core.results import ClassName
from justesse.core.seeds import check_seed
from justesse.frames.columns import guess_label
from justesse.frames.native import TABLES, check_place
from justesse.frames.table import read_table
from justesse.frames.transition_table import transition_table
from justesse.noise.inject import inject
from justesse.noise.models import ByClass, check_rate, noise_by_class
from justesse.noise.noisy import Noisy
from justesse.noise.transition import Transition
from justesse.report.writing import message
from justesse.verbs.noise.feature_noise import Labelled, PathLike, Sources, feature_ranking, trained_on
from justesse.verbs.noise.injection import Injection, Version
from justesse.verbs.noise.options import InjectedColumnOptions, InjectedNoise
from justesse.verbs.options.intervals import SeedOptions
from justesse.verbs.recorded import recorded

ONLY_FOR: dict[str, tuple[InjectedNoise, ...]] = {
    "transition": ("transition",),
    "answers": ("features",),
    "votes": ("features",),
    "on": ("features",),
    "ranking": ("features",),
    "features": ("features", "one-model"),
    "annotators": ("features", "one-model"),
    "checkpoint": ("features", "one-model"),
}
NOT_NESTED = (
    "Each rate comes from another model, so the wrong labels of a lower rate are not part of those of a higher one."
)


@recorded
@renamed(model="noise", rate="noise_rate", rates="noise_rates", true_column="true")
def noise_inject(
    data: Any,
    *,
    noise: InjectedNoise,
    noise_rate: float | None = None,
    noise_rates: Sequence[float] | None = None,
    to: PathLike | None = None,
    label: str | None = None,
    true: str = InjectedColumnOptions.true,
    classes: Sequence[ClassName] | None = None,
    transition: Any = None,
    answers: Any = None,
    votes: Any = None,
    on: str | None = None,
    features: Sequence[str] | None = None,
    annotators: int | None = None,
    ranking: PathLike | None = None,
    seed: int = SeedOptions.seed,
    jobs: int | None = None,
    checkpoint: PathLike | None = None,
    progress: Progress | None = None,
) -> Injection:
    """Make a share of the labels wrong, and keep the true classes in another column.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays with a column of labels.
    noise
        Which labels become wrong. uniform (or symmetric): every wrong class is equally likely. pair-flip: each class
        becomes the next one of `classes`. transition: by the table `transition`. features: the hardest rows get their
        most plausible wrong class. one-model: the labels are the predictions of the model whose error is nearest to the
        rate.
    noise_rate
        Share of labels to make wrong, such as 0.05. Default for transition: the rate of the table.
    noise_rates
        Several shares, such as [0.01, 0.05]: one version each. Wrong labels of a lower rate are part of those of a
        higher one, except for one-model.
    to
        File to write the table with noisy labels to, .csv or .parquet.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    true
        Name of the new column with the true classes. Default: true.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    transition
        CSV table of the shares of each label (columns) for each true class (rows).
    answers
        File or data frame with a column of answers for each annotator, people or models.
    votes
        File or data frame with a column of votes for each class.
    on
        Column with the id of the answers or votes. Default: rows are in the same order.
    features
        List of columns to train models on. Default: all columns of numbers.
    annotators
        Number of artificial annotators to train. Default: 100; 24 models for one-model.
    ranking
        Parquet file for the difficulty of the rows: used if it exists, written if not.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    jobs
        Number of models to train in parallel, such as 4; -1 uses all cores. Default: one at a time.
    checkpoint
        Directory for finished models, so that a run that was stopped continues.
    progress
        Called with (done, total).

    Notes
    -----
    Do not use it on labels that are already noisy if the true classes matter: what is kept as true is the label given.
    Benjelloun (2021), 6.5.2 and 7.8.1.

    Examples
    --------
    >>> made = noise_inject({"x": range(200), "label": ["cat", "dog"] * 100}, noise="uniform", noise_rate=0.1)
    >>> made.versions[0].noisy
    Noisy(200 labels, 20 wrong: realised rate 0.1000, asked 0.1000, uniform noise: ...)
    >>> made.to_frame().column_names
    ['x', 'label', 'true']
    """
    checked_rates = _rates(noise, noise_rate, noise_rates)
    check_seed(seed)
    options = {"transition": transition, "answers": answers, "votes": votes, "on": on, "ranking": ranking,
               "features": features, "annotators": annotators, "checkpoint": checkpoint}  # fmt: skip
    for name, value in options.items():
        if value is not None and noise not in ONLY_FOR[name]:
            raise OptionError(
                f"{name} (--{name}) is for {' or '.join(ONLY_FOR[name])} noise, not for {noise}. Leave it out."
            )
    if noise == "transition" and transition is None:
        raise OptionError("Transition noise needs a table of P(label | true): transition=… (--transition t.csv).")
    sources = Sources(answers, votes, on, features, annotators, ranking, seed, jobs, checkpoint, progress)
    if to is not None:
        check_place(Path(to), endings=TABLES, read=(data, answers, votes, transition, ranking))
    table = read_table(data)
    column = guess_label(table.columns, table.name, label)
    labelled = Labelled.of(table, column, classes)
    columns = (
        [column] if noise_rates is None else [f"label_{share:.12g}" for share in checked_rates if share is not None]
    )
    if true in (*table.columns, *columns):
        raise ColumnError(
            f"{table.name} already has a column {true!r}. Choose another name for the true classes with true=… "
            "(--true)."
        )
    if noise_rates is not None and (there := [name for name in columns if name in table.columns]):
        raise ColumnError(f"{table.name} already has a column {there[0]!r}. Rename it first.")
    made, warnings = _noisy(noise, labelled, checked_rates, transition, sources)
    table = table.copied(column, true)
    for name, noisy in zip(columns, made, strict=True):
        old, new = (coded(part, noisy.classes)[0] for part in (noisy.true, noisy.label))
        table = table.relabelled(true, name, old, new, noisy.classes)
    for noisy in made:
        if noisy.spared is not None and noisy.spared.any():
            template = (
                "At rate {rate:g}, {n:count} rows were left right: no annotator gave another class, so no wrong class is "
                "plausible."
            )
            warnings.append(str(message(template, rate=noisy.rate, n=int(noisy.spared.sum()))))
    if to is not None:
        table.save(Path(to))
    versions = tuple(Version(noisy, name) for name, noisy in zip(columns, made, strict=True))
    return Injection(noise, versions, table, data, None if to is None else Path(to), tuple(warnings))


def _rates(noise: InjectedNoise, noise_rate: float | None, noise_rates: Sequence[float] | None) -> list[float | None]:
    """Check the model and its rates; a transition table has its own, `None`, unless one is given."""
    if noise not in get_args(InjectedNoise):
        raise OptionError(f"noise must be one of {', '.join(get_args(InjectedNoise))}; got {noise!r}.")
    if noise_rate is not None and noise_rates is not None:
        raise OptionError("Give one rate (noise_rate) or several (noise_rates), not both.")
    if noise_rates is not None:
        if not len(noise_rates):
            raise OptionError("noise_rates needs at least one rate, such as 0.05; got none.")
        return [check_rate(share) for share in dict.fromkeys(noise_rates)]
    if noise_rate is None and noise != "transition":
        raise OptionError(f"{noise.capitalize()} noise needs a rate, such as noise_rate=0.05 (--noise-rate 5%).")
    return [None if noise_rate is None else check_rate(noise_rate)]


def _noisy(
    model: InjectedNoise, labelled: Labelled, rates: Sequence[float | None], transition: Any, sources: Sources
) -> tuple[list[Noisy], list[str]]:
    """Make the noisy labels, one version for each rate."""
    labels, classes, seed = labelled.labels, labelled.classes, sources.seed
    if model == "features":
        ranked = feature_ranking(labelled, sources)
        made = [inject(labels, ranked.ranking, rate=rate) for rate in rates]
        return [replace(noisy, seed=ranked.seed) for noisy in made], list(ranked.warnings)
    if model == "one-model":
        return _of_one_model(labelled, rates, sources)
    if model == "transition":
        array, names = transition_table(transition, classes)
        shares = np.nan_to_num(Transition.from_table(array, names).matrix)  # a class never re-checked is left right
        by_table = ByClass.from_counts(shares, names)
        return [inject(labels, by_table, rate=rate, seed=seed) for rate in rates], []
    return [inject(labels, noise_by_class(model, rate or 0.0, classes), seed=seed) for rate in rates], []


def _of_one_model(labelled: Labelled, rates: Sequence[float | None], sources: Sources) -> tuple[list[Noisy], list[str]]:
    matrix, warnings = trained_on(labelled, sources)
    size: Any = {} if sources.annotators is None else {"n": sources.annotators}
    versions = []
    for rate in rates:
        assert rate is not None
        try:
            made = one_model(matrix, labelled.labels, rate, **size, **sources.training)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(
                f"Models cannot be trained on {labelled.table.name} ({error}). Check its columns."
            ) from error
        words = str(message("the predictions of one model, {name}", name=made.name))
        versions.append(Noisy(made.true, made.label, made.classes, words, rate, made.seed, None, made.assumptions))
    return versions, [*warnings, *([NOT_NESTED] if len(versions) > 1 else [])]
