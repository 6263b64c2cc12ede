"""The main table of docs/validity.md: every case, the worst first, with a verdict."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from justesse.intervals import clopper_pearson
from studies.tables import table
from studies.validity.cases import ALL
from studies.validity.record import Measured, is_complete, measured, read

Verdict = Literal["falls short", "holds", "conservative"]
HEADS = ["what", "method", "setting", "n", "", "95 % MC interval", "repetitions", "none, %", "verdict", "use instead"]
TOLERANCE = 0.2
RESAMPLED = ("bootstrap", "permutation", "max-t", "sign-flip", "bayesian-signed-rank")


def monte_carlo(row: Measured) -> tuple[float, float]:
    """Return the ends of the 95 % Clopper-Pearson interval of a simulated share; an exact one has no width."""
    hits = row.hits
    if hits.exact:
        return hits.share, hits.share
    ends = clopper_pearson(hits.hits, hits.present)
    return float(ends.low), float(ends.high)


def verdict(row: Measured) -> Verdict:
    """Compare the rate of errors with the nominal one: a fifth more or less is tolerated, and so is chance."""
    low, high = monte_carlo(row)
    wanted = row.case.wanted
    if row.case.kind == "coverage":
        low, high, wanted = 1 - high, 1 - low, 1 - wanted
    if low > (1 + TOLERANCE) * wanted + 1e-9:
        return "falls short"
    return "conservative" if high < (1 - TOLERANCE) * wanted - 1e-9 else "holds"


def overview() -> Iterator[str]:
    """Write the part of the page."""
    rows = [row for row in measured(ALL, read()) if not math.isnan(row.hits.share)]
    ours = [row for row in rows if not row.case.peer]
    counted = Counter(verdict(row) for row in ours)
    yield "## All figures\n"
    yield (
        f"{len(ours):,} figures: {counted['holds']} hold, {counted['conservative']} are conservative, "
        f"{counted['falls short']} fall short. *Falls short*: errors are more frequent than 1.2 times nominal (for 95 % "
        "intervals, coverage below 94 %; for 5 % tests, more than 6 % rejected), even at the better end of the "
        "Monte-Carlo interval. *Conservative*: less frequent than 0.8 times nominal (coverage above 96 %, less than 4 % "
        "rejected), even at the worse end. *Holds*: neither. Monte-Carlo intervals are 95 % Clopper-Pearson intervals; "
        "*exact* figures are sums over all possible data. `none` is how often there is no interval or p-value; coverage "
        "is of the rest. Other packages are in italics. Settings called *fresh* played no part in choosing methods. "
        "Resampling uses its default number of draws unless the table shows another. The same figures as data: [validity.csv](validity.csv).\n"
    )
    yield "### Intervals, lowest coverage first\n"
    intervals = [row for row in rows if row.case.kind == "coverage"]
    yield _table(sorted(intervals, key=lambda row: row.hits.share - row.case.wanted), "coverage, %")
    yield "### Tests and decisions, farthest from nominal first\n"
    tests = [row for row in rows if row.case.kind == "size"]
    yield _table(sorted(tests, key=_distance), "rejects, %")
    if planned := list(_planned()):
        yield "### Not measured yet\n"
        yield "These settings are in the registry and have no figures yet. `make validity` and `make validity-models` simulate them.\n"
        yield table(["part", "setting", "n", "figures"], planned, words=2)


def _planned() -> Iterator[list[str]]:
    """List the settings that are in the registry and have no figures."""
    rows = read()
    for setting in ALL:
        if not is_complete(setting, rows):
            yield [setting.part, setting.name, f"{setting.n:,}", str(len(setting.cases))]


def _distance(row: Measured) -> float:
    return -abs(row.hits.share - row.case.wanted)


def _table(rows: Sequence[Measured], head: str) -> str:
    heads = [title or head for title in HEADS]
    return table(heads, [_cells(row) for row in rows], words=3).replace("---: |\n", "--- |\n", 1)


def _cells(row: Measured) -> list[str]:
    hits, case = row.hits, row.case
    judged = verdict(row)
    low, high = monte_carlo(row)
    share = _percent(hits.share)
    if abs(case.wanted - {"coverage": 0.95, "size": 0.05}[case.kind]) > 1e-9:
        share += f" (nominal {_percent(case.wanted)})"
    return [
        f"*{case.what}*" if case.peer else case.what,
        f"*{case.peer}*" if case.peer else ", ".join(_method(name, row.setting.draws) for name in hits.methods),
        row.setting.name,
        f"{row.setting.n:,}",
        f"**{share}**" if judged == "falls short" else share,
        "exact" if hits.exact else f"{_percent(low)} to {_percent(high)}",
        "" if hits.exact else f"{hits.total:,}",
        _percent(hits.absent / hits.total) if hits.absent else "",
        judged,
        case.instead if judged == "falls short" else "",
    ]


def _method(name: str, draws: int) -> str:
    """Name a method, with its number of resamples if it is not the default.

    >>> _method("bootstrap-bca", 600), _method("wilson", 600), _method("bootstrap-bca", 0)
    ('bootstrap-bca (600 draws)', 'wilson', 'bootstrap-bca')
    """
    return f"{name} ({draws:,} draws)" if draws and name.startswith(RESAMPLED) else name


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
