"""Promises that every file about procedures keeps."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import justesse.procedures
from justesse.procedures.folds import Folds
from justesse.procedures.naive import naive_models
from justesse.procedures.run import run
from justesse.procedures.score import score

FILES = sorted(module.name for module in pkgutil.iter_modules(justesse.procedures.__path__))
SHOWN_ELSEWHERE = {"fitting", "splits"}  # inside run


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_documented_and_shown(name):
    module = importlib.import_module(f"justesse.procedures.{name}")
    assert len(module.__doc__.strip().splitlines()[0]) > 20
    own = [one for one in vars(module).values() if getattr(one, "__module__", None) == module.__name__]
    public = [one for one in own if callable(one) and not one.__name__.startswith("_")]
    assert all(one.__doc__ for one in public)
    assert any(">>>" in one.__doc__ for one in public) or name in SHOWN_ELSEWHERE
    for one in public:
        assert "significant" not in one.__doc__


@pytest.mark.parametrize(
    "call", ["run:run", "nested:nested", "refit:choose_and_refit", "learning_curve:learning_curve",
             "bias_variance:bias_variance", "validation_curve:validation_curve", "bootstrap_error:bootstrap_errors"],
)  # fmt: skip
def test_whatever_fits_models_takes_the_same_words(call):
    name, function = call.split(":")
    taken = inspect.signature(getattr(importlib.import_module(f"justesse.procedures.{name}"), function)).parameters
    for word in ("groups", "seed", "n_jobs", "checkpoint", "progress"):
        assert taken[word].kind is inspect.Parameter.KEYWORD_ONLY


def test_naive_models_learn_from_training_rows():
    y = np.repeat(["a", "b"], [60, 40])
    x = np.zeros((100, 1))
    found = run(naive_models(), x, y, Folds(5), want=["probabilities"])
    assert score(found, "majority").estimate.value == pytest.approx(0.4)
    assert set(found.table()["majority: a"]) == {0.6}
    assert 0.3 < score(found, "uniform").estimate.value < 0.7
    numbers = np.random.default_rng(0).exponential(size=100)
    found = run(naive_models(regression=True), x, numbers, Folds(5, kind="plain"))
    errors = {name: score(found, name).estimate.value for name in found.models}
    assert errors["mean"] < errors["random draw"]
    assert errors["mean"] < errors["median"]
    assert errors["random draw"] == pytest.approx(2 * numbers.var(), rel=0.5)
