"""Promises that every member of a family keeps: it is listed, and it behaves as its siblings."""

import importlib
import pkgutil

import numpy as np
import pytest

import justesse.intervals
import justesse.measures
from justesse import Tally
from justesse.intervals import PROPORTION
from justesse.measures import ALL, PARAMETRISED, Measure

NOT_MEASURES = {"regression", "curves", "confusion", "measure", "ratio", "averages"}
PROPORTION_METHODS = {"wilson", "clopper_pearson", "agresti_coull", "jeffreys", "wald"}
OTHER_INTERVALS = {
    "score_estimates",
    "delong",
    "mover",
    "bootstrap",
    "delta",
    "student",
    "spread",
    "estimate",
    "ends",
    "planning",
}


def test_every_measure_file_is_in_the_family():
    files = {module.name for module in pkgutil.iter_modules(justesse.measures.__path__)} - NOT_MEASURES
    listed = {measure.name for measure in ALL} | {make.__name__ for make in PARAMETRISED}
    assert listed - {"f1"} == files


def test_every_interval_file_is_in_the_family():
    files = {module.name for module in pkgutil.iter_modules(justesse.intervals.__path__)}
    assert files == PROPORTION_METHODS | OTHER_INTERVALS
    assert {name.replace("-", "_") for name in PROPORTION} == PROPORTION_METHODS


@pytest.mark.parametrize("name", sorted({m.name for m in ALL} - {"f1"}))
def test_a_measure_is_documented_and_has_a_doctest(name):
    module = importlib.import_module(f"justesse.measures.{name}")
    assert len(module.__doc__.strip().splitlines()[0]) > 20
    assert ">>>" in module.__doc__


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.name)
def test_a_measure_keeps_its_promises(measure: Measure):
    tally = Tally.from_dense(np.array([[30, 5, 1], [4, 40, 2], [0, 3, 15]]), ["a", "b", "c"])
    value = np.asarray(measure(tally))
    batch = np.asarray(measure(next(tally.resample(6))))
    assert batch.shape == (6, *value.shape)
    assert value.shape == ((3,) if measure.per_class else ())
    assert measure.reason
    low, high = measure.bounds
    assert np.all((value >= low) & (value <= high))
    assert np.all(np.isnan(measure(Tally.of(["label", "prediction"], [], classes=["a"]))))


@pytest.mark.parametrize("name", sorted(PROPORTION))
def test_an_interval_of_a_proportion_keeps_its_promises(name):
    method = PROPORTION[name]
    k, n = np.array([0, 1, 5, 9, 10]), 10
    ends = method(k, n)
    assert ends.method == name
    assert np.all(ends.low <= k / n + 1e-12)
    assert np.all(ends.high >= k / n - 1e-12)
    wide, narrow = method(k, n, level=0.99), method(k, n, level=0.8)
    assert np.all(wide.high - wide.low >= narrow.high - narrow.low)
    mirrored = method(n - k, n)
    np.testing.assert_allclose(mirrored.low, 1 - ends.high, atol=1e-12)
    lower, upper = method(k, n, alternative="greater"), method(k, n, alternative="less")
    assert np.all(lower.high == 1)
    assert np.all(upper.low == 0)
    np.testing.assert_allclose(lower.low, method(k, n, level=0.9).low)
    np.testing.assert_allclose(upper.high, method(k, n, level=0.9).high)
    nothing = method(0, 0)
    assert np.isnan(nothing.low)
    assert np.isnan(nothing.high)
    with pytest.raises(ValueError, match="between 0"):
        method(11, 10)
