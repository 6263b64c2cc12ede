"""Thirty published networks on CIFAR-10: the figures that the data's own README states."""

import pandas as pd
import pytest
from sklearn import metrics

from justesse import evaluate


def test_thirty_networks(data):
    path = data / "cifar10" / "predictions.parquet"
    frame = pd.read_parquet(path)
    networks = [
        name for name in frame.columns if frame[name].dtype == frame["label"].dtype and name not in ("label", "true")
    ]
    networks = [name for name in networks if name not in ("id", "index", "image")]
    values = []
    for name in networks:
        found = evaluate(path, prediction=name, bootstrap="none")
        values.append(found["accuracy"].value)
        assert values[-1] == pytest.approx(metrics.accuracy_score(frame["label"], frame[name]))
        against = {(e.name, e.class_name, e.average): e.value for e in found.truth.estimates}
        assert against["accuracy", None, None] == pytest.approx(metrics.accuracy_score(frame["true"], frame[name]))
        assert found.truth.noise.value == pytest.approx((frame["label"] != frame["true"]).mean())
    assert len(values) == 30
    assert 0.81 < min(values) < 0.83
    assert 0.96 < max(values) < 0.98


def test_electricity_with_the_no_change_forecast(data, tmp_path):
    frame = pd.read_csv(data / "lifelong" / "elec2_dated.csv.gz")
    frame = pd.DataFrame({"label": frame["up"], "prediction": frame["up"].shift(1)}).dropna().astype(int)
    found = evaluate(frame)
    assert found["error"].value == pytest.approx(0.1467, abs=2e-4)
    assert 1 - found.baselines[0].measures[0].value == pytest.approx(0.4245, abs=2e-4)
