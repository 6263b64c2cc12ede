"""A value that is none of an option's choices is refused with an error that names them, whatever the function."""

import inspect
import sys
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest

import justesse
from justesse.core.errors import OptionError

ANSWERS = {
    "item": np.repeat(np.arange(30), 3).tolist(),
    "annotator": ["a", "b", "c"] * 30,
    "answer": np.random.default_rng(0).choice(["x", "y"], 90).tolist(),
}
PREDICTIONS = {"item": list(range(30)), "old": ["x", "y"] * 15, "new": ["x", "y", "x"] * 10}
ROWS = {
    "id": list(range(40)),
    "label": [0, 1] * 20,
    "old": [0, 1] * 18 + [1, 0] * 2,
    "new": [0, 1] * 20,
    "true": [0, 1] * 20,
}
NUMBERS = {"label": [1.0, 2, 3, 4] * 5, "old": [1.0, 2, 3, 5] * 5, "new": [1.0, 2, 3, 4.5] * 5}
TRAINING = {"x": np.random.default_rng(0).normal(size=60).tolist(), "y": [0, 1] * 30}
OVER_TIME = {"id": [1, 2], "version": ["a", "a"], "time": [1, 2], "label": ["x", "y"], "prediction": ["x", "x"]}
PAIR = {"incumbent": "old", "candidate": "new"}
TABLE = [[0.9, 0.1], [0.2, 0.8]]
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "ab": (({"arm": ["a", "b"] * 20, "outcome": [0, 1] * 10 + [1, 0] * 10},), {}),
    "ab_start": (("never-made.ab", {"id": [1, 2], "variant": ["a", "b"], "outcome": [0, 1]}), {}),
    "annotators_agree": ((ANSWERS,), {}),
    "annotators_compare": ((ANSWERS,), {}),
    "annotators_infer": ((ANSWERS,), {}),
    "annotators_next": ((ANSWERS,), {}),
    "assess": ((TRAINING,), {"label": "y", "model": "tree"}),
    "audit_start": ((ROWS,), {**PAIR, "on": "id", "to": "never-made.audit"}),
    "clean": ((TRAINING,), {"label": "y"}),
    "compare": ((ROWS,), PAIR),
    "compare_folds": (({"old": [0.8, 0.9, 0.7, 0.8, 0.9], "new": [0.7, 0.9, 0.6, 0.8, 0.8]},), {}),
    "compare_regression": ((NUMBERS,), PAIR),
    "count": ((ROWS,), {"prediction": "old"}),
    "dossier_export": (("never-read.json",), {"to": "never-made.json"}),
    "dossier_plan": (("never-made.json",), {"margin": 0.01}),
    "evaluate": ((ROWS,), {"prediction": "old"}),
    "evaluate_unlabelled": (({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20, "c": ["x", "y"] * 20},), {}),
    "evaluate_regression": ((NUMBERS,), {"prediction": "old"}),
    "llm_judge": (({"item": [1, 2, 3], "winner": [1, 2, 1]},), {"human": {"item": [1, 2], "winner": [1, 1]}}),
    "lifelong_alarms": (({"time": [3]}, {"time": [2]}), {"max_delay": 2, "start": 0, "end": 9}),
    "lifelong_audit": ((OVER_TIME, OVER_TIME), {"to": "never-made.audit"}),
    "lifelong_compare": ((OVER_TIME, OVER_TIME), {}),
    "lifelong_penalise": ((), {"adapt": 0.2, "false": 0.3, "cor": 0.1}),
    "lifelong_policies": ((), {}),
    "lifelong_prequential": ((OVER_TIME,), {}),
    "lifelong_run": (("never-run", OVER_TIME), {}),
    "lifelong_map": ((OVER_TIME, OVER_TIME), {}),
    "lifelong_score": ((OVER_TIME,), {}),
    "noise_bias": ((ROWS,), {"prediction": "old"}),
    "noise_bounds": ((ROWS,), {"prediction": "old", "noise_rate": 0.1}),
    "noise_breakdown": ((ROWS,), {"prediction": "old", "claim": "accuracy>=0.5"}),
    "noise_estimate": ((ROWS,), {"true": "true"}),
    "noise_inject": ((TRAINING,), {"label": "y", "noise_rate": 0.1, "to": "never-made.csv"}),
    "noise_profile": ((ROWS,), {"prediction": "old", "true": "true"}),
    "noise_resist": ((TRAINING,), {"label": "y", "model": "tree"}),
    "plan_difference": ((), {"difference": 0.1, "disagreement": 0.2}),
    "plan_error_difference": ((), {"difference": 0.1, "sd": 1.0}),
    "plan_noise": ((), {"half_width": 0.1, "noise_rate": 0.1}),
    "plan_precision": ((), {"half_width": 0.1, "expected": 0.9}),
    "tournament": ((ROWS,), {"label": "label", "models": ["old", "new"]}),
}
# options that only mean something beside others
BESIDE: dict[tuple[str, str], tuple[tuple[Any, ...], dict[str, Any]]] = {
    **{
        (verb, option): ((PREDICTIONS,), {**columns, "on": "item", "answers": ANSWERS})
        for verb, columns in (("evaluate", {"prediction": "old"}), ("compare", PAIR))
        for option in ("answers_method", "repeated")
    },
    ("evaluate", "transition_of"): ((ROWS,), {"prediction": "old", "transition": TABLE}),
    ("compare", "transition_of"): ((ROWS,), {**PAIR, "transition": TABLE}),
    ("tournament", "noise"): (({**ROWS, "x": [0.1, 0.2] * 20},), {"models": ["old", "new"], "noise_rates": [0.1]}),
    ("noise_bounds", "transition_of"): ((ROWS,), {"prediction": "old", "transition": TABLE}),
}


def choices(annotation: Any) -> list[Any]:
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [choice for part in get_args(annotation) for choice in choices(part)]


def options() -> Iterator[tuple[str, str, list[str]]]:
    for name in dir(justesse):
        function = getattr(justesse, name)
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        for option, parameter in inspect.signature(function).parameters.items():
            annotation = parameter.annotation
            if isinstance(annotation, str):
                annotation = eval(annotation, vars(sys.modules[function.__module__]))
            if names := [choice for choice in choices(annotation) if isinstance(choice, str)]:
                yield name, option, names


OPTIONS = list(options())


@pytest.mark.parametrize(("verb", "option", "names"), OPTIONS, ids=[f"{verb}-{option}" for verb, option, _ in OPTIONS])
def test_an_unknown_choice_is_refused_and_the_choices_are_named(verb, option, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data, rest = BESIDE.get((verb, option)) or CALLS[verb]
    with pytest.raises(OptionError) as error:
        getattr(justesse, verb)(*data, **{**rest, option: "nonsense"})
    assert "nonsense" in str(error.value)
    known = [name for name in names if name.replace(" ", "-") in str(error.value)]  # "test set" is an old spelling
    assert known == names, f"{error.value} does not name all of {names}"


def test_there_are_many_such_options():
    assert len(OPTIONS) > 50
