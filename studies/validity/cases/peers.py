"""Other packages at their defaults, in the same simulations as ours."""

from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.measures import accuracy, averaged, f1
from studies.validity.case import Case, Hits, Setting, covered, exactly
from studies.validity.coverage import true_table
from studies.validity.trinomial import tables

Run = Callable[[int, int], Mapping[str, Hits]]


def _named(package: str, code: str) -> str:
    """Return name, version and code; the version is that of the last run if the package is missing."""
    try:
        return f"{package} {version(package)}: `{code}`"
    except PackageNotFoundError:
        return f"{package} {KNOWN[package]}: `{code}`"


KNOWN = {"confidenceinterval": "1.0.5", "mlxtend": "0.25.0", "statsmodels": "0.15.0"}
CODE = {
    "accuracy, statsmodels": ("statsmodels", "proportion_confint(right, n)"),
    "McNemar's test, mlxtend": ("mlxtend", "mcnemar(table)"),
    "McNemar's test, statsmodels": ("statsmodels", "mcnemar(table)"),
    "accuracies of two classifiers, mlxtend": ("mlxtend", "proportion_difference(p1, p2, n)"),
    "accuracy, confidenceinterval": ("confidenceinterval", "accuracy_score(y, p)"),
    "macro F1, confidenceinterval": ("confidenceinterval", "f1_score(y, p, average='macro')"),
}
OURS = "justesse (see the row of the same setting)"


def _proportion(n: int, p: float) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        from scipy.stats import binom
        from statsmodels.stats.proportion import proportion_confint

        k = np.arange(n + 1)
        low, high = proportion_confint(k, n)
        return {"accuracy, statsmodels": exactly(binom.pmf(k, n, p)[(low <= p) & (p <= high)].sum(), "normal")}

    return run


def _mcnemar(n: int, disagreement: float) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        import mlxtend.evaluate as mlxtend
        from statsmodels.stats.contingency_tables import mcnemar

        every = tables(n, difference=0.0, disagreement=disagreement)
        likely = every.chance > 1e-7
        found: dict[str, list[bool]] = {"mlxtend": [], "statsmodels": [], "proportions": []}
        both = round(0.7 * n)
        for b, c in zip(every.b[likely].tolist(), every.c[likely].tolist(), strict=True):
            right = max(min(both, n - b - c), 0)
            table = np.array([[right, b], [c, n - right - b - c]])
            with np.errstate(all="ignore"):
                found["mlxtend"].append(b + c > 0 and mlxtend.mcnemar(table)[1] <= 0.05)
                _, p = mlxtend.proportion_difference((right + b) / n, (right + c) / n, n)
            found["statsmodels"].append(mcnemar(table).pvalue <= 0.05)
            # its p-value is one-sided: twice the smaller tail is compared with the level
            found["proportions"].append(2 * min(p, 1 - p) <= 0.05)
        shares = {name: float(every.chance[likely][np.array(hits)].sum()) for name, hits in found.items()}
        return {
            "McNemar's test, mlxtend": exactly(shares["mlxtend"], "chi-square with continuity correction"),
            "McNemar's test, statsmodels": exactly(shares["statsmodels"], "exact"),
            "accuracies of two classifiers, mlxtend": exactly(shares["proportions"], "z test of unpaired shares"),
        }

    return run


def _confidenceinterval(law: tuple[int, float, float], n: int) -> Run:
    chances = true_table(*law)
    large = Tally.from_dense(np.rint(chances * 1e12).astype(np.int64))
    truths = {"accuracy": float(accuracy(large)), "macro F1": float(averaged(f1, "macro")(large))}

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        import confidenceinterval as peer  # type: ignore[import-not-found]

        rng = stream(seed, "confidenceinterval", str(n))
        seen: dict[str, list[Interval | None]] = {name: [] for name in truths}
        for _ in range(repetitions):
            cells = rng.choice(chances.size, size=n, p=chances.ravel() / chances.sum())
            y, p = np.divmod(cells, len(chances))
            with np.errstate(all="ignore"):
                ends = {"accuracy": peer.accuracy_score(y, p)[1], "macro F1": peer.f1_score(y, p, average="macro")[1]}
            for name, (low, high) in ends.items():
                known = np.isfinite(low) and np.isfinite(high)
                seen[name].append(Interval(float(low), float(high), 0.95, "default") if known else None)
        return {f"{name}, confidenceinterval": covered(intervals, truths[name]) for name, intervals in seen.items()}

    return run


def _case(what: str, kind: Any = "coverage") -> Case:
    return Case(what, kind, instead=OURS, peer=_named(*CODE[what]))


SETTINGS = (
    *(
        Setting("peers", f"true share {p:g}", n, (_case("accuracy, statsmodels"),), _proportion(n, p), 0)
        for n in (30, 100)
        for p in (0.9, 0.99)
    ),
    *(
        Setting(
            "peers",
            f"disagreement {rate:g}",
            n,
            tuple(_case(what, "size") for what in CODE if what.split(",")[0] in ("McNemar's test", "accuracies of two classifiers")),
            _mcnemar(n, rate),
            0,
        )
        for n, rate in ((50, 0.3), (200, 0.05), (1000, 0.1))
    ),
    *(
        Setting(
            "peers",
            words,
            n,
            (_case("accuracy, confidenceinterval"), _case("macro F1, confidenceinterval")),
            _confidenceinterval(law, n),
            needs="confidenceinterval",
        )
        for words, law, n in (
            ("five classes, each half as frequent as the last, accuracy 0.8", (5, 0.8, 2.0), 50),
            ("three equal classes, accuracy 0.95", (3, 0.95, 1.0), 50),
        )
    ),
)  # fmt: skip
