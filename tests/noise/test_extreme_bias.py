"""The extremes hold the exact bias of every joint table, and some classifier reaches each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from justesse.core.case import Disagreement
from justesse.core.errors import OptionError
from justesse.core.one_vs_rest import OneVsRestPair
from justesse.core.tally import Tally
from justesse.measures import accuracy, precision, recall
from justesse.noise.bias import bias
from justesse.noise.extreme_bias import extreme_bias, worst_biases

K = 3
TABLES = hnp.arrays(np.int64, (K, K, K), elements=st.integers(0, 6)).filter(lambda table: table.sum() > 0)


def tally_of(table) -> Tally:
    cells = [(*where, int(n)) for where, n in np.ndenumerate(table)]
    return Tally.of(("true", "label", "prediction"), [(t, y, p, n) for (t, y, p, n) in cells], classes=range(K))


@given(TABLES)
@settings(max_examples=80, deadline=None)
def test_the_bias_of_any_table_lies_between_them(table):
    joint = table.sum(axis=2)
    found = {(one.name, one.class_name): one.bias for one in bias(tally_of(table), [accuracy, precision, recall])}
    ends = extreme_bias("accuracy", joint)
    assert ends.low - 1e-12 <= found["accuracy", None] <= ends.high + 1e-12
    for at in range(K):
        for name in ("precision", "recall"):
            ends = extreme_bias(name, joint, at=at, predicted=table[:, :, at].sum())
            if not np.isnan(found[name, at]):
                assert ends.low - 1e-12 <= found[name, at] <= ends.high + 1e-12


@given(hnp.arrays(np.int64, (K, K), elements=st.integers(1, 9)), st.integers(0, K - 1))
@settings(max_examples=60, deadline=None)
def test_some_classifier_reaches_each_end(joint, at):
    """Calls the class so on the rows that are truly so and labelled otherwise, or the other way round."""
    other = (at + 1) % K
    for way in ("low", "high"):
        for name, measure in (("precision", precision), ("recall", recall), ("accuracy", accuracy)):
            table = np.zeros((K, K, K), dtype=np.int64)
            learnt = (joint[:, at].sum() < joint[at].sum()) == (way == "high")  # F_c that helps
            for true in range(K):
                for label in range(K):
                    said = other
                    if name == "accuracy":
                        said = true if way == "low" else label
                    elif true == label == at:
                        said = at if name == "precision" or learnt else other
                    elif true == at:
                        said = at if way == "low" else other
                    elif label == at:
                        said = at if way == "high" else other
                    table[true, label, said] += joint[true, label]
            ends = extreme_bias(name, joint, at=at, predicted=table[:, :, at].sum())
            exact = next(one.bias for one in bias(tally_of(table), [measure]) if one.class_name in (None, at))
            assert exact == pytest.approx(float(getattr(ends, way)), abs=1e-12), (name, way)


@given(TABLES, st.integers(0, K - 1), st.data())
@settings(max_examples=60, deadline=None)
def test_the_rate_alone_allows_for_every_table_of_that_rate(table, at, data):
    """Whatever the wrong labels are, the biases of two classifiers add up to no more than the rate allows."""
    joint = table.sum(axis=2)
    n, rate = int(joint.sum()), float(1 - np.trace(joint) / joint.sum())
    if rate >= 1:
        return
    inside = int(joint[:, at].sum())
    said = [[data.draw(st.integers(0, rows)) for rows in (inside, n - inside)] for _ in range(2)]
    parts = []
    for k, rows in enumerate((inside, n - inside)):
        one, other = said[0][k], said[1][k]
        both = max(0, one + other - rows)
        parts.append(Disagreement(both, one - both, other - both, rows - one - other + both, 0))
    pair = OneVsRestPair(*parts)
    for name in ("accuracy", "recall", "precision"):
        least, most = worst_biases(pair.labelled if name == "accuracy" else pair, name, rate)
        first, second = (
            extreme_bias(name, joint, at=at, predicted=rows)
            for rows in (pair.predicted_by_incumbent, pair.predicted_by_candidate)
        )
        if not np.isnan(second.high - first.low + most - least):
            assert second.high - first.low <= most - least + 1e-12


def test_golden_values():
    joint = np.array([[40, 10], [5, 45]])
    assert extreme_bias("accuracy", joint).high == pytest.approx(0.15)
    found = extreme_bias("recall", joint, at=0)
    moved = 40 * (1 / 45 - 1 / 50)
    assert found.low == pytest.approx(-10 / 50 + min(0, moved))
    assert found.high == pytest.approx(5 / 45 + max(0, moved))
    with pytest.raises(OptionError, match="noise rate"):
        worst_biases(Disagreement(1, 1, 1, 1, 1), "accuracy", 5)
