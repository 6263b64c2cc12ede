"""A result as plain text, as `repr` shows it in Python."""

import numpy as np

import justesse

ROWS = {"x": np.arange(40) % 3, "label": np.arange(40) % 2}


def test_options_are_parameters_in_python():
    folds = {"old": [0.8, 0.84, 0.79, 0.83], "new": [0.85, 0.88, 0.84, 0.87]}
    shown = " ".join(repr(justesse.compare_folds(folds, incumbent="old", candidate="new")).split())
    assert "(test_over_train=…)" in shown
    assert "(--" not in shown


def test_findings_do_not_make_lines_too_wide_to_read():
    shown = repr(justesse.inspect(ROWS, label="label"))
    assert "JU102" in shown
    assert max(map(len, shown.splitlines())) <= 110
