"""Wrong labels of CIFAR-10, known from about 51 people's votes per image: what each rung says, and where the truth is."""

import numpy as np
import pandas as pd
import pytest

from justesse import compare, evaluate, noise_bias, noise_estimate, noise_profile


@pytest.fixture
def frame(data):
    return pd.read_parquet(data / "cifar10" / "predictions.parquet")


def test_the_inverted_table_flatters_and_is_said_to(frame):
    """The network repeats people's errors, so (c) lies above what is possible at all; the truth lies inside."""
    counts = pd.crosstab(frame["true"], frame["label"])
    rows = frame.drop(columns="true")
    found = evaluate(rows, prediction="shake_drop", transition=counts, transition_of="these", bootstrap="none")
    noise = found.to_dict()["noise"]["measures"][0]
    assert (noise["bounds"]["low"], noise["bounds"]["high"]) == pytest.approx((0.9608, 0.9744))
    assert noise["corrected"][0]["value"] == pytest.approx(0.9763, abs=5e-5)
    (warning,) = [one for one in found.warnings if "is outside its bounds" in one]
    assert "is outside its bounds, 0.9608 to 0.9744" in warning
    truth = float(np.mean(frame["shake_drop"] == frame["true"]))
    assert truth == 0.9655
    assert noise["bounds"]["low"] <= truth <= noise["bounds"]["high"]
    assert noise["apparent"] > truth  # labels flatter


def test_rates_and_profile(data):
    path = data / "cifar10" / "predictions.parquet"
    assert noise_estimate(path).answer.startswith("0.8 % of the labels are wrong (95 % CI 0.6 to 1.0 %, n = 10,000)")
    found = {one["name"]: one["value"] for one in noise_profile(path, prediction="shake_drop").rows[:3]}
    assert found["F_n"] > found["F_r"]
    bias = noise_bias(path, prediction="shake_drop").rows[0]
    assert bias["bias"] == pytest.approx(0.0079 * (found["F_n"] - found["F_r"])) == pytest.approx(0.9687 - 0.9655)


def test_a_re_checked_sample_covers_the_truth(frame):
    """Of 40 random samples of 500 images; a 95 % interval misses more than 6 of them with a chance below 1 in 100."""
    plain, truth = frame.drop(columns="true"), np.mean(frame["shake_drop"] == frame["true"])
    missed = 0
    for seed in range(40):
        checked = frame.sample(500, random_state=seed)[["id", "true"]]
        found = evaluate(plain, prediction="shake_drop", audited=checked, on="id", bootstrap="none")
        one = found.noise.corrected(("accuracy", None, None))[0][1]
        missed += not one.interval.low <= truth <= one.interval.high
    assert missed <= 6


def test_the_true_difference_lies_in_the_bounds(frame):
    counts = pd.crosstab(frame["true"], frame["label"])
    pair = {"incumbent": "resnet_basic_110", "candidate": "shake_drop"}
    found = compare(frame.drop(columns="true"), **pair, transition=counts, noise_rate=0.0079)
    truth = np.mean(frame["shake_drop"] == frame["true"]) - np.mean(frame["resnet_basic_110"] == frame["true"])
    for rung in found.best.noise.rungs:
        assert rung.figures[0].low <= truth <= rung.figures[0].high
    assert found.best.noise.rungs[1].figures[0].low > 0  # whatever the mistakes of the labels, it is better
