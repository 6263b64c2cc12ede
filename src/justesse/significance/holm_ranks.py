"""Mean ranks of several candidates against one incumbent, with Holm's adjustment."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.significance.mean_ranks import checked_ranks, rank_error
from justesse.significance.multiplicity import adjusted

ASSUMPTIONS = (
    "ranks come from the same independent data sets for all",
    "enough data sets for mean ranks to be close to normal, and few ties",
    "p-values are adjusted for the number of comparisons with the control",
)


@dataclass(frozen=True)
class RankContrast:
    """One classifier against the control; a positive z means that it ranks better. `classifier` is its position."""

    classifier: int
    rank: float
    z: float
    pvalue: float
    adjusted: float


@dataclass(frozen=True)
class RankContrasts:
    """Every classifier against the control, in the order of the ranks that were given."""

    control: int
    control_rank: float
    n: int
    contrasts: tuple[RankContrast, ...]
    test: str = "holm-ranks"
    assumptions: tuple[str, ...] = ASSUMPTIONS

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {
            "contrasts": [asdict(contrast) for contrast in self.contrasts],
            "assumptions": list(self.assumptions),
        }


def holm_ranks(ranks: Sequence[float], n: int, *, control: int = 0) -> RankContrasts:
    """Compare each of L mean ranks over n data sets with that of the control, the incumbent.

        z_i = (R_control - R_i) / sqrt(L(L+1)/6n),   p_i = 2·Φ(-|z_i|)
        Holm: the j-th smallest of the L-1 p-values times L-j, at least as large as those before it, at most 1

    It compares L-1 pairs where Nemenyi's compares all, and therefore finds more. As there, the answer about one
    classifier depends on which others are in the pool. Holm (1979); Demšar (2006).

    Parameters
    ----------
    ranks
        Mean rank of each classifier, 1 is best.
    n
        Number of data sets.
    control
        Position of the incumbent among the ranks.

    Returns
    -------
    RankContrasts
        One comparison with the control per classifier.

    Examples
    --------
    >>> result = holm_ranks([3.143, 2.000, 2.893, 1.964], 14)
    >>> [(c.classifier, round(c.z, 2), round(c.pvalue, 3), round(c.adjusted, 3)) for c in result.contrasts]
    [(1, 2.34, 0.019, 0.047), (2, 0.51, 0.608, 0.608), (3, 2.42, 0.016, 0.047)]
    """
    from scipy.special import ndtr

    means = checked_ranks(ranks)
    error = rank_error(len(means), n)
    if control not in range(len(means)):
        raise OptionError(f"control must be the position of a classifier, from 0 to {len(means) - 1}; got {control!r}.")
    others = [at for at in range(len(means)) if at != control]
    z = (means[control] - means[others]) / error
    pvalues = 2 * ndtr(-np.abs(z))
    columns = zip(others, means[others].tolist(), z.tolist(), pvalues.tolist(), adjusted(pvalues).tolist(), strict=True)
    return RankContrasts(control, float(means[control]), int(n), tuple(RankContrast(*column) for column in columns))
