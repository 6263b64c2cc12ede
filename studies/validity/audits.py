"""How often audits, looked at after every answer, let a candidate replace that is no better; and how bounds cover."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.seeds import stream
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_plan import draw_weights, prior_of
from justesse.judges.audit_rule import AuditRule
from justesse.judges.audit_targets import About
from justesse.judges.simulated_audits import simulate_audits
from studies.tables import table

Array = NDArray[Any]
Row = dict[str, Any]
REPETITIONS = 800
N, DISPUTED, NEITHER = 1000, 100, 12
# who the label agrees with (incumbent, neither, candidate; columns) if the incumbent, neither, the candidate is right
NOISE = {
    "labels are right": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "uniform, 10 %": [[0.9, 0.075, 0.025], [0.025, 0.95, 0.025], [0.025, 0.075, 0.9]],
    "by class: the incumbent's classes are mistaken, 20 %": [[0.8, 0.05, 0.15], [0.05, 0.9, 0.05], [0.01, 0.01, 0.98]],
    "by features: hard rows get the candidate's class, 30 %": [[0.7, 0.0, 0.3], [0.0, 0.7, 0.3], [0.0, 0.0, 1.0]],
}
POOLS = {"exact ties": 0, "worse by 2 rows": -2, "worse by 12 rows": -12, "better by 20 rows": 20}
ERROR = 0.02
TINY = ((2, 200), (6, 200), (12, 200), (12, 5), (30, 5), (100, 5), (100, 20))  # disputed rows, budget
LONG = ((300, 100), (1000, 200), (8000, 600))
HOSTILE = NOISE | {
    "always the candidate's class": [[0.0, 0.0, 1.0]] * 3,
    "never either class": [[0.0, 1.0, 0.0]] * 3,
    "always wrong": [[0.0, 0.0, 1.0], [0.5, 0.0, 0.5], [1.0, 0.0, 0.0]],
}


def drawn_counts(rng: np.random.Generator, right: Array, noise: str) -> Array:
    """Draw labels: from who is right on how many rows (pairs × 3) to counts by stratum and by who is right."""
    parts = [rng.multinomial(right[:, value], HOSTILE[noise][value]) for value in range(3)]
    return np.stack(parts, -1)


def composition(total: int, pairs: int, *, disputed: int = DISPUTED, neither: int = NEITHER) -> Array:
    """Give rows won by the incumbent, by neither and by the candidate."""
    rest = disputed - neither
    return np.tile([(rest - total) // 2, neither, (rest + total) // 2], (pairs, 1))


def audit_sizes(*, repetitions: int, seed: int = 0) -> dict[str, list[Row]]:
    """Measure `replaced` (at a risk of 5 %), `tiny`, `given up`, `covered` (at all looks), `expert`, `population`."""
    return {
        "replaced": list(_replaced(repetitions, seed)),
        "tiny": list(_tiny(repetitions, seed)),
        "given up": list(_given_up(repetitions, seed)),
        "covered": list(_covered(repetitions, seed)),
        "expert": list(_expert(repetitions, seed)),
        "population": list(_population(repetitions, seed)),
    }


def _replaced(repetitions: int, seed: int) -> Iterator[Row]:
    for noise in NOISE:
        right = np.concatenate([composition(total, repetitions) for total in POOLS.values()])
        counts = drawn_counts(stream(seed, "audits", noise), right, noise)
        found = simulate_audits(counts, N, alternative="greater", budget=DISPUTED, seed=seed)
        shares = found.replaced.reshape(len(POOLS), -1).mean(-1)
        answers = found.answered.reshape(len(POOLS), -1).mean(-1)
        yield {"noise": noise, "shares": shares, "answers": answers[-1]}


def _tiny(repetitions: int, seed: int) -> Iterator[Row]:
    """Audit ties of few rows, or with few answers, whatever their labels: give the worst of all ways to lie."""
    for disputed, budget in TINY:
        worst = 0.0
        for noise in HOSTILE:
            rng = stream(seed, "tiny audits", noise, str(disputed), str(budget))
            ties = [composition(0, repetitions, disputed=disputed, neither=k) for k in {0, disputed // 4 * 2}]
            counts = drawn_counts(rng, np.concatenate(ties), noise)
            rows = 10 * disputed
            found = simulate_audits(counts, rows, alternative="greater", budget=budget, seed=seed)
            worst = max(worst, *found.replaced.reshape(len(ties), -1).mean(-1))
        yield {"disputed": disputed, "budget": budget, "measured": worst}


def _given_up(repetitions: int, seed: int) -> Iterator[Row]:
    """Let audits go on where they would have given up: how many of them are settled within the budget after all?"""
    questions: tuple[About, ...] = ("test set", "population")
    for disputed, budget in LONG:
        for noise in NOISE:
            rng = stream(seed, "audits given up", noise, str(disputed))
            neither = disputed // 10
            leads = np.clip(rng.normal(0, 0.25, repetitions // 4), -0.9, 0.9) * (disputed - neither)
            right = np.stack([composition(int(lead), 1, disputed=disputed, neither=neither)[0] for lead in leads])
            counts = drawn_counts(rng, right, noise)
            for about in questions:
                found = simulate_audits(counts, 10 * disputed, budget=budget, question=about, futility=False, seed=seed)
                stopped = found.hopeless_at >= 0
                yield {
                    "disputed": disputed,
                    "budget": budget,
                    "noise": noise,
                    "question": about,
                    "given_up": int(stopped.sum()),
                    "audits": len(stopped),
                    "false": int((stopped & found.settled).sum()),
                    "answers": np.where(stopped, found.hopeless_at, found.answered).mean(),
                    "without": found.answered.mean(),
                }


def _covered(repetitions: int, seed: int) -> Iterator[Row]:
    """Follow the bounds to the last row, never stopping: does the true total ever lie outside?"""
    each = repetitions // 2
    totals = np.repeat(np.array(list(POOLS.values()), dtype=float), each)
    pairs = len(totals)
    for noise in NOISE:
        rng = stream(seed, "coverage of audits", noise)
        right = np.concatenate([composition(total, each) for total in POOLS.values()])
        left = drawn_counts(rng, right, noise).astype(float)
        goal = AuditRule().target(np.full(pairs, float(N)), np.full(pairs, float(DISPUTED)), "test set")
        thresholds = np.stack([goal.lower, totals], -1)
        bounds = ConfidenceSequence(left.sum(-1), prior=prior_of(1), lower=thresholds, upper=thresholds)
        every = np.arange(pairs)
        for _ in range(DISPUTED):
            weights, _ = draw_weights(goal, bounds.left, bounds.chances, bounds.sum)
            at = _drawn(rng, weights)
            value = _drawn(rng, left[every, at])
            left[every, at, value] -= 1
            bounds.draw(weights=weights, stratum=at, low=value - 1, high=value - 1)
        above, below = (side[:, 1] >= np.log(1 / goal.risk) for side in bounds.wealth())
        inside = 1 - (above | below).reshape(len(POOLS), -1).mean(-1)
        for name, measured in zip(POOLS, inside, strict=True):
            yield {"noise": noise, "pool": name, "measured": measured}


def _expert(repetitions: int, seed: int) -> Iterator[Row]:
    """Let the expert err in the candidate's favour wherever a row can be given away."""
    for error in (0.0, ERROR, 0.05):
        rng = stream(seed, "wrong experts", str(error))
        counts = drawn_counts(rng, composition(0, repetitions), "uniform, 10 %")
        for value in (0, 1):
            given = rng.binomial(counts[:, :, value], error)
            counts[:, :, value] -= given
            counts[:, :, 2] += given
        for allowed in (0.0, error) if error else (0.0,):
            found = simulate_audits(counts, N, alternative="greater", budget=DISPUTED, expert_error=allowed, seed=seed)
            yield {"error": error, "allowed": allowed, "measured": found.replaced.mean()}


def _population(repetitions: int, seed: int) -> Iterator[Row]:
    """Draw fresh test sets from a population in which both are equally good, or the candidate is better."""
    questions: tuple[About, ...] = ("population", "test set")
    for gain in (0.0, 0.02):
        rest = (DISPUTED - NEITHER) / N
        shares = [(rest - gain) / 2, NEITHER / N, (rest + gain) / 2]
        for noise in NOISE:
            rng = stream(seed, "audits of populations", noise, str(gain))
            right = rng.multinomial(N, [*shares, 1 - sum(shares)], size=repetitions)[:, :3]
            counts = drawn_counts(rng, right, noise)
            for about in questions:
                found = simulate_audits(counts, N, alternative="greater", budget=DISPUTED, question=about, seed=seed)
                yield {
                    "gain": gain,
                    "noise": noise,
                    "question": about,
                    "measured": found.replaced.mean(),
                    "answers": found.answered.mean(),
                }


def _drawn(rng: np.random.Generator, weights: Array) -> Array:
    sums = np.cumsum(weights, -1)
    luck = rng.random(len(weights)) * sums[:, -1]
    return np.asarray(np.minimum((sums <= luck[:, None]).sum(-1), weights.shape[1] - 1))


def audited() -> Iterator[str]:
    """Write the part of docs/validity.md about audits."""
    found = audit_sizes(repetitions=REPETITIONS)
    yield "## Audits\n"
    yield (
        f"How often `audited` replaces, in %, if it is checked after every answer and may continue to the last of "
        f"{DISPUTED} "
        f"disputed rows (of {N:,}); one-sided, at a risk of 5 %. {REPETITIONS:,} audits each: two standard errors "
        f"are at most "
        "1.5 points. Only *better* candidates should replace; ties and worse ones in at most 5 %. `answers`: how "
        "many the better ones needed.\n"
    )
    yield table(
        ["labels", *POOLS, "answers"],
        [
            [one["noise"], *(_percent(share) for share in one["shares"]), f"{one['answers']:.0f}"]
            for one in found["replaced"]
        ],
    )
    yield (
        "The risk is kept whatever the labels are like, also if they favour the candidate; then more answers are "
        "needed.\n"
    )
    yield "### Few rows, few answers\n"
    yield (
        "Exact ties with few disputed rows or a small budget, and labels that mislead in seven ways; how often the "
        "candidate "
        "replaces, in %, under the worst of them.\n"
    )
    yield table(
        ["disputed rows", "budget", "replaces, %"],
        [[f"{one['disputed']}", f"{one['budget']}", _percent(one["measured"])] for one in found["tiny"]],
    )
    yield "### Giving up\n"
    yield (
        "An audit gives up if the remaining questions have a chance of less than 3 % to settle it. Here audits "
        "continue anyway: of those that would have given up, how many are settled within the budget? True leads of "
        "the candidate are distributed around 0, with a standard deviation of a quarter of the disputed rows. "
        "`answers`: with giving up and "
        "without.\n"
    )
    yield table(
        ["disputed, budget", "labels", "question", "given up", "of them settled, %", "answers", "without"],
        [
            [
                f"{one['disputed']:,}, {one['budget']:,}",
                one["noise"],
                one["question"],
                f"{one['given_up']} of {one['audits']}",
                _percent(one["false"] / one["given_up"]) if one["given_up"] else "-",
                f"{one['answers']:.0f}",
                f"{one['without']:.0f}",
            ]
            for one in found["given up"]
        ],
        words=4,
    )
    yield "### The bounds at all looks together\n"
    yield "How often, in %, the true difference lies inside the 95 % bounds after every single answer.\n"
    covered = {(one["noise"], one["pool"]): one["measured"] for one in found["covered"]}
    yield table(["labels", *POOLS], [[noise, *(_percent(covered[noise, pool]) for pool in POOLS)] for noise in NOISE])
    yield "### An expert who errs\n"
    yield (
        "Exact ties, uniform noise, and an expert whose errors all favour the candidate; how often the "
        "candidate replaces, in %.\n"
    )
    yield table(
        ["wrong answers", "`expert_error`", "replaces, %"],
        [[f"{100 * one['error']:g} %", f"{one['allowed']:g}", _percent(one["measured"])] for one in found["expert"]],
    )
    yield "An expert who errs in one direction only is the worst case; `expert_error` covers it.\n"
    yield "### In the population\n"
    yield (
        "Fresh test sets from a population in which the two are equally good (gain 0), or the candidate is two points "
        "better. The question about the test set is different: on half of the test sets the candidate *is* better.\n"
    )
    yield table(
        ["labels", "question", "gain", "replaces, %", "answers"],
        [
            [
                one["noise"],
                one["question"],
                f"{one['gain']:g}",
                _percent(one["measured"]),
                f"{one['answers']:.0f}",
            ]
            for one in found["population"]
        ],
        words=2,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
