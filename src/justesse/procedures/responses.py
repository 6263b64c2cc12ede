"""What models cost: time to train and to predict, memory, size."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.results import Estimate, check_level
from justesse.intervals.student import student
from justesse.procedures.run import OutOfSample

ASSUMPTIONS = (
    "times are wall-clock times on this machine, one thread per model; models trained in parallel slow each other down",
    "memory is the peak that Python and NumPy allocated during training; other libraries are not counted",
)


@dataclass(frozen=True)
class Responses:
    """Costs of one model, as means over the splits. Memory and size are NaN, with the reason, unless asked for."""

    model: str
    fit_seconds: Estimate
    predict_seconds_per_row: Estimate
    peak_bytes: Estimate
    model_bytes: Estimate
    n: int
    assumptions: tuple[str, ...] = ASSUMPTIONS

    def to_dict(self) -> dict[str, Any]:
        parts = (self.fit_seconds, self.predict_seconds_per_row, self.peak_bytes, self.model_bytes)
        return {
            "model": self.model,
            "n": self.n,
            **{part.name: part.to_dict() for part in parts},
            "assumptions": list(self.assumptions),
        }


def responses(runs: OutOfSample, model: str, *, level: float = 0.95) -> Responses:
    """Compute the mean time and memory of a model, with Student's interval over the splits.

    Ask for memory with `run(..., want=["memory"])`; it slows training down, so take times from another run. Do not
    compare across machines, or across models of one run with `n_jobs` above 1. Lecture 002 (14.1).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.procedures.run import run
    >>> made = responses(run({"bayes": GaussianNB()}, *load_iris(return_X_y=True)), "bayes")
    >>> made.fit_seconds.value > 0, made.peak_bytes.undefined
    (True, "not measured: run it with want=['memory']")
    """
    check_level(level)
    fits = runs.answered(model)
    return Responses(
        model,
        _mean("fit_seconds", [fit.fit_seconds for fit in fits], level),
        _mean("predict_seconds_per_row", [fit.predict_seconds / len(fit.test) for fit in fits], level),
        _mean("peak_bytes", [fit.peak_bytes for fit in fits], level),
        _mean("model_bytes", [fit.model_bytes for fit in fits], level),
        len(fits),
    )


def _mean(name: str, values: list[float], level: float) -> Estimate:
    known = [value for value in values if np.isfinite(value)]
    if not known:
        return Estimate(name, np.nan, 0, undefined="not measured: run it with want=['memory']")
    if len(known) == 1:
        return Estimate(name, known[0], 1, undefined="no interval: one split does not show how much it varies")
    made = student(known, level=level)
    return Estimate(name, made.value, made.n, made.interval, made.undefined)
