"""What an assessment tells its readers about intervals, the choice and more rows."""

import pandas as pd
import pytest
from sklearn.datasets import load_iris

from justesse import assess

IRIS = load_iris()
FRAME = pd.DataFrame(IRIS.data, columns=list("abcd")).assign(species=IRIS.target_names[IRIS.target])


def test_the_two_intervals_of_one_accuracy_say_what_they_vary():
    result = assess(FRAME, label="species", model=["tree", "bayes"], k=5)
    notes = {figure.name: figure.note for figure in result.document().figures}
    assert notes["Accuracy"] == f"{result.best}, CI over splits (corrected t)"
    assert notes["Accuracy corrected for the choice"] == "best of 2, CI over rows only (bootstrap)"
    text = " ".join(str(result.document().sections).split())
    assert "%, bootstrap of the rows)" in text
    assert "of the 150 rows taken together (a mean over splits can differ slightly)" in text
    assert "These draws vary the rows tested, not the training." in text
    assert "vary the rows tested and the training, from split to split" in text
    once = assess(FRAME, label="species", model=["tree", "bayes"], procedure="holdout")
    assert "from split to split" not in str(once.document().sections)


def test_more_rows_get_one_answer_and_errors_of_one_curve():
    result = assess(FRAME, label="species", model=["tree", "bayes"], k=5, learning_curve=True)
    sections = {section.id: section for section in result.document().sections}
    table = sections["more-rows"].parts[-1]
    last = result.curves["tree"].points[-1].rows
    titles = [getattr(column, "title", column) for column in table.head]
    assert titles[2:4] == [f"error at {last} rows", f"at {2 * last} rows"]
    for row in table.rows:
        curve = result.curves[row[0]]
        assert row[2] - row[3].value == pytest.approx(curve.gain.value)
        answer = {"yes": "More rows would help.", "no": "More rows would hardly help."}
        sentence = answer.get(curve.more_data, "Whether more rows would help is unclear.")
        line = next(line for line in sections["gap"].parts[-1].lines if str(line).startswith(f"{row[0]}: "))
        assert str(line).endswith(sentence)
        assert "more rows or" not in str(line)
    assert "about 120 training rows, so its errors differ" in str(table.note)
