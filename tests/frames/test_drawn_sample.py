"""Re-checked rows that say how likely each was to be drawn."""

import random

import pytest

import justesse
from justesse.core.errors import InputError
from justesse.frames.drawn_sample import drawn_sample


def listed(rows):
    """Answer a list as `clean` writes it: all 40 flagged rows, and every tenth of the 360 others."""
    asked = [*rows[:40], *rows[40::10]]
    return {
        "id": [row[0] for row in asked],
        "stratum": ["top"] * 40 + ["rest"] * 36,
        "chance": [1.0] * 40 + [0.1] * 36,
        "true": [row[3] for row in asked],
    }


def rows():
    """Flag 40 rows, half of them with a wrong label, on which the classifier is always right; else it errs on 10 %."""
    draw = random.Random(1)
    table = []
    for at in range(400):
        true = draw.choice("ab")
        other = "ab"[true == "a"]
        table.append((at, other if at < 20 else true, other if at >= 40 and draw.random() < 0.1 else true, true))
    return table


def test_a_list_of_clean_is_weighted_by_its_chances():
    """Taken for a random sample, its suspicious rows would count ten times too often."""
    data = rows()
    columns = dict(zip(("id", "label", "prediction"), zip(*(row[:3] for row in data), strict=True), strict=True))
    answered = listed(data)
    by_probability = {"id": answered["id"], "true": answered["true"], "probability": answered["chance"]}
    result, same = (justesse.evaluate(columns, audited=table, on="id") for table in (answered, by_probability))
    assert drawn_sample(answered).sizes == (360, 40)
    assert result.noise.rechecked == same.noise.rechecked
    truth = sum(row[2] == row[3] for row in data) / len(data)
    interval = next(estimate for estimate in result.noise.rechecked if estimate.name == "accuracy").interval
    assert interval.low < truth < interval.high


def test_an_unanswered_row_of_such_a_list_is_named():
    table = listed(rows())
    table["true"][3] = ""
    with pytest.raises(InputError, match="True classes are missing in"):
        drawn_sample(table)
