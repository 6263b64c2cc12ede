"""Two models that predict numbers, compared on the same rows."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

import justesse
from justesse.core.errors import InputError, JustesseError, OptionError, ScoreError
from justesse.intervals.planning.numeric import mean_difference_n, mean_n, mean_power

N = 300
RNG = np.random.default_rng(7)
LABEL = RNG.normal(10, 3, N)
SHARED = RNG.normal(0, 1, N)
FAR, CLOSE = LABEL + SHARED + RNG.normal(0, 1, N), LABEL + SHARED + RNG.normal(0, 0.6, N)
ROWS = pd.DataFrame({"id": np.arange(N), "y": LABEL, "far": FAR, "close": CLOSE, "site": ["a", "b", "b"] * 100})


def compared(**options):
    return justesse.compare_regression(ROWS, incumbent="far", candidate="close", **options)


def test_values_against_scikit_learn_and_the_t_test_against_scipy():
    comparison = compared()
    for name, peer in {
        "mae": metrics.mean_absolute_error,
        "mse": metrics.mean_squared_error,
        "rmse": metrics.root_mean_squared_error,
        "r2": metrics.r2_score,
    }.items():
        pair = comparison[name]
        assert pair.incumbent.value == pytest.approx(peer(LABEL, FAR))
        assert pair.candidate.value == pytest.approx(peer(LABEL, CLOSE))
        sign = 1 if name == "r2" else -1
        assert pair.difference.value == pytest.approx(sign * (peer(LABEL, CLOSE) - peer(LABEL, FAR)))
    for name, error in {"mae": np.abs, "mse": np.square}.items():
        peer = stats.ttest_rel(error(LABEL - FAR), error(LABEL - CLOSE))
        assert comparison[name].pvalue == pytest.approx(peer.pvalue, rel=1e-6)
        ends = peer.confidence_interval(0.95)
        assert comparison[name].difference.interval.low == pytest.approx(ends.low)
        assert comparison[name].difference.interval.high == pytest.approx(ends.high)


def test_pairing_narrows_the_interval():
    """Both models share part of their errors, so their difference is better known than either."""
    comparison = compared()
    for name in ("rmse", "r2"):
        pair = comparison[name]
        apart = pair.incumbent.interval.half_width + pair.candidate.interval.half_width
        assert pair.difference.interval.half_width < apart / 1.5


def test_the_better_one_replaces_and_the_other_way_round_is_the_mirror_image():
    comparison = compared()
    assert comparison.decision == "replace"
    assert comparison.passes("better")
    mirrored = justesse.compare_regression(ROWS, incumbent="close", candidate="far")
    assert mirrored.decision == "keep"
    assert not mirrored.passes("better")
    for name in ("mae", "rmse", "r2"):
        ahead, behind = comparison[name].difference, mirrored[name].difference
        assert ahead.value == pytest.approx(-behind.value)
        assert ahead.interval.low == pytest.approx(-behind.interval.high)
    size = f"{comparison['mae'].difference.value:.4g}"
    assert f": the candidate is better by {size} (95 % CI of the difference +" in repr(comparison)
    assert f": the candidate is worse by {size} (95 % CI of the difference -" in repr(mirrored)
    assert "gain of" not in repr(mirrored)


def test_margin_and_alternative():
    assert compared(margin=5.0).decision == "equivalent"
    assert compared(margin=5.0).passes("not-worse")
    assert compared(alternative="greater")["mae"].difference.interval.high == np.inf
    assert "≥" in repr(compared(alternative="greater"))


def test_rows_that_cannot_tell_say_how_many_would():
    few = justesse.compare_regression(
        y_true=LABEL[:40], incumbent=LABEL[:40] + SHARED[:40], candidate=LABEL[:40] + SHARED[::-1][:40]
    )
    assert few.decision == "cannot_tell"
    gain = np.abs(SHARED[:40]) - np.abs(SHARED[::-1][:40])
    wanted = mean_difference_n(abs(gain.mean()), sd=gain.std(ddof=1)) - 40
    assert few.needed_n == max(wanted, 1)
    assert "more labelled rows would settle it with a probability of 80 %" in " ".join(repr(few).split())


def test_two_files_joined_by_an_id_equal_one_table(tmp_path):
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    ROWS.rename(columns={"far": "prediction"})[["id", "y", "prediction", "site"]].to_csv(old, index=False)
    shuffled = ROWS.sample(frac=1, random_state=1).rename(columns={"close": "prediction"})
    shuffled[["id", "y", "prediction"]].to_csv(new, index=False)
    joined = justesse.compare_regression(old, new, on="id", by="site")
    one = compared(by="site")
    assert joined["mae"].difference.value == pytest.approx(one["mae"].difference.value)
    assert [part.title for part in joined.slices] == [part.title for part in one.slices]
    with pytest.raises(InputError, match="different orders"):
        justesse.compare_regression(old, new)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, dict])
def test_every_kind_of_table_gives_the_same(kind):
    columns = {name: ROWS[name].to_numpy() for name in ("y", "far", "close")}
    assert justesse.compare_regression(kind(columns), incumbent="far", candidate="close")["rmse"] == compared()["rmse"]


def test_slices_have_the_largest_loss_first():
    worse_in_a = ROWS.assign(close=np.where(ROWS.site == "a", ROWS.far + 3, ROWS.close))
    comparison = justesse.compare_regression(worse_in_a, incumbent="far", candidate="close", by="site")
    assert [part.value for part in comparison.slices] == ["a", "b"]
    assert comparison.slices[0].difference.value < 0 < comparison.slices[1].difference.value


def test_every_medium(tmp_path):
    comparison = compared(by="site")
    assert comparison.to_dict() == json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    assert isinstance(comparison.to_frame(), pd.DataFrame)
    page = comparison.report(tmp_path / "page.html").read_text()
    for words in ("Replace the incumbent with the candidate.", "Which model is closer", "site = a"):
        assert words in page
    assert "['site']" not in page
    assert ("by", "site") in comparison.document().facts
    assert "| MAE |" in comparison.markdown()
    assert sorted(path.name for path in comparison.charts(tmp_path)) == ["errors.png", "errors.svg"]


@pytest.mark.parametrize(
    ("rows", "options", "error", "message"),
    [
        (ROWS, {"incumbent": "far", "candidate": "nothing"}, JustesseError, "nothing"),
        (ROWS, {"incumbent": "far", "candidate": "site"}, JustesseError, "site"),
        (ROWS, {"incumbent": "far", "candidate": "close", "measure": "accuracy"}, OptionError, "no numeric measure"),
        (ROWS, {"incumbent": "far", "candidate": "close", "margin": -1}, OptionError, "margin"),
        (ROWS, {"incumbent": "far", "candidate": ["close", "y"]}, JustesseError, "one candidate|both"),
        (ROWS.assign(close=np.nan), {"incumbent": "far", "candidate": "close"}, InputError, "Column 'close' of the data frame holds text or nothing"),
        (ROWS.assign(close=np.inf), {"incumbent": "far", "candidate": "close"}, ScoreError, "Infinite number in row 1"),
        (ROWS.assign(close=ROWS.close.where(ROWS.id > 3)), {"incumbent": "far", "candidate": "close"}, ScoreError,
         "Missing numbers in 4 rows of .*: rows 1, 2, 3, 4"),
        (ROWS[:0], {"incumbent": "far", "candidate": "close"}, InputError, "No rows"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused(rows, options, error, message):
    with pytest.raises(error, match=message):
        justesse.compare_regression(rows, **options)


def test_rows_without_a_number_can_be_left_out():
    holes = ROWS.assign(close=ROWS.close.where(ROWS.id > 3))
    comparison = justesse.compare_regression(holes, incumbent="far", candidate="close", drop_missing=True)
    again = justesse.compare_regression(holes, incumbent="far", candidate="close", missing="drop")
    assert again.to_dict() == comparison.to_dict()
    assert (comparison.n, comparison.dropped) == (N - 4, 4)
    assert "4 rows without a number left out" in comparison.warnings[0]
    single = ROWS.assign(close=ROWS.close.where(ROWS.id > 0))
    comparison = justesse.compare_regression(single, incumbent="far", candidate="close", missing="drop")
    assert "1 row without a number left out" in comparison.warnings[0]


def test_labels_that_differ_between_files_are_refused():
    other = ROWS.rename(columns={"close": "prediction"}).assign(y=ROWS.y + (ROWS.id == 5))
    with pytest.raises(InputError, match="differ in 1 row "):
        justesse.compare_regression(ROWS.rename(columns={"far": "prediction"}), other, on="id")


def test_equal_predictions_have_no_interval_and_no_verdict():
    same = justesse.compare_regression(ROWS, incumbent="far", candidate="id")
    assert same.decision == "keep"
    equal = justesse.compare_regression(y_true=LABEL, incumbent=FAR, candidate=FAR.copy())
    assert equal["mae"].difference.interval is None
    assert equal.decision == "cannot_tell"
    assert "no confidence interval" in " ".join(repr(equal).split())


@pytest.mark.parametrize(("difference", "sd"), [(0.5, 1.0), (0.1, 1.0), (2.0, 1.5)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_plans_against_statsmodels(difference, sd, alternative):
    power = pytest.importorskip("statsmodels.stats.power")
    theirs = power.TTestPower().solve_power(
        difference / sd, power=0.8, alpha=0.05, alternative={"greater": "larger"}.get(alternative, alternative)
    )
    assert mean_difference_n(difference, sd=sd, alternative=alternative) == int(np.ceil(theirs))


@settings(max_examples=25, deadline=None)
@given(st.floats(0.01, 2), st.floats(0.1, 5))
def test_a_plan_is_the_smallest_n_that_reaches_its_goal(goal, sd):
    n = mean_n(goal, sd=sd)

    def half_width(rows):
        return stats.t.ppf(0.975, rows - 1) * sd / np.sqrt(rows)

    assert half_width(n) <= goal * (1 + 1e-9)
    assert n == 2 or half_width(n - 1) > goal * (1 - 1e-9)


def test_power_is_what_simulation_finds():
    rng = np.random.default_rng(3)
    draws = rng.normal(0.3, 1.0, (4000, 60))
    found = stats.ttest_1samp(draws, 0, axis=1).pvalue < 0.05
    assert abs(found.mean() - mean_power(60, 0.3, sd=1.0)) < 0.03


@pytest.mark.parametrize("bad", [{"sd": 0}, {"sd": np.nan}, {"difference": 0}, {"power": 1}, {"level": 95}])
def test_plans_refuse_what_is_no_goal(bad):
    with pytest.raises(OptionError):
        justesse.plan_error_difference(**{"difference": 0.1, "sd": 1.0, **bad})


def test_paired_intervals_cover():
    """Skewed errors, 60 rows: Student's interval of the mean paired difference covers about 95 %."""
    rng = np.random.default_rng(11)
    truth = np.mean(np.abs(rng.standard_exponential(10**6) - 1)) * 0.2
    covered = 0
    for _ in range(400):
        own = rng.standard_exponential((2, 60)) - 1
        pair = justesse.compare_regression(y_true=np.zeros(60), incumbent=own[0], candidate=0.8 * own[1], draws=100)
        interval = pair["mae"].difference.interval
        covered += interval.low <= truth <= interval.high
    assert 0.91 < covered / 400 < 0.985


def few_rows(gain, n=40):
    """Pairs whose absolute errors differ by `gain` on average, with a standard deviation of 1."""
    wave = np.random.default_rng(5).normal(size=n)
    wave = (wave - wave.mean()) / wave.std(ddof=1)
    return {"y_true": np.zeros(n), "incumbent": 10 + gain + wave, "candidate": np.full(n, 10.0)}


def test_rows_needed_follow_the_margin_and_the_side_that_is_asked_about():
    keep = justesse.compare_regression(**few_rows(-0.15), margin=0.1)
    assert keep.decision == "cannot_tell"
    assert keep.needed_n == mean_difference_n(0.25, sd=1.0) - 40
    for gain, alternative in ((-0.15, "greater"), (0.15, "less")):
        never = justesse.compare_regression(**few_rows(gain), alternative=alternative)
        assert (never.decision, never.needed_n) == ("cannot_tell", None)


def test_plans_at_the_edge_of_what_is_possible():
    assert justesse.plan_error(half_width=4e-6, sd=1).n > 10**11
    assert justesse.plan_error_difference(difference=1e10, sd=1).n == 2
    with pytest.raises(OptionError, match="contradicts the alternative"):
        justesse.plan_error_difference(difference=-0.5, sd=1, alternative="greater")


def test_a_report_of_text_that_is_not_unicode(tmp_path):
    path = tmp_path / "sheet.yaml"
    path.write_text('collection:\n  source: "\\ud800"\n')
    page = justesse.inspect(datasheet=path).report(tmp_path / "page.html")
    assert "Data sheet" in page.read_text()


def test_arrays_by_position_are_refused_with_the_names_to_use():
    y, old, new = [1.0, 2.0], [1.0, 2.0], [1.0, 2.0]
    with pytest.raises(
        InputError,
        match=r"3 values passed by position, but compare_regression takes one or two tables\. Name arrays: y_true=labels",
    ):
        justesse.compare_regression(y, old, new)
    with pytest.raises(InputError, match=r"Only tables are given by position\. Name arrays: y_true=labels"):
        justesse.compare_regression(old, new)


@pytest.mark.parametrize("measure", ["rmse", "rmsle", "r2"])
def test_two_rows_decide_nothing(measure):
    """A bootstrap of two equally good models' errors excluded 0 in 54 % of samples of two rows, for RMSE."""
    y, old, new = [1.0, 5.0], [1.3, 5.1], [1.05, 5.09]
    few = justesse.compare_regression(y_true=y, incumbent=old, candidate=new, measure=measure)
    assert few.decision == "cannot_tell"
    assert few[measure].difference.interval is None
    nine, ten = (
        justesse.compare_regression(
            y_true=np.arange(n), incumbent=np.arange(n) + np.tile([1.0, 2.0], n)[:n], candidate=np.arange(n) + 0.5
        )
        for n in (9, 10)
    )
    assert "fewer than 10 rows are too few for a bootstrap" in nine["rmse"].difference.undefined
    assert ten["rmse"].difference.interval.low > 0


@pytest.mark.parametrize("measure", ["mae", "mse", "rmse", "rmsle"])
def test_the_same_error_on_every_row_shows_no_variation_whatever_the_rounding(measure):
    ones = np.ones(20)
    same = justesse.compare_regression(y_true=ones, incumbent=2 * ones, candidate=3 * ones, measure=measure)
    assert same.decision == "cannot_tell"
    assert same[measure].difference.interval is None
    assert same[measure].candidate.interval is None


def test_no_rows_are_asked_for_if_there_is_no_interval():
    """0.3 on every row, but for rounding: one more row would settle nothing."""
    y = -np.arange(40.0)
    found = justesse.compare_regression(y_true=y, incumbent=y - 0.5, candidate=y + 0.2)
    assert found["mae"].difference.interval is None
    assert found.needed_n is None


def test_an_interval_is_that_of_evaluate_whatever_the_order_of_rows():
    rng = np.random.default_rng(3)
    y = rng.normal(50, 10, 120)
    table = pd.DataFrame({"id": rng.permutation(120), "label": y, "prediction": y + rng.normal(0, 4, 120)})
    other = table.assign(prediction=y + rng.normal(0, 5, 120)).sample(frac=1, random_state=1)
    compared = justesse.compare_regression(table, other, on="id")
    for one, side in ((table, "incumbent"), (other, "candidate")):
        alone = justesse.evaluate_regression(one)
        for each in compared.differences:
            ours, theirs = alone[each.name].interval, getattr(each, side).interval
            assert (theirs.low, theirs.high) == pytest.approx((ours.low, ours.high))


def test_text_is_refused_with_its_file_and_column(tmp_path):
    for name in ("old", "new"):
        (tmp_path / f"{name}.csv").write_text("id,y,answer\n" + "".join(f"{at},{at}.5,cat\n" for at in range(12)))
    with pytest.raises(InputError, match=r"Column 'answer' of .*old.csv holds text or nothing, no number. To compare"):
        justesse.compare_regression(tmp_path / "old.csv", tmp_path / "new.csv", on="id", label="y", prediction="answer")
    with pytest.raises(
        InputError, match=r"Column 'answer' of .*old.csv holds text or nothing.* leave out --regression"
    ):
        justesse.evaluate_regression(tmp_path / "old.csv", label="y", prediction="answer")


def test_the_verdict_speaks_like_that_of_compare():
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    text = " ".join(
        repr(
            justesse.compare_regression(y_true=y, incumbent=y + rng.normal(size=60), candidate=y + rng.normal(size=60))
        ).split()
    )
    assert text.startswith("Cannot tell: keep the incumbent for now.")
    assert "more labelled rows would settle it with a probability of 80 %" in text
    assert "A positive difference means that the candidate is better." in text
    assert "gain" not in text


def test_rows_needed_are_known_for_every_mean_over_rows_and_for_no_other_measure():
    y = np.zeros(40)
    gains = np.random.default_rng(1).normal(0.05, 1.0, 40)
    incumbent, candidate = np.sqrt(5 + gains), np.full(40, np.sqrt(5.0))
    result = justesse.compare_regression(y_true=y, incumbent=incumbent, candidate=candidate, measure="mse")
    assert result.decision == "cannot_tell"
    total = mean_difference_n(abs(float(gains.mean())), sd=float(gains.std(ddof=1)))
    assert result.needed_n == total - 40
    assert "more labelled rows" in str(result.document().headline)
    root = justesse.compare_regression(y_true=y, incumbent=incumbent, candidate=candidate, measure="rmse")
    assert (root.decision, root.needed_n) == ("cannot_tell", None)


def test_lists_that_mix_integers_and_decimals_are_numbers():
    """Written 3 or 3.0, a number is the same; only classes would differ."""
    mixed = {"y_true": [1, 2, 3, 4] * 10, "incumbent": [1.1, 2.2, 3, 4] * 10, "candidate": [1.0, 2, 3.1, 4] * 10}
    compared = justesse.compare_regression(**mixed, draws=100)
    decimals = {name: [float(value) for value in values] for name, values in mixed.items()}
    assert compared.to_dict() == justesse.compare_regression(**decimals, draws=100).to_dict()
    assert compared["mae"].difference.value == pytest.approx(0.05)
    with pytest.raises(ScoreError, match=r"row 2: 9007199254740993 in column 'incumbent'"):
        justesse.compare_regression(y_true=[1.0, 2.0], incumbent=[1.5, 2**53 + 1], candidate=[1.0, 2.0])
