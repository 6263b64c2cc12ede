"""Every rung of the ladder on one network, whose truth is known beside its labels."""

from dataclasses import replace

import numpy as np

from justesse import Tally
from justesse.core.results import Estimate
from justesse.measures import PER_CLASS, Measure, accuracy, averaged, balanced_accuracy, error
from justesse.noise.bias import bias
from justesse.noise.bounds import Bounds, bounds_from_rate, bounds_from_transition
from justesse.noise.breakdown import Breakdown, breakdown
from justesse.noise.claim import Claim
from justesse.noise.inversion import inversion
from justesse.noise.lam_stork import lam_stork
from justesse.noise.plain import plain
from justesse.noise.profile import profile
from justesse.noise.recheck import recheck
from justesse.noise.transition import Transition
from studies.noise_ladder.images import Array

BOUNDED: tuple[Measure, ...] = (
    accuracy,
    error,
    balanced_accuracy,
    *PER_CLASS,
    *(averaged(measure, "macro") for measure in PER_CLASS),
)
ROUNDING = 1e-9


def sampled(rows: Tally, many: int, rng: np.random.Generator) -> Tally:
    """Draw rows without replacement."""
    drawn = rng.multivariate_hypergeometric(rows.counts, many, method="marginals")
    return Tally.canonical(rows.axes, rows.levels, rows.codes, drawn)


def rungs(rows: Tally, sample: Tally, claim: str) -> dict[str, float]:
    """Give what happened to a network's accuracy, and what each rung says of it, in the order of the ladder."""
    seen = rows.marginal("label", "prediction")
    moved = bias(rows, [accuracy])[0]
    learnt, repeated, recovered = (one.value for one in profile(rows)[:3])
    known = Transition.from_tally(rows)
    rate = known.rate()
    exactly = replace(known, counts=None)
    by_rate, by_table = bounds_from_rate(seen, [accuracy], rate), bounds_from_transition(seen, [accuracy], known)
    return {
        "apparent": moved.apparent,
        "true": moved.true,
        "bias": moved.bias,
        "F_c": learnt,
        "F_n": repeated,
        "F_r": recovered,
        **wrong_labels(rows),
        "rate": rate,
        **_with_ends("plain", plain(seen, [accuracy]).figures[0]),
        **_with_ends("lam_stork", lam_stork(seen, rate).figures[0]),
        **_with_ends("inversion", inversion(seen, [accuracy], exactly).figures[0]),
        **_bounds("rate", by_rate.figures[0]),
        **_bounds("table", by_table.figures[0]),
        "beats_majority_until": _until(breakdown(seen)),
        "claim_until": _until(breakdown(seen, Claim.parse(claim))),
        **_with_ends("recheck", recheck(seen, sample, [accuracy], about="rows").figures[0]),
    }


def wrong_labels(rows: Tally) -> dict[str, float]:
    """Give the share of wrong labels among the rows a network gets right, and among those it gets wrong."""
    true, label, prediction = rows.codes.T
    right, wrong = prediction == true, label != true

    def share(where: Array) -> float:
        return float(rows.counts[where & wrong].sum() / rows.counts[where].sum())

    return {"wrong_labels_if_right": share(right), "wrong_labels_if_wrong": share(~right)}


def outside(rows: Tally) -> dict[str, tuple[int, int]]:
    """Count the true values of all measures that lie outside their bounds (none may), and those looked at."""
    seen, known = rows.marginal("label", "prediction"), Transition.from_tally(rows)
    against_truth = rows.marginal("true", "prediction").renamed(true="label")
    truth = np.concatenate([np.atleast_1d(measure(against_truth)) for measure in BOUNDED])
    found = {
        "rate": bounds_from_rate(seen, BOUNDED, known.rate()).figures,
        "table": bounds_from_transition(seen, BOUNDED, known).figures,
    }
    return {name: (sum(map(_misses, some, truth.tolist())), len(truth)) for name, some in found.items()}


def _until(found: Breakdown) -> float:
    assert found.rate is not None  # nothing but answers that are always right could not be overturned
    return found.rate


def _misses(found: Bounds, truth: float) -> bool:
    return not found.low - ROUNDING <= truth <= found.high + ROUNDING


def _bounds(name: str, found: Bounds) -> dict[str, float]:
    return {f"{name}_low": found.low, f"{name}_high": found.high}


def _with_ends(name: str, found: Estimate) -> dict[str, float]:
    assert found.interval
    return {name: found.value, f"{name}_low": found.interval.low, f"{name}_high": found.interval.high}
