"""What follows from a known rate of wrong labels, and the rate itself from a sample of a known number of rows."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy.stats import hypergeom

from justesse.core.case import Case as Rows
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.measures import Measure, accuracy, averaged, cost, f1, precision, recall
from justesse.noise.bounds import bounds_from_rate
from justesse.noise.lam_stork import lam_stork
from justesse.noise.paired_bounds import difference_from_rate
from justesse.noise.random_sample import sample_chance
from justesse.noise.transition import Transition
from studies.validity.case import Case, Hits, Setting, covered, exactly, rejected
from studies.validity.counted import Noise, drawn, law

Run = Callable[[int, int], Mapping[str, Hits]]
RATE, RANGE, LIKE = "noise rate of these rows", "accuracy, Lam and Stork, a range of rates", "re-checked rows like a random sample"  # fmt: skip
SIDES = {"two-sided": "", "greater": ", one-sided (greater)", "less": ", one-sided (less)"}
MORE = "re-check rows instead (the noise rate of these rows)"


def _finite(rows: int, wrong: int, checked: int, side: Any) -> Run:
    """Sum over all numbers of wrong labels among the rows re-checked, drawn without replacement."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        share, methods = 0.0, set()
        for many in range(max(0, checked - rows + wrong), min(wrong, checked) + 1):
            table = Transition.from_table([[checked - many, many], [0, 0]], ["a", "b"])
            ends = table.rates(population=rows, alternative=side)[0].interval
            assert ends is not None
            methods.add(ends.method)
            inside = ends.low - 1e-12 <= wrong / rows <= ends.high + 1e-12
            share += float(hypergeom.pmf(many, rows, wrong, checked)) * inside
        return {RATE: exactly(share, *sorted(methods))}

    return run


def _random_samples(classes: int, rows: int, checked: int, right: float) -> Run:
    """Draw re-checked rows at random; the test should seldom find that they were not."""
    chances = np.full((classes, classes), (1 - right) / (classes - 1) / classes)
    np.fill_diagonal(chances, right / classes)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "random samples", str(classes), str(rows), str(checked))
        pvalues = []
        for _ in range(repetitions):
            whole = rng.multinomial(rows, chances.ravel())
            part = rng.multivariate_hypergeometric(whole, checked, method="marginals")
            pvalues.append(sample_chance(*(Tally.from_dense(item.reshape(classes, -1)) for item in (whole, part))))
        return {LIKE: rejected(pvalues, "chi-square of a finite population")}

    return run


def _ranges(classes: int, n: int, right: float, rate: float, known: tuple[float, float], side: Any) -> Run:
    """Draw label and prediction that err independently, each evenly over the other classes."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "ranges of rates", str(classes), str(n), str(rate))
        ends: list[Interval | None] = []
        for _ in range(repetitions):
            true = rng.integers(classes, size=n)
            label, prediction = (
                (true + (rng.random(n) < wrong) * rng.integers(1, classes, size=n)) % classes
                for wrong in (rate, 1 - right)
            )
            counts = np.bincount(label * classes + prediction, minlength=classes**2).reshape(classes, classes)
            ends.append(lam_stork(Tally.from_dense(counts), known, alternative=side).figures[0].interval)
        return {RANGE: covered(ends, right)}

    return run


def _bounds(noise: Noise, classes: int, n: int) -> Run:
    """Bound measures by the share of wrong labels that these rows have; the truth must always be inside."""
    chances = law(noise, classes, 0.1)
    costs = cost(np.abs(np.subtract.outer(np.arange(classes), np.arange(classes))).astype(float))
    measures: list[Measure] = [accuracy, costs, averaged(f1, "macro"), precision, recall]

    def found(rows: Tally) -> Iterator[tuple[Interval | None, float]]:
        truth, seen = (
            rows.marginal(axis, "candidate").renamed(**{axis: "label", "candidate": "prediction"})
            for axis in ("true", "label")
        )
        wrong = int(rows.counts[rows.codes[:, 0] != rows.codes[:, 1]].sum())
        bounds = bounds_from_rate(seen, measures, wrong / n).figures
        for measure in measures:
            own = [item for item in bounds if item.name == measure.name and item.average == measure.average][-1]
            known = float(np.atleast_1d(measure(truth))[-1])
            there = not np.isnan(known + own.low + own.high)
            yield Interval(own.low, own.high, 1.0, FROM_RATE) if there else None, known
        before = rows.marginal("true", "incumbent").renamed(true="label", incumbent="prediction")
        labelled = Rows(rows.marginal("label", "incumbent", "candidate"))
        apart = difference_from_rate(labelled.disagreement, wrong / n).figures[0]
        yield Interval(apart.low, apart.high, 1.0, FROM_RATE), float(accuracy(truth) - accuracy(before))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "bounds from a rate", noise, str(classes), str(n))
        seen = [list(found(drawn(chances, n, rng))) for _ in range(repetitions)]
        columns = zip(BOUNDED, zip(*seen, strict=True), strict=True)
        return {what: covered([ends for ends, _ in pairs], [truth for _, truth in pairs]) for what, pairs in columns}

    return run


FROM_RATE = "bounds from the rate"
BOUNDED = tuple(
    f"{what}, bounds from the rate"
    for what in ("accuracy", "cost", "macro F1", "precision of one class", "recall of one class", "difference")
)
NOISES: dict[Noise, str] = {
    "repeated": "the candidate repeats every wrong label",
    "seen through": "the candidate sees through every wrong label",
    "feature": "hard rows mislead all",
}
SETTINGS = (
    *(
        Setting("noise-rates", f"{wrong} of {rows} labels wrong, {checked} re-checked{SIDES[side]}", checked, (Case(RATE, instead=MORE),), _finite(rows, wrong, checked, side), 0)
        for rows, wrong, checked, side in (
            (300, 30, 60, "two-sided"),
            (100, 5, 80, "two-sided"),
            (1000, 10, 50, "two-sided"),
            (5000, 500, 400, "two-sided"),
            (300, 30, 60, "greater"),
            (300, 30, 60, "less"),
            (2000, 40, 150, "two-sided"),
        )
    ),
    *(
        Setting("noise-rates", f"{classes} classes, accuracy {right:g}, {checked} of {rows} rows", checked, (Case(LIKE, "size"),), _random_samples(classes, rows, checked, right))
        for classes, rows, checked, right in ((3, 300, 60, 0.9), (2, 5000, 400, 0.9), (3, 300, 250, 0.8), (10, 300, 40, 0.7))
    ),
    *(
        Setting("noise-rates", f"{classes} classes, accuracy {right:g}, {100 * rate:g} % wrong labels, {100 * known[0]:g} to {100 * known[1]:g} % known{SIDES[side]}", n, (Case(RANGE, about=("measure:accuracy",), instead=MORE),), _ranges(classes, n, right, rate, known, side))
        for classes, n, right, rate, known, side in (
            (2, 200, 0.9, 0.05, (0.02, 0.08), "two-sided"),
            (2, 200, 0.9, 0.08, (0.02, 0.08), "two-sided"),
            (10, 500, 0.8, 0.2, (0.2, 0.25), "two-sided"),
            (2, 50, 0.9, 0.3, (0.3, 0.31), "two-sided"),
            (2, 200, 0.9, 0.02, (0.02, 0.08), "greater"),
            (2, 200, 0.9, 0.08, (0.02, 0.08), "greater"),
        )
    ),
    *(
        Setting("noise-rates", f"{classes} classes, 10 % wrong labels: {words}", n, tuple(Case(what, nominal=1.0) for what in BOUNDED), _bounds(noise, classes, n))
        for noise, words in NOISES.items()
        for classes, n in ((2, 50), (5, 200))
    ),
)  # fmt: skip
