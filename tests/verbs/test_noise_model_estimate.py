"""The share of wrong labels by a model alone: its value, its interval, its bias against people, refusals."""

import json

import numpy as np
import pytest

import justesse
from justesse.cleaning.confident_joint import confident_joint
from justesse.cleaning.confident_rate import BLOCKS, confident_rates
from justesse.cleaning.evidence import LabelEvidence
from justesse.core.errors import ClassError, InputError, OptionError
from justesse.core.seeds import stream
from justesse.intervals.wilson import wilson


def rows(n=2000, wrong=0.1, sure=0.9, seed=0):
    """Labels with some wrong, and the probabilities of a model that is right and says so with `sure`."""
    rng = np.random.default_rng(seed)
    true = rng.integers(2, size=n)
    label = np.where(rng.random(n) < wrong, 1 - true, true)
    p = np.where(rng.random(n) < sure, true, 1 - true) * 0.8 + 0.1 + rng.uniform(-0.05, 0.05, n)
    names = np.array(["cat", "dog"])
    return {"id": np.arange(n), "label": names[label], "true": names[true], "p_cat": 1 - p, "p_dog": p}


def without(table, *names):
    return {name: values for name, values in table.items() if name not in names}


def test_the_rate_is_that_of_the_confident_joint_and_the_interval_a_block_jackknife():
    table = rows(n=500)
    result = justesse.noise_estimate(without(table, "true"), source="clean", proba="p_")
    label = (table["label"] == "dog").astype(int)
    p = np.stack([table["p_cat"], table["p_dog"]], -1)
    assert result.figures[0].value == confident_joint(label, p).rate
    assert [each.value for each in result.figures[1:]] == confident_joint(label, p).rates.tolist()
    block = stream(0, "confident rate").permutation(500) % BLOCKS
    left_out = [confident_joint(label[block != at], p[block != at]).rate for at in range(BLOCKS)]
    error = np.sqrt((BLOCKS - 1) / BLOCKS * ((left_out - np.mean(left_out)) ** 2).sum())
    ends, rate = result.figures[0].interval, result.figures[0].value
    least = wilson(rate * 500, 500)
    assert ends.low == pytest.approx(min(rate - 2.0227 * error, float(least.low)), rel=1e-4)
    assert ends.high == pytest.approx(max(rate + 2.0227 * error, float(least.high)), rel=1e-4)
    assert any("only as good as its calibration" in words for words in result.warnings)
    assert result.to_dict()["bias"] is None


def evidence(n, wrong, rng):
    """Labels with some wrong, and the probabilities of a model that knows every true class."""
    true = rng.integers(2, size=n)
    label = np.where(rng.random(n) < wrong, 1 - true, true)
    p = np.where(true == 1, 0.95, 0.05)
    return LabelEvidence(label, ("cat", "dog"), probabilities=np.stack([1 - p, p], -1))


def test_no_wrong_label_found_is_not_none_for_sure():
    rates = confident_rates(evidence(60, 0.0, np.random.default_rng(0)))
    assert [rate.value for rate in rates] == [0, 0, 0]
    for rate in rates:
        assert (rate.interval.low, rate.interval.high) == (0, float(wilson(0, rate.n).high))
    assert sum(rate.n for rate in rates[1:]) == rates[0].n == 60


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_interval_contains_wilsons(alternative):
    for rate in confident_rates(evidence(80, 0.04, np.random.default_rng(3)), alternative=alternative):
        least = wilson(rate.value * rate.n, rate.n, alternative=alternative)
        assert rate.interval.low <= float(least.low)
        assert rate.interval.high >= float(least.high)


def test_few_wrong_labels_are_covered():
    rng = np.random.default_rng(4)
    ends = [confident_rates(evidence(60, 0.03, rng))[0].interval for _ in range(200)]
    assert np.mean([each.low <= 0.03 <= each.high for each in ends]) > 0.9  # 84 % by the jackknife alone


def test_the_bias_of_a_model_that_errs_is_found_from_a_re_checked_sample():
    table = rows(wrong=0.02, sure=0.8)  # the model errs often, and calls right labels wrong
    checked = {name: values[::4] for name, values in table.items() if name in ("id", "true")}
    result = justesse.noise_estimate(without(table, "true"), source="clean", proba="p_", audited=checked, on="id")
    plain = justesse.noise_estimate(without(table, "true"), audited=checked, on="id")
    bias = result.bias
    assert result.checked.value == plain.figures[0].value
    assert bias.value == pytest.approx(result.figures[0].value - plain.figures[0].value)
    truth = result.figures[0].value - np.mean(table["label"] != table["true"])
    assert bias.interval.low > 0.05
    assert bias.interval.low <= truth <= bias.interval.high
    assert any("rely on the re-checked rows" in words for words in result.warnings)
    document = json.loads(json.dumps(result.to_dict()))
    assert document["bias"]["value"] == bias.value
    assert "off by" in result.answer
    known = justesse.noise_estimate(table, source="clean", proba="p_", true="true")
    assert known.checked.value == np.mean(table["label"] != table["true"])


def test_a_model_that_is_right_has_no_bias_to_speak_of():
    table = rows(wrong=0.1, sure=1.0)
    result = justesse.noise_estimate(table, source="clean", proba="p_", true="true")
    assert result.bias.interval.low <= 0 <= result.bias.interval.high
    assert not any("rely on" in words for words in result.warnings)


def test_a_label_without_rows_has_no_rate():
    p = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]] * 50)
    rates = confident_rates(LabelEvidence([0, 1] * 50, ("a", "b", "c"), probabilities=p))
    assert np.isnan(rates[3].value)
    assert rates[3].undefined == "no row has this label"
    assert rates[0].interval.method == "block jackknife"


def test_refusals(tmp_path):
    table = rows(n=100)
    for options, words in (
        ({"source": "clean"}, "needs probabilities"),
        ({"proba": "p_", "true": "true"}, "source=clean"),
        ({"source": "clean", "proba": "p_", "cluster": "id"}, "cannot be combined"),
        ({"source": "clean", "proba": "p_", "alternative": "less"}, "two-sided intervals only"),
        ({"source": "dirty", "proba": "p_"}, "source"),
    ):
        with pytest.raises(OptionError, match=words):
            justesse.noise_estimate(table, **options)
    with pytest.raises(OptionError, match="not written"):
        justesse.noise_estimate(table, source="clean", proba="p_").write_transition(tmp_path / "t.csv")
    with pytest.raises(InputError, match="needs rows with probabilities"):
        justesse.noise_estimate(justesse.Tally.of(["true", "label"], [("a", "b", 3)]), source="clean", proba="p_")


@pytest.mark.parametrize("n", [1, 40])
def test_labels_of_one_class_say_nothing(n):
    table = {"label": ["cat"] * n, "p_cat": [0.9] * n, "p_dog": [0.1] * n}
    with pytest.raises(ClassError, match="Every row has the label 'cat'"):
        justesse.noise_estimate(table, source="clean", proba="p_")


def test_a_column_named_true_is_used_as_if_it_was_named():
    table = rows(n=400)
    found = justesse.noise_estimate(table, source="clean", proba="p_")
    assert found.bias == justesse.noise_estimate(table, source="clean", proba="p_", true="true").bias
    assert found.bias is not None
