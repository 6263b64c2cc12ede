"""Two classifiers on the same rows: tests, and intervals of the difference."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from justesse.core.case import Case as Rows
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.measures import averaged, balanced_accuracy, f1, kappa, mcc, precision, recall
from justesse.significance.mcnemar import McNemarMethod, mcnemar_pvalues
from justesse.significance.multiplicity import adjusted, max_t
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import Compared, measured_difference, paired_bootstrap, paired_delta
from justesse.significance.permutation import permutation
from justesse.significance.two_areas import two_areas
from justesse.significance.two_shares import share_gaps
from studies.validity.case import Case, Hits, Setting, covered, exactly, rejected
from studies.validity.count_sizes import ALIKE, AXES, BETTER, CODES
from studies.validity.trinomial import tables

Run = Callable[[int, int], Mapping[str, Hits]]
COMPARED = {
    "difference of macro F1": Compared(averaged(f1, "macro")),
    "difference of MCC": Compared(mcc),
    "difference of kappa": Compared(kappa),
    "difference of balanced accuracy": Compared(balanced_accuracy),
    "difference of precision of one class": Compared(precision, 2),
    "difference of recall of one class": Compared(recall, 2),
}
DRAWS = 399


def _mcnemar(n: int, disagreement: float, alternative: Any) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        every = tables(n, difference=0.0, disagreement=disagreement)
        return {
            f"McNemar's test, {method}": exactly(
                every.share(mcnemar_pvalues(every.b, every.c, method=method, alternative=alternative) <= 0.05),
                f"mcnemar-{method}",
            )
            for method in get_args(McNemarMethod)
        }

    return run


def _tango(n: int, difference: float, disagreement: float, alternative: Any, level: float = 0.95) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        every = tables(n, difference=difference, disagreement=disagreement)
        ends = paired_difference(every.b, every.c, n, alternative=alternative, level=level)
        inside = (ends.low <= difference + 1e-9) & (ends.high >= difference - 1e-9)
        return {"difference of accuracy": exactly(every.share(inside), ends.method)}

    return run


def _equivalence(n: int, margin: float, disagreement: float) -> Run:
    """Try two classifiers exactly the margin apart; the test rejects where its 90 % interval is within the margin."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        every = tables(n, difference=margin, disagreement=disagreement)
        ends = paired_difference(every.b, every.c, n, level=0.9)
        return {"equivalence": exactly(every.share((ends.low > -margin) & (ends.high < margin)), "paired-tost")}

    return run


def _tally(counts: NDArray[Any]) -> Tally:
    return Tally.canonical(AXES, ((0, 1, 2),) * 3, CODES, counts.ravel())


def _permutation(n: int, alternative: Any) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, compared = stream(seed, "permutation", str(n)), COMPARED["difference of macro F1"]
        drawn = (_tally(rng.multinomial(n, ALIKE.ravel())) for _ in range(repetitions))
        pvalues = [
            permutation(tally, compared, alternative=alternative, draws=DRAWS, seed=at).pvalue
            for at, tally in enumerate(drawn)
        ]
        return {"permutation test of macro F1": rejected(pvalues, "permutation")}

    return run


def _two_scores(rng: np.random.Generator, n: int, positives: float, shifts: tuple[float, float]) -> Any:
    positive = np.arange(n) < positives * n
    shared, own = rng.normal(size=n), rng.normal(size=(2, n))
    return positive, *(shift * positive + shared + each for shift, each in zip(shifts, own, strict=True))


def _areas(n: int, positives: float, shifts: tuple[float, float]) -> Run:
    # the two scores of a class have variance 2, so the area is Φ(shift / 2)
    truth = float(ndtr(shifts[1] / 2) - ndtr(shifts[0] / 2))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "two areas", str(n), str(positives), str(shifts))
        found = [two_areas(*_two_scores(rng, n, positives, shifts)) for _ in range(repetitions)]
        intervals = [result.difference.interval if result.difference else None for result in found]
        hits = {"difference of ROC AUC": covered(intervals, truth)}
        if shifts[0] == shifts[1]:
            hits["equal ROC AUC"] = rejected([result.pvalue for result in found], "delong")
        return hits

    return run


def _any_of_ten(shared: float) -> Run:
    """Count data sets where any of ten candidates, none better, is called different."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "ten candidates", str(shared))
        by_max_t, by_holm = [], []
        for at in range(repetitions):
            own = rng.choice([-1, 0, 1], p=[0.1, 0.8, 0.1], size=(300, 10))
            rows = np.where(rng.random((300, 1)) < shared, own[:, :1], own)
            kinds, counts = np.unique(rows, axis=0, return_counts=True)
            by_max_t.append(float(max_t(kinds, counts, draws=DRAWS, seed=at).pvalues.min()))
            pvalues = mcnemar_pvalues((rows < 0).sum(axis=0), (rows > 0).sum(axis=0))
            by_holm.append(float(adjusted(pvalues.tolist()).min()))
        return {
            "any of 10 candidates, max-t": rejected(by_max_t, "max-t"),
            "any of 10 candidates, McNemar with Holm": rejected(by_holm, "mcnemar-mid-p"),
        }

    return run


def _slices(parts: int, size: int, right: float) -> Run:
    """Count data sets where any slice is called different though all are equally easy."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        hits = stream(seed, "slices", str(parts), str(size)).binomial(size, right, size=(repetitions, parts))
        sizes, n = np.full(parts, size), parts * size
        pvalues = [
            float(share_gaps(row, sizes, all_hits=int(row.sum()), n=n, level=0.95, tried=parts).pvalues.min())
            for row in hits
        ]
        return {"any slice different from the rest": rejected(pvalues, "fisher-exact with Holm")}

    return run


@cache
def _true_differences() -> dict[str, float]:
    large = _tally(np.round(BETTER * 1e12).astype(np.int64))
    return {name: float(measured_difference(compared)(large)) for name, compared in COMPARED.items()}


def _measures(n: int, how: str, alternative: Any = "two-sided") -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "differences of measures", str(n))
        drawn = [_tally(rng.multinomial(n, BETTER.ravel())) for _ in range(repetitions)]
        truths = _true_differences()

        def ends(tally: Tally, compared: Compared, at: int) -> Any:
            if how == "delta":
                return paired_delta(Rows(tally), compared, alternative=alternative)
            return paired_bootstrap(tally, compared, draws=DRAWS + 1, seed=at, method=how, alternative=alternative)  # type: ignore[arg-type]

        return {
            name: covered([ends(tally, compared, at) for at, tally in enumerate(drawn)], truths[name])
            for name, compared in COMPARED.items()
        }

    return run


MCNEMAR = tuple(Case(f"McNemar's test, {method}", "size") for method in get_args(McNemarMethod))
ACCURACY = (
    Case(
        "difference of accuracy",
        about=("measure:accuracy", "judge:paired"),
        instead="`--level 0.96` covers 95 % with 50 to 200 rows",
    ),
)
MEASURED = tuple(Case(name, about=(f"measure:{item.measure.name}",)) for name, item in COMPARED.items())
RESAMPLED = tuple(replace(case, instead="the delta method, which is the default") for case in MEASURED)
AREAS = Case("difference of ROC AUC", about=("measure:roc_auc",), instead="collect a few dozen rows of each class")
SIDES = {"two-sided": "", "greater": ", one-sided (greater)", "less": ", one-sided (less)"}
SETTINGS = (
    *(
        Setting("same-rows", f"disagreement {rate:g}{SIDES[side]}", n, MCNEMAR, _mcnemar(n, rate, side), 0)
        for n, rate, side in (
            (50, 0.05, "two-sided"),
            (50, 0.3, "two-sided"),
            (200, 0.05, "two-sided"),
            (1000, 0.1, "two-sided"),
            (200, 0.1, "greater"),
            (200, 0.1, "less"),
        )
    ),
    *(
        Setting(
            "same-rows",
            f"disagreement {rate:g}, true difference {true:g}{SIDES[side]}",
            n,
            ACCURACY,
            _tango(n, true, rate, side),
            0,
        )
        for n, true, rate, side in (
            (20, 0.0, 0.1, "two-sided"),
            (20, 0.25, 0.3, "two-sided"),
            (100, 0.04, 0.05, "two-sided"),
            (100, 0.1, 0.3, "two-sided"),
            (1000, 0.02, 0.05, "two-sided"),
            (100, 0.04, 0.1, "greater"),
            (100, 0.04, 0.1, "less"),
        )
    ),
    *(
        Setting(
            "same-rows",
            f"disagreement {rate:g}, true difference {true:g}{SIDES[side]}, `--level 0.96`",
            n,
            ACCURACY,
            _tango(n, true, rate, side, 0.96),
            0,
        )
        for n, true, rate, side in (
            (50, 0.2, 0.2, "two-sided"),  # the lowest coverage found among five disagreements and eleven differences
            (100, 0.04, 0.05, "two-sided"),
            (200, 0.03, 0.05, "two-sided"),  # the lowest with 200 rows
            (100, 0.04, 0.1, "greater"),
        )
    ),
    *(
        Setting("same-rows", f"at the margin of {margin:g}, disagreement {rate:g}", n, (Case("equivalence", "size"),), _equivalence(n, margin, rate), 0)
        for n, margin, rate in ((200, 0.05, 0.1), (1000, 0.02, 0.05), (1000, 0.05, 0.3))
    ),
    *(
        Setting("same-rows", f"three classes{SIDES[side]}", n, (Case("permutation test of macro F1", "size"),), _permutation(n, side), draws=DRAWS)
        for n, side in ((50, "two-sided"), (200, "two-sided"), (200, "greater"))
    ),
    *(
        Setting(
            "same-rows",
            f"{100 * positives:g} % positive, areas {ndtr(shifts[0] / 2):.2f} and {ndtr(shifts[1] / 2):.2f}",
            n,
            (AREAS, *((Case("equal ROC AUC", "size", ("measure:roc_auc",)),) if shifts[0] == shifts[1] else ())),
            _areas(n, positives, shifts),
        )
        for n, positives, shifts in (
            (100, 0.5, (1.0, 1.0)),
            (100, 0.1, (1.0, 1.0)),
            (100, 0.1, (2.0, 4.0)),
            (500, 0.1, (1.0, 2.0)),
            (500, 0.02, (1.0, 1.0)),
        )
    ),
    *(
        Setting(
            "same-rows",
            f"ten candidates, {words}",
            300,
            (Case("any of 10 candidates, max-t", "size"), Case("any of 10 candidates, McNemar with Holm", "size")),
            _any_of_ten(shared),
            draws=DRAWS,
        )
        for words, shared in (("unlike each other", 0.0), ("much alike", 0.8))
    ),
    *(
        Setting("same-rows", f"{parts} slices of {size} rows, accuracy {right:g}", parts * size, (Case("any slice different from the rest", "size"),), _slices(parts, size, right))
        for parts, size, right in ((5, 100, 0.9), (50, 20, 0.95))
    ),
    *(
        Setting("same-rows", "three classes, delta method", n, MEASURED, _measures(n, "delta"), chunk=250)
        for n in (50, 100, 500)
    ),
    *(
        Setting("same-rows", f"three classes, `--bootstrap {how}`", 100, RESAMPLED, _measures(100, how), chunk=250, draws=DRAWS + 1)
        for how in ("percentile", "bca")
    ),
    Setting("same-rows", "three classes, delta method, one-sided (greater)", 100, MEASURED, _measures(100, "delta", "greater"), chunk=250),
)  # fmt: skip
