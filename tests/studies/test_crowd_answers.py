"""Intervals against real crowds' answers: the page shows what was measured, and one figure is measured again."""

import pytest
from studies.crowd_answers.page import PAGE, parts, recorded
from studies.crowd_answers.run import Crowd, classifiers, judged


def test_the_page_shows_the_recorded_figures():
    (table,) = parts(recorded()).values()
    assert table in PAGE.read_text()


def test_a_crowd_is_recorded_as_it_is_measured(data):
    crowd = Crowd.read("bluebird", data / "crowd" / "bluebird")
    first = next(row for row in recorded() if row.crowd == "bluebird" and row.kind == "annotator")
    again = judged(crowd, "annotator", *next(iter(classifiers(crowd, "annotator"))))
    assert (again.n, again.right) == (first.n, pytest.approx(first.right, abs=1e-5))
    assert again.low == pytest.approx(first.low, abs=1e-4)
    assert again.high == pytest.approx(first.high, abs=1e-4)


def test_classifiers_are_never_judged_by_their_own_answers(data):
    crowd = Crowd.read("bluebird", data / "crowd" / "bluebird")
    for items, predictions, answers in classifiers(crowd, "annotator"):
        assert len(items) == len(predictions) == 108
        assert len(answers) == len(crowd.answers) - 108
