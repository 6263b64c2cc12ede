"""A key that is not there leads to the one that was meant."""

import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.core.errors import InputError, OptionError

FOUND = justesse.evaluate(["kat", "kat", "dog"] * 20, ["kat", "dog", "dog"] * 20)


@pytest.mark.parametrize(
    ("key", "advice"),
    [
        ("macro_f1", "Did you mean ['f1', 'macro']?"),
        ("f1-macro", "Did you mean ['f1', 'macro']?"),
        (("recall", "cat"), "Did you mean ['recall', 'kat']? Classes: 'dog', 'kat'"),
        (("f1", "makro"), "Did you mean ['f1', 'macro']?"),
        ("recall:kat", "Did you mean ['recall', 'kat']?"),
        (("recall", "maybe"), "'recall' has no class 'maybe'. Classes: 'dog', 'kat'."),
        ("acuracy", "Did you mean ['accuracy']?"),
        (("rekall", "kat"), "Did you mean ['recall', 'kat']?"),
        ("recall", "Use ['recall', class] or ['recall', 'macro']"),
        ("zzz", "Unknown measure 'zzz'. Measures: accuracy"),
    ],
)
def test_a_wrong_key(key, advice):
    with pytest.raises(OptionError) as raised:
        FOUND[key]
    assert advice in str(raised.value)


@pytest.mark.parametrize("kind", [list, np.array, pd.Series])
def test_arrays_by_position_say_how_to_call_compare(kind):
    labels, old, new = (kind(values) for values in ([1, 0, 1], [1, 0, 0], [1, 0, 1]))
    with pytest.raises(InputError, match="Name arrays: y_true=labels, incumbent=predictions, candidate=predictions"):
        justesse.compare(labels, old, new)


def test_measures_is_a_frame_of_the_callers_kind_everywhere():
    rows = pd.DataFrame({"label": [1, 0] * 30, "old": [1, 0, 1, 1] * 15, "new": [1, 0] * 30, "y": np.arange(60.0)})
    results = {
        "evaluate": justesse.evaluate(rows, prediction="new"),
        "compare": justesse.compare(rows, incumbent="old", candidate="new"),
        "folds": justesse.compare_folds(pd.DataFrame({"old": [0.8, 0.81, 0.79], "new": [0.9, 0.91, 0.88]})),
        "regression": justesse.evaluate_regression(rows, label="y", prediction="label"),
        "tournament": justesse.tournament(rows.drop(columns="y").assign(true=rows["label"])),
    }
    for name, result in results.items():
        assert result.measures.equals(result.to_frame()), name
        assert len(result.measures), name
