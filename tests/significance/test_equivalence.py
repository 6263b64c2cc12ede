import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.weightstats import ttost_paired

from justesse.core.errors import OptionError
from justesse.significance.equivalence_t import equivalence_t

INCUMBENT = np.array([0.80, 0.84, 0.79, 0.83, 0.82])
CANDIDATE = np.array([0.81, 0.84, 0.80, 0.82, 0.83])
PAIRS = arrays(float, (2, 6), elements=st.floats(0, 1).map(lambda x: round(x, 2)))


@pytest.mark.parametrize("margin", [0.001, 0.01, 0.02, 0.1])
@pytest.mark.parametrize("pair", [(INCUMBENT, CANDIDATE), (CANDIDATE, INCUMBENT)])
def test_statsmodels_agrees(margin, pair):
    pvalue, low, high = ttost_paired(pair[1], pair[0], -margin, margin)
    found = equivalence_t(*pair, margin)
    assert found.pvalue == pytest.approx(pvalue)
    assert found.statistic == pytest.approx(low[0] if low[1] > high[1] else high[0])
    assert f"±{margin:g}" in found.assumptions[0]


@given(PAIRS, st.floats(0.001, 0.5), st.sampled_from([None, 0.2]), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_interval_decides_the_same(pair, margin, ratio, level):
    assume(np.ptp(pair[1] - pair[0]) > 0.005)
    found = equivalence_t(*pair, margin, test_over_train=ratio, level=level)
    interval = found.difference.interval
    assume(abs(found.pvalue - (1 - level)) > 1e-9)
    assert (found.pvalue < 1 - level) == (-margin < interval.low and interval.high < margin)
    assert interval.level == pytest.approx(2 * level - 1)
    assert equivalence_t(*pair[::-1], margin, test_over_train=ratio, level=level).pvalue == pytest.approx(found.pvalue)


def test_overlap_makes_it_harder():
    plain, corrected = (
        equivalence_t(INCUMBENT, CANDIDATE, 0.02),
        equivalence_t(INCUMBENT, CANDIDATE, 0.02, test_over_train=1 / 4),
    )
    assert corrected.pvalue > plain.pvalue
    assert corrected.statistic == pytest.approx(plain.statistic * np.sqrt((1 / 5) / (1 / 5 + 1 / 4)))
    assert "test_over_train" in plain.warnings[0]
    assert corrected.warnings == ()


def test_no_evidence_of_a_difference_is_no_evidence_of_equivalence():
    scattered = np.array([0.2, -0.2, 0.15, -0.1, -0.05])
    assert equivalence_t(INCUMBENT, INCUMBENT + scattered, 0.02).pvalue > 0.05


@pytest.mark.parametrize("shift", [0.0, 0.02, -0.02, 0.3])
def test_equal_differences_leave_it_undefined(shift):
    found = equivalence_t(INCUMBENT, INCUMBENT + shift, 0.02)
    assert np.isnan(found.pvalue)
    assert "spread" in found.undefined
    assert found.difference.value == pytest.approx(shift)
    assert found.difference.interval is None


@pytest.mark.parametrize(
    ("incumbent", "candidate", "options", "words"),
    [
        ([0.5], [0.6], {}, "at least two"),
        ([0.5, 0.6], [0.6, np.nan], {}, "finite"),
        ([0.5, 0.6], [0.6], {}, "at least two"),
        (INCUMBENT, CANDIDATE, {"margin": 0}, "margin"),
        (INCUMBENT, CANDIDATE, {"margin": -0.02}, "margin"),
        (INCUMBENT, CANDIDATE, {"margin": np.nan}, "margin"),
        (INCUMBENT, CANDIDATE, {"level": 0.5}, "above 0.5"),
        (INCUMBENT, CANDIDATE, {"level": 95}, "between 0 and 1"),
        (INCUMBENT, CANDIDATE, {"test_over_train": 0}, "test rows divided by training rows"),
    ],
)
def test_bad_input_is_refused(incumbent, candidate, options, words):
    with pytest.raises(OptionError, match=words):
        equivalence_t(incumbent, candidate, **({"margin": 0.02} | options))
