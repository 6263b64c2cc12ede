"""`justesse evaluate --regression`, against scikit-learn and brute force."""

import tracemalloc

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2
from sklearn import metrics
from sklearn.linear_model import LinearRegression

from justesse import evaluate_regression
from justesse.core.errors import OptionError, ScoreError
from justesse.intervals.estimate import Confidence
from justesse.intervals.numeric_estimates import numeric_estimates
from justesse.measures.regression import ALL, Sums, r2, squared_correlation
from justesse.measures.regression.sums import resampled_sums
from justesse.verbs.schemas import schema

SCHEMA = schema("regression")
RNG = np.random.default_rng(0)
Y = RNG.gamma(2, 3, size=400)
F = np.maximum(Y + RNG.normal(size=400), 0.1)
W = RNG.random(400) + 0.1


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn_agrees(weighted):
    w = W if weighted else None
    found = evaluate_regression(y_true=Y, y_pred=F, weight=w)
    assert found["mse"].value == pytest.approx(metrics.mean_squared_error(Y, F, sample_weight=w))
    assert found["rmse"].value == pytest.approx(metrics.root_mean_squared_error(Y, F, sample_weight=w))
    assert found["mae"].value == pytest.approx(metrics.mean_absolute_error(Y, F, sample_weight=w))
    assert found["rmsle"].value == pytest.approx(metrics.root_mean_squared_log_error(Y, F, sample_weight=w))
    assert found["r2"].value == pytest.approx(metrics.r2_score(Y, F, sample_weight=w))
    assert found["rse"].value == pytest.approx(1 - metrics.r2_score(Y, F, sample_weight=w))
    if not weighted:
        assert found["squared_correlation"].value == pytest.approx(np.corrcoef(Y, F)[0, 1] ** 2)


NUMBERS = st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=3, max_size=30)


@given(NUMBERS)
@settings(max_examples=80)
def test_r2_never_exceeds_the_squared_correlation(rows):
    y, f = np.array(rows).T
    sums = Sums.of(y, f).total
    one, other = float(r2(sums)), float(squared_correlation(sums))
    assert np.isnan(one) or np.isnan(other) or one <= other + 1e-6


def test_they_are_equal_for_a_least_squares_fit_on_its_own_data_only():
    x = RNG.normal(size=(100, 2))
    y = x @ [1.0, 2.0] + RNG.normal(size=100)
    fitted = LinearRegression().fit(x, y).predict(x)
    own = Sums.of(y, fitted).total
    assert float(r2(own)) == pytest.approx(float(squared_correlation(own)))
    moved = Sums.of(y, fitted * 2 + 1).total
    assert float(squared_correlation(moved)) == pytest.approx(float(squared_correlation(own)))
    assert float(r2(moved)) < float(r2(own)) - 0.2


def test_intervals_are_those_of_a_bootstrap_of_rows_also_in_buckets():
    y, f = RNG.normal(size=6000), RNG.normal(size=6000)
    f = 0.8 * y + 0.6 * f
    found = evaluate_regression(y_true=y, y_pred=f)
    drawn = {name: [] for name in ("mse", "mae", "r2")}
    for _ in range(400):
        rows = RNG.integers(6000, size=6000)
        drawn["mse"].append(metrics.mean_squared_error(y[rows], f[rows]))
        drawn["mae"].append(metrics.mean_absolute_error(y[rows], f[rows]))
        drawn["r2"].append(metrics.r2_score(y[rows], f[rows]))
    for name, values in drawn.items():
        low, high = np.quantile(values, [0.025, 0.975])
        assert found[name].interval.high - found[name].interval.low == pytest.approx(high - low, rel=0.15)


def test_coverage():
    inside = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=150)
        interval = evaluate_regression(y_true=y, y_pred=y + rng.normal(size=150), draws=400)["mae"].interval
        inside.append(interval.low <= np.sqrt(2 / np.pi) <= interval.high)
    assert np.mean(inside) > 0.9


def test_many_draws_need_little_memory():
    rng = np.random.default_rng(0)
    sums = Sums.of(rng.normal(size=1000), rng.normal(size=1000))
    tracemalloc.start()
    drawn = resampled_sums([sums], 20_000, np.random.default_rng(1))[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert drawn.squared.shape == (20_000,)
    assert peak < 60e6  # all draws at once would be 160 MB
    first = resampled_sums([sums], 3000, np.random.default_rng(1))[0]
    assert first.squared == pytest.approx(drawn.squared[:3000])


def test_large_offsets_do_not_drown_the_differences():
    found = evaluate_regression(y_true=Y + 1e9, y_pred=F + 1e9)
    assert found["r2"].value == pytest.approx(metrics.r2_score(Y, F), rel=1e-6)


def test_mixed_numbers_huge_offsets_and_options_that_are_not_for_numbers(run, write):
    assert evaluate_regression(y_true=[3, -0.5, 2, 7], y_pred=[2.5, 0.0, 2, 8])["mse"].value == pytest.approx(0.375)
    far = evaluate_regression(y_true=Y, y_pred=F + 2e6)
    assert far["squared_correlation"].value == pytest.approx(np.corrcoef(Y, F)[0, 1] ** 2, rel=1e-6)
    naive = evaluate_regression(y_true=Y + 1e12, y_pred=F).baselines[2]
    assert naive.mae == pytest.approx(np.abs(Y[:, None] - Y[None, :]).mean(), rel=1e-3)
    assert evaluate_regression(y_true=[0.1] * 50, y_pred=[0.2] * 50).baselines[2].mae == 0
    ran = run("evaluate", write("a.csv", "y,yhat\n1,2\n2,2\n"), "--regression", "--positive", "1")
    assert ran.code == 2
    assert "--positive is for classes" in ran.err


def test_baselines_by_brute_force():
    naive = {one.name: one for one in evaluate_regression(y_true=Y, y_pred=F).baselines}
    assert naive["mean"].mse == pytest.approx(np.var(Y))
    assert naive["median"].mae == pytest.approx(np.mean(np.abs(Y - np.median(Y))), rel=1e-3)
    apart = np.abs(Y[:, None] - Y[None, :])
    assert naive["random label"].mae == pytest.approx(apart.mean())
    assert naive["random label"].mse == pytest.approx((apart**2).mean())
    heavy = {one.name: one for one in evaluate_regression(y_true=Y, y_pred=F, weight=W).baselines}
    both = W[:, None] * W[None, :]
    assert heavy["random label"].mae == pytest.approx((both * apart).sum() / both.sum())


def test_the_command_the_frames_and_the_schema(run, write):
    frame = pd.DataFrame({"y": Y, "yhat": F})
    path = write("a.csv", frame.to_csv(index=False))
    ran = run("evaluate", path, "--regression", "--json")
    assert ran.code == 0, ran.err
    jsonschema.validate(ran.json, SCHEMA)
    assert [m["name"] for m in ran.json["measures"]] == [measure.name for measure in ALL]
    assert evaluate_regression(path).to_dict() == ran.json
    for data in (frame, pl.from_pandas(frame), pl.from_pandas(frame).lazy()):
        assert evaluate_regression(data)["mse"].value == pytest.approx(metrics.mean_squared_error(Y, F))
    text = run("evaluate", path, "--regression", "--output", path.with_name("m.csv")).out
    assert "Predictions are off by" in text
    assert "Always predicting the median" in " ".join(text.split())
    assert len(pd.read_csv(path.with_name("m.csv"))) == 7


def test_negative_values_have_no_rmsle_and_it_is_said(run, write):
    path = write("a.csv", "y,yhat\n1,2\n-3,1\n4,4\n")
    found = {m["name"]: m for m in run("evaluate", path, "--regression", "--json").json["measures"]}
    assert found["rmsle"]["value"] is None
    assert "row 2 has less ('y' is -3 in row 2)" in found["rmsle"]["undefined"]
    assert found["mse"]["value"] == pytest.approx((1 + 16) / 3)
    assert "it needs values above -1" in " ".join(run("evaluate", path, "--regression").out.split())


def test_equal_labels_and_one_row_are_undefined_not_zero():
    equal = evaluate_regression(y_true=[2.0, 2.0, 2.0], y_pred=[1.0, 2.0, 3.0])
    assert np.isnan(equal["r2"].value)
    assert equal["r2"].undefined == "all labels are equal"
    one = evaluate_regression(y_true=[2.0], y_pred=[1.0])
    assert one["mse"].value == 1.0
    assert one["mse"].interval is None


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("y,yhat\n1,2\n,3\n", [], "Missing numbers in 1 row .*: row 2.*drop these rows with --missing drop"),
        ("y,yhat\n1,2\nhigh,3\n", [], "Missing numbers in 1 row .*: row 2"),
        ("y,yhat\n1,2\n1,inf\n", [], "Infinite number in row 2"),
        ("y,yhat\n", [], "No rows in"),
        ("y,yhat\na,b\n", ["--drop-missing"], "holds text or nothing, no number"),
        ("y,yhat,w\n1,2,-1\n", ["--weight", "w"], "from 0 up"),
        ("a,b\n1,2\n", [], "No label column found"),
    ],
)
def test_bad_numbers(text, options, message, run, write):
    import re

    ran = run("evaluate", write("a.csv", text), "--regression", *options)
    assert ran.code == 2
    assert re.search(message, " ".join(ran.err.split())), ran.err


def test_missing_rows_left_out_are_reported(run, write):
    found = run("evaluate", write("a.csv", "y,yhat\n1,2\n,3\n2,2\n"), "--regression", "--drop-missing", "--json").json
    assert found["dropped"] == 1
    assert found["n"] == 2


def test_slices_are_those_rows_alone_and_the_page_shows_them(run, write, tmp_path):
    site = np.where(np.arange(400) % 4 == 0, "a", "b")
    result = evaluate_regression(y_true=Y, y_pred=F, by={"site": site})
    assert {part.value for part in result.slices} == {"a", "b"}
    for part in result.slices:
        rows = site == part.value
        alone = evaluate_regression(y_true=Y[rows], y_pred=F[rows])
        assert part["mae"] == alone["mae"]
        assert part["mae"].n == rows.sum()
    path = write("a.csv", pd.DataFrame({"y": Y, "yhat": F, "site": site}).to_csv(index=False))
    page, charts = tmp_path / "page.html", tmp_path / "charts"
    ran = run("evaluate", path, "--regression", "--by", "site", "--report", page, "--charts", charts)
    assert ran.code == 0, ran.err
    assert "site = a" in ran.out
    text = page.read_text()
    assert "Errors against the prediction" in text
    assert "site = b" in text
    assert sorted(one.stem for one in charts.glob("*.svg")) == ["predicted", "residuals", "slices"]


def test_the_grid_and_the_residuals_of_the_charts_count_every_row():
    result = evaluate_regression(y_true=Y, y_pred=F)
    assert sum(cell["n"] for cell in result.grid) == 400
    assert sum(cell["n"] for cell in result.residuals) == 400
    first = np.sort(F)[:20]
    assert result.residuals[0]["prediction"] == pytest.approx(first.mean())
    assert result.residuals[0]["middle"] == pytest.approx(np.median((F - Y)[np.argsort(F)[:20]]))


@pytest.mark.parametrize(("alternative", "kept", "bound"), [("greater", "low", "lower"), ("less", "high", "upper")])
def test_one_sided_bounds_are_ends_of_the_interval_at_a_lower_level(alternative, kept, bound, run, write, tmp_path):
    both = evaluate_regression(y_true=Y, y_pred=F, level=0.9)
    single = evaluate_regression(y_true=Y, y_pred=F, level=0.95, alternative=alternative)
    for measure in ALL:
        ends, other = single[measure.name].interval, both[measure.name].interval
        assert getattr(ends, kept) == pytest.approx(getattr(other, kept), rel=0.01)
        assert (ends.high if kept == "low" else ends.low) == measure.bounds[kept == "low"]
    path = write("a.csv", pd.DataFrame({"y": Y, "yhat": F, "site": W > 0.5}).to_csv(index=False))
    options = [path, "--regression", "--alternative", alternative, "--by", "site"]
    found = run("evaluate", *options, "--json").json
    jsonschema.validate(found, SCHEMA)
    assert (found["level"], found["alternative"]) == (0.95, alternative)
    assert found["measures"][2]["interval"][kept] == getattr(single["mae"].interval, kept)
    page = tmp_path / "page.html"
    ran = run("evaluate", *options, "--report", page)
    words = f"95 % {bound} bound {'≥' if kept == 'low' else '≤'} "
    assert words in ran.out
    assert words in page.read_text().replace("\N{NO-BREAK SPACE}", " ")
    assert "Infinity" not in page.read_text()


def test_one_sided_bounds_cover_as_often_as_they_promise():
    """At 95 %, with 60 rows and normal errors; 300 repetitions stray by 0.04 in one of 700 cases.

    Upper bounds allow for an error larger than any seen, and cover more: they are held against the exact bound of MSE,
    which knows that errors are normal.
    """
    generator = np.random.default_rng(11)
    true = {"mse": 1.0, "rmse": 1.0, "mae": np.sqrt(2 / np.pi), "r2": 1 - 1 / 9}
    covered = dict.fromkeys([(name, side) for name in true for side in ("greater", "less")], 0)
    excess = []
    for seed in range(300):
        y = generator.normal(0, 3, 60)
        error = generator.normal(size=60)
        sums = Sums.of(y, y + error)
        for side in ("greater", "less"):
            for estimate in numeric_estimates(sums, 60, Confidence(alternative=side, draws=200, seed=seed)):
                if (estimate.name, side) == ("mse", "less"):
                    excess.append(estimate.interval.high / ((error**2).sum() / chi2.ppf(0.05, 60)))
                if estimate.name in true:
                    covered[estimate.name, side] += (
                        estimate.interval.low <= true[estimate.name] <= estimate.interval.high
                    )
    assert min(covered.values()) > 0.91 * 300
    assert max(covered[name, "greater"] for name in ("mse", "rmse", "mae")) < 0.99 * 300
    assert 1 < np.median(excess) < 1.15


def test_rows_without_a_number_are_left_out_as_in_comparisons():
    holes = [np.nan, *F[1:]]
    dropped = evaluate_regression(y_true=Y, y_pred=holes, missing="drop")
    assert dropped.dropped == 1
    assert evaluate_regression(y_true=Y, y_pred=holes, drop_missing=True)["mse"] == dropped["mse"]
    with pytest.raises(ScoreError, match="missing='drop'"):
        evaluate_regression(y_true=Y, y_pred=holes)
    with pytest.raises(OptionError, match="missing must be one of refuse, drop; got 'wrong'"):
        evaluate_regression(y_true=Y, y_pred=holes, missing="wrong")


def test_a_few_rows_that_make_the_squared_error_are_cautioned():
    far = F.copy()
    far[0] += 60
    plain, outliers = (" ".join(evaluate_regression(y_true=Y, y_pred=f).to_dict()["warnings"]) for f in (F, far))
    assert "A few rows make most of the squared error" not in plain
    assert "A few rows make most of the squared error" in outliers
