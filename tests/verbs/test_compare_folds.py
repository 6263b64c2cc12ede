"""`compare_folds`: fold scores in, a verdict out."""

import json
import math
import re

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest
import vl_convert
from scipy import stats
from statsmodels.stats.multitest import multipletests

import justesse
from justesse import compare_folds
from justesse.core.errors import InputError, OptionError
from justesse.report.document import Table
from justesse.significance.anova import anova
from justesse.verbs.schemas import schema

SCHEMA = schema("compare")
RNG = np.random.default_rng(0)
BASE = RNG.normal(0.8, 0.02, 10)
SCORES = {
    "old": BASE.tolist(),
    "new": (BASE + RNG.normal(0.03, 0.01, 10)).tolist(),
    "alike": (BASE + RNG.normal(0.0, 0.01, 10)).tolist(),
    "bad": (BASE - RNG.normal(0.05, 0.01, 10)).tolist(),
}
TWO = {name: SCORES[name] for name in ("old", "new")}


def valid(found) -> dict:
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    jsonschema.validate(written, SCHEMA)
    return written


def corrected(one, other, ratio, level=0.95):
    """Nadeau and Bengio's interval and p-value, by hand."""
    d = np.subtract(other, one)
    error = math.sqrt(d.var(ddof=1) * (1 / len(d) + ratio))
    t = d.mean() / error
    half = stats.t.ppf((1 + level) / 2, len(d) - 1) * error
    return d.mean(), (d.mean() - half, d.mean() + half), 2 * stats.t.sf(abs(t), len(d) - 1)


def test_the_corrected_t_decides():
    found = compare_folds(TWO)
    mean, ends, pvalue = corrected(TWO["old"], TWO["new"], 1 / 9)
    written = valid(found)
    assert written["verdict"] == "replace"
    assert found.replaces
    assert written["difference"] == pytest.approx(mean)
    assert (written["interval"]["low"], written["interval"]["high"]) == pytest.approx(ends)
    assert written["pvalue"] == pytest.approx(pvalue)
    assert written["judge"] == "folds"
    assert written["disagreement"] is None
    assert written["n"] == 10
    assert written["incumbent"]["name"] == "old"
    assert written["candidate"]["value"] == pytest.approx(np.mean(TWO["new"]))
    assert written["seed"] == 0
    assert (written["schema"], written["version"]) == (2, justesse.__version__)
    assert any("10-fold cross-validation (test over training set 1/9)" in one for one in written["warnings"])


def test_what_is_said_about_the_splits():
    for options, ratio in (({"test_over_train": 0.25}, 0.25), ({"independent": True}, 0.0)):
        found = compare_folds(TWO, **options)
        assert found.verdict.difference.interval.low == pytest.approx(corrected(*TWO.values(), ratio)[1][0])
        assert not any("are taken as those" in one for one in found.warnings)
    repeated = {"repetition": [1] * 5 + [2] * 5, **TWO}
    assert compare_folds(repeated).verdict.outcome.pvalue == pytest.approx(corrected(*TWO.values(), 1 / 4)[2])


@pytest.mark.parametrize("test", ["corrected-t", "paired-t", "5x2-t", "5x2-f", "sign-flip"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_every_test(test, alternative):
    found = compare_folds(TWO, test=test, alternative=alternative)
    written = valid(found)
    assert written["test"] == test.replace("5x2", "five-by-two")
    if test == "paired-t":
        wanted = stats.ttest_rel(TWO["new"], TWO["old"], alternative=alternative).pvalue
        assert written["pvalue"] == pytest.approx(wanted)
    if test == "sign-flip":
        signs = np.array(np.meshgrid(*[[-1, 1]] * 10)).reshape(10, -1).T
        d = np.subtract(TWO["new"], TWO["old"])
        sums = signs @ d
        beyond = {
            "two-sided": abs(sums) >= abs(d.sum()) - 1e-12,
            "greater": sums >= d.sum() - 1e-12,
            "less": sums <= d.sum() + 1e-12,
        }
        assert written["pvalue"] == pytest.approx(beyond[alternative].mean())
    low, high = written["interval"]["low"], written["interval"]["high"]
    assert (low is None) == (alternative == "less")
    assert (high is None) == (alternative == "greater")


def test_five_by_two_is_a_two_fold_cross_validation_even_if_nobody_says_so():
    plain = compare_folds(TWO, test="5x2-t")
    said = compare_folds({"repetition": [at // 2 for at in range(10)], **TWO}, test="5x2-t")
    assert plain.to_dict() == said.to_dict()
    assert plain.verdict.difference.interval.low == pytest.approx(corrected(*TWO.values(), 1.0)[1][0])
    assert any("2-fold cross-validation (test over training set 1/1)" in one for one in plain.warnings)
    shuffled = pd.DataFrame({"repetition": [at // 2 for at in range(10)], **TWO}).sort_values("new")
    assert compare_folds(shuffled, test="5x2-f").verdict.outcome.pvalue == pytest.approx(
        compare_folds(TWO, test="5x2-f").verdict.outcome.pvalue
    )


def test_lower_is_better():
    losses = {name: [1 - one for one in scores] for name, scores in TWO.items()}
    one, other = compare_folds(TWO), compare_folds(losses, lower_is_better=True)
    assert other.verdict.decision == "replace"
    assert other.verdict.difference.value == pytest.approx(one.verdict.difference.value)
    assert other.verdict.candidate.value == pytest.approx(1 - one.verdict.candidate.value)
    assert valid(other)["lower_is_better"] is True


@pytest.mark.parametrize(
    ("margin", "decision"), [(0.0, "replace"), (0.005, "replace"), (0.03, "cannot_tell"), (0.06, "equivalent")]
)
def test_the_margin_that_matters(margin, decision):
    found = compare_folds(TWO, margin=margin)
    assert found.verdict.decision == decision
    written = valid(found)
    assert written["posterior"]["rope"] == margin
    assert (written["equivalence"] is not None) == (margin > 0)
    assert sum(
        written["posterior"][key] for key in ("candidate_better", "equivalent", "incumbent_better")
    ) == pytest.approx(1)


def test_several_candidates_are_corrected_for():
    found = compare_folds(SCORES)
    written = valid(found)
    assert [one["candidate"]["name"] for one in written["comparisons"]] == ["new", "alike", "bad"]
    assert written["candidate"]["name"] == "new"
    assert [one["level"] for one in written["comparisons"]] == pytest.approx([1 - 0.05 / 3] * 3)
    raw = [corrected(SCORES["old"], SCORES[name], 1 / 9)[2] for name in ("new", "alike", "bad")]
    assert [one["pvalue"] for one in written["comparisons"]] == pytest.approx(raw)
    assert [one["adjusted_pvalue"] for one in written["comparisons"]] == pytest.approx(
        multipletests(raw, method="holm")[1]
    )
    assert [one["verdict"] for one in written["comparisons"]] == ["replace", "cannot_tell", "keep"]
    assert found.title == "Replace the incumbent with new."
    assert "3 candidates were tried on these folds: intervals are widened from 95 % to 98.33 %" in found.warnings[0]
    table = np.column_stack(list(SCORES.values()))
    assert written["friedman"] is None
    assert written["nemenyi"] is None
    assert any(one.startswith("Ranks (Friedman, Nemenyi) need independent data sets") for one in found.warnings)
    assert not any("ANOVA" in one for one in found.warnings)
    assert written["anova"]["test"] == "anova-blocked-corrected"
    assert written["anova"]["statistic"] == pytest.approx(anova(table).statistic / (1 + len(table) / 9))
    independent = valid(compare_folds(SCORES, independent=True))
    assert independent["anova"]["test"] == "anova-blocked"
    assert independent["anova"]["statistic"] == pytest.approx(anova(table).statistic)
    assert independent["friedman"]["statistic"] == pytest.approx(stats.friedmanchisquare(*table.T).statistic)
    assert independent["nemenyi"]["critical_difference"] > 0
    assert not any("Friedman" in one for one in independent["warnings"])
    assert set(written["scores"]) == set(SCORES)


def test_more_were_tried_than_are_shown():
    found = compare_folds(TWO, tried=20)
    assert found.verdict.difference.interval.level == pytest.approx(1 - 0.05 / 20)
    assert found.adjusted_pvalues[0] == pytest.approx(min(1, 20 * found.verdict.outcome.pvalue))
    assert "20 candidates were tried" in found.warnings[0]


def test_who_is_who():
    assert compare_folds(SCORES, incumbent="new").incumbent == "new"
    found = compare_folds(SCORES, incumbent="bad", candidate="alike")
    assert (found.incumbent, [one.name for one in found.verdicts]) == ("bad", ["alike"])
    assert found.nemenyi is None
    back = compare_folds(SCORES, incumbent="alike", candidate="bad")
    assert back.verdict.difference.value == -found.verdict.difference.value
    assert (found.verdict.decision, back.verdict.decision) == ("replace", "keep")


@pytest.mark.parametrize(
    "scores",
    [
        {"a": [0.8, 0.8, 0.8], "b": [0.9, 0.9, 0.9]},
        {"a": [0.8, 0.7, 0.6], "b": [0.8, 0.7, 0.6]},
        {"a": [0.8, 0.8], "b": [0.8, 0.8], "c": [0.8, 0.8]},
        {"a": [0.8, 0.7], "b": [0.9, 0.6]},
    ],
)
@pytest.mark.parametrize("margin", [0.0, 0.01])
def test_scores_that_hardly_vary(scores, margin, tmp_path):
    found = compare_folds(scores, margin=margin)
    written = valid(found)
    assert written["verdict"] == "cannot_tell"
    assert not found.replaces
    if written["interval"] is None:
        assert "spread is unknown" in written["reason"]
    for text in (repr(found), found._repr_html_(), found.report(tmp_path / "a.html").read_text().split("base64")[0]):
        assert "nan" not in text.lower()


def test_results_as_tables_words_and_charts(tmp_path):
    found = compare_folds({"old": SCORES["old"], "<b>new</b>": SCORES["new"], "bad": SCORES["bad"]})
    assert "Over 10 folds the mean score of <b>new</b> is 0.0" in " ".join(repr(found).split())
    assert "&lt;b&gt;new&lt;/b&gt;" in found._repr_html_()
    assert "<b>new" not in found._repr_html_()
    assert found.to_frame()["candidate"].to_pylist() == ["<b>new</b>", "bad"]
    assert isinstance(compare_folds(pd.DataFrame(TWO)).to_frame(), pd.DataFrame)
    assert isinstance(compare_folds(pl.DataFrame(TWO)).to_frame(), pl.DataFrame)
    saved = pd.read_csv(found.save(tmp_path / "a.csv"))
    assert saved["verdict"].tolist() == ["replace", "keep"]
    written = found.charts(tmp_path / "charts")
    names = ["boxes.svg", "difference.svg", "pairs.svg"]
    assert sorted(path.name for path in written if path.suffix == ".svg") == names
    with pytest.raises(OptionError, match="A critical difference needs independent data sets"):
        found.chart("critical_difference")
    page = found.report(tmp_path / "folds.html").read_text()
    assert "analysis of variance, corrected for shared training rows" in page
    assert "Friedman&#39;s test, F" not in page
    apart = compare_folds(SCORES, independent=True)
    drawn = apart.charts(tmp_path / "independent")
    assert sorted(path.name for path in drawn if path.suffix == ".svg") == sorted([*names, "critical_difference.svg"])
    assert "Friedman&#39;s test, F" in apart.report(tmp_path / "independent.html").read_text()
    with pytest.raises(OptionError, match="no chart 'roc'. Charts: difference, pairs, boxes"):
        found.chart("roc")


def test_the_seed_is_used_and_said():
    many = {name: RNG.normal(0.8, 0.02, 30).tolist() for name in ("a", "b")}
    one, two, other = (compare_folds(many, test="sign-flip", seed=seed).to_dict() for seed in (3, 3, 4))
    assert one == two
    assert one["pvalue"] != other["pvalue"]
    assert one["seed"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": -1}, "margin, .* must be 0 or more; got -1"),
        ({"margin": math.nan}, "margin"),
        ({"level": 95}, "level must lie between 0 and 1"),
        ({"tried": 0}, "whole number from 1 to 1,000,000,000; got 0"),
        ({"candidate": ["new", "bad"], "tried": 1}, "2 candidates are shown"),
        ({"test": "magic"}, "test must be one of corrected-t, .*; got 'magic'"),
        ({"alternative": "up"}, "alternative must be"),
        ({"test_over_train": 0}, "above 0; got 0"),
        ({"test_over_train": -1}, "above 0"),
        ({"test_over_train": math.nan}, "above 0"),
        ({"test_over_train": 0.25, "independent": True}, "share no training rows. Leave out test_over_train"),
        ({"incumbent": "svm"}, "No scores found for model 'svm'. Models: 'old', 'new'"),
        ({"candidate": "svm"}, "No scores found for model 'svm'"),
        ({"candidate": "old"}, "'old' cannot be both"),
        ({"candidate": ["new", "new"]}, "Name each candidate once"),
        ({"candidate": []}, "no candidate besides 'old'"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(InputError, match=message):
        compare_folds(SCORES, **options)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ({"a": [0.8], "b": [0.9]}, {}, "At least two folds are needed .* got one"),
        ({"a": [0.8], "b": [0.9]}, {"independent": True}, "At least two folds"),
        ({"repetition": [1, 2, 3], "a": [0.8, 0.7, 0.6], "b": [0.9, 0.8, 0.6]}, {}, "One fold per repetition .* Give test_over_train"),
        ({"repetition": [1, 1, 2], "a": [0.8, 0.7, 0.6], "b": [0.9, 0.8, 0.6]}, {}, "same number of folds"),
        ({"a": [0.8, 0.9]}, {}, "no candidate besides 'a'. Give scores of at least two models"),
        ({"a": [0.8] * 5, "b": [0.9] * 5}, {"test": "5x2-t"}, "five repetitions of two folds, ten scores of each model; got 5"),
        ({"repetition": [1] * 5 + [2] * 5, **TWO}, {"test": "5x2-f"}, "five repetitions of two folds"),
    ],
)  # fmt: skip
def test_scores_that_cannot_be_compared(scores, options, message):
    with pytest.raises(InputError, match=message):
        compare_folds(scores, **options)


def test_repeated_holdout_is_fine_with_its_split():
    scores = {"repetition": [1, 2, 3], "a": [0.8, 0.7, 0.6], "b": [0.9, 0.82, 0.69]}
    assert compare_folds(scores, test_over_train=0.25).verdict.outcome.n == 3


def test_an_infinite_statistic_is_named_and_explained():
    order = {"old": [0.7, 0.6, 0.8, 0.5], "mid": [0.75, 0.64, 0.83, 0.58], "new": [0.8, 0.69, 0.88, 0.61]}
    found = compare_folds(order, independent=True)
    text = found.markdown()
    assert "| infinite |" in text
    assert "F is infinite: every data set gives the same order." in text
    assert " inf " not in text
    assert valid(found)["friedman"]["f_statistic"] is None


def test_equal_differences_are_called_so():
    found = compare_folds({"old": [0.5, 0.625, 0.75], "new": [0.75, 0.875, 1.0]}, test_over_train=1 / 9)
    difference = found.verdict.outcome.difference
    assert difference.undefined == "no interval: all differences are equal, so their spread is unknown"
    assert "all scores are equal" not in found.markdown()


def test_the_ratio_of_test_to_training_rows_is_written_in_rows():
    found = compare_folds(TWO, test_over_train=1 / 9)
    assert any("with 9 training rows per test row" in line for line in found.verdict.outcome.assumptions)
    assert "0.111" not in found.markdown()


def test_scores_by_position_say_how_to_pass_them():
    with pytest.raises(
        InputError, match=r"2 values passed by position.*compare_folds\(\{'old': scores, 'new': scores\}\)"
    ):
        compare_folds([0.8, 0.7], [0.9, 0.8])


def test_huge_scores_are_written_shortly_in_every_chart_and_table():
    result = compare_folds({"old": [5e60, 4.2e60, 4.9e60, 5.1e60], "new": [5.3e60, 4.4e60, 5.2e60, 5.6e60]})
    assert "is 3.250e+59 better" in result.headline
    assert not re.search(r"\d{20}", result.markdown())
    svg = vl_convert.vegalite_to_svg(result.chart("pairs").to_dict())
    assert max(map(len, re.findall(r"<text[^>]*>([^<]*e\+\d+)</text>", svg))) <= len("5.5555e+60")


def test_mean_ranks_have_the_same_decimals():
    rng = np.random.default_rng(0)
    result = compare_folds({name: rng.random(8) for name in "abc"}, independent=True)
    tables = [part for section in result.document().sections for part in section.parts if isinstance(part, Table)]
    ranks = next(table for table in tables if table.caption == "Mean ranks")
    assert all(re.fullmatch(r"\d\.\d\d", rank) for _, rank in ranks.cells())
