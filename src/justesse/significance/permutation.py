"""The permutation test: if it made no difference who answered, the two could change places on any row."""

import math
from dataclasses import replace

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.resampling import CHUNK
from justesse.core.results import Alternative, Estimate, TestResult, tail_levels
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.significance.paired_measure import Compared, measured_difference

ASSUMPTIONS = (
    "both classifiers answered the same rows, which are independent draws",
    "without a difference, the two can be swapped on any row: they are alike in every way, not only in this measure",
    "the labels are right",
)


def permutation(
    tally: Tally,
    compared: Compared,
    *,
    alternative: Alternative = "two-sided",
    draws: int = 10_000,
    seed: int = 0,
) -> TestResult:
    """Test that two classifiers score the same in any counts-based measure, by swapping them at random row by row.

        p = (1 + number of swapped tables at least as far apart) / (1 + draws)

    Rows in one cell of the `label × incumbent × candidate` tally are swapped together: how many is binomial, so its
    cost does not depend on n. For accuracy it is McNemar's exact test. Two classifiers that never disagree give p = 1.
    It can reject because the two err in different ways although the measure is the same. Edgington (1969).

    Parameters
    ----------
    tally
        Counts by label, incumbent and candidate.
    compared
        Measure to compare, and its class.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.
    draws
        Number of random draws.
    seed
        Seed of the random draws.

    Returns
    -------
    TestResult
        Statistic, p-value, assumptions and, if the test has one, the interval of the difference.

    Examples
    --------
    >>> from justesse.measures import accuracy
    >>> cells = [(1, 1, 1, 60), (1, 0, 1, 15), (0, 0, 1, 5), (0, 0, 0, 80)]
    >>> result = permutation(Tally.of(("label", "incumbent", "candidate"), cells), Compared(accuracy))
    >>> round(result.pvalue, 2), round(result.statistic, 4)
    (0.04, 0.0625)
    """
    tail_levels(0.95, alternative)
    if draws < 1:
        raise OptionError(f"draws must be at least 1; got {draws!r}.")
    table = tally.marginal("label", "incumbent", "candidate")
    difference = measured_difference(compared)
    observed = float(difference(table))
    name, reason = f"{compared.measure.name} difference", compared.measure.reason
    if math.isnan(observed):
        nothing = Estimate(name, observed, tally.n, undefined=reason)
        test = ("permutation", math.nan, math.nan, tally.n, alternative, ASSUMPTIONS)
        return TestResult(*test, nothing, undefined=reason)
    label, first, other = table.codes.T
    apart = first != other
    swapped = np.column_stack([label, other, first])[apart]
    generator = stream(seed, "permutation")
    as_far = 0
    size = max(1, CHUNK // max(len(table.codes) + len(swapped), 1))
    for start in range(0, draws, size):
        many = min(size, draws - start)
        moved = generator.binomial(table.counts[apart], 0.5, size=(many, int(apart.sum())))
        counts = np.repeat(table.counts[None, :], many, axis=0)
        counts[:, apart] -= moved
        permuted = replace(
            table, codes=np.concatenate([table.codes, swapped]), counts=np.concatenate([counts, moved], axis=1)
        )
        values = difference(permuted)
        far = {"two-sided": np.abs(values) - abs(observed), "greater": values - observed, "less": observed - values}
        # a swapped table where the measure is undefined counts as far: that is on the safe side
        as_far += int((~(far[alternative] < -1e-12)).sum())
    pvalue = (1 + as_far) / (1 + draws)
    return TestResult(
        "permutation", observed, pvalue, tally.n, alternative, ASSUMPTIONS, Estimate(name, observed, tally.n)
    )
