"""The part of docs/validity.md about comparing: how often tests find what is not there, and how intervals cover."""

from collections.abc import Callable, Iterator
from typing import Any

from studies.validity.count_sizes import count_sizes
from studies.validity.fold_sizes import fold_sizes

REPETITIONS = 2000


def tests(table: Callable[[list[str], list[list[str]]], str]) -> Iterator[str]:
    """Write the sizes of all tests, and the coverage of the intervals of differences."""
    found = count_sizes(repetitions=REPETITIONS)
    yield "## Comparing two classifiers on the same rows\n"
    yield (
        "How often each test at 5 % rejects if there is no difference: it should be 5 % or slightly less. McNemar, "
        "Tango and equivalence are exact sums over all tables; the rest are "
        f"{REPETITIONS:,} simulations (two standard errors are about one point).\n"
    )
    yield table(["test", "n", "setting", "rejects, %"], _rows(found["size"]))
    yield (
        "The exact McNemar test is conservative; mid-p is close to 5 % and hardly ever above. DeLong rejects "
        "slightly too often with few positives. Equivalence is tested at the border, where the difference equals "
        "the margin.\n"
    )
    yield "### Intervals of the difference\n"
    yield "Coverage in %; `lowest` is the lowest of the settings computed exactly.\n"
    yield table(["interval", "n", "setting", "covers, %", "lowest", "none"], _rows(found["coverage"], "lowest", "none"))
    yield (
        "Tango's interval covers at every n. For other measures the delta method covers better than the percentile "
        "bootstrap if rows are few, so it is the default of `compare`. With 500 rows both are close.\n"
    )
    yield "### Judges\n"
    yield (
        "How often `paired` replaces the incumbent with a candidate that is no better (a two-sided 95 % interval "
        "allows 2.5 %), and how often the overlap rule at a nominal 95 % finds a difference where there is none. "
        "If the classifiers err on the same rows, that rule is far more conservative than its nominal level.\n"
    )
    yield table(["what", "n", "setting", "%"], _rows(found["judges"]))
    yield "## Comparing over folds\n"
    yield (
        "How often each test at 5 % finds a difference between learners that are equally good: nearest centroids "
        "that use their own five of fifteen equally useful features, 200 rows. Bayesian tests: how often the "
        "candidate is better with a probability above 95 %. The last rows are normal scores of ten independent "
        "data sets.\n"
    )
    sizes = fold_sizes(repetitions=REPETITIONS)
    yield table(["test", "rejects, %"], [[name, f"{100 * share:.1f}"] for name, share in sizes.items()])
    yield (
        "**The plain paired t test over repeated resamples rejects about five times as often as its level**, and "
        "so do sign flips, the signed-rank posterior, ANOVA and Friedman's test there, because splits of one data "
        "set share rows. The corrected test keeps its level (and is conservative over one 10-fold run). One-way "
        "ANOVA on data sets that are equally hard for all hardly ever rejects; blocked ANOVA is right.\n"
    )


def _rows(found: list[dict[str, Any]], *more: str) -> list[list[str]]:
    def percent(value: Any) -> str:
        return "" if value is None else f"{100 * value:.1f}"

    return [
        [
            one["what"],
            f"{one['n']:,}",
            one["setting"],
            percent(one["measured"]),
            *(percent(one.get(name)) for name in more),
        ]
        for one in found
    ]
