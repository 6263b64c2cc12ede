"""How often comparisons on the same rows find what is not there, and how often their intervals cover.

What depends on two counts alone is added up over all tables; the rest is simulated.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from justesse.core.case import Case, Disagreement
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.judges.classical import classical as overlap_judge
from justesse.judges.classical import lead as overlap_lead
from justesse.judges.evidence import Rule
from justesse.judges.paired import lead as paired_lead
from justesse.measures import averaged, f1, mcc, precision
from justesse.significance.mcnemar import mcnemar_pvalues
from justesse.significance.multiplicity import max_t
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import Compared, measured_difference, paired_bootstrap, paired_delta
from justesse.significance.permutation import permutation
from justesse.significance.two_areas import two_areas
from studies.validity.trinomial import tables

Array = NDArray[Any]
Row = dict[str, Any]
AXES = ("label", "incumbent", "candidate")
DRAWS = 199
METHODS: tuple[Literal["exact", "mid-p", "chi-square"], ...] = ("exact", "mid-p", "chi-square")
MEASURES = {"macro f1": Compared(averaged(f1, "macro")), "mcc": Compared(mcc), "precision": Compared(precision, 0)}


def count_sizes(*, repetitions: int, seed: int = 0) -> dict[str, list[Row]]:
    """Measure `size` (rejections at 5 % where nothing is to be found), `coverage` (at 95 %) and `judges`.

    Each row says what was tried, on how many rows n, in which setting, and `measured`, the share found.
    """
    size = [*_mcnemar(), *_equivalence(), *_permutation(repetitions, seed), *_areas(repetitions, seed)]
    return {
        "size": [*size, *_many_candidates(repetitions, seed)],
        "coverage": [*_tango(), *_other_measures(repetitions, seed)],
        "judges": [*_replaced_by_no_better(), *_overlap(repetitions, seed)],
    }


def _row(what: str, n: int, setting: str, measured: Any, **more: float) -> Row:
    return {"what": what, "n": n, "setting": setting, "measured": float(measured), **more}


def _mcnemar() -> Iterator[Row]:
    for n in (50, 200, 1000):
        for disagreement in (0.02, 0.05, 0.1, 0.3):
            every = tables(n, difference=0.0, disagreement=disagreement)
            for method in METHODS:
                rejected = mcnemar_pvalues(every.b, every.c, method=method) < 0.05
                yield _row(f"mcnemar {method}", n, f"disagreement {disagreement:g}", every.share(rejected))


def _equivalence() -> Iterator[Row]:
    """Try two classifiers exactly the margin apart, which are not equivalent.

    The test finds what its 90 % interval within the margin finds; the interval is what takes many tables at once.
    """
    for n in (200, 1000):
        for margin, disagreement in ((0.02, 0.05), (0.05, 0.1), (0.05, 0.3)):
            every = tables(n, difference=margin, disagreement=disagreement)
            ends = paired_difference(every.b, every.c, n, level=0.9)
            found = every.share((ends.low > -margin) & (ends.high < margin))
            yield _row("paired_equivalence", n, f"margin {margin:g}, disagreement {disagreement:g}", found)


def _permutation(repetitions: int, seed: int) -> Iterator[Row]:
    for n in (50, 200):
        rng = stream(seed, "permutation sizes", str(n))
        rejected = [
            permutation(_drawn(rng, n, ALIKE), MEASURES["macro f1"], draws=DRAWS, seed=at).pvalue <= 0.05
            for at in range(repetitions)
        ]
        yield _row("permutation, macro f1", n, "three classes, two alike", np.mean(rejected))


def _areas(repetitions: int, seed: int) -> Iterator[Row]:
    for n in (100, 500):
        for positives in (0.5, 0.1):
            rng = stream(seed, "areas", str(n), str(positives))
            pvalues = []
            for _ in range(repetitions):
                positive = np.arange(n) < positives * n
                shared = rng.normal(size=n) + positive
                pvalues.append(two_areas(positive, *(shared + rng.normal(size=(2, n)))).pvalue)
            yield _row("two_areas", n, f"{positives:g} positive, equal areas", np.mean(np.array(pvalues) < 0.05))


def _many_candidates(repetitions: int, seed: int) -> Iterator[Row]:
    """Count data sets where any of ten candidates, none better, is found better or worse."""
    n, many = 300, 10
    for kind, shared in (("unlike each other", 0.0), ("much alike", 0.8)):
        rng = stream(seed, "max-t", kind)
        found = []
        for at in range(repetitions):
            own = rng.choice([-1, 0, 1], p=[0.1, 0.8, 0.1], size=(n, many))
            common = rng.random((n, 1)) < shared
            kinds, counts = np.unique(np.where(common, own[:, :1], own), axis=0, return_counts=True)
            found.append(max_t(kinds, counts, draws=DRAWS, seed=at).pvalues.min() <= 0.05)
        yield _row("max_t, any of 10", n, f"candidates {kind}", np.mean(found))


def _tango() -> Iterator[Row]:
    disagreements, shares = np.geomspace(0.01, 0.6, 13), np.linspace(0, 0.95, 9)
    for n in (20, 50, 200):
        b, c = (grid.ravel() for grid in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
        possible = b + c <= n
        ends = paired_difference(b[possible], c[possible], n)
        low, high = np.full((n + 1, n + 1), np.nan), np.full((n + 1, n + 1), np.nan)
        low[b[possible], c[possible]], high[b[possible], c[possible]] = ends.low, ends.high
        covered = []
        for disagreement in disagreements:
            for share in shares:
                every = tables(n, difference=share * disagreement, disagreement=disagreement)
                at, true = (every.b, every.c), share * disagreement
                covered.append(every.share((low[at] <= true + 1e-9) & (high[at] >= true - 1e-9)))
        setting = "mean for disagreements of 0.01 to 0.6, differences of 0 to 0.95 of it"
        yield _row("tango", n, setting, np.mean(covered), lowest=float(np.min(covered)))


def _shares(skills: tuple[float, float], shared: float) -> Array:
    """Give the chances of label × incumbent × candidate: three uneven classes, mistakes made together or alone."""
    labels, wrong = np.array([0.5, 0.3, 0.2]), np.array([[0, 0.7, 0.3], [0.6, 0, 0.4], [0.5, 0.5, 0]])

    def answers(skill: float) -> Array:
        return np.asarray(skill * np.eye(3) + (1 - skill) * wrong)

    alone = np.einsum("y,ya,yb->yab", labels, *(answers(skill) for skill in skills))
    same = np.einsum("y,ya,ab->yab", labels, answers(min(skills)), np.eye(3))
    return np.asarray((1 - shared) * alone + shared * same)


ALIKE, BETTER = _shares((0.8, 0.8), 0.5), _shares((0.8, 0.85), 0.5)
CODES = np.argwhere(ALIKE >= 0).astype(np.int32)


def _tally(counts: Array) -> Tally:
    return Tally.canonical(AXES, ((0, 1, 2),) * 3, CODES, counts.ravel())


def _drawn(rng: np.random.Generator, n: int, shares: Array) -> Tally:
    return _tally(rng.multinomial(n, shares.ravel()))


def _other_measures(repetitions: int, seed: int) -> Iterator[Row]:
    truth = _tally(np.round(BETTER * 1e12).astype(np.int64))
    methods: dict[str, Callable[[Tally, Compared, int], Any]] = {
        "paired_bootstrap": lambda tally, compared, at: paired_bootstrap(tally, compared, draws=2 * DRAWS + 2, seed=at),
        "paired_delta": lambda tally, compared, at: paired_delta(Case(tally), compared),
    }
    for n in (100, 500):
        rng = stream(seed, "coverage of differences", str(n))
        drawn = [_drawn(rng, n, BETTER) for _ in range(repetitions)]
        for how, method in methods.items():
            for name, compared in MEASURES.items():
                true = float(measured_difference(compared)(truth))
                found = [method(tally, compared, at) for at, tally in enumerate(drawn)]
                covered = [one.unclipped_low <= true <= one.unclipped_high for one in found if one is not None]
                none = 1 - len(covered) / len(found)
                yield _row(how, n, f"{name}, three classes", np.mean(covered), none=none)


def _replaced_by_no_better() -> Iterator[Row]:
    what = "paired replaces, candidate no better"
    for n in (50, 200, 1000):
        for disagreement in (0.02, 0.05, 0.1, 0.3):
            yield _row(what, n, f"disagreement {disagreement:g}", _replaced(n, disagreement))
        worst = max(_replaced(n, disagreement) for disagreement in np.geomspace(0.01, 0.6, 60))
        yield _row(what, n, "worst for disagreements of 0.01 to 0.6", worst)


def _replaced(n: int, disagreement: float) -> float:
    every = tables(n, difference=0.0, disagreement=disagreement)
    table = Disagreement(n - every.b - every.c, every.b, every.c, 0, 0)
    return every.share(paired_lead(table, Rule()) > 0)


def _overlap(repetitions: int, seed: int) -> Iterator[Row]:
    """Try the overlap rule on pairs of equal accuracy, 0.8, that err together more or less."""
    rule, n = Rule(), 500
    level = overlap_judge(Case(Tally.of(AXES, [(1, 1, 1, 1), (1, 0, 0, 1)]))).incumbent.interval
    assert level is not None
    for correlation in (0.0, 0.5, 0.8):
        rng = stream(seed, "overlap", str(correlation))
        apart = 0.16 * (1 - correlation)
        kinds = rng.multinomial(n, [0.8 - apart, apart, apart, 0.2 - apart], size=20 * repetitions).T
        table = Disagreement(kinds[0], kinds[1], kinds[2], kinds[3], np.zeros_like(kinds[0]))
        differ = (overlap_lead(table, rule, level.level) > 0) | (overlap_lead(table.swapped, rule, level.level) > 0)
        yield _row("classical finds a difference of equals", n, f"correlation {correlation:g}", np.mean(differ))
