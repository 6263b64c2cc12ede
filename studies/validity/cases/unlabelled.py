"""Without labels: the judge that goes by a reference classifier, and tests that classifiers err independently."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.case import Case as Rows
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.agreement_errors import agreement_errors
from justesse.judges.evidence import Rule
from justesse.judges.reference_dependence import reference_dependence
from justesse.judges.unsupervised import unsupervised
from justesse.significance.agreement_fit import agreement_fit
from justesse.significance.reference_independence import reference_independence
from studies.validity.case import Case, Hits, Setting, covered, rejected

Run = Callable[[int, int], Mapping[str, Hits]]
JUDGE = ("judge:unsupervised",)
REPLACES, DIFFERENCE, LEAN = "unsupervised replaces", "difference of agreements", "lean of the reference"
FIT, LABELS = "fit of the agreements", "reference favours neither"
RISK = 0.025  # one side of a 95 % interval
ERROR, BOUNDS = "error rate, independent errors assumed", "bounds of an error rate, dependence known"
DRAWS = 399
TOGETHER = "bounds, with a dependence that is not too small; labels for some rows"
FEW_ERRORS = "more rows: each classifier should err on 10 rows or more"


def answers(
    rng: np.random.Generator, n: int, errors: Sequence[float], classes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw the answers of classifiers that err independently, with wrong answers spread evenly, and the true classes."""
    true = rng.integers(classes, size=n)
    given = [
        np.where(rng.random(n) < error, (true + rng.integers(1, classes, size=n)) % classes, true) for error in errors
    ]
    return np.stack(given, axis=1), true


def _patterns(codes: NDArray[np.int64], classes: int) -> AnswerPatterns:
    return AnswerPatterns.from_codes([f"m{at}" for at in range(codes.shape[1])], tuple(range(classes)), codes)


def _judge(n: int, errors: Sequence[float], classes: int) -> Run:
    """Judge two classifiers of equal accuracy by a reference that errs independently of both."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "unsupervised", str(n), str(errors), str(classes))
        replaced = 0
        apart: list[Interval | None] = []
        leans: list[Interval | None] = []
        for _ in range(repetitions):
            rows = Rows(
                _patterns(answers(rng, n, errors, classes)[0], classes).tally(incumbent=0, candidate=1, label=2)
            )
            verdict = unsupervised(rows)
            replaced += verdict.replaces
            apart.append(verdict.difference.interval)
            leans.append(reference_dependence(rows, Rule()).lean.interval)
        return {
            REPLACES: Hits(replaced, repetitions, 0, ("unsupervised",)),
            DIFFERENCE: covered(apart, 0.0),
            LEAN: covered(leans, 0.0),
        }

    return run


def _fit(n: int, errors: Sequence[float], classes: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "agreement fit", str(n), str(errors), str(classes))
        drawn = (_patterns(answers(rng, n, errors, classes)[0], classes) for _ in range(repetitions))
        return {FIT: rejected([agreement_fit(patterns, draws=199).pvalue for patterns in drawn], "agreement-fit")}

    return run


def _labels(n: int, right: float, third: float, neither: float) -> Run:
    """Count labelled rows where two classifiers differ, with a reference that errs independently of both."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "reference independence", str(n), str(right), str(third), str(neither))
        pvalues = []
        for _ in range(repetitions):
            ours, theirs, none = rng.multinomial(n, [0.6 * (1 - neither), 0.4 * (1 - neither), neither])
            sides = [right, third, 1 - right - third]
            wrong = [(1 - third) / 2, third, (1 - third) / 2]
            table = [
                rng.multinomial(many, chances) for many, chances in ((ours, sides), (theirs, sides), (none, wrong))
            ]
            pvalues.append(reference_independence(*(list(map(int, part)) for part in table)).pvalue)
        return {LABELS: rejected(pvalues, "reference-independence")}

    return run


def _errors(n: int, errors: Sequence[float], classes: int, shared: float) -> Run:
    """Estimate error rates; with `shared`, all get that share of the rows wrong together, and bounds allow for it."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "agreement errors", str(n), str(errors), str(classes), str(shared))
        own: list[Interval | None] = []
        bounded: list[Interval | None] = []
        true_error, other_error = (shared + (1 - shared) * error for error in errors[:2])
        both = shared + (1 - shared) * errors[0] * errors[1]
        for at in range(repetitions):
            codes, true = answers(rng, n, errors, classes)
            hard = rng.random(n) < shared
            codes[hard] = ((true[hard] + 1) % classes)[:, None]
            result = agreement_errors(
                _patterns(codes, classes), dependence=max(0.0, both - true_error * other_error), draws=DRAWS, seed=at
            )
            own.append(result.estimates[0].interval)
            ends = (float(result.low[0]), float(result.high[0]))
            bounded.append(None if np.isnan(ends).any() else Interval(*ends, 0.95, "agreement-bootstrap"))
        bounds = {BOUNDS: covered(bounded, true_error)} if shared else {}  # without dependence they are the estimate
        return {ERROR: covered(own, true_error), **bounds}

    return run


SETTINGS = (
    *(
        Setting(
            "unlabelled", f"{classes} classes, errors {errors[0]:g}, {errors[1]:g}, reference {errors[2]:g}", n,
            (Case(REPLACES, "size", JUDGE, RISK), Case(DIFFERENCE, about=JUDGE), Case(LEAN, about=JUDGE)),
            _judge(n, errors, classes),
        )
        for n, errors, classes in (
            (200, (0.2, 0.2, 0.3), 2), (1000, (0.1, 0.1, 0.1), 2), (1000, (0.2, 0.2, 0.2), 10), (1000, (0.05, 0.05, 0.05), 10),
        )
    ),
    *(
        Setting(
            "unlabelled", f"{len(errors)} independent classifiers, {classes} classes, errors {min(errors):g} to {max(errors):g}", n,
            (Case(FIT, "size", ("test:agreement-fit",), instead=FEW_ERRORS if n * min(errors) < 10 else ""),),
            _fit(n, errors, classes),
            chunk=100 if n * min(errors) < 100 else 500,  # few errors: every p-value needs 199 fits
        )
        for n, errors, classes in (
            (200, (0.1, 0.2, 0.2, 0.3), 2), (1000, (0.1, 0.2, 0.2, 0.3), 2), (300, (0.05,) * 4, 2), (200, (0.02,) * 4, 2),
            (1000, (0.05, 0.06, 0.08, 0.1), 10), (1000, (0.05,) * 8, 2), (5000, (0.05, 0.06, 0.08, 0.1), 10),
        )
    ),
    *(
        Setting(
            "unlabelled", f"rows where two differ, reference right on {100 * right:g} %, neither right on {100 * neither:g} %", n,
            (Case(LABELS, "size", ("test:reference-independence",)),), _labels(n, right, third, neither),
        )
        for n, right, third, neither in ((40, 0.7, 0.0, 0.0), (200, 0.9, 0.0, 0.0), (60, 0.6, 0.2, 0.2), (500, 0.6, 0.1, 0.1))
    ),
    *(
        Setting(
            "unlabelled", f"{len(errors)} classifiers, {classes} classes, errors {min(errors):g} to {max(errors):g}, {100 * shared:g} % of the rows wrong for all", n,
            (Case(ERROR, about=("interval:agreement-bootstrap",), instead=TOGETHER if shared else ""), *([Case(BOUNDS)] if shared else [])),
            _errors(n, errors, classes, shared), draws=DRAWS, chunk=250,
        )
        for n, errors, classes, shared in (
            (300, (0.1, 0.2, 0.3), 2, 0.0), (500, (0.05,) * 3, 2, 0.0), (300, (0.1, 0.2, 0.3, 0.2), 2, 0.0),
            (1000, (0.05, 0.06, 0.08), 10, 0.0), (1000, (0.1, 0.1, 0.1), 2, 0.03),
        )
    ),
)  # fmt: skip
