"""`make validity`: measure the coverage of every interval and write docs/validity.md."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from justesse.intervals import PROPORTION
from studies.validity.coverage import Coverage, by_simulation, folds, naive, overlapping, proportion, weighted

TARGET = Path(__file__).parents[2] / "docs" / "validity.md"
NS, PS = (10, 30, 100, 1000), (0.5, 0.8, 0.9, 0.95, 0.99)
REPETITIONS = 2000
HEAD = """# How often the intervals cover

Every 95 % interval of justesse was tried where the truth is known. A good one covers the true value in 95 % of
repetitions. This page is made by `make validity` (seeded; a few minutes on two cores); a short version of it
runs with the tests.
"""


def main() -> None:
    text = "\n".join([HEAD, *proportions(), *others(), *rest()])
    TARGET.write_text(text.rstrip() + "\n")
    print(f"written: {TARGET}")


def percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.1f}"


def table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines) + "\n"


def proportions() -> Iterator[str]:
    yield "## Proportions: accuracy, error, precision, recall, specificity, NPV\n"
    yield "Exact coverage in %, adding up the chances of all counts. `lowest` is the worst for p from 0.5 to 0.995.\n"
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
        "Wilson is right on average and dips for p near 1; Clopper-Pearson never falls below 95 % and pays in width; "
        "Wald is far off wherever mistakes are few, which is where classifiers live.\n"
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
        "point). `none` is how often there was no interval, because no mistake was seen; coverage is of the rest.\n"
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
        "With a thousand rows all three are close to 95 %; BCa is the most faithful where mistakes are few. With "
        "50 rows and few mistakes none can be trusted: the counts simply do not know. Balanced accuracy is the "
        "hardest: when all of the few rows of a rare class happen to be right, resampling sees no spread there (n "
        "= 200, a rare class of 20 rows, accuracy 0.95: 70 %). Look at that class's own recall and its interval, "
        "which is honest. `imbalance` is how many times a class is as frequent as the next.\n"
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
    yield "## Weighted rows\n"
    yield (
        "Gamma(2) weights, two classes, accuracy 0.8. Accuracy: Wilson with the effective n; macro-F1: delta method "
        "with Σw². `tied`: wrong rows weigh twice as much, so that the weights say something about being right.\n"
    )
    rows = []
    for n in (50, 200, 1000):
        for tied in (False, True):
            result = weighted(n, tied=tied, repetitions=REPETITIONS)
            rows.append([str(n), "tied" if tied else "independent", *(percent(one.covered) for one in result.values())])
    yield table(["n", "weights", "accuracy", "macro f1"], rows)
    yield "## Baselines\n"
    rows = [
        [str(n), *(percent(one.covered) for one in naive(n, repetitions=REPETITIONS).values())] for n in (50, 200, 1000)
    ]
    yield table(["n", "majority", "frequency"], rows)
    yield "## Fold scores\n"
    yield "Independent scores, normal or exponential: the mean is forgiving, the spread is not.\n"
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
    yield "The plain interval is far too sure of itself; the corrected one is what `test_over_train` gives.\n"


if __name__ == "__main__":
    main()
