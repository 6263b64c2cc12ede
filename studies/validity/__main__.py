"""`make validity`: measure the coverage of every interval and the size of every test, and write docs/validity.md.

Figures already in docs/validity.csv and sections already on the page are kept, so that a run that was stopped goes on.
`python -m studies.validity scores tests --again` makes these parts anew, `--models` those that fit models.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from justesse.intervals import PROPORTION
from studies.tables import table
from studies.validity import cases
from studies.validity.case import Hits, Setting, merged
from studies.validity.coverage import (
    Coverage,
    by_simulation,
    folds,
    overlapping,
    proportion,
    tails_of_means,
    tails_of_unequal_classes,
)
from studies.validity.leaks import leaks
from studies.validity.overview import overview
from studies.validity.picture import draw
from studies.validity.record import RECORD, add, is_complete, read
from studies.validity.sizes import tests
from studies.validity.timing import estimates

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
HEAD = """# Measured coverage and test sizes

Every interval and every test of justesse is simulated where the true value is known. A good 95 % interval covers the true
value in 95 % of repetitions. A good 5 % test rejects in 5 % of the repetitions without a difference. Settings without figures
are listed after the tables. `make validity` makes this page (seeded; it continues where it was stopped), and
`make validity-models` the figures that need fitted models. `python -m studies.validity --time` estimates how long they take:
about 115 minutes on two cores for `make validity`. A short version runs with the tests.

![Coverage of 95 % intervals against n: the defaults of justesse stay close to 95 %, Wald intervals and percentile bootstraps fall far below with few rows](images/validity.png)

![Coverage of every 95 % interval against n: most intervals of justesse lie between 93 % and 100 %](images/validity-all.png)
"""


def main(words: list[str]) -> None:
    """Make the parts named, or whatever is missing, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m studies.validity", description=__doc__)
    parser.add_argument("part", nargs="*", help=f"Parts to make. Default: all. Parts: {', '.join(NAMES)}.")
    parser.add_argument("--again", action="store_true", help="Simulate anew what has been measured.")
    parser.add_argument("--models", action="store_true", help="Only the parts that fit models.")
    parser.add_argument("--time", action="store_true", help="Only estimate how long the simulation takes.")
    parser.add_argument("--page", action="store_true", help="Only write the page, from the recorded figures.")
    parser.add_argument("--jobs", type=int, default=-1, help="Number of processes. Default: one per core.")
    asked = parser.parse_args(words)
    if unknown := [name for name in asked.part if name not in NAMES]:
        parser.error(f"Unknown part {unknown[0]!r}. Parts: {', '.join(NAMES)}.")
    if asked.page:
        write_page()
        return
    settings = [one for one in cases.ALL if (one.part in asked.part if asked.part else one.models == asked.models)]
    if asked.time:
        for line in estimates(settings):
            print(line, flush=True)
        return
    simulate(settings, again=asked.again, jobs=asked.jobs)
    write_page(asked.part or (list(SECTIONS) if asked.again and not asked.models else []))


def simulate(settings: Sequence[Setting], *, again: bool = False, jobs: int = -1, path: Path = RECORD) -> None:
    """Simulate settings in chunks, and record each as soon as it is complete."""
    rows = read(path)
    todo = [one for one in settings if one.possible and (again or not is_complete(one, rows))]
    if missing := {one.needs for one in settings if not one.possible}:
        print(f"Not installed, so their figures are kept: {', '.join(sorted(missing))}.")
    print(f"{len(settings) - len(todo)} of {len(settings)} settings are kept.", flush=True)
    chunks = [(one, seed) for one in todo for seed in range(max(-(-one.repetitions // one.chunk), 1))]
    parallel = Parallel(n_jobs=jobs, return_as="generator")(delayed(run_chunk)(*chunk) for chunk in chunks)
    pending: dict[int, list[Mapping[str, Hits]]] = {}
    done = 0
    for (one, _), found in zip(chunks, parallel, strict=True):
        parts = pending.setdefault(id(one), [])
        parts.append(found)
        if len(parts) * one.chunk >= one.repetitions:
            add(
                one,
                {case.what: merged(part[case.what] for part in parts) for case in one.cases},
                [*cases.ALL, *settings],
                path,
            )
            done += 1
            print(f"{done} of {len(todo)}: {one.part}, {one.name}, n = {one.n}", flush=True)


def run_chunk(setting: Setting, seed: int) -> Mapping[str, Hits]:
    """Run one chunk of a setting, with its own seed."""
    return setting.run(min(setting.chunk, setting.repetitions), seed)


def write_page(sections: Sequence[str] = ()) -> None:
    """Write the page from the recorded figures; make these detailed sections anew and keep the others."""
    kept = dict(re.findall(r"<!-- (\w+) -->\n\n(.*?)(?=\n<!-- |\Z)", TARGET.read_text(), flags=re.DOTALL))
    parts = ["<!-- overview -->\n\n" + "\n".join(overview()).rstrip() + "\n"]
    for name, make in SECTIONS.items():
        made = name in sections or name not in kept
        parts.append(f"<!-- {name} -->\n\n" + ("\n".join(make()) if made else kept[name]).rstrip() + "\n")
    TARGET.write_text("\n".join([HEAD, *parts]))
    draw()
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
        "What `--bootstrap` can ask for; the default, a smoothed bootstrap, and MOVER for balanced accuracy are in the "
        f"table above. Coverage in % of {REPETITIONS:,} simulated test sets, 1,000 draws each (two standard errors are about one "
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


SECTIONS: dict[str, Callable[[], Iterator[str]]] = {
    "proportions": proportions,
    "others": others,
    "rest": rest,
    "tests": lambda: tests(table),
    "leaks": leaks,
}

NAMES = (*cases.PARTS, *SECTIONS)

if __name__ == "__main__":
    main(sys.argv[1:])
