"""`make validity`: measure the coverage of every interval and the size of every test, and write docs/validity.md.

`python -m studies.validity tests` makes one part of the page anew and keeps the others.
"""

import re
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from justesse.intervals import PROPORTION
from studies.tables import table
from studies.validity.audits import audited
from studies.validity.coverage import (
    Coverage,
    areas,
    by_simulation,
    folds,
    mean_of_shares,
    number_differences,
    numbers,
    overlapping,
    proportion,
    tails_of_means,
    tails_of_unequal_classes,
    weighted,
)
from studies.validity.ladder import ladder
from studies.validity.leaks import leaks
from studies.validity.pairs import pairs
from studies.validity.procedures import procedures
from studies.validity.sizes import tests

TARGET = Path(__file__).parents[2] / "docs" / "validity.md"
NS, PS = (10, 30, 100, 1000), (0.5, 0.8, 0.9, 0.95, 0.99)
REPETITIONS = 2000
UNEQUAL = (
    ((20, 1000), (1.0, 0.99)),
    ((20, 1000), (0.0, 0.01)),
    ((20, 1000), (0.98, 0.98)),
    ((20, 1000), (0.95, 0.9)),
    ((30, 3000), (0.2, 0.01)),
    ((5, 5, 1000), (0.9, 0.9, 0.95)),
)
HOWS = (None, "percentile", "bca", "none")
HEAD = """# Measured coverage and test sizes

Every 95 % interval and every 5 % test of justesse was simulated where the true value is known. A good interval covers the
true value in 95 % of repetitions. A good test rejects in 5 % of the repetitions without a difference. `make validity` makes
this page (seeded; about ten minutes on two cores). A short version runs with the tests.
"""


def main(*wanted: str) -> None:
    """Make the parts named, or all, and keep the others as they are."""
    kept = dict(re.findall(r"<!-- (\w+) -->\n\n(.*?)(?=\n<!-- |\Z)", TARGET.read_text(), flags=re.DOTALL))
    parts = []
    for name, make in PARTS.items():
        made = not wanted or name in wanted or name not in kept
        parts.append(f"<!-- {name} -->\n\n" + ("\n".join(make()) if made else kept[name]).rstrip() + "\n")
    TARGET.write_text("\n".join([HEAD, *parts]))
    print(f"written: {TARGET}")


def percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.1f}"


def proportions() -> Iterator[str]:
    yield "## Proportions: accuracy, error, precision, recall, specificity, NPV\n"
    yield "Exact coverage in %, summed over all counts. `lowest` is the lowest for p from 0.5 to 0.995.\n"
    grid = np.linspace(0.5, 0.995, 200)
    rows = []
    for method in PROPORTION:
        for n in NS:
            lowest = min(proportion(method, n, p) for p in grid)
            mean = float(np.mean([proportion(method, n, p) for p in grid]))
            at = [percent(proportion(method, n, p)) for p in PS]
            rows.append([method, str(n), *at, percent(mean), percent(lowest)])
    yield table(["method", "n", *(f"p = {p:g}" for p in PS), "mean", "lowest"], rows)
    yield (
        "Wilson is right on average and too low for p near 1. Clopper-Pearson is never below 95 %, but wider. Wald "
        "is far too low where errors are few, as for most classifiers.\n"
    )
    yield "### One-sided 95 % bounds\n"
    rows = [
        [method, str(n), *(percent(proportion(method, n, 0.9, alternative=side)) for side in ("greater", "less"))]
        for method in PROPORTION
        for n in NS
    ]
    yield table(["method", "n", "lower bound, p = 0.9", "upper bound, p = 0.9"], rows)


def others() -> Iterator[str]:
    yield "## Macro-F1, MCC, kappa, balanced accuracy, micro specificity, cost\n"
    yield (
        f"Coverage in % of {REPETITIONS:,} simulated test sets, 1,000 draws each (two standard errors are about one "
        "point). `none` is how often there was no interval, because no error was observed; coverage is of the rest.\n"
    )
    settings: list[dict[str, Any]] = [
        {"classes": classes, "right": right, "imbalance": imbalance, "n": n}
        for classes, imbalance in ((2, 9.0), (3, 1.0), (5, 2.0))
        for right in (0.8, 0.95)
        for n in (50, 200, 1000)
    ]
    jobs = [(how, setting) for setting in settings for how in ("percentile", "bca", "none")]
    found = progress(jobs, lambda how, setting: by_simulation(how, repetitions=REPETITIONS, **setting))
    names = list(found[0])
    rows = []
    for (how, setting), result in zip(jobs, found, strict=True):
        absent = percent(max(result[name].absent for name in names))
        what = [str(setting["classes"]), f"{setting['imbalance']:g}", f"{setting['right']:g}", str(setting["n"])]
        rows.append(
            [*what, "delta" if how == "none" else how, *(percent(result[name].covered) for name in names), absent]
        )
    yield table(["classes", "imbalance", "accuracy", "n", "method", *names, "none"], rows)
    yield (
        "With a thousand rows all three are close to 95 %. BCa is the best where errors are few. With 50 rows and "
        "few errors none is reliable. `imbalance` is the ratio of the frequencies of a class and the next.\n"
    )


def progress(jobs: list[Any], call: Any) -> list[dict[str, Coverage]]:
    found = []
    parallel = Parallel(n_jobs=-1, return_as="generator")(delayed(call)(*job) for job in jobs)
    for done, result in enumerate(parallel, start=1):
        found.append(result)
        if sys.stderr.isatty():
            print(f"\r{done} of {len(jobs)} settings", end="", file=sys.stderr, flush=True)
    return found


def rest() -> Iterator[str]:
    yield "## Balanced accuracy with a rare class\n"
    yield (
        "The default combines the Wilson intervals of the recalls (MOVER); the bootstrap is shown for comparison. Two "
        "classes, the same recall in both.\n"
    )
    rows = []
    for right in (0.8, 0.95):
        for rare in (0.5, 0.1, 0.02):
            for n in (100, 500):
                cells = [mean_of_shares(how, right=right, rare=rare, n=n, repetitions=REPETITIONS // 2) for how in HOWS]
                rows.append([f"{right:g}", f"{rare:g}", str(n), *(percent(one.covered) for one in cells)])
    yield table(["recall", "share of the rare class", "n", "mover", "percentile", "bca", "delta"], rows)
    yield "## Balanced accuracy of many classes\n"
    yield (
        f"How often the mean of the recalls lies below / above its 95 % interval, in % of {2 * REPETITIONS:,} "
        f"repetitions, "
        "nominally 2.5 / 2.5. All classes have the same number of rows and the same recall.\n"
    )
    rows = []
    for classes, own, right in product((2, 10, 30, 100), (10, 30), (0.9, 0.97)):
        tails = tails_of_means(classes, own, right, repetitions=2 * REPETITIONS)
        shown = [" / ".join(percent(side) for side in both) for both in tails.values()]
        rows.append([str(classes), str(own), f"{right:g}", *shown])
    yield table(["classes", "rows each", "recall", "mover", "delta"], rows)
    yield (
        "The shift of each class's interval is divided by the number of classes, as the skewness of a mean is. "
        "Without the division, up to 15 % are on one side with 100 classes.\n"
    )
    yield "Classes of different sizes, likewise:\n"
    rows = []
    for sizes, recalls in UNEQUAL:
        tails = tails_of_unequal_classes(sizes, recalls, repetitions=2 * REPETITIONS)
        shown = [" / ".join(percent(side) for side in both) for both in tails.values()]
        rows.append([" + ".join(map(str, sizes)), ", ".join(f"{one:g}" for one in recalls), *shown])
    yield table(["rows", "recalls", "mover", "delta"], rows, words=2)
    yield (
        "If a small class has no error, or no hit, the end on that side is never closer than MOVER's own. Without "
        "this rule, the first setting missed in 42 % on one side. The third misses more than nominal because "
        "Wilson's interval of 20 rows does so at a recall of 0.98.\n"
    )
    yield "## Weighted rows\n"
    yield (
        "Two equal classes, accuracy 0.9. Weights are drawn independently of everything, or are double for wrong rows, "
        "or five times as large for the first class (as when a balanced sample is weighted back to real frequencies). "
        "Proportions: Wilson with the effective n, or the delta method (`--method delta`); macro-F1 is always delta.\n"
    )
    rows = []
    for kind in ("independent", "wrong", "class"):
        for n in (200, 1000):
            for method in ("wilson", "delta"):
                result = weighted(n, kind, method, repetitions=REPETITIONS // 2)
                rows.append([kind, str(n), method, *(percent(one.covered) for one in result.values())])
    heads = ["accuracy", "precision of the first class", "precision of the second class", "macro f1"]
    yield table(["weights", "n", "proportions", *heads], rows)
    yield (
        "The effective n is right for weights that are independent of the result, and wrong otherwise, at any n. "
        "The delta method with Σw² is right for both.\n"
    )
    yield "## Scores\n"
    yield "AUC: DeLong; the others: delta method. Normal scores, given as calibrated probabilities.\n"
    rows = []
    for n in (50, 200, 1000):
        for shift in (1.0, 2.5):
            for rate in (0.5, 0.1):
                result = areas(n, shift, rate, repetitions=REPETITIONS // 2)
                covered = [percent(one.covered) for one in result.values()]
                rows.append([str(n), f"{shift:g}", f"{rate:g}", *covered, percent(result["roc_auc"].absent)])
    heads = ["roc_auc", "average_precision", "log_loss", "brier", "no interval"]
    yield table(["n", "distance of the classes", "share of positives", *heads], rows)
    yield (
        "With few positives, or an area close to 1, these intervals are too narrow: collect some dozens of each "
        "class.\n"
    )
    yield "## Numeric predictions\n"
    yield "Percentile bootstrap of rows, normal errors.\n"
    rows = []
    for n in (30, 200, 1500):
        rows.append([str(n), *(percent(one.covered) for one in numbers(n, repetitions=REPETITIONS // 2).values())])
    yield table(["n", "mse", "rmse", "mae", "r2", "squared_correlation"], rows)
    yield (
        "Paired differences between two models that share part of their errors. MAE and MSE: Student's interval of the mean "
        "difference; the others: symmetric studentised bootstrap. 1,000 repetitions.\n"
    )
    rows = []
    for errors in ("normal", "skewed"):
        for n in (10, 30):
            result = number_differences(errors, n, repetitions=1000)
            rows.append([errors, str(n), *(percent(one.covered) for one in result.values())])
    yield table(["errors", "n", *result], rows)
    yield "## Fold scores\n"
    yield "Independent scores, normal or exponential. The interval of the mean is robust, that of the spread is not.\n"
    rows = []
    for kind in ("normal", "exponential"):
        for k in (5, 10, 30):
            result = folds(kind, k, repetitions=4 * REPETITIONS)
            rows.append([kind, str(k), *(percent(one.covered) for one in result.values())])
    yield table(["scores", "k", "mean, Student", "spread, chi-square"], rows)
    yield (
        "Scores that share training rows are not independent: twenty random holdouts of a tenth of 100 rows, nearest "
        "centroid on two Gaussians in five dimensions.\n"
    )
    result = overlapping(repetitions=REPETITIONS)
    yield table(["interval of the mean", "coverage"], [[name, percent(one.covered)] for name, one in result.items()])
    yield "The plain interval is far too narrow; the corrected one is what `test_over_train` gives.\n"


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "proportions": proportions,
    "others": others,
    "rest": rest,
    "tests": lambda: tests(table),
    "ladder": ladder,
    "audited": audited,
    "pairs": pairs,
    "procedures": procedures,
    "leaks": leaks,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
