"""Noise rates of items answered several times: intervals that hold although answers to one item are alike."""

import numpy as np
import pytest

from justesse import Tally
from justesse.core.errors import InputError
from justesse.noise.clustered_rates import clustered_rates
from justesse.noise.transition import Transition

AXES = ("true", "label", "cluster")


def tally_of(wrong, answers):
    """One class; so many of the answers to each item are wrong."""
    cells = [("a", "b", item, int(w)) for item, w in enumerate(wrong) if w]
    cells += [("a", "a", item, int(n - w)) for item, (w, n) in enumerate(zip(wrong, answers, strict=True)) if n > w]
    return Tally.of(AXES, cells, classes=["a", "b"])


@pytest.mark.parametrize(("items", "answers", "alike"), [(60, 10, 0.3), (200, 5, 0.5), (40, 20, 0.1)])
def test_coverage_where_answers_to_one_item_are_alike(items, answers, alike):
    """Beta-binomial counts: 400 repetitions, fewer than 364 hits of 95 % would have a chance of about 1 in 1,000."""
    rng, rate, hits, plain = np.random.default_rng(0), 0.15, 0, 0
    size = (1 - alike) / alike
    for _ in range(400):
        wrong = rng.binomial(answers, rng.beta(rate * size, (1 - rate) * size, size=items))
        tally = tally_of(wrong, np.full(items, answers))
        one = clustered_rates(tally)[0][0].interval
        hits += one.low <= rate <= one.high
        other = Transition.from_tally(tally).rates()[0].interval
        plain += other.low <= rate <= other.high
    assert hits >= 364
    assert plain < 345  # as if every answer were independent


def test_items_answered_once_have_about_the_plain_interval():
    rng = np.random.default_rng(1)
    tally = tally_of(rng.random(2000) < 0.1, np.ones(2000))
    clustered, plain = clustered_rates(tally)[0][0], Transition.from_tally(tally).rates()[0]
    assert clustered.value == plain.value
    assert clustered.interval.low == pytest.approx(plain.interval.low, abs=1e-4)
    assert clustered.interval.high == pytest.approx(plain.interval.high, abs=1e-4)


def test_no_wrong_answer_is_worth_as_many_rows_as_there_are_items():
    found, clusters = clustered_rates(tally_of(np.zeros(50), np.full(50, 20)))
    assert clusters == 50
    assert 0.06 < found[0].interval.high < 0.09  # 50 items, not 1,000 rows
    assert found[2].undefined is not None  # no row is truly of class b


def test_what_has_no_clusters():
    with pytest.raises(InputError, match="at least two clusters"):
        clustered_rates(tally_of([1], [5]))
    with pytest.raises(InputError, match="no value in the column of clusters"):
        clustered_rates(Tally.of(AXES, [("a", "a", None, 4), ("a", "b", "x", 2)]))
