"""The bias of a score under a policy when test labels are wrong: exact, period by period."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.errors import OptionError


def policy_bias(wrong: ArrayLike, repeated: ArrayLike, recovered: ArrayLike, weights: ArrayLike) -> float:
    """Compute the bias of the accuracy under a policy: by the labels, minus by the true classes.

        Σ_j P_j·P(N)_j·(F_n,j - F_r,j)

    Parameters
    ----------
    wrong
        Share of wrong labels in each period, P(N).
    repeated
        Of these items, the share where the prediction repeats the wrong label, F_n.
    recovered
        Of these items, the share where the prediction is the true class, F_r.
    weights
        Weights of the periods, which add up to 1.

    Notes
    -----
    Exact for any dependence between wrong labels and predictions. The shares can come from true classes of all items or
    from re-checked ones; in the second case the bias is an estimate. An error rate has the opposite bias.

    >>> round(policy_bias([0.2, 0.2], [0.0, 0.5], [0.25, 0.125], [0.5, 0.5]), 4)  # -0.05 and +0.075
    0.0125
    """
    columns = [np.asarray(part, dtype=float) for part in (wrong, repeated, recovered, weights)]
    if len({part.shape for part in columns}) > 1:
        raise OptionError(
            f"Every period needs all four numbers; got {[part.size for part in columns]} of wrong, repeated, "
            "recovered and weights."
        )
    noisy, repeats, recovers, policy = columns
    if any(((part < 0) | (part > 1)).any() for part in columns) or (repeats + recovers > 1 + 1e-12).any():
        raise OptionError("Shares lie between 0 and 1, and repeated plus recovered is at most 1 in each period.")
    return float(policy @ (noisy * (repeats - recovers)))
