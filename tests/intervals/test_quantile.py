"""Quantiles of resamples against NumPy's, column by column."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from justesse.intervals.quantile import quantile


@given(
    st.integers(1, 40),
    st.integers(1, 5),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.0, 0.3, 0.9]),
)
def test_each_column_is_numpys_quantile_of_its_defined_draws(draws, columns, seed, gaps):
    rng = np.random.default_rng(seed)
    values = rng.choice(rng.normal(size=6), (draws, columns))  # with ties
    values[rng.random(values.shape) < gaps] = np.nan
    shares = rng.choice([0.0, 0.025, 0.5, 0.975, 1.0, rng.random(), np.nan], columns)
    expected = [
        np.nan if np.isnan(share) or np.isnan(column).all() else np.quantile(column[~np.isnan(column)], share)
        for column, share in zip(values.T, shares, strict=True)
    ]
    np.testing.assert_array_equal(quantile(values, shares), expected)


def test_one_share_serves_all_columns_of_any_shape():
    values = np.random.default_rng(0).random((101, 3, 4))
    np.testing.assert_array_equal(quantile(values, np.asarray(0.025)), np.quantile(values, 0.025, axis=0))
    assert quantile(values[:, 0, 0], np.asarray(0.5)) == np.median(values[:, 0, 0])
