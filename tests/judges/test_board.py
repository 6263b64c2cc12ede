"""The leaderboard of counts: bounds by one rate, or by one of each task."""

import numpy as np
import pytest

from justesse.core.board_counts import BoardCounts
from justesse.core.errors import OptionError
from justesse.judges.board import board
from justesse.noise.order_bounds import OrderBreakdown

WHOLE = BoardCounts(np.array([[16, 12], [12, 14]]), np.zeros((2, 2)), 20)
TASKS = {
    "law": BoardCounts(np.array([[8, 6], [6, 7]]), np.zeros((2, 2)), 10),
    "art": BoardCounts(np.array([[8, 6], [6, 7]]), np.zeros((2, 2)), 10),
}


def bounded(rates):
    return board("label", ["a", "b"], WHOLE, [OrderBreakdown(2, 20)], tasks=TASKS, rates=rates)


def test_rates_of_all_tasks_bound_all_rows():
    by_task, whole = bounded({"law": 0.1, "art": 0.0}).bounds, bounded({None: 0.05}).bounds
    assert by_task.labels == (1, 0)
    assert whole.labels == (1,)
    assert by_task.low.tolist() == whole.low.tolist() == [0.75, 0.65]


@pytest.mark.parametrize(
    ("rates", "words"),
    [
        ({"law": 0.1}, "noise rate of task 'art' is missing"),
        ({"law": 0.1, "art": 0.1, "maths": 0.1}, "No task is named 'maths'"),
        ({None: 0.1, "law": 0.1, "art": 0.1}, "not both"),
    ],
)
def test_rates_that_do_not_fit_the_tasks_are_refused(rates, words):
    with pytest.raises(OptionError, match=words):
        bounded(rates)
