"""CR2 and Satterthwaite's degrees of freedom: clubSandwich's published examples, statsmodels, and explicit matrices."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from justesse.intervals.clustered import cluster_degrees, clustered_mean
from oracles.cluster_robust import ClusterRobust

PUBLISHED = json.loads((Path(__file__).parents[1] / "oracles" / "club_sandwich.json").read_text())
DAYS = [*range(0, 21, 2), 21]
CHICKS = PUBLISHED["chicks"]
SIZES = np.array([len(chick["weights"]) for chick in CHICKS])
WEIGHT = np.concatenate([chick["weights"] for chick in CHICKS]).astype(float)
TIME = np.concatenate([DAYS[:size] for size in SIZES]).astype(float)
DIET = np.repeat([chick["diet"] for chick in CHICKS], SIZES)
CHICK = np.repeat(np.arange(len(CHICKS)), SIZES)
OTHER_DIETS = [(diet == DIET).astype(float) for diet in (2, 3, 4)]


def test_the_matrices_give_the_variances_that_clubsandwich_printed():
    """Weight ~ Time + Diet:Time, all seven decimals of its manual."""
    design = np.column_stack([np.ones_like(TIME), TIME, *(diet * TIME for diet in OTHER_DIETS)])
    published = PUBLISHED["vcov_time_diet_by_time"]["matrix"]
    np.testing.assert_allclose(ClusterRobust(WEIGHT, design, CHICK).covariance("CR2"), published, atol=5.1e-8)


def test_the_matrices_give_the_degrees_of_freedom_that_clubsandwich_printed():
    """Weight ~ Diet * Time: estimates, errors, t, degrees of freedom and p-values, as many digits as printed."""
    slopes = [diet * TIME for diet in OTHER_DIETS]
    fit = ClusterRobust(WEIGHT, np.column_stack([np.ones_like(TIME), *OTHER_DIETS, TIME, *slopes]), CHICK)
    errors = np.sqrt(np.diag(fit.covariance("CR2")))
    for at, row in enumerate(PUBLISHED["coef_test_diet_times_time"]["rows"], start=5):
        statistic, degrees = fit.coefficients[at] / errors[at], fit.degrees(at)
        assert fit.coefficients[at] == pytest.approx(row["estimate"], abs=0.0051)
        assert errors[at] == pytest.approx(row["error"], abs=0.0051)
        assert statistic == pytest.approx(row["statistic"], abs=0.0051)
        assert degrees == pytest.approx(row["degrees"], abs=0.051)
        assert 2 * stats.t.sf(abs(statistic), degrees) == pytest.approx(row["pvalue"], abs=5.1e-5)


def test_a_clustered_mean_has_the_error_and_degrees_of_these_matrices():
    """The same oracle for the mean weight over chicks weighed 2 to 12 times, and for very unequal clusters."""
    rng = np.random.default_rng(3)
    uneven = np.repeat(np.arange(9), [1, 1, 2, 3, 5, 8, 13, 21, 90])
    for y, cluster in ((WEIGHT, CHICK), (rng.normal(size=len(uneven)) + rng.normal(size=9)[uneven], uneven)):
        fit = ClusterRobust(y, np.ones((len(y), 1)), cluster)
        sizes = np.bincount(cluster)
        result = clustered_mean(np.bincount(cluster, y), sizes)
        assert result.value == pytest.approx(fit.coefficients[0], rel=1e-9)
        assert result.error**2 == pytest.approx(fit.covariance("CR2")[0, 0], rel=1e-9)
        assert cluster_degrees(sizes.astype(float)) == pytest.approx(fit.degrees(0), rel=1e-9)
        assert result.degrees <= fit.degrees(0) * (1 + 1e-9)


def test_the_degrees_are_those_of_the_simulated_variance():
    """Twice the squared mean over the variance of CR2 itself, for independent normal rows: no formula in common."""
    sizes = np.array([2, 3, 5, 10, 20])
    cluster = np.repeat(np.arange(5), sizes)
    rows = np.random.default_rng(8).normal(size=(200_000, len(cluster)))
    totals = np.add.reduceat(rows, np.r_[0, np.cumsum(sizes)[:-1]], axis=1)
    centred = totals - totals.sum(1, keepdims=True) * sizes / sizes.sum()
    variance = (centred**2 / (1 - sizes / sizes.sum())).sum(1) / sizes.sum() ** 2
    assert variance.mean() == pytest.approx(1 / sizes.sum(), rel=0.01)  # CR2 has no bias here
    assert 2 * variance.mean() ** 2 / variance.var() == pytest.approx(cluster_degrees(sizes.astype(float)), rel=0.02)


def test_cr0_cr1_and_hc2_are_those_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    design = np.column_stack([np.ones_like(TIME), TIME, *(diet * TIME for diet in OTHER_DIETS)])
    own, model = ClusterRobust(WEIGHT, design, CHICK), api.OLS(WEIGHT, design)
    plain = model.fit(cov_type="cluster", cov_kwds={"groups": CHICK, "use_correction": False}).cov_params()
    np.testing.assert_allclose(own.covariance("CR0"), plain, rtol=1e-9)
    groups, n, k = len(CHICKS), len(WEIGHT), design.shape[1]
    corrected = model.fit(cov_type="cluster", cov_kwds={"groups": CHICK}).cov_params()
    np.testing.assert_allclose(own.covariance("CR0") * groups / (groups - 1) * (n - 1) / (n - k), corrected, rtol=1e-9)
    alone = ClusterRobust(WEIGHT, design, np.arange(n))
    np.testing.assert_allclose(alone.covariance("CR2"), model.fit(cov_type="HC2").cov_params(), rtol=1e-9)
