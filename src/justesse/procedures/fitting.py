"""Fit one model on one split: its answers on the test rows, its costs, or why it failed."""

import json
import sys
import threading
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.checkpoint import Checkpoint
from justesse.core.coded import coded
from justesse.core.errors import InputError
from justesse.core.results import ClassName
from justesse.procedures.splits import Split

Look = Callable[[Any, Any, Any], dict[str, Any]]
COSTS = ("unseen", "train_error", "fit_seconds", "predict_seconds", "peak_bytes", "model_bytes")


@dataclass(frozen=True, eq=False)
class Fit:
    """One model after one split. `answers` holds codes of classes, or numbers; `None` if it failed (see `failure`).

    `unseen` counts the test rows whose class no training row has. `train_error` is the error rate on the training rows,
    or their mean squared error. `peak_bytes`, the peak memory of training, and `model_bytes`, the pickled size of the
    model, are NaN unless asked for.
    """

    repetition: int
    fold: int
    test: Array
    trained: int
    answers: Array | None = None
    probabilities: Array | None = None
    unseen: float = 0.0
    train_error: float = np.nan
    fit_seconds: float = np.nan
    predict_seconds: float = np.nan
    peak_bytes: float = np.nan
    model_bytes: float = np.nan
    notes: dict[str, Any] = field(default_factory=dict)
    failure: str | None = None


@dataclass(frozen=True, eq=False)
class Data:
    """Features, labels and classes; numbers instead of classes where `classes` is `None`."""

    x: Any
    y: Array
    classes: tuple[ClassName, ...] | None

    def code(self, answers: Any, rows: int) -> Array:
        """Check the answers of a model and turn classes into codes."""
        values = np.asarray(answers)
        if values.shape != (rows,):
            raise InputError(f"A model must return one answer for each of {rows} rows; got shape {values.shape}.")
        if self.classes is not None:
            return coded(values, self.classes)[0]
        if not np.all(np.isfinite(values)):
            raise InputError(
                "A model must predict finite numbers, but some of its answers are not. Correct the model, or "
                "leave it out."
            )
        return values.astype(float)

    def error(self, rows: Array, answers: Array) -> float:
        """Compute the error rate, or the mean squared error."""
        return float(np.mean(self.losses(rows, answers)))

    def losses(self, rows: Array, answers: Array) -> Array:
        """Return 1 for a wrong answer and 0 for a right one, or the squared error."""
        if self.classes is None:
            return np.asarray((self.y[rows] - answers) ** 2)
        return np.asarray(coded(self.y[rows], self.classes)[0] != answers, dtype=float)


def fit_split(
    model: Any,
    data: Data,
    split: Split,
    want: Sequence[str] = (),
    look: Look | None = None,
    kept_at: Checkpoint | None = None,
) -> Fit:
    """Train a model and keep its answers on the test rows; if it raises an error, return a failed `Fit`.

    Parameters
    ----------
    model
        The model; a copy of it is trained.
    data
        Features and labels.
    split
        Training rows and test rows.
    want
        What else to keep: "probabilities", "memory".
    look
        Function that returns further notes about the fitted model.
    kept_at
        Where to keep the result on disk. A failure is not kept, so that a later run tries again.
    """
    fit = _read(kept_at, split) if kept_at else None
    if fit is None:
        try:
            fit = _fitted(model, data, split, want, look)
        except Exception as error:
            why = str(error).strip().removesuffix(".") or "no message"  # sentences about it add their own full stop
            return Fit(
                split.repetition, split.fold, split.test, len(split.train), failure=f"{type(error).__name__}: {why}"
            )
        if kept_at:
            _write(kept_at, fit)
    return fit


def _fitted(model: Any, data: Data, split: Split, want: Sequence[str], look: Look | None) -> Fit:
    from sklearn.utils import _safe_indexing

    train, test = (_safe_indexing(data.x, rows) for rows in (split.train, split.test))
    with patiently(), one_thread(), _peak("memory" in want) as peak:
        started = time.perf_counter()
        model.fit(train, data.y[split.train])
        fitted = time.perf_counter()
        bytes_used = peak()
        asked = time.perf_counter()
        answers = data.code(model.predict(test), len(split.test))
        answered = time.perf_counter()
        probabilities = _probabilities(model, test, data) if "probabilities" in want else None
        train_error = data.error(split.train, data.code(model.predict(train), len(split.train)))
        notes = look(model, test, data.y[split.test]) if look else {}
    return Fit(
        split.repetition,
        split.fold,
        split.test,
        len(split.train),
        answers,
        probabilities,
        float(np.sum(~np.isin(data.y[split.test], data.y[split.train]))) if data.classes else 0.0,
        train_error,
        fitted - started,
        answered - asked,
        bytes_used,
        _size(model) if "memory" in want else np.nan,
        notes,
    )


def _probabilities(model: Any, test: Any, data: Data) -> Array | None:
    """Return a column for each class; a class that no training row has gets 0."""
    if data.classes is None or not hasattr(model, "predict_proba"):
        return None
    probabilities = np.asarray(model.predict_proba(test), dtype=float)
    columns = np.zeros((len(probabilities), len(data.classes)))
    columns[:, coded(model.classes_, data.classes)[0]] = probabilities
    return columns


@contextmanager
def _peak(measured: bool) -> Iterator[Callable[[], float]]:
    """Measure the peak memory; NaN if not asked for, or if memory is traced already."""
    if not measured or tracemalloc.is_tracing():
        yield lambda: np.nan
        return
    tracemalloc.start()
    try:
        yield lambda: float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def _size(model: Any) -> float:
    import pickle

    try:
        return float(len(pickle.dumps(model)))
    except Exception:  # what cannot be pickled has no size that way
        return np.nan


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit numeric libraries to one thread: the last digits would otherwise depend on `n_jobs`."""
    with _thread_pools(len(sys.modules)).limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _thread_pools(modules: int) -> Any:
    """Find the libraries that use threads; slow, so only again after further imports."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def patiently() -> Iterator[None]:
    """Silence warnings about training that did not converge: frequent on noisy labels."""
    from sklearn.exceptions import ConvergenceWarning

    if threading.current_thread() is not threading.main_thread():  # filters of warnings are shared by all threads
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def _write(checkpoint: Checkpoint, fit: Fit) -> None:
    assert fit.answers is not None
    costs = np.array([getattr(fit, name) for name in COSTS])
    extra = {} if fit.probabilities is None else {"probabilities": fit.probabilities}
    checkpoint.write(answers=fit.answers, costs=costs, notes=np.array(json.dumps(fit.notes)), **extra)


def _read(checkpoint: Checkpoint, split: Split) -> Fit | None:
    arrays = checkpoint.read()
    if arrays is None or not {"answers", "costs", "notes"} <= set(arrays):
        return None
    if arrays["answers"].shape != (len(split.test),) or arrays["costs"].shape != (len(COSTS),):
        return None
    return Fit(
        split.repetition,
        split.fold,
        split.test,
        len(split.train),
        arrays["answers"],
        arrays.get("probabilities"),
        notes=json.loads(str(arrays["notes"])),
        **dict(zip(COSTS, arrays["costs"].tolist(), strict=True)),
    )
