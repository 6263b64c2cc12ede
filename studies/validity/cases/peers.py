"""Other packages at their defaults, in the same simulations as ours."""

from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from scipy.special import ndtr

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


KNOWN = {"confidenceinterval": "1.0.5", "inspect_ai": "0.3.285", "mlxtend": "0.25.0", "statsmodels": "0.15.0"}
CODE = {
    "accuracy, statsmodels": ("statsmodels", "proportion_confint(right, n)"),
    "McNemar's test, mlxtend": ("mlxtend", "mcnemar(table)"),
    "McNemar's test, statsmodels": ("statsmodels", "mcnemar(table)"),
    "accuracies of two classifiers, mlxtend": ("mlxtend", "proportion_difference(p1, p2, n)"),
    "accuracy, confidenceinterval": ("confidenceinterval", "accuracy_score(y, p)"),
    "macro F1, confidenceinterval": ("confidenceinterval", "f1_score(y, p, average='macro')"),
    "ROC AUC, confidenceinterval": ("confidenceinterval", "roc_auc_score(y, score)"),
    "accuracy, inspect_ai": ("inspect_ai", "ci()(scores)"),
    "accuracy, inspect_ai's Wilson": ("inspect_ai", "ci_wilson()(scores)"),
    "share of rows in groups, inspect_ai": ("inspect_ai", "ci(cluster='group')(scores)"),
    "share of rows in groups, inspect_ai's Wilson": ("inspect_ai", "ci_wilson(cluster='group')(scores)"),
}
OURS = "justesse (see the row of the same setting)"
EXACT = "Clopper-Pearson, as with ours (`--method clopper-pearson`)"


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


def _areas(n: int, shift: float, rate: float) -> Run:
    """Draw scores of two normal classes, whose area is Φ(shift / √2)."""
    truth = float(ndtr(shift / 2**0.5))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        import confidenceinterval as peer

        rng = stream(seed, "areas of confidenceinterval", str(n), str(shift), str(rate))
        ends: list[Interval | None] = []
        for _ in range(repetitions):
            positive = rng.random(n) < rate
            score = rng.normal(size=n) + shift * positive
            known = 2 <= positive.sum() <= n - 2
            low, high = peer.roc_auc_score(positive.astype(int), score)[1] if known else (np.nan, np.nan)
            ends.append(None if np.isnan(low + high) else Interval(float(low), float(high), 0.95, "default"))
        return {"ROC AUC, confidenceinterval": covered(ends, truth)}

    return run


def _samples(values: Any, groups: Any = None) -> list[Any]:
    """Lay out right and wrong answers as inspect_ai takes them."""
    from inspect_ai.scorer import SampleScore, Score  # type: ignore[import-not-found]

    own = np.zeros(len(values)) if groups is None else groups
    return [
        SampleScore(score=Score(value=float(value)), sample_id=at, sample_metadata={"group": int(group)})
        for at, (value, group) in enumerate(zip(values, own, strict=True))
    ]


def _inspect_shares(n: int, p: float) -> Run:
    """Sum over all numbers of right answers."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        from inspect_ai.scorer import ci, ci_wilson
        from scipy.stats import binom

        inside = {"accuracy, inspect_ai": 0.0, "accuracy, inspect_ai's Wilson": 0.0}
        wrong, right_ones = (_samples(np.full(n, value)) for value in (0, 1))
        for right in range(n + 1):
            scores = right_ones[:right] + wrong[right:]
            for what, metric in zip(inside, (ci(), ci_wilson()), strict=True):
                ends = metric(scores)
                inside[what] += float(binom.pmf(right, n, p)) * (ends["lower"] <= p <= ends["upper"])
        return {what: exactly(share, "default") for what, share in inside.items()}

    return run


def _inspect_groups(groups: int, rate: float, alike: float) -> Run:
    """Draw groups of ten rows, as in the part `clusters`."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        from inspect_ai.scorer import ci, ci_wilson

        rng = stream(seed, "groups of inspect_ai", str(groups), str(rate), str(alike))
        metrics = dict(zip(GROUPED, (ci(cluster="group"), ci_wilson(cluster="group")), strict=True))
        ends: dict[str, list[Interval | None]] = {what: [] for what in GROUPED}
        group = np.repeat(np.arange(groups), 10)
        either = list(zip(*(_samples(np.full(10 * groups, value), group) for value in (0, 1)), strict=True))
        for _ in range(repetitions):
            hits = rng.random(10 * groups) < rng.beta(rate / alike, (1 - rate) / alike, size=groups)[group]
            scores = [pair[hit] for pair, hit in zip(either, hits.tolist(), strict=True)]
            for what, metric in metrics.items():
                found = metric(scores)
                ends[what].append(Interval(found["lower"], found["upper"], 0.95, "default"))
        return {what: covered(intervals, rate) for what, intervals in ends.items()}

    return run


GROUPED = ("share of rows in groups, inspect_ai", "share of rows in groups, inspect_ai's Wilson")


def _case(what: str, kind: Any = "coverage") -> Case:
    instead = EXACT if what.startswith("accuracy") and "Wilson" in what else OURS
    return Case(what, kind, instead=instead, peer=_named(*CODE[what]))


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
    *(
        Setting("peers", f"{100 * rate:g} % positive, classes {shift:g} standard deviations apart", n, (_case("ROC AUC, confidenceinterval"),), _areas(n, shift, rate), needs="confidenceinterval")
        for n, shift, rate in ((50, 2.5, 0.1), (200, 2.5, 0.1))
    ),
    *(
        Setting("peers", f"true share {p:g}", n, (_case("accuracy, inspect_ai"), _case("accuracy, inspect_ai's Wilson")), _inspect_shares(n, p), 0, needs="inspect_ai")
        for n in (30, 100)
        for p in (0.9, 0.99)
    ),
    *(
        Setting("peers", f"{100 * rate:g} % errors, groups {'much alike' if alike < 0.1 else 'unlike each other'}, groups of ten rows", groups, tuple(_case(what) for what in GROUPED), _inspect_groups(groups, rate, alike), needs="inspect_ai")
        for groups, rate, alike in ((10, 0.1, 0.5), (30, 0.02, 0.05))
    ),
)  # fmt: skip
