"""Measures of a confusion matrix, with the default interval and with the ones that can be asked for."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from justesse.core.choices import PlainMethod
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import (
    ALL,
    PER_CLASS,
    Measure,
    averaged,
    balanced_accuracy,
    class_weighted_error,
    cost,
    f1,
    fbeta,
    kappa,
    mcc,
    npv,
    precision,
    specificity,
)
from studies.validity.case import ADVERSARIAL, FRESH, Case, Hits, Setting, covered
from studies.validity.coverage import COSTS, true_table

DRAWS = 600
EXACT = "Clopper-Pearson (`--method clopper-pearson`), never below 95 %"
DEFAULT = "the default"
ALIKE = "macro F1 or MCC"
ROWS = "micro F1 or MCC, or more rows of the rare classes"


def _measures(classes: int) -> tuple[Measure, ...]:
    costs = np.resize(COSTS, (classes, classes)) * (1 - np.eye(classes))
    weights = np.linspace(1, 3, classes)
    averages = [averaged(item, how) for item in (*PER_CLASS, fbeta(2)) for how in ("macro", "weighted")]
    averages += [averaged(item, "micro") for item in (precision, specificity, f1)]
    return (*ALL, fbeta(2), *averages, cost(costs), class_weighted_error(weights))


def _title(measure: Measure) -> str:
    if measure.average:
        return f"{measure.average} F{measure.beta:g}" if measure.beta is not None else measure.title
    name = f"F{measure.beta:g}" if measure.beta is not None else measure.title
    return f"{name} of the rarest class" if measure.per_class else name


def _run(
    measures: tuple[Measure, ...], chances: Any, n: int, confidence: Confidence, name: str
) -> Callable[[int, int], Mapping[str, Hits]]:
    classes = len(chances)
    large = Tally.from_dense(np.rint(chances * 1e12).astype(np.int64))
    truths = {_title(measure): float(np.atleast_1d(measure(large))[-1]) for measure in measures}

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "validity", name, str(n))
        seen: dict[str, list[Any]] = {what: [] for what in truths}
        for at in range(repetitions):
            table = rng.multinomial(n, chances.ravel() / chances.sum()).reshape(classes, classes)
            own = replace(confidence, seed=at)
            found = iter(estimate(Tally.from_dense(table), measures, own))
            for measure in measures:
                values = [next(found) for _ in range(classes if measure.per_class else 1)]
                seen[_title(measure)].append(values[-1].interval)
        return {what: covered(intervals, truths[what]) for what, intervals in seen.items()}

    return run


def _instead(measure: Measure, options: Mapping[str, Any]) -> str:
    """Name what holds in the same setting: the default, or for the default an exact or a steadier figure."""
    if options.get("bootstrap") or options.get("method") == "wald":
        return DEFAULT
    if measure.per_class and measure.name != "f1":
        return EXACT
    if measure.name == "balanced_accuracy":
        return ALIKE
    return "macro F1" if measure.average == "macro" and measure.name != "f1" else ROWS


def _setting(
    name: str, measures: tuple[Measure, ...], table: tuple[int, float, float] | Any, n: int, **options: Any
) -> Setting:
    cases = tuple(
        Case(_title(item), about=(f"measure:{item.name}",), instead=_instead(item, options)) for item in measures
    )
    confidence = Confidence(**{"draws": DRAWS, **options})
    chances = true_table(*table) if isinstance(table, tuple) else table
    run = _run(measures, chances, n, confidence, name)
    return Setting("tables", name, n, cases, run, chunk=250, draws=confidence.draws)


LAWS = (
    ("two classes, one of 10 %, accuracy 0.8", (2, 0.8, 9.0), (50, 200)),
    ("two classes, one of 1 %, accuracy 0.95", (2, 0.95, 99.0), (1000,)),
    ("three equal classes, accuracy 0.95", (3, 0.95, 1.0), (50,)),
    ("five classes, each half as frequent as the last, accuracy 0.8", (5, 0.8, 2.0), (50, 200)),
    ("twenty equal classes, accuracy 0.7", (20, 0.7, 1.0), (200,)),
)
MANY_CLASSES = (
    ("ten equal classes, accuracy 0.7", (10, 0.7, 1.0), (40,)),
    ("ten classes, each two thirds as frequent as the last, accuracy 0.8", (10, 0.8, 1.5), (100,)),
    ("twenty equal classes, accuracy 0.9", (20, 0.9, 1.0), (80,)),
    ("fifty equal classes, accuracy 0.7", (50, 0.7, 1.0), (200,)),
    ("110 equal classes, accuracy 0.7", (110, 0.7, 1.0), (440,)),
    ("110 equal classes, accuracy 0.9", (110, 0.9, 1.0), (440,)),
)


def _law(shares: Any, recalls: Any, taken_for: Any = None) -> Any:
    """Give the chances of every label and prediction; mistakes are spread over the other classes as `taken_for` says."""
    size = len(shares)
    table = np.tile(np.ones(size) if taken_for is None else np.asarray(taken_for, dtype=float), (size, 1))
    np.fill_diagonal(table, 0.0)
    table *= ((1 - np.asarray(recalls)) / table.sum(axis=1))[:, None]
    return (table + np.diag(recalls)) * (np.asarray(shares) / np.sum(shares))[:, None]


ZIPF = 1 / np.arange(1, 31)
NEW_LAWS = (
    (
        f"{ADVERSARIAL}four classes of 70, 20, 8 and 2 %, rare ones mistaken for the commonest",
        _law([70, 20, 8, 2], [0.95, 0.8, 0.6, 0.3], [1, 0.2, 0.05, 0.01]),
        80,
    ),
    (
        f"{ADVERSARIAL}thirty classes, frequencies 1, 1/2, 1/3 ..., recalls 0.8 to 0.3",
        _law(ZIPF, np.linspace(0.8, 0.3, 30), ZIPF),
        150,
    ),
    (f"{FRESH}twelve classes, each 1.6 times as frequent as the next, accuracy 0.75", true_table(12, 0.75, 1.6), 90),
    (
        f"{FRESH}five classes of 40, 30, 20, 7 and 3 %, recalls 0.9 to 0.2",
        _law([40, 30, 20, 7, 3], [0.9, 0.8, 0.7, 0.5, 0.2]),
        100,
    ),
    (
        f"{FRESH}nine equal classes, half of the mistakes in one column, accuracy 0.8",
        _law([1] * 9, [0.8] * 9, [7, *[1] * 8]),
        54,
    ),
)
MOST_DRAWS = 900  # with 110 classes, cells without rows are then drawn as they are by default
AVERAGES = (
    *(averaged(item, how) for item in (f1, precision) for how in ("macro", "weighted")),
    *(averaged(fbeta(2), "macro"), averaged(npv, "weighted"), mcc, kappa, balanced_accuracy),
)
RESAMPLED = (averaged(f1, "macro"), mcc, kappa, balanced_accuracy, _measures(3)[-2])
FEW, MANY = (3, 0.95, 1.0), (3, 0.8, 1.0)
SETTINGS = (
    *(_setting(name, _measures(table[0]), table, n) for name, table, ns in LAWS for n in ns),
    *(
        _setting(name, AVERAGES, table, n, draws=MOST_DRAWS if table[0] > 100 else DRAWS)
        for name, table, ns in MANY_CLASSES
        for n in ns
    ),
    *(_setting(name, (*AVERAGES, *_measures(len(law))[-2:]), law, n) for name, law, n in NEW_LAWS),
    *(
        _setting(f"three equal classes, accuracy {table[1]:g}, `--bootstrap {how}`", RESAMPLED, table, n, bootstrap=how)
        for how in ("percentile", "bca", "none")
        for table, n in ((FEW, 50), (MANY, 200))
    ),
    *(
        _setting(f"two classes, one of 10 %, accuracy 0.8, `--method {method}`", (f1,), (2, 0.8, 9.0), n, method=method)
        for method in get_args(PlainMethod)
        if method != "wilson"
        for n in (50, 200)
    ),
    *(
        _setting(f"{name}, `--method clopper-pearson`", PER_CLASS, table, n, method="clopper-pearson")
        for name, table, n in (
            ("five classes, each half as frequent as the last, accuracy 0.8", (5, 0.8, 2.0), 50),
            ("two classes, one of 1 %, accuracy 0.95", (2, 0.95, 99.0), 1000),
        )
    ),
    *(
        _setting(f"three equal classes, accuracy 0.8, one-sided ({side})", RESAMPLED, MANY, 200, alternative=side)
        for side in ("greater", "less")
    ),
)
