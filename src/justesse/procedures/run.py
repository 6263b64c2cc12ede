"""Fit models on every split of a procedure, and keep their answers on the test rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.annotators.seeded import seeded
from justesse.core.arrays import Array
from justesse.core.checkpoint import Checkpoint
from justesse.core.coded import coded, named
from justesse.core.errors import ClassError, OptionError
from justesse.core.parallel_map import Progress, parallel_map
from justesse.core.results import ClassName
from justesse.core.seeds import check_seed, stream
from justesse.core.tally import Tally
from justesse.measures.regression.sums import Sums
from justesse.procedures.fitting import Data, Fit, Look, fit_split
from justesse.procedures.folds import Folds
from justesse.procedures.kinds import rows_of
from justesse.procedures.splits import split_count, splits

Want = Literal["probabilities", "memory"]


@dataclass(frozen=True, eq=False)
class OutOfSample:
    """Answers of models on rows they were not trained on, split by split, and their failures."""

    procedure: Any
    data: Data
    fits: dict[str, tuple[Fit, ...]]
    seed: int
    groups: Array | None = None

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self.fits)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.data.y)

    def answered(self, model: str) -> list[Fit]:
        """Return the splits in which a model answered."""
        if model not in self.fits:
            raise OptionError(f"There is no model {model!r}. Models: {', '.join(map(repr, self.models))}.")
        return [fit for fit in self.fits[model] if fit.answers is not None]

    @property
    def failures(self) -> list[dict[str, Any]]:
        """List the model, split and reason of every failure."""
        return [
            {"model": model, "repetition": fit.repetition, "fold": fit.fold, "failure": fit.failure}
            for model, fits in self.fits.items()
            for fit in fits
            if fit.failure
        ]

    def table(self) -> dict[str, list[Any]]:
        """Lay out every answer: row, repetition, fold, label, and a column for each model.

        The columns feed `evaluate` and `compare`. The answer of a model that failed is `None`. A row tested in several
        repetitions appears several times: choose one repetition before treating rows as independent.
        """
        first = next(iter(self.fits.values()))
        sizes = [len(fit.test) for fit in first]
        test = np.concatenate([fit.test for fit in first])
        columns: dict[str, list[Any]] = {
            "row": test.tolist(),
            "repetition": np.repeat([fit.repetition for fit in first], sizes).tolist(),
            "fold": np.repeat([fit.fold for fit in first], sizes).tolist(),
            "label": self.data.y[test].tolist(),
        }
        for model, fits in self.fits.items():
            columns[model] = [answer for fit in fits for answer in self._answers(fit)]
            if any(fit.probabilities is not None for fit in fits):
                for at, name in enumerate(self.data.classes or ()):
                    columns[f"{model}: {name}"] = [
                        probability for fit in fits for probability in self._probabilities(fit, at)
                    ]
        return columns

    def _answers(self, fit: Fit) -> list[Any]:
        if fit.answers is None:
            return [None] * len(fit.test)
        answers = fit.answers if self.data.classes is None else named(fit.answers, self.data.classes)
        return list(answers.tolist())

    def _probabilities(self, fit: Fit, at: int) -> list[Any]:
        return [None] * len(fit.test) if fit.probabilities is None else list(fit.probabilities[:, at].tolist())

    def tally(self, fits: Sequence[Fit]) -> Tally:
        """Count label × prediction over some splits of one model."""
        classes = self._classes()
        test, answers = self._joined(fits)
        columns = [(coded(self.data.y[test], classes)[0], classes), (answers, classes)]
        ones = np.ones(len(test), dtype=np.int64)
        return Tally.from_codes(("label", "prediction"), columns, ones, classes=classes)

    def sums(self, fits: Sequence[Fit]) -> Sums:
        """Sum up numeric answers over some splits of one model."""
        test, answers = self._joined(fits)
        return Sums.of(self.data.y[test], answers)

    def _classes(self) -> tuple[ClassName, ...]:
        if self.data.classes is None:
            raise OptionError(
                "The models predict numbers, not classes, so there are no counts per class. Use score(...)."
            )
        return self.data.classes

    @staticmethod
    def _joined(fits: Sequence[Fit]) -> tuple[Array, Array]:
        return np.concatenate([fit.test for fit in fits]), np.concatenate([np.asarray(fit.answers) for fit in fits])


def run(
    models: Mapping[str, Any],
    x: Any,
    y: ArrayLike,
    procedure: Any = None,
    *,
    groups: ArrayLike | None = None,
    regression: bool | None = None,
    want: Sequence[Want] = (),
    look: Look | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> OutOfSample:
    """Train every model on every split of a procedure and keep its answers on the test rows.

    Parameters
    ----------
    models
        Name → anything with `fit` and `predict`. All models share the splits.
    x
        Features: an array, a sparse matrix or a data frame.
    y
        Label of each row.
    procedure
        `Folds`, `Holdout`, `Bootstrap`, or a splitter of scikit-learn. Default: ten folds, stratified for classes.
    groups
        Group of each row, or its time for a procedure by time.
    regression
        Whether labels are numbers. Default: whether the models are regressors.
    want
        What else to keep: "probabilities", "memory".
    look
        Function of a fitted model, test features and test labels that returns notes to keep.
    seed
        Seed of the models.
    n_jobs
        Models to train in parallel. Default: 1.
    checkpoint
        Folder that keeps finished work, so that a stopped run can continue.
    progress
        Called with the fits done and the total after each fit.

    Notes
    -----
    A model that fails in some splits is listed in `failures`, and the run continues. Answers do not depend on `n_jobs`.
    Not for rows that were used to choose a model: see `nested`.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> runs = run({"bayes": GaussianNB()}, *load_iris(return_X_y=True), Folds(5))
    >>> table = runs.table()
    >>> list(table), len(table["row"]), runs.failures
    (['row', 'repetition', 'fold', 'label', 'bayes'], 150, [])
    """
    check_seed(seed)
    if not models:
        raise OptionError("At least one model is required, such as {'name': model}; got none.")
    data = checked_data(models, x, y, regression)
    rows = len(data.y)
    groups = None if groups is None else np.asarray(groups)
    if procedure is None:
        procedure = Folds(kind="plain" if data.classes is None else "stratified")
    total = split_count(procedure, rows, data.y, groups)
    same_data = _hashed(data) if checkpoint else ""

    def jobs() -> Iterator[tuple[Any, ...]]:
        for split in splits(procedure, rows, data.y, groups):
            for name, model in models.items():
                chance = stream(seed, "model", name, str(split.repetition), str(split.fold))
                own, kept_at = seeded(model, chance), None
                if checkpoint:
                    facts = (same_data, seed, own, split.train, split.test, sorted(want), look)
                    kept_at = Checkpoint.of(checkpoint, f"{split.repetition:04d}-{split.fold:04d}", (name, facts))
                yield own, data, split, want, look, kept_at

    all_fits = list(parallel_map(fit_split, jobs(), total=total * len(models), n_jobs=n_jobs, progress=progress))
    fits = {name: tuple(all_fits[at :: len(models)]) for at, name in enumerate(models)}
    if all(fit.failure for fit in all_fits):
        raise OptionError(f"Every model failed in every split. The first failure: {all_fits[0].failure}.")
    return OutOfSample(procedure, data, fits, seed, groups)


def checked_data(models: Mapping[str, Any], x: Any, y: ArrayLike, regression: bool | None) -> Data:
    """Check rows and labels; labels are classes unless the models predict numbers."""
    kinds = {_answers_numbers(model) for model in models.values()} if regression is None else {regression}
    if len(kinds) > 1:
        raise OptionError("Some models predict numbers and others classes. Run them separately.")
    labels = np.asarray(y) if hasattr(y, "__array__") else np.array(y, dtype=object)
    if labels.ndim != 1 or rows_of(x) != len(labels) or not len(labels):
        raise OptionError(f"Each row needs one label; got {rows_of(x)} rows and labels of shape {labels.shape}.")
    if kinds.pop():
        try:
            numbers = labels.astype(float)
        except (TypeError, ValueError) as error:
            raise OptionError(
                f"Models that predict numbers need numeric labels ({error}). Correct the labels, or use a classifier."
            ) from error
        if not np.all(np.isfinite(numbers)):
            raise OptionError("Labels must be finite numbers, but some are not. Leave those rows out.")
        return Data(x, numbers, None)
    codes, classes = coded(labels)
    if len(classes) < 2:
        raise ClassError(
            f"At least two classes are required, but all {len(labels)} labels are {classes[0]!r}. Use labels of "
            "several classes."
        )
    return Data(x, named(codes, classes), classes)


def _answers_numbers(model: Any) -> bool:
    from sklearn.base import is_regressor

    try:
        return bool(is_regressor(model))
    except Exception:  # models from elsewhere may not tell
        return False


def _hashed(data: Data) -> str:
    import joblib

    return str(joblib.hash((data.x, data.y, data.classes)))
