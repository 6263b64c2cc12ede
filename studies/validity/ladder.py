"""Test sets with wrong labels, and every interval of the ladder of assumptions with the value it should contain.

Three classes, 10 % wrong labels, drawn from a joint law of true class, label and the answers of two classifiers, so that
every true value is known. `uniform` and `class` noise have nothing to do with the answers once the class is known; under
`feature` noise a quarter of the rows is hard for annotators and classifiers alike, and all mistake them for the same
class.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from justesse.core.case import Case
from justesse.core.results import Estimate
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence
from justesse.measures import Measure, accuracy, averaged, f1, precision, recall
from justesse.noise.bias import bias
from justesse.noise.correct import corrected
from justesse.noise.inversion import inversion
from justesse.noise.lam_stork import lam_stork
from justesse.noise.moved_rows import Strata
from justesse.noise.plain import plain
from justesse.noise.profile import profile
from justesse.noise.recheck import recheck
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.transition import Transition

Array = NDArray[Any]
Noise = Literal["uniform", "class", "feature"]
NOISES: tuple[Noise, ...] = get_args(Noise)
CLASSES = ("a", "b", "c")
SHARES = np.array([0.5, 0.3, 0.2])
INCUMBENT = np.array([[0.95, 0.03, 0.02], [0.15, 0.78, 0.07], [0.10, 0.32, 0.58]])
CANDIDATE = np.array([[0.97, 0.02, 0.01], [0.10, 0.85, 0.05], [0.08, 0.30, 0.62]])
BY_CLASS = np.array([[0.98, 0.015, 0.005], [0.05, 0.93, 0.02], [0.045, 0.30, 0.655]])
RATE, HARD, LAW = 0.1, 0.25, "c,ca,ci,co->caio"
SIZES = ((300, 60), (5000, 400))  # rows, and how many of them are re-checked
DRAWS = 400
MEASURES: list[Measure] = [accuracy, precision, recall, averaged(f1, "macro")]
AS_LABELLED = {"true": "label", "incumbent": "prediction"}
WATCHED = "c"  # the rarest class stands for all in measures of one class
RIGHT_FOR: dict[str, tuple[Noise, ...]] = {"(a)": (), "(b)": ("uniform",), "(c)": ("uniform", "class")}


def joint(noise: Noise) -> Array:
    """Give the chances of true class × label × incumbent × candidate.

    >>> [round(float(1 - np.einsum("kkio->", joint(noise))), 3) for noise in NOISES]
    [0.1, 0.1, 0.1]
    """
    if noise != "feature":
        labels = Transition.uniform(CLASSES, RATE).matrix if noise == "uniform" else BY_CLASS
        return np.asarray(np.einsum(LAW, SHARES, labels, INCUMBENT, CANDIDATE))
    following = np.roll(np.eye(3), 1, axis=1)

    def mistaken(chance: float) -> Array:
        return (1 - chance) * np.eye(3) + chance * (0.8 * following + 0.2 * following.T)

    easy, hard = (
        np.einsum(LAW, SHARES, *(mistaken(chance) for chance in chances))
        for chances in ((0.02, 0.07, 0.05), (0.34, 0.46, 0.40))
    )
    return np.asarray((1 - HARD) * easy + HARD * hard)


@dataclass(frozen=True)
class Known:
    """What is true of the population the rows are drawn from."""

    rows: Tally
    rate: float
    transition: Transition
    bias: float

    @classmethod
    def of(cls, noise: Noise) -> "Known":
        """Lay the law out as so many rows that rounding does not show."""
        law = joint(noise)
        codes = np.array(list(np.ndindex(law.shape)), dtype=np.int32)
        counts = np.rint(law.ravel() * 1e12).astype(np.int64)
        rows = Tally.canonical(("true", "label", "incumbent", "candidate"), (CLASSES,) * 4, codes, counts)
        transition = Transition.from_tally(rows)
        moved = bias(_of_candidate(rows), [accuracy])[0].bias
        return cls(rows, transition.rate(), replace(transition, counts=None), moved)

    def drawn(self, n: int, rng: np.random.Generator) -> Tally:
        return _with_counts(self.rows, rng.multinomial(n, self.rows.counts / self.rows.n))


def intervals(
    known: Known, n: int, checked: int, rng: np.random.Generator, seed: int
) -> Iterator[tuple[str, Estimate, float]]:
    """Draw one test set and yield every interval with what it should contain."""
    both, other = known.drawn(n, rng), known.drawn(checked, rng)
    sampled = _with_counts(both, rng.multivariate_hypergeometric(both.counts, checked, method="marginals"))
    everyone, rows, sample = (_of_candidate(tally) for tally in (known.rows, both, sampled))
    seen, confidence = rows.marginal("label", "prediction"), Confidence(draws=DRAWS, seed=seed)
    truth, here = _true(everyone), _true(rows)
    yield "(a) labels taken as right: accuracy", plain(seen, [accuracy]).figures[0], truth["accuracy"]
    yield "(b) Lam and Stork, rate known: accuracy", lam_stork(seen, known.rate).figures[0], truth["accuracy"]
    for words, transition in (("known", known.transition), ("counted", Transition.from_tally(other))):
        for one in inversion(seen, MEASURES, transition, confidence).figures:
            if one.title in truth:
                yield f"(c) table inverted, {words}: {one.title}", one, truth[one.title]
    right = float(accuracy(seen)) * n
    yield "bias known (thesis 6.30): accuracy", corrected(right, n, known.bias).estimate, truth["accuracy"]
    for strata in get_args(Strata):
        for about, wanted in (("population", truth), ("rows", here)):
            measures = MEASURES if strata == "kinds" else [accuracy]
            for one in recheck(seen, sample, measures, strata=strata, about=about).figures:  # type: ignore[arg-type]
                if one.title in wanted:
                    yield f"(f) re-checked, {strata}, {about}: {one.title}", one, wanted[one.title]
    case = Case(both.marginal("label", "incumbent", "candidate"))
    ahead = truth["accuracy"] - float(accuracy(known.rows.marginal("true", "incumbent").renamed(**AS_LABELLED)))
    yield "(f) re-checked: difference of accuracy", recheck_difference(case, sampled).figures[0], ahead
    for one, population in zip(profile(rows)[:3], profile(everyone)[:3], strict=True):
        yield f"profile: {one.name}", one, population.value
    counted, everywhere = Transition.from_tally(sample), Transition.from_tally(known.rows).rates()
    for one, population in zip(counted.rates(), everywhere, strict=True):
        if one.class_name in (None, WATCHED):
            yield f"noise rate, population: {one.title}", one, population.value
    yield "noise rate, these rows: noise_rate", counted.rates(population=n)[0], Transition.from_tally(rows).rate()


def _of_candidate(rows: Tally) -> Tally:
    return rows.marginal("true", "label", "candidate").renamed(candidate="prediction")


def _true(rows: Tally) -> dict[str, float]:
    """Give the true values that are looked at, by title."""
    against_truth = rows.marginal("true", "prediction").renamed(true="label")
    at = CLASSES.index(WATCHED)
    named = {f"{measure.name} of {WATCHED!r}": float(measure(against_truth)[at]) for measure in (precision, recall)}
    whole = {"accuracy": accuracy, "macro F1": MEASURES[-1]}
    return {**named, **{title: float(measure(against_truth)) for title, measure in whole.items()}}


def _with_counts(rows: Tally, counts: Array) -> Tally:
    return Tally.canonical(rows.axes, rows.levels, rows.codes, counts)
