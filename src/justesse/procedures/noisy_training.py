"""Train learners on noisy labels, and count on other rows what they answer against the noisy and the true label."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from justesse.annotators.seeded import seeded
from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.core.errors import ClassError, OptionError
from justesse.core.parallel_map import Progress, parallel_map
from justesse.core.quantity import quantity
from justesse.core.results import Estimate
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals import wilson
from justesse.intervals.student import student
from justesse.noise.noisy import Noisy
from justesse.noise.rung import Written
from justesse.procedures.fitting import one_thread, patiently

SPLITS = "training sets overlap as random splits of one data set do (interval of Nadeau and Bengio)"
ONE_SPLIT = "one split: the interval is for its test rows alone, not for another training set"


RowT = TypeVar("RowT", bound=Written, covariant=True)


@dataclass(frozen=True)
class NoisyTrainingResult(Generic[RowT]):
    """What learners did after training on noisy labels, a row for each learner and kind or rate of noise."""

    rows: tuple[RowT, ...]
    noise: str
    test_share: float
    repeats: int
    level: float
    seed: int
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "noise": self.noise,
            "test_share": self.test_share,
            "repeats": self.repeats,
            "level": self.level,
            "seed": self.seed,
            "assumptions": list(self.assumptions),
            "rows": [row.to_dict() for row in self.rows],
        }


@dataclass(frozen=True, eq=False)
class Run:
    """One learner, trained on the noisy labels of one split: true × label × prediction on its test rows.

    `test` lists those rows and `prediction` what was answered for each, to be held against other labels too.
    """

    learner: str
    version: Hashable
    repeat: int
    train_rate: float
    tally: Tally
    test: Array
    prediction: Array


def noisy_training(
    x: Any,
    y: ArrayLike,
    versions: Callable[[int], Mapping[Any, Noisy]],
    learners: Mapping[str, Any],
    *,
    test_share: float,
    repeats: int,
    seed: int,
    n_jobs: int | None,
    progress: Progress | None = None,
) -> list[Run]:
    """Split at random, stratified by true class, train every learner on every noisy version, and count on the rest.

    Within a repetition all learners and all versions share the split.

    Parameters
    ----------
    x
        Features, one row per instance.
    y
        True class of each row.
    versions
        Function that returns the noisy labels of all rows, by name, from a seed. Each repetition has its own seed.
    learners
        Models to train, by name.
    test_share
        Share of rows to test on.
    repeats
        Number of random splits.
    seed
        Seed of the splits.
    n_jobs
        Number of models trained in parallel.
    progress
        Called with the number of finished models and the number of all models.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from justesse.noise.inject import inject
    >>> from justesse.noise.models import Uniform
    >>> x, y = np.arange(20)[:, None], np.repeat(["a", "b"], 10)
    >>> made = {"uniform": inject(y, Uniform(0.1))}
    >>> options = {"test_share": 0.2, "repeats": 1, "seed": 0, "n_jobs": None}
    >>> [run] = noisy_training(x, y, lambda own_seed: made, {"tree": DecisionTreeClassifier()}, **options)
    >>> run.tally.axes, run.tally.n
    (('true', 'label', 'prediction'), 4)
    """
    if not 0 < test_share < 1 or repeats < 1 or not learners:
        raise OptionError(
            "Needs test_share between 0 and 1, repeats of at least 1 and at least one learner; got "
            f"test_share={test_share!r}, repeats={repeats!r} and {quantity(len(learners), 'learner')}."
        )
    jobs = []
    for part in noisy_splits(y, test_share=test_share, repeats=repeats, seed=seed):
        for version, noisy in versions(part.noise_seed).items():
            for name, learner in learners.items():
                model = seeded_learner(name, learner, seed, part.repeat)
                jobs.append((name, version, part.repeat, model, x, noisy, part.train, part.test))
    return list(parallel_map(_run, jobs, total=len(jobs), n_jobs=n_jobs, progress=progress))


@dataclass(frozen=True, eq=False)
class NoisySplit:
    """One random split: its training and test rows, and the seed of its noise."""

    repeat: int
    train: Array
    test: Array
    noise_seed: int


def noisy_splits(y: ArrayLike, *, test_share: float, repeats: int, seed: int) -> list[NoisySplit]:
    """Split the rows at random several times, stratified by true class; the same seed gives the same splits."""
    from sklearn.model_selection import train_test_split

    codes, classes = coded(y)
    counts = np.bincount(codes, minlength=len(classes))
    if np.any(counts < 2):
        raise ClassError(
            f"Class {classes[int(counts.argmin())]!r} needs at least two rows, one to train and one to test. "
            "Add rows, or merge classes."
        )
    splits = []
    for repeat in range(repeats):
        generator = stream(seed, "split", str(repeat))
        train, test = train_test_split(
            np.arange(len(codes)),
            test_size=test_share,
            stratify=codes,
            random_state=int(generator.integers(1 << 31)),
        )
        splits.append(NoisySplit(repeat, train, test, int(stream(seed, "noise", str(repeat)).integers(1 << 31))))
    return splits


def seeded_learner(name: str, learner: Any, seed: int, repeat: int) -> Any:
    """Copy a learner with the random numbers that it has in one repetition, whatever it is trained on."""
    return seeded(learner, stream(seed, "learner", name, str(repeat)))


def _run(name: str, version: Hashable, repeat: int, model: Any, x: Any, noisy: Noisy, train: Array, test: Array) -> Run:
    from sklearn.utils import _safe_indexing

    learnt, asked = noisy.part(train), noisy.part(test)
    with patiently(), one_thread():
        prediction = model.fit(_safe_indexing(x, train), learnt.label).predict(_safe_indexing(x, test))
    columns = [(coded(column, noisy.classes)[0], noisy.classes) for column in (asked.true, asked.label, prediction)]
    ones = np.ones(len(test), dtype=np.int64)
    tally = Tally.from_codes(("true", "label", "prediction"), columns, ones, classes=noisy.classes)
    return Run(name, version, repeat, learnt.realised, tally, test, np.asarray(prediction))


def share_over_repeats(
    name: str, hits: Sequence[float], trials: Sequence[float], *, level: float, test_share: float
) -> Estimate:
    """Give the mean of a share over random splits with its interval: Nadeau and Bengio's, or Wilson's for one split.

    Splits with nothing to count are left out.

    >>> result = share_over_repeats("error", [3, 5, 4], [20, 20, 20], level=0.95, test_share=0.2)
    >>> round(result.value, 3), str(result.interval)
    (0.2, '[0.0357, 0.3643]')
    >>> share_over_repeats("f_n", [0, 0], [0, 0], level=0.95, test_share=0.2).undefined
    'no split has a row to count'
    """
    counted = [(hit, trial) for hit, trial in zip(hits, trials, strict=True) if trial > 0]
    if not counted:
        return Estimate(name, np.nan, 0, undefined="no split has a row to count")
    if len(counted) == 1:
        (hit, trial), *_ = counted
        return Estimate(name, hit / trial, trial, wilson(hit, trial, level=level).intervals()[0], is_share=True)
    result = student(
        [hit / trial for hit, trial in counted], level=level, test_over_train=test_share / (1 - test_share)
    )
    interval = None if result.interval is None else replace(result.interval, bounds=(0.0, 1.0))
    return replace(result, name=name, interval=interval, is_share=True)
