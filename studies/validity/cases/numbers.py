"""Measures of numeric predictions, and paired differences of two models."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from justesse.core.seeds import stream
from justesse.intervals.estimate import Confidence
from justesse.intervals.numeric_differences import numeric_differences
from justesse.intervals.numeric_estimates import numeric_estimates
from justesse.measures.regression import ALL, Sums
from studies.validity.case import ADVERSARIAL, FRESH, Case, Hits, Setting, covered

Run = Callable[[int, int], Mapping[str, Hits]]
DRAWS, LARGE = 600, 2_000_000
STEADIER = "MAE, which a few large errors move less"
ERRORS: dict[str, Callable[[np.random.Generator, Any], Any]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "skewed": lambda rng, shape: rng.standard_exponential(shape) - 1,
    "very heavy-tailed": lambda rng, shape: rng.standard_t(3, size=shape) / np.sqrt(3),
    "2 % outliers of ten times the size among": lambda rng, shape: _outliers(rng, shape, 0.02, 10.0),
    "5 % outliers of six times the size among": lambda rng, shape: _outliers(rng, shape, 0.05, 6.0),
    "gamma (shape 0.5)": lambda rng, shape: rng.gamma(0.5, size=shape) - 0.5,
    "mostly no": lambda rng, shape: np.where(rng.random(shape) < 0.7, 0.0, 2 * rng.normal(size=shape)),
    "bimodal": lambda rng, shape: 1.5 * rng.choice([-1.0, 1.0], size=shape) + 0.2 * rng.normal(size=shape),
    "heavy-tailed": lambda rng, shape: rng.standard_t(5, size=shape) / np.sqrt(5 / 3),
}


def _outliers(rng: np.random.Generator, shape: Any, share: float, size: float) -> Any:
    return rng.normal(size=shape) * np.where(rng.random(shape) < share, size, 1.0)


def _drawn(rng: np.random.Generator, n: int, errors: str) -> tuple[Any, Any, Any]:
    """Draw labels and two models that share part of their errors; labels stay above -1, as RMSLE needs."""
    label, shared = rng.normal(15, 2, n), 0.6 * rng.normal(size=n)
    own = ERRORS[errors](rng, (2, n))
    return label, np.maximum(label + shared + own[0], 0), np.maximum(label + shared + 0.8 * own[1], 0)


@cache
def _true_values(errors: str) -> dict[str, tuple[float, float]]:
    """Give the values of the first model and the differences, positive if the second is better."""
    label, *both = _drawn(stream(0, "true numbers", errors), LARGE, errors)
    first, second = (Sums.of(label, predictions).total for predictions in both)
    signs = {item.name: 1 if item.greater_is_better else -1 for item in ALL}
    return {item.name: (float(item(first)), signs[item.name] * float(item(second) - item(first))) for item in ALL}


def _of_one(n: int, errors: str, side: Any) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "numbers", str(n), errors)
        found = []
        for at in range(repetitions):
            label, predictions, _ = _drawn(rng, n, errors)
            confidence = Confidence(draws=DRAWS, alternative=side, seed=at)
            found.append([item.interval for item in numeric_estimates(Sums.of(label, predictions), n, confidence)])
        columns = zip(ALL, zip(*found, strict=True), strict=True)
        return {item.title: covered(ends, _true_values(errors)[item.name][0]) for item, ends in columns}

    return run


def _of_two(n: int, errors: str) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "differences of numbers", str(n), errors)
        found = []
        for at in range(repetitions):
            both = numeric_differences(*_drawn(rng, n, errors), Confidence(draws=DRAWS, seed=at))
            found.append([item.difference.interval for item in both])
        columns = zip(ALL, zip(*found, strict=True), strict=True)
        return {
            f"difference of {item.title}": covered(ends, _true_values(errors)[item.name][1]) for item, ends in columns
        }

    return run


def _cases(words: str = "") -> tuple[Case, ...]:
    resampled = ("interval:log-t, one larger row", "interval:bootstrap-studentised, one larger row")
    return tuple(
        Case(f"{words}{item.title}", about=(f"measure:{item.name}", *resampled), instead=STEADIER) for item in ALL
    )


SETTINGS = (
    *(
        Setting("numbers", f"{errors} errors", n, _cases(), _of_one(n, errors, "two-sided"), draws=DRAWS)
        for n, errors in (
            *((15, "normal"), (30, "normal"), (30, "skewed"), (200, "skewed")),
            *((30, "heavy-tailed"), (30, "very heavy-tailed"), (200, "very heavy-tailed")),
        )
    ),
    *(
        Setting("numbers", f"{kind}{errors} errors", n, _cases(), _of_one(n, errors, "two-sided"), draws=DRAWS)
        for kind, n, errors in (
            (ADVERSARIAL, 80, "2 % outliers of ten times the size among"),
            (FRESH, 60, "5 % outliers of six times the size among"),
            (FRESH, 40, "gamma (shape 0.5)"),
            (FRESH, 40, "mostly no"),
            (FRESH, 30, "bimodal"),
        )
    ),
    *(
        Setting("numbers", f"normal errors, one-sided ({side})", 30, _cases(), _of_one(30, "normal", side), draws=DRAWS)
        for side in ("greater", "less")
    ),
    *(
        Setting(
            "numbers", f"{errors} errors, partly shared", n, _cases("difference of "), _of_two(n, errors), draws=DRAWS
        )
        for n, errors in ((30, "normal"), (30, "heavy-tailed"))
    ),
)
