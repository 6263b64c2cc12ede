"""Which measures have no value or no interval, each reason once."""

from collections.abc import Iterable

from justesse.core.results import Estimate
from justesse.measures.titles import title_of
from justesse.report.writing import Message, message


def undefined_measures(estimates: Iterable[Estimate]) -> list[Message]:
    """Give one remark for each reason, with all the measures it is about.

    >>> few = [Estimate(name, 0.5, 3, undefined="no interval: too few rows") for name in ("mae", "rmse")]
    >>> print(*undefined_measures(few))
    MAE and RMSE: no interval: too few rows.
    """
    by_reason: dict[str, list[str]] = {}
    for estimate in estimates:
        if estimate.undefined:
            by_reason.setdefault(estimate.undefined, []).append(title_of(estimate))
    return [message("{names:and}: {why}.", names=names, why=why) for why, names in by_reason.items()]
