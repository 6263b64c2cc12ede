"""Systems that keep learning: the score of a version under a policy, and the difference of two systems."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.seeds import stream
from justesse.lifelong.periods import block_length
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_difference import PairedBlocks, policy_difference
from justesse.lifelong.policy_map import mapped_differences
from justesse.lifelong.policy_score import policy_scores
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks
from studies.validity.case import Case, Hits, Setting, covered

SCORE, DIFFERENCE = "error under a policy", "difference of two systems under a policy"
TOGETHER = "differences of three systems under all policies of a map, together"
SURE = "a map calls a system better for sure that is not"
RECENT = Policy("recent")
LONGER_BLOCKS = "longer periods, with more blocks of time"


@dataclass(frozen=True)
class Stream:
    """Test items over time: error rates of the periods, blocks of a period, items of a block, and how alike they are."""

    rates: tuple[float, ...]
    blocks: int
    size: int
    alike: float = 0.0  # correlation of the errors of two items of a block
    lasting: float = 0.0  # correlation of the error rates of two neighbouring blocks

    @property
    def n(self) -> int:
        return len(self.rates) * self.blocks * self.size

    @property
    def joined(self) -> tuple[Array, FloatArray]:
        """First day of each block of a period, and the number of days of each block."""
        length = block_length(self.blocks)
        starts = np.arange(0, self.blocks, length)
        return starts, np.diff([*starts, self.blocks]).astype(float)

    def added(self, counts: Array) -> FloatArray:
        """Add up counts of days, on the last axis, by block."""
        return np.asarray(np.add.reduceat(counts, self.joined[0], axis=-1), dtype=float)

    def shares(self, rng: np.random.Generator, rates: FloatArray) -> FloatArray:
        """Draw the error rate of each block, periods down."""
        if not self.alike:
            return np.repeat(rates[:, None], self.blocks, axis=1)
        from scipy.special import ndtr
        from scipy.stats import beta

        moves = rng.normal(size=(len(rates), self.blocks))
        for at in range(1, self.blocks):
            moves[:, at] = self.lasting * moves[:, at - 1] + np.sqrt(1 - self.lasting**2) * moves[:, at]
        spread = (1 - self.alike) / self.alike
        return np.asarray(beta.ppf(ndtr(moves), rates[:, None] * spread, (1 - rates[:, None]) * spread))


def scores(drawn: Stream, repetitions: int, seed: int, policy: Policy = RECENT) -> Mapping[str, Hits]:
    """Score one version, again and again."""
    rng, rates = stream(seed, "lifelong scores"), np.asarray(drawn.rates)
    periods = tuple(map(str, range(len(rates))))
    truth, intervals = float(policy.weights(periods) @ rates), []
    days = drawn.joined[1]
    period, sizes = np.repeat(np.arange(len(rates)), len(days)), np.tile(days * drawn.size, len(rates))[None, :]
    for _ in range(repetitions):
        errors = drawn.added(rng.binomial(drawn.size, drawn.shares(rng, rates)))
        blocks = TimeBlocks(period, errors.reshape(1, -1), sizes)
        values = errors.sum(axis=1)[None, :] / (drawn.blocks * drawn.size)
        matrix = ScoreMatrix(("v",), periods, values, (len(rates),), False, blocks)
        intervals.append(policy_scores(matrix, policy)[0].interval)
    return {SCORE: covered(intervals, truth)}


def differences(
    drawn: Stream, gain: float, repetitions: int, seed: int, *, policy: Policy = RECENT, apart: bool = False
) -> Mapping[str, Hits]:
    """Compare two systems that answer the same items; the second errs `gain` less.

    Either no item is wrong for both, or, if `apart`, each system has good and bad days of its own.
    """
    rng, rates = stream(seed, "lifelong differences"), np.asarray(drawn.rates)
    weights = policy.weights(tuple(map(str, range(len(rates)))))
    days = drawn.joined[1]
    period, sizes = np.repeat(np.arange(len(rates)), len(days)), np.tile(days * drawn.size, len(rates))
    intervals = []
    for _ in range(repetitions):
        first = drawn.shares(rng, rates)
        second = drawn.shares(rng, rates - gain) if apart else np.maximum(first - gain, 0.0)
        both = first * second if apart else 0.0
        # where only the first is right the second errs, and the other way round
        chances = np.stack([second - both, first - both, 1 - first - second + 2 * both], axis=-1)
        items = rng.multinomial(drawn.size, chances)
        counts = [drawn.added(items[..., kind]).reshape(-1) for kind in (0, 1)]
        pairs = PairedBlocks(period, counts[0], counts[1], np.zeros(len(period)), sizes)
        intervals.append(policy_difference(pairs, range(len(rates)), weights)[1])
    return {DIFFERENCE: covered(intervals, gain)}


def maps(drawn: Stream, gains: tuple[float, float], repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Map three systems that answer the same items, the others better by `gains`; all intervals must cover at once."""
    rng, rates = stream(seed, "lifelong maps"), np.asarray(drawn.rates)
    place = np.arange(len(rates), dtype=float)
    weights = np.exp2(np.multiply.outer([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0], place))
    weights = np.vstack([weights / weights.sum(axis=1, keepdims=True), np.eye(len(rates))[-1]])
    days = drawn.joined[1]
    period, sizes = np.repeat(np.arange(len(rates)), len(days)), np.tile(days * drawn.size, len(rates))
    truths = [gains[0], gains[1], gains[1] - gains[0]]
    together = mistaken = 0
    for _ in range(repetitions):
        first = drawn.shares(rng, rates)[..., None]
        errs = [rng.random((*first.shape[:-1], drawn.size)) < np.maximum(first - gain, 0) for gain in (0.0, *gains)]
        hit, wrong_claim = True, False
        for (old, new), truth in zip(((0, 1), (0, 2), (1, 2)), truths, strict=True):
            counts = [
                drawn.added((errs[wrong] & ~errs[right]).sum(axis=-1)).reshape(-1)
                for right, wrong in ((old, new), (new, old))
            ]
            pairs = PairedBlocks(period, counts[0], counts[1], np.zeros(len(period)), sizes)
            cells = mapped_differences(pairs, range(len(rates)), weights, comparisons=3)
            hit &= all(cell.interval.low <= truth <= cell.interval.high for cell in cells)
            wrong_claim |= any(cell.sure and cell.value * truth <= 0 for cell in cells)
        together += hit
        mistaken += wrong_claim
    return {
        TOGETHER: Hits(together, repetitions, methods=("mover-blocks",)),
        SURE: Hits(mistaken, repetitions, methods=("mover-blocks",)),
    }


def _setting(name: str, what: str, drawn: Stream, run: Callable[[int, int], Mapping[str, Hits]]) -> Setting:
    case = Case(what, about=("interval:mover-blocks",), instead=LONGER_BLOCKS)
    claims = (Case(SURE, "size", ("interval:mover-blocks",), instead=LONGER_BLOCKS),) if what == TOGETHER else ()
    return Setting("lifelong", name, drawn.n, (case, *claims), run)


STREAMS = {
    "four periods of 30 days, 20 items a day": Stream((0.3, 0.1, 0.2, 0.15), 30, 20),
    "four periods of 30 days, 20 items a day, alike (0.1)": Stream((0.3, 0.1, 0.2, 0.15), 30, 20, 0.1),
    "four periods of 30 days, alike (0.1), neighbouring days too (0.5)": Stream(
        (0.3, 0.1, 0.2, 0.15), 30, 20, 0.1, 0.5
    ),
    "four periods of 5 days, 20 items a day, alike (0.1)": Stream((0.3, 0.1, 0.2, 0.15), 5, 20, 0.1),
    "four periods without days, 50 items each, few errors": Stream((0.05, 0.02, 0.05, 0.02), 1, 50),
    "twelve periods of 10 days, 10 items a day, few errors": Stream((0.03,) * 12, 10, 10),
}
MANY_PERIODS = {
    "uniform policy, 24 periods without days, 20 items each": Stream((0.1,) * 24, 1, 20),
    "uniform policy, 100 periods without days, 10 items each": Stream((0.1,) * 100, 1, 10),
    "uniform policy, 12 periods without days, 30 items each, few errors": Stream((0.05,) * 12, 1, 30),
    "uniform policy, 24 periods of 4 days, 10 items a day": Stream((0.1,) * 24, 4, 10),
}
APART = {
    "four periods of 30 days, 20 items a day, each system alike (0.1) on its own": Stream(
        (0.3, 0.1, 0.2, 0.15), 30, 20, 0.1
    ),
    "four periods of 30 days, each system alike (0.1) on its own, neighbouring days too (0.5)": Stream(
        (0.3, 0.1, 0.2, 0.15), 30, 20, 0.1, 0.5
    ),
    "four periods of 5 days, 20 items a day, each system alike (0.1) on its own": Stream(
        (0.3, 0.1, 0.2, 0.15), 5, 20, 0.1
    ),
    "four periods without days, 50 items each, few errors": Stream((0.05, 0.03, 0.05, 0.03), 1, 50),
    "uniform policy, 24 periods without days, 20 items each": Stream((0.1,) * 24, 1, 20),
    "uniform policy, 100 periods without days, 10 items each": Stream((0.1,) * 100, 1, 10),
}
SETTINGS = tuple(
    _setting(name, SCORE, drawn, partial(scores, drawn)) for name, drawn in STREAMS.items()
) + tuple(
    _setting(name, SCORE, drawn, partial(scores, drawn, policy=Policy("uniform")))
    for name, drawn in MANY_PERIODS.items()
) + tuple(
    _setting(f"{name}, second better by 0.02", DIFFERENCE, drawn, partial(differences, drawn, 0.02))
    for name, drawn in STREAMS.items()
    if drawn.alike == 0 and min(drawn.rates) > 0.02
) + tuple(
    _setting(
        f"{name}, second better by 0.02",
        DIFFERENCE,
        drawn,
        partial(differences, drawn, 0.02, policy=Policy("uniform" if "uniform" in name else "recent"), apart=True),
    )
    for name, drawn in APART.items()
) + tuple(
    _setting(name, TOGETHER, drawn, partial(maps, drawn, gains))
    for name, drawn, gains in (
        (
            "map of three equal systems, four periods of 30 days, 20 items a day, alike (0.1)",
            Stream((0.3, 0.1, 0.2, 0.15), 30, 20, 0.1),
            (0.0, 0.0),
        ),
        (
            "map of three systems, the others better by 0.02 and 0.04, four periods of 30 days, 20 items a day",
            Stream((0.3, 0.1, 0.2, 0.15), 30, 20),
            (0.02, 0.04),
        ),
        (
            "map of three equal systems, six periods without days, 100 items each",
            Stream((0.2, 0.1, 0.2, 0.1, 0.15, 0.1), 1, 100),
            (0.0, 0.0),
        ),
        (
            "map of three equal systems, four periods without days, 50 items each, few errors",
            Stream((0.05, 0.02, 0.05, 0.02), 1, 50),
            (0.0, 0.0),
        ),
    )
)  # fmt: skip
