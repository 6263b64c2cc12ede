"""A pooled audit that the true classes answer: what it would cost, and what it would find."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from justesse.judges.pool_plan import PoolAnswer, plan_pool
from justesse.judges.pool_progress import PoolProgress


def simulated_pool(
    label: ArrayLike,
    answers: ArrayLike,
    true: Sequence[PoolAnswer],
    **options: object,
) -> PoolProgress:
    """Run a pooled audit with an expert who answers the true classes, until it stops.

    Parameters
    ----------
    label
        Class codes of the labels, one per row.
    answers
        Class codes of the answers, by classifier and row.
    true
        What the expert answers about each row: sets of right classes, or `None` for "cannot say".
    options
        Goal, level, budget and so on, as for `plan_pool`.

    Examples
    --------
    >>> answers = [[1] * 60 + [0] * 60, [0] * 60 + [1] * 30 + [0] * 30, [0] * 118 + [1] * 2]
    >>> done = simulated_pool([0] * 120, answers, [(frozenset([0]),)] * 120, goal="winner")
    >>> done.stop, done.run.tiers()[0]
    ('settled', [2])
    """
    plan, rows = plan_pool(label, answers, **options)  # type: ignore[arg-type]
    progress = PoolProgress(plan)
    while not progress.stop and (new := progress.draw()):
        progress.answer(new[0].row, true[int(rows[new[0].row])])
    return progress
