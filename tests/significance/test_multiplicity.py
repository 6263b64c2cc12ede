import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from justesse.core.errors import OptionError
from justesse.significance.multiplicity import adjusted, max_t, simultaneous_level

PEERS = {"bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm", "benjamini-hochberg": "fdr_bh"}
PVALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize("method", PEERS)
@given(PVALUES)
@settings(max_examples=40)
def test_statsmodels_agrees(method, pvalues):
    if method == "sidak":
        pvalues = [min(p, 1 - 1e-12) for p in pvalues]  # statsmodels warns at 1
    np.testing.assert_allclose(
        adjusted(pvalues, method), multipletests(pvalues, method=PEERS[method])[1], rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("method", PEERS)
@given(PVALUES, st.integers(0, 20))
def test_questions_asked_and_not_shown_count_as_not_found(method, pvalues, hidden):
    """Asking more and showing the best is as if the others had a p-value of 1."""
    shown = sorted(pvalues)
    found = adjusted(shown, method, tried=len(shown) + hidden)
    whole = adjusted([*shown, *[1.0] * hidden], method)[: len(shown)]
    np.testing.assert_allclose(found, whole, atol=1e-12)


@pytest.mark.parametrize("method", PEERS)
@given(PVALUES)
def test_adjusting_never_helps_and_keeps_the_order(method, pvalues):
    found = adjusted(pvalues, method)
    assert np.all(found >= np.array(pvalues) - 1e-12)
    assert np.all(found <= 1)
    order = np.argsort(pvalues)
    assert np.all(np.diff(found[order]) >= -1e-12)


@given(PVALUES)
def test_holm_is_never_more_timid_than_bonferroni(pvalues):
    assert np.all(adjusted(pvalues, "holm") <= adjusted(pvalues, "bonferroni") + 1e-12)
    assert np.all(adjusted(pvalues, "benjamini-hochberg") <= adjusted(pvalues, "holm") + 1e-12)


@pytest.mark.parametrize("method", PEERS)
def test_an_undefined_p_value_stays_so_and_counts_as_asked(method):
    found = adjusted([0.01, np.nan, 0.2], method)
    assert np.isnan(found[1])
    np.testing.assert_allclose(found[[0, 2]], adjusted([0.01, 0.2], method, tried=3))
    assert np.isnan(adjusted([np.nan], method)).all()


@pytest.mark.parametrize("method", PEERS)
def test_ends(method):
    assert adjusted([0.0, 1.0], method).tolist() == [0, 1]
    assert adjusted([], method).tolist() == []
    assert adjusted([0.03], method).tolist() == pytest.approx([0.03])


def test_bad_input_is_refused():
    with pytest.raises(OptionError, match="between 0 and 1"):
        adjusted([0.5, 1.2])
    with pytest.raises(OptionError, match="tried must be at least 2, the number of p-values; got 1"):
        adjusted([0.5, 0.2], tried=1)
    with pytest.raises(OptionError, match="whole number"):
        adjusted([0.5], tried=0)
    with pytest.raises(OptionError, match="'tukey'"):
        adjusted([0.5], "tukey")


def test_simultaneous_levels():
    assert simultaneous_level(0.95, 1) == pytest.approx(0.95)
    assert simultaneous_level(0.9, 20) == pytest.approx(0.995)
    assert simultaneous_level(0.95, 5, method="sidak") ** 5 == pytest.approx(0.95)
    with pytest.raises(OptionError, match="level"):
        simultaneous_level(95, 3)


def rows_of(answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Count the kinds of rows there are."""
    return np.unique(answers, axis=0, return_counts=True)


def test_candidates_that_are_copies_cost_nothing():
    rng = np.random.default_rng(0)
    one = rng.choice([-1, 0, 1], p=[0.1, 0.75, 0.15], size=(400, 1))
    alone = max_t(*rows_of(one))
    copies = max_t(*rows_of(np.repeat(one, 8, axis=1)))
    assert copies.z == pytest.approx(alone.z)
    assert copies.pvalues == pytest.approx(np.full(8, alone.pvalues[0]))
    assert alone.z == pytest.approx(1.96, abs=0.12)
    others = rng.choice([-1, 0, 1], p=[0.1, 0.75, 0.15], size=(400, 8))
    bonferroni = 2.734  # of eight
    unlike = max_t(*rows_of(others))
    assert alone.z + 0.4 < unlike.z == pytest.approx(bonferroni, abs=0.2)


def test_one_candidate_alone_has_about_the_normal_p_value():
    found = max_t(np.array([[1], [-1], [0]]), [60, 35, 905], draws=20_000)
    spread = np.sqrt(0.095 - 0.025**2)
    from justesse.significance.normal import z_pvalue

    assert found.pvalues[0] == pytest.approx(z_pvalue(0.025 / spread * np.sqrt(1000)), abs=0.004)


def test_any_false_finding_among_five_is_as_seldom_as_said():
    rng = np.random.default_rng(1)
    found = 0
    for seed in range(200):
        shared = rng.random((150, 1)) < 0.5
        answers = np.where(shared, rng.choice([-1, 0, 1], p=[0.2, 0.6, 0.2], size=(150, 1)), 0)
        own = rng.choice([-1, 0, 1], p=[0.15, 0.7, 0.15], size=(150, 5))
        found += max_t(*rows_of(np.where(shared, answers, own)), draws=300, seed=seed).pvalues.min() <= 0.05
    assert 0.005 < found / 200 < 0.11


def test_one_row_apart_is_no_evidence():
    """Half of all resamples do not hold the row at all: these have no spread, and must not count as no distance."""
    found = max_t(np.array([[1, 0], [0, 0]]), [1, 199])
    assert found.pvalues.min() > 0.3


def test_a_candidate_that_is_always_the_only_one_right():
    found = max_t(np.array([[1, 1], [1, 0]]), [20, 20])
    assert found.pvalues[0] < 0.01
    assert np.isfinite(found.z)


def test_no_disagreement_at_all():
    assert max_t(np.array([[0, 0]]), [50]).pvalues.tolist() == [1, 1]


def test_max_t_is_seeded_and_says_how():
    rows = np.array([[1, 0], [-1, 1], [0, 0]])
    first, again, other = (max_t(rows, [20, 15, 65], seed=seed) for seed in (1, 1, 2))
    assert first.pvalues.tolist() == again.pvalues.tolist()
    assert first.z == again.z != other.z
    assert (first.level, first.draws, first.seed) == (0.95, 2000, 1)
    shares = []
    max_t(rows, [20, 15, 65], progress=shares.append)
    assert shares[-1] == 1


def test_max_t_refuses_what_does_not_fit():
    with pytest.raises(OptionError, match="One count per row"):
        max_t(np.array([[1, 0]]), [1, 2])
    with pytest.raises(OptionError, match="At least two rows"):
        max_t(np.array([[1]]), [1])
    with pytest.raises(OptionError, match="level"):
        max_t(np.array([[1], [0]]), [1, 3], level=2)
