"""`justesse.noise_resist`: how much wrong training labels harm learners."""

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from justesse.core.errors import InputError, OptionError
from justesse.core.parallel_map import Progress
from justesse.core.renamed import renamed
from justesse.core.results import ClassName
from justesse.core.seeds import check_seed
from justesse.frames.columns import guess_label
from justesse.frames.features import features as learnt_from
from justesse.frames.table import read_table
from justesse.noise.inject import Noise, inject
from justesse.noise.models import check_rate, noise_by_class
from justesse.procedures.learners import USUAL, learners
from justesse.procedures.realism import realism as how_realistic
from justesse.procedures.resist import resist
from justesse.verbs.noise.feature_noise import Labelled, PathLike, Sources, feature_ranking
from justesse.verbs.noise.options import LearnerOptions, TrainingCleaningOptions, TrainingNoise, TrainingNoiseOptions
from justesse.verbs.noise.resistance import NoiseResistance
from justesse.verbs.noise.training_filters import check_filters, checked_arms, training_filters
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.recorded import recorded

RATES = (0.0, 0.05, 0.1, 0.2, 0.4)


def noise_in_model(function: Callable[..., NoiseResistance]) -> Callable[..., NoiseResistance]:
    """Accept a kind of noise as `model`, its old name, and warn; today `model` names the learners."""

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> NoiseResistance:
        if isinstance(options.get("model"), str) and options["model"] in get_args(TrainingNoise):
            warnings.warn(
                "noise_resist: 'model' is now called 'noise'. The old name still works.", FutureWarning, stacklevel=2
            )
            options["noise"] = options.pop("model")
        return function(*arguments, **options)

    return call


@recorded
@noise_in_model
@renamed(target="label", learner="model", rates="noise_rates")
def noise_resist(
    data: Any,
    *,
    label: str | None = None,
    model: str | Sequence[str] | Mapping[str, Any] | None = None,
    noise_rates: Sequence[float] | None = None,
    noise: TrainingNoise = TrainingNoiseOptions.noise,
    features: Sequence[str] | None = None,
    classes: Sequence[ClassName] | None = None,
    annotators: int | None = None,
    ranking: PathLike | None = None,
    realism: bool = False,
    test_share: float = LearnerOptions.test_share,
    repeats: int = LearnerOptions.repeats,
    level: float = ConfidenceOptions.level,
    seed: int = SeedOptions.seed,
    jobs: int | None = None,
    filter: str | Sequence[str] | None = None,
    arm: str | Sequence[str] | None = None,
    filter_model: str | Sequence[str] | Mapping[str, Any] | None = None,
    k: int = TrainingCleaningOptions.k,
    progress: Progress | None = None,
) -> NoiseResistance:
    """Train learners on labels with more and more noise, and measure their errors on clean test labels.

        error = share of test rows with prediction ≠ label given, mean over random splits

    Parameters
    ----------
    data
        Path, data frame or dict of arrays.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    model
        Learners: names out of tree, forest, logistic, neighbours, bayes, boosting and network, or made for wrong labels
        (bagging, bounded, forward, backward), or a dict of name → scikit-learn estimator. Default: tree, neighbours,
        logistic and bayes.
    noise_rates
        Shares of wrong training labels, such as [0, 0.3]. Default: [0, 0.05, 0.1, 0.2, 0.4].
    noise
        Which labels become wrong. uniform: every wrong class is equally likely. pair-flip: each class becomes the next
        one of `classes`. features: the hardest rows get their most plausible wrong class. Default: uniform.
    features
        List of columns to learn from. Default: all columns of numbers and of names.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    annotators
        Number of artificial annotators to train for `noise="features"`. Default: 100.
    ranking
        Parquet file for the difficulty of the rows: used if it exists, written if not.
    realism
        Also measure how often learners repeat the noise on unseen rows, compared with other noise of the same rate.
    test_share
        Share of rows to test on, such as 0.3. Default: 0.2.
    repeats
        Number of random splits, such as 10. Default: 5.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    jobs
        Number of models to train in parallel, such as 4; -1 uses all cores. Default: one at a time.
    filter
        Filter, or list of filters, that clean the training labels too, such as "edited-neighbours(neighbours=5)".
        Filters are those of `justesse.clean`; oracle knows the true classes. Default: none.
    arm
        What training does with flagged rows, or a list: remove, weight, correct or drop-label (and self-train).
        Default: all four.
    filter_model
        Models that the filters train, by name or as a dict of name → estimator. Default: logistic for probabilities;
        tree, neighbours, logistic and bayes for votes; tree and bayes for partition.
    k
        Number of folds of the filters; each row is judged by models trained on the other folds. Default: 5.
    progress
        Called with (done, total).

    Notes
    -----
    All learners share splits and noise, so differences between them are known better than their single intervals
    suggest. Labels are used as true classes. Do not use it on labels that are already noisy: rate 0 is
    then not clean. Benjelloun (2021), 3.3.1 and 7.8.1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> data = {"length": x[:, 2], "width": x[:, 3], "label": y}
    >>> resistance = noise_resist(data, model=["tree", "bayes"], noise_rates=[0, 0.3], repeats=3)
    >>> [(row["learner"], row["rate"], round(row["error"], 2)) for row in resistance.to_dict()["resist"]]
    [('tree', 0.0, 0.03), ('tree', 0.3, 0.31), ('bayes', 0.0, 0.06), ('bayes', 0.3, 0.09)]
    """
    check_seed(seed)
    models = USUAL if model is None else [model] if isinstance(model, str) else model
    if noise not in get_args(TrainingNoise):
        raise OptionError(f"noise must be one of {', '.join(get_args(TrainingNoise))}; got {noise!r}.")
    checked_rates = [check_rate(rate) for rate in dict.fromkeys(RATES if noise_rates is None else noise_rates)]
    if not checked_rates:
        raise OptionError("noise_rates needs at least one rate, such as 0.05; got none.")
    for name, value in (("annotators", annotators), ("ranking", ranking)):
        if value is not None and noise != "features":
            raise OptionError(f"{name} (--{name}) is for noise by features, not for {noise}. Leave it out.")
    asked_filters = [] if filter is None else [filter] if isinstance(filter, str) else list(filter)
    if not asked_filters and (arm is not None or filter_model is not None):
        raise OptionError(
            "arm=… (--arm) and filter_model=… (--filter-model) need a filter. Name one with filter=… (--filter), such as "
            "confident-learning."
        )
    arms = checked_arms(arm)
    sources = Sources(annotators=annotators, ranking=ranking, seed=seed, jobs=jobs, progress=progress)
    learners(models)  # an unknown one is refused before anything is read
    check_filters(asked_filters)
    table = read_table(data)
    column = guess_label(table.columns, table.name, label)
    labelled = Labelled.of(table, column, classes)
    columns = learnt_from(table, chosen=features, without=[column], text=True)
    injected: Noise
    notes = list(columns.warnings)
    if noise == "features":
        numbers = [name for at, name in enumerate(columns.names) if at not in columns.text]
        ranked = feature_ranking(labelled, replace(sources, features=numbers))
        injected, notes = ranked.ranking, [*notes, *ranked.warnings]
    else:
        injected = noise_by_class(noise, 0.1, labelled.classes)
    options: Any = {"learners": learners(models, text=columns.text), "test_share": test_share, "repeats": repeats,
                    "level": level, "seed": seed, "n_jobs": jobs, "progress": progress}  # fmt: skip
    cleaners = training_filters(asked_filters, columns, labelled.labels, labelled.classes, filter_model, k)
    try:
        resisted = resist(
            columns.matrix, labelled.labels, rates=checked_rates, noise=injected, filters=cleaners, arms=arms, **options
        )
        repeated = None
        if realism:
            versions = [
                (rate, inject(labelled.labels, injected, rate=rate, seed=seed)) for rate in checked_rates if rate
            ]
            repeated = tuple((rate, how_realistic(columns.matrix, noisy, **options)) for rate, noisy in versions)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"A learner cannot be trained on {table.name} ({error}). Check its columns.") from error
    return NoiseResistance(resisted, repeated, column, columns.names, data, tuple(notes))
